"""All games that are in memory: they are loaded, changed one event at a time, shown to whoever follows them."""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from typing import Final

from projectl.core.errors import ProjectLError
from projectl.server.bus import Bus, News
from projectl.server.duties import Duties
from projectl.server.errors import Refusal
from projectl.server.live import Follower, Live
from projectl.server.messages import Act, Chat, Done, Event, Resign, Undo
from projectl.server.metrics import Metrics
from projectl.server.room import PLAYING, WAITING, Room
from projectl.server.store import Row, SeatRow, Store
from projectl.server.tasks import Tasks
from projectl.server.thinkers import Thinkers

log: Final = logging.getLogger("projectl.hall")

KEPT: Final = 60.0  # seconds that a game stays in memory after the last one left
SWEEP: Final = 5.0  # seconds between looks for games whose time has run out
SILENT: Final = 3  # sweeps without a word, then another process is gone


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
        self.now = now
        self.worker = f"{os.getpid()}-{os.urandom(4).hex()}"
        self.lives: dict[str, Live] = {}
        self.analysing = asyncio.Lock()
        self.tasks = Tasks()
        self.duties = Duties(store, thinkers, self.tasks, self._store, now, bot_pause)
        self._loading: dict[str, asyncio.Future[Live]] = {}
        self._heard: dict[str, float] = {}  # when other processes were heard of last

    async def start(self) -> None:
        """Hear the other processes, and look after clocks and bots."""
        await self.bus.start(self._hear)
        self.tasks.spawn(self._sweep())

    async def close(self) -> None:
        """Stop all that runs by itself. What was acknowledged is in the store."""
        for live in self.lives.values():
            if live.timer:
                live.timer.cancel()
        await self.tasks.close()
        self.thinkers.close()
        await self.bus.close()

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
        self.duties.carry_on(live)
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
            self.bus.publish(News(self.worker, "", alive=True))
            self._forget_silent()
            await asyncio.sleep(SWEEP)

    def _forget_silent(self) -> None:
        """Whoever was connected to a process that is gone is no longer there."""
        limit = time.monotonic() - SILENT * SWEEP
        for worker in [worker for worker, at in self._heard.items() if at < limit]:
            del self._heard[worker]
            for live in self.lives.values():
                if live.elsewhere.pop(worker, None):
                    live.tell_table()

    async def _look_after(self, game: str) -> None:
        try:
            live = await self.get(game)
            async with live.lock:
                await self._catch_up(live)
                self.duties.carry_on(live)
        except ProjectLError as error:  # it holds no other game up
            log.error("game %s cannot be carried on: %s", game, error)

    async def _hear(self, news: News) -> None:
        if news.worker:
            self._heard[news.worker] = time.monotonic()
        if news.alive:
            return
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
            live.tell_table()
        if waited and live.room.status == PLAYING:
            live.tell_begun(self.now())
            self.duties.carry_on(live)

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
        live.reseat()
        if not live.room.watch.began:
            live.room.watch.turn(live.room.acting(), live.room.turn, self.now())

    async def _catch_up(self, live: Live) -> None:
        """Carry out what other processes stored."""
        rows = await self.store.events(live.room.game, live.room.version)
        if rows:
            for row in rows:
                live.room.happen(row)
            live.tell(self.now())
            self.duties.carry_on(live, bots=False)  # the process that stored the event asks them

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
        follower.push(live.state_for(follower, self.now(), with_table=True))
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
            live.tell_table(but=follower)

    # --- changing -------------------------------------------------------------------------

    async def act(self, message: Act, key: str | None) -> Done:
        """Play an action."""
        return await self._change(
            message, key, lambda room, seat: room.check_action(seat, message.version, message.action)
        )

    async def undo(self, message: Undo, key: str | None) -> Done:
        """Take back."""
        return await self._change(message, key, lambda room, seat: room.check_undo(seat, message.version, message.all))

    async def resign(self, message: Resign, key: str | None) -> Done:
        """Give up."""
        return await self._change(message, key, lambda room, seat: room.check_resign(seat))

    async def chat(self, message: Chat, key: str | None) -> Done:
        """Say something."""

        def check(room: Room, seat: int) -> str:
            if not room.plan.chat:
                raise Refusal("chat-off", "this table plays without chat", 403)
            return f"say {' '.join(message.text.split())}"

        return await self._change(message, key, check)

    async def _change(
        self, message: Act | Undo | Resign | Chat, key: str | None, check: Callable[[Room, int], str]
    ) -> Done:
        game = message.game
        live = await self.get(game)
        begin = time.perf_counter()
        async with live.lock:
            if isinstance(message, Act | Undo) and message.version > live.room.version:  # seen at another process
                await self._catch_up(live)
            seats = live.room.seats_of(key)
            before = live.room.done_before(seats, message.id)
            if before is not None:
                return Done(game, message.id, before)
            seat = live.room.seat_for(seats, message.seat)
            text = check(live.room, seat)
            event = await self._store(live, seat, text, message.id)
        self.metrics.action(time.perf_counter() - begin)
        return Done(game, message.id, event.version)

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
        live.tell(self.now())
        self.bus.publish(News(self.worker, room.game))
        self.duties.carry_on(live)
        return event

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
        live.tell_table()
        if room.status == PLAYING:
            live.tell_begun(self.now())
        self.duties.carry_on(live)

    async def rematch_made(self, game: str, rematch: str) -> None:
        """The table knows the game that follows it."""
        live = await self.get(game)
        live.room.rematch = rematch
        self.bus.publish(News(self.worker, game, table=True))
        live.tell_table()
