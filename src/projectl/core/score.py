"""The score and who has won."""

from typing import NamedTuple

from projectl.core.ints import i64
from projectl.core.pieces import total
from projectl.core.rules import SOLO
from projectl.core.state import EMPTY, OVER, PLACES, State


class Result(NamedTuple):
    """The end of a game. Seats from 0; in solo the mastermind is seat 1."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str  # what decided: points, credits, puzzles, pieces; or shared


def mastermind_points(s: State) -> int:
    """The points of the mastermind's pile."""
    seat = len(s.players)
    return sum(int(s.cards.points[i64(e) % 65536]) for e in s.finished if int(e) // 65536 == seat)


def score(s: State, seat: int) -> int:
    """The pile, less touches, less unfinished puzzles where they cost their points."""
    player = s.players[seat]
    points = int(player.points) - int(player.touches)
    if s.rules.unfinished_cost_points:
        for place in range(seat * PLACES, seat * PLACES + PLACES):
            if s.board[place] != EMPTY:
                points -= int(s.cards.points[s.board[place]])
    return points


def result(s: State) -> Result | None:
    """The result of a game that is over, else None."""
    if s.phase != OVER:
        return None
    scores = [score(s, seat) for seat in range(len(s.players))]
    if s.rules.kind == SOLO:
        scores.append(mastermind_points(s))
        return Result(tuple(scores), (0,) if scores[0] > scores[1] else (1,), "points")
    tied = list(range(len(scores)))
    measures: list[tuple[str, list[int]]] = [("points", scores)]
    if s.rules.finesse:
        measures.append(("credits", [int(player.active) for player in s.players]))
    measures.append(("puzzles", [int(player.pile) for player in s.players]))
    measures.append(("pieces", [int(total(player.supply)) for player in s.players]))  # R9
    for reason, values in measures:
        best = max(values[seat] for seat in tied)
        tied = [seat for seat in tied if values[seat] == best]
        if len(tied) == 1:
            return Result(tuple(scores), tuple(tied), reason)
    return Result(tuple(scores), tuple(tied), "shared")
