"""A page of the fleet: as little as comes back by itself, catches up, and says again what was not answered."""

import asyncio
import json
import random
import time
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from benchmarks.light import LightSocket, OpenGame, opening
from benchmarks.load import address

if TYPE_CHECKING:
    from benchmarks.fleet import Fleet

HOSTS: Final = 4  # addresses of this machine at which the proxy listens: each has its own ports for clients
FIRST_WAIT, LONGEST_WAIT, RESTART_WAIT = 0.4, 10.0, 1.0  # seconds until a page comes back, as in web/src/lib/socket.ts
GIVEN_UP: Final = 4.0  # seconds without an answer, then a page takes a new connection
TRIED_AGAIN: Final = 0.5  # seconds after a refusal
GOING_AWAY: Final = 1012


class Numbered(msgspec.Struct):
    """An event, as far as its number goes."""

    version: int


class Heard(msgspec.Struct):
    """What a page here needs of a message."""

    type: str
    id: str = ""
    code: str = ""
    version: int = 0
    events: list[Numbered] = []
    earlier: int = 0
    legal: dict[str, list[str]] = {}


decode: Final = msgspec.json.Decoder(Heard).decode


class Acted(NamedTuple):
    """One action: in which phase it was said, and the seconds until it was acknowledged; or why it was refused."""

    phase: str
    seconds: float
    refused: str = ""


class Game(OpenGame):
    """A game, and what was said in it."""

    def __init__(self, name: str, keys: list[str], number: int) -> None:
        super().__init__(name, keys, number)
        self.mover: Page | None = None
        self.done: dict[str, int] = {}  # by message: the version that was acknowledged
        self.refused: set[str] = set()


class Said(NamedTuple):
    """An action that waits for its answer."""

    message: bytes
    phase: str
    at: float


class Page:
    """Somebody's page: it comes back by itself, with what it knows, and says again what was not answered."""

    def __init__(self, fleet: "Fleet", game: Game, seat: int, number: int) -> None:
        self.fleet = fleet
        self.game = game
        self.seat = seat  # 0: a spectator
        self.number = number
        self.version = -1
        self.socket: LightSocket | None = None
        self.waiting: dict[str, Said] = {}
        self.there = False  # it has a connection, and a state on it
        self._failures = 0
        self._said_at = 0.0  # when something on this connection began to wait for an answer

    async def connect(self) -> None:
        """Once; what comes of it is heard later."""
        host = f"127.0.0.{1 + self.number % HOSTS}"
        key = self.game.keys[self.seat - 1] if self.seat else ""
        request = opening(f"localhost:{self.fleet.proxy.port}", key, address(self.game.number))
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: LightSocket(request, self._heard, self._lost), host, self.fleet.proxy.port
            )
        except OSError:
            self._lost(0)

    def _lost(self, code: int) -> None:
        self.there = False
        self.socket = None
        if self.fleet.leaving:
            return
        self.fleet.ended[code] += 1
        wait = max(RESTART_WAIT if code == GOING_AWAY else 0.0, min(LONGEST_WAIT, FIRST_WAIT * 2**self._failures))
        self._failures += 1
        loop = asyncio.get_running_loop()
        loop.call_later(wait * random.uniform(0.75, 1.25), lambda: self.fleet.begin(self.connect()))

    def _watch(self, socket: LightSocket) -> None:
        since = {} if self.version < 0 else {"since": self.version}
        message = {"type": "watch", "game": self.game.name, "legal": bool(self.seat), **since}
        socket.send(json.dumps(message).encode())

    def _heard(self, socket: LightSocket, payload: bytes) -> None:
        message = decode(payload)
        match message.type:
            case "hello":
                self.socket = socket
                self._watch(socket)
                self._said_at = time.perf_counter()
                for said in self.waiting.values():
                    socket.send(said.message)
            case "state":
                self._state(socket, message)
            case "done":
                self._done(message)
            case "refused":
                self._refused(message)

    def _state(self, socket: LightSocket, message: Heard) -> None:
        self.there = True
        self._failures = 0
        self.fleet.states += 1
        if message.version < self.version:
            return
        known = max(0, self.version)
        fresh = [one.version for one in message.events if one.version > known]
        if self.version >= 0 and not message.earlier and fresh != list(range(known + 1, message.version + 1)):
            self.fleet.gaps += 1
            self._watch(socket)
            return
        self.version = message.version
        legal = message.legal.get(str(self.seat))
        game = self.game
        if legal and message.version > game.version:
            game.legal, game.version, game.mover = legal, message.version, self
            self.fleet.ready.append(game)

    def _done(self, message: Heard) -> None:
        said = self.waiting.pop(message.id, None)
        before = self.game.done.setdefault(message.id, message.version)
        assert before == message.version, "acknowledged twice, as different events"
        if said:
            self.fleet.acted.append(Acted(said.phase, time.perf_counter() - said.at))

    def _refused(self, message: Heard) -> None:
        said = self.waiting.pop(message.id, None)
        if said:
            self.game.refused.add(message.id)
            self.fleet.acted.append(Acted(said.phase, 0.0, message.code))
            asyncio.get_running_loop().call_later(TRIED_AGAIN, self.fleet.ready.append, self.game)

    def act(self, name: str, action: str) -> None:
        """Play; without a connection it is said on the next one."""
        message = {"type": "act", "game": self.game.name, "id": name, "version": self.game.version, "action": action}
        said = Said(json.dumps(message).encode(), self.fleet.phase, time.perf_counter())
        self._said_at = said.at
        self.waiting[name] = said
        if self.socket:
            self.socket.send(said.message)

    def look(self, now: float) -> None:
        """Whoever waits too long for an answer takes a new connection."""
        if self.waiting and self.socket and now - self._said_at > GIVEN_UP:
            self.socket.transport.abort()
            self.socket = None
