"""One client, whatever carries its messages: decode, refuse or carry out, answer."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

import msgspec

from projectl.core.errors import ProjectLError
from projectl.server import traces
from projectl.server.errors import Refusal
from projectl.server.games.memory import Games
from projectl.server.games.preview import tried
from projectl.server.http.limits import LOADING, MESSAGE_BURST, MESSAGE_RATE, Bucket, Buckets, Followed, Gate, told_to
from projectl.server.http.messages import (
    CLOSE_GOING_AWAY,
    CLOSE_JUNK,
    CLOSE_RATE,
    Act,
    AskHint,
    Chat,
    ClientMessage,
    Hinted,
    Leave,
    Mix,
    Ping,
    Pong,
    Refused,
    Resign,
    ServerMessage,
    Tried,
    Try,
    Undo,
    Watch,
    decode_client,
    encode,
)
from projectl.server.store.store import AWAY
from projectl.server.workers import Asker

log: Final = logging.getLogger("projectl.connection")

MOST_JUNK: Final = 10  # messages that could not be read, then the client is cut off
_MORE: Final[dict[type[ClientMessage], float]] = {Watch: 1.0, AskHint: 4.0}  # messages, as which they count beside one
MOST_GAMES: Final = 20  # that one connection follows


class Following:
    """A game that a connection follows."""

    def __init__(self, key: str | None, address: str, push: Callable[[bytes], None], legal: bool) -> None:
        self.key = key
        self.address = address
        self.push = push
        self.legal = legal
        self.seats: tuple[int, ...] = ()
        self.version: int | None = None
        self.away = False
        self.weight = 0  # of the game, as it was counted


class Signs:
    """Signs of life. A client may promise the next one within some seconds; when it does not come, it is away."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.away = False
        self._changed = changed
        self._within: float | None = None
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def heard(self) -> None:
        """The client said something."""
        if self._within is not None:
            self._due = asyncio.get_running_loop().time() + self._within
            if self._timer is None:
                self._wait()
        if self.away:
            self.away = False
            self._changed()

    def promise(self, within: float | None) -> None:
        """It will be heard of again in so many seconds; None: nobody knows when."""
        if within != self._within:
            self.stop()
            self._within = within
        self.heard()

    def stop(self) -> None:
        """Wait no longer."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_at(self._due, self._look)

    def _look(self) -> None:
        """One timer for many signs: it is moved on when it rings, not with each of them."""
        self._timer = None
        if asyncio.get_running_loop().time() < self._due:
            self._wait()
        else:
            self.away = True
            self._changed()


class Connection:
    """The protocol for one client. `push` sends without waiting, `close` ends it with a code and a reason."""

    def __init__(
        self,
        games: Games,
        key: str | None,
        push: Callable[[bytes], None],
        close: Callable[[int, str], None],
        asker: Asker | None = None,
        gate: Gate | None = None,
        tables: Buckets | None = None,
        followed: Followed | None = None,
        loads: Bucket | None = None,
    ) -> None:
        self.games = games
        self.key = key
        self.asker = asker or Asker(key or "")
        self.push = push
        self.close = close
        self.following: dict[str, Following] = {}
        self._bucket: Gate = gate or Bucket(MESSAGE_RATE, MESSAGE_BURST)
        self._tables = tables
        self._followed = followed or Followed()
        self._loads = loads
        self._junk = 0
        self._closed = False  # what still arrives is not looked at
        self._hinting: asyncio.Task[None] | None = None
        self._signs = Signs(self._came_or_went)

    def gone(self) -> None:
        """The client is no longer there."""
        self._signs.stop()
        if self._hinting:
            self._hinting.cancel()
        for game in list(self.following):
            self._leave(game)

    async def receive(self, data: bytes | str) -> None:
        """One message from the client."""
        if self._closed:
            return
        self._signs.heard()
        if not self._bucket.take():
            self._close(CLOSE_RATE, f"more than {MESSAGE_RATE:.0f} messages a second")
            return
        try:
            message = decode_client(data)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._unreadable(str(error))
            return
        more = _MORE.get(type(message))
        if more and not self._bucket.take(more):
            self._close(CLOSE_RATE, f"more than {MESSAGE_RATE:.0f} messages a second")
            return
        try:
            self._check_table(message)
            await self._wait_to_load(message)
            with traces.span(f"socket {type(message).__name__.lower()}"):
                await self._carry_out(message)
        except ProjectLError as error:
            self._refuse(message, error)
        except AWAY as error:
            self.games.store.failed(error)
            self._refuse(message, _fault())
            if isinstance(message, Watch):
                self._close(CLOSE_GOING_AWAY, "the store is away just now; come back")
        except Exception:  # whatever it is, the client hears of it, and the log has the rest
            log.exception("a message failed")
            self._refuse(message, _fault())

    def _check_table(self, message: ClientMessage) -> None:
        """At one table not more happens than everybody there can follow."""
        if self._tables is None or not isinstance(message, Act | Undo | Resign | Chat | Mix | Watch):
            return
        live = self.games.live.get(message.game)
        if live is None or (isinstance(message, Watch) and not live.holders.seats_of(self.key)):
            return  # a spectator comes and goes without a word
        if not self._tables.take(message.game, told_to(len(live.followers))):
            raise Refusal("rate", "too much is asked for at this table; try again in 1 s", 429)

    async def _wait_to_load(self, message: ClientMessage) -> None:
        """A game that is not in memory costs its address more: who asks for many of them waits."""
        game = getattr(message, "game", None)
        while self._loads and game and game not in self.games.live and not self._loads.take(LOADING):
            await asyncio.sleep(self._loads.wait(LOADING))

    def _unreadable(self, reason: str) -> None:
        self._send(Refused("unreadable", f"this message cannot be read: {reason[:200]}"))
        self.games.metrics.refused.labels("unreadable").inc()
        self._junk += 1
        if self._junk >= MOST_JUNK:
            self._close(CLOSE_JUNK, "too many messages that cannot be read")

    def _close(self, code: int, reason: str) -> None:
        self._closed = True
        self.games.metrics.closed.labels(str(code)).inc()
        self.close(code, reason)

    def _send(self, message: ServerMessage) -> None:
        self.push(encode(message))

    def _refuse(self, message: ClientMessage, error: ProjectLError) -> None:
        game, name = str(getattr(message, "game", "")), str(getattr(message, "id", ""))
        self.games.metrics.refused.labels(error.code).inc()
        self._send(Refused(error.code, error.sentence, game, name))
        following, live = self.following.get(game), self.games.live.get(game)
        if following and live and isinstance(message, Act | Undo | Resign):
            self.push(live.state_for(following, self.games.now()))

    async def _carry_out(self, message: ClientMessage) -> None:
        match message:
            case Watch():
                await self._watch(message)
            case Leave():
                self._leave(message.game)
            case Act():
                self._send(await self.games.act(message, self.key))
            case Undo():
                self._send(await self.games.undo(message, self.key))
            case Resign():
                self._send(await self.games.resign(message, self.key))
            case Chat():
                self._send(await self.games.chat(message, self.key))
            case Mix():
                self._send(await self.games.mix(message, self.key))
            case Try():
                self._send(await answer_try(self.games, message, self.key))
            case AskHint():
                self._hint(message)
            case Ping():
                self._signs.promise(message.within)
                self._send(Pong(message.id))

    async def _watch(self, message: Watch) -> None:
        if message.game not in self.following and len(self.following) >= MOST_GAMES:
            raise Refusal("too-many-games", f"one connection follows at most {MOST_GAMES} games", 429)
        self._leave(message.game)
        self._followed.check(self.asker.address)
        following = Following(self.key, self.asker.address, self.push, message.legal)
        following.away = self._signs.away
        await self.games.follow(message.game, following, message.since)
        self.following[message.game] = following
        following.weight = self.games.live[message.game].weight
        self._followed.add(self.asker.address, following.weight)

    def _leave(self, game: str) -> None:
        following = self.following.pop(game, None)
        if following is not None:
            self.games.leave(game, following)
            self._followed.add(self.asker.address, -following.weight)

    def _came_or_went(self) -> None:
        for game, following in self.following.items():
            self.games.came_or_went(game, following, away=self._signs.away)

    def _hint(self, message: AskHint) -> None:
        """Thinking takes a second: meanwhile other messages are answered."""
        if self._hinting and not self._hinting.done():
            raise Refusal("hint-busy", "a hint is being thought about already", 429)

        async def think() -> None:
            try:
                self._send(await answer_hint(self.games, message, self.key, self.asker))
            except ProjectLError as error:
                self._refuse(message, error)
            except AWAY as error:
                self.games.store.failed(error)
                self._refuse(message, _fault())
            except Exception:
                log.exception("a hint failed")
                self._refuse(message, _fault())

        self._hinting = asyncio.create_task(think())


def _fault() -> Refusal:
    return Refusal("server", "something went wrong here; please try again", 500)


async def answer_try(games: Games, message: Try, key: str | None) -> Tried:
    """Whether an action could be played now."""
    live = await games.get(message.game)
    room = live.room
    seat = room.seat_for(live.holders.seats_of(key), message.seat)
    room.check_running()
    found = tried(room.state, seat - 1, message.action)
    return Tried(message.game, message.id, not found.code, *found)


async def answer_hint(games: Games, message: AskHint, key: str | None, asker: Asker) -> Hinted:
    """The best rest of the turn, by the bots."""
    live, seat = await games.hinted(message, key)
    room = live.room
    found = await games.thinkers.advise(room.state, seat - 1, room.version, asker)
    return Hinted(message.game, message.id, *found)
