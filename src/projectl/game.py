"""A game that is being played or replayed: the one object that server, arena, terminal and records stand on."""

import re
from copy import copy
from typing import Final, NamedTuple, Self

from projectl.core.engine import apply
from projectl.core.errors import Unreadable
from projectl.core.notation import Decisions, legal_decisions, lines, text
from projectl.core.state import TOUCHES, State
from projectl.facts import NOTHING, Facts, barrier, facts_of
from projectl.header import Header

ACTION_LINE: Final = re.compile(r"([0-9]+)\s+(\S.*)", re.DOTALL)


class Move(NamedTuple):
    """One whole action: checked, and once it is played what it did."""

    seat: int  # from 0
    text: str  # canonical
    decisions: Decisions
    did: Facts = NOTHING
    barrier: str = ""  # why it cannot be taken back; empty if it can

    def line(self) -> str:
        """As a record writes it."""
        return f"{self.seat + 1} {self.text}"


class Game:
    """Header, position and moves. It changes by `play`, `decide` and `undo` and by nothing else but
    the names at its seats."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.state: State = header.deal()
        self.moves: list[Move] = []
        self._before: list[State] = []  # the positions before the last moves, as many as can be taken back
        self._begun: list[int] = []  # decisions of an action that is not whole yet
        self._begun_at: State = self.state
        self._legal: dict[int, list[str]] | None = None  # by seat, once somebody asked in this position

    def check(self, seat: int, action: str) -> Move:
        """Read a whole action of a seat (from 0); an error says what is wrong with it now."""
        decisions = legal_decisions(self.state, seat, action)
        return Move(seat, text(decisions, self.state.phase == TOUCHES), decisions)

    def play(self, move: Move) -> Move:
        """Carry out a move that was checked in this very position; what it did is in the answer."""
        for decision in move.decisions[:-1]:
            self._carry_out(move.seat, decision)
        whole = self.decide(move.seat, move.decisions[-1])
        assert whole is not None
        return whole

    def play_line(self, line: str) -> Move:
        """Play `SEAT ACTION`, checked; an error leaves the game as it was."""
        found = ACTION_LINE.fullmatch(line.strip())
        if not found:
            raise Unreadable("line", f"expected a seat and an action, as `1 take W1`, found {line.strip()[:40]!r}")
        seat = int(found[1]) if len(found[1]) <= 9 else 10**9
        return self.play(self.check(seat - 1, found[2]))

    def decide(self, seat: int, decision: int) -> Move | None:
        """Carry out one legal decision; the move that it made whole, if it did."""
        self._carry_out(seat, decision)
        if self.state.action_open():
            return None
        before, decisions = self._begun_at, tuple(self._begun)
        self._begun = []
        did = facts_of(before, seat, decisions, self.state)
        move = Move(seat, text(decisions, before.phase == TOUCHES), decisions, did, barrier(before, self.state))
        self._keep(move, before)
        self.moves.append(move)
        return move

    def _keep(self, move: Move, before: State) -> None:
        """The position before a move, if it can be taken back; nobody goes back past another seat's move."""
        others = self.moves and self.moves[-1].seat != move.seat
        self._before = [] if move.barrier else [before] if others else [*self._before, before]

    def _carry_out(self, seat: int, decision: int) -> None:
        if not self._begun:
            self._begun_at = self.state.clone()
        self._begun.append(decision)
        self._legal = None
        apply(self.state, decision, seat)

    def legal_texts(self, seat: int) -> list[str]:
        """The legal whole actions of a seat (from 0); Master, Ambassador and Ghost with one placement at most."""
        if self._legal is None:
            found: dict[int, list[str]] = {}
            for actor, action, _ in lines(self.state):
                found.setdefault(actor, []).append(action)
            self._legal = found
        return self._legal.get(seat, [])

    def copy(self) -> Self:
        """Another game that stands where this one does; neither follows the other."""
        other = copy(self)
        other.state = self.state.clone()
        other.moves, other._before, other._begun = self.moves[:], self._before[:], self._begun[:]
        return other

    def renamed(self, names: tuple[str, ...]) -> None:
        """Other people sit at the table: nothing else of the header ever changes."""
        self.header = self.header._replace(names=names)

    def undoable(self, seat: int) -> int:
        """How many of the last moves a seat (from 0) may take back: its own, up to what revealed something."""
        count = 0
        for move in reversed(self.moves):
            if move.seat != seat or move.barrier:
                break
            count += 1
        return count

    def undo(self, to: int) -> None:
        """Go back to where only the first `to` moves had been played."""
        back = len(self.moves) - to
        self._begun = []
        self._legal = None
        if back <= 0:
            return
        if back <= len(self._before):
            self.state = self._before[-back]
            self.moves, self._before = self.moves[:to], self._before[:-back]
            return
        kept = self.moves[:to]
        self.state, self.moves, self._before = self.header.deal(), [], []
        for move in kept:
            self.play(move)

    def text(self) -> str:
        """The record: canonical, so that the same game always prints the same text."""
        return self.header.text() + "\n" + "".join(f"{move.line()}\n" for move in self.moves)
