"""What happens at a table, as types. The store keeps them as JSON and clients are sent the same; nothing else changes
a room."""

from typing import ClassVar, Final, Self

import msgspec
from msgspec import Struct

from projectl.game import Move


class TableEvent(Struct, frozen=True, tag_field="type", gc=False):
    """Base of all events. Seats count from 1."""


class Played(TableEvent, frozen=True, tag="played", dict=True, gc=True):
    """A whole action, in its canonical spelling."""

    seat: int
    action: str
    # As it was checked, so that nothing is read twice. It stands in the instance's `__dict__`, not among the fields:
    # neither stored nor sent, and None in an event that comes from the store.
    move: ClassVar[Move | None] = None

    @classmethod
    def checked(cls, move: Move) -> Self:
        """A move that may be played now."""
        event = cls(move.seat + 1, move.text)
        vars(event)["move"] = move
        return event


class Undone(TableEvent, frozen=True, tag="undone"):
    """The game stands again as it stood at a version."""

    seat: int
    to: int


class Resigned(TableEvent, frozen=True, tag="resigned"):
    """A seat gave up, or its time ran out."""

    seat: int


class HandedOver(TableEvent, frozen=True, tag="handed_over"):
    """A bot plays the seat from now on."""

    seat: int
    bot: str


class Said(TableEvent, frozen=True, tag="said"):
    """A word at the table."""

    seat: int
    text: str


class Advised(TableEvent, frozen=True, tag="advised"):
    """A seat asked for a hint, where others play along."""

    seat: int


class SeatTaken(TableEvent, frozen=True, tag="seat_taken", omit_defaults=True):
    """Somebody sat down on an open seat."""

    seat: int
    name: str
    colour: str
    luck: str = ""  # what they put into the shuffle


class Mixed(TableEvent, frozen=True, tag="mixed"):
    """A seat put something of its own into the shuffle, before the cards were dealt."""

    seat: int
    luck: str


class Seated(Struct, frozen=True, gc=False):
    """A seat as it is described: who is to sit there."""

    kind: str  # person, bot, open
    name: str
    colour: str
    bot: str = ""


class Arranged(TableEvent, frozen=True, tag="arranged"):
    """Before the game began somebody was renamed, a bot sat down or left, seats changed places: all seats as they are
    now, in their order."""

    seats: tuple[Seated, ...]
    seat: ClassVar[int] = 0  # nobody's


class Cancelled(TableEvent, frozen=True, tag="cancelled"):
    """Whoever made the table took it back before the game began."""

    seat: ClassVar[int] = 0


class Begun(TableEvent, frozen=True, tag="begun"):
    """The last open seat was taken: clocks run from here."""

    seat: ClassVar[int] = 0  # nobody's


class Expired(TableEvent, frozen=True, tag="expired"):
    """The table waited too long for its players, and is closed."""

    seat: ClassVar[int] = 0


class Rematched(TableEvent, frozen=True, tag="rematched"):
    """A seat asked for another game, which follows this one."""

    seat: int
    game: str


class Closed(TableEvent, frozen=True, tag="closed"):
    """Whoever runs the server ended the game where it stands."""

    reason: str
    seat: ClassVar[int] = 0  # nobody's


Event = (
    Played | Undone | Resigned | HandedOver | Said | SeatTaken | Begun | Expired | Rematched | Closed | Advised | Mixed
    | Arranged | Cancelled
)  # fmt: skip

_encode: Final = msgspec.json.Encoder().encode
decode_event: Final = msgspec.json.Decoder(Event).decode


def kind_of(event: Event) -> str:
    """The type of an event, as stored and sent."""
    return str(event.__struct_config__.tag)


def encode_event(event: Event) -> str:
    """As the store keeps it."""
    return _encode(event).decode()


def written(event: Event) -> str:
    """In one line of plain text, for a comment in a record."""
    match event:
        case Played(seat, action):
            return f"{seat} {action}"
        case Undone(seat, to):
            return f"{seat} undid what came after event {to}"
        case Resigned(seat):
            return f"{seat} resigned"
        case HandedOver(seat, bot):
            return f"{seat} is played by {bot}"
        case Said(seat, text):
            return f"{seat} said: {text}"
        case SeatTaken(seat, name):
            return f"{seat} was taken by {name}"
        case Mixed(seat, luck):
            return f"{seat} put into the shuffle: {luck}"
        case Arranged(seats):
            return f"the seats were arranged: {', '.join(seat.name or seat.kind for seat in seats)}"
        case Cancelled():
            return "whoever made the table cancelled it"
        case Begun():
            return "the game began"
        case Expired():
            return "the table waited too long for its players"
        case Rematched(seat, game):
            return f"{seat} asked for a rematch: {game}"
        case Closed(reason):
            return f"the game was closed: {reason}"
        case Advised(seat):
            return f"{seat} asked for a hint"
