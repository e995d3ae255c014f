"""`projectl games`: what whoever runs a server does with its games. A server that runs meanwhile follows by itself."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from projectl.cli.settings import MOST_DAYS, Archive, Config, ExpireIdle, ExpireWaiting, KeepFinished, StoreUrl
from projectl.core.errors import Unreadable

if TYPE_CHECKING:
    from projectl.server.games.upkeep import Summary
    from projectl.server.store.store import Store

T = TypeVar("T")
app = typer.Typer(help="Look through a server's games, close, delete and expire them.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
GameId = Annotated[str, typer.Argument(metavar="GAME", help="The id of a game, as in its link.")]
STATUSES: Final = ("waiting", "playing", "over")


def statuses(incomplete: str) -> list[str]:
    """The statuses that begin so."""
    return [status for status in STATUSES if status.startswith(incomplete)]


def at_store(address: str, work: "Callable[[Store], Awaitable[T]]") -> T:
    """Do something at a store that is there already."""
    from projectl.cli.store import check_there
    from projectl.server.settings import default_store
    from projectl.server.store.store import Store

    check_there(address or default_store())

    async def run() -> T:
        opened = Store(address or default_store())
        try:
            return await work(opened)
        finally:
            opened.close()

    return asyncio.run(run())


def print_json(found: object) -> None:
    """One JSON value on standard output."""
    import msgspec

    typer.echo(msgspec.json.encode(found).decode())


def when(seconds: float) -> str:
    """A moment, in UTC."""
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


@app.command("list")
def list_games(
    status: Annotated[
        str, typer.Option(help="waiting, playing or over; without it, all.", autocompletion=statuses)
    ] = "",
    older: Annotated[
        float, typer.Option(metavar="DAYS", min=0, max=MOST_DAYS, help="Where nothing has happened for so many days.")
    ] = 0.0,
    most: Annotated[int, typer.Option(min=0, max=1_000_000, help="So many, the newest first; 0: all.")] = 100,
    store: StoreUrl = "",
    as_json: Json = False,
    config: Config = "",
) -> None:
    """The games of a store, the newest first; times are in UTC."""
    from projectl.server.games.upkeep import DAY, summaries

    if status and status not in STATUSES:
        raise Unreadable("status", f"a game is waiting, playing or over, found {status[:20]!r}")
    before = time.time() - older * DAY if older else None
    found = at_store(store, lambda opened: summaries(opened, status=status, before=before, most=most))
    if as_json:
        print_json([row._asdict() for row in found])
    else:
        _print(found)


def _print(found: "list[Summary]") -> None:
    kept = (Column(name, no_wrap=True) for name in ("game", "status", "made", "last", "events"))
    table = Table(*kept, "who", box=None, pad_edge=False)
    for row in found:
        who = ", ".join(name or "…" for name in row.names)
        table.add_row(row.game, row.status, when(row.created), when(row.last), str(row.events), escape(who))
    Console(soft_wrap=True).print(table)


@app.command()
def show(game: GameId, store: StoreUrl = "", as_json: Json = False, config: Config = "") -> None:
    """A game with its seats and the beginnings of the hashes of their keys."""
    from projectl.server.games.room import Room
    from projectl.server.games.upkeep import stored

    found = at_store(store, lambda opened: stored(opened, game))
    room = Room(found)
    shown = {
        "game": room.id,
        "status": room.status,
        "closed": room.closed,
        "created": room.created,
        "last": room.log[-1].at if room.log else room.created,
        "version": room.version,
        "public": room.settings.public,
        "rules": room.header.rules.edition,
        "modules": list(room.header.rules.modules),
        "seats": [
            {
                "seat": seat.seat,
                "kind": "bot" if seat.seat in room.bots else seat.kind,
                "name": seat.name,
                "bot": room.bots.get(seat.seat, ""),
                "resigned": seat.seat in room.resigned,
                "keys": [key for key, held in found.keys if held == seat.seat],
            }
            for seat in room.seats
        ],
    }
    if as_json:
        print_json(shown)
        return
    for name in ("game", "status", "closed", "rules", "version"):
        if shown[name]:
            typer.echo(f"{name:8} {shown[name]}")
    typer.echo(f"made     {when(room.created)}\nlast     {when(room.log[-1].at if room.log else room.created)}")
    for seat in room.seats:
        keys = " ".join(key[:12] for key, held in found.keys if held == seat.seat)
        kind = room.bots.get(seat.seat, seat.kind)
        typer.echo(f"seat {seat.seat}   {kind:8} {seat.name or '…'}  {keys}".rstrip())


@app.command("close")
def close_game(
    game: GameId,
    reason: Annotated[
        str, typer.Option(help="A sentence for its players.")
    ] = "it was closed by whoever runs this server",
    store: StoreUrl = "",
    as_json: Json = False,
    config: Config = "",
) -> None:
    """End a game where it stands; its players see why."""
    from projectl.server.games.upkeep import close

    words = " ".join(reason.split())
    if not 0 < len(words) <= 200:
        raise Unreadable("reason", "a reason has 1 to 200 characters")
    at_store(store, lambda opened: close(opened, game, words))
    if as_json:
        print_json({"closed": game})
    else:
        typer.echo(f"{game} is closed.")


@app.command("delete")
def delete_games(
    games: Annotated[list[str], typer.Argument(metavar="GAME...", help="Ids of games.")],
    store: StoreUrl = "",
    as_json: Json = False,
    config: Config = "",
) -> None:
    """Delete games with all that belongs to them, for good. One that is being played is closed first."""
    from projectl.server.games.upkeep import remove

    at_store(store, lambda opened: remove(opened, list(dict.fromkeys(games))))
    if as_json:
        print_json({"deleted": games})
    else:
        typer.echo(f"{len(games)} game{'' if len(games) == 1 else 's'} deleted.")


@app.command("expire")
def expire_games(
    expire_waiting: ExpireWaiting = 30.0,
    expire_idle: ExpireIdle = 0.0,
    keep_finished: KeepFinished = 0.0,
    archive: Archive = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say which games it would be.")] = False,
    store: StoreUrl = "",
    as_json: Json = False,
    config: Config = "",
) -> None:
    """Let old games go now, as the server does once an hour by the same settings."""
    from projectl.server.games.upkeep import Policy, expire

    policy = Policy(expire_waiting, expire_idle, keep_finished, archive).checked()
    try:
        found = at_store(store, lambda opened: expire(opened, policy, time.time(), really=not dry_run))
    except OSError as error:
        raise Unreadable("archive", f"{Path(archive)} cannot be written: {error.strerror}") from None
    if as_json:
        print_json(found._asdict())
        return
    would = "would be " if dry_run else ""
    for what, done, games in (
        ("tables at which no game began", "deleted", found.deleted),
        ("games that nobody goes on with", "closed", found.closed),
        ("finished games", "archived and deleted", found.archived),
    ):
        typer.echo(f"{what} {would}{done}: {len(games)} {' '.join(games)}".rstrip())
