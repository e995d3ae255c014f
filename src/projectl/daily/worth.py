"""What a turn is worth: the chance to win that it leaves, by imagined games of a fixed number.

Nothing here looks at a clock, so that the same turn is worth the same on every machine, today and in a year.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from projectl.bots.beam import Beam, Plan, gist
from projectl.bots.rollout import chance, outcome, play_on
from projectl.bots.value import HASTY, Judge, Weights
from projectl.core.dice import Dice
from projectl.core.knowledge import imagine, known
from projectl.core.state import TOUCHES, State

NEVER: Final = 1e18  # a deadline that does not come


class Search(NamedTuple):
    """How widely and how long turns are looked at."""

    width: int  # of the beam that finds them
    ways: int  # placements considered for each puzzle
    tried: int  # of the turns found, so many are played on
    deals: int  # imagined games for each of them
    answers: int  # turns that each of the next two to play has to choose from
    first: int = 0  # the first imagined game: another search imagines others


FINDING: Final = Search(width=12, ways=3, tried=8, deals=6, answers=1)
GRADING: Final = Search(width=24, ways=4, tried=16, deals=32, answers=2, first=1000)  # what a puzzle is checked with
PROVING: Final = Search(width=32, ways=5, tried=20, deals=64, answers=2, first=50_000)


class Worth(NamedTuple):
    """A turn, and the chance to win after it."""

    plan: Plan
    chance: float


class Weigher:
    """Looks at turns of one kind of game."""

    def __init__(self, ghost: bool) -> None:
        self.judge = Judge(ghost, Weights(list(HASTY)))

    def chance_after(self, after: State, seat: int, search: Search) -> float:
        """The chance of a seat whose turn led here; what lies face up counts, what is hidden is imagined."""
        if after.phase >= TOUCHES:
            return chance(outcome(self.judge, play_on(self.judge, after.clone(), 1, NEVER), seat))
        what = known(after, seat, watched=False)  # a puzzle is a position: nobody watched how it came about
        total = 0.0
        for deal in range(search.first, search.first + search.deals):
            imagined = imagine(after.rules, what, Dice(deal))
            end = play_on(self.judge, imagined, search.answers, NEVER)
            total += outcome(self.judge, end, seat)
        return chance(total / search.deals)

    def turns(self, state: State, seat: int, search: Search) -> list[Plan]:
        """The turns that look best before anybody answers."""
        return Beam(self.judge, state, seat, search.width, search.ways).turns()[: search.tried]

    def weighed(self, state: State, seat: int, search: Search, also: Sequence[Plan] = ()) -> list[Worth]:
        """The turns in question by their worth, the best first."""
        plans = [*also]
        seen = {gist(plan.state, seat) for plan in also}
        plans += [plan for plan in self.turns(state, seat, search) if gist(plan.state, seat) not in seen]
        found = [Worth(plan, self.chance_after(plan.state, seat, search)) for plan in plans]
        return sorted(found, key=lambda worth: -worth.chance)
