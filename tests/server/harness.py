"""A house to play in: a server on a temporary store, time that only a test moves on, browsers and sockets."""

import asyncio
import inspect
import itertools
import json
import os
import shutil
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self, TypeVar
from unittest import mock

import httpx
import msgspec

from projectl.server.games.live import LiveGame
from projectl.server.games.memory import Games
from projectl.server.http import app
from projectl.server.http.connection import Connection
from projectl.server.http.cookies import COOKIE
from projectl.server.http.limits import Bucket, Limits
from projectl.server.http.messages import FromServer
from projectl.server.secret import hashed
from projectl.server.settings import Settings
from projectl.server.store.store import Store
from projectl.server.thinkers import Thinkers
from projectl.server.workers import Asker, Pool

T = TypeVar("T")
Message = dict[str, Any]
Wanted = Callable[[Message], bool]

LONG: Final = bool(os.environ.get("PROJECTL_LONG"))
SITE: Final = "http://table.example"
PATIENCE: Final = 60.0  # real seconds until a test that waits for something gives up
START: Final = 1_800_000_000.0
NO_LIMIT: Final = 1e9


def examples(few: int, many: int) -> int:
    """How many examples a property test tries."""
    return many if LONG else few


# --- time -------------------------------------------------------------------------------------


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be moved on: what was to happen meanwhile happens at once."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end."""
    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(work)


class Clock:
    """The server's clock. It stands still but for `advance`."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> float:
        """Seconds since 1970."""
        return self.time

    def advance(self, seconds: float) -> None:
        """Let time pass; timers that run out ring as soon as the test waits for something."""
        self.time += seconds
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        loop.ahead += seconds


async def until(true: Callable[[], object | Awaitable[object]]) -> None:
    """Wait for something that the server does by itself."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = true()
        if await found if inspect.isawaitable(found) else found:
            return
        await asyncio.sleep(0.002)
    raise AssertionError("it never came true")


# --- thinking without processes ---------------------------------------------------------------


class HereThinkers(Thinkers):
    """Bots think in this process: no time is lost starting others."""

    async def _run(self, pool: Pool, asker: Asker, work: Callable[..., T], *arguments: object) -> T:
        await asyncio.sleep(0)
        return work(*arguments)


# --- clients ----------------------------------------------------------------------------------


def short(event: Message) -> str:
    """An event in short: `1 gain O1`, `1 undo 3`, `2 resign`."""
    match event["type"]:
        case "played":
            words = event["action"]
        case "undone":
            words = f"undo {event['to']}"
        case "resigned":
            words = "resign"
        case "handed_over":
            words = f"handover {event['bot']}"
        case "said":
            words = f"say {event['text']}"
        case "seat_taken":
            words = f"sit as {event['name']!r}"
        case "begun":
            return "begin"
        case "arranged":
            return "arranged"
        case "cancelled":
            return "cancelled"
        case "expired":
            return "expired"
        case "advised":
            words = "hint"
        case "mixed":
            words = f"mix {event['luck']}"
        case "rematched":
            words = "rematch"
        case "closed":
            return "close"
        case other:
            raise AssertionError(f"no such event: {other}")
    return f"{event['seat']} {words}"


_from_server: Final = msgspec.json.Decoder(FromServer)


