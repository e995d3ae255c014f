"""Small random numbers, the same compiled and interpreted. Not for dealing cards (`stream.py`)."""

from typing import Final

from projectl.core.native import i64

_MODULUS: Final[i64] = 2147483648  # 2^31: every product below stays inside 63 bits


class Dice:
    """A generator with a seed."""

    __slots__ = ("number",)

    def __init__(self, seed: int) -> None:
        self.number: i64 = seed % _MODULUS
        self.below(2)
        self.below(2)

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1."""
        self.number = (self.number * 1103515245 + 12345) % _MODULUS
        return self.number * n // _MODULUS

    def shuffle(self, items: list[int]) -> None:
        """Put a list into a random order."""
        for i in range(len(items) - 1, 0, -1):
            j = int(self.below(i + 1))
            items[i], items[j] = items[j], items[i]
