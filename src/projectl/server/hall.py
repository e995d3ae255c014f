"""All games that are in memory: they are loaded, changed one event at a time, shown to whoever follows them."""

import asyncio
import contextlib
import logging
import os
import time
import zlib
from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol

import msgspec

from projectl.core.errors import ProjectLError
from projectl.core.view import view
from projectl.server.bus import Bus, News
from projectl.server.errors import Refusal
from projectl.server.messages import Act, Chat, Done, Event, Resign, State, Table, Tabled, Undo, encode
from projectl.server.metrics import Metrics
from projectl.server.room import PLAYING, PLAYS_FOR_RESIGNED, WAITING, Room
from projectl.server.store import Row, SeatRow, Store
from projectl.server.thinkers import Thinkers

log: Final = logging.getLogger("projectl.hall")

KEPT: Final = 60.0  # seconds that a game stays in memory after the last one left
SWEEP: Final = 5.0  # seconds between looks for games whose time has run out
BOT_GRACE: Final = 30.0  # after this a bot's turn is taken up by any process
BOT_LIMIT: Final = 60.0  # a bot that has not answered by now never will
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
        self.elsewhere: dict[str, list[int]] = {}  # seats with connections at other processes
        self.idle_since = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None
        self.thinking: asyncio.Task[None] | None = None
        self.stored = (room.status, None if room.status != PLAYING else 0.0)

    def online(self) -> set[int]:
        """The seats (from 1) that somebody is connected for."""
        return set(self.here()).union(*self.elsewhere.values())

    def here(self) -> list[int]:
        """The seats that are connected to this process."""
        return sorted({seat for follower in self.followers for seat in follower.seats})

    def table(self) -> Table:
        """The table as everybody may know it."""
        return self.room.table(self.online())


