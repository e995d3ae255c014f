"""The server is killed under load, again and again: what was acknowledged stands, once, and every game goes on."""

import asyncio
import os
import random
from pathlib import Path

from tests.server.client import Client
from tests.server.kills import CLIENTS, kill_again_and_again
from tests.server.processes import LONG, ME, PATIENCE, Server, wait_for

KILLS = int(os.environ.get("PROJECTL_KILLS", "200" if LONG else "10"))


def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    with Server(tmp_path).start() as server:
        tally = asyncio.run(kill_again_and_again(server, tmp_path / "games.db", KILLS, random.Random(4)))
        assert server.complaints() == []
    assert tally.acknowledged >= KILLS * CLIENTS


def test_a_killed_server_leaves_no_bots_behind(tmp_path: Path) -> None:
    with Server(tmp_path).start() as server:
        key = server.new_key()
        game = server.table(key, ME, {"kind": "bot", "bot": "random"})["game"]

        async def until_the_bot_played() -> None:
            async with Client(server, game, key) as client:
                dice = random.Random(1)
                while not any(happened["event"]["seat"] == 2 for happened in client.seat.events):
                    if client.seat.choose(dice):
                        await client.play(dice)
                    else:
                        await client.at(client.seat.version + 1)

        asyncio.run(until_the_bot_played())
        server.kill()
        wait_for("the end of the bots' processes", server.alone, PATIENCE / 4)
