"""All games that are in memory. Here, and nowhere else, an event is stored, carried out and told."""

import asyncio
import contextlib
import itertools
import logging
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from msgspec import Raw
from sqlalchemy.exc import SQLAlchemyError

from projectl.server import traces
from projectl.server.bans import Bans
from projectl.server.bus import Bus, News, Told
from projectl.server.errors import Overtaken, Refusal
from projectl.server.games.automation import Automation
from projectl.server.games.clocks import steady
from projectl.server.games.events import Arranged, Event, SeatTaken, decode_event, encode_event, kind_of
from projectl.server.games.live import Follower, LiveGame
from projectl.server.games.loader import Loader
from projectl.server.games.room import PLAYING, Room
from projectl.server.games.seats import Holders
from projectl.server.health import Doctor
from projectl.server.http.messages import Act, AskHint, Chat, Done, Mix, Resign, Undo
from projectl.server.metrics import Metrics
from projectl.server.store.store import AWAY, GameStanding, Row, Store, reason
from projectl.server.tasks import Tasks
from projectl.server.thinkers import Thinkers

log: Final = logging.getLogger("projectl.games")

KEPT: Final = 60.0  # seconds that a game stays in memory after the last one left
MOST_IDLE: Final = 1000  # games of ordinary length that stay so
SWEEP: Final = 5.0  # seconds between looks for games whose time has run out
MANY: Final = 200  # events of another process that are not carried out one by one
TRIED_AGAIN: Final = 3600.0  # seconds after which a game that could not be loaded is tried again
AT_ONCE: Final = 8  # games that a sweep has loaded at once
POLL: Final = 1.0  # seconds between looks into the store while there is no bus
ANYWAY: Final = 30  # such looks after which there is one although there is a bus: who stored something may be gone
SILENT: Final = 3  # sweeps without a word, then another process is gone

_BROKEN: Final = "this game cannot be loaded; whoever runs the server finds out why in its log"

Write = Callable[[Sequence[Row]], Awaitable[bool]]  # into the store; False: another event was first


