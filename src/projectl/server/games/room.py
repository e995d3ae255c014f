"""One game that is in memory: its position, what happened, who may do what. It sends and stores nothing itself."""

from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from msgspec import UNSET

from projectl.core import actions
from projectl.core.errors import Illegal, ProjectLError
from projectl.core.legal import to_act
from projectl.core.notation import Decisions
from projectl.core.rules import RULES_VERSION, SOLO
from projectl.core.score import result
from projectl.core.state import OVER, TOUCHES, State
from projectl.facts import NOTHING, Facts
from projectl.game import Game
from projectl.header import Header, writable
from projectl.record import replay
from projectl.server.errors import Refusal
from projectl.server.games.clocks import Clocks
from projectl.server.games.events import (
    Advised,
    Arranged,
    Begun,
    Cancelled,
    Closed,
    Event,
    Expired,
    HandedOver,
    Mixed,
    Played,
    Rematched,
    Resigned,
    Said,
    Seated,
    SeatTaken,
    Undone,
    written,
)
from projectl.server.games.history import Part, before, news, taken_back
from projectl.server.games.settings import TableSettings, decode_settings
from projectl.server.http.messages import Clock, Happened
from projectl.server.secret import dealt_seed
from projectl.server.store.store import Row, SeatRow, Stored
from projectl.server.visible import seen

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "over"
_REMEMBERED: Final = 16  # rows of the market that late actions are compared with
PLAYS_FOR_RESIGNED: Final = "greedy"
# So that no table grows without end: what everybody loads is bounded for each seat.
MOST_PLAYED: Final = 10_000  # actions in a game
MOST_UNDONE: Final = 300  # for each seat
MOST_SAID: Final = 300
MOST_ARRANGED: Final = 500  # times at a table, before its game begins
OfPlay = Played | Undone | Resigned | HandedOver  # the others are about the table, and go on when a game is closed


