"""Games out of a server's store and into it, and whether a deck was fair."""

import asyncio
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import Progress

from projectl.cli.files import load_game, named, read_text
from projectl.cli.options import File
from projectl.cli.settings import Config, PublicUrl, StoreUrl
from projectl.core.errors import Unreadable
from projectl.core.score import result
from projectl.game import Game
from projectl.record import replay

_COMMENT: Final = re.compile(r"^#\s*(fair|salt|promised):\s*(\S+)\s*$", re.MULTILINE)
_LUCK: Final = re.compile(r"^# luck ([1-6]): (.+)$", re.MULTILINE)


def verify(
    file: File,
    fair: Annotated[str, typer.Option(help="The hash that the table showed at the start, if you noted it.")] = "",
) -> None:
    """Check that a game from a server was dealt as promised at its start, and played by the rules."""
    from projectl.server.secret import dealt_seed, fair_hash  # only these commands need the server

    with named(file):
        text = read_text(file)
        game = replay(text)
        above = text.partition("\n\n")[0]
        promised = dict(_COMMENT.findall(above))
        luck = {int(seat): words for seat, words in _LUCK.findall(above)}
        if not {"fair", "salt"} <= set(promised):
            raise Unreadable("fair", "the record has no `# fair:` and `# salt:`, as games from a server have")
        if fair and fair.strip().lower() != promised["fair"]:
            raise Unreadable("fair", "the record promises another hash than the one that was shown")
        if any(game.header.named):
            raise Unreadable("fair", "the record names cards, so the seed alone did not deal them")
        seed = promised.get("promised", game.header.seed or "")
        if fair_hash(seed, promised["salt"]) != promised["fair"]:
            raise Unreadable("fair", "the seed is not the one that was promised: the hash does not match")
        if dealt_seed(seed, luck) != game.header.seed:
            raise Unreadable("fair", "the seed that dealt is not made of the promised one and what players put into it")
    for seat, words in sorted(luck.items()):
        typer.echo(f"Seat {seat} put into the shuffle: {words}")
    ended = "to its end" if result(game.state) is not None else "as far as it goes"
    typer.echo(f"The deck is the one that was promised, and {len(game.moves)} actions are legal {ended}.")


def export_games(
    to: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("games"),
    game: Annotated[list[str] | None, typer.Argument(help="Ids of games; without them, all that are over.")] = None,
    store: StoreUrl = "",
    running: Annotated[bool, typer.Option(help="Games that are not over too. Their records hold the seed.")] = False,
    config: Config = "",
) -> None:
    """Write the games of a store as records."""
    from projectl.server.games.room import FINISHED, Room
    from projectl.server.games.shown import record_of
    from projectl.server.settings import default_store
    from projectl.server.store.store import Store

    check_there(store or default_store())

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
                    (to / f"{name}.pln").write_text(record_of(room), encoding="utf-8")
                    written += 1
            return written
        finally:
            opened.close()

    try:
        to.mkdir(parents=True, exist_ok=True)
        count = asyncio.run(write())
    except OSError as error:
        raise Unreadable("file", f"{to} cannot be written: {error.strerror}") from None
    typer.echo(f"{count} game{'' if count == 1 else 's'} written to {to}")


def import_games(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Records.")],
    store: StoreUrl = "",
    public_url: PublicUrl = "",
    config: Config = "",
) -> None:
    """Put records into a store: seats are open, by invitation; the invitations are printed."""
    from projectl.server.addresses import public_link
    from projectl.server.games.tables import import_record
    from projectl.server.settings import default_store
    from projectl.server.store.store import Store

    games = [(file, load_game(file, [])) for file in files]
    links = f"{public_link(public_url) if public_url else '/'}join"
    make_folder(store or default_store())

    async def put() -> None:
        opened = Store(store or default_store())
        try:
            for file, game in games:
                await _to_its_end(put_one(opened, file, game))
        finally:
            opened.close()

    async def put_one(opened: Store, file: str, game: Game) -> None:
        name, invites = await import_record(opened, game)
        typer.echo(f"{file}: game {name}")
        for seat, invite in invites.items():
            typer.echo(f"  seat {seat}: {links}/{name}#{invite}")

    asyncio.run(put())


async def _to_its_end(work: Coroutine[object, object, None]) -> None:
    """Ctrl-C waits: whose game is stored learns how to get at it."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise


def make_folder(store: str) -> None:
    """A store that is to be written may be the first one in its folder."""
    from projectl.server.store.files import file_of
    from projectl.server.store.store import address

    file = file_of(address(store))
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)


def check_there(store: str) -> None:
    """A store that is to be read exists already."""
    from projectl.server.errors import StoreError
    from projectl.server.store.store import address

    url = address(store)
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        raise StoreError("store-none", f"there are no games in {url.database} yet: no server has kept any there")


def _shown(names: list[str], what: str) -> list[str]:
    """The names, with a progress bar when there are many."""
    if len(names) < 50:
        return names
    with Progress() as progress:
        return list(progress.track(names, description=what))
