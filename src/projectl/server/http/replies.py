"""What the HTTP part answers, as types, beside the messages that it shares with the socket.

The page's TypeScript types and the OpenAPI description are made from here.
"""

from typing import Final

import msgspec
from msgspec import Struct

from projectl.bots.program import KnownData
from projectl.core.view import View
from projectl.facts import Facts
from projectl.server.games.events import Event
from projectl.server.http.messages import (
    Done,
    FromClient,
    FromServer,
    Happened,
    Hinted,
    Setup,
    Table,
    Tried,
    Update,
)


class RefusalReply(Struct, omit_defaults=True):
    """Why something was not done."""

    code: str
    sentence: str
    field: str = ""  # the part of the request at fault
    line: int = 0  # of a record
    about: str = ""  # the word or number that the sentence names


# --- the game itself --------------------------------------------------------------------------


class Need(Struct):
    """What a module, or a number of players, asks of the rest of a game."""

    players: list[int]  # one of these
    modules: list[str]  # any one of these too; none: it needs no other


class EditionRow(Struct):
    """What one edition has."""

    players: list[int]  # 1 is solo
    modules: list[str]
    needs: dict[str, Need]  # by module, and by number of players
    defaults: dict[str, str]  # of the options


class OptionRow(Struct, omit_defaults=True):
    """Something that a table may settle; values are texts."""

    name: str
    values: list[str]  # none: a number from 1
    defaults: dict[str, str]  # by edition; the empty text: none
    words: str  # what it is, in English
    solo: bool = False  # only there


class LevelRow(Struct):
    """A bot with its measured strength; 400 points more win ten games for one that is lost."""

    bot: str
    rating: int
    margin: int  # 95 % lie within
    offered: bool  # as a level for a new table


class About(Struct):
    """Versions, editions, bots."""

    name: str
    version: str
    protocol: int
    compiled: bool
    public_url: str  # where people reach this server, if whoever runs it said so
    addresses: list[str]  # its links in the house, the likeliest first
    bots: list[str]
    levels: list[LevelRow]  # from gentle to merciless
    options: dict[str, list[str]]  # the values of each option
    option_table: list[OptionRow]
    editions: dict[str, EditionRow]


class CatalogueCard(Struct):
    """A puzzle card."""

    id: str
    colour: str  # W or B
    points: int
    reward: str  # a piece, LEVELUP1, LEVELUP2 or M
    rows: list[str]  # `.` is a hollow to fill, `#` is not
    pack: str


class CatalogueTile(Struct):
    """A Finesse tile."""

    id: str
    set: str
    when: str  # now, end
    what: str  # place, each-owned, take …
    shapes: list[str]
    credits: int
    pack: str


class CataloguePiece(Struct):
    """One of the twelve pieces."""

    name: str
    level: int
    ghost: bool
    cells: list[tuple[int, int]]  # column and row, from 0


class Catalogue(Struct):
    """Every card and tile, and the pieces."""

    cards: list[CatalogueCard]
    tiles: list[CatalogueTile]
    pieces: list[CataloguePiece]


class Checked(Struct, omit_defaults=True):
    """Whether such a game exists; if not, why."""

    ok: bool
    code: str = ""
    sentence: str = ""
    field: str = ""


# --- tables -----------------------------------------------------------------------------------


class Made(Struct):
    """A table that was just made."""

    game: str
    seats: list[int]  # those of whoever made it
    invites: dict[str, str]  # by seat: an invitation for each open one
    table: Table


class Joined(Struct, omit_defaults=True):
    """A seat that was just taken."""

    game: str
    seat: int
    token: str = ""  # for a program; a browser has it in a cookie


class Invited(Struct):
    """A fresh invitation."""

    game: str
    seat: int
    invite: str
    purpose: str  # seat: for whoever comes; device: for a further device of whoever has the seat
    expires: float  # seconds since 1970


class Invitation(Struct, omit_defaults=True):
    """An invitation that was made; its token is with whoever has the link."""

    id: str  # names it, opens nothing
    seat: int
    purpose: str
    made: float
    expires: float | None = None


class Invitations(Struct):
    """The invitations that one may take back."""

    game: str
    invites: list[Invitation]


class Paired(Struct):
    """A seat among people who look for the same game: it has begun, or waits for the others."""

    game: str
    seat: int
    table: Table


