"""`projectl join`: a bot of this machine at a table of a server."""

import hashlib
import zlib
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from projectl.bots import make
from projectl.bots.guest import Guest, Link, SeenOutcome, TableError, read_link, sit_down
from projectl.bots.registry import seconds_of
from projectl.cli.endings import INTERRUPTED
from projectl.cli.options import bots
from projectl.core.errors import Unreadable
from projectl.terminal.saved import state_directory, write
from projectl.terminal.words import series


def join(
    link: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="An invitation, a table with an open seat, or a server with a public table."
        ),
    ],
    bot: Annotated[
        str, typer.Option(metavar="BOT", help="NAME, NAME:TIME or program:COMMAND.", autocompletion=bots)
    ] = "search",
    name: Annotated[str, typer.Option(help="What it is called at the table; else as the bot.")] = "",
    time: Annotated[str, typer.Option(metavar="TIME", help="For a decision, as 500ms or 5s.")] = "10s",
) -> None:
    """Seat a bot of this machine at a table of a server, and let it play to the end.

    The seat is remembered: the same command takes it up again.
    """
    where, seconds = read_link(link), seconds_of(time)
    player = make(bot, zlib.crc32(f"{link}/{bot}".encode()))
    called = name or bot.removeprefix("program:").split("/")[-1]
    guest: Guest | None = None
    try:
        guest = _seated(where, called)
        typer.echo(f"{called} has seat {guest.seat} at {where.server}/table/{guest.table.game}")
        ended = guest.play(player, typer.echo, seconds)
    except KeyboardInterrupt:
        if guest is not None:
            typer.echo("Its seat is kept: the same command goes on.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except OSError as error:
        reason = getattr(error, "reason", None) or error
        raise TableError("unreachable", f"{where.server} cannot be reached: {reason}") from None
    typer.echo(_told(guest, ended))


def _told(guest: Guest, ended: SeenOutcome | None) -> str:
    if ended is None:
        return "The game is over: somebody gave up."
    names = {seat.seat: seat.name or f"seat {seat.seat}" for seat in guest.table.seats}
    names.setdefault(len(names) + 1, "the mastermind")  # in solo it has the last score
    scores = ", ".join(f"{names[seat]}: {points}" for seat, points in enumerate(ended.scores, 1))
    return f"Over. {scores}. {series([names[seat] for seat in ended.winners])} won."


# --- seats are remembered ---------------------------------------------------------------------


def _seated(link: Link, name: str) -> Guest:
    """The seat that this link gave before, or a new one."""
    kept = _kept()
    key = hashlib.sha256(f"{'/'.join(map(str, link))}/{name}".encode()).hexdigest()[:32]
    if key in kept:
        game, _, token = kept[key].partition(" ")
        try:
            return sit_down(link._replace(game=game), name, token)
        except TableError as error:
            if error.code not in ("no-seat", "no-game"):
                raise
    guest = sit_down(link, name)
    _keep({**kept, key: f"{guest.table.game} {guest.server.token}"})
    return guest


def _file() -> Path:
    return state_directory() / "seats.json"


def _kept() -> dict[str, str]:
    """Game and token by link; the link itself, which may hold an invitation, is only hashed."""
    try:
        return msgspec.json.decode(_file().read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _keep(seats: dict[str, str]) -> None:
    """For the next time, and for nobody else's eyes; without it the game can be played all the same."""
    try:
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().touch(mode=0o600)
        write(_file(), msgspec.json.encode(seats).decode())
        _file().chmod(0o600)
    except (OSError, Unreadable):
        typer.echo("The seat cannot be remembered: end this command only when the game is over.", err=True)
