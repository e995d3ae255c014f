"""`projectl keys`: who may play here. A server that runs meanwhile follows by itself."""

from typing import Annotated

import typer

from projectl.cli.games import Json, at_store, print_json, when
from projectl.cli.settings import Config, StoreUrl
from projectl.core.errors import Unreadable

MOST_REASON = 200
app = typer.Typer(help="Ban keys from a server, and let them in again.", no_args_is_help=True)
Named = Annotated[
    list[str],
    typer.Argument(metavar="KEY...", help="The beginnings of keys' hashes, as `projectl games show` prints them."),
]


@app.command("ban")
def ban_keys(
    key: Named,
    reason: Annotated[str, typer.Option(help="A sentence for whoever has the key.")] = "",
    store: StoreUrl = "",
    as_json: Json = False,
    config: Config = "",
) -> None:
    """Refuse whatever a key asks for. Its games go on without it until they are closed."""
    from projectl.server.bans import ban

    words = " ".join(reason.split())
    if len(words) > MOST_REASON:
        raise Unreadable("reason", f"a reason has at most {MOST_REASON} characters")
    found = at_store(store, lambda opened: ban(opened, key, words))
    if as_json:
        print_json({"banned": [{"key": banned, "games": games} for banned, games in found.items()]})
        return
    for banned, games in found.items():
        typer.echo(f"{banned[:12]} is banned.")
        for game in games:
            typer.echo(f"  It has a seat in a game that is not over: projectl games close -- {game}")


@app.command("unban")
def unban_keys(key: Named, store: StoreUrl = "", as_json: Json = False, config: Config = "") -> None:
    """Let banned keys in again."""
    from projectl.server.bans import unban

    found = at_store(store, lambda opened: unban(opened, key))
    if as_json:
        print_json({"unbanned": found})
        return
    for banned in found:
        typer.echo(f"{banned[:12]} is let in again.")


@app.command("list")
def list_bans(store: StoreUrl = "", as_json: Json = False, config: Config = "") -> None:
    """The keys that are banned, the newest ban first; times are in UTC."""
    from projectl.server.bans import banned

    found = at_store(store, banned)
    if as_json:
        print_json([row._asdict() for row in found])
        return
    for row in found:
        typer.echo(f"{row.key[:12]}  {when(row.at)}  {row.reason}".rstrip())
    if not found:
        typer.echo("No key is banned.")
