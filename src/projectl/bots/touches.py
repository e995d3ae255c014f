"""The finishing touches, solved exactly: which puzzles to finish, and with which pieces."""

from projectl.bots.covers import missing, shared_covers
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


class _Choices:
    """What a seat could do with its touches: the covers that its supply has, place by place, and what they bring."""

    def __init__(self, s: State, seat: i64) -> None:
        self.covers: list[list[int]] = []
        self.worth: list[float] = []
        self.hopes: list[float] = [0.0]  # what the places from each one on bring at most
        supply, credits = s.players[seat].supply, _credits(s, seat)
        for at in range(spot(seat, 0), spot(seat, PLACES)):
            card = s.board[at]
            found: list[int] = []
            worth = 0.0
            if card != EMPTY and s.filled[at] != s.cards.recess[card]:
                worth = float(s.cards.points[card]) * (2.0 if s.rules.unfinished_cost_points else 1.0)
                worth += 0.01  # one puzzle more
                for pieces in shared_covers(s.rules.ghost).of(s.cards.recess[card] & ~s.filled[at]):
                    if float(total(pieces) - credits) > worth:
                        break
                    if not missing(pieces, supply):
                        found.append(int(pieces))
            self.covers.append(found)
            self.worth.append(worth)
        for place in range(PLACES - 1, -1, -1):
            fewest = self.covers[place]
            hope = self.worth[place] - float(max(i64(0), total(fewest[0]) - credits)) if fewest else 0.0
            self.hopes.insert(0, self.hopes[0] + max(0.0, hope))


def _credits(s: State, seat: i64) -> i64:
    """What touches may be paid with: when they come, all credits are active."""
    return i64(s.players[seat].active) + i64(s.players[seat].inactive)


def _best_of(s: State, seat: i64) -> _Best:
    best = _Best()
    choices = _Choices(s, seat)
    if choices.hopes[0] > 0.0:
        _choose(choices, 0, s.players[seat].supply, 0.0, [0, 0, 0, 0], _credits(s, seat), best)
    return best


def touch_gain(s: State, seat: i64) -> float:
    """What a seat's best touches would bring with the pieces it has, each of them laid once."""
    return _best_of(s, seat).gain


def best_touches(s: State, seat: int) -> list[int]:
    """The decisions of all touches that pay, then DONE. Credits are spent before points."""
    if s.credit:
        return _one_touch(s, seat)
    best = _best_of(s, seat)
    decisions: list[int] = []
    credits = int(s.players[seat].active)
    for place in range(PLACES):
        at = spot(seat, place)
        if best.covers[place]:
            mask = s.cards.recess[s.board[at]] & ~s.filled[at]
            for placement in shared_covers(s.rules.ghost).tiling(mask, best.covers[place]):
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
    choices: _Choices, place: i64, supply: i64, gain: float, covers: list[int], credits: i64, best: _Best
) -> None:
    """Try every cover of the puzzle on a place, and leaving it, then the next place."""
    if gain > best.gain:
        best.gain = gain
        best.covers = covers.copy()
    if place == PLACES or gain + choices.hopes[place] <= best.gain:
        return
    for pieces in choices.covers[place]:
        if missing(pieces, supply):
            continue
        n = total(pieces)
        paid = max(i64(0), n - credits)
        spent = float(paid) + 0.001 * float(n - paid)  # a credit breaks ties
        left = max(i64(0), credits - n)
        covers[place] = pieces
        _choose(choices, place + 1, supply - pieces, gain + choices.worth[place] - spent, covers, left, best)
        covers[place] = 0
    _choose(choices, place + 1, supply, gain, covers, credits, best)


def _one_touch(s: State, seat: int) -> list[int]:
    """A credit is on the table: any touch of the best choice, or any at all."""
    after = s.clone()
    after.credit = False
    for decision in best_touches(after, seat):
        if actions.is_placement(decision):
            return [decision]
    return [int(legal(s, seat)[0])]
