"""A bot of this machine at a table of a server: it follows the game over HTTP and plays when its seat may act.

The server sends what the seat knows as numbers, so the bot gets the same looks as in the arena.
"""

import json
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from http.client import HTTPException
from typing import Final, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from projectl.bots.action import THINKING, bot_action
from projectl.bots.program import KnownData
from projectl.bots.protocol import Bot
from projectl.core.cards import parse_card
from projectl.core.dice import Dice
from projectl.core.errors import ProjectLError, Unreadable
from projectl.core.knowledge import Known, imagine
from projectl.core.legal import to_act
from projectl.core.rules import Rules, rules_with

PATIENCE: Final = 45.0  # seconds without a sign of the server; it sends one every 15
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 10.0  # seconds between two attempts to reach it
_PASSED: Final = ("stale", "not-your-turn", "over", "not-begun")  # somebody was quicker: look again


_GAME: Final = re.compile(r"/(?:join|table|api/tables)/([A-Za-z0-9_-]{1,40})/?")

Answer = TypeVar("Answer")


class TableError(ProjectLError):
    """The server refuses, or is none."""

    kind = "table"


class Link(NamedTuple):
    """Where a table is: the server, its game, and what opens a seat there."""

    server: str  # scheme and host
    game: str = ""  # empty: any public table
    invite: str = ""
    seat: int | None = None


def read_link(text: str) -> Link:
    """An invitation, the address of a table, or that of a server."""
    try:
        parts = urllib.parse.urlsplit(text.strip())
        game = _GAME.fullmatch(parts.path)
        web = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        whole = text.isprintable() and " " not in text.strip()
        good = web and whole and (game is not None or parts.path in ("", "/", "/tables"))
    except ValueError:
        good = False
    if not good:
        sentence = f"a table's link is as http://localhost:8765/join/GAME#INVITATION, found {text[:60]!r}"
        raise Unreadable("link", sentence)
    seat = urllib.parse.parse_qs(parts.query).get("seat", [""])[0]
    server = f"{parts.scheme}://{parts.netloc}"
    number = int(seat) if seat in ("1", "2", "3", "4", "5", "6") else None
    return Link(server, game[1] if game else "", parts.fragment, number)


# What the server says, as far as a guest listens.


class _Setup(Struct):
    edition: str
    players: int
    modules: list[str]
    options: dict[str, str]
    cards: list[str]


class _Seat(Struct):
    seat: int
    kind: str
    name: str


class SeenTable(Struct):
    """A table, as far as a guest wants to know it."""

    game: str
    setup: _Setup
    seats: list[_Seat]
    status: str


class _Tables(Struct):
    tables: list[SeenTable]


class _Joined(Struct):
    seat: int
    token: str


class SeenOutcome(Struct):
    """The end of a game; seats from 1."""

    scores: list[int]
    winners: list[int]


class _View(Struct):
    result: SeenOutcome | None = None


class _News(Struct):
    type: str
    version: int = 0
    legal: dict[str, list[str]] = {}
    view: _View | None = None
    table: SeenTable | None = None


class _Knows(Struct):
    version: int
    seat: int
    known: KnownData


class _Refused(Struct):
    code: str = "refused"
    sentence: str = "the server refuses without saying why"


def _rules(setup: _Setup) -> Rules:
    own = tuple(map(parse_card, setup.cards))
    return rules_with(setup.players, setup.edition, tuple(setup.modules), setup.options, own)


