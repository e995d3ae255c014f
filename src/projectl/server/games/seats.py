"""Who holds which seat. Keys are access, not play: a further device of a player is no event of the game."""

from collections.abc import Iterable, Mapping


class Holders:
    """The hashes of keys, each with its seats (from 1); as the store has them."""

    def __init__(self, keys: Iterable[tuple[str, int]]) -> None:
        self._seats: dict[str, tuple[int, ...]] = {}
        for key, seat in keys:
            self.add(key, seat)

    def add(self, key: str, seat: int) -> None:
        """A key holds one more seat."""
        self._seats[key] = tuple(sorted({*self._seats.get(key, ()), seat}))

    def are(self, keys: Iterable[tuple[str, int]]) -> bool:
        """Whether nobody else holds anything, and everybody what they do."""
        return set(keys) == {(key, seat) for key, seats in self._seats.items() for seat in seats}

    def seats_of(self, key: str | None) -> tuple[int, ...]:
        """The seats that belong to a key's hash."""
        return () if key is None else self._seats.get(key, ())

    def shared(self) -> bool:
        """Whether more than one key has a seat."""
        return len(self._seats) > 1

    def people(self) -> bool:
        """Whether people play who have nothing to do with each other: of two keys each has a seat of its own. A key
        that has only what another has too is a further device, or somebody at the same screen."""
        held = [set(seats) for seats in self._seats.values()]
        return any(one - other and other - one for n, one in enumerate(held) for other in held[:n])

    def keys_of(self, seat: int) -> list[str]:
        """The keys that have a seat: one for each device."""
        return [key for key, seats in self._seats.items() if seat in seats]

    def moved(self, places: Mapping[int, int]) -> "Holders":
        """The same people after some seats changed places."""
        return Holders((key, places.get(seat, seat)) for key, seats in self._seats.items() for seat in seats)
