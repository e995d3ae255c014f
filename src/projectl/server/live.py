"""A game in memory with the people who follow it, and what they are told."""

import asyncio
import time
from typing import Final, Protocol

import msgspec

from projectl.core.view import EVERYTHING, view
from projectl.server.messages import Event, State, Table, Tabled, encode
from projectl.server.room import FINISHED, PLAYING, Room

_encode_view: Final = msgspec.json.Encoder().encode


class Follower(Protocol):
    """A connection that follows a game."""

    key: str | None  # the hash of the client's key
    seats: tuple[int, ...]  # from 1; empty: a spectator
    legal: bool  # whether it wants the legal actions
    version: int  # the last one it was sent

    def push(self, data: bytes) -> None:
        """Send without waiting."""
        ...


class Live:
    """A room with the people in it."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.lock = asyncio.Lock()
        self.followers: set[Follower] = set()
        self.elsewhere: dict[str, list[int]] = {}  # by process: seats that are connected to it
        self.idle_since = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None
        self.thinking: asyncio.Task[None] | None = None
        self.stored = (room.status, None if room.status != PLAYING else 0.0)

    def here(self) -> list[int]:
        """The seats (from 1) that are connected to this process."""
        return sorted({seat for follower in self.followers for seat in follower.seats})

    def online(self) -> set[int]:
        """The seats that somebody is connected for, anywhere."""
        return set(self.here()).union(*self.elsewhere.values())

    def table(self) -> Table:
        """The table as everybody may know it."""
        return self.room.table(self.online())

    def reseat(self) -> None:
        """Seats were taken: connections may hold more of them now."""
        for follower in self.followers:
            follower.seats = self.room.seats_of(follower.key)

    # --- telling --------------------------------------------------------------------------

    def state_for(self, follower: Follower, now: float, *, with_table: bool = False) -> bytes:
        """The `state` message for somebody."""
        return encode(self._state(follower.seats, follower.legal, follower.version, now, with_table, {}))

    def tell(self, now: float) -> None:
        """Everybody gets what is new, each from their own seat."""
        messages: dict[tuple[tuple[int, ...], bool, int], bytes] = {}
        views: dict[int, msgspec.Raw] = {}
        ended = self.room.status != self.stored[0]
        for follower in self.followers:
            kind = (follower.seats, follower.legal, follower.version)
            if kind not in messages:
                table = ended or any(_changes_table(event) for event in self.room.events[follower.version :])
                messages[kind] = encode(self._state(*kind, now, table, views))
            follower.version = self.room.version
            follower.push(messages[kind])

    def tell_begun(self, now: float) -> None:
        """The last seat was taken: now there is something to choose from."""
        for follower in self.followers:
            follower.push(self.state_for(follower, now, with_table=True))

    def tell_table(self, but: Follower | None = None) -> None:
        """Something about the table changed, not about the game."""
        data = encode(Tabled(self.room.game, self.table()))
        for follower in self.followers:
            if follower is not but:
                follower.push(data)

    def _state(
        self,
        seats: tuple[int, ...],
        legal: bool,
        since: int,
        now: float,
        with_table: bool,
        views: dict[int, msgspec.Raw],
    ) -> State:
        room = self.room
        viewer = room.viewer_of(seats)
        if viewer not in views:
            # All is open once a game is over, also when it was given up (R44).
            views[viewer] = msgspec.Raw(
                _encode_view(view(room.state, EVERYTHING if room.status == FINISHED else viewer - 1))
            )
        acting = [seat for seat in room.acting() if seat in seats and seat not in room.bots]
        times = {str(row.seat): room.watch.left(row.seat, now) for row in room.seats} if room.watch.runs else {}
        return State(
            room.game,
            room.version,
            room.events[since:],
            list(seats),
            viewer,
            views[viewer],  # type: ignore[arg-type]  # encoded once for all who see the same
            {str(seat): room.legal_of(seat) for seat in acting} if legal else {},
            {str(seat): count for seat in seats if (count := room.undoable(seat))},
            {seat: round(left, 1) for seat, left in times.items() if left is not None},
            self.table() if with_table else msgspec.UNSET,
        )


def _changes_table(event: Event) -> bool:
    return event.text == "resign" or event.text.startswith("handover ")
