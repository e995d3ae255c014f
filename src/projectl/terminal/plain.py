"""The table without a screen: it prints sentences and reads lines."""

from collections.abc import Callable
from typing import Final

from rich.console import Console

from projectl.bots.action import bot_action
from projectl.core.errors import ProjectLError
from projectl.terminal.commands import Reply, Then, bot_trouble, farewell, obey, welcome
from projectl.terminal.draw import position
from projectl.terminal.help import DRAWN
from projectl.terminal.score import explanation
from projectl.terminal.sentences import pieces_words, position_words, turn_words
from projectl.terminal.session import Session

_BLANK: Final = "\n" * 40  # so that nobody reads the last person's view


class Leaving(Exception):
    """Somebody wants to quit, or there is nothing more to read."""


class PlainTable:
    """A game on standard input and output."""

    def __init__(self, table: Session, packs: list[str], read: Callable[[str], str] = input) -> None:
        self.table = table
        table.plain = True
        self.packs = packs
        self.read = read
        self.shown = (-1, -1)  # the round and the seat whose turn was printed last
        self.version = -1  # the position that was printed last

    def run(self) -> bool:
        """Play to the end, or until somebody leaves; False where that was by Ctrl-C."""
        interrupted = False
        print(f"Project L. {welcome(self.table)} `show` prints the position again, `{DRAWN}` draws it.")
        for n, name in enumerate(self.table.names):
            print(f"Seat {n + 1}: {name}, a {'bot' if self.table.seats[n].is_bot else 'person'}.")
        try:
            while not self.table.over:
                self._step()
            print("\n".join(explanation(self.table.state, self.table.names)))
        except (Leaving, EOFError, KeyboardInterrupt) as left:
            interrupted = isinstance(left, KeyboardInterrupt)
            print()
        self.table.store.keep(self.table.game.text())
        print("\n".join(farewell(self.table, self.packs)))
        return not interrupted

    def _step(self) -> None:
        bot = self.table.bot_to_act()
        if bot is None:
            self._show_turn()
            self._answer(self._ask())
        elif not self._let_play(bot):
            self._answer(self._ask())

    def _let_play(self, seat: int) -> bool:
        """A bot's whole action; False where it failed."""
        print(f"{self.table.names[seat]} is thinking ...")
        try:
            action = bot_action(self.table.bots[seat], self.table.state.clone(), seat)
            self._tell(self.table.play(seat, action).line)
            return True
        except ProjectLError as error:
            print(bot_trouble(self.table, seat, error))
            return False

    def _tell(self, line: str) -> None:
        print(f"{line}: {self.table.entries[-1].text}")
        if self.table.store.trouble:
            print(f"The game is not kept: {self.table.store.trouble}. `save FILE` writes it elsewhere.")

    def _show_turn(self) -> None:
        """The whole position where a turn begins, afterwards only what changes fastest."""
        self._hand_over(self.table.next_viewer())
        state, viewer = self.table.state, self.table.viewer
        now = (int(state.round), viewer)
        if now != self.shown:
            print("\n".join(["", *position_words(state, viewer, self.table.names)]))
            self.shown = now
        elif self.version != self.table.version:
            print(turn_words(state, self.table.names))
            print(f"Supply: {pieces_words(state.players[viewer].supply)}.")
        self.version = self.table.version

    def _hand_over(self, seat: int) -> None:
        """Ask before showing another person's view."""
        old = self.table.viewer
        if seat == old:
            return
        if self.table.hides(seat) or self.table.hides(old):
            print(_BLANK)
            if self.read(f"{self.table.names[seat]}, press Enter to see your view. ").strip() == "quit":
                raise Leaving
        self.table.viewer = seat

    def _ask(self) -> str:
        return self.read("> ")

    def _answer(self, line: str) -> None:
        if line.strip() == DRAWN:
            Console(highlight=False).print(position(self.table.game, self.table.viewer))
            return
        played = len(self.table.entries)
        reply = obey(self.table, line)
        if reply.text:
            print(reply.text)
        if len(self.table.entries) > played:
            self._tell(self.table.entries[-1].line)
        self._follow(reply)

    def _follow(self, reply: Reply) -> None:
        if reply.then == Then.QUIT:
            raise Leaving
        if reply.then == Then.VIEW:
            self._hand_over(reply.seat)
            self.shown = (-1, -1)
        if reply.then == Then.HINT:
            print("Thinking ...")
            try:
                print(self.table.advise(reply.seat))
            except ProjectLError as error:
                print(f"No hint: {error.sentence}.")
