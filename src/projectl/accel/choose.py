"""Aimless play: a kind of decision at random, then one of that kind, as core's `random` bot does."""

from collections.abc import Sequence

import jax.numpy as jnp

from projectl.accel.decisions import pair, placing
from projectl.accel.legal import Options
from projectl.accel.pieces import Fits, orientations, owned
from projectl.accel.tables import (
    AMBASSADOR,
    CELLS,
    CREDIT,
    DONE,
    GAIN,
    GHOST,
    INSERT,
    LEVELUP,
    LEVELUP_NONE,
    MASTER,
    ORDER_OF_FOUR,
    ORDER_OF_THREE,
    PASS,
    PLACEMENT_AT,
    RECYCLE,
    REWARD,
    SHAPES,
    STOP,
    TAKE,
    UPGRADE,
    Layout,
)
from projectl.accel.words import Flag, Word, as_word, bits_set, look, nth, nth_bit, only, word

_ORDERS = ORDER_OF_THREE - ORDER_OF_FOUR


def below(n: Word, random: Word) -> Word:
    """A number from 0 to n - 1 out of 32 random bits; n is small."""
    return ((random >> 16) * n + ((random & 0xFFFF) * n >> 16)) >> 16


def choose(layout: Layout, found: Options, first: Word, second: Word) -> Word:
    """A legal decision, by kind and then within it, out of two random words."""
    singles = _singles(found)
    placements = _Placements(layout, found)
    upgrades, level_ups = _Pairs(found.upgrades), _Pairs(found.level_ups)
    rewards = REWARD + SHAPES * found.reward_place
    counts = [
        placements.count,
        bits_set(found.takes),
        bits_set(found.recycles),
        only(found.orders, word(_ORDERS)),
        bits_set(found.gains),
        upgrades.count,
        level_ups.count + as_word(found.decline),
        bits_set(found.rewards),
        bits_set(found.ghosts),
        *(as_word(there) for there, _ in singles),
    ]
    kinds = sum((as_word(number > 0) << kind for kind, number in enumerate(counts)), word(0))
    kind = nth_bit(kinds, below(bits_set(kinds), first))
    n = below(nth(counts, kind), second)
    level_up = jnp.where(n < level_ups.count, LEVELUP + level_ups.nth(n), word(LEVELUP_NONE))
    decisions = [
        placements.nth(n),
        TAKE + nth_bit(found.takes, n),
        RECYCLE + nth_bit(found.recycles, n),
        ORDER_OF_FOUR + n,
        GAIN + nth_bit(found.gains, n),
        UPGRADE + upgrades.nth(n),
        level_up,
        rewards + nth_bit(found.rewards, n),
        GHOST + nth_bit(found.ghosts, n),
        *(word(number) for _, number in singles),
    ]
    return nth(decisions, kind)


def _singles(found: Options) -> tuple[tuple[Flag, int], ...]:
    """The kinds that have one decision at most."""
    return (
        (found.master, MASTER),
        (found.ambassador, AMBASSADOR),
        (found.insert, INSERT),
        (found.pass_, PASS),
        (found.credit, CREDIT),
        (found.stop, STOP),
        (found.done, DONE),
    )


class _Heap:
    """Several sets in a row, to be counted through."""

    def __init__(self, sets: Sequence[Word]) -> None:
        self.sets = sets
        self.sizes = [bits_set(each) for each in sets]
        self.count = sum(self.sizes, word(0))

    def nth(self, n: Word) -> tuple[Word, Word]:
        """Which set the n-th element is in, and which element of it."""
        start, number, elements, rest = word(0), word(0), word(0), word(0)
        for index, size in enumerate(self.sizes):
            here: Flag = (n >= start) & (n < start + size)
            number = number | only(here, word(index))
            elements = elements | only(here, self.sets[index])
            rest = rest | only(here, n - start)
            start = start + size
        return number, nth_bit(elements, rest)


class _Pairs:
    """Exchanges: by the shape returned the shapes to be had."""

    def __init__(self, sets: Sequence[Word]) -> None:
        self.heap = _Heap(sets)
        self.count = self.heap.count

    def nth(self, n: Word) -> Word:
        """The n-th pair."""
        returned, taken = self.heap.nth(n)
        return pair(returned, taken)


class _Placements:
    """The placements, by place and orientation."""

    def __init__(self, layout: Layout, found: Options) -> None:
        self.turned = orientations(layout.shapes)
        self.empty = list(found.empty)
        self.owned = [owned(found.shapes, shape) for shape in range(layout.shapes)]
        self.heaps = [self._heap(cells) for cells in self.empty]
        self.count = sum((heap.count for heap in self.heaps), word(0))

    def _heap(self, cells: Word) -> _Heap:
        fits = Fits(cells)
        return _Heap([fits.at(turned) & self.owned[turned.shape] for turned in self.turned])

    def nth(self, n: Word) -> Word:
        """The decision of the n-th placement: its place, then its orientation, then its first cell."""
        place, cells, rest, start = word(0), word(0), word(0), word(0)
        for index, heap in enumerate(self.heaps):
            here = (n >= start) & (n < start + heap.count)
            place = place | only(here, word(index))
            cells = cells | only(here, self.empty[index])
            rest = rest | only(here, n - start)
            start = start + heap.count
        turned, anchor = self._heap(cells).nth(rest)
        anchor = jnp.minimum(anchor, word(CELLS - 1))
        return placing(place, look(PLACEMENT_AT, turned * CELLS + anchor))
