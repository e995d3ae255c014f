"""Which game an environment plays: the arguments of `Rules`, as every kind of environment takes them, and the seed."""

from collections.abc import Sequence
from typing import Final, TypedDict

import numpy as np

from projectl.core.cards import Card, Tile
from projectl.core.rules import Rules

MAX_ROUNDS: Final = 60  # aimless players never finish (R18, R19); 0 is no limit


class RulesArguments(TypedDict, total=False):
    """What `Rules` takes beside the number of players; what is not given is the edition's own."""

    edition: str
    modules: Sequence[str]
    upgrade_skip: str
    exchange_down: str
    known_points: bool | None
    max_rounds: int
    difficulty: str
    own: tuple[Card, ...]
    replaced: tuple[Card, ...]
    replaced_tiles: tuple[Tile, ...]


def rules_for(players: int, given: RulesArguments) -> Rules:
    """The rules of an environment: with a limit of rounds unless another one is given."""
    modules = given.get("modules", ())
    if isinstance(modules, str):
        raise TypeError(f"modules are a list of names, as ['ghost'], found the text {modules[:40]!r}")
    whole: RulesArguments = {"max_rounds": MAX_ROUNDS, **given, "modules": tuple(modules)}
    return Rules(players, **whole)  # type: ignore[arg-type]  # modules are a tuple by now


def game_seed(random: np.random.Generator) -> str:
    """The seed of the next game of an environment."""
    return str(int(random.integers(2**62)))
