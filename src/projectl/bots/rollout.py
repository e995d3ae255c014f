"""Imagined games played on by quick planners, to see what a turn comes to."""

from math import tanh
from time import perf_counter

from projectl.bots.beam import Beam, contains
from projectl.bots.touches import best_touches
from projectl.bots.value import Judge
from projectl.core.engine import apply
from projectl.core.legal import legal
from projectl.core.native import i64
from projectl.core.rules import SOLO
from projectl.core.score import mastermind_points, score
from projectl.core.state import OVER, TOUCHES, State

_WIDTH = 2
_WAYS = 1
_LEVELS = 2  # turns after one's own of which more than one is tried
_SCALE = 10.0  # a lead of so many points is three quarters of a win


def play_on(judge: Judge, s: State, answers: i64, deadline: float) -> State:
    """Where it leads when everybody has one more turn and plays it for the best; as far as time allows.

    A tree: the next two to play try so many of their turns each, everybody after them the one
    that quick planning finds.
    """
    s = _best_line(judge, s, len(s.players), _LEVELS, answers, deadline)
    while s.phase == TOUCHES:
        seat = s.seat
        for decision in best_touches(s, int(seat)):
            apply(s, decision, seat)
    return s


def _best_line(judge: Judge, s: State, turns: i64, levels: i64, answers: i64, deadline: float) -> State:
    """The position that comes of the turns that are best for whoever plays them."""
    if s.phase >= TOUCHES or turns == 0:
        return s
    plans = Beam(judge, s, s.seat, _WIDTH, _WAYS, deadline).turns()
    if not plans or perf_counter() > deadline:
        return s
    if answers == 1 or levels == 0:
        return _best_line(judge, plans[0].state, turns - 1, 0, 1, deadline)
    best = s
    best_outcome = -2.0
    for plan in plans[:answers]:
        end = _best_line(judge, plan.state, turns - 1, levels - 1, answers, deadline)
        found = outcome(judge, end, s.seat)
        if found > best_outcome:
            best, best_outcome = end, found
    return best


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


def chance(found: float) -> float:
    """An outcome from -1 to 1 as a chance to win."""
    return (1.0 + found) / 2.0


def turn_after(decisions: list[int], s: State, seat: i64) -> State:
    """The position after a turn's decisions in another imagined deal, as far as they are legal there.

    A plan of this package always is; a turn that somebody played may use a card that came up.
    """
    after = s.clone()
    for decision in decisions:
        if not contains(legal(after, seat), decision):
            break
        apply(after, decision, seat)
    return after
