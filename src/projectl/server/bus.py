"""News between server processes: which game has something new in the store. Valkey or Redis, by its address."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final, Protocol
from urllib.parse import urlsplit

import msgspec
from msgspec import Raw, Struct

from projectl.server.errors import BusError
from projectl.server.tasks import end

log: Final = logging.getLogger("projectl.bus")
_CHANNEL: Final = "projectl/1/news"
_RETRY: Final = 1.0
_SCHEMES: Final = ("redis", "rediss")  # rediss: by TLS


class Told(Struct, frozen=True, array_like=True):
    """An event as it was stored, for who has everything before it: that one need not ask the store."""

    version: int
    event: Raw
    at: float
    message: str


class News(Struct, frozen=True, omit_defaults=True):
    """A game has new events, or people came and went. No game: some news were lost."""

    worker: str
    game: str
    events: list[Told] = []  # what is new, unless it is much
    holders: bool = False  # somebody has a seat on a further device
    online: list[int] | None = None  # the seats that this worker has connections of
    alive: bool = False  # nothing new, but the worker is there


Listener = Callable[[News], Awaitable[None]]
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(News).decode


class Bus(Protocol):
    """Carries news to every other process."""

    up: bool  # while it is not, news have to be looked for in the store

    async def start(self, listener: Listener) -> None:
        """Hear what the others say from now on."""
        ...

    def publish(self, news: News) -> None:
        """Tell the others; it does not wait."""
        ...

    async def close(self) -> None:
        """Say nothing more."""
        ...


class Alone:
    """The bus of a server with one process: there is nobody to tell."""

    up = True

    async def start(self, listener: Listener) -> None:
        pass

    def publish(self, news: News) -> None:
        pass

    async def close(self) -> None:
        pass


class RedisBus:
    """Publish and subscribe on one channel. The store has the truth: lost news cost time, not events."""

    def __init__(self, url: str) -> None:
        try:
            from redis import asyncio as redis
        except ImportError:
            sentence = "a bus needs its driver, which `pip install 'projectl[redis]'` brings"
            raise BusError("bus-missing", sentence) from None
        self._redis = redis.Redis.from_url(bus_address(url))
        self._queue: asyncio.Queue[News] = asyncio.Queue(maxsize=10_000)
        self._tasks: list[asyncio.Task[None]] = []
        self.up = False
        self._told = False  # that it is gone, since it was there

    async def check(self) -> None:
        """Refuse a bus that does not answer."""
        try:
            await self._redis.ping()
        except Exception as error:
            sentence = f"the bus does not answer ({error}): start it, or name another with --bus"
            raise BusError("bus-open", sentence) from None

    async def start(self, listener: Listener) -> None:
        self._tasks = [asyncio.create_task(self._hear(listener)), asyncio.create_task(self._tell())]

    async def _hear(self, listener: Listener) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(_CHANNEL)
                    async for message in channel.listen():
                        if message["type"] == "message":
                            await listener(_decode(message["data"]))
                        elif message["type"] == "subscribe":
                            self.up, self._told = True, False
                            await listener(News("", ""))
            except Exception as error:  # the bus may come back
                self.up = False
                self._gone("the bus is gone: %s", error)
                await asyncio.sleep(_RETRY)

    async def _tell(self) -> None:
        while True:
            await self._tell_one(_encode(await self._queue.get()))

    async def _tell_one(self, news: bytes) -> None:
        while True:
            try:
                await self._redis.publish(_CHANNEL, news)
                return
            except Exception as error:
                self._gone("news could not be sent: %s", error)
                await asyncio.sleep(_RETRY)

    def _gone(self, words: str, error: Exception) -> None:
        """Say it once, not with every try."""
        if not self._told:
            log.warning(words, error)
        self._told = True

    def publish(self, news: News) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self._queue.put_nowait(news)

    async def close(self) -> None:
        await end(self._tasks)
        await self._redis.aclose()


def bus_address(url: str) -> str:
    """A given address of a bus, checked; it may hold a password, so it is not repeated."""
    try:
        parts = urlsplit(url)
        right = parts.scheme in _SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right:
        raise BusError("bus-url", "--bus is the address of Redis or Valkey, as redis://localhost:6379/0")
    return url


def shown_bus(url: str) -> str:
    """The address without its password."""
    parts = urlsplit(url)
    password = parts.password
    return url.replace(f":{password}@", ":***@", 1) if password else url


def make_bus(url: str | None) -> Bus:
    """The bus at an address; none means that this process is alone."""
    return Alone() if not url else RedisBus(url)


async def check_bus(url: str) -> None:
    """Refuse a bus that cannot be used, before any process of a server stands on it."""
    bus = RedisBus(url)
    try:
        await bus.check()
    finally:
        await bus.close()
