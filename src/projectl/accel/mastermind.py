"""The solo opponent: locks above the columns, and the cards it takes."""

import jax.numpy as jnp

from projectl.accel.market import draw_white, end_if_deck_empty, grid_card, put_in_grid
from projectl.accel.pieces import one_of
from projectl.accel.rewards import onto_pile
from projectl.accel.state import Position
from projectl.accel.tables import COLUMNS, GRID, I2, O1
from projectl.accel.words import Flag, Word, as_word, look, nth, only, word

SUPPLY = 3  # its own heap of locks comes after those of the columns
HEAPS = 4  # level-1 locks stand at heap, level-2 locks at HEAPS + heap
_NONE = GRID  # no slot


def locks(s: Position, heap: int) -> Word:
    """The locks above a column, or in the mastermind's supply."""
    return s.locks[heap] + s.locks[HEAPS + heap]


def _lift(s: Position, now: Flag, heap: int) -> tuple[Word, Word]:
    """Pick up one lock if there is one, level 1 before level 2 (R30): how many of each level."""
    first = as_word(now & (s.locks[heap] > 0))
    second = as_word(now & (s.locks[heap] == 0) & (s.locks[HEAPS + heap] > 0))
    s.locks[heap] = s.locks[heap] - first
    s.locks[HEAPS + heap] = s.locks[HEAPS + heap] - second
    return first, second


def move_lock(s: Position, now: Flag, column: Word) -> None:
    """One lock of a column into the mastermind's supply, if there is one."""
    for heap in range(COLUMNS):
        first, second = _lift(s, now & (column == heap), heap)
        s.locks[SUPPLY] = s.locks[SUPPLY] + first
        s.locks[HEAPS + SUPPLY] = s.locks[HEAPS + SUPPLY] + second


def _unlock(s: Position, now: Flag) -> None:
    """One lock of each column back to the reserve; tokens just go away."""
    for column in range(COLUMNS):
        first, second = _lift(s, now, column)
        for shape, number in ((O1, first), (I2, second)):
            s.reserve = s.reserve.plus(one_of(shape).where(s.rules.real_locks & (number > 0)))


def take_turn(s: Position, now: Flag) -> None:
    """The mastermind's whole turn."""
    locked = (locks(s, 0) > 0) & (locks(s, 1) > 0) & (locks(s, 2) > 0)
    slot = _most_valuable(s)
    _unlock(s, now & locked)
    now = now & ~locked & (slot != _NONE)  # R11
    column = slot % COLUMNS
    _take(s, now, slot)
    second = word(_NONE)
    if s.layout.finesse:
        second = jnp.where(now & s.rules.finesse, _least_valuable(s, column), second)
        _take(s, now & (second != _NONE), second)
    _gather_locks(s, now, column)  # once, after both cards (R43)
    both = s.layout.finesse
    _refill(s, now, jnp.minimum(slot, second) if both else slot)
    if both:
        _refill(s, now & (second != _NONE), jnp.maximum(slot, second))
    end_if_deck_empty(s, now, s.white_left)


def _refill(s: Position, now: Flag, slot: Word) -> None:
    put_in_grid(s, now, slot, draw_white(s, now))


def _take(s: Position, now: Flag, slot: Word) -> None:
    card = nth([grid_card(s, n) for n in range(GRID)], slot)
    s.taken = onto_pile(s.taken, now, card)
    put_in_grid(s, now, slot, word(0))


def _most_valuable(s: Position) -> Word:
    """The card with the most points in an open column, the lowest grid number on a tie."""
    best, worth = word(_NONE), word(0)
    for slot in range(GRID):
        card = grid_card(s, slot)
        points = look(s.layout.cards.points, card) + 1
        better = (card != 0) & (locks(s, slot % COLUMNS) == 0) & (points > worth)
        best, worth = jnp.where(better, word(slot), best), jnp.where(better, points, worth)
    return best


def _least_valuable(s: Position, column: Word) -> Word:
    """The card with the fewest points in a column, the upper one on a tie."""
    best, worth = word(_NONE), word(1 << 31)
    for slot in range(GRID):
        card = grid_card(s, slot)
        points = look(s.layout.cards.points, card)
        better = (card != 0) & (column == slot % COLUMNS) & (points < worth)
        best, worth = jnp.where(better, word(slot), best), jnp.where(better, points, worth)
    return best


def _gather_locks(s: Position, now: Flag, column: Word) -> None:
    """All its supply, and one lock of each other column, move above the column it took from."""
    first, second = only(now, s.locks[SUPPLY]), only(now, s.locks[HEAPS + SUPPLY])
    s.locks[SUPPLY], s.locks[HEAPS + SUPPLY] = s.locks[SUPPLY] - first, s.locks[HEAPS + SUPPLY] - second
    for other in range(COLUMNS):
        lifted = _lift(s, now & (column != other), other)
        first, second = first + lifted[0], second + lifted[1]
    for heap in range(COLUMNS):
        s.locks[heap] = s.locks[heap] + only(column == heap, first)
        s.locks[HEAPS + heap] = s.locks[HEAPS + heap] + only(column == heap, second)
