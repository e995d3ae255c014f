"""One game that is in memory: its position, what happened, who may do what. It sends and stores nothing itself."""

from collections import deque
from typing import Final, NamedTuple

from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.errors import Illegal
from projectl.core.legal import to_act
from projectl.core.lines import Decisions, legal_decisions, lines, text
from projectl.core.market import slot_of
from projectl.core.rules import SOLO
from projectl.core.score import result
from projectl.core.setup import new_game
from projectl.core.state import OVER, TOUCHES, State
from projectl.facts import barrier
from projectl.record import Header, Move, replay
from projectl.server.catalogue import setup_of
from projectl.server.clock import Watch
from projectl.server.errors import Refusal
from projectl.server.happened import facts_of
from projectl.server.messages import Clock, Event, Facts, SeatInfo, Table
from projectl.server.plan import Plan, decode_plan
from projectl.server.secret import fair_hash
from projectl.server.store import Row, SeatRow, Stored

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "over"
_REMEMBERED: Final = 16  # rows of the market that late actions are compared with
PLAYS_FOR_RESIGNED: Final = "greedy"
NOTHING: Final = Facts()
_IN_RECORDS: Final = str.maketrans("|#", "/♯")  # what a name in a record cannot hold


class Played(NamedTuple):
    """An action that stands: not taken back."""

    version: int
    seat: int  # from 0
    text: str
    barrier: str  # why it cannot be taken back; empty if it can


