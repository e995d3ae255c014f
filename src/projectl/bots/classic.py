"""`search-classic`: a tree of turns in imagined deals of the hidden cards; it keeps the turn that does best.

At the root are the planner's best turns. Each deal is played on with every turn that is still in
question, so that luck is the same for all of them: the next two to play try several of their own
turns and choose for themselves, then the position counts. The worse half of the turns is dropped
now and then. It stops when its time is up, with the best so far.
"""

from math import inf, log2
from time import perf_counter

from projectl.bots.beam import Plan
from projectl.bots.planner import PlannerBot
from projectl.bots.protocol import Line, Look
from projectl.bots.rollout import chance, outcome, play_on, turn_after
from projectl.bots.value import HASTY, Judge
from projectl.core.dice import Dice
from projectl.core.knowledge import imagine
from projectl.core.state import TOUCHES, State

_CANDIDATES = 10  # turns in question with 50 ms; three more each time that the time doubles
_PLANNING = 0.15  # of the time goes into finding the turns
_DEALS = 12  # that a turn is judged in
_TRUST = 3  # games that a turn's worth by itself stands for


def candidates(seconds: float) -> int:
    """How many turns are tried in a time: with more of it, more of them get a fair try."""
    return max(4, min(30, round(_CANDIDATES + 3 * log2(max(seconds, 0.001) / 0.05))))


def answers(seconds: float) -> int:
    """How many answers of each of the next two to play are tried in a time."""
    return 1 if seconds < 0.2 else 2 if seconds < 0.4 else 3 if seconds < 2.0 else 5


class Trial:
    """A turn in question, and how it has done so far."""

    def __init__(self, plan: Plan, seat: int, judge: Judge) -> None:
        self.plan = plan
        self.first = outcome(judge, plan.state, seat)  # by its worth alone
        self.total = 0.0
        self.games = 0

    @property
    def mean(self) -> float:
        """How well it does on average, -1 to 1; its worth counts as a few games."""
        return (self.total + _TRUST * self.first) / (self.games + _TRUST)


class ClassicSearch(PlannerBot):
    """Plans as `planner` does, then looks at what others answer to the best turns."""

    plays_by = HASTY

    def __init__(self, seconds: float | None, seed: int, weights: list[float] | None = None) -> None:
        super().__init__(1.0 if seconds is None else seconds, seed, weights)

    def think(self, look: Look, state: State, seconds: float) -> list[int]:
        if state.phase == TOUCHES:
            return self.plan(state, look.seat, seconds)
        return self.trials(look, state, seconds)[0].plan.decisions

    def trials(self, look: Look, state: State, seconds: float) -> list[Trial]:
        """The turns in question after the time given, the best first."""
        begin = perf_counter()
        judge = self.judge_for(state)
        plans = self.turns(judge, state, look.seat, seconds * _PLANNING)[: candidates(seconds)]
        trials = [Trial(plan, look.seat, judge) for plan in plans]
        dropped: list[Trial] = []
        deadline = begin + seconds * 0.97
        stages = max(1, len(trials).bit_length() - 1)
        stage = 0
        while len(trials) > 1 and perf_counter() < deadline:
            self._try_all(judge, trials, look, answers(seconds), deadline)
            done = (perf_counter() - begin) / seconds
            if done > (stage + 1) / (stages + 1):
                stage += 1
                trials.sort(key=lambda trial: -trial.mean)
                keep = max(2, (len(trials) + 1) // 2)
                dropped = trials[keep:] + dropped
                trials = trials[:keep]
        return sorted(trials, key=lambda trial: -trial.mean) + dropped

    def line(self, look: Look, seconds: float) -> Line:
        """The best turn, and how the runner-up did."""
        best, *others = self.trials(look, look.imagine(self.dice), seconds)
        tried = [trial.mean for trial in others if trial.games == best.games]
        return Line(best.plan.decisions, chance(best.mean), chance(max(tried)) if tried else None, best.games)

    def worth(self, look: Look, decisions: list[int], seed: int) -> float:
        """The chance of winning after a turn, by imagined games."""
        dice, total = Dice(seed), 0.0
        for _ in range(_DEALS):
            state = look.imagine(dice)
            judge = self.judge_for(state)
            total += outcome(judge, play_on(judge, turn_after(decisions, state, look.seat), 1, inf), look.seat)
        return chance(total / _DEALS)

    def _try_all(self, judge: Judge, trials: list[Trial], look: Look, most: int, deadline: float) -> None:
        """One imagined deal, every turn in question; it counts only when all had their try."""
        deal = imagine(look.rules, look.known, self.dice)
        results: list[float] = []
        for trial in trials:
            after = play_on(judge, turn_after(trial.plan.decisions, deal, look.seat), most, deadline)
            if perf_counter() > deadline:
                return
            results.append(outcome(judge, after, look.seat))
        for trial, found in zip(trials, results, strict=True):
            trial.total += found
            trial.games += 1
