"""`planner`: the best whole turn by its worth, no look at what others will do."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from projectl.bots.beam import Beam, Plan
from projectl.bots.protocol import Look
from projectl.bots.touches import best_touches
from projectl.bots.value import PATIENT, Judge, Weights
from projectl.core import actions
from projectl.core.dice import Dice
from projectl.core.state import PLAY, TOUCHES, State

_WIDTHS = ((2, 1), (5, 2), (12, 3), (30, 4), (60, 5))  # of the beam, and ways to go on for each puzzle


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No garbage collection meanwhile: it would take tens of milliseconds, and thinking leaves nothing to collect."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class PlannerBot:
    """Plans its turn anew before every action, and follows the plan inside the action."""

    plays_by = PATIENT

    def __init__(self, seconds: float | None, seed: int, weights: list[float] | None = None) -> None:
        self.seconds = 0.04 if seconds is None else seconds
        self.dice = Dice(seed)
        self.weights = Weights(list(self.plays_by if weights is None else weights))
        self.judge: Judge | None = None
        self.rest: list[int] = []
        self.recycled: dict[int, int] = {}  # in which round it recycled a row, since its last Take

    def decide(self, look: Look) -> int:
        state = look.imagine(self.dice)
        if self.rest and (state.phase != PLAY or state.inserting) and self.rest[0] in look.legal:
            return self.rest.pop(0)
        if len(look.legal) == 1:
            return look.legal[0]
        with _undisturbed():
            decisions = self.think(look, state, min(self.seconds, look.seconds))
        first, self.rest = decisions[0], decisions[1:]
        if actions.is_take(first):
            self.recycled.clear()
        elif actions.is_recycle(first):
            self.recycled[first] = int(state.round)
        return first

    def in_vain(self, state: State) -> list[int]:
        """Recycles of rows that it recycled in a turn before, when nothing was worth taking since."""
        return [recycle for recycle, when in self.recycled.items() if when < state.round]

    def think(self, look: Look, state: State, seconds: float) -> list[int]:
        """The decisions to come, in an imagined state."""
        return self.plan(state, look.seat, seconds)

    def plan(self, state: State, seat: int, seconds: float) -> list[int]:
        """The decisions of the best turn, or of the touches."""
        judge = self.judge_for(state)
        if state.phase == TOUCHES:
            return best_touches(state, seat)
        return self.turns(judge, state, seat, seconds)[0].decisions

    def judge_for(self, state: State) -> Judge:
        """The judge of this game, made at the first decision."""
        if self.judge is None:
            self.judge = Judge(state.rules.ghost, self.weights)
        return self.judge

    def turns(self, judge: Judge, state: State, seat: int, seconds: float) -> list[Plan]:
        """The best turns found in about the time given, widening the beam while it lasts."""
        deadline = perf_counter() + seconds
        width, ways = _WIDTHS[0]
        vain = self.in_vain(state)
        found = Beam(judge, state, seat, width, ways, vain=vain).turns()
        for width, ways in _WIDTHS[1:]:
            wider = Beam(judge, state, seat, width, ways, deadline, vain).turns()
            if not wider:
                break
            found = wider
        return found
