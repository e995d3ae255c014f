"""Whether a server can serve, and what is ill if it cannot. Asked often, it looks once a second."""

import asyncio
import time
from typing import Final

from projectl.server.bus import Bus
from projectl.server.http.replies import Health
from projectl.server.store.store import Store

SECONDS: Final = 2.0  # in which the store has to have written
FRESH: Final = 1.0  # seconds for which what was found is told again


class Doctor:
    """Looks at the store and the bus of one process."""

    def __init__(self, store: Store, bus: Bus) -> None:
        self.store = store
        self.bus = bus
        self._found: Health | None = None
        self._until = 0.0
        self._looking = asyncio.Lock()

    async def look(self) -> Health:
        """How things are."""
        async with self._looking:
            if self._found is None or time.monotonic() >= self._until:
                self._found = await self._look()
                self._until = time.monotonic() + FRESH
            return self._found

    async def _look(self) -> Health:
        ill: dict[str, str] = {}
        games: dict[str, int] = {}
        if not self.bus.up:
            ill["bus"] = "it does not answer; news of other processes come from the store, a little later"
        try:
            async with asyncio.timeout(SECONDS):
                await self.store.check_writes()
                games = await self.store.counts()
        except TimeoutError:
            ill["store"] = f"it did not write within {SECONDS:.0f} s"
        except Exception as error:
            ill["store"] = f"it cannot be written to: {type(error).__name__}"
        return Health("store" not in ill, games, ill=ill)
