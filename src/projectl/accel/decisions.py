"""The kinds and parts of decisions, as array code: what `core.actions` says of one number, said of many at once.

How a decision's number is made of its parts, and taken apart again, is written here and nowhere else in this package.
"""

import jax.numpy as jnp

from projectl.accel.tables import (
    GAIN,
    GHOST,
    INSERT,
    LEVELUP,
    LEVELUP_NONE,
    MASTER,
    ORDER_OF_FOUR,
    PLACE,
    PLACEMENTS,
    PLACES,
    RECYCLE,
    REWARD,
    SHAPES,
    TAKE,
    TAKE_TOP_WHITE,
    UPGRADE,
)
from projectl.accel.words import Flag, Word, word


def _between(decision: Word, first: int, end: int) -> Flag:
    return (decision >= first) & (decision < end)


def is_placement(decision: Word) -> Flag:
    """Whether it lays a piece down."""
    return decision < TAKE


def placing(place: Word, placement: Word) -> Word:
    """The decision that lays a placement onto a place."""
    return PLACE + place * PLACEMENTS + placement


def place_of(decision: Word) -> Word:
    """The place (from 0) that a placement names."""
    return decision // PLACEMENTS


def placement_of(decision: Word) -> Word:
    """Which of the 595 placements it is."""
    return decision % PLACEMENTS


def is_take(decision: Word) -> Flag:
    """Whether it takes a card."""
    return _between(decision, TAKE, RECYCLE)


def takes_face_up(decision: Word) -> Flag:
    """Of a Take: whether the card lies face up in a row."""
    return decision < TAKE_TOP_WHITE


def takes_white(decision: Word) -> Flag:
    """Of a Take from the two rows or their decks: whether it takes a white card."""
    return (decision < TAKE + PLACES) | (decision == TAKE_TOP_WHITE)


def is_recycle(decision: Word) -> Flag:
    """Whether it recycles a row."""
    return _between(decision, RECYCLE, ORDER_OF_FOUR)


def is_order(decision: Word) -> Flag:
    """Whether it is the order of a recycled row."""
    return _between(decision, ORDER_OF_FOUR, GAIN)


def is_gain(decision: Word) -> Flag:
    """Whether it gains a piece."""
    return _between(decision, GAIN, UPGRADE)


def is_upgrade(decision: Word) -> Flag:
    """Whether it is an Upgrade."""
    return _between(decision, UPGRADE, LEVELUP)


def is_levelup(decision: Word) -> Flag:
    """Whether it is a Level Up that changes something."""
    return _between(decision, LEVELUP, LEVELUP_NONE)


def pair(returned: Word, taken: Word) -> Word:
    """What UPGRADE and LEVELUP add for their two shapes."""
    return returned * SHAPES + taken


def _pair_of(decision: Word) -> Word:
    return decision - jnp.where(is_levelup(decision), word(LEVELUP), word(UPGRADE))


def returned_of(decision: Word) -> Word:
    """The shape that an Upgrade or a Level Up gives back."""
    return _pair_of(decision) // SHAPES


def taken_of(decision: Word) -> Word:
    """The shape that an Upgrade or a Level Up takes."""
    return _pair_of(decision) % SHAPES


def is_reward(decision: Word) -> Flag:
    """Whether it chooses a reward."""
    return _between(decision, REWARD, GHOST)


def reward_shape(decision: Word) -> Word:
    """The shape that is chosen as a reward."""
    return (decision - REWARD) % SHAPES


def is_ghost(decision: Word) -> Flag:
    """Whether it breaks a ghost up."""
    return _between(decision, GHOST, MASTER)


def opens_placements(decision: Word) -> Flag:
    """Whether placements and STOP follow: Ghost, Master or Ambassador."""
    return _between(decision, GHOST, INSERT)
