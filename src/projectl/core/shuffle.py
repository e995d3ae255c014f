"""The portable shuffle: the same seed gives the same game in every program.

The stream of a label is HMAC-SHA256 in counter mode, read as big-endian 64-bit numbers;
a number below n comes by rejection, a shuffle is Fisher-Yates from the last index down.
"""

import hmac
from typing import Final

from projectl.core.native import i64

_HALF: Final[i64] = 4294967296  # 2^32


class Stream:
    """The endless stream of 64-bit numbers for a label. The latest one is `high` * 2^32 + `low`."""

    __slots__ = ("_at", "_block", "_bytes", "_key", "_label", "high", "low")

    def __init__(self, seed: str, label: str) -> None:
        self._key = seed.encode()
        self._label = label
        self._block = 0
        self._bytes = b""
        self._at: i64 = 0
        self.high: i64 = 0
        self.low: i64 = 0

    def advance(self) -> None:
        """Go on to the next number."""
        if self._at == len(self._bytes):
            self._bytes = hmac.digest(self._key, f"projectl/1/{self._label}/{self._block}".encode(), "sha256")
            self._block += 1
            self._at = 0
        self.high = _half(self._bytes, self._at)
        self.low = _half(self._bytes, self._at + 4)
        self._at += 8

    def below(self, n: i64) -> i64:
        """The next number that is not rejected, modulo n (at most 2^31)."""
        first = _HALF % n
        rejected = first * first % n  # how many numbers at the top of the 2^64 are
        self.advance()
        while self.high == _HALF - 1 and self.low >= _HALF - rejected:
            self.advance()
        return (self.high % n * first + self.low) % n


def _half(digest: bytes, at: i64) -> i64:
    """Four bytes, the most significant first."""
    first: i64 = digest[at]
    return ((first * 256 + i64(digest[at + 1])) * 256 + i64(digest[at + 2])) * 256 + i64(digest[at + 3])


def shuffled(items: list[int], seed: str, label: str) -> list[int]:
    """A shuffled copy; the first element is the top."""
    stream = Stream(seed, label)
    result = list(items)
    for i in range(len(result) - 1, 0, -1):
        j = int(stream.below(i + 1))
        result[i], result[j] = result[j], result[i]
    return result
