"""How often somebody may ask."""

import time
from collections.abc import Callable
from typing import Final

MOST_NAMES: Final = 10_000


class Bucket:
    """So many at once, so many a second afterwards."""

    __slots__ = ("_at", "_clock", "_tokens", "burst", "rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._tokens = burst
        self._at = clock()

    def take(self) -> bool:
        """One more; False if that is too many."""
        now = self._clock()
        self._tokens = min(self.burst, self._tokens + (now - self._at) * self.rate)
        self._at = now
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True


class Buckets:
    """A bucket for each of many names. There are never more than so many: then all begin again, full."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: dict[str, Bucket] = {}

    def take(self, name: str) -> bool:
        """One more for this name."""
        if name not in self._buckets and len(self._buckets) >= MOST_NAMES:
            self._buckets.clear()
        return self._buckets.setdefault(name, Bucket(self.rate, self.burst)).take()
