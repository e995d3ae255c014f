"""Who holds which seat. Keys are access, not play: a further device of a player is no event of the game."""

from collections.abc import Iterable


class Holders:
    """The hashes of keys, each with its seats (from 1); as the store has them."""

    def __init__(self, keys: Iterable[tuple[str, int]]) -> None:
        self._seats: dict[str, tuple[int, ...]] = {}
        for key, seat in keys:
            self.add(key, seat)

    def add(self, key: str, seat: int) -> None:
        """A key holds one more seat."""
        self._seats[key] = tuple(sorted({*self._seats.get(key, ()), seat}))

    def seats_of(self, key: str | None) -> tuple[int, ...]:
        """The seats that belong to a key's hash."""
        return () if key is None else self._seats.get(key, ())

    def pairs(self) -> list[tuple[str, int]]:
        """Every key with every seat of its."""
        return [(key, seat) for key, seats in self._seats.items() for seat in seats]