class Room:
    """A game, rebuilt from its header and events. Checks answer with the event that may happen; `apply` carries it
    out, and nothing else changes a room."""

    def __init__(self, stored: Stored) -> None:
        row = stored.row
        self.id = row.game
        self.created = row.created
        self.maker = row.maker
        self.salt = row.salt
        self.rules = row.rules
        self.settings: TableSettings = decode_settings(row.plan)
        self.header: Header = replay(row.header).header
        self.seats: list[SeatRow] = stored.seats
        self.promised = self.header.seed or ""  # the seed that the table's hash is of
        self.luck: dict[int, str] = {}  # what seats put into the shuffle
        self.dealt = self.settings.dealt
        self.game = Game(self.header if self.dealt else self.header._replace(seed=None))  # which shows nothing
        self.versions: list[int] = []  # of the moves that stand
        self.log: list[Happened] = []  # all that happened: the event with version n is the n-th
        self.undone = taken_back((row.version, row.event) for row in stored.events)  # versions of actions
        self.undos: Counter[int] = Counter()  # by seat
        self.words: Counter[int] = Counter()
        self.arranged = 0
        self.ids: dict[tuple[int, str], int] = {}  # (seat, message id): version
        self.bots: dict[int, str] = {seat.seat: seat.bot for seat in stored.seats if seat.kind == "bot"}
        self.resigned: set[int] = set()
        self.winners: list[int] = []  # by resignation
        self.rematch: str | None = None
        self.expired = False  # nobody came
        self.cancelled = False  # before it began
        self.closed = ""  # why nothing is carried out any more
        self.not_done: list[Event] = []  # stored, and not carried out
        self.clocks = Clocks(self.settings.clock or Clock(), len(stored.seats))
        for bot in self.bots:
            self.clocks.free(bot)
        self._rows: deque[tuple[int, tuple[int, ...]]] = deque(maxlen=_REMEMBERED)
        self._remember()
        self.clocks.start(self.acting(), self.turn, self.created)
        for happened in stored.events:
            self.apply(happened)

    @property
    def state(self) -> State:
        """The position."""
        return self.game.state

    def _remember(self) -> None:
        self._rows.append((self.version, tuple(int(card) for card in self.state.row)))

    # --- what stands ----------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The number of the last event."""
        return len(self.log)

    @property
    def status(self) -> str:
        """waiting, playing or over."""
        if self.state.phase == OVER or self.winners or self.closed or self.expired or self.cancelled:
            return FINISHED
        return WAITING if self.open_seats() or self.unmixed() else PLAYING

    @property
    def daily_score(self) -> int | None:
        """How far ahead of the mastermind a daily solo game ended; None: it is none, or was not played to its end."""
        found = result(self.state) if self.settings.day and not self.resigned else None
        return None if found is None else found.scores[0] - found.scores[1]

    @property
    def turn(self) -> int:
        """A number that changes when a seat's turn is a new one; the touches are one."""
        return 2 * int(self.state.round) + int(self.state.phase == TOUCHES)

    def open_seats(self) -> list[int]:
        """The seats (from 1) that nobody has taken yet."""
        return [row.seat for row in self.seats if row.kind == "open"]

    def unmixed(self) -> bool:
        """Whether the cards wait for somebody to put something into the shuffle."""
        return self.settings.mix and not self.dealt and not self.luck

    def acting(self) -> list[int]:
        """The seats (from 1) that may act now."""
        return [seat + 1 for seat in to_act(self.state)] if self.status == PLAYING else []

    def has_people(self) -> bool:
        """Whether a person plays here, be they connected or not."""
        return any(row.kind == "person" and row.seat not in self.bots for row in self.seats)

    def bot_to_act(self) -> tuple[int, str] | None:
        """A seat (from 1) that a bot plays and that is to act, with the bot."""
        return next(((seat, self.bots[seat]) for seat in self.acting() if seat in self.bots), None)

    def legal_of(self, seat: int) -> list[str]:
        """The legal whole actions of a seat (from 1)."""
        return self.game.legal_texts(seat - 1) if self.status == PLAYING else []

    def viewer_of(self, seats: tuple[int, ...]) -> int:
        """Whose view somebody with these seats sees: one that may act, else the one that acted last; 0: spectator."""
        if not seats:
            return 0
        acting = self.acting()
        for seat in seats:
            if seat in acting:
                return seat
        for move in reversed(self.game.moves):
            if move.seat + 1 in seats:
                return move.seat + 1
        return seats[0]

    def undoable(self, seat: int) -> int:
        """How many actions a seat (from 1) can take back."""
        if not self.settings.undo or self.status != PLAYING or seat in self.bots or self.undos[seat] >= MOST_UNDONE:
            return 0
        return self.game.undoable(seat - 1)

    def news(self, since: int | None) -> Part:
        """What somebody lacks who has everything up to a version, or nothing."""
        return news(self.log, self.undone, since)

    def before(self, version: int) -> Part:
        """What happened before a version and still stands."""
        return before(self.log, self.undone, version)

    def seat_for(self, seats: tuple[int, ...], wanted: int | None) -> int:
        """The seat (from 1) that a message is for."""
        if not seats:
            raise Refusal("no-seat", "you have no seat at this table", 403)
        if wanted is not None:
            if wanted not in seats:
                raise Refusal("not-your-seat", f"seat {wanted} is not yours", 403)
            return wanted
        return next((seat for seat in seats if seat in self.acting()), seats[0])

    def done_before(self, seats: tuple[int, ...], message: str) -> int | None:
        """The version of what this message did already, if it did."""
        return next((self.ids[seat, message] for seat in seats if (seat, message) in self.ids), None)

    # --- what may happen ------------------------------------------------------------------

    def check_running(self) -> None:
        """Refuse what needs a running game."""
        if self.closed:
            raise Refusal("closed", self.closed)
        if self.status == WAITING:
            raise Refusal("waiting", self._why_waiting("the game begins"))
        if self.status == FINISHED:
            raise Refusal("over", "the game is over")

    def check_dealt(self) -> None:
        """Refuse what needs cards on the table."""
        if not self.dealt:
            raise Refusal("waiting", self._why_waiting("the cards are dealt"))

    def _why_waiting(self, what: str) -> str:
        if self.open_seats():
            return f"{what} when every seat is taken"
        return f"{what} when somebody at the table has put something into the shuffle"

    def check_mix(self, seat: int, luck: str) -> list[Event]:
        """A seat puts something into the shuffle, once, while the cards are not dealt."""
        if self.dealt:
            raise Refusal("dealt", "the cards are dealt already")
        if seat in self.luck:
            raise Refusal("mixed", f"seat {seat} has put something into the shuffle already")
        words = writable(luck)
        if not words:
            raise Refusal("luck", "there is nothing in this to put into the shuffle", 422, field="luck")
        return [Mixed(seat, words), *([Begun()] if self.unmixed() and not self.open_seats() else [])]

    def check_action(self, seat: int, version: int, action: str) -> Played:
        """An action that a seat (from 1) may play, having seen a version."""
        self.check_running()
        if seat in self.bots:
            raise Refusal("bot-seat", f"seat {seat} is played by a bot now", 403)
        if len(self.game.moves) >= MOST_PLAYED:
            raise Refusal("game-long", f"a game has at most {MOST_PLAYED} actions", about=str(MOST_PLAYED))
        return self.check_bot_action(seat, version, action)

    def check_bot_action(self, seat: int, version: int, action: str) -> Played:
        """The same for a seat that a bot plays."""
        self.check_running()
        try:
            move = self.game.check(seat - 1, action)
        except Illegal:
            if self._moved_since(version):  # it may have been legal where the player saw it
                raise self._stale(version) from None
            raise
        if version != self.version:
            self._check_late(seat, version, move.decisions)
        return Played.checked(move)

    def _moved_since(self, version: int) -> bool:
        return any(isinstance(happened.event, OfPlay) for happened in self.log[version:])

    def _stale(self, version: int) -> Refusal:
        return Refusal("stale", f"the game has moved on: you saw version {version}, it is {self.version}")

    def _check_late(self, seat: int, version: int, decisions: Decisions) -> None:
        """What others did meanwhile may not have changed what the player chose from."""
        if version > self.version:
            raise Refusal("version", f"version {version} does not exist yet, the game is at {self.version}")
        for happened in self.log[version:]:
            match happened.event:
                case Undone():
                    raise self._stale(version)
                case Played(acted) | Resigned(acted) | HandedOver(acted) if acted == seat:
                    raise self._stale(version)
        now = tuple(int(card) for card in self.state.row)
        then = next((row for at, row in self._rows if at == version), None)
        slots = [slot for decision in decisions for slot in _chosen_from(decision, len(now))]
        if slots and (then is None or any(then[slot] != now[slot] for slot in slots)):
            raise self._stale(version)  # it takes or recycles cards that lie differently now

    def check_undo(self, seat: int, version: int, everything: bool) -> Undone:
        """A seat takes its last action back, or all that can be."""
        self.check_running()
        if version != self.version:
            raise self._stale(version)
        if not self.settings.undo:
            raise Refusal("undo-off", "this table plays without undo", 403)
        if self.undos[seat] >= MOST_UNDONE:
            sentence = f"a seat takes back at most {MOST_UNDONE} times in a game"
            raise Refusal("undo-often", sentence, 429, about=str(MOST_UNDONE))
        count = self.undoable(seat)
        if not count:
            raise Refusal("undo", self._why_no_undo(seat))
        keep = len(self.versions) - (count if everything else 1)
        return Undone(seat, self.versions[keep - 1] if keep else 0)

    def _why_no_undo(self, seat: int) -> str:
        if not self.game.moves:
            return "nothing has been played yet"
        last = self.game.moves[-1]
        if last.seat + 1 != seat:
            return "another player has acted since"
        return f"`{last.text}` cannot be taken back: {last.barrier}"

    def check_resign(self, seat: int) -> Resigned:
        """A seat gives up."""
        self.check_running()
        if seat in self.resigned:
            raise Refusal("resigned", f"seat {seat} has resigned already")
        return Resigned(seat)

    def check_say(self, seat: int, text: str) -> Said:
        """A word at the table, on one line."""
        if not self.settings.chat:
            raise Refusal("chat-off", "this table plays without chat", 403)
        if self.words[seat] >= MOST_SAID:
            raise Refusal("chat-often", f"a seat says at most {MOST_SAID} things in a game", 429, about=str(MOST_SAID))
        words = seen(" ".join(text.split()))
        if not words:
            raise Refusal("unreadable", "there is nothing in this to say", 422, field="text")
        return Said(seat, words)

    def check_hint(self, seat: int, *, allowed: bool) -> Advised:
        """A seat asks for a hint."""
        self.check_running()
        if seat not in self.acting():
            raise Refusal("not-your-turn", "a hint is for the seat that is to act")
        if not allowed:
            raise Refusal("hints-off", "this table plays without hints", 403)
        return Advised(seat)

    def advised(self, seat: int) -> bool:
        """Whether a seat asked for a hint since somebody played."""
        for happened in reversed(self.log):
            if isinstance(happened.event, OfPlay):
                return False
            if happened.event == Advised(seat):
                return True
        return False

    def check_seat(self, seat: int, name: str, colour: str, luck: str = "") -> list[Event]:
        """Somebody sits down; with the last seat the game begins."""
        if self.expired:
            raise Refusal("expired", "this table waited too long for its players and is closed")
        if self.cancelled:
            raise Refusal("cancelled", "this table was cancelled before the game began")
        known = next((row for row in self.seats if row.seat == seat and row.kind == "open"), None)
        if known is None:
            raise Refusal("seat-taken", "somebody else took this seat a moment ago")
        taken = SeatTaken(seat, name or known.name, colour or known.colour, "" if self.dealt else writable(luck))
        waits = self.open_seats() != [seat] or (self.unmixed() and not taken.luck)
        return [taken] if waits else [taken, Begun()]

    def check_rematch(self, seat: int, game: str) -> Rematched:
        """A game that follows this one."""
        if self.status != FINISHED or self.expired or self.cancelled:
            raise Refusal("not-over", "the game is not over yet")
        return Rematched(seat, game)

    # --- what happens ---------------------------------------------------------------------

    def apply(self, row: Row) -> Happened:
        """Carry out an event that is stored. One that the rules no longer allow closes the game where it stands."""
        if row.version != self.version + 1:
            raise ValueError(f"version {row.version} after {self.version}")
        self.clocks.advance(self.acting(), row.at)
        facts = NOTHING
        if self.closed and isinstance(row.event, OfPlay):
            self.not_done.append(row.event)
        elif row.version not in self.undone:  # what was taken back is not played again only to be undone
            try:
                facts = self._carry_out(row)
            except ProjectLError as error:
                self.closed = self._why_closed(row, error)
                self.not_done.append(row.event)
        if not self.dealt and self.status != WAITING:
            self._deal()
        told = UNSET if facts == NOTHING else facts
        happened = Happened(row.version, row.at, row.event, told)
        self.log.append(happened)
        if row.message:
            self.ids[row.event.seat, row.message] = row.version
        self._remember()
        self.clocks.turn(self.acting(), self.turn, row.at)
        return happened

    def _carry_out(self, row: Row) -> Facts:
        match row.event:
            case Played() as event:
                return self._play(event, row)
            case Undone(seat, to):
                self.undos[seat] += 1
                self._go_back(to, row.at)
            case Resigned(seat):
                self._resign(seat)
            case HandedOver(seat, bot):
                self.bots[seat] = bot
                self.clocks.free(seat)
            case Mixed(seat, luck):
                self.luck[seat] = luck
            case SeatTaken(seat, name, colour, luck):
                if luck:
                    self.luck[seat] = luck
                self.seats = [
                    SeatRow(seat, "person", name, colour, "") if known.seat == seat else known for known in self.seats
                ]
            case Arranged(seats):
                self._arrange(seats)
            case Cancelled():
                self.cancelled = True
            case Begun():
                self.clocks.start(self.acting(), self.turn, row.at, row.version)
            case Expired():
                self.expired = True
            case Rematched(_, game):
                self.rematch = game
            case Closed(reason):
                self.closed = self.closed or reason
            case Advised():
                pass
            case Said(seat):
                self.words[seat] += 1
        return NOTHING

    def _deal(self) -> None:
        self.header = self.header._replace(seed=dealt_seed(self.promised, self.luck))
        self.game = Game(self.header)
        self.dealt = True

    def _play(self, event: Played, row: Row) -> Facts:
        move = self.game.play(event.move or self.game.check(event.seat - 1, event.action))
        self.versions.append(row.version)
        self.clocks.turn(self.acting(), self.turn, row.at)
        self.clocks.mark(row.version, event.seat, final=bool(move.barrier))
        return move.did

    def _go_back(self, version: int, now: float) -> None:
        while self.versions and self.versions[-1] > version:
            self.undone.add(self.versions.pop())
        self.game.undo(len(self.versions))
        self.clocks.go_back(version, self.acting(), self.turn, now)

    def _arrange(self, seats: Sequence[Seated]) -> None:
        self.arranged += 1
        self.seats = [SeatRow(n, one.kind, one.name, one.colour, one.bot) for n, one in enumerate(seats, 1)]
        self.bots = {row.seat: row.bot for row in self.seats if row.kind == "bot"}
        self.clocks.unlimited = set(self.bots)

    def _resign(self, seat: int) -> None:
        """A bot plays the seat on, which can no longer win; whoever is left alone has won."""
        self.resigned.add(seat)
        self.bots.setdefault(seat, PLAYS_FOR_RESIGNED)
        self.clocks.free(seat)
        left = [row.seat for row in self.seats if row.seat not in self.resigned]
        if self.header.rules.kind == SOLO:
            self.winners = [2]
        elif len(left) == 1:
            self.winners = left

    def _why_closed(self, row: Row, error: ProjectLError) -> str:
        since = "the rules were corrected since it began, and " if self.rules != RULES_VERSION else ""
        event = f"event {row.version}, `{written(row.event)}`, is not allowed"
        return f"this game ends where it stands: {since}{event} ({error.sentence})"


def _chosen_from(decision: int, slots: int) -> range:
    """The slots of the market whose cards a decision takes or recycles."""
    if actions.takes_face_up(decision):
        return range(actions.slot_of(decision), actions.slot_of(decision) + 1)
    return range(slots) if actions.is_recycle(decision) else range(0)