class Games:
    """The authority over all games of this process; the store decides between processes."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        thinkers: Thinkers,
        metrics: Metrics,
        *,
        bot_pause: float = 0.0,
        now: Callable[[], float] | None = None,
    ) -> None:
        self.store = store
        self.bus = bus
        self.thinkers = thinkers
        self.metrics = metrics
        self.now = now or steady()
        self.worker = f"{os.getpid()}-{os.urandom(4).hex()}"
        self.live: dict[str, LiveGame] = {}
        self.health = Doctor(store, bus)
        self.bans = Bans(store)
        self.tasks = Tasks()
        self.automation = Automation(thinkers, self.now, bot_pause)
        self.pairing = asyncio.Lock()  # one after the other finds out who waits for the same game
        self._loading: dict[str, asyncio.Future[LiveGame]] = {}
        self._loader = Loader(store)
        self.broken: dict[str, float] = {}  # games that cannot be loaded, and until when that is not tried again
        self._looking: set[str] = set()  # games that are looked after just now
        self._few = asyncio.Semaphore(AT_ONCE)
        self._heard: dict[str, float] = {}  # when other processes were heard of last
        self._missed = False  # news could not be taken in: all games have to be looked at

    async def start(self) -> None:
        """Hear the other processes, and look after clocks and bots."""
        await self.bus.start(self._take_in)
        self.tasks.spawn(self._sweep())
        self.tasks.spawn(self._poll())

    async def close(self) -> None:
        """Stop all that runs by itself. What was acknowledged is in the store."""
        for live in self.live.values():
            live.stop_timer()
        await self.tasks.close()
        self._loader.close()
        self.thinkers.close()
        await self.bus.close()

    # --- in and out of memory -------------------------------------------------------------

    async def get(self, game: str) -> LiveGame:
        """A game, loaded if need be."""
        live = self.live.get(game)
        if live is not None:
            live.idle_since = time.monotonic()
            return live
        loading = self._loading.get(game)
        if loading is None:
            loading = asyncio.ensure_future(self._load(game))
            self._loading[game] = loading
            loading.add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(loading)

    async def _load(self, game: str) -> LiveGame:
        if self.broken.get(game, 0.0) > time.monotonic():
            raise Refusal("broken", _BROKEN, 503)
        try:
            with traces.span("load", game=game):
                loaded = await self._loader.load(game)
        except (SQLAlchemyError, Refusal):  # that is the store, not the game
            raise
        except Exception as error:  # whatever it is: no other game waits for this one
            log.exception("game %s cannot be loaded", game)
            self.broken[game] = time.monotonic() + TRIED_AGAIN
            raise Refusal("broken", _BROKEN, 503) from error
        self.broken.pop(game, None)
        if loaded is None:
            raise Refusal("no-game", "there is no such game", 404)
        live = LiveGame(*loaded)
        self.live[game] = live
        self._carry_on(live)
        return live

    def _forget_idle(self) -> None:
        """Games that nobody needs go after a while; where there are many, all but the latest."""
        now, kept = time.monotonic(), 0
        for game, live in sorted(self.live.items(), key=lambda item: -item[1].idle_since):
            if live.followers or live.lock.locked() or live.thinking:
                continue
            kept += live.weight
            idle = now - live.idle_since
            if idle > KEPT or (kept > MOST_IDLE and idle > SWEEP):
                live.stop_timer()
                del self.live[game]

    async def _forget_deleted(self) -> None:
        """Whoever runs the server may have deleted games."""
        for game in await self.store.missing(list(self.live)):
            live = self.live.pop(game)
            live.stop_timer()
            if live.thinking:
                live.thinking.cancel()
            live.tell_deleted()

    async def _poll(self) -> None:
        """While the bus is away, or the store was when the bus said something, the store tells what others did."""
        for look in itertools.count(1):
            await asyncio.sleep(POLL)
            if self.bus.up and not self._missed and look % ANYWAY:
                continue
            try:
                if self._missed:
                    self._missed = False
                    await self._catch_up_all()
                    continue
                seen = {game: live.room.version for game, live in self.live.items() if live.followers}
                stored = await self.store.versions(list(seen))
                for game in [game for game, version in stored.items() if version > seen[game]]:
                    await self._hear(News("", game, holders=True))
            except AWAY as error:  # it may come back
                self._missed = True
                self.store.failed(error)
            except Exception:
                self._missed = True
                log.exception("the store could not be asked for news")

    async def _sweep(self) -> None:
        while True:
            try:
                for game in await self.store.games_due(self.now()):
                    if game not in self._looking:
                        self._looking.add(game)
                        self.tasks.spawn(self._look_after(game))
                await self._forget_deleted()
            except AWAY as error:  # it may come back
                self.store.failed(error)
            except Exception:
                log.exception("the sweep failed")
            self._forget_idle()
            self.count()
            self.bus.publish(News(self.worker, "", alive=True))
            self._forget_silent()
            await asyncio.sleep(SWEEP)

    def _forget_silent(self) -> None:
        """Whoever was connected to a process that is gone is no longer there."""
        limit = time.monotonic() - SILENT * SWEEP
        for worker in [worker for worker, at in self._heard.items() if at < limit]:
            del self._heard[worker]
            for live in self.live.values():
                if live.elsewhere.pop(worker, None):
                    live.tell_table()

    async def _look_after(self, game: str) -> None:
        """One game: however long it takes, and whatever is wrong with it, the others do not wait."""
        try:
            async with self._few:
                live = await self.get(game)
            async with live.lock:
                before = live.room.version
                await self._catch_up(live)
                self._carry_on(live)
                expired = self.automation.expired(live.room)
                if expired is not None:
                    with contextlib.suppress(Overtaken):
                        await self.happen(live, [expired])
            if live.room.version != before:  # by nobody's process: `projectl games` writes to the store alone
                self.bus.publish(News(self.worker, game))
        except SQLAlchemyError as error:  # that is the store, not the game: with the next sweep it is tried again
            log.warning("game %s cannot be carried on just now: %s", game, reason(error))
        except Exception:
            log.exception("game %s cannot be carried on", game)
            await self.store.postpone(game, self.now() + TRIED_AGAIN)
        finally:
            self._looking.discard(game)

    async def _take_in(self, news: News) -> None:
        """What the bus said. If the store is away just now, that is not the bus's fault."""
        try:
            await self._hear(news)
        except Exception as error:
            if not self._missed:
                log.warning("news could not be taken in: %s", reason(error))
            self._missed = True

    async def _hear(self, news: News) -> None:
        if news.worker:
            self._heard[news.worker] = time.monotonic()
        if news.alive:
            return
        if not news.game:
            await self._catch_up_all()
            return
        live = self.live.get(news.game)
        if live is None and news.game in self._loading:  # what was read may be older than the news
            live = await self.get(news.game)
        if news.worker == self.worker or live is None:
            return
        if news.online is not None:
            self._hear_who_is_there(live, news.worker, news.online)
            return
        async with live.lock:
            await self._catch_up(live, news.events)
            if news.holders:
                live.held_by(Holders(await self.store.keys(live.room.id)))

    def _hear_who_is_there(self, live: LiveGame, worker: str, seats: list[int]) -> None:
        before = live.online()
        if worker not in live.elsewhere:  # it does not know who is here
            self.bus.publish(News(self.worker, live.room.id, online=live.here()))
        live.elsewhere[worker] = seats
        if live.online() != before:
            live.tell_table()

    async def _catch_up_all(self) -> None:
        """News may have been lost: the store is asked about all games together, as there may be thousands."""
        games = list(self.live)
        versions, keys = await self.store.versions(games), await self.store.keys_of(games)
        for game in games:
            live = self.live.get(game)
            if live is None:
                continue
            if versions.get(game, 0) > live.room.version or not live.holders.are(keys.get(game, [])):
                await self._hear(News("", game, holders=True))
            if live.here():
                self.bus.publish(News(self.worker, game, online=live.here()))

    async def _catch_up(self, live: LiveGame, told: Sequence[Told] = ()) -> None:
        """Carry out what other processes stored: what they told, if nothing is missing before it."""
        version = live.room.version
        if told and told[0].version <= version + 1:
            rows = [Row(one.version, decode_event(one.event), one.at, one.message) for one in told]
            rows = rows[version + 1 - rows[0].version :]
        else:
            rows = await self.store.events(live.room.id, version)
        if not rows:
            return
        if len(rows) > MANY:
            await self._rebuild(live)
        else:
            for row in rows:
                live.room.apply(row)
        if any(isinstance(row.event, SeatTaken | Arranged) for row in rows):
            live.held_by(Holders(await self.store.keys(live.room.id)))
        live.tell(self.now())
        self._carry_on(live, bots=False)  # the process that stored the event asks them

    # --- following ------------------------------------------------------------------------

    async def follow(self, game: str, follower: Follower, since: int | None) -> None:
        """Begin to send a game's events; first all that the client lacks."""
        live = await self.get(game)
        if since is not None and since > live.room.version:  # seen at another process
            async with live.lock:
                await self._catch_up(live)
        follower.seats = live.holders.seats_of(follower.key)
        follower.version = None if since is None else min(since, live.room.version)
        before = live.online()
        live.followers.add(follower)  # so that it sees itself at the table
        follower.push(live.state_for(follower, self.now(), with_table=True))
        follower.version = live.room.version
        self._presence(live, follower, before)
        if not live.room.has_people():  # bots alone have waited for this
            self._carry_on(live)

    def leave(self, game: str, follower: Follower) -> None:
        """Send no more."""
        live = self.live.get(game)
        if live is not None and follower in live.followers:
            before = live.online()
            live.followers.discard(follower)
            live.idle_since = time.monotonic()
            self._presence(live, follower, before)

    def came_or_went(self, game: str, follower: Follower, *, away: bool) -> None:
        """A follower fell silent, or is heard of again."""
        live = self.live.get(game)
        if live is not None and follower in live.followers:
            before = live.online()
            follower.away = away
            self._presence(live, follower, before)

    def _presence(self, live: LiveGame, follower: Follower, before: set[int]) -> None:
        """The others hear of it if their table looks different now: not of each of many devices of a seat."""
        if follower.seats:
            self.bus.publish(News(self.worker, live.room.id, online=live.here()))
        if live.online() != before:
            live.tell_table(but=follower)

    # --- changing -------------------------------------------------------------------------

    async def act(self, message: Act, key: str | None) -> Done:
        """Play an action."""
        return await self._change(
            message, key, lambda room, seat: [room.check_action(seat, message.version, message.action)]
        )

    async def undo(self, message: Undo, key: str | None) -> Done:
        """Take back."""
        return await self._change(
            message, key, lambda room, seat: [room.check_undo(seat, message.version, message.all)]
        )

    async def resign(self, message: Resign, key: str | None) -> Done:
        """Give up."""
        return await self._change(message, key, lambda room, seat: [room.check_resign(seat)])

    async def chat(self, message: Chat, key: str | None) -> Done:
        """Say something."""
        return await self._change(message, key, lambda room, seat: [room.check_say(seat, message.text)])

    async def mix(self, message: Mix, key: str | None) -> Done:
        """Put something into the shuffle."""
        return await self._change(message, key, lambda room, seat: room.check_mix(seat, message.luck))

    async def hinted(self, message: AskHint, key: str | None) -> tuple[LiveGame, int]:
        """A seat may have a hint; where others play along, they hear of it first."""
        live = await self.get(message.game)
        async with live.lock:
            seat = live.room.seat_for(live.holders.seats_of(key), message.seat)
            asked = live.room.check_hint(seat, allowed=live.hints)
            self.check_deck(live.room.header.seed, live)
            if live.holders.shared() and not live.room.advised(seat):
                await self.happen(live, [asked])
        return live, seat

    def check_deck(self, seed: str | None, but: LiveGame | None = None) -> None:
        """Nothing is said about a deck by which people play without hints just now: it may be a copy of their game."""
        for live in self.live.values():
            if live is not but and not live.hints and seed == live.room.header.seed and live.room.status == PLAYING:
                raise Refusal("deck-in-play", "people play by this deck just now, and without hints", 403)

    async def _change(
        self, message: Act | Undo | Resign | Chat | Mix, key: str | None, check: Callable[[Room, int], list[Event]]
    ) -> Done:
        game = message.game
        live = await self.get(game)
        begin = time.perf_counter()
        async with live.lock:
            if isinstance(message, Act | Undo) and message.version > live.room.version:  # seen at another process
                await self._catch_up(live)
            seats = live.holders.seats_of(key)
            before = live.room.done_before(seats, message.id)
            if before is not None:
                return Done(game, message.id, before)
            seat = live.room.seat_for(seats, message.seat)
            version = await self.happen(live, check(live.room, seat), message.id)
        self.metrics.action(time.perf_counter() - begin)
        return Done(game, message.id, version)

    async def happen(
        self, live: LiveGame, events: Sequence[Event], message: str = "", write: Write | None = None
    ) -> int:
        """Durable first, then carried out, then told: the version of the first event. The caller holds the lock.

        `write` stores what belongs to the events in the same transaction.
        """
        with traces.span("happen", game=live.room.id, version=live.room.version + 1, event=kind_of(events[0])):
            return await self._happen(live, events, message, write)

    async def _happen(self, live: LiveGame, events: Sequence[Event], message: str, write: Write | None) -> int:
        room, now = live.room, self.now()
        ids = [message, *[""] * (len(events) - 1)]
        rows = [Row(room.version + n, event, now, id) for n, (event, id) in enumerate(zip(events, ids, strict=True), 1)]
        due = self.automation.taken_up(room, events)
        try:
            stored = await (write(rows) if write else self.store.append(room.id, rows, due))
        except SQLAlchemyError:  # and perhaps it is there all the same: once the store answers, that is looked at
            self._missed = True
            raise
        if not stored:
            await self._catch_up(live)
            done = live.room.done_before((events[0].seat,), message) if message else None
            if done is not None:  # the same message, through another process
                return done
            raise Overtaken("stale", f"somebody else acted first; the game is at version {live.room.version} now")
        await self._apply(live, rows)
        self._noted(room.id, rows)
        live.tell(self.now())
        self.bus.publish(News(self.worker, room.id, [_told(row) for row in rows]))
        self._carry_on(live)
        return rows[0].version

    def _noted(self, game: str, rows: Sequence[Row]) -> None:
        for row in rows:
            kind = kind_of(row.event)
            self.metrics.events.labels(kind).inc()
            log.info("event", extra={"game": game, "version": row.version, "type": kind, "seat": row.event.seat})

    def count(self) -> None:
        """Tell the metrics how this process stands."""
        jobs = {name: (pool.running, len(pool.waiting)) for name, pool in self.thinkers.pools.items()}
        self.metrics.standing(len(self.live), self.store.writer.commits, self.store.writer.written, jobs)

    async def _apply(self, live: LiveGame, rows: Sequence[Row]) -> None:
        try:
            for row in rows:
                live.room.apply(row)
        except Exception:  # it is stored, so it counts: the game is built anew from the store
            log.exception("an event could not be carried out in game %s", live.room.id)
            await self._rebuild(live)

    async def _rebuild(self, live: LiveGame) -> None:
        loaded = await self._loader.load(live.room.id)
        assert loaded is not None
        live.rebuild(*loaded)

    def device_added(self, live: LiveGame, key: str, seat: int) -> None:
        """Somebody has a seat on a further device: stored already, no event of the game."""
        live.hold(key, seat)
        self.bus.publish(News(self.worker, live.room.id, holders=True))
        live.tell_table()

    # --- what the server does itself ------------------------------------------------------

    def _carry_on(self, live: LiveGame, *, bots: bool = True) -> None:
        """After every change: set the timer, ask bots, note in the store when the game must be looked at again."""
        room = live.room
        live.stop_timer()
        rings = self.automation.rings(room)
        if rings is not None:
            wait = max(0.0, rings - self.now())
            live.timer = asyncio.get_running_loop().call_later(wait, self._ring, live)
        if bots and live.thinking is None and room.bot_to_act() and live.wanted():
            live.thinking = self.tasks.spawn(self._play_bots(live))
        stands = GameStanding(room.status, self.automation.due(room), live.summary(), room.daily_score)
        if stands != live.stands:
            live.stands = stands
            self.tasks.spawn(self._note(live, room.version, stands))

    async def _note(self, live: LiveGame, version: int, stands: GameStanding) -> None:
        """The store notes how a game stands; if it is away just now, later, unless that has changed by then."""
        while live.stands is stands:
            try:
                await self.store.set_standing(live.room.id, version, stands)
                return
            except SQLAlchemyError as error:
                self.store.failed(error)
                await asyncio.sleep(SWEEP)

    def _ring(self, live: LiveGame) -> None:
        live.timer = None
        self.tasks.spawn(self._out_of_time(live))

    async def _out_of_time(self, live: LiveGame) -> None:
        async with live.lock:
            event = self.automation.out_of_time(live.room)
            if event is None:
                self._carry_on(live)
                return
            with contextlib.suppress(Overtaken):
                await self.happen(live, [event], f"clock-{live.room.version}")

    async def _play_bots(self, live: LiveGame) -> None:
        """Ask bots until none is to act."""
        try:
            while live.wanted() and (answer := await self.automation.think(live.room, live.asker())) is not None:
                async with live.lock:
                    event = self.automation.propose(live.room, answer)
                    if event is not None:
                        with contextlib.suppress(Overtaken):
                            await self.happen(live, [event], f"bot-{answer.version}")
                if event is None and live.room.version == answer.version:  # others think, or even the simplest cannot
                    await asyncio.sleep(answer.wait)
        finally:
            live.thinking = None


def _told(row: Row) -> Told:
    return Told(row.version, Raw(encode_event(row.event).encode()), row.at, row.message)
