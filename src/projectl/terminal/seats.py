"""Who sits at a table: people, and bots by their spec."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from projectl.bots import BotError, names
from projectl.core.errors import Unreadable
from projectl.header import holds

ME: Final = "me"
YOU: Final = "You"
INSTANT: Final[tuple[str, ...]] = ("greedy", "random")  # bots that answer at once, the strongest first
MOST_LETTERS: Final = 200
SHOWN: Final = 16  # letters of a name


class Seat(NamedTuple):
    """A person or a bot."""

    name: str  # as it is shown
    spec: str  # as the names line of a record remembers it
    is_bot: bool


def read_seat(text: str, careful: bool = True) -> Seat:
    """A seat from `me`, `me:NAME`, a person's name or a bot's spec.

    Careful is for what somebody has just typed: a word that is nearly a bot's name is not taken for a person.
    """
    spec = text.strip()
    _check(spec)
    kind, colon, rest = spec.partition(":")
    if kind == ME:
        return person(rest.strip())
    if kind == "program" or kind in names():
        return Seat(spec, spec, True)
    if careful and (colon or get_close_matches(kind.lower(), names(), 1, 0.75)):
        known = ", ".join(names())
        raise BotError("bot-unknown", f"there is no bot {kind[:40]!r}; there are {known}; a person is me:{kind[:40]}")
    return person(spec)


def person(name: str) -> Seat:
    """A person; without a name, whoever sits at the keyboard."""
    if not name:
        return Seat(YOU, ME, False)
    kind = name.partition(":")[0]
    plain = kind not in (ME, "program", *names())
    return Seat(name, name if plain else f"{ME}:{name}", False)


def _check(spec: str) -> None:
    if not spec:
        raise Unreadable("seat-name", "a seat is `me`, a person's name or a bot, found nothing")
    if "|" in spec or "#" in spec or not holds(spec) or len(spec) > MOST_LETTERS:
        sentence = f"a seat has at most {MOST_LETTERS} letters and none of | and #, found {spec[:40]!r}"
        raise Unreadable("seat-name", sentence)


def default_bot() -> str:
    """The strongest bot that answers at once."""
    return next(name for name in INSTANT if name in names())


def seats_for(players: int, given: Sequence[str]) -> tuple[Seat, ...]:
    """The seats somebody asked for; the rest are bots, and without any the first is yours."""
    if len(given) > players:
        raise Unreadable("seats", f"the game has {players} seats, found {len(given)}")
    asked = [*given] or [ME]
    return tuple(read_seat(text) for text in [*asked, *[default_bot()] * (players - len(asked))])


def seats_of(players: int, remembered: Sequence[str]) -> tuple[Seat, ...]:
    """The seats that the names line of a record remembers."""
    if not any(remembered):
        return seats_for(players, ())
    return tuple(read_seat(name, careful=False) if name else person("") for name in remembered)


def shown_names(seats: Sequence[Seat]) -> tuple[str, ...]:
    """A name for each seat that no other has."""
    all_names = [seat.name if len(seat.name) <= SHOWN else f"{seat.name[: SHOWN - 2]}.." for seat in seats]
    return tuple(f"{name} ({n})" if all_names.count(name) > 1 else name for n, name in enumerate(all_names, 1))
