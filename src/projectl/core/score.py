"""The score and who has won."""

from typing import NamedTuple

from projectl.core.legal import check_seat
from projectl.core.pieces import total
from projectl.core.rules import SOLO
from projectl.core.state import OVER, State


class Result(NamedTuple):
    """The end of a game. Seats from 0; in solo the mastermind is seat 1."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str  # what decided: points, credits, puzzles, pieces; or shared


def mastermind_points(s: State) -> int:
    """The points of the mastermind's pile."""
    return sum(s.cards.cards[card].points for card in s.pile(len(s.players)))


class UnfinishedPuzzle(NamedTuple):
    """A puzzle that is not complete: what it counts if it is left, and if it is finished."""

    place: int  # from 0
    card: int
    left: int
    finished: int


class Breakdown(NamedTuple):
    """A score as a sum: pile, noted, touches and what every unfinished puzzle counts if it is left."""

    pile: int  # the cards that lie there
    noted: int  # those that Endless White took away
    touches: int  # paid with a point each, so never above 0
    unfinished: list[UnfinishedPuzzle]

    @property
    def total(self) -> int:
        """The score as it stands."""
        return self.pile + self.noted + self.touches + sum(puzzle.left for puzzle in self.unfinished)


def breakdown(s: State, seat: int) -> Breakdown:
    """What a seat's score is made of now."""
    cards, player = s.cards.cards, s.players[seat]
    pile = sum([cards[card].points for card in s.pile(seat)])
    cost = -1 if s.rules.unfinished_cost_points else 0
    puzzles = [
        UnfinishedPuzzle(place, card, cost * cards[card].points, cards[card].points) for place, card in s.puzzles(seat)
    ]
    return Breakdown(pile, int(player.points) - pile, -int(player.touches), puzzles)


def score(s: State, seat: int) -> int:
    """The pile, less touches, less unfinished puzzles where they cost their points."""
    check_seat(s, seat)
    return breakdown(s, seat).total


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
