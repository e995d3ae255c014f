"""The command `projectl table`: a game in the terminal."""

import io
import os
import secrets
import sys
from typing import Annotated

import typer

from projectl.cli.files import adding, load_game, load_packs, replacing
from projectl.cli.table_seats import Seat, seats_for, seats_of
from projectl.cli.table_session import Table
from projectl.cli.table_store import store_for
from projectl.core.errors import Unreadable
from projectl.core.rules import DEFAULT_EDITION
from projectl.record import Game, Header, read_rules


def table(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="A record (.pln) to resume.")] = None,
    players: Annotated[int | None, typer.Option(help="2 to 6, or 1 for solo; else as many as seats, or 2.")] = None,
    edition: Annotated[str | None, typer.Option(help=f"2019, 2020 or 2023; {DEFAULT_EDITION} by default.")] = None,
    modules: Annotated[str | None, typer.Option(metavar="A,B", help="Modules, separated by commas.")] = None,
    option: Annotated[list[str], typer.Option(metavar="KEY=VALUE", help="An option of the rules.")] = [],  # noqa: B006
    seat: Annotated[
        list[str], typer.Option(metavar="WHO", help="me, a person's name or a bot; once for each seat, in turn order.")
    ] = [],  # noqa: B006
    seed: Annotated[str | None, typer.Option(help="The same seed deals the same cards.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print sentences and read lines; no screen is drawn.")] = False,
    pack: Annotated[list[str], typer.Option("--pack", metavar="PATH", help="A card pack.")] = [],  # noqa: B006
) -> None:
    """Play in the terminal, against bots or with people at the same keyboard."""
    if file is None:
        game, seats = _new(players, edition, modules, option, seat, seed, pack)
    else:
        if any(given is not None for given in (players, edition, modules, seed)) or option:
            raise Unreadable("resume", "a record has its rules: resume it without --players, --edition and the like")
        game, seats = _resumed(file, seat, pack)
    run(Table(game, seats, store_for(file)), pack, plain)


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
    words = tuple((modules or "").replace(",", " ").split())
    count = max(2, len(seat)) if players is None else players
    rules = read_rules(count, edition or DEFAULT_EDITION, words, tuple(option), adding(packs), replacing(packs))
    seats = seats_for(count, seat)
    return Game(Header(rules, secrets.token_hex(8) if seed is None else seed.strip())), seats


def _resumed(file: str, seat: list[str], pack: list[str]) -> tuple[Game, tuple[Seat, ...]]:
    game = load_game(file, pack)
    players = len(game.state.players)
    if not seat:
        return game, seats_of(players, game.header.names)
    if len(seat) != players:
        raise Unreadable("seats", f"the game has {players} seats, found {len(seat)}")
    return game, seats_for(players, seat)


def run(table: Table, packs: list[str], plain: bool) -> None:
    """Play on the screen, or without one where there is none."""
    dumb = os.environ.get("TERM") == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty())
    if plain or dumb:
        from projectl.cli.table_plain import PlainTable

        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        PlainTable(table, packs).run()
        return
    from projectl.cli.table_app import TableApp
    from projectl.cli.table_commands import farewell

    TableApp(table).run()
    typer.echo("\n".join(farewell(table, packs)))
