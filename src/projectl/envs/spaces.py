"""Spaces, observations and masks as NumPy arrays."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from projectl.core.features import FEATURE, MASK_SIZE, SIZE
from projectl.core.observe import mask, observe
from projectl.core.state import State

Bytes: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.int8]
Seen: TypeAlias = Bytes | dict[str, Bytes]

# flat: the 3,456 numbers of an observation. features: the same by name, each in its shape.
OBSERVATIONS: Final[tuple[str, ...]] = ("flat", "features")
_INDEXES: Final = {name: np.array(row.indexes()).reshape(row.shape) for name, row in FEATURE.items()}


def check_observation(kind: str) -> str:
    """Refuse an observation that there is none."""
    if kind not in OBSERVATIONS:
        raise ValueError(f"an observation is {' or '.join(OBSERVATIONS)}, found {kind!r}")
    return kind


def observation_space(kind: str) -> "Box | Dict":
    """The space of what one seat sees."""
    if kind == "flat":
        return Box(0, 255, (SIZE,), np.uint8)
    return Dict({name: Box(0, row.highest, row.shape, np.uint8) for name, row in FEATURE.items()})


def mask_space(size: int = MASK_SIZE) -> Box:
    """The space of a mask."""
    return Box(0, 1, (size,), np.int8)


def seen_by(state: State, seat: int, kind: str) -> Seen:
    """What a seat sees, in new arrays."""
    flat = np.zeros(SIZE, np.uint8)
    observe(state, seat, flat.data)
    return flat if kind == "flat" else by_feature(flat)


def by_feature(flat: Bytes) -> dict[str, Bytes]:
    """One observation, or many, by the names of its features."""
    return {name: flat[..., indexes] for name, indexes in _INDEXES.items()}


def mask_of(state: State, seat: int, size: int = MASK_SIZE) -> Mask:
    """What a seat may decide now, in a new array; a longer one ends in 0."""
    marks = np.zeros(size, np.uint8)
    mask(state, seat, marks.data if size == MASK_SIZE else marks[:MASK_SIZE].data)
    return marks.view(np.int8)


class LegalDiscrete(Discrete):
    """All decisions; `sample()` without a mask draws one of those that are legal now.

    The first one after `seed` is one that was legal at the game's beginning, and if it can be still is: whoever seeds
    is about to reset, as Gymnasium's checker does between a sample and the step that plays it.
    """

    def __init__(self, size: int, now: Callable[[], Mask], beginning: Callable[[], Mask] | None = None) -> None:
        super().__init__(size)
        self._now = now
        self._beginning = beginning
        self._just_seeded = False

    def seed(self, seed: int | None = None) -> Any:
        """Seed the samples."""
        self._just_seeded = True
        return super().seed(seed)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """One decision at random."""
        if mask is None and probability is None:
            mask = self._now()
            if self._just_seeded and self._beginning is not None:
                at_first = self._beginning()
                mask = at_first & mask if (at_first & mask).any() else at_first
            self._just_seeded = False
        return super().sample(mask, probability)