class Client:
    """One end of a socket. What it hears is checked against the types of `messages.py`."""

    def __init__(self, games: Games, key: str | None = None, *, name: str = "m", limited: bool = False) -> None:
        self.key = key
        self.name = name  # begins the ids of its messages
        self.heard: list[bytes] = []
        self.closed: tuple[int, str] | None = None
        self.game = ""
        self._ids = itertools.count(1)
        self._news = asyncio.Event()
        self._read = 0
        self.connection = Connection(games, None if key is None else hashed(key), self._push, self._close)
        if not limited:
            self.connection._bucket = Bucket(NO_LIMIT, NO_LIMIT)

    def _push(self, data: bytes) -> None:
        _from_server.decode(data)
        self.heard.append(data)
        self._news.set()

    def _close(self, code: int, reason: str) -> None:
        self.closed = self.closed or (code, reason)
        self._news.set()

    async def send(self, data: bytes | str) -> list[Message]:
        """Any bytes; what came back meanwhile."""
        before = len(self.heard)
        await self.connection.receive(data)
        return [json.loads(line) for line in self.heard[before:]]

    async def say(self, kind: str, **message: object) -> list[Message]:
        """A message; what came back meanwhile."""
        return await self.send(json.dumps({"type": kind, **message}))

    async def ask(self, kind: str, **message: object) -> Message:
        """A message about the game that is followed; its answer."""
        message = {"game": self.game, "id": f"{self.name}{next(self._ids)}", **message}
        found = [answer for answer in await self.say(kind, **message) if answer.get("id") == message["id"]]
        assert len(found) == 1, found
        return found[0]

    async def watch(self, game: str, since: int | None = None, **more: object) -> Message:
        """Follow a game; the first `state`."""
        self.game = game
        found = await self.say("watch", game=game, **({} if since is None else {"since": since}), **more)
        assert [message["type"] for message in found] == ["state"], found
        return found[0]

    async def act(self, action: str, seat: int | None = None, **more: object) -> Message:
        """Play an action, having seen the last state that came."""
        message = {"version": self.version, "action": action, **({} if seat is None else {"seat": seat})}
        return await self.ask("act", **{**message, **more})

    async def play(self, *actions: str, seat: int | None = None) -> None:
        """Play actions that are all accepted."""
        for action in actions:
            answer = await self.act(action, seat)
            assert answer["type"] == "done", answer

    async def until(self, wanted: Wanted) -> Message:
        """The next message of a kind, not looked at by `until` before."""
        async with asyncio.timeout(PATIENCE):
            while True:
                while self._read < len(self.heard):
                    message: Message = json.loads(self.heard[self._read])
                    self._read += 1
                    if wanted(message):
                        return message
                self._news.clear()
                await self._news.wait()

    async def turn(self, seat: int) -> None:
        """Wait until a seat is to act."""
        await until(lambda: seat in self.state["view"]["to_act"])

    async def over(self) -> None:
        """Wait for the end of the game."""
        await until(lambda: self.table["status"] == "over")

    def messages(self, kind: str = "") -> list[Message]:
        """Everything heard so far, or everything of one type."""
        found = [json.loads(data) for data in self.heard]
        return [message for message in found if not kind or message["type"] == kind]

    @property
    def state(self) -> Message:
        """The newest `state` of the game that is followed."""
        return next(m for m in reversed(self.messages("state")) if m["game"] == self.game)

    @property
    def table(self) -> Message:
        """The newest table that was shown."""
        found: Message = next(m["table"] for m in reversed(self.messages()) if m.get("table"))
        return found

    @property
    def version(self) -> int:
        """The last version heard of."""
        return int(self.state["version"])

    @property
    def start(self) -> int:
        """The version at which everybody had sat down."""
        found = [one for state in self.messages("state") for one in state["events"] if one["event"]["type"] == "begun"]
        return int(found[0]["version"]) if found else 0

    def events(self) -> list[Message]:
        """Every event heard of, in the order heard."""
        return [happened["event"] for state in self.messages("state") for happened in state["events"]]

    def texts(self) -> list[str]:
        """What happened since everybody sat down, in short."""
        return [short(event) for event in self.events() if event["type"] not in ("seat_taken", "begun")]


class Visitor:
    """A browser: it keeps its cookie."""

    def __init__(self, house: "House") -> None:
        self.house = house
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(house.server), base_url=SITE)

    @property
    def key(self) -> str | None:
        """The secret in the cookie."""
        return self.http.cookies.get(COOKIE)

    async def get(self, path: str, **more: Any) -> Message:
        """A GET that is answered."""
        return _answered(await self.http.get(path, **more))

    async def post(self, path: str, form: object = None, **more: Any) -> Message:
        """A POST that is answered."""
        return _answered(await self.http.post(path, json={} if form is None else form, **more))

    async def refused(self, path: str, form: object = None, **more: Any) -> tuple[int, str]:
        """A POST that is refused: the status and the code."""
        return refusal(await self.http.post(path, json={} if form is None else form, **more))

    async def make(self, **form: object) -> Message:
        """A table."""
        return await self.post("/api/import" if "record" in form else "/api/tables", form)

    async def join(self, game: str, **form: object) -> Message:
        """A seat."""
        return await self.post(f"/api/tables/{game}/join", form)

    def client(self) -> Client:
        """A socket of this browser."""
        return self.house.client(self.key)

    async def at(self, game: str, since: int | None = None) -> Client:
        """A socket that follows a game."""
        client = self.client()
        await client.watch(game, since)
        return client


def _answered(response: httpx.Response) -> Message:
    assert response.status_code == 200, response.text
    found: Message = response.json()
    return found


def refusal(response: httpx.Response) -> tuple[int, str]:
    """The status and the code of a refusal that says what it should."""
    found = response.json()
    assert set(found) <= {"code", "sentence", "field", "line", "about"}
    assert found["sentence"]
    assert "Traceback" not in response.text
    return response.status_code, found["code"]


# --- the house --------------------------------------------------------------------------------


_idle: Final[list[app.Server]] = []  # building one takes longer than most tests


