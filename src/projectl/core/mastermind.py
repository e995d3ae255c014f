"""The solo opponent: locks above the columns, and the cards it takes."""

from typing import Final

from projectl.core.market import end_if_deck_empty, refill
from projectl.core.native import append, i16, i64, vec
from projectl.core.pieces import I2, O1, UNIT
from projectl.core.state import EMPTY, State, pile_entry

COLUMNS: Final = 3
GRID: Final = 9
SUPPLY: Final = 3  # its own heap of locks comes after those of the columns
HEAPS: Final = 4  # level-1 locks stand at heap, level-2 locks at HEAPS + heap


def locks(s: State, heap: i64) -> i64:
    """The locks above a column, or in the mastermind's supply."""
    return i64(s.locks[heap]) + i64(s.locks[HEAPS + heap])


def _lift(s: State, heap: i64) -> i64:
    """Pick up one lock, level 1 before level 2 (R30); its level as 0 or HEAPS."""
    level: i64 = 0 if s.locks[heap] > 0 else HEAPS
    s.locks[level + heap] -= 1
    return level


def move_lock(s: State, source: i64, target: i64) -> None:
    """One lock from heap to heap, if there is one."""
    if locks(s, source) > 0:
        level = _lift(s, source)
        s.locks[level + target] += 1


def _unlock(s: State, column: i64) -> None:
    """One lock back to the reserve; tokens just go away."""
    level = _lift(s, column)
    if s.rules.real_locks:
        s.reserve += UNIT[O1 if level == 0 else I2]


def take_turn(s: State) -> None:
    """The mastermind's whole turn."""
    if locks(s, 0) > 0 and locks(s, 1) > 0 and locks(s, 2) > 0:
        for column in range(i64(COLUMNS)):
            _unlock(s, column)
        return
    slot = _most_valuable(s)
    if slot == EMPTY:  # R11
        return
    column = slot % COLUMNS
    _take(s, slot)
    second: i64 = EMPTY
    if s.rules.finesse:
        second = _least_valuable(s, column)
        if second != EMPTY:
            _take(s, second)
    _gather_locks(s, column)  # once, after both cards (R43)
    for gap in range(column, i64(GRID), i64(COLUMNS)):
        if gap == slot or gap == second:
            refill(s, gap, True)
    end_if_deck_empty(s, len(s.white) - s.white_top)


def _take(s: State, slot: i64) -> None:
    s.finished = append(s.finished, pile_entry(len(s.players), s.row[slot]))
    s.row[slot] = EMPTY


def _most_valuable(s: State) -> i64:
    """The card with the most points in an open column, the lowest grid number on a tie."""
    best: i64 = EMPTY
    for slot in range(i64(GRID)):
        if s.row[slot] != EMPTY and locks(s, slot % COLUMNS) == 0:
            if best == EMPTY or s.cards.points[s.row[slot]] > s.cards.points[s.row[best]]:
                best = slot
    return best


def _least_valuable(s: State, column: i64) -> i64:
    """The card with the fewest points in a column, the upper one on a tie."""
    best: i64 = EMPTY
    for slot in range(column, i64(GRID), i64(COLUMNS)):
        if s.row[slot] != EMPTY:
            if best == EMPTY or s.cards.points[s.row[slot]] < s.cards.points[s.row[best]]:
                best = slot
    return best


def _gather_locks(s: State, column: i64) -> None:
    """All its supply, and one lock of each other column, move above the column it took from."""
    while locks(s, SUPPLY) > 0:
        move_lock(s, SUPPLY, column)
    for other in range(i64(COLUMNS)):
        if other != column:
            move_lock(s, other, column)


def new_locks(s: State, supply: int) -> None:
    """Set the locks up; where they are real pieces they leave the reserve, O1 before I2 (R10)."""
    s.locks = vec[i16]([1, 2, 1, supply, 0, 0, 0, 0])
    if not s.rules.real_locks:
        return
    for heap in range(i64(HEAPS)):
        for _ in range(i64(s.locks[heap])):
            if s.reserve & 31 > 0:  # O1 is the lowest field of a multiset
                s.reserve -= UNIT[O1]
            else:
                s.reserve -= UNIT[I2]
                s.locks[heap] -= 1
                s.locks[HEAPS + heap] += 1
