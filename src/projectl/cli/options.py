"""Which game is played, as options of the command line: their names, their values, how they are completed."""

from collections.abc import Sequence
from typing import Annotated, Final

import typer

from projectl.bots import names
from projectl.core.rules import EDITIONS, MODULES, OPTIONS

_TIMES: Final = ("50ms", "200ms", "1s", "4s")
_TIMED: Final = ("planner", "search", "search-classic")  # bots that more time makes stronger


def words(modules: str) -> tuple[str, ...]:
    """Modules as they are typed: by commas, blanks or both."""
    return tuple(modules.replace(",", " ").split())


# --- completion -------------------------------------------------------------------------------


def editions(incomplete: str) -> list[str]:
    """The editions that begin so."""
    return [name for name in EDITIONS if name.startswith(incomplete)]


def module_lists(incomplete: str) -> list[str]:
    """What a list of modules can go on with."""
    done, comma, last = incomplete.rpartition(",")
    taken = done.split(",")
    return [f"{done}{comma}{name}" for name in MODULES if name.startswith(last) and name not in taken]


def option_values(incomplete: str) -> list[str]:
    """Options with their values; a number is left to be typed."""
    found = [f"{option.name}={value}" for option in OPTIONS for value in option.values or ("",)]
    return [word for word in found if word.startswith(incomplete)]


def bots(incomplete: str) -> list[str]:
    """The bots, with times once a name is whole."""
    name, colon, _ = incomplete.partition(":")
    known = [f"{name}:{time}" for time in _TIMES] if colon and name in _TIMED else [*names(), "program:"]
    return [word for word in known if word.startswith(incomplete)]


def seats(incomplete: str) -> list[str]:
    """Who may sit at a table in the terminal."""
    return [word for word in ("me", *bots("")) if word.startswith(incomplete)] or bots(incomplete)


# --- the options ------------------------------------------------------------------------------


def _listed(values: Sequence[str]) -> str:
    return " or ".join(part for part in (", ".join(values[:-1]), values[-1]) if part)


EDITION: Final = f"{_listed(tuple(EDITIONS))}."
MODULE_LIST: Final = f"Modules, separated by commas: {', '.join(MODULES)}."
OPTION: Final = "An option of the rules, once for each: " + "; ".join(
    f"{option.name}={' | '.join(option.values) or 'N'} ({option.words}{', solo only' if option.solo else ''})"
    for option in OPTIONS
)

Players = Annotated[int, typer.Option(help="2 to 6, or 1 for solo.")]
Edition = Annotated[str, typer.Option(help=EDITION, autocompletion=editions)]
Modules = Annotated[str, typer.Option(metavar="A,B", help=MODULE_LIST, autocompletion=module_lists)]
Options = Annotated[list[str], typer.Option("--option", metavar="KEY=VALUE", help=OPTION, autocompletion=option_values)]
Packs = Annotated[list[str], typer.Option("--pack", metavar="PATH", help="A card pack; may be given several times.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="A record (.pln); - reads standard input.")]