class Room:
    """A game, rebuilt from its header and events; every event goes through `happen`."""

    def __init__(self, stored: Stored) -> None:
        row = stored.row
        self.game = row.game
        self.created = row.created
        self.maker = row.maker
        self.salt = row.salt
        self.rematch = row.rematch
        self.plan: Plan = decode_plan(row.plan)
        self.header: Header = replay(row.header).header
        self.seats: list[SeatRow] = stored.seats
        self.keys: dict[str, tuple[int, ...]] = {}
        for key, seat in stored.keys:
            self.keys[key] = tuple(sorted({*self.keys.get(key, ()), seat}))
        self.state: State = self._first()
        self.played: list[Played] = []
        self.events: list[Event] = []
        self.ids: dict[tuple[int, str], int] = {}  # (seat, message id): version
        self.bots: dict[int, str] = {seat.seat: seat.bot for seat in stored.seats if seat.kind == "bot"}
        self.resigned: set[int] = set()
        self.winners: list[int] = []  # by resignation
        self.watch = Watch(self.plan.clock or Clock(), len(stored.seats))
        for bot in self.bots:
            self.watch.free(bot)
        self._rows: deque[tuple[int, tuple[int, ...]]] = deque(maxlen=_REMEMBERED)
        self._listed: tuple[int, dict[int, list[str]]] = (-1, {})
        self._remember()
        self.watch.turn(self.acting(), self.turn, self.created)  # unless a `begin` comes
        for happened in stored.events:
            self.happen(happened)

    def _first(self) -> State:
        return new_game(self.header.rules, self.header.seed, self.header.named)

    def _remember(self) -> None:
        self._rows.append((self.version, tuple(int(card) for card in self.state.row)))

    # --- what stands ----------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self.events[-1].version if self.events else 0

    @property
    def status(self) -> str:
        """waiting, playing or over."""
        if self.state.phase == OVER or self.winners:
            return FINISHED
        return WAITING if any(seat.kind == "open" for seat in self.seats) else PLAYING

    @property
    def last_at(self) -> float:
        """When something happened last."""
        return self.events[-1].at if self.events else self.created

    @property
    def turn(self) -> int:
        """A number that changes when a seat's turn is a new one; the touches are one."""
        return 2 * int(self.state.round) + int(self.state.phase == TOUCHES)

    def seats_of(self, key: str | None) -> tuple[int, ...]:
        """The seats (from 1) that belong to a key's hash."""
        return () if key is None else self.keys.get(key, ())

    def acting(self) -> list[int]:
        """The seats (from 1) that may act now."""
        return [seat + 1 for seat in to_act(self.state)] if self.status == PLAYING else []

    def bot_to_act(self) -> tuple[int, str] | None:
        """A seat (from 1) that a bot plays and that is to act, with the bot."""
        return next(((seat, self.bots[seat]) for seat in self.acting() if seat in self.bots), None)

    def legal_of(self, seat: int) -> list[str]:
        """The legal whole actions of a seat (from 1)."""
        version, listed = self._listed
        if version != self.version:
            listed = {}
            for actor, action, _ in lines(self.state) if self.status == PLAYING else ():
                listed.setdefault(actor + 1, []).append(action)
            self._listed = (self.version, listed)
        return listed.get(seat, [])

    def viewer_of(self, seats: tuple[int, ...]) -> int:
        """Whose view somebody with these seats sees: one that may act, else the one that acted last; 0: spectator."""
        if not seats:
            return 0
        acting = self.acting()
        for seat in seats:
            if seat in acting:
                return seat
        for event in reversed(self.played):
            if event.seat + 1 in seats:
                return event.seat + 1
        return seats[0]

    def undoable(self, seat: int) -> int:
        """How many actions a seat (from 1) can take back."""
        if not self.plan.undo or self.status != PLAYING or seat in self.bots:
            return 0
        count = 0
        for last in reversed(self.played):
            if last.seat + 1 != seat or last.barrier:
                break
            count += 1
        return count

    # --- what is asked for ----------------------------------------------------------------

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

    def check_running(self) -> None:
        """Refuse what needs a running game."""
        if self.status == WAITING:
            raise Refusal("waiting", "the game begins when every seat is taken")
        if self.status == FINISHED:
            raise Refusal("over", "the game is over")

    def check_action(self, seat: int, version: int, action: str) -> str:
        """The canonical text of an action that a seat (from 1) may play, having seen a version."""
        self.check_running()
        if seat in self.bots:
            raise Refusal("bot-seat", f"seat {seat} is played by a bot now", 403)
        return self.check_bot_action(seat, version, action)

    def check_bot_action(self, seat: int, version: int, action: str) -> str:
        """The same for a seat that a bot plays."""
        self.check_running()
        try:
            decisions = legal_decisions(self.state, seat - 1, action)
        except Illegal:
            if version < self.version:  # it may have been legal where the player saw it
                raise self._stale(version) from None
            raise
        if version != self.version:
            self._check_late(seat, version, decisions)
        return text(decisions, self.state.phase == TOUCHES)

    def _stale(self, version: int) -> Refusal:
        return Refusal("stale", f"the game has moved on: you saw version {version}, it is {self.version}")

    def _check_late(self, seat: int, version: int, decisions: Decisions) -> None:
        """What others did meanwhile may not have changed what the player chose from."""
        if version > self.version:
            raise Refusal("version", f"version {version} does not exist yet, the game is at {self.version}")
        for event in self.events[version:]:
            if event.text.startswith("say ") or event.text == "begin":
                continue
            if event.seat == seat or event.text.startswith("undo "):
                raise self._stale(version)
        now = tuple(int(card) for card in self.state.row)
        then = next((row for at, row in self._rows if at == version), None)
        slots = [slot for decision in decisions for slot in _chosen_from(decision, len(now))]
        if slots and (then is None or any(then[slot] != now[slot] for slot in slots)):
            raise self._stale(version)  # it takes or recycles cards that lie differently now

    def check_undo(self, seat: int, version: int, everything: bool) -> str:
        """The event that takes a seat's last action back, or all that can be."""
        self.check_running()
        if version != self.version:
            raise self._stale(version)
        if not self.plan.undo:
            raise Refusal("undo-off", "this table plays without undo", 403)
        count = self.undoable(seat)
        if not count:
            raise Refusal("undo", self._why_no_undo(seat))
        keep = len(self.played) - (count if everything else 1)
        return f"undo {self.played[keep - 1].version if keep else 0}"

    def _why_no_undo(self, seat: int) -> str:
        if not self.played:
            return "nothing has been played yet"
        last = self.played[-1]
        if last.seat + 1 != seat:
            return "another player has acted since"
        return f"`{last.text}` cannot be taken back: {last.barrier}"

    def check_resign(self, seat: int) -> str:
        """The event by which a seat gives up."""
        self.check_running()
        if seat in self.resigned:
            raise Refusal("resigned", f"seat {seat} has resigned already")
        return "resign"

    # --- what happens ---------------------------------------------------------------------

    def happen(self, row: Row) -> Event:
        """Carry an event out that is stored."""
        if row.version != self.version + 1:
            raise ValueError(f"version {row.version} after {self.version}")
        self.watch.advance(self.acting(), row.at)
        verb, _, rest = row.text.partition(" ")
        facts = NOTHING
        if verb == "undo":
            self._go_back(int(rest))
        elif verb == "resign":
            self._resign(row.seat)
        elif verb == "handover":
            self.bots[row.seat] = rest
            self.watch.free(row.seat)
        elif verb == "begin":
            self.watch.start()
        elif verb != "say":
            facts = self._play(row)
        event = Event(row.version, row.seat, row.text, row.at, facts) if facts != NOTHING else Event(*row[:4])
        self.events.append(event)
        if row.message:
            self.ids[row.seat, row.message] = row.version
        self._remember()
        self.watch.turn(self.acting(), self.turn, row.at)
        return event

    def _play(self, row: Row) -> Facts:
        before = self.state.clone()
        seat = row.seat - 1
        decisions = legal_decisions(self.state, seat, row.text)
        for decision in decisions:
            apply(self.state, decision, seat)
        move = Move(seat, row.text, decisions)
        self.played.append(Played(row.version, seat, row.text, barrier(before, self.state)))
        return facts_of(before, move, self.state)

    def _go_back(self, version: int) -> None:
        self.state = self._first()
        self.played = [played for played in self.played if played.version <= version]
        for played in self.played:
            for decision in legal_decisions(self.state, played.seat, played.text):
                apply(self.state, decision, played.seat)

    def _resign(self, seat: int) -> None:
        """A bot plays the seat on, which can no longer win; whoever is left alone has won."""
        self.resigned.add(seat)
        self.bots.setdefault(seat, PLAYS_FOR_RESIGNED)
        self.watch.free(seat)
        left = [row.seat for row in self.seats if row.seat not in self.resigned]
        if self.header.rules.kind == SOLO:
            self.winners = [2]
        elif len(left) == 1:
            self.winners = left

    # --- for messages ---------------------------------------------------------------------

    def seat_infos(self, online: set[int]) -> list[SeatInfo]:
        """Who sits where, as everybody may know."""
        return [
            SeatInfo(
                row.seat,
                "bot" if row.seat in self.bots else row.kind,
                row.name,
                row.colour,
                self.bots.get(row.seat, ""),
                row.seat in online,
                row.seat in self.resigned,
            )
            for row in self.seats
        ]

    def table(self, online: set[int]) -> Table:
        """The table without the position. The seed is shown only when the game is over."""
        over = self.status == FINISHED
        seed = self.header.seed or ""
        return Table(
            self.game,
            setup_of(self.header.rules),
            self.seat_infos(online),
            self.status,
            self.created,
            self.plan.clock,
            self.plan.public,
            self.plan.chat,
            self.plan.undo,
            fair_hash(seed, self.salt),
            seed if over else None,
            self.salt if over else None,
            self.plan.open_deck,
            self.rematch,
            self.winners or self._winners(),
        )

    def _winners(self) -> list[int]:
        """Where somebody resigned and the game went on: the best of those who did not."""
        found = result(self.state) if self.resigned else None
        if found is None:
            return []
        stayed = [seat for seat in range(len(self.seats)) if seat + 1 not in self.resigned]
        if not stayed:
            return []
        if any(seat in stayed for seat in found.winners):
            return [seat + 1 for seat in found.winners if seat in stayed]
        best = max(found.scores[seat] for seat in stayed)
        return [seat + 1 for seat in stayed if found.scores[seat] == best]

    def record(self) -> str:
        """The game as a record; with what proves the deck fair once it is over."""
        names = tuple(row.name.translate(_IN_RECORDS) or f"Seat {row.seat}" for row in self.seats)
        header = self.header._replace(names=names).text()
        comments = [f"# fair: {fair_hash(self.header.seed or '', self.salt)}", f"# salt: {self.salt}"]
        comments += [f"# seat {seat} resigned" for seat in sorted(self.resigned)]
        moves = "".join(f"{played.seat + 1} {played.text}\n" for played in self.played)
        return header + "\n".join(comments) + "\n\n" + moves


def _chosen_from(decision: int, slots: int) -> range:
    """The slots of the market whose cards a decision takes or recycles."""
    if actions.TAKE <= decision < actions.TAKE_TOP_WHITE:
        return range(slot_of(decision), slot_of(decision) + 1)
    return range(slots) if actions.RECYCLE <= decision < actions.ORDER_OF_FOUR else range(0)


def _writable(name: str) -> str:
    """A name without the signs that mean something in a record."""
    return name.replace("|", "/").replace("#", "\N{FULLWIDTH NUMBER SIGN}").strip()
