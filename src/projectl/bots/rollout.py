"""Imagined games played on by quick planners, to see what a turn comes to."""

from math import tanh
from time import perf_counter

from projectl.bots.beam import Beam, Plan, contains
from projectl.bots.touches import best_touches
from projectl.bots.value import Judge
from projectl.core.engine import apply
from projectl.core.ints import i64
from projectl.core.legal import legal
from projectl.core.rules import SOLO
from projectl.core.score import mastermind_points, score
from projectl.core.state import OVER, TOUCHES, State

_WIDTH = 2
_WAYS = 1
_SCALE = 10.0  # a lead of so many points is three quarters of a win


def play_on(judge: Judge, s: State, deadline: float) -> State:
    """Quick planners play one more turn for everybody, or to the end, or until time is up."""
    turns = len(s.players)
    while s.phase < TOUCHES and turns > 0:
        plans = Beam(judge, s, s.seat, _WIDTH, _WAYS, deadline).turns()
        if not plans or perf_counter() > deadline:
            return s
        s = plans[0].state
        turns -= 1
    while s.phase == TOUCHES:
        seat = s.seat
        for decision in best_touches(s, int(seat)):
            apply(s, decision, seat)
    return s


def outcome(judge: Judge, s: State, seat: i64) -> float:
    """How well a seat does in a position: -1 lost, 1 won, by the lead in points."""
    if s.phase != OVER:
        judge.look(s)
        return tanh(judge.lead(s, seat) / _SCALE)
    mine = score(s, int(seat))
    if s.rules.kind == SOLO:
        best = mastermind_points(s)
    else:
        best = max([score(s, other) for other in range(len(s.players)) if other != seat])
    lead = float(mine - best)
    won = 0.15 if lead > 0.0 else -0.15 if lead < 0.0 else 0.0
    return 0.85 * tanh(lead / _SCALE) + won


def turn_after(plan: Plan, s: State, seat: i64) -> State:
    """The position after a plan's decisions in another imagined deal, as far as they are legal there.

    A plan of this package always is; a turn that somebody played may use a card that came up.
    """
    after = s.clone()
    for decision in plan.decisions:
        if not contains(legal(after, seat), decision):
            break
        apply(after, decision, seat)
    return after
