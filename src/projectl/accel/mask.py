"""The legal decisions as core's 2826 truth values."""

import jax.numpy as jnp
import numpy as np

from projectl.accel.legal import Options
from projectl.accel.tables import (
    BASE_SHAPES,
    DECOMPOSITIONS,
    GAIN,
    ORDER_OF_FOUR,
    ORDER_OF_THREE,
    PLACEMENT_MASK,
    PLACEMENT_SHAPE,
    PLACES,
    RECYCLE,
    SHAPES,
    TAKE,
)
from projectl.accel.words import Flag, Word


def _bits(number: Word, count: int) -> Flag:
    return (number >> np.arange(count, dtype=np.uint32)) & 1 != 0


def _pairs(sets: tuple[Word, ...]) -> Flag:
    found = [_bits(each, SHAPES) for each in sets]
    return jnp.concatenate(found + [jnp.zeros(SHAPES, bool)] * (SHAPES - len(found)))


def mask(found: Options) -> Flag:
    """Which of core's decisions are legal."""
    cells = jnp.stack(found.empty)[:, None]
    place = (cells & PLACEMENT_MASK) == PLACEMENT_MASK
    place = place & ((found.shapes >> PLACEMENT_SHAPE) & 1 != 0)
    rewards = _bits(found.rewards, SHAPES) & (found.reward_place == np.arange(PLACES)[:, None])
    orders = jnp.broadcast_to(found.orders, ORDER_OF_THREE - ORDER_OF_FOUR)
    singles = [found.master, found.ambassador, found.insert, found.pass_, found.credit, found.stop, found.done]
    return jnp.concatenate(
        [
            place.reshape(-1),
            _bits(found.takes, RECYCLE - TAKE),
            _bits(found.recycles, ORDER_OF_FOUR - RECYCLE),
            orders,
            jnp.zeros(GAIN - ORDER_OF_THREE, bool),
            _bits(found.gains, BASE_SHAPES),
            _pairs(found.upgrades),
            _pairs(found.level_ups),
            found.decline[None],
            rewards.reshape(-1),
            _bits(found.ghosts, DECOMPOSITIONS),
            jnp.stack(singles),
        ]
    )
