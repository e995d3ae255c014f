"""The WebSocket of a page: a thin carrier for `Connection`, below the web framework to keep 5,000 of them small."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Collection
from typing import Final, NamedTuple

from starlette.types import Receive, Scope, Send

import projectl
from projectl.server.games.memory import Games
from projectl.server.http.connection import Connection
from projectl.server.http.cookies import address_of, key_of, same_origin
from projectl.server.http.limits import CONNECTING, Limits
from projectl.server.http.messages import (
    CLOSE_BANNED,
    CLOSE_GOING_AWAY,
    CLOSE_ORIGIN,
    CLOSE_RATE,
    CLOSE_SLOW,
    PROTOCOL,
    Hello,
    encode,
)
from projectl.server.secret import Keys, hashed
from projectl.server.workers import Asker

MOST_WAITING: Final = 512 * 1024  # bytes that a client may leave unread
SHUT_OUT: Final = 5.0  # seconds for which a client that was cut off for flooding is not let in again
HELD: Final = 0.7  # seconds that it waits at the door each time, so that knocking is no flood either
_HELLO: Final = encode(Hello(PROTOCOL, projectl.__version__)).decode()


class Outbox:
    """What is to be sent, in order. A client that does not read is let go, and holds nobody else up."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._flushing: asyncio.Task[None] | None = None
        self._closing: tuple[int, str] | None = None
        self.closed = False

    def push(self, data: bytes) -> None:
        """Send without waiting."""
        if self.closed or self._closing:
            return
        if self._bytes > MOST_WAITING:  # whatever the size of the next: what counts is what was not read
            self._waiting.clear()
            self._bytes = 0
            self.close(CLOSE_SLOW, "what was sent is not being read")
        else:
            self._waiting.append(data)
            self._bytes += len(data)
        self._flush()

    async def room(self) -> None:
        """Wait while much is unread: who asks for more than it reads is heard again when it has read."""
        while self._flushing and self._bytes > MOST_WAITING // 2:
            await asyncio.wait([self._flushing])

    def close(self, code: int, reason: str) -> None:
        """Send what waits, then close."""
        if not self._closing:
            self._closing = (code, reason)
            self._flush()

    def _flush(self) -> None:
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self._waiting:
                data = self._waiting.popleft()
                self._bytes -= len(data)
                await self._send({"type": "websocket.send", "text": data.decode()})
            if self._closing and not self.closed:
                self.closed = True
                code, reason = self._closing
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
        except (OSError, RuntimeError):  # the client has gone
            self.closed = True
        finally:
            self._flushing = None

    @property
    def code(self) -> int:
        """The code it was closed with; 0: it was not."""
        return self._closing[0] if self._closing else 0

    async def stop(self) -> None:
        """The connection is over."""
        self.closed = True
        if self._flushing:
            self._flushing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._flushing


class Who(NamedTuple):
    """Who is at the other end."""

    key: str | None  # its hash
    issued: str | None  # the same, if this server issued it
    address: str
    name: str  # what stands for it where limits are kept


class Sockets:
    """All sockets of this process."""

    def __init__(self, games: Games, origins: tuple[str, ...], limits: Limits, keys: Keys) -> None:
        self.games = games
        self.origins = origins
        self.limits = limits
        self.keys = keys
        self._open: dict[Outbox, str | None] = {}  # with the hash of the key
        self._shut_out: dict[str, float] = {}

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One socket, from its first message to its last."""
        await receive()
        secret = key_of(scope)
        key = None if secret is None else hashed(secret)
        address = address_of(scope)
        issued = key if self.keys.issued(secret) else None
        name = issued or address
        if await self._at_the_door(name) or self.limits.ask(address, issued, CONNECTING):
            await send({"type": "websocket.close", "code": CLOSE_RATE, "reason": "cut off for flooding"})
            return
        with self.limits.opened(address, issued) as is_open, contextlib.suppress(OSError):  # the client has gone
            if is_open:
                await self._talk(scope, receive, send, Who(key, issued, address, name))
            else:
                await send({"type": "websocket.close", "code": CLOSE_RATE, "reason": "too many sockets are open"})

    async def _talk(self, scope: Scope, receive: Receive, send: Send, who: Who) -> None:
        await send({"type": "websocket.accept"})
        if not same_origin(scope, self.origins):
            self.games.metrics.closed.labels(str(CLOSE_ORIGIN)).inc()
            await send({"type": "websocket.close", "code": CLOSE_ORIGIN, "reason": "a page of another site"})
            return
        banned = self.games.bans.refusal(who.key)
        if banned:
            self.games.metrics.closed.labels(str(CLOSE_BANNED)).inc()
            await send({"type": "websocket.close", "code": CLOSE_BANNED, "reason": "this key is banned"})
            return
        await send({"type": "websocket.send", "text": _HELLO})
        outbox = Outbox(send)
        gate = self.limits.messages_of(who.address, who.issued)
        connection = Connection(
            self.games,
            who.key,
            outbox.push,
            outbox.close,
            Asker(who.name, who.address),
            gate,
            self.limits.tables,
            self.limits.followed,
            self.limits.addresses.of(who.address),
        )
        scope.clear()  # thousands of them stay open: what is no longer needed goes
        self._open[outbox] = who.key
        self.games.metrics.sockets.inc()
        try:
            while not outbox.closed:
                message = await receive()
                if message["type"] == "websocket.disconnect":
                    break
                await outbox.room()
                data = message.get("text")
                await connection.receive(data if data is not None else message["bytes"])
        finally:
            if outbox.code == CLOSE_RATE:
                self._shut(who.name)
            self.games.metrics.sockets.dec()
            del self._open[outbox]
            connection.gone()
            await outbox.stop()

    def _shut(self, name: str) -> None:
        now = time.monotonic()
        self._shut_out = {name: until for name, until in self._shut_out.items() if until > now}
        self._shut_out[name] = now + SHUT_OUT

    async def _at_the_door(self, name: str) -> bool:
        """Whether somebody is shut out: a key, or for those without one their address."""
        until = self._shut_out.get(name)
        if until is None:
            return False
        if until < time.monotonic():
            del self._shut_out[name]
            return False
        await asyncio.sleep(HELD)
        return True

    def shut_out(self, keys: Collection[str]) -> None:
        """These keys were banned."""
        for outbox, key in list(self._open.items()):
            if key in keys:
                self.games.metrics.closed.labels(str(CLOSE_BANNED)).inc()
                outbox.close(CLOSE_BANNED, "this key is banned")

    def close(self) -> None:
        """The server stops: pages are told to come back."""
        for outbox in list(self._open):
            outbox.close(CLOSE_GOING_AWAY, "the server restarts")