class Hall:
    """The authority over all games of this process; the store decides between processes."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        thinkers: Thinkers,
        metrics: Metrics,
        *,
        bot_pause: float = 0.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.bus = bus
        self.thinkers = thinkers
        self.metrics = metrics
        self.bot_pause = bot_pause
        self.now = now
        self.worker = f"{os.getpid()}-{os.urandom(4).hex()}"
        self.lives: dict[str, Live] = {}
        self.analysing = asyncio.Lock()
        self._loading: dict[str, asyncio.Future[Live]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Hear the other processes, and look after clocks and bots."""
        await self.bus.start(self._hear)
        self._spawn(self._sweep())

    async def close(self) -> None:
        """Stop all that runs by itself. What was acknowledged is in the store."""
        for live in self.lives.values():
            if live.timer:
                live.timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.thinkers.close()
        await self.bus.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a task failed", exc_info=task.exception())

    # --- in and out of memory -------------------------------------------------------------

    async def get(self, game: str) -> Live:
        """A game, loaded if need be."""
        live = self.lives.get(game)
        if live is not None:
            live.idle_since = time.monotonic()
            return live
        loading = self._loading.get(game)
        if loading is None:
            loading = asyncio.ensure_future(self._load(game))
            self._loading[game] = loading
            loading.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(loading)

    async def _load(self, game: str) -> Live:
        stored = await self.store.load(game)
        if stored is None:
            raise Refusal("no-game", "there is no such game", 404)
        live = Live(Room(stored))
        live.stored = (stored.row.status, stored.row.due)
        self.lives[game] = live
        self._carry_on(live)
        return live

    def _forget_idle(self) -> None:
        limit = time.monotonic() - KEPT
        for game, live in list(self.lives.items()):
            if live.followers or live.lock.locked() or live.thinking or live.idle_since > limit:
                continue
            if live.timer:
                live.timer.cancel()
            del self.lives[game]

    async def _sweep(self) -> None:
        while True:
            try:
                for game in await self.store.games_due(self.now()):
                    await self._look_after(game)
            except Exception:  # the store may come back
                log.exception("the sweep failed")
            self._forget_idle()
            await asyncio.sleep(SWEEP)

    async def _look_after(self, game: str) -> None:
        try:
            self._carry_on(await self.get(game))
        except ProjectLError as error:  # it holds no other game up
            log.error("game %s cannot be carried on: %s", game, error)

    async def _hear(self, news: News) -> None:
        if not news.game:
            await self._catch_up_all()
            return
        live = self.lives.get(news.game)
        if live is None and news.game in self._loading:  # what was read may be older than the news
            live = await self.get(news.game)
        if news.worker == self.worker or live is None:
            return
        if news.online is not None:
            if news.worker not in live.elsewhere:  # it does not know who is here
                self.bus.publish(News(self.worker, live.room.game, online=live.here()))
            live.elsewhere[news.worker] = news.online
        waited = live.room.status == WAITING
        async with live.lock:
            if news.table:
                await self._reload_table(live)
            await self._catch_up(live)
        if news.table or news.online is not None:
            self._tell_table(live)
        if waited and live.room.status == PLAYING:
            self._tell_begun(live)
            self._carry_on(live)

    async def _catch_up_all(self) -> None:
        """News may have been lost."""
        for live in list(self.lives.values()):
            await self._hear(News("", live.room.game, table=live.room.status == WAITING))
            if live.here():
                self.bus.publish(News(self.worker, live.room.game, online=live.here()))

    async def _rebuild(self, live: Live) -> None:
        stored = await self.store.load(live.room.game)
        assert stored is not None
        live.room = Room(stored)

    async def _reload_table(self, live: Live) -> None:
        stored = await self.store.load(live.room.game)
        if stored is not None:
            room = Room(stored)
            live.room.seats, live.room.keys, live.room.rematch = room.seats, room.keys, room.rematch
            self._reseat(live)

    def _reseat(self, live: Live) -> None:
        """Seats were taken: the game may have begun."""
        for follower in live.followers:
            follower.seats = live.room.seats_of(follower.key)
        if not live.room.watch.began:
            live.room.watch.turn(live.room.acting(), live.room.turn, self.now())

    async def _catch_up(self, live: Live) -> None:
        """Carry out what other processes stored."""
        rows = await self.store.events(live.room.game, live.room.version)
        if rows:
            for row in rows:
                live.room.happen(row)
            self._tell(live)
            self._carry_on(live, bots=False)  # the process that stored the event asks them

    # --- following ------------------------------------------------------------------------

    async def follow(self, game: str, follower: Follower, since: int | None) -> None:
        """Begin to send a game's events; first all that the client lacks."""
        live = await self.get(game)
        if since is not None and since > live.room.version:  # seen at another process
            async with live.lock:
                await self._catch_up(live)
        follower.seats = live.room.seats_of(follower.key)
        follower.version = min(since or 0, live.room.version)
        live.followers.add(follower)  # so that it sees itself at the table
        follower.push(self.state_for(live, follower, with_table=True))
        follower.version = live.room.version
        self._presence(live, follower)

    def leave(self, game: str, follower: Follower) -> None:
        """Send no more."""
        live = self.lives.get(game)
        if live is not None and follower in live.followers:
            live.followers.discard(follower)
            live.idle_since = time.monotonic()
            self._presence(live, follower)

    def _presence(self, live: Live, follower: Follower) -> None:
        if follower.seats:
            self.bus.publish(News(self.worker, live.room.game, online=live.here()))
            self._tell_table(live, but=follower)

    def state_for(self, live: Live, follower: Follower, *, with_table: bool = False) -> bytes:
        """The `state` message for somebody."""
        return encode(self._state(live, follower.seats, follower.legal, follower.version, with_table, {}))

    def _state(
        self,
        live: Live,
        seats: tuple[int, ...],
        legal: bool,
        since: int,
        with_table: bool,
        views: dict[int, msgspec.Raw],
    ) -> State:
        room = live.room
        viewer = room.viewer_of(seats)
        if viewer not in views:
            views[viewer] = msgspec.Raw(_encode_view(view(room.state, viewer - 1)))
        acting = room.acting()
        now = self.now()
        times = {str(row.seat): room.watch.left(row.seat, now) for row in room.seats} if room.watch.runs else {}
        return State(
            room.game,
            room.version,
            room.events[since:],
            list(seats),
            viewer,
            views[viewer],  # type: ignore[arg-type]  # encoded once for all who see the same
            {str(seat): room.legal_of(seat) for seat in seats if seat in acting and seat not in room.bots}
            if legal
            else {},
            {str(seat): count for seat in seats if (count := room.undoable(seat))},
            {seat: round(left, 1) for seat, left in times.items() if left is not None},
            live.table() if with_table else msgspec.UNSET,
        )

    def _tell(self, live: Live) -> None:
        """Everybody gets what is new, each from their own seat."""
        messages: dict[tuple[tuple[int, ...], bool, int], bytes] = {}
        views: dict[int, msgspec.Raw] = {}
        ended = live.room.status != live.stored[0]
        for follower in live.followers:
            kind = (follower.seats, follower.legal, follower.version)
            if kind not in messages:
                table = ended or any(_changes_table(event) for event in live.room.events[follower.version :])
                messages[kind] = encode(self._state(live, *kind, table, views))
            follower.version = live.room.version
            follower.push(messages[kind])

    def _tell_table(self, live: Live, but: Follower | None = None) -> None:
        data = encode(Tabled(live.room.game, live.table()))
        for follower in live.followers:
            if follower is not but:
                follower.push(data)

    # --- changing -------------------------------------------------------------------------

    async def act(self, message: Act, key: str | None) -> Done:
        """Play an action."""
        return await self._change(
            message.game,
            key,
            message.id,
            message.seat,
            lambda room, seat: room.check_action(seat, message.version, message.action),
            message.version,
        )

    async def undo(self, message: Undo, key: str | None) -> Done:
        """Take back."""
        return await self._change(
            message.game,
            key,
            message.id,
            message.seat,
            lambda room, seat: room.check_undo(seat, message.version, message.all),
            message.version,
        )

    async def resign(self, message: Resign, key: str | None) -> Done:
        """Give up."""
        return await self._change(
            message.game, key, message.id, message.seat, lambda room, seat: room.check_resign(seat)
        )

    async def chat(self, message: Chat, key: str | None) -> Done:
        """Say something."""

        def check(room: Room, seat: int) -> str:
            if not room.plan.chat:
                raise Refusal("chat-off", "this table plays without chat", 403)
            return f"say {' '.join(message.text.split())}"

        return await self._change(message.game, key, message.id, message.seat, check)

    async def _change(
        self,
        game: str,
        key: str | None,
        message: str,
        wanted: int | None,
        check: Callable[[Room, int], str],
        version: int = 0,
    ) -> Done:
        live = await self.get(game)
        begin = time.perf_counter()
        async with live.lock:
            if version > live.room.version:  # seen at another process
                await self._catch_up(live)
            seats = live.room.seats_of(key)
            before = live.room.done_before(seats, message)
            if before is not None:
                return Done(game, message, before)
            seat = live.room.seat_for(seats, wanted)
            text = check(live.room, seat)
            event = await self._store(live, seat, text, message)
        self.metrics.action(time.perf_counter() - begin)
        return Done(game, message, event.version)

    async def _store(self, live: Live, seat: int, text: str, message: str) -> Event:
        """Durable first, then carried out, then told. The caller holds the lock."""
        room = live.room
        row = Row(room.version + 1, seat, text, self.now(), message)
        if not await self.store.append(room.game, row):
            await self._catch_up(live)
            if (seat, message) in room.ids:  # the same message, through another process
                return room.events[room.ids[seat, message] - 1]
            raise Refusal("stale", f"somebody else acted first; the game is at version {room.version} now")
        try:
            event = room.happen(row)
        except Exception:  # it is stored, so it counts: the game is built anew from the store
            log.exception("an event could not be carried out in game %s", room.game)
            await self._rebuild(live)
            event = live.room.events[row.version - 1]
        self._tell(live)
        self.bus.publish(News(self.worker, room.game))
        self._carry_on(live)
        return event

    # --- what the server does by itself ---------------------------------------------------

    def _carry_on(self, live: Live, *, bots: bool = True) -> None:
        """After every change: start bots and timers, note when the game must be looked at again."""
        room = live.room
        now = self.now()
        if live.timer:
            live.timer.cancel()
            live.timer = None
        due: float | None = None
        if room.status == PLAYING:
            if room.watch.runs and not room.watch.began:
                room.watch.turn(room.acting(), room.turn, room.last_at)
            out = room.watch.next_out(now) if room.watch.runs else None
            if out is not None:
                due = out[0]
                delay = max(0.0, due - now)
                live.timer = asyncio.get_running_loop().call_later(delay, self._ring, live)
            if room.bot_to_act():
                due = min(due or now + BOT_GRACE, now + BOT_GRACE)
                if bots and live.thinking is None:
                    live.thinking = self._spawn(self._play_bots(live))
        self._note(live, room.status, due)

    def _note(self, live: Live, status: str, due: float | None) -> None:
        if (status, due) != live.stored:
            live.stored = (status, due)
            self._spawn(self.store.set_status(live.room.game, status, due))

    def _ring(self, live: Live) -> None:
        live.timer = None
        self._spawn(self._out_of_time(live))

    async def _out_of_time(self, live: Live) -> None:
        async with live.lock:
            room = live.room
            out = room.watch.next_out(self.now())
            if room.status != PLAYING or out is None:
                return
            if out[0] > self.now() + 0.01:
                self._carry_on(live)
                return
            out_of_time = room.watch.clock.out
            text = "resign" if out_of_time == "resign" else f"handover {out_of_time}"
            with contextlib.suppress(Refusal):  # another process was quicker
                await self._store(live, out[1], text, f"clock-{room.version}")

    async def _play_bots(self, live: Live) -> None:
        """Ask bots until none is to act."""
        try:
            while (asked := live.room.bot_to_act()) is not None:
                await self._ask(live, *asked)
        finally:
            live.thinking = None

    async def _ask(self, live: Live, seat: int, spec: str) -> None:
        room = live.room
        version = room.version
        seed = zlib.crc32(f"{room.game}/{version}/{seat}".encode())
        begin = self.now()
        try:
            action = await asyncio.wait_for(self.thinkers.act(spec, room.state, seat - 1, seed), BOT_LIMIT)
        except Exception as error:  # a bot may be anybody's program
            await self._bot_failed(live, seat, spec, error)
            return
        await asyncio.sleep(max(0.0, self.bot_pause - (self.now() - begin)))
        async with live.lock:
            if room.bot_to_act() != (seat, spec):
                return
            try:
                text = room.check_bot_action(seat, version, action)
                await self._store(live, seat, text, f"bot-{version}")
                return
            except ProjectLError as error:
                if room.version != version:  # others acted meanwhile: it is asked again
                    return
                failure = error
        await self._bot_failed(live, seat, spec, failure)

    async def _bot_failed(self, live: Live, seat: int, spec: str, error: Exception) -> None:
        log.error("the bot %s failed in game %s: %s", spec, live.room.game, error)
        if spec == PLAYS_FOR_RESIGNED:
            await asyncio.sleep(BOT_GRACE)
            return
        async with live.lock:
            if live.room.bots.get(seat) == spec:
                with contextlib.suppress(Refusal):
                    await self._store(live, seat, f"handover {PLAYS_FOR_RESIGNED}", f"failed-{live.room.version}")

    # --- seats ----------------------------------------------------------------------------

    async def seat_taken(self, game: str, row: SeatRow, key: str) -> None:
        """Somebody sat down: stored already, now everybody hears of it."""
        live = await self.get(game)
        room = live.room
        async with live.lock:
            was_open = any(known.seat == row.seat and known.kind == "open" for known in room.seats)
            if was_open:
                room.seats = [row if known.seat == row.seat else known for known in room.seats]
            room.keys[key] = tuple(sorted({*room.keys.get(key, ()), row.seat}))
            self._reseat(live)
            if was_open and room.status == PLAYING and room.watch.runs:
                with contextlib.suppress(Refusal):
                    await self._store(live, 0, "begin", "begin")  # the clocks run from here, after a restart too
        self.bus.publish(News(self.worker, game, table=True))
        self._tell_table(live)
        if room.status == PLAYING:
            self._tell_begun(live)
        self._carry_on(live)

    def _tell_begun(self, live: Live) -> None:
        """The last seat was taken: now there is something to choose from."""
        for follower in live.followers:
            follower.push(self.state_for(live, follower, with_table=True))

    async def rematch_made(self, game: str, rematch: str) -> None:
        """The table knows the game that follows it."""
        live = await self.get(game)
        live.room.rematch = rematch
        self.bus.publish(News(self.worker, game, table=True))
        self._tell_table(live)


def _changes_table(event: Event) -> bool:
    return event.text == "resign" or event.text.startswith("handover ")
