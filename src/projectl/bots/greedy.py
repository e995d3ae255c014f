"""`greedy`: the best single action, at once."""

from math import inf

from projectl.bots.beam import Beam
from projectl.bots.planner import PlannerBot
from projectl.bots.touches import best_touches
from projectl.core.engine import apply
from projectl.core.state import TOUCHES, State

_WAYS = 2  # to go on, for each puzzle


class GreedyBot(PlannerBot):
    """Looks one whole action ahead: Master with all its pieces, a Take, a placement that belongs to a way to finish."""

    def plan(self, state: State, seat: int, seconds: float) -> list[int]:
        if state.phase == TOUCHES:
            return best_touches(state, seat)
        judge = self.judge_for(state)
        beam = Beam(judge, state, seat, 1, _WAYS, vain=self.in_vain(state))
        best: list[int] = []
        most = -inf
        for whole in self.seen(state, beam.wholes(state)):
            after, path = state.clone(), list(whole)
            for decision in whole:
                apply(after, decision, seat)
            beam.settle(after, path)
            worth = judge.value(after, seat) + self.liking(state, whole)
            if worth > most:
                best, most = path, worth
        return best

    def seen(self, state: State, wholes: list[list[int]]) -> list[list[int]]:
        """The actions that it thinks of: all that are worth a thought."""
        return wholes

    def liking(self, state: State, whole: list[int]) -> float:
        """What draws it to an action beside its worth."""
        return 0.0
