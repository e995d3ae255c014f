"""What the server does in games by itself: it asks bots and watches clocks."""

import asyncio
import contextlib
import logging
import zlib
from collections.abc import Awaitable, Callable
from typing import Final

from projectl.core.errors import ProjectLError
from projectl.server.errors import Refusal
from projectl.server.live import Live
from projectl.server.messages import Event
from projectl.server.room import PLAYING, PLAYS_FOR_RESIGNED
from projectl.server.store import Store
from projectl.server.tasks import Tasks
from projectl.server.thinkers import Thinkers

log: Final = logging.getLogger("projectl.duties")

BOT_GRACE: Final = 30.0  # after this a bot's turn is taken up by any process
BOT_LIMIT: Final = 60.0  # a bot that has not answered by now never will

Append = Callable[[Live, int, str, str], Awaitable[Event]]  # (game, seat, text, message id), the lock is held


class Duties:
    """Bots and clocks of all games of this process."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        tasks: Tasks,
        append: Append,
        now: Callable[[], float],
        bot_pause: float,
    ) -> None:
        self.store = store
        self.thinkers = thinkers
        self.tasks = tasks
        self.append = append
        self.now = now
        self.bot_pause = bot_pause

    def carry_on(self, live: Live, *, bots: bool = True) -> None:
        """After every change: start bots and timers, note when the game must be looked at again."""
        room = live.room
        now = self.now()
        if live.timer:
            live.timer.cancel()
            live.timer = None
        due: float | None = None
        if room.status == PLAYING:
            due = self._set_timer(live, now)
            if room.bot_to_act():
                due = min(due or now + BOT_GRACE, now + BOT_GRACE)
                if bots and live.thinking is None:
                    live.thinking = self.tasks.spawn(self._play_bots(live))
        if (room.status, due) != live.stored:
            live.stored = (room.status, due)
            self.tasks.spawn(self.store.set_status(room.game, room.status, due))

    # --- clocks ---------------------------------------------------------------------------

    def _set_timer(self, live: Live, now: float) -> float | None:
        """Wake up when the next seat runs out of time; when that is."""
        watch = live.room.watch
        if not watch.runs:
            return None
        if not watch.began:
            watch.turn(live.room.acting(), live.room.turn, live.room.last_at)
        out = watch.next_out(now)
        if out is None:
            return None
        live.timer = asyncio.get_running_loop().call_later(max(0.0, out[0] - now), self._ring, live)
        return out[0]

    def _ring(self, live: Live) -> None:
        live.timer = None
        self.tasks.spawn(self._out_of_time(live))

    async def _out_of_time(self, live: Live) -> None:
        async with live.lock:
            room = live.room
            out = room.watch.next_out(self.now())
            if room.status != PLAYING or out is None:
                return
            if out[0] > self.now() + 0.01:
                self.carry_on(live)
                return
            follows = room.watch.clock.out
            text = "resign" if follows == "resign" else f"handover {follows}"
            with contextlib.suppress(Refusal):  # another process was quicker
                await self.append(live, out[1], text, f"clock-{room.version}")

    # --- bots -----------------------------------------------------------------------------

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
            await self._replace(live, seat, spec, error)
            return
        await asyncio.sleep(max(0.0, self.bot_pause - (self.now() - begin)))
        async with live.lock:
            room = live.room
            if room.bot_to_act() != (seat, spec):
                return
            try:
                text = room.check_bot_action(seat, version, action)
                await self.append(live, seat, text, f"bot-{version}")
                return
            except ProjectLError as error:
                if room.version != version:  # others acted meanwhile: it is asked again
                    return
                failure = error
        await self._replace(live, seat, spec, failure)

    async def _replace(self, live: Live, seat: int, spec: str, error: Exception) -> None:
        """A bot that cannot play gives its seat to the simplest one."""
        log.error("the bot %s failed in game %s: %s", spec, live.room.game, error)
        if spec == PLAYS_FOR_RESIGNED:
            await asyncio.sleep(BOT_GRACE)
            return
        async with live.lock:
            if live.room.bots.get(seat) == spec:
                with contextlib.suppress(Refusal):
                    await self.append(live, seat, f"handover {PLAYS_FOR_RESIGNED}", f"failed-{live.room.version}")
