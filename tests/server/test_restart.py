"""The server restarts in the middle of a hundred live games, and every page goes on."""

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

from tests.server.client import Client, Message
from tests.server.processes import ME, OPEN, Server

GAMES = 100
START = 2  # the version when both have sat down


async def _two_at_a_table(server: Server, number: int) -> tuple[Client, Client]:
    ana, bo = server.new_key(), server.new_key()
    made = await asyncio.to_thread(server.table, ana, ME, OPEN, seed=f"restart {number}")
    game = made["game"]
    await asyncio.to_thread(server.ask, f"/api/tables/{game}/join", {"invite": made["invites"]["2"]}, bo)
    return Client(server, game, ana, "ana"), Client(server, game, bo, "bo")


def _first_state(client: Client) -> Message:
    """What the server answered to `watch` on this connection."""
    return next(message for message in client.heard if message["type"] == "state")


def test_a_hundred_live_games_go_on_after_a_restart(tmp_path: Path) -> None:
    async def run() -> None:
        dice = random.Random(1)
        with Server(tmp_path).start() as server:
            pairs = [await _two_at_a_table(server, number) for number in range(GAMES)]
            clients = [client for pair in pairs for client in pair]
            async with AsyncExitStack() as pages:
                for client in clients:
                    await pages.enter_async_context(client)
                await asyncio.gather(*(ana.play(dice) for ana, _ in pairs))
                await asyncio.gather(*(bo.at(START + 1) for _, bo in pairs))
                views = [client.seat.digest() for client in clients]

                # half of the second players are away while the server restarts; the first ones speak into the silence
                late = [bo for _, bo in pairs[::2]]
                for bo in late:
                    await bo.leave()
                closed = [len(client.closed) for client in clients]
                await asyncio.to_thread(server.stop)
                present = [client for client in clients if client not in late]
                await asyncio.gather(*(_lost(client, closed[clients.index(client)]) for client in present))
                assert {client.closed[-1] for client in present} == {1012}
                said = [ana.seat.act_somehow(dice) for ana, _ in pairs]
                await asyncio.to_thread(server.start)

                answers = await asyncio.gather(*(ana.answer(m) for (ana, _), m in zip(pairs, said, strict=True)))
                assert answers == [START + 2] * GAMES, "what was said before the restart is done after it, once"
                for bo in late:
                    bo.begin()
                await asyncio.gather(*(client.at(START + 2) for client in clients))
                for bo in late:
                    state = _first_state(bo)
                    assert [event["version"] for event in state["events"]] == [START + 2], "exactly what it missed"
                assert all(client.seat.digest() != before for client, before in zip(clients, views, strict=True))

                played = await asyncio.gather(*(_go_on(ana, bo, dice) for ana, bo in pairs))
                assert played == [START + 3] * GAMES
            await asyncio.to_thread(server.stop)
            assert server.complaints() == []

    asyncio.run(run())


async def _lost(client: Client, before: int) -> None:
    await client.until(lambda: len(client.closed) > before)


async def _go_on(ana: Client, bo: Client, dice: random.Random) -> int | str:
    """Whoever's turn it is plays; the other sees it."""
    answer = await (ana if ana.seat.choose(dice) else bo).play(dice)
    await asyncio.gather(ana.at(START + 3), bo.at(START + 3))
    return answer
