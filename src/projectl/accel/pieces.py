"""Multisets of pieces, sets of shapes, and where a piece fits."""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from projectl.accel.tables import (
    COUNT_BITS,
    OF_LEVEL,
    ORIENTATIONS,
    SHAPES,
    SHAPES_A_WORD,
    TOP_LEVEL,
    Orientation,
    TwoWords,
    levels,
    two_words,
)
from projectl.accel.words import Flag, Word, bits_set, look, only, word

_FIELD = (1 << COUNT_BITS) - 1
_FIRST_BITS = sum(1 << (COUNT_BITS * n) for n in range(SHAPES_A_WORD))


class Pieces(NamedTuple):
    """A multiset of pieces: five bits for each shape, six shapes a word."""

    low: Word
    high: Word

    def plus(self, other: "Pieces") -> "Pieces":
        """Both together."""
        return Pieces(self.low + other.low, self.high + other.high)

    def minus(self, other: "Pieces") -> "Pieces":
        """Without the others, which must be there."""
        return Pieces(self.low - other.low, self.high - other.high)

    def where(self, condition: Flag) -> "Pieces":
        """The same where the condition holds, else none."""
        return Pieces(only(condition, self.low), only(condition, self.high))

    def within(self, fields: "Pieces") -> "Pieces":
        """Those of some shapes, given by their fields."""
        return Pieces(self.low & fields.low, self.high & fields.high)


def one_of(shape: int) -> Pieces:
    """One piece of a fixed shape."""
    low, high = two_words(1 << (COUNT_BITS * shape))
    return Pieces(word(low), word(high))


def piece(shape: Word) -> Pieces:
    """One piece of a shape."""
    return Pieces(
        only(shape < SHAPES_A_WORD, word(1) << (COUNT_BITS * shape & 31)),
        only(shape >= SHAPES_A_WORD, word(1) << (COUNT_BITS * (shape - SHAPES_A_WORD) & 31)),
    )


def from_table(table: TwoWords, index: Word) -> Pieces:
    """A multiset of a table."""
    return Pieces(look(table[0], index), look(table[1], index))


def count(held: Pieces, shape: int) -> Word:
    """How many of a shape, not moved down from its field."""
    if shape < SHAPES_A_WORD:
        return held.low & np.uint32(_FIELD << (COUNT_BITS * shape))
    return held.high & np.uint32(_FIELD << (COUNT_BITS * (shape - SHAPES_A_WORD)))


def _total(fields: Word) -> Word:
    found = word(0)
    for n in range(SHAPES_A_WORD):
        found = found + ((fields >> (COUNT_BITS * n)) & _FIELD)
    return found


def total(held: Pieces) -> Word:
    """How many pieces."""
    return _total(held.low) + _total(held.high)


def _first_bits(fields: Word) -> Word:
    """For each field that is not 0 its first bit."""
    any_bit = fields
    for n in range(1, COUNT_BITS):
        any_bit = any_bit | (fields >> n)
    return any_bit & np.uint32(_FIRST_BITS)


def _close_up(spread: Word) -> Word:
    """Bits 0, 5, 10 ... 25 as bits 0 to 5."""
    pairs = (spread | (spread >> 4)) & np.uint32(0x00300C03)
    return (pairs | (pairs >> 8) | (pairs >> 16)) & np.uint32(63)


def shapes_in(held: Pieces) -> Word:
    """The set of shapes that are there: bit n for shape n."""
    return _close_up(_first_bits(held.low)) | (_close_up(_first_bits(held.high)) << SHAPES_A_WORD)


def different(held: Pieces) -> Word:
    """How many shapes are there."""
    return bits_set(_first_bits(held.low)) + bits_set(_first_bits(held.high))


def has_all(held: Pieces, parts: int) -> Flag:
    """Whether all the pieces of a multiset are there (R12)."""
    found = np.bool_(True)
    needed = np.array(two_words(parts), np.uint32)
    for shape in range(SHAPES):
        at, shift = divmod(shape, SHAPES_A_WORD)
        due = int(needed[at]) & (_FIELD << (COUNT_BITS * shift))
        if due:
            found = found & (count(held, shape) >= np.uint32(due))
    return found


def nearest_level(there: Word, above: int) -> Word:
    """Of a set of shapes those of the lowest level above `above`, never ghosts."""
    return lowest_level(there & np.uint32(levels(above + 1, TOP_LEVEL)))


def lowest_level(there: Word) -> Word:
    """Of a set of shapes those of its lowest level, never ghosts."""
    found = word(0)
    for level in range(TOP_LEVEL, 0, -1):
        of_level = there & np.uint32(OF_LEVEL[level])
        found = jnp.where(of_level != 0, of_level, found)
    return found


# --- placements -------------------------------------------------------------------------------


def orientations(shapes: int) -> tuple[Orientation, ...]:
    """Those of the first so many shapes."""
    return tuple(turned for turned in ORIENTATIONS if turned.shape < shapes)


class Fits:
    """Where orientations fit into the empty cells of a puzzle. What several of them share is worked out once."""

    def __init__(self, empty: Word) -> None:
        self._found: dict[tuple[int, ...], Word] = {(): empty}

    def _all_empty(self, offsets: tuple[int, ...]) -> Word:
        """The cells that are empty together with those that lie so far behind them."""
        if offsets not in self._found:
            if len(offsets) == 1:
                self._found[offsets] = self._moved(offsets[0]) & self._found[()]
            else:
                self._found[offsets] = self._all_empty(offsets[:-1]) & self._moved(offsets[-1])
        return self._found[offsets]

    def _moved(self, offset: int) -> Word:
        if (-offset,) not in self._found:
            self._found[(-offset,)] = self._found[()] >> offset
        return self._found[(-offset,)]

    def at(self, turned: Orientation) -> Word:
        """The first cells at which an orientation fits. Its anchors see to it that it stays on its rows."""
        return self._all_empty(turned.offsets) & np.uint32(turned.anchors)


def owned(shapes: Word, shape: int) -> Word:
    """All bits set if a shape is in a set, else none."""
    return word(0) - ((shapes >> shape) & 1)


def any_placement(empty: list[Word], shapes: Word, number_of_shapes: int) -> Flag:
    """Whether a piece of one of the shapes fits anywhere."""
    here = [word(0)] * number_of_shapes
    for cells in empty:
        fits = Fits(cells)
        for turned in orientations(number_of_shapes):
            here[turned.shape] = here[turned.shape] | fits.at(turned)
    found = word(0)
    for shape, anchors in enumerate(here):
        found = found | (anchors & owned(shapes, shape))
    return found != 0
