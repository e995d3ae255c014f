"""Decisions are taken apart alike in core and in array code: every number, every kind, every part."""

import numpy as np
import pytest

pytest.importorskip("jax")

from projectl.accel import decisions
from projectl.core import actions

NUMBERS = np.arange(actions.COUNT, dtype=np.uint32)
KINDS = ("placement", "take", "recycle", "order", "gain", "upgrade", "levelup", "reward", "ghost")
PARTS = [
    ("place_of", "placement"),
    ("placement_of", "placement"),
    ("reward_shape", "reward"),
    ("takes_face_up", "take"),
]
PARTS += [(part, kind) for part in ("returned_of", "taken_of") for kind in ("upgrade", "levelup")]


@pytest.mark.parametrize("name", [*(f"is_{kind}" for kind in KINDS), "opens_placements"])
def test_kinds(name: str) -> None:
    of_core = getattr(actions, name)
    assert getattr(decisions, name)(NUMBERS).tolist() == [of_core(number) for number in range(actions.COUNT)]


@pytest.mark.parametrize(("name", "kind"), PARTS)
def test_parts(name: str, kind: str) -> None:
    of_core, found = getattr(actions, name), getattr(decisions, name)(NUMBERS)
    numbers = [number for number in range(actions.COUNT) if getattr(actions, f"is_{kind}")(number)]
    assert numbers
    assert [int(found[number]) for number in numbers] == [int(of_core(number)) for number in numbers]
