"""The finishing touches, solved exactly: which puzzles to finish, and with which pieces."""

from projectl.bots.covers import Covers, missing, shared_covers
from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.legal import legal
from projectl.core.native import i64
from projectl.core.pieces import total
from projectl.core.score import Result, result
from projectl.core.state import EMPTY, PLACES, TOUCHES, State, spot


class _Best:
    """The best choice so far: a cover for each place, 0 where the puzzle is left."""

    def __init__(self) -> None:
        self.gain: float = 0.0
        self.covers: list[int] = [0, 0, 0, 0]


def best_touches(s: State, seat: int) -> list[int]:
    """The decisions of all touches that pay, then DONE. Credits are spent before points."""
    if s.credit:
        return _one_touch(s, seat)
    covers = shared_covers(s.rules.ghost)
    best = _Best()
    _choose(covers, s, seat, 0, s.players[seat].supply, 0.0, [0, 0, 0, 0], int(s.players[seat].active), best)
    decisions: list[int] = []
    credits = int(s.players[seat].active)
    for place in range(PLACES):
        at = spot(seat, place)
        if best.covers[place]:
            mask = s.cards.recess[s.board[at]] & ~s.filled[at]
            for placement in covers.tiling(mask, best.covers[place]):
                if credits > 0:
                    decisions.append(actions.CREDIT)
                    credits -= 1
                decisions.append(int(actions.placing(place, placement)))
    return [*decisions, actions.DONE]


def finished(s: State) -> Result:
    """The result after everybody's best touches, which are carried out."""
    while s.phase == TOUCHES:
        seat = int(s.seat)
        for decision in best_touches(s, seat):
            apply(s, decision, seat)
    found = result(s)
    assert found is not None
    return found


def _choose(
    known: Covers,
    s: State,
    seat: i64,
    place: i64,
    supply: i64,
    gain: float,
    covers: list[int],
    credits: i64,
    best: _Best,
) -> None:
    """Try every cover of the puzzle on a place, and leaving it, then the next place."""
    if place == PLACES:
        if gain > best.gain:
            best.gain = gain
            best.covers = covers.copy()
        return
    _choose(known, s, seat, place + 1, supply, gain, covers, credits, best)
    at = spot(seat, place)
    card = s.board[at]
    if card == EMPTY or s.filled[at] == s.cards.recess[card]:
        return
    worth = float(s.cards.points[card]) * (2.0 if s.rules.unfinished_cost_points else 1.0) + 0.01  # one puzzle more
    for pieces in known.of(s.cards.recess[card] & ~s.filled[at]):
        n = total(pieces)
        paid = max(i64(0), n - credits)
        if float(paid) > worth:
            break
        if missing(pieces, supply):
            continue
        covers[place] = int(pieces)
        spent = float(paid) + 0.001 * float(n - paid)  # a credit breaks ties
        left = max(i64(0), credits - n)
        _choose(known, s, seat, place + 1, supply - pieces, gain + worth - spent, covers, left, best)
        covers[place] = 0


def _one_touch(s: State, seat: int) -> list[int]:
    """A credit is on the table: any touch of the best choice, or any at all."""
    after = s.clone()
    after.credit = False
    for decision in best_touches(after, seat):
        if actions.is_placement(decision):
            return [decision]
    return [int(legal(s, seat)[0])]
