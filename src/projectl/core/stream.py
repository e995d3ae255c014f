"""The portable shuffle: the same seed gives the same game in every program.

The stream of a label is HMAC-SHA256 in counter mode, read as big-endian 64-bit numbers;
a number below n comes by rejection, a shuffle is Fisher-Yates from the last index down.
"""

import hmac
from collections.abc import Iterator

_WHOLE = 2**64


def numbers(seed: str, label: str) -> Iterator[int]:
    """The endless stream of 64-bit numbers for a label."""
    block = 0
    while True:
        digest = hmac.digest(seed.encode(), f"projectl/1/{label}/{block}".encode(), "sha256")
        for start in range(0, 32, 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def _below(stream: Iterator[int], n: int) -> int:
    limit = _WHOLE - _WHOLE % n
    number = next(stream)
    while number >= limit:
        number = next(stream)
    return number % n


def shuffled(items: list[int], seed: str, label: str) -> list[int]:
    """A shuffled copy; the first element is the top."""
    stream = numbers(seed, label)
    result = list(items)
    for i in range(len(result) - 1, 0, -1):
        j = _below(stream, i + 1)
        result[i], result[j] = result[j], result[i]
    return result
