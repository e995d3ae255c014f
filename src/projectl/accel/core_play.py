"""Core's side of the proof: games of every kind played by core, and what each position and its legal set come to."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

import jax
import numpy as np
import numpy.typing as npt

from projectl.accel.core_games import core_game, words_of
from projectl.accel.tables import DECISIONS, LEFT_OUT, MOST_PLAYERS, Layout
from projectl.core import actions
from projectl.core.cards import REWARDS, Card
from projectl.core.engine import apply
from projectl.core.legal import legal
from projectl.core.rules import DIFFICULTIES, EDITIONS, Rules, option_named
from projectl.core.score import result
from projectl.core.state import OVER
from projectl.core.state import State as CoreState

Digests: TypeAlias = npt.NDArray[np.uint32]

# Kinds of decision, and how much a player who wants to get somewhere likes them.
_KINDS = {
    "place": (actions.PLACE, 8.0),
    "take": (actions.TAKE, 2.0),
    "recycle": (actions.RECYCLE, 0.3),
    "order": (actions.ORDER_OF_FOUR, 1.0),
    "gain": (actions.GAIN, 3.0),
    "upgrade": (actions.UPGRADE, 2.0),
    "levelup": (actions.LEVELUP, 1.0),
    "reward": (actions.REWARD, 1.0),
    "ghost": (actions.GHOST, 9.0),
    "master": (actions.MASTER, 6.0),
    "ambassador": (actions.AMBASSADOR, 9.0),
    "insert": (actions.INSERT, 3.0),
    "pass": (actions.PASS, 0.2),
    "credit": (actions.CREDIT, 1.0),
    "stop": (actions.STOP, 1.0),
    "done": (actions.DONE, 1.0),
}
_FIRST = [first for first, _ in _KINDS.values()]
_LIKED = [liked for _, liked in _KINDS.values()]


def small_cards(modules: tuple[str, ...]) -> tuple[Card, ...]:
    """Puzzles of one or two cells with every reward: with them even aimless play completes and is rewarded."""
    found: list[Card] = []
    for n, reward in enumerate(REWARDS):
        needs = "ambassador" if reward == "M" else "ghost" if n >= REWARDS.index("P5") else ""
        if needs in ("", *modules):
            found.append(Card(f"Z{n:02}", n % 2 == 0, n % 4, n, 1 + 2 * (n % 3 == 0)))
    return tuple(found)


def configurations() -> list[tuple[int, str, tuple[str, ...]]]:
    """All (players, edition, modules) that both engines play."""
    return [
        (players, edition, modules)
        for edition, printed in EDITIONS.items()
        for modules in _subsets(tuple(module for module in printed.modules if module not in LEFT_OUT))
        for players in range(1, MOST_PLAYERS + 1)
        if "finesse_ambassador" not in modules or "finesse" in modules
    ]


def _subsets(modules: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for size in range(len(modules) + 1):
        yield from combinations(modules, size)


def any_rules(dice: random.Random, players: tuple[int, ...]) -> Rules:
    """Some game for so many players, with any options, often with small cards of its own."""
    count, edition, modules = dice.choice([each for each in configurations() if each[0] in players])
    return Rules(
        count,
        edition,
        modules,
        upgrade_skip=dice.choice(("", *option_named("upgrade_skip").values)),
        exchange_down=dice.choice(("", *option_named("exchange_down").values)),
        max_rounds=dice.choice((4, 12, 30)),
        difficulty=dice.choice(tuple(DIFFICULTIES)) if count == 1 else "",
        own=small_cards(modules) if dice.random() < 0.5 else (),
    )


class Trace(NamedTuple):
    """A game that core played."""

    rules: Rules
    first: list[int]  # the words of its first position
    decisions: list[int]
    digests: Digests  # of each position, from the first on
    scores: tuple[int, ...]
    winners: tuple[int, ...]


_WEIGHTS = np.random.Generator(np.random.PCG64(1)).integers(0, 2**31, (2, 4096), np.uint32) * 2 + 1


def weights(words: int) -> Digests:
    """The odd numbers by which the words of a state are multiplied for its two digests."""
    return _WEIGHTS[:, :words]


def decision_weights() -> Digests:
    """The numbers that the legal decisions add up to."""
    return _WEIGHTS[:, -DECISIONS:]


def _digests(positions: list[list[int]], legals: list[list[int]]) -> Digests:
    found = np.array(positions, np.uint32) @ weights(len(positions[0])).T
    by_decision = decision_weights()
    sets = np.array([by_decision[:, numbers].sum(axis=1, dtype=np.uint32) for numbers in legals], np.uint32)
    return np.concatenate([found, sets.reshape(-1, 2)], axis=1)


def words(layout: Layout, s: CoreState) -> list[int]:
    """The words of a core position, in the order of a state's leaves."""
    return [int(each) for each in jax.tree.leaves(words_of(layout, s))]


def choose(options: list[int], eager: bool, dice: random.Random) -> int:
    """A decision at random: by kind, an eager player what gets somewhere."""
    if not eager and dice.random() < 0.1:
        return dice.choice(options)
    kinds: dict[int, list[int]] = {}
    for decision in options:
        kinds.setdefault(max(n for n, first in enumerate(_FIRST) if first <= decision), []).append(decision)
    names = list(kinds)
    return dice.choice(kinds[dice.choices(names, [_LIKED[n] if eager else 1.0 for n in names])[0]])


def played(layout: Layout, rules: Rules, seed: str, most: int = 100_000) -> Trace:
    """A game of core, to its end or so many decisions, in a layout's words."""
    dice = random.Random(seed)
    s = core_game(rules, seed)
    eager = dice.random() < 0.7
    first = words(layout, s)
    decisions: list[int] = []
    positions: list[list[int]] = []
    legals: list[list[int]] = []
    while True:
        options = [int(decision) for decision in legal(s)]
        positions.append(words(layout, s))
        legals.append(options)
        if s.phase == OVER or len(decisions) == most:
            break
        decisions.append(choose(options, eager, dice))
        apply(s, decisions[-1])
    found = result(s)
    scores, winners = (found.scores, found.winners) if found else ((), ())
    return Trace(rules, first, decisions, _digests(positions, legals), scores, winners)
