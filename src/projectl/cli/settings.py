"""Settings: every option of `serve` may stand on the command line, in the environment or in one file, in this order.

`--bot-pause 1` is `PROJECTL_BOT_PAUSE=1` and, in the file, `bot-pause = 1`.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping
from typing import Annotated, Final

import typer
from typer.core import TyperOption

from projectl.cli.files import named, read_text
from projectl.core.errors import Unreadable

_PREFIX: Final = "PROJECTL"
MOST_DAYS: Final = 100_000
CONTEXT: Final = {"auto_envvar_prefix": _PREFIX}  # of the command whose options are settings
_NOT_IN_A_FILE: Final = ("config", "check", "open")  # they say what is to be done now
_WHERE: Final = {
    "COMMANDLINE": "option",
    "ENVIRONMENT": "environment",
    "DEFAULT_MAP": "file",
    "DEFAULT": "default",
}


def from_file(context: typer.Context, file: str) -> str:
    """Take what the settings' file says as this command's defaults."""
    if file and not context.resilient_parsing:
        with named(file):
            context.default_map = _read(file, context)
    return file


StoreUrl = Annotated[
    str,
    typer.Option(envvar="PROJECTL_STORE", help="sqlite:///FILE or postgresql://…; by default a file of yours."),
]
PublicUrl = Annotated[
    str,
    typer.Option(
        envvar="PROJECTL_PUBLIC_URL",
        metavar="URL",
        help="Where people reach it, if that is another address; invitations use it.",
    ),
]
ExpireWaiting = Annotated[
    float,
    typer.Option(
        envvar="PROJECTL_EXPIRE_WAITING",
        metavar="DAYS",
        min=0,
        max=MOST_DAYS,
        help="Delete tables that have waited so long for players; 0: never.",
    ),
]
ExpireIdle = Annotated[
    float,
    typer.Option(
        envvar="PROJECTL_EXPIRE_IDLE",
        metavar="DAYS",
        min=0,
        max=MOST_DAYS,
        help="Close games with which nobody has gone on for so long; 0: never.",
    ),
]
KeepFinished = Annotated[
    float,
    typer.Option(
        envvar="PROJECTL_KEEP_FINISHED",
        metavar="DAYS",
        min=0,
        max=MOST_DAYS,
        help="Delete games so long after their end, once their records are in the archive; 0: never.",
    ),
]
Archive = Annotated[
    str,
    typer.Option(envvar="PROJECTL_ARCHIVE", metavar="DIR", help="Where records go before their games are deleted."),
]
Config = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        envvar="PROJECTL_CONFIG",
        callback=from_file,
        is_eager=True,
        help="A file of settings (TOML): options by their names, without the dashes in front.",
    ),
]


def _read(file: str, context: typer.Context) -> dict[str, object]:
    """The settings of a file by the parameters they are for; those that only other commands have are left out."""
    try:
        found = tomllib.loads(read_text(file))
    except tomllib.TOMLDecodeError as error:
        raise Unreadable("settings", f"this is not TOML: {error}") from None
    known = server_settings()
    for name, value in found.items():
        if name not in known:
            raise Unreadable("settings", f"there is no setting {name[:40]!r}; there are {', '.join(known)}")
        _check(name, value, known[name])
    own = {name: option.name for name, option in _options(context.command)}
    return {own[name]: value for name, value in found.items() if name in own}


def _check(name: str, value: object, option: TyperOption) -> None:
    kinds: tuple[type, ...] = (int, float) if isinstance(option.default, float) else (type(option.default),)
    words = {str: "a text in quotes", int: "a whole number", float: "a number", bool: "true or false"}
    if option.multiple:
        right = isinstance(value, list) and all(isinstance(part, str) for part in value)
        wanted = "a list of texts"
    else:
        right = isinstance(value, kinds) and isinstance(value, bool) == (kinds == (bool,))
        wanted = words[kinds[-1]]
    if not right:
        raise Unreadable("settings", f"{name} is {wanted}, found {str(value)[:40]!r}")


def server_settings() -> dict[str, TyperOption]:
    """All that a file may say: the options of `serve` by their names."""
    from projectl.cli import app

    command = typer.main.get_command(app)
    serve = getattr(command, "commands", {})["serve"]
    return {name: option for name, option in _options(serve) if name not in _NOT_IN_A_FILE}


def _options(command: object) -> Iterator[tuple[str, TyperOption]]:
    for option in getattr(command, "params", ()):
        if isinstance(option, TyperOption):
            yield option.opts[0].removeprefix("--"), option


def given_as(context: typer.Context, option: TyperOption) -> str:
    """What a person looks for who gave an option a value: itself, a variable, or a line of the settings' file."""
    source = context.get_parameter_source(option.name)
    given = _WHERE[source.name] if source else "option"
    name = option.opts[0].removeprefix("--")
    if given == "environment":
        return _variable(name)
    return f"{name} in {context.params['config']}" if given == "file" else option.opts[0]


def _variable(name: str) -> str:
    return f"{_PREFIX}_{name.upper().replace('-', '_')}"


def unknown_variables() -> list[str]:
    """What stands in the environment like a setting, and is none."""
    known = {_variable(name) for name in (*server_settings(), *_NOT_IN_A_FILE)}
    return sorted(name for name in os.environ if name.startswith(f"{_PREFIX}_") and name not in known)


def origins(context: typer.Context) -> Mapping[str, str]:
    """Where each setting of this run comes from: option, environment, file or default."""
    found: dict[str, str] = {}
    for name, option in _options(context.command):
        source = context.get_parameter_source(option.name)
        if name not in _NOT_IN_A_FILE and source is not None:
            found[name] = _WHERE[source.name]
    return found
