"""A game at one keyboard: whose turn it is, what was played, what can be taken back. No screen is needed for it."""

import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

from projectl.bots import Bot, BotError, Look, look_at, make
from projectl.core.errors import Illegal, ProjectLError, Unreadable
from projectl.core.legal import to_act
from projectl.core.state import OVER, TOUCHES, State
from projectl.core.view import SPECTATOR, pile_open
from projectl.game import Game
from projectl.terminal.log import Entry, entry, history
from projectl.terminal.saved import SavedGame, check_overwritten, write
from projectl.terminal.seats import Seat, shown_names

ADVICE: Final = 2.0  # seconds for a hint


class Advice(Protocol):
    """The best rest of a turn, and why."""

    @property
    def lines(self) -> list[str]: ...
    @property
    def why(self) -> str: ...


Adviser = Callable[[Look, float], Advice]


def ask_adviser(look: Look, seconds: float) -> Advice:
    """The package's own adviser; it is loaded when somebody asks."""
    from projectl.bots.advice import hint

    return hint(look, seconds)


class Session:
    """One game, the seats around it and the log of what happened."""

    def __init__(self, game: Game, seats: tuple[Seat, ...], store: SavedGame, adviser: Adviser = ask_adviser) -> None:
        self.game = game
        self.seats = seats
        self.store = store
        self.adviser = adviser
        self.plain = False  # no screen: sentences are printed, lines are read
        self.version = 0  # changes with every position, so that late answers are known
        self.file: Path | None = None  # where somebody saved it last
        self.names = shown_names(seats)
        self.entries: list[Entry] = history(game, self.names)
        self.bots: dict[int, Bot] = {}
        for seat in range(len(seats)):
            self.renew_bot(seat)
        people = self.people()
        self.viewer = people[0] if people else SPECTATOR
        self._name_seats()

    @property
    def state(self) -> State:
        """Where the game stands."""
        return self.game.state

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.phase == OVER

    # --- seats ----------------------------------------------------------------------------

    def people(self) -> list[int]:
        """The seats that people have."""
        return [n for n, seat in enumerate(self.seats) if not seat.is_bot]

    def _name_seats(self) -> None:
        self.names = shown_names(self.seats)
        self.game.renamed(tuple(seat.spec for seat in self.seats))

    def renew_bot(self, seat: int) -> None:
        """A fresh bot for a seat: at the start, and where the old one may still be thinking of another position."""
        self.bots.pop(seat, None)
        if self.seats[seat].is_bot:
            seed = zlib.crc32(f"{self.game.header.seed}/{seat}/{self.version}".encode())
            self.bots[seat] = make(self.seats[seat].spec, seed)

    def reseat(self, number: int, who: Seat) -> None:
        """Somebody else takes over a seat."""
        old = self.seats
        self.seats = (*old[:number], who, *old[number + 1 :])
        try:
            self.renew_bot(number)
        except ProjectLError:
            self.seats = old
            raise
        if who.is_bot and self.viewer == number:
            self.viewer = SPECTATOR  # the view goes with the seat
        self._name_seats()
        self._changed()

    # --- whose turn -----------------------------------------------------------------------

    def people_to_act(self) -> list[int]:
        """The people who may act now."""
        return [seat for seat in to_act(self.state) if not self.seats[seat].is_bot]

    def bot_to_act(self) -> int | None:
        """The bot that acts next, if it is a bot's turn: in Line Clear in the order of R16, in the touches any."""
        actors = to_act(self.state)
        candidates = actors if self.state.phase == TOUCHES else actors[:1]
        return next((seat for seat in candidates if self.seats[seat].is_bot), None)

    def next_viewer(self) -> int:
        """Whose view belongs on the screen now: a person who may act, else whoever looked last."""
        people = self.people_to_act()
        if self.viewer in people or not people or self.bot_to_act() is not None:
            return self.viewer
        return people[0]

    def hides(self, seat: int) -> bool:
        """Whether a person's view shows something that another person at the keyboard may not see."""
        others = [other for other in self.people() if other != seat]
        secret = self.state.players[seat].pile > 0
        return secret and any(not pile_open(self.state, seat, other) for other in others)

    def seat_of(self, line: str) -> tuple[int, str]:
        """The seat that a typed line is for, and its action without the seat number."""
        number, _, rest = line.partition(" ")
        if number.isascii() and number.isdigit():
            seat = int(number[:9]) - 1
            if 0 <= seat < len(self.seats) and self.seats[seat].is_bot:
                raise Illegal("seat", f"seat {seat + 1} is {self.names[seat]}, a bot, and decides for itself")
            return seat, rest.strip()
        people = self.people_to_act()
        if len(people) > 1 and self.state.phase != TOUCHES:
            seats = " and ".join(str(seat + 1) for seat in people)
            raise Unreadable("seat", f"seats {seats} may act: put the seat number first, as `{people[0] + 1} {line}`")
        if not people:
            raise Illegal("seat", "the game is over" if self.over else f"{self.whose_turn()} to act now")
        return (self.viewer if self.viewer in people else people[0]), line

    def whose_turn(self) -> str:
        """`Ana is`, `Ana or Bo are`: the subject of a sentence."""
        who = [self.names[seat] for seat in to_act(self.state)]
        return f"{' or '.join(who)} {'is' if len(who) == 1 and who[0] != 'You' else 'are'}"

    # --- playing --------------------------------------------------------------------------

    def play(self, seat: int, action: str) -> Entry:
        """Play a whole action, checked; log it and keep the game."""
        before = self.state.clone()
        move = self.game.play(self.game.check(seat, action))
        found = entry(before, move, self.state, self.names)
        self.entries.append(found)
        self._changed()
        return found

    def _changed(self) -> None:
        self.version += 1
        self.store.keep(self.game.text())

    def undo(self) -> str:
        """Take the last action back: a person's, and only if nothing hidden came to light. The action as it was."""
        if not self.game.moves:
            raise Illegal("undo", "nothing has been played yet")
        move = self.game.moves[-1]
        if self.seats[move.seat].is_bot:
            name = self.names[move.seat]
            raise Illegal("undo-other", f"the last action is {name}'s, and only your own can be taken back")
        if move.barrier:
            raise Illegal("undo-revealed", f"{move.text} cannot be taken back: {move.barrier}")
        self.game.undo(len(self.game.moves) - 1)
        self.entries.pop()
        self._changed()
        return move.text

    def legal_texts(self, seat: int) -> list[str]:
        """The legal whole actions of a seat; Master, Ambassador and Ghost with one placement at most."""
        return self.game.legal_texts(seat)

    # --- asking ---------------------------------------------------------------------------

    def advise(self, seat: int, seconds: float = ADVICE) -> str:
        """The best rest of the turn for a seat, with the reason."""
        return hint_text(self.adviser, look_at(self.state, seat, seconds), seconds)

    # --- keeping --------------------------------------------------------------------------

    def save(self, file: str) -> Path:
        """Write the record where somebody wants it; without a name, where it was written last."""
        if not file and not self.file:
            raise Unreadable("file", "which file? As `save game.pln`")
        path = self.file if not file else _expanded(file)
        assert path is not None
        if path != self.file:
            check_overwritten(path)
        write(path, self.game.text())
        self.file = path
        return path


def _expanded(file: str) -> Path:
    with suppress(RuntimeError):  # no home is known: the name counts as it is
        return Path(file).expanduser()
    return Path(file)


def hint_text(adviser: Adviser, look: Look, seconds: float) -> str:
    """What an adviser says about a look, as text."""
    try:
        found = adviser(look, seconds)
    except ProjectLError:
        raise
    except Exception as error:  # an adviser may be anybody's program
        raise BotError("hint", f"the adviser failed: {type(error).__name__}: {error}") from None
    return "\n".join([*found.lines, found.why])
