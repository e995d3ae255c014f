"""The command `projectl table`: a game in the terminal."""

import io
import os
import secrets
import sys
from typing import Annotated

import typer

from projectl.cli.endings import INTERRUPTED
from projectl.cli.files import adding, load_game, load_packs, replacing
from projectl.cli.options import EDITION, MODULE_LIST, Options, Packs, editions, module_lists, seats, words
from projectl.cli.terminals import shows
from projectl.core.errors import Unreadable
from projectl.core.rules import DEFAULT_EDITION
from projectl.game import Game
from projectl.header import Header
from projectl.record import read_rules
from projectl.terminal.saved import saved_game_for
from projectl.terminal.seats import Seat, seats_for, seats_of
from projectl.terminal.session import Session


def table(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="A record (.pln) to resume.")] = None,
    players: Annotated[int | None, typer.Option(help="2 to 6, or 1 for solo; else as many as seats, or 2.")] = None,
    edition: Annotated[
        str | None, typer.Option(help=f"{EDITION} By default {DEFAULT_EDITION}.", autocompletion=editions)
    ] = None,
    modules: Annotated[str | None, typer.Option(metavar="A,B", help=MODULE_LIST, autocompletion=module_lists)] = None,
    option: Options = [],  # noqa: B006
    seat: Annotated[
        list[str],
        typer.Option(
            metavar="WHO",
            help="me, a person's name or a bot; once for each seat, in turn order.",
            autocompletion=seats,
        ),
    ] = [],  # noqa: B006
    seed: Annotated[str | None, typer.Option(help="The same seed deals the same cards.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print sentences and read lines; no screen is drawn.")] = False,
    pack: Packs = [],  # noqa: B006
) -> None:
    """Play in the terminal, against bots or with people at the same keyboard."""
    if file is None:
        game, seated = _new(players, edition, modules, option, seat, seed, pack)
    else:
        if any(given is not None for given in (players, edition, modules, seed)) or option:
            raise Unreadable("resume", "a record has its rules: resume it without --players, --edition and the like")
        game, seated = _resumed(file, seat, pack)
    run(Session(game, seated, saved_game_for(file)), pack, plain)


def _new(
    players: int | None,
    edition: str | None,
    modules: str | None,
    option: list[str],
    seat: list[str],
    seed: str | None,
    pack: list[str],
) -> tuple[Game, tuple[Seat, ...]]:
    packs = load_packs(pack)
    count = max(2, len(seat)) if players is None else players
    named = words(modules or "")
    rules = read_rules(count, edition or DEFAULT_EDITION, named, tuple(option), adding(packs), replacing(packs))
    seated = seats_for(count, seat)
    chosen = secrets.token_hex(8) if seed is None else seed.strip()
    return Game(Header(rules, chosen, pack=replacing(packs).name).checked()), seated


def _resumed(file: str, seat: list[str], pack: list[str]) -> tuple[Game, tuple[Seat, ...]]:
    game = load_game(file, pack)
    players = len(game.state.players)
    if not seat:
        return game, seats_of(players, game.header.names)
    if len(seat) != players:
        raise Unreadable("seats", f"the game has {players} seats, found {len(seat)}")
    return game, seats_for(players, seat)


def run(table: Session, packs: list[str], plain: bool) -> None:
    """Play on the screen, or without one where there is none."""
    from projectl.terminal.draw import SIGNS

    dumb = os.environ.get("TERM") == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty())
    dumb = dumb or not shows(sys.stdout, SIGNS)
    if plain or dumb:
        from projectl.terminal.plain import PlainTable

        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        if not PlainTable(table, packs).run():
            raise typer.Exit(INTERRUPTED)
        return
    from projectl.terminal.app import TableApp
    from projectl.terminal.commands import farewell

    app = TableApp(table)
    app.run()
    typer.echo("\n".join(farewell(table, packs)))
    if app.interrupted:
        raise typer.Exit(INTERRUPTED)
