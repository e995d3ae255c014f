"""Cards on the table: the rows or the grid, the decks, drawing, refilling, recycling.

A deck is a few words of four cards, its top the lowest byte of the first; drawing moves every card one byte down.
A row of four is one word; the solo grid is three words of three cards.
"""

import jax.numpy as jnp

from projectl.accel.state import Position
from projectl.accel.tables import COLUMNS, GRID, ORDER_OF_FOUR, ORDERS, PLACES
from projectl.accel.words import Flag, Word, as_word, byte, look, only, when, word

_BYTE = 255


def top(deck: list[Word]) -> Word:
    """The top card, 0 when there is none."""
    return deck[0] & _BYTE if deck else word(0)


def _one_down(deck: list[Word]) -> list[Word]:
    above = [*deck[1:], word(0)]
    return [(here >> 8) | (after << 24) for here, after in zip(deck, above, strict=True)]


def draw_white(s: Position, now: Flag) -> Word:
    """The top of the white deck (in solo, of the only deck), 0 when there is none."""
    card = top(s.white)
    s.white = when(now, _one_down(s.white), s.white)
    s.white_left = s.white_left - as_word(now & (card != 0))
    return card


def draw_black(s: Position, now: Flag) -> Word:
    """The top of the black deck, 0 when there is none."""
    card = top(s.black)
    s.black = when(now, _one_down(s.black), s.black)
    s.black_left = s.black_left - as_word(now & (card != 0))
    return card


def put_in_slot(row: Word, slot: Word, card: Word) -> Word:
    """The row with a card in a slot."""
    shift = 8 * (slot & 3)
    return (row & ~(word(_BYTE) << shift)) | (card << shift)


def grid_card(s: Position, slot: int) -> Word:
    """The card on a slot of the solo grid."""
    return byte(s.row[slot // COLUMNS], slot % COLUMNS)


def put_in_grid(s: Position, now: Flag, slot: Word, card: Word) -> None:
    """A card, or none, onto a slot of the solo grid."""
    for line in range(GRID // COLUMNS):
        here = now & (slot // COLUMNS == line)
        s.row[line] = jnp.where(here, put_in_slot(s.row[line], slot % COLUMNS, card), s.row[line])


def end_if_deck_empty(s: Position, now: Flag, left: Word) -> None:
    """The deck that decides has run out: the end is triggered, for good."""
    now = now & (left == 0) & ~s.end_triggered
    s.end_triggered = s.end_triggered | now
    s.last_round = jnp.where(now, s.round + 1, s.last_round)


def _in_order(row: Word, decision: Word) -> Word:
    """The four cards of a row, the first of the order lowest."""
    slots = look(ORDERS, jnp.minimum(decision - ORDER_OF_FOUR, word(len(ORDERS) - 1)))
    found = word(0)
    for n in range(PLACES):
        found = found | (byte(row, byte(slots, n)) << (8 * n))
    return found


def _underneath(deck: list[Word], left: Word, cards: Word) -> list[Word]:
    """The deck with a word of cards laid under it, which makes it one word longer."""
    at, shift = left >> 2, 8 * (left & 3)
    first, second = cards << shift, (cards >> 1) >> (31 - shift)
    return [here | only(at == n, first) | only(at + 1 == n, second) for n, here in enumerate([*deck, word(0)])]


def recycle(s: Position, now: Flag, decision: Word) -> None:
    """A row goes under its deck, the first of the order first, and is dealt anew from the top."""
    white = (s.pending & 1) == 0  # the rows' two decisions follow each other
    cards = _in_order(jnp.where(white, s.row[0], s.row[1]), decision)
    whites = _underneath(s.white, s.white_left, cards)
    blacks = _underneath(s.black, s.black_left, cards)
    s.row[0], s.white = when(now & white, (whites[0], whites[1:]), (s.row[0], s.white))
    s.row[1], s.black = when(now & ~white, (blacks[0], blacks[1:]), (s.row[1], s.black))
