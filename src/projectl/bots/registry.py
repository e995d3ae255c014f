"""All bots by name, for the terminal, the arena, the server and the environments.

A bot is asked for as `NAME` or `NAME:TIME` (`search:4s`, `planner:50ms`), or as `program:COMMAND`
for a program that speaks the line protocol. A package adds bots through the entry point group
`projectl.bots`: name -> factory.
"""

import re
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final

from projectl.bots.protocol import Bot, BotError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: What makes a bot: a function of the seconds for a decision (None: its own default) and the seed.
Factory = Callable[[float | None, int], Bot]

GROUP: Final = "projectl.bots"
_TIME: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)(ms|s)")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_OTHERS: Final = ("program", "me")  # are asked for in the same places
_NAMED: Final = "a bot's name is made of letters, digits, - and _, 40 at most, and is not `program` or `me`"
_FACTORIES: dict[str, Factory] = {}


class BotWarning(UserWarning):
    """An installed bot cannot be had."""


def register(name: str, factory: Factory, *, replace: bool = False) -> None:
    """Make a bot known under a name that nobody has, or `replace` whoever has it."""
    if not _can_be_asked_for(name):
        raise BotError("bot-name", f"{_NAMED}, found {name[:50]!r}")
    if name in _FACTORIES and not replace:
        raise BotError("bot-taken", f"there is a bot {name} already")
    _FACTORIES[name] = factory


def when_asked_for(where: str) -> Factory:
    """The factory `MODULE:NAME` of this package. Its module is loaded with the first bot that is made."""
    module, _, name = where.partition(":")

    def factory(seconds: float | None, seed: int) -> Bot:
        found: Factory = getattr(import_module(f"projectl.bots.{module}"), name)
        return found(seconds, seed)

    return factory


def _can_be_asked_for(name: str) -> bool:
    """`NAME:TIME` must say which part is the name, and no other player may be meant."""
    return bool(_NAME.fullmatch(name)) and name not in _OTHERS


def _installed() -> dict[str, Callable[[], Factory]]:
    """What packages bring; what of it cannot be had is a warning."""
    from importlib.metadata import entry_points  # takes a while to load

    found: dict[str, Callable[[], Factory]] = {}
    for point in entry_points(group=GROUP):
        if not _can_be_asked_for(point.name):
            _ignored(point, _NAMED)
        elif point.name in _FACTORIES or point.name in found:
            _ignored(point, "another bot has this name")
        else:
            found[point.name] = point.load
    return found


def _ignored(point: "EntryPoint", why: str) -> None:
    package = f" of {point.dist.name}" if point.dist else ""
    warnings.warn(f"the bot {point.name!r}{package} is ignored: {why}", BotWarning, stacklevel=4)


def names() -> list[str]:
    """Every bot that can be asked for."""
    return sorted({*_FACTORIES, *_installed()})


def built_in(spec: str) -> bool:
    """Whether a bot comes with this package: it holds nothing that has to be closed."""
    return spec.partition(":")[0] in _FACTORIES


def seconds_of(text: str) -> float:
    """`50ms` or `4s` as seconds."""
    found = _TIME.fullmatch(text)
    if not found or float(found[1]) <= 0:
        raise BotError("bot-time", f"a bot's time is as 50ms or 4s, found {text[:20]!r}")
    return float(found[1]) / (1000 if found[2] == "ms" else 1)


def time_text(seconds: float) -> str:
    """Seconds as `seconds_of` reads them."""
    return f"{seconds:g}s" if seconds >= 1 else f"{seconds * 1000:g}ms"


def make(spec: str, seed: int = 0) -> Bot:
    """A fresh bot for one seat of one game."""
    name, colon, rest = spec.partition(":")
    if name == "program":
        from projectl.bots.program import ProgramBot

        return ProgramBot(rest)
    factory = _FACTORIES.get(name)
    if factory is None:
        load = _installed().get(name)
        if load is None:
            raise BotError("bot-unknown", f"there is no bot {name[:40]!r}; there are {', '.join(names())}")
        try:
            factory = load()
        except Exception as error:
            raise BotError("bot-broken", f"the bot {name} cannot be loaded: {error}") from None
    return factory(seconds_of(rest) if colon else None, seed)