class RemoteServer:
    """Requests to a server; what it refuses is a TableError, what does not reach it an OSError."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address
        self.token = token

    def open(self, path: str, body: object = None) -> Iterator[bytes]:
        """The lines of an answer, as they come."""
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}/api/{path}", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                yield from answer
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error) from None
        except HTTPException as error:  # it broke off in the middle
            raise OSError(f"the answer breaks off: {type(error).__name__}") from None

    def ask(self, kind: type[Answer], path: str, body: object = None) -> Answer:
        """One answer, decoded."""
        return _decoded(b"".join(self.open(path, body)), kind)


def _decoded(data: bytes, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise TableError("no-server", f"this is no server of Project L, or of another version: {error}") from None


def _refusal(error: urllib.error.HTTPError) -> ProjectLError | OSError:
    if error.code >= 500:
        return OSError(f"the server answers {error.code}")
    try:
        found = msgspec.json.decode(error.read(), type=_Refused)
    except msgspec.DecodeError:
        return TableError("no-server", f"there is no server of Project L: it answers {error.code}")
    return TableError(found.code, found.sentence)


class Guest:
    """A bot's place at a table."""

    def __init__(self, server: RemoteServer, table: SeenTable, seat: int) -> None:
        self.server = server
        self.table = table
        self.seat = seat  # from 1
        self.rules = _rules(table.setup)
        self.version = 0  # the last one heard of
        self.played = -1  # the last one that an action answered
        self.result: SeenOutcome | None = None
        self._name = secrets.token_hex(4)

    def play(self, bot: Bot, tell: Callable[[str], None], seconds: float = THINKING) -> SeenOutcome | None:
        """Play to the end of the game; None where it ended by resignation. Lost connections are taken up again."""
        pause = FIRST_PAUSE
        while True:
            try:
                for line in self.server.open(f"tables/{self.table.game}/stream?since={self.version}"):
                    pause = FIRST_PAUSE
                    if line.strip() and self._hear(_decoded(line, _News), bot, tell, seconds):
                        return self.result
            except OSError as error:
                reason = getattr(error, "reason", None) or error
                tell(f"The server cannot be reached ({reason}); trying again in {pause:g} s.")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _hear(self, news: _News, bot: Bot, tell: Callable[[str], None], seconds: float) -> bool:
        """Take a message in and act if it is time to; whether the game is over."""
        if news.table is not None:
            self.table = news.table
        if news.type != "state":
            return False
        self.version = max(self.version, news.version)
        self.result = news.view.result if news.view else None
        if self.result is not None or self.table.status == "over":
            return True
        if str(self.seat) in news.legal and news.version > self.played:
            self._act(bot, tell, seconds)
        return False

    def _act(self, bot: Bot, tell: Callable[[str], None], seconds: float) -> None:
        """Ask what the seat knows, let the bot think, play."""
        place = f"tables/{self.table.game}"
        found = self.server.ask(_Knows, f"{place}/known?seat={self.seat}")
        known = Known(**found.known)
        state = imagine(self.rules, known, Dice(found.version))
        if self.seat - 1 not in to_act(state):  # where several may act, news can be older than what was played since
            return
        action = bot_action(bot, state, self.seat - 1, seconds)
        body = {"id": f"{self._name}-{found.version}", "version": found.version, "action": action, "seat": self.seat}
        try:
            list(self.server.open(f"{place}/actions", body))
            tell(f"{self.seat} {action}")
        except TableError as error:
            if error.code not in _PASSED:
                raise
        self.played = found.version


def sit_down(link: Link, name: str, token: str = "") -> Guest:
    """Take a seat, or with its token come back to one."""
    server = RemoteServer(link.server, token)
    if token:
        return _back(server, link.game)
    table = server.ask(SeenTable, f"tables/{link.game}") if link.game else _public(server)
    body: dict[str, object] = {"name": name[:30], "token": True}
    if link.invite:
        body["invite"] = link.invite
    else:
        body["seat"] = link.seat or _open_seat(table)
    joined = server.ask(_Joined, f"tables/{table.game}/join", body)
    server.token = joined.token
    return Guest(server, server.ask(SeenTable, f"tables/{table.game}"), joined.seat)


def _back(server: RemoteServer, game: str) -> Guest:
    seat = server.ask(_Knows, f"tables/{game}/known").seat
    return Guest(server, server.ask(SeenTable, f"tables/{game}"), seat)


def _public(server: RemoteServer) -> SeenTable:
    tables = server.ask(_Tables, "tables").tables
    if not tables:
        raise TableError("no-table", "the server has no public table with an open seat; an invitation link names one")
    return tables[0]


def _open_seat(table: SeenTable) -> int:
    seats = [seat.seat for seat in table.seats if seat.kind == "open"]
    if not seats:
        raise TableError("no-seat", "no seat is open at this table")
    return seats[0]
