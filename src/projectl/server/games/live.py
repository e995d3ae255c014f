"""A game in memory with the people who follow it, and what they are told."""

import asyncio
import time
from typing import Final, Protocol

import msgspec

from projectl.core.view import EVERYTHING, view
from projectl.server.games.events import Advised, Played, Said, Undone
from projectl.server.games.room import FINISHED, Room
from projectl.server.games.seats import Holders
from projectl.server.games.shown import table_of, undealt
from projectl.server.http.messages import Happened, Refused, Table, Tabled, Update, encode
from projectl.server.store.store import GameStanding, Stored
from projectl.server.workers import Asker

_encode_view: Final = msgspec.json.Encoder().encode
ORDINARY: Final = 300  # events of a game
NOWHERE: Final = "nowhere"  # the address of a table at which nobody is


Kind = tuple[tuple[int, ...], bool, int | None, bool]  # followers that are told the same


class Follower(Protocol):
    """A connection that follows a game."""

    key: str | None  # the hash of the client's key
    address: str
    seats: tuple[int, ...]  # from 1; empty: a spectator
    legal: bool  # whether it wants the legal actions
    version: int | None  # the last one it was sent, or had when it came; None: it has nothing yet
    away: bool  # it promised to be heard of, and was not

    def push(self, data: bytes) -> None:
        """Send without waiting."""
        ...


class LiveGame:
    """A room with the people in it."""

    def __init__(self, stored: Stored, room: Room) -> None:
        self.room = room
        self.holders = Holders(stored.keys)
        self.lock = asyncio.Lock()
        self.followers: set[Follower] = set()
        self.elsewhere: dict[str, list[int]] = {}  # by process: seats that are connected to it
        self.idle_since = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None
        self.thinking: asyncio.Task[None] | None = None
        row = stored.row
        self.stands = GameStanding(row.status, row.due, row.summary, row.score)  # as the store has it
        self._summed = (-1, "", "")  # version, status, summary

    def here(self) -> list[int]:
        """The seats (from 1) that are connected to this process."""
        return sorted({seat for follower in self.followers if not follower.away for seat in follower.seats})

    def wanted(self) -> bool:
        """Whether bots play on: for a person at the table, or somebody whose table it is and who watches."""
        if self.room.has_people():
            return True
        return any(follower.seats or follower.key == self.room.maker for follower in self.followers)

    @property
    def weight(self) -> int:
        """What it takes in memory; a game of ordinary length 1."""
        return 1 + self.room.version // ORDINARY

    def asker(self) -> Asker:
        """For whom its bots think: its owner, where one of its people is. Tables with nobody there are one place."""
        there = (follower.address for follower in self.followers if follower.seats or follower.key == self.room.maker)
        return Asker(self.room.maker, min(there, default=NOWHERE))

    def online(self) -> set[int]:
        """The seats that somebody is connected for, anywhere."""
        return set(self.here()).union(*self.elsewhere.values())

    @property
    def hints(self) -> bool:
        """Whether hints may be asked for: between people only where the table allows it."""
        settings = self.room.settings
        return settings.hints or not (settings.day or self.holders.people() or self.room.open_seats())

    def table(self) -> Table:
        """The table as everybody may know it."""
        return table_of(self.room, self.online(), hints=self.hints)

    def summary(self) -> str:
        """The table for the lists, as JSON; who is there just now is not in it."""
        version, status, text = self._summed
        room = self.room
        if status != room.status or any(map(_changes_table, room.log[version:])):
            text = encode(table_of(room, set(), hints=self.hints)).decode()
        self._summed = (room.version, room.status, text)
        return text

    def hold(self, key: str, seat: int) -> None:
        """A key holds one more seat."""
        self.holders.add(key, seat)
        self._reseat()

    def held_by(self, holders: Holders) -> None:
        """Seats were taken at another process."""
        self.holders = holders
        self._reseat()

    def _reseat(self) -> None:
        for follower in self.followers:
            follower.seats = self.holders.seats_of(follower.key)

    def rebuild(self, stored: Stored, room: Room) -> None:
        """Begin again from what is stored."""
        self.room = room
        self.held_by(Holders(stored.keys))

    def stop_timer(self) -> None:
        """No clock rings any more."""
        if self.timer:
            self.timer.cancel()
            self.timer = None

    # --- telling --------------------------------------------------------------------------

    def state_for(self, follower: Follower, now: float, *, with_table: bool = False) -> bytes:
        """The `state` message for somebody."""
        return encode(self._state(*self._kind(follower), now, with_table, {}))

    def _kind(self, follower: Follower) -> Kind:
        return follower.seats, follower.legal, follower.version, follower.key == self.room.maker

    def tell(self, now: float) -> None:
        """Everybody gets what is new, each from their own seat."""
        messages: dict[Kind, bytes] = {}
        views: dict[int, msgspec.Raw] = {}
        ended = self.room.status != self.stands.status
        for follower in self.followers:
            kind = self._kind(follower)
            if kind not in messages:
                table = ended or any(map(_changes_table, self.room.log[follower.version or 0 :]))
                messages[kind] = encode(self._state(*kind, now, table, views))
            follower.version = self.room.version
            follower.push(messages[kind])

    def tell_table(self, but: Follower | None = None) -> None:
        """Something about the table changed, not about the game."""
        data = encode(Tabled(self.room.id, self.table()))
        for follower in self.followers:
            if follower is not but:
                follower.push(data)

    def tell_deleted(self) -> None:
        """The game is no longer there."""
        data = encode(Refused("no-game", "there is no such game", self.room.id))
        for follower in self.followers:
            follower.push(data)
        self.followers.clear()

    def _state(
        self,
        seats: tuple[int, ...],
        legal: bool,
        since: int | None,
        host: bool,
        now: float,
        with_table: bool,
        views: dict[int, msgspec.Raw],
    ) -> Update:
        room = self.room
        viewer = room.viewer_of(seats)
        if viewer not in views:
            # All is open once a game is over, also when it was given up (R44).
            given_up = [seat - 1 for seat in room.winners] or None
            seen = view(room.state, EVERYTHING if room.status == FINISHED else viewer - 1, given_up)
            views[viewer] = msgspec.Raw(_encode_view(seen if room.dealt else undealt(seen)))
        acting = [seat for seat in room.acting() if seat in seats and seat not in room.bots]
        times = {str(row.seat): room.clocks.left(row.seat, now) for row in room.seats} if room.clocks.runs else {}
        history = room.news(since)
        return Update(
            room.id,
            room.version,
            history.events,
            list(seats),
            viewer,
            views[viewer],  # type: ignore[arg-type]  # encoded once for all who see the same
            {str(seat): room.legal_of(seat) for seat in acting} if legal else {},
            {str(seat): count for seat in seats if (count := room.undoable(seat))},
            {seat: round(left, 1) for seat, left in times.items() if left is not None},
            self.table() if with_table else msgspec.UNSET,
            history.earlier,
            host,
        )


def _changes_table(happened: Happened) -> bool:
    return not isinstance(happened.event, Played | Undone | Said | Advised)
