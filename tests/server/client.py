"""A client as tolerant as the page's: it says again what was not answered, comes back with what it has, and believes
a `state` only if it is not older than what it knows."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import json
import random
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.processes import PATIENCE, Server

Message = dict[str, Any]


class Seat:
    """What a client knows of one game and what it still waits for. It sends nothing itself."""

    def __init__(self, game: str, name: str = "m") -> None:
        self.game = game
        self.name = name
        self.version = -1  # nothing yet
        self.view: Message = {}
        self.legal: dict[str, list[str]] = {}
        self.undo: dict[str, int] = {}
        self.table: Message = {}
        self.events: list[Message] = []
        self.waiting: dict[str, Message] = {}  # by id: said and not answered
        self.done: dict[str, int] = {}  # by id: the version
        self.refused: dict[str, str] = {}  # by id: the code
        self.lacks = False  # a message was lost on the way: it has to ask again
        self._numbers = itertools.count(1)

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return bool(self.table) and self.table["status"] == "over"

    def watch(self) -> Message:
        """The first message of every connection."""
        self.lacks = False
        known = {} if self.version < 0 else {"since": self.version}
        return {"type": "watch", "game": self.game, **known}

    def say(self, kind: str, **rest: object) -> Message:
        """A message that wants an answer; it waits until there is one."""
        name = f"{self.name}-{next(self._numbers)}"
        versioned = {} if kind == "chat" else {"version": max(0, self.version)}
        message = {"type": kind, "game": self.game, "id": name, **versioned, **rest}
        self.waiting[name] = message
        return message

    def act(self, action: str, seat: int | None = None) -> Message:
        """Play."""
        return self.say("act", action=action) if seat is None else self.say("act", action=action, seat=seat)

    def choose(self, dice: random.Random) -> tuple[int, str] | None:
        """Some legal action of one of its seats; None where it has to wait."""
        for seat, actions in self.legal.items():
            if actions:
                return int(seat), prefer(actions, dice)
        return None

    def act_somehow(self, dice: random.Random) -> Message:
        """Play some legal action; there has to be one."""
        chosen = self.choose(dice)
        assert chosen is not None, "it is not this client's turn"
        return self.act(chosen[1], chosen[0])

    def hear(self, data: bytes | str) -> Message:
        """Take in what the server said."""
        message: Message = json.loads(data)
        kind = message["type"]
        if kind == "state":
            self._hear_state(message)
        elif kind == "table":
            self.table = message["table"]
        elif kind == "done":
            self.waiting.pop(message["id"], None)
            self.refused.pop(message["id"], None)
            assert self.done.setdefault(message["id"], message["version"]) == message["version"], message
        elif kind == "refused" and message.get("id"):
            if self.waiting.pop(message["id"], None):
                self.refused[message["id"]] = message["code"]
        return message

    def _hear_state(self, message: Message) -> None:
        if message["version"] < self.version:
            return
        known = max(0, self.version)
        fresh = [event for event in message["events"] if event["version"] > known]
        if self.version >= 0 and "earlier" not in message:
            if message["version"] > known + len(fresh):
                self.lacks = True
                return
            assert [event["version"] for event in fresh] == list(range(known + 1, message["version"] + 1))
        self.events = fresh if "earlier" in message else self.events + fresh
        self.version = message["version"]
        self.view, self.legal, self.undo = message["view"], message.get("legal", {}), message.get("undo", {})
        self.table = message.get("table", self.table)

    def digest(self) -> str:
        """The view, to compare."""
        return digest(self.view)


def prefer(actions: list[str], dice: random.Random) -> str:
    """Some action; placements rather than others, so that games come to an end."""
    good = [action for action in actions if action.split(" ")[0] in ("place", "done", "reward", "master")]
    return dice.choice(good if good and dice.random() < 0.8 else actions)


def digest(view: object) -> str:
    """A hash of a position's JSON."""
    return hashlib.sha256(json.dumps(view, sort_keys=True).encode()).hexdigest()


class Client:
    """A seat on a socket of its own, which it opens again whenever it is lost."""

    def __init__(self, server: Server, game: str, key: str = "", name: str = "m") -> None:
        self.server = server  # where it connects next
        self.seat = Seat(game, name)
        self.key = key
        self.address = ""  # from which a proxy says it comes
        self.heard: list[Message] = []  # on this connection
        self.closed: list[int] = []  # the codes with which connections ended
        self._changed = asyncio.Event()
        self._socket: ClientConnection | None = None
        self._running: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None

    async def __aenter__(self) -> Self:
        self.begin()
        await self.until(lambda: self.seat.version >= 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.leave()

    def begin(self) -> None:
        """Connect, and stay connected."""
        self._running = asyncio.create_task(self._run())

    async def leave(self) -> None:
        """Close the page."""
        if self._running:
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running
            self._running = None

    async def _run(self) -> None:
        try:
            while True:
                try:
                    await self._connected()
                except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError):
                    await asyncio.sleep(0.05)  # the server is not there yet
        except Exception as error:
            self._failure = error
            self._changed.set()
            raise

    async def _connected(self) -> None:
        headers = {"cookie": f"projectl={self.key}"} if self.key else {}
        headers |= {"x-forwarded-for": self.address} if self.address else {}
        async with connect(
            self.server.socket_url, additional_headers=headers, compression=None, proxy=None, open_timeout=PATIENCE
        ) as found:
            self.heard = []
            await found.send(json.dumps(self.seat.watch()))
            for message in list(self.seat.waiting.values()):
                await found.send(json.dumps(message))
            self._socket = found
            try:
                async for data in found:
                    self.heard.append(self.seat.hear(data))
                    if self.seat.lacks:
                        await found.send(json.dumps(self.seat.watch()))
                    self._changed.set()
            finally:
                self._socket = None
                self.closed.append(found.close_code or 0)
                self._changed.set()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that messages bring."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                if self._failure:
                    raise self._failure
                self._changed.clear()
                await self._changed.wait()

    async def at(self, version: int) -> None:
        """Wait for a version."""
        await self.until(lambda: self.seat.version >= version)

    async def send(self, message: Message) -> None:
        """Now if there is a connection; what waits for an answer is said again on the next one."""
        if self._socket:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(json.dumps(message))

    async def answer(self, message: Message) -> int | str:
        """Say something and wait: the version if it was done, the code if it was refused."""
        name = message["id"]
        await self.send(message)
        await self.until(lambda: name in self.seat.done or name in self.seat.refused)
        return self.seat.done[name] if name in self.seat.done else self.seat.refused[name]

    async def play(self, dice: random.Random) -> int | str:
        """Play some legal action, once there is one, and see the state after it."""
        await self.until(lambda: self.seat.choose(dice) is not None)
        answer = await self.answer(self.seat.act_somehow(dice))
        if isinstance(answer, int):
            await self.at(answer)
        return answer