class House:
    """A server on a store of its own. Entered by the fixture `house`."""

    def __init__(self, store: Path, template: Path | None = None) -> None:
        self.path = store
        self.clock = Clock()
        self.server: app.Server
        self.thinkers: Callable[[int | None], Thinkers] = HereThinkers
        self._names = itertools.count()
        self._clients: list[Client] = []
        self._visitors: list[Visitor] = []
        if template is not None:
            shutil.copy(template, store)

    @property
    def games(self) -> Games:
        """The authority over the games."""
        games = self.server.http.state.games
        assert isinstance(games, Games)
        return games

    async def open(self) -> None:
        """Start the server, by the ASGI lifespan."""
        self._in: asyncio.Queue[Message] = asyncio.Queue()
        self._out: asyncio.Queue[Message] = asyncio.Queue()
        self.server = _idle.pop() if _idle else app.Server(Settings(""))
        self.server.settings = Settings(f"sqlite:///{self.path}")
        self.server.limits = Limits(NO_LIMIT)
        with (
            mock.patch.object(app, "Games", partial(Games, now=self.clock.now)),
            mock.patch.object(app, "Thinkers", self.thinkers),
        ):
            self._life = asyncio.create_task(self.server({"type": "lifespan"}, self._in.get, self._say))
            await self._in.put({"type": "lifespan.startup"})
            started = await self._out.get()
        assert started["type"] == "lifespan.startup.complete", started

    async def _say(self, message: Any) -> None:
        await self._out.put(message)

    async def close(self) -> None:
        """Stop the server."""
        for client in self._clients:
            client.connection.gone()
        for visitor in self._visitors:
            await visitor.http.aclose()
        self._clients, self._visitors = [], []
        await self._in.put({"type": "lifespan.shutdown"})
        stopped = await self._out.get()
        await self._life
        assert stopped["type"] == "lifespan.shutdown.complete", stopped
        _idle.append(self.server)

    async def restart(self) -> None:
        """Stop, and start on the same store. Clients and visitors from before are gone."""
        await self.close()
        await self.open()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def visitor(self, key: str | None = None) -> Visitor:
        """A browser; with a key, one that was here before."""
        found = Visitor(self)
        if key is not None:
            found.http.cookies.set(COOKIE, key, domain="table.example")
        self._visitors.append(found)
        return found

    def client(self, key: str | None = None, *, limited: bool = False) -> Client:
        """A socket; without a key a spectator's."""
        found = Client(self.games, key, name=f"{next(self._names)}-", limited=limited)
        self._clients.append(found)
        return found

    async def pair(self, **form: object) -> tuple[Client, Client]:
        """Two people at a table of two: Ana made it, Bo came by invitation."""
        ana, bo = await self.people(2, **form)
        return ana, bo

    async def people(self, number: int, **form: object) -> list[Client]:
        """People at a table, each on their own device; seat 1 made it."""
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (number - 1)]
        if "record" not in form:
            form = {"players": number, **form}
        first = self.visitor()
        made = await first.make(**{"seats": seats, **form})
        found = [first]
        for seat in range(2, number + 1):
            guest = self.visitor()
            await guest.join(made["game"], invite=made["invites"][str(seat)])
            found.append(guest)
        return [await visitor.at(made["game"]) for visitor in found]

    async def live(self, game: str) -> LiveGame:
        """A game in the server's memory."""
        return await self.games.get(game)


class Stage(NamedTuple):
    """An open house for tests that are no coroutines."""

    house: House
    runner: asyncio.Runner

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the house."""
        return self.runner.run(work)


def new_store(path: Path) -> Path:
    """An empty store, to be copied: that is quicker than making one."""
    Store(f"sqlite:///{path}").close()
    return path


# --- the socket itself ------------------------------------------------------------------------


class Socket:
    """A WebSocket as an ASGI server carries it."""

    def __init__(
        self,
        server: app.Server,
        headers: dict[str, str] | None = None,
        path: str = "/api/socket",
        address: str = "",
    ) -> None:
        self.sent: list[Message] = []
        self.reads = asyncio.Event()  # cleared: the client does not read
        self.reads.set()
        self._to_server: asyncio.Queue[Message] = asyncio.Queue()
        self._news = asyncio.Event()
        rows = {"host": "table.example", **(headers or {})}
        scope = {
            "type": "websocket",
            "path": path,
            "scheme": "ws",
            "headers": [(key.encode(), value.encode()) for key, value in rows.items()],
            "client": (address, 0),
        }
        self._to_server.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(server(scope, self._to_server.get, self._send))

    async def _send(self, message: Any) -> None:
        await self.reads.wait()
        self.sent.append(message)
        self._news.set()

    def say(self, **message: object) -> None:
        """A text message."""
        self.put(json.dumps(message))

    def put(self, data: str | bytes) -> None:
        """Any data."""
        part = {"text": data} if isinstance(data, str) else {"bytes": data}
        self._to_server.put_nowait({"type": "websocket.receive", **part})

    async def until(self, wanted: Wanted) -> Message:
        """The first thing sent that is wanted."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for message in self.sent:
                    if wanted(message):
                        return message
                self._news.clear()
                await self._news.wait()

    async def close_code(self) -> int:
        """The code with which the server closes."""
        return int((await self.until(lambda message: message["type"] == "websocket.close"))["code"])

    def heard(self) -> list[Message]:
        """The messages that came."""
        return [json.loads(part["text"]) for part in self.sent if part["type"] == "websocket.send"]

    async def leave(self) -> None:
        """The client goes."""
        self._to_server.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self.task
