"""What a puzzle still needs: the exact covers of its free cells, as multisets of pieces.

The cells are covered lowest first, so every tiling is met once; what a smaller region needs is
remembered. Compiled, a fresh 16-cell card takes one or two milliseconds, everything else less.
"""

from typing import Final

from projectl.core.native import append, i64, vec
from projectl.core.pieces import (
    BASE_SHAPES,
    FIELD,
    PLACEMENT_MASK,
    PLACEMENT_SHAPE,
    PLACEMENTS,
    SHAPES,
    UNIT,
)

CELL: Final = vec[i64]([2**cell for cell in range(25)])
HIGH: Final[i64] = sum(16 * 2 ** (5 * shape) for shape in range(12))  # the top bit of every count
SMALL: Final = 9  # regions up to so many cells get all their covers
MEDIUM: Final = 12  # up to these with two pieces more than the fewest, larger ones with one; more where these are none
_REMEMBERED: Final = 400_000


def _by_lowest_cell() -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(25)]
    for p in range(PLACEMENTS):
        mask = int(PLACEMENT_MASK[p])
        found[(mask & -mask).bit_length() - 1].append(p)
    return found


_GROUPS: Final[list[list[int]]] = _by_lowest_cell()
_FLAT: Final[list[int]] = [p for group in _GROUPS for p in group]
START: Final = vec[i64]([sum(len(group) for group in _GROUPS[:cell]) for cell in range(26)])
PLACEMENT: Final = vec[i64](_FLAT)
MASK: Final = vec[i64]([int(PLACEMENT_MASK[p]) for p in _FLAT])
SHAPE: Final = vec[i64]([int(PLACEMENT_SHAPE[p]) for p in _FLAT])


def cells_in(mask: i64) -> i64:
    """How many cells a mask has."""
    n: i64 = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


def lowest_cell(mask: i64) -> i64:
    """The first free cell of a mask that is not empty."""
    cell: i64 = 0
    while mask & CELL[cell] == 0:
        cell += 1
    return cell


class Covers:
    """Remembers the covers of every region it was asked about. One for games with ghosts, one without."""

    def __init__(self, ghosts: bool) -> None:
        self.shapes: i64 = SHAPES if ghosts else BASE_SHAPES
        self.largest: i64 = 5 if ghosts else 4
        # Tuples of numbers: the garbage collector leaves them alone, however many there are.
        self.memo: dict[int, tuple[int, ...]] = {}
        self.lists: dict[int, vec[i64]] = {}

    def of(self, mask: i64) -> vec[i64]:
        """The multisets that cover a region, fewest pieces first."""
        key = int(mask)
        found = self.lists.get(key)
        if found is not None:
            return found
        n = cells_in(mask)
        most: i64 = n if n <= SMALL else (n + 3) // 4 + (2 if n <= MEDIUM else 1)
        if len(self.memo) > _REMEMBERED:
            self.memo.clear()
            self.lists.clear()
        rows = self._covers(mask, most)
        while not rows and most < n:  # cells that lie apart need more pieces; single cells always do
            most += 1
            rows = self._covers(mask, most)
        counted = sorted([(_count(row), row) for row in rows])
        result = vec[i64]([row for _, row in counted])
        self.lists[key] = result
        return result

    def _covers(self, mask: i64, most: i64) -> tuple[int, ...]:
        """The multisets of at most so many pieces, in no order."""
        if mask == 0:
            return (0,)
        if cells_in(mask) > self.largest * most:
            return ()
        key = int(mask) * 32 + int(most)
        known = self.memo.get(key)
        if known is not None:
            return known
        found: set[int] = set()
        low = lowest_cell(mask)
        for i in range(START[low], START[low + 1]):
            if MASK[i] & mask == MASK[i] and SHAPE[i] < self.shapes:
                unit = int(UNIT[SHAPE[i]])
                for rest in self._covers(mask ^ MASK[i], most - 1):
                    found.add(rest + unit)
        result = tuple(found)
        self.memo[key] = result
        return result

    def tiling(self, mask: i64, pieces: i64) -> vec[i64]:
        """Placements of exactly these pieces that cover the region; empty where there are none."""
        return _tile(mask, pieces, vec[i64](capacity=8))


