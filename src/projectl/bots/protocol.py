"""What a bot is: something that is shown what its seat knows, and answers with one decision."""

from typing import NamedTuple, Protocol

from projectl.core.dice import Dice
from projectl.core.errors import ProjectLError
from projectl.core.knowledge import Known, imagine, known
from projectl.core.rules import Rules
from projectl.core.state import State
from projectl.core.view import View, view
from projectl.public import legal


class BotError(ProjectLError):
    """A bot cannot be had, or did not answer with a legal decision in time."""

    kind = "bot"


class Look(NamedTuple):
    """All that a bot gets to see before a decision."""

    rules: Rules
    known: Known  # what the seat knows, the referee's numbers
    legal: list[int]  # the decisions to choose from
    seconds: float  # the time for this decision; bots with a level of their own may use less

    @property
    def seat(self) -> int:
        """The bot's seat, from 0."""
        return self.known.seat

    def imagine(self, dice: Dice) -> State:
        """A game that looks the same from this seat; hidden cards are dealt at random."""
        return imagine(self.rules, self.known, dice)

    def view(self) -> View:
        """The position as JSON, as the seat sees it."""
        return view(self.imagine(Dice(0)), self.seat)


def look_at(state: State, seat: int, seconds: float) -> Look:
    """What a seat sees now."""
    return Look(state.rules, known(state, seat), legal(state, seat), seconds)


class Line(NamedTuple):
    """The best rest of a turn, and the chances of winning."""

    decisions: list[int]
    chance: float
    second: float | None  # the chance of the best other way to begin
    games: int  # imagined games that this is told from


class Adviser(Protocol):
    """Who can say what is best, and what a turn is worth."""

    def line(self, look: Look, seconds: float) -> Line:
        """The best rest of the turn."""
        ...

    def worth(self, look: Look, decisions: list[int], seed: int) -> float:
        """The chance of winning after these decisions, as far as they are legal in imagined deals."""
        ...


class Bot(Protocol):
    """One player of one game. It may remember what it likes between decisions."""

    def decide(self, look: Look) -> int:
        """One of `look.legal`."""
        ...
