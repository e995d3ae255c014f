"""Trying turns on a puzzle, and what a whole one is worth beside the best."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from projectl.bots.beam import gist
from projectl.core.engine import apply
from projectl.core.errors import Illegal
from projectl.core.notation import Decisions, legal_decisions, text
from projectl.core.state import TOUCHES, State
from projectl.daily.puzzle import GOOD, Puzzle
from projectl.daily.worth import GRADING, Weigher
from projectl.header import Header
from projectl.record import replay

LOSSES: Final = (GOOD, 0.1, 0.2)  # up to which a turn earns three, two, one of three stars


class Step(NamedTuple):
    """A whole action, and the position before it."""

    text: str
    decisions: Decisions
    before: State


class Tries(NamedTuple):
    """Where the actions of a turn have led."""

    steps: list[Step]
    state: State


class Grade(NamedTuple):
    """A turn beside the best one."""

    chance: float  # to win, after it
    best: float  # after the best one
    stars: int  # 3: as good as the best


def begun(puzzle: Puzzle) -> tuple[Header, State]:
    """The game of a puzzle, and where it stands. The state is shared: clone it."""
    return _replayed(puzzle.record)


@lru_cache(maxsize=32)
def _replayed(record: str) -> tuple[Header, State]:
    game = replay(record)
    return game.header, game.state


def follow(puzzle: Puzzle, actions: Sequence[str]) -> Tries:
    """Play actions of the puzzle's seat, checked; an error says what is wrong with the first that cannot be."""
    state = begun(puzzle)[1].clone()
    seat = puzzle.seat - 1
    steps: list[Step] = []
    for action in actions:
        if ended(puzzle, state):
            raise Illegal("daily-over", "the turn of this puzzle is over")
        decisions = legal_decisions(state, seat, action)
        steps.append(Step(text(decisions), decisions, state.clone()))
        for decision in decisions:
            apply(state, decision, seat)
    return Tries(steps, state)


def ended(puzzle: Puzzle, state: State) -> bool:
    """Whether the turn of the puzzle's seat is over."""
    start = begun(puzzle)[1]
    return bool(state.phase >= TOUCHES or state.seat != start.seat or state.round != start.round)


def grade(puzzle: Puzzle, actions: Sequence[str]) -> Grade:
    """How close a whole turn comes to the best one. The same turn always gets the same."""
    seat = puzzle.seat - 1
    header, _ = begun(puzzle)
    after = follow(puzzle, actions).state
    if not ended(puzzle, after):
        raise Illegal("daily-unfinished", "the turn is not over yet; play all its actions, then it is compared")
    if gist(after, seat) == gist(follow(puzzle, puzzle.best).state, seat):
        return Grade(puzzle.chance, puzzle.chance, 3)
    chance = round(Weigher(header.rules.ghost).chance_after(after, seat, GRADING), 3)
    return Grade(chance, puzzle.chance, stars(puzzle.chance - chance))


def stars(loss: float) -> int:
    """Three for a turn as good as the best, none for one that gives away a fifth of all games."""
    return sum(loss <= most for most in LOSSES)