_BASE: Final = Covers(False)
_GHOSTS: Final = Covers(True)


def shared_covers(ghosts: bool) -> Covers:
    """The memory that all bots of this process share: regions are the same in every game."""
    return _GHOSTS if ghosts else _BASE


def _count(pieces: int) -> int:
    n = 0
    while pieces:
        n += pieces & 31
        pieces >>= 5
    return n


def _tile(mask: i64, pieces: i64, laid: vec[i64]) -> vec[i64]:
    if mask == 0:
        return laid
    low = lowest_cell(mask)
    for i in range(START[low], START[low + 1]):
        if MASK[i] & mask == MASK[i] and pieces & FIELD[SHAPE[i]] != 0:
            found = _tile(mask ^ MASK[i], pieces - UNIT[SHAPE[i]], append(laid[:], PLACEMENT[i]))
            if len(found) > 0:
                return found
    return laid[:0]


def missing(pieces: i64, supply: i64) -> bool:
    """Whether a supply lacks any of the pieces. No count passes 15, so the high bits show a borrow."""
    return ((supply | HIGH) - pieces) & HIGH != HIGH


def fetch_cost(pieces: i64, supply: i64) -> i64:
    """About how many Gains and Upgrades bring the pieces that a supply lacks.

    From the highest level down, each missing piece is made of the nearest spare piece below it,
    or of one of the same or a higher level, or from nothing, a level an action.
    """
    lack_1, spare_1 = _level(pieces, supply, 0, 5)
    lack_2, spare_2 = _level(pieces, supply, 5, 10)
    lack_3, spare_3 = _level(pieces, supply, 10, 20)
    lack_4, spare_4 = _level(pieces, supply, 20, 45)
    lack_5: i64 = 0
    spare_5: i64 = 0
    if (pieces | supply) >> 45 != 0:
        lack_5, spare_5 = _level(pieces, supply, 45, 60)
    cost: i64 = 0
    # One action: from the level below, the same one, or a higher one.
    used = min(lack_5, spare_5 + spare_4)
    cost += used
    lack_5 -= used
    spare_5, spare_4 = _spend(used, spare_5, spare_4)
    used = min(lack_4, spare_4 + spare_3 + spare_5)
    cost += used
    lack_4 -= used
    spare_4, spare_3 = _spend(used, spare_4, spare_3)
    used = min(lack_3, spare_3 + spare_2 + spare_4)
    cost += used
    lack_3 -= used
    spare_3, spare_2 = _spend(used, spare_3, spare_2)
    used = min(lack_2, spare_1 + spare_3 + spare_4)
    cost += used
    lack_2 -= used
    spare_1 = max(i64(0), spare_1 - used)
    cost += lack_1 + lack_2 * 2 + lack_5 * 5
    return cost + _from_small(lack_4, lack_3, spare_2, spare_1)


def _from_small(lack_4: i64, lack_3: i64, spare_2: i64, spare_1: i64) -> i64:
    """More than one action for each: from whatever small pieces are left, else from nothing."""
    by_two = min(lack_4, spare_2)
    by_three = min(lack_4 - by_two, spare_1)
    up_two = min(lack_3, spare_1 - by_three)
    cost = by_two * 2 + by_three * 3 + up_two * 2
    return cost + (lack_3 - up_two) * 3 + (lack_4 - by_two - by_three) * 4


def _level(pieces: i64, supply: i64, first: i64, end: i64) -> tuple[i64, i64]:
    """How many pieces of a level are missing, and how many are to spare; its shapes are counted between two bits."""
    lack: i64 = 0
    spare: i64 = 0
    for shift in range(first, end, 5):
        more = ((pieces >> shift) & 31) - ((supply >> shift) & 31)
        if more > 0:
            lack += more
        else:
            spare -= more
    return lack, spare


def _spend(used: i64, first: i64, then: i64) -> tuple[i64, i64]:
    """Take from one heap, then from the next, as far as they go."""
    if used <= first:
        return first - used, then
    return 0, max(i64(0), then - (used - first))
