"""`beginner` and `casual`: they play as `greedy` does, with the mistakes of people who are new to the game.

A slip is never a move at random. Whoever overlooks a fit plays the best of those that they see; whoever forgets
Master for a turn goes on placing one piece at a time; a card with many points is taken though nothing fits it; and
how long a card will take is misjudged, the larger it is the more.
"""

from typing import Final, NamedTuple

from projectl.bots.greedy import GreedyBot
from projectl.core import actions
from projectl.core.dice import Dice
from projectl.core.pieces import cells_in
from projectl.core.state import State

_HUNDRED: Final = 100
_PRIME: Final = 7919


class Slips(NamedTuple):
    """How often, and how far, somebody goes wrong."""

    overlooks: int  # of a hundred ways to lay a piece
    forgets: int  # Master, in so many of a hundred turns
    tempted: float  # what a point on a card is worth beside what it is worth
    misjudges: float  # a card's worth, in points for each cell, at most


BEGINNER: Final = Slips(overlooks=55, forgets=80, tempted=0.6, misjudges=0.15)
CASUAL: Final = Slips(overlooks=30, forgets=35, tempted=0.25, misjudges=0.08)


class HumanBot(GreedyBot):
    """One action ahead, as well as it sees."""

    def __init__(self, seed: int, slips: Slips) -> None:
        super().__init__(None, seed)
        self.slips = slips
        self.sight = Dice(seed)

    def seen(self, state: State, wholes: list[list[int]]) -> list[list[int]]:
        # Whoever asks for one action at a time makes a new bot for each: what the others have stays for a whole turn.
        others = sum(int(other.supply) % _PRIME for other in state.players if other is not state.players[state.seat])
        forgets = _chance(int(state.round) * _PRIME + others) < self.slips.forgets
        found = [whole for whole in wholes if not self._overlooked(whole, forgets)]
        return found or wholes

    def liking(self, state: State, whole: list[int]) -> float:
        if not actions.takes_face_up(whole[0]):
            return 0.0
        card = int(state.row[actions.slot_of(whole[0])])
        wrong = _chance(card * _PRIME) * 2 / _HUNDRED - 1  # for as long as the card lies there
        cells = int(cells_in(state.cards.recess[card]))
        return self.slips.tempted * int(state.cards.points[card]) + self.slips.misjudges * wrong * cells

    def _overlooked(self, whole: list[int], forgets: bool) -> bool:
        if whole[0] == actions.MASTER:
            return forgets
        return actions.is_placement(whole[0]) and self.sight.below(_HUNDRED) < self.slips.overlooks


def beginner(seconds: float | None, seed: int) -> HumanBot:
    """Somebody who sits down for the first time."""
    return HumanBot(seed, BEGINNER)


def casual(seconds: float | None, seed: int) -> HumanBot:
    """Somebody who plays now and then."""
    return HumanBot(seed, CASUAL)


def _chance(what: int) -> int:
    """A number below a hundred that is always the same for the same thing."""
    return int(Dice(what).below(_HUNDRED))
