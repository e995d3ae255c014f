"""Games out of a server's store and into it, and whether a deck was fair."""

import asyncio
import re
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import Progress

from projectl.cli.files import load_game, named, read_text
from projectl.cli.referee import File
from projectl.core.errors import Unreadable
from projectl.core.score import result
from projectl.record import replay

_COMMENT: Final = re.compile(r"^#\s*(fair|salt):\s*(\S+)\s*$", re.MULTILINE)
StoreUrl = Annotated[str, typer.Option(help="sqlite:///FILE or postgresql://…; by default a file of yours.")]


def verify(
    file: File,
    fair: Annotated[str, typer.Option(help="The hash that the table showed at the start, if you noted it.")] = "",
) -> None:
    """Check that a game from a server was dealt as promised at its start, and played by the rules."""
    from projectl.server.secret import fair_hash  # only these commands need the server

    with named(file):
        text = read_text(file)
        game = replay(text)
        promised = dict(_COMMENT.findall(text))
        if set(promised) != {"fair", "salt"}:
            raise Unreadable("fair", "the record has no `# fair:` and `# salt:`, as games from a server have")
        if fair and fair.strip().lower() != promised["fair"]:
            raise Unreadable("fair", "the record promises another hash than the one that was shown")
        if any(game.header.named):
            raise Unreadable("fair", "the record names cards, so the seed alone did not deal them")
        if fair_hash(game.header.seed or "", promised["salt"]) != promised["fair"]:
            raise Unreadable("fair", "the seed is not the one that was promised: the hash does not match")
    ended = "to its end" if result(game.state) is not None else "as far as it goes"
    typer.echo(f"The deck is the one that was promised, and {len(game.moves)} actions are legal {ended}.")


def export_games(
    to: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("games"),
    game: Annotated[list[str] | None, typer.Argument(help="Ids of games; without them, all that are over.")] = None,
    store: StoreUrl = "",
    running: Annotated[bool, typer.Option(help="Games that are not over too. Their records hold the seed.")] = False,
) -> None:
    """Write the games of a store as records."""
    from projectl.server.room import FINISHED, Room
    from projectl.server.settings import default_store
    from projectl.server.store import Store

    async def write() -> int:
        opened = Store(store or default_store())
        try:
            wanted = game or await opened.all_games()
            written = 0
            for name in _shown(wanted, "games"):
                stored = await opened.load(name)
                if stored is None:
                    raise Unreadable("no-game", f"there is no game {name[:40]!r} in this store")
                room = Room(stored)
                if room.status == FINISHED or running:
                    (to / f"{name}.pln").write_text(room.record(), encoding="utf-8")
                    written += 1
            return written
        finally:
            opened.close()

    to.mkdir(parents=True, exist_ok=True)
    typer.echo(f"{asyncio.run(write())} games written to {to}")


def import_games(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Records.")],
    store: StoreUrl = "",
) -> None:
    """Put records into a store: seats are open, by invitation; the invitations are printed."""
    from projectl.server.settings import default_store
    from projectl.server.store import Store
    from projectl.server.tables import import_record

    games = [(file, load_game(file, [])) for file in files]

    async def put() -> list[tuple[str, str, dict[str, str]]]:
        opened = Store(store or default_store())
        try:
            return [(file, *(await import_record(opened, game))) for file, game in games]
        finally:
            opened.close()

    for file, name, invites in asyncio.run(put()):
        typer.echo(f"{file}: game {name}")
        for seat, invite in invites.items():
            typer.echo(f"  seat {seat}: /join/{name}#{invite}")


def _shown(names: list[str], what: str) -> list[str]:
    """The names, with a progress bar when there are many."""
    if len(names) < 50:
        return names
    with Progress() as progress:
        return list(progress.track(names, description=what))
