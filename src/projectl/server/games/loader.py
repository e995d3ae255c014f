"""Games come into memory: read from the store and played again beside the loop, while everybody else is answered."""

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from projectl.server.games.room import Room
from projectl.server.store.store import Store, Stored

AT_ONCE: Final = 2  # games that are loaded at once; of those that wait the shortest comes next


class Loaded(NamedTuple):
    """A game from the store."""

    stored: Stored
    room: Room


class Loader:
    """Loads a few games at once. Nobody waits for a new table until a hundred long games are loaded."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="game-loader")  # two would only hold the loop up
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._free = AT_ONCE

    async def load(self, game: str) -> Loaded | None:
        """A game with its room; None: there is no such game."""
        length = await self._store.length(game)
        if length is None:
            return None
        async with self._turn(length):
            stored = await self._store.load(game)
            if stored is None:
                return None
            return Loaded(stored, await asyncio.get_running_loop().run_in_executor(self._thread, Room, stored))

    @asynccontextmanager
    async def _turn(self, length: int) -> AsyncIterator[None]:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (length, next(self._numbers), turn))
        self._next()
        try:
            await turn
            yield
        finally:
            if not turn.cancelled():
                self._free += 1
                self._next()

    def _next(self) -> None:
        while self._free and self._waiting:
            turn = heapq.heappop(self._waiting)[-1]
            if not turn.done():  # else nobody waits for it any more
                self._free -= 1
                turn.set_result(None)

    def close(self) -> None:
        """Load nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
