"""Whether a puzzle keeps what it promises: a wider and longer search than the one that made it looks again."""

from typing import NamedTuple

from projectl.bots.beam import Plan
from projectl.daily.grade import begun, ended, follow, turn_of
from projectl.daily.puzzle import GOOD, Puzzle
from projectl.daily.worth import PROVING, Search, Weigher


class SecondLook(NamedTuple):
    """What the longer search found."""

    whole: bool  # the best turn can be played, and is a whole turn
    best: float  # the chance that it leaves
    other: float  # the chance after the best of all other turns
    good: int  # turns as good as the best, itself included

    @property
    def holds(self) -> bool:
        """Whether it is still the best, and the only good one."""
        return self.whole and self.other < self.best and self.good == 1

    def sentence(self) -> str:
        """The same for a person."""
        if not self.whole:
            return "its best turn is no whole turn"
        return f"its best turn leaves {self.best:.1%}, another one {self.other:.1%}; {self.good} are as good"


def check(puzzle: Puzzle, search: Search = PROVING) -> SecondLook:
    """Look again, wider and longer, with other imagined games."""
    start, game = begun(puzzle).state, follow(puzzle, puzzle.best)
    if not ended(puzzle, game.state):
        return SecondLook(False, 0.0, 0.0, 0)
    best = Plan(game.state, [decision for move in turn_of(puzzle, game) for decision in move.decisions], 0.0)
    worths = Weigher(start.rules.ghost).weighed(start, puzzle.seat - 1, search, [best])
    mine = next(worth.chance for worth in worths if worth.plan is best)
    others = [worth.chance for worth in worths if worth.plan is not best]
    good = 1 + sum(mine - other <= GOOD for other in others)
    return SecondLook(True, round(mine, 3), round(max(others), 3), good)
