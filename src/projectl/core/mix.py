"""Numbers mixed into one key: positions that play alike get the same, others almost surely not."""

from typing import Final

from projectl.core.native import i64

# Two polynomials over a prime field just below 2^31, so that no product leaves 63 bits.
_PRIME: Final[i64] = 2147483647
HALF: Final[i64] = 1073741824
_FIRST_BASE: Final[i64] = 1140671485
_SECOND_BASE: Final[i64] = 1664525017


class Mixer:
    """Turns a sequence of numbers below 2^60 into a key."""

    __slots__ = ("first", "second")

    def __init__(self) -> None:
        self.first: i64 = 17
        self.second: i64 = 71

    def add(self, number: i64) -> None:
        """The next number of the sequence."""
        self._add30(number % HALF)
        if number >= HALF:
            self._add30(number // HALF + HALF)

    def _add30(self, number: i64) -> None:
        self.first = (self.first * _FIRST_BASE + number + 2) % _PRIME
        self.second = (self.second * _SECOND_BASE + number + 2) % _PRIME

    def key(self) -> int:
        """What came out: 62 bits, the same compiled and interpreted.

        Boxed at the end: an exception that a signal raises inside a big multiplication ends compiled code.
        """
        return int(self.first * 2147483648 + self.second)


def scattered(number: i64) -> i64:
    """A number spread over the field so that sums of few such numbers do not meet by arithmetic."""
    number = (number + 3) * _FIRST_BASE % _PRIME
    number = (number ^ (number // 32768)) * _SECOND_BASE % _PRIME
    return (number ^ (number // 4096)) * _FIRST_BASE % _PRIME
