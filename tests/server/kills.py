"""A server that is killed under load, again and again, and what its clients know of it."""

import asyncio
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from tests.server.client import Client
from tests.server.processes import ME, Server

CLIENTS: Final = 4
SLOW: Final = 0.02  # seconds between actions of one client: the server allows 30 messages a second

Row = tuple[int, str, str]  # version, event, message


class Tally(NamedTuple):
    """What came of it."""

    kills: int
    acknowledged: int  # actions, each of which is in the store, once


class Load:
    """A client that plays at a table of its own, and at the next one when that is over."""

    def __init__(self, server: Server, number: int) -> None:
        self.server = server
        self.key = server.new_key()
        self.number = number
        self.dice = random.Random(number)
        self.clients: list[Client] = []
        self.games = 0

    @property
    def client(self) -> Client:
        """The one at the present table."""
        return self.clients[-1]

    async def next_table(self) -> None:
        """Before the kills, and while the server is up: making a table has no id, so it is not said again."""
        self.games += 1
        made = await asyncio.to_thread(
            self.server.table, self.key, ME, ME, seed=f"kill {self.number} {self.games}", undo=False
        )
        client = Client(self.server, made["game"], self.key, f"c{self.number}-{self.games}")
        client.begin()
        self.clients.append(client)
        await client.at(0)

    async def play(self) -> None:
        """For as long as there is something to play."""
        while not self.client.seat.over:
            await self.client.play(self.dice)
            await asyncio.sleep(SLOW)

    async def goes_on(self, version: int) -> None:
        """After the restart something happens, or the game was over."""
        await self.client.until(lambda: self.client.seat.version > version or self.client.seat.over)


def _rows(path: Path, game: str) -> list[Row]:
    with closing(sqlite3.connect(path)) as store:
        wanted = "SELECT version, event, message FROM events WHERE game = ? ORDER BY version"
        return store.execute(wanted, (game,)).fetchall()


def _check_file(path: Path) -> None:
    with closing(sqlite3.connect(path)) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def check(path: Path, client: Client) -> None:
    """The store, against what one client was told."""
    seat = client.seat
    rows = _rows(path, seat.game)
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    messages = [row[2] for row in rows]
    assert len(set(messages)) == len(messages), "something was done twice"
    where = {row[2]: row[0] for row in rows}
    lost = {name: version for name, version in seat.done.items() if where.get(name) != version}
    assert not lost, "acknowledged, and not there"
    told = [(happened["version"], happened["event"]) for happened in seat.events]
    assert told == [(row[0], json.loads(row[1])) for row in rows[: len(told)]], "told, and not there"
    assert not set(seat.refused) & set(messages), "refused, and done"


async def kill_again_and_again(
    server: Server, path: Path, kills: int, moments: random.Random, fallen: Callable[[], Path] | None = None
) -> Tally:
    """Clients play, and the server is killed at some moment, looked at, and started again.

    `fallen` does with the files what a kill alone does not, and says which one to look at.
    """
    loads = [Load(server, number) for number in range(CLIENTS)]
    for _ in range(kills):
        for load in loads:
            if not load.clients or load.client.seat.over:
                await load.next_table()
        playing = [asyncio.create_task(load.play()) for load in loads]
        await asyncio.sleep(moments.uniform(0.02, 0.4))
        await asyncio.to_thread(server.kill)
        seen = fallen() if fallen else path
        _check_file(seen)
        for load in loads:
            check(seen, load.client)
        await asyncio.to_thread(server.start)
        versions = [load.client.seat.version for load in loads]
        await asyncio.gather(*(load.goes_on(version) for load, version in zip(loads, versions, strict=True)))
        for task in playing:
            task.cancel()
        for answer in await asyncio.gather(*playing, return_exceptions=True):
            assert answer is None or isinstance(answer, asyncio.CancelledError), repr(answer)
    for load in loads:
        for client in load.clients:
            await client.until(lambda client=client: not client.seat.waiting)  # type: ignore[misc]
            await client.leave()
    await asyncio.to_thread(server.stop)
    for load in loads:
        for client in load.clients:
            check(path, client)
            assert len(_rows(path, client.seat.game)) == client.seat.version, "every event was heard of"
    return Tally(kills, sum(len(client.seat.done) for load in loads for client in load.clients))
