"""What the server itself would do in a game: bots act, clocks run out. It proposes events and changes nothing."""

import asyncio
import logging
import math
import zlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from projectl.core.errors import ProjectLError
from projectl.server.errors import Busy
from projectl.server.games.events import Event, Expired, HandedOver, Played, Resigned
from projectl.server.games.room import PLAYING, PLAYS_FOR_RESIGNED, WAITING, Room
from projectl.server.thinkers import Thinkers
from projectl.server.workers import Asker

log: Final = logging.getLogger("projectl.automation")

BOT_GRACE: Final = 30.0  # after this a bot's turn is taken up by any process
WAITS: Final = 30 * 86400.0  # seconds that a table waits for its players
PUBLIC_WAITS: Final = 86400.0  # the same where everybody sees it in the list
_AT_ONCE: Final = 0.01  # seconds that a timer may be early


class Answer(NamedTuple):
    """What a bot wants to do, having seen a version; or why it could not say."""

    seat: int  # from 1
    bot: str
    version: int
    action: str
    failure: Exception | None = None

    @property
    def wait(self) -> float:
        """Seconds until the bot is asked again if nothing came of it."""
        return self.failure.seconds if isinstance(self.failure, Busy) else BOT_GRACE


class Automation:
    """Bots and clocks of all games of this process."""

    def __init__(self, thinkers: Thinkers, now: Callable[[], float], bot_pause: float) -> None:
        self.thinkers = thinkers
        self.now = now
        self.bot_pause = bot_pause

    def due(self, room: Room) -> float | None:
        """When somebody has to look after the game, whether or not this process still can."""
        if room.status == WAITING:
            return self.expires(room)
        rings = self.rings(room)
        if not room.bot_to_act() or not room.has_people():  # bots alone play when somebody watches, not by themselves
            return rings
        return min(self.now() + BOT_GRACE, rings or math.inf)

    def taken_up(self, room: Room, events: Sequence[Event]) -> float | None:
        """When any process looks after a game with bots or clocks, should this one be gone right after these events."""
        bots = bool(room.bots) or any(isinstance(event, Resigned | HandedOver) for event in events)
        return self.now() + BOT_GRACE if room.clocks.runs or (bots and room.has_people()) else None

    def expires(self, room: Room) -> float:
        """When a table that still waits for players is closed."""
        return room.created + (PUBLIC_WAITS if room.settings.public else WAITS)

    def expired(self, room: Room) -> Expired | None:
        """A table waited too long; None: it may wait on."""
        return Expired() if room.status == WAITING and self.expires(room) <= self.now() else None

    # --- clocks ---------------------------------------------------------------------------

    def rings(self, room: Room) -> float | None:
        """When the next seat runs out of time."""
        out = room.clocks.next_out(self.now()) if room.status == PLAYING else None
        return out[0] if out else None

    def out_of_time(self, room: Room) -> Resigned | HandedOver | None:
        """What becomes of a seat whose time is over; None: nobody's is."""
        now = self.now()
        out = room.clocks.next_out(now) if room.status == PLAYING else None
        if out is None or out[0] > now + _AT_ONCE:
            return None
        follows = room.clocks.clock.out
        return Resigned(out[1]) if follows == "resign" else HandedOver(out[1], follows)

    # --- bots -----------------------------------------------------------------------------

    async def think(self, room: Room, asker: Asker) -> Answer | None:
        """Ask the bot that is to act, for somebody; None: none is. Others may act meanwhile."""
        asked = room.bot_to_act()
        if asked is None:
            return None
        seat, bot = asked
        version = room.version
        seed = zlib.crc32(f"{room.id}/{version}/{seat}".encode())
        begin = self.now()
        try:
            action = await self.thinkers.act(bot, room.state, seat - 1, seed, asker)
        except Exception as error:  # a bot may be anybody's program
            return Answer(seat, bot, version, "", error)
        await asyncio.sleep(max(0.0, self.bot_pause - (self.now() - begin)))
        return Answer(seat, bot, version, action)

    def propose(self, room: Room, answer: Answer) -> Played | HandedOver | None:
        """What comes of an answer now. A bot that cannot play gives its seat to the simplest one, if it is another."""
        if room.bot_to_act() != (answer.seat, answer.bot):
            return None
        failure = answer.failure
        if isinstance(failure, Busy):  # others are thinking: that is nobody's fault
            return None
        if failure is None:
            try:
                return room.check_bot_action(answer.seat, answer.version, answer.action)
            except ProjectLError as error:
                if room.version != answer.version:  # others acted meanwhile: it is asked again
                    return None
                failure = error
        log.error("the bot %s failed in game %s: %s", answer.bot, room.id, failure)
        return None if answer.bot == PLAYS_FOR_RESIGNED else HandedOver(answer.seat, PLAYS_FOR_RESIGNED)
