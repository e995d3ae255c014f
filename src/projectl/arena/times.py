"""How long decisions took: a histogram that adds up over games, and the worst ones exactly."""

import math
from collections import Counter
from typing import Final

_SMALLEST: Final = 1e-6
_STEP: Final = 1.02  # each bucket reaches 2 % further than the one before
_LOG_STEP: Final = math.log(_STEP)


class Times:
    """The times of many decisions. Quantiles are at most 2 % too long, never too short."""

    __slots__ = ("buckets", "work", "worst")

    def __init__(self, buckets: dict[int, int] | None = None, worst: float = 0.0, work: float = 0.0) -> None:
        self.buckets: Counter[int] = Counter(buckets or {})
        self.worst = worst  # on the clock
        self.work = work  # the most processor time, which a busy machine does not lengthen

    def add(self, seconds: float, work: float = 0.0) -> None:
        """Note one decision: its time on the clock and on the processor."""
        self.buckets[max(0, math.ceil(math.log(max(seconds, _SMALLEST) / _SMALLEST) / _LOG_STEP))] += 1
        self.worst = max(self.worst, seconds)
        self.work = max(self.work, work)

    def merge(self, other: "Times") -> None:
        """Take another's decisions over."""
        self.buckets.update(other.buckets)
        self.worst = max(self.worst, other.worst)
        self.work = max(self.work, other.work)

    @property
    def count(self) -> int:
        """How many decisions there were."""
        return sum(self.buckets.values())

    def quantile(self, share: float) -> float:
        """The seconds within which this share of the decisions was made; 0 where there were none."""
        wanted, reached = share * self.count, 0
        for bucket in sorted(self.buckets):
            reached += self.buckets[bucket]
            if reached >= wanted:
                return min(_SMALLEST * _STEP**bucket, self.worst)
        return self.worst
