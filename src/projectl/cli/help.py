"""What `-h` says that an option takes, in words; Typer names Python's types."""

from functools import partial
from typing import Final

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

NAMES: Final = ("-h", "--help")
_KINDS: Final = {"str": "TEXT", "int": "NUMBER", "float": "NUMBER", "Path": "PATH"}
_TYPE: Final = "display_type_rich"  # what Typer asks a parameter for
_RANGE: Final = "_get_number_range_help_str"  # likewise


def in_words(command: object) -> None:
    """Name what the options of a command take, and of those below it: nothing where they take nothing."""
    if not isinstance(command, TyperCommand | TyperGroup):
        return
    asked = command.get_help_option(typer.Context(command, help_option_names=list(NAMES)))
    for part in (*command.params, asked):
        setattr(part, _RANGE, partial(_range, getattr(part, "min", None), getattr(part, "max", None)))
        if isinstance(part, TyperOption) and part.metavar is None:
            kind = str(getattr(part.type_descriptor.annotation, "__name__", ""))
            part.metavar = "" if part.is_flag else _KINDS.get(kind, kind.upper())
        elif isinstance(part, TyperArgument):
            setattr(part, _TYPE, lambda ctx: "")  # its name and its help say what it is
    for inner in getattr(command, "commands", {}).values():
        in_words(inner)


def _range(least: float | None, most: float | None) -> str:
    """Which numbers are taken."""
    if least is None:
        return "" if most is None else f"up to {most}"
    return f"from {least}" if most is None else f"{least}-{most}"
