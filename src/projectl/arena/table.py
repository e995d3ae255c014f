"""A game that is played decision by decision, and recorded by whole actions."""

from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.lines import text
from projectl.core.state import ORDER, PLACING, TOUCHES, State
from projectl.record import Game, Header, Move


class Table:
    """Where a game stands. What is recorded always replays: an action counts once it is whole."""

    def __init__(self, header: Header) -> None:
        self.game = Game(header)
        self._begun: list[int] = []

    @property
    def state(self) -> State:
        """The position."""
        return self.game.state

    def decide(self, seat: int, decision: int) -> None:
        """Carry out a legal decision of a seat."""
        state = self.game.state
        touching = state.phase == TOUCHES
        apply(state, decision, seat)
        self._begun.append(decision)
        if decision in (actions.INSERT, actions.CREDIT) or state.phase in (ORDER, PLACING):
            return
        whole = tuple(self._begun)
        self.game.moves.append(Move(seat, text(whole, touching), whole))
        self._begun = []
