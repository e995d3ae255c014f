"""Loops over many decisions that must run inside compiled code: random play and perft."""

from projectl.core import actions
from projectl.core.breath import breathe
from projectl.core.dice import Dice
from projectl.core.engine import apply
from projectl.core.legal import legal, may_act, to_act
from projectl.core.native import i64, vec
from projectl.core.state import OVER, State


def random_play(s: State, dice: Dice, most: i64) -> i64:
    """Play random decisions until the game or `most` is over; how many were made."""
    n: i64 = 0
    while n < most and s.phase != OVER:
        options = legal(s)
        apply(s, options[dice.below(len(options))])
        n += 1
    return n


def random_trace(s: State, dice: Dice, most: int) -> list[int]:
    """Play as `random_play` does, any seat that may act acting; every decision and key, in order."""
    trace: list[int] = []
    while len(trace) < 2 * most and s.phase != OVER:
        seats = to_act(s)
        seat = seats[dice.below(len(seats))]
        options = legal(s, seat)
        decision = options[dice.below(len(options))]
        apply(s, decision, seat)
        trace.append(int(decision))
        trace.append(s.key())
    return trace


def perft(s: State, depth: i64) -> i64:
    """The number of sequences of `depth` whole actions, as `lines` lists them."""
    if depth == 0:
        return 1
    breathe()
    n: i64 = 0
    for seat in range(i64(len(s.players))):
        if may_act(s, seat):
            n += _count(s, seat, legal(s, seat), depth, False)
    return n


def _count(s: State, seat: i64, options: vec[i64], depth: i64, placing: bool) -> i64:
    """Sequences that go on with one of the options, inside an action or at its start."""
    n: i64 = 0
    for decision in options:
        opens = actions.opens(decision)
        if depth == 1 and not opens:
            n += 1
            continue
        after = s.clone()
        apply(after, decision, seat)
        if opens:
            n += _count(after, seat, legal(after, seat), depth, actions.opens_placements(decision))
            continue
        if placing and decision != actions.STOP:
            apply(after, actions.STOP, seat)
        n += perft(after, depth - 1)
    return n