class Qr(Struct):
    """A QR code: the rows of its modules, `#` where it is dark, with the quiet margin around it."""

    rows: list[str]


class TableList(Struct, omit_defaults=True):
    """Several tables, a page of them."""

    tables: list[Table]
    more: str = ""  # the list goes on after this game: `after=` it


class History(Struct, omit_defaults=True):
    """Some of what happened at a table, without what was taken back."""

    game: str
    events: list[Happened]
    earlier: int = 0  # there is more before this version


class Knows(Struct):
    """All that a seat knows, for a bot: the engine's numbers, which change with it."""

    game: str
    version: int
    seat: int  # from 1
    known: KnownData


# --- records ----------------------------------------------------------------------------------


class ReplayStep(Struct):
    """An action of a record, and the position after it."""

    seat: int
    text: str
    facts: Facts
    view: View


class ReplayGame(Struct):
    """A record step by step."""

    setup: Setup
    names: list[str]
    start: View
    steps: list[ReplayStep]


class AnalysedTurn(Struct):
    """A turn of a record, looked at again."""

    turn: int  # from 0
    turns: int  # how many there are
    first: int  # number of its first action in the record, from 0
    seat: int
    round: int
    played: list[str]
    best: list[str]
    facts: list[Facts]  # what each action of the best turn would have done
    before: float  # the chance to win with the best turn found
    after: float  # with the turn that was played
    loss: float
    why: str  # the best turn in an English sentence


class Issued(Struct):
    """A key, known to nobody else."""

    key: str


# --- puzzles ----------------------------------------------------------------------------------


class TriedStep(Struct):
    """A whole action, and what it did."""

    seat: int
    text: str
    facts: Facts


class Days(Struct):
    """Which days have a puzzle."""

    first: str  # as 2026-11-18
    today: str  # the server's date, in UTC
    puzzles: int  # so many there are; then they begin anew


class BestSolo(Struct, omit_defaults=True):
    """A finished daily solo game."""

    name: str
    colour: str
    score: int  # so many points ahead of the mastermind
    mine: bool = False
    game: str = ""  # told to whoever cannot learn the deck from it any more


class SoloDay(Struct):
    """The best daily solo games of a day on this server."""

    day: str
    best: list[BestSolo]
    finished: int  # so many were played to their end
    mine: str  # the game of whoever asks; empty: none was begun
    over: bool  # and it is over


class Daily(Struct):
    """The puzzle of a day, after the actions that were tried."""

    day: str
    number: int  # of the day, from 1
    setup: Setup
    seat: int  # whose turn it is to find
    start: View  # before the turn, as that seat sees it
    view: View  # after the actions
    legal: list[str]  # what the turn can go on with
    steps: list[TriedStep]
    done: bool  # the turn is whole


class LessonStep(Struct):
    """A short lesson, after the actions that were tried."""

    id: str
    play: list[str]  # the actions that show the rule
    setup: Setup
    seat: int  # whose action it is
    start: View  # before it, as that seat sees it
    view: View  # after the actions
    legal: list[str]
    steps: list[TriedStep]
    done: bool  # the seat can do no more


class Graded(Struct):
    """A turn beside the best one."""

    stars: int  # 3: as good as the best, down to 0
    chance: float  # to win after it, 0 to 1
    best_chance: float
    best: list[str]
    facts: list[Facts]  # what each action of the best turn does


class Health(Struct, omit_defaults=True):
    """Whether it can serve, how many games the store has by status, and what is ill."""

    ok: bool
    games: dict[str, int]
    broken: list[str] = []  # games that cannot be loaded
    ill: dict[str, str] = {}  # by part: store, bus


REPLIES: Final = (
    RefusalReply, About, Catalogue, Checked, Made, Joined, Invited, Invitations, Issued, Table, TableList, History,
    Knows, ReplayGame, AnalysedTurn, Qr, Paired, Days, Daily, SoloDay, LessonStep, Graded, Health, Update, Done, Tried,
    Hinted,
)  # fmt: skip


def all_types() -> dict[str, object]:
    """JSON Schema of everything that the page and the server say to each other."""
    unions = {"FromClient": FromClient, "FromServer": FromServer, "Event": Event}
    found, parts = msgspec.json.schema_components([*unions.values(), *REPLIES], ref_template="#/$defs/{name}")
    return {"$defs": {**parts, **dict(zip(unions, found, strict=False))}}
