"""Every message of the socket and of the line stream, as types: what is sent and what is accepted.

`docs/protocol.md` tells the story; the page's TypeScript types are made from here.
"""

from functools import cache
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from projectl.core.view import View
from projectl.facts import Facts
from projectl.server.games.events import Event

PROTOCOL: Final = 2
MOST_BYTES: Final = 4096  # of one message from a client

GameId = Annotated[str, Meta(min_length=1, max_length=40, pattern="^[A-Za-z0-9_-]+$")]
NO_NUL: Final = "^[^\\x00]*$"  # PostgreSQL cannot store it
ONE_LINE: Final = r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$"  # and not blank
MessageId = Annotated[str, Meta(min_length=1, max_length=64, pattern=NO_NUL)]
Luck = Annotated[str, Meta(min_length=1, max_length=60, pattern=ONE_LINE)]
ActionText = Annotated[str, Meta(min_length=1, max_length=200)]
Version = Annotated[int, Meta(ge=0, le=2**31)]
Seat = Annotated[int, Meta(ge=1, le=6)]


# --- what a client says -----------------------------------------------------------------------


class ClientMessage(Struct, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """Base of all messages from a client."""


class Watch(ClientMessage):
    """Begin to follow a game; `since` is the last version that the client has, if it has one."""

    game: GameId
    since: Version | None = None
    legal: bool = True  # whether the lists of legal actions are wanted


class Leave(ClientMessage):
    """Follow a game no longer."""

    game: GameId


class Act(ClientMessage):
    """Play a whole action, as docs/notation.md writes it. `version` is the one the player saw."""

    game: GameId
    id: MessageId
    version: Version
    action: ActionText
    seat: Seat | None = None  # only needed by a client with several seats that may act


class Undo(ClientMessage):
    """Take the last action back, or all that can be taken back."""

    game: GameId
    id: MessageId
    version: Version
    seat: Seat | None = None
    all: bool = False


class Resign(ClientMessage):
    """Give a seat's game up."""

    game: GameId
    id: MessageId
    version: Version
    seat: Seat | None = None


class Chat(ClientMessage):
    """Say something, where the table has chat."""

    game: GameId
    id: MessageId
    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=NO_NUL)]
    seat: Seat | None = None


class Mix(ClientMessage):
    """Put something into the shuffle, before the cards are dealt."""

    game: GameId
    id: MessageId
    luck: Luck
    seat: Seat | None = None


class Try(ClientMessage):
    """Ask whether an action could be played now, why not, and which placements may be added to it."""

    game: GameId
    id: MessageId
    action: ActionText
    seat: Seat | None = None


class AskHint(ClientMessage, tag="hint"):
    """Ask the bots for the best rest of the turn."""

    game: GameId
    id: MessageId
    seat: Seat | None = None


class Ping(ClientMessage):
    """Ask for a `pong`. `within` promises the next sign of life in so many seconds: without it one counts as away."""

    id: MessageId
    within: Annotated[float, Meta(ge=1, le=3600)] | None = None


FromClient = Watch | Leave | Act | Undo | Resign | Chat | Mix | Try | AskHint | Ping

decode_client: Final = msgspec.json.Decoder(FromClient).decode


# --- what the server says ---------------------------------------------------------------------


class Happened(Struct, frozen=True, omit_defaults=True, gc=False):
    """An event at its place in the game: each has the next version. What an action did is told beside it."""

    version: int
    at: float  # seconds since 1970
    event: Event
    facts: Facts | UnsetType = UNSET  # where there is something to say


class SeatInfo(Struct, frozen=True, omit_defaults=True, gc=False):
    """Who sits where."""

    seat: int
    kind: str  # person, bot, open
    name: str
    colour: str = ""
    bot: str = ""  # the bot that plays it, where one does
    online: bool = False
    resigned: bool = False


class Clock(Struct, frozen=True, omit_defaults=True):
    """How a table keeps time, in seconds; None: no limit."""

    move: float | None = None  # for each turn
    game: float | None = None  # for the whole game
    out: str = "resign"  # what happens to a seat out of time: `resign` or the name of a bot


