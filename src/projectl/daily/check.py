"""Whether a puzzle keeps what it promises: a wider and longer search than the one that made it looks again."""

from typing import NamedTuple

from projectl.bots.beam import Plan
from projectl.daily.grade import begun, ended, follow
from projectl.daily.puzzle import GOOD, Puzzle
from projectl.daily.worth import PROVING, Search, Weigher


class Checked(NamedTuple):
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


def check(puzzle: Puzzle, search: Search = PROVING) -> Checked:
    """Look again, wider and longer, with other imagined games."""
    header, start = begun(puzzle)
    steps, after = follow(puzzle, puzzle.best)
    if not ended(puzzle, after):
        return Checked(False, 0.0, 0.0, 0)
    best = Plan(after, [decision for step in steps for decision in step.decisions], 0.0)
    worths = Weigher(header.rules.ghost).weighed(start, puzzle.seat - 1, search, [best])
    mine = next(worth.chance for worth in worths if worth.plan is best)
    others = [worth.chance for worth in worths if worth.plan is not best]
    good = 1 + sum(mine - other <= GOOD for other in others)
    return Checked(True, round(mine, 3), round(max(others), 3), good)
