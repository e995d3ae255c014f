"""Trying turns on a puzzle, and what a whole one is worth beside the best."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from projectl.bots.beam import gist
from projectl.core.errors import Illegal
from projectl.core.state import TOUCHES, State
from projectl.daily.puzzle import GOOD, Puzzle
from projectl.daily.worth import GRADING, Weigher
from projectl.game import Game, Move
from projectl.record import replay

LOSSES: Final = (GOOD, 0.1, 0.2)  # up to which a turn earns three, two, one of three stars


class Grade(NamedTuple):
    """A turn beside the best one."""

    chance: float  # to win, after it
    best: float  # after the best one
    stars: int  # 3: as good as the best


def begun(puzzle: Puzzle) -> Game:
    """The game of a puzzle, where it stands. It is shared: copy it."""
    return _replayed(puzzle.record)


@lru_cache(maxsize=32)
def _replayed(record: str) -> Game:
    return replay(record)


def follow(puzzle: Puzzle, actions: Sequence[str]) -> Game:
    """Play actions of the puzzle's seat, checked; an error says what is wrong with the first that cannot be."""
    game = begun(puzzle).copy()
    for action in actions:
        if ended(puzzle, game.state):
            raise Illegal("daily-over", "the turn of this puzzle is over")
        game.play(game.check(puzzle.seat - 1, action))
    return game


def turn_of(puzzle: Puzzle, game: Game) -> list[Move]:
    """What was played of the puzzle's turn."""
    return game.moves[len(begun(puzzle).moves) :]


def ended(puzzle: Puzzle, state: State) -> bool:
    """Whether the turn of the puzzle's seat is over."""
    start = begun(puzzle).state
    return bool(state.phase >= TOUCHES or state.seat != start.seat or state.round != start.round)


def grade(puzzle: Puzzle, actions: Sequence[str]) -> Grade:
    """How close a whole turn comes to the best one. The same turn always gets the same."""
    seat = puzzle.seat - 1
    after = follow(puzzle, actions).state
    if not ended(puzzle, after):
        raise Illegal("daily-unfinished", "the turn is not over yet; play all its actions, then it is compared")
    if gist(after, seat) == gist(follow(puzzle, puzzle.best).state, seat):
        return Grade(puzzle.chance, puzzle.chance, 3)
    chance = round(Weigher(after.rules.ghost).chance_after(after, seat, GRADING), 3)
    return Grade(chance, puzzle.chance, stars(puzzle.chance - chance))


def stars(loss: float) -> int:
    """Three for a turn as good as the best, none for one that gives away a fifth of all games."""
    return sum(loss <= most for most in LOSSES)