class Setup(Struct, frozen=True):
    """Which game is played."""

    edition: str
    players: int
    modules: list[str]
    options: dict[str, str]
    cards: list[str]  # the table's own cards, as a record writes them
    actions: list[str] = []  # the kinds that such a game has: `take`, `deck` (a card from its top), `recycle` ...


class Table(Struct, frozen=True, omit_defaults=True):
    """Everything about a table but the position."""

    game: str
    setup: Setup
    seats: list[SeatInfo]
    status: str  # waiting, playing, over
    created: float
    clock: Clock | None = None
    public: bool = False
    chat: bool = False
    undo: bool = True
    fair: str = ""  # the hash of seed and salt
    seed: str | None = None  # that dealt, once the game is over
    salt: str | None = None
    promised: str | None = None  # the seed that the hash is of, where players put something into the shuffle
    luck: dict[str, str] = {}  # by seat: what they put into it
    dealt: bool = True  # the cards are on the table, and nothing can be put into the shuffle any more
    open_deck: bool = False  # somebody chose the seed or the cards, or brought the game along
    rematch: str | None = None  # the game that follows this one
    winners: list[int] = []  # by resignation, where the rules did not decide
    hints: bool = True  # whether they may be asked for: between people only where the table allows it
    closed: str = ""  # why the game ended where it stands, where the rules changed under it
    expired: bool = False  # it waited too long for its players
    cancelled: bool = False  # whoever made it took it back before the game began
    day: str = ""  # of a daily solo game


class ServerMessage(Struct, tag_field="type", tag=str.lower, omit_defaults=True):
    """Base of all messages from the server."""


class Hello(ServerMessage):
    """The first message on a socket."""

    protocol: int
    server: str


class Update(ServerMessage, tag="state"):
    """Where a game stands, and what happened since the client's last version."""

    game: str
    version: int
    events: list[Happened]
    seats: list[int]  # the seats that this client holds
    viewer: int  # the seat whose view this is; 0: a spectator's
    view: View
    legal: dict[str, list[str]] = {}  # by seat, for the client's seats that may act
    undo: dict[str, int] = {}  # by seat: how many actions it can take back now
    time: dict[str, float] = {}  # by seat: seconds left, for tables with clocks
    table: Table | UnsetType = UNSET  # when it is new to the client
    earlier: int = 0  # `events` leaves out what was before this version, and the client has a gap there
    host: bool = False  # this client made the table: it invites, arranges the seats, cancels


class Tabled(ServerMessage, tag="table"):
    """Something about the table changed."""

    game: str
    table: Table


class Done(ServerMessage):
    """A message was carried out; it is stored."""

    game: str
    id: str
    version: int


class Refused(ServerMessage):
    """A message was not carried out, and why. For a game that is followed a `state` comes next."""

    code: str
    sentence: str
    game: str = ""
    id: str = ""


class Tried(ServerMessage):
    """The answer to `try`."""

    game: str
    id: str
    legal: bool
    code: str = ""
    sentence: str = ""
    more: list[str] = []  # placements that may be added to the action


class Hinted(ServerMessage):
    """The answer to `hint`."""

    game: str
    id: str
    actions: list[str]
    facts: list[Facts]  # what each of them would do
    chance: float  # to win, by imagined games, 0 to 1
    why: str  # the same in an English sentence


class Pong(ServerMessage):
    """The answer to `ping`."""

    id: str


FromServer = Hello | Update | Tabled | Done | Refused | Tried | Hinted | Pong

encode: Final = msgspec.json.Encoder().encode
decode_table: Final = msgspec.json.Decoder(Table).decode


# --- why a socket was closed ------------------------------------------------------------------

CLOSE_GOING_AWAY: Final = 1012  # the server restarts: come back in a moment
CLOSE_BANNED: Final = 4401
CLOSE_ORIGIN: Final = 4403
CLOSE_RATE: Final = 4429
CLOSE_JUNK: Final = 4400  # too many messages that could not be read
CLOSE_SLOW: Final = 4408  # the client does not read what is sent


@cache
def schema() -> dict[str, object]:
    """JSON Schema of all messages, both ways."""
    unions = {"FromClient": FromClient, "FromServer": FromServer, "Event": Event}
    found, parts = msgspec.json.schema_components(unions.values(), ref_template="#/$defs/{name}")
    return {"$defs": {**parts, **dict(zip(unions, found, strict=True))}}
