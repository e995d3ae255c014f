"""The referee's commands: set up, replay, list what is legal, count."""

import json
import secrets
import sys
from typing import Annotated

import typer

from projectl.cli.files import adding, load_game, load_packs, replacing
from projectl.cli.options import Edition, File, Modules, Options, Packs, Players, words
from projectl.core.errors import Unreadable
from projectl.core.notation import lines
from projectl.core.playout import perft as count_lines
from projectl.core.rules import DEFAULT_EDITION
from projectl.core.view import EVERYTHING, SPECTATOR, view
from projectl.header import Header
from projectl.record import read_rules
from projectl.terminal.draw import draw


def new(
    players: Players = 2,
    edition: Edition = DEFAULT_EDITION,
    modules: Modules = "",
    option: Options = [],  # noqa: B006
    seed: Annotated[str | None, typer.Option(help="Any text; without it a random one.")] = None,
    names: Annotated[str, typer.Option(metavar="A|B", help="Names of the seats.")] = "",
    pack: Packs = [],  # noqa: B006
) -> None:
    """Print the header of a new game."""
    packs = load_packs(pack)
    rules = read_rules(players, edition, words(modules), tuple(option), adding(packs), replacing(packs))
    people = tuple(name.strip() for name in names.split("|")) if names else ()
    chosen = secrets.token_hex(8) if seed is None else seed.strip()
    header = Header(rules, chosen, people, pack=replacing(packs).name)
    typer.echo(header.checked().text(), nl=False)


def replay(
    file: File,
    as_json: Annotated[bool, typer.Option("--json", help="Print the position as JSON.")] = False,
    seat: Annotated[int | None, typer.Option(help="Only what this seat may know; 0 is a spectator.")] = None,
    pack: Packs = [],  # noqa: B006
) -> None:
    """Replay a record and print the position it comes to."""
    game = load_game(file, pack)
    players = len(game.state.players)
    if seat is not None and not 0 <= seat <= players:
        raise Unreadable("seat", f"--seat is a number from 0 to {players}, found {seat}")
    viewer = EVERYTHING if seat is None else seat - 1 if seat else SPECTATOR
    if as_json:
        typer.echo(json.dumps(view(game.state, viewer)))
    else:
        draw(game, viewer)


def moves(
    file: File,
    every: Annotated[bool, typer.Option("--all", help="Every combination of placements; can be millions.")] = False,
    pack: Packs = [],  # noqa: B006
) -> None:
    """List the legal actions at the end of a record."""
    game = load_game(file, pack)
    for seat, text, _ in lines(game.state, every):
        sys.stdout.write(f"{seat + 1} {text}\n")


def perft(
    file: File,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=100, help="How many actions deep.")],
    pack: Packs = [],  # noqa: B006
) -> None:
    """Count the sequences of actions from the end of a record."""
    typer.echo(count_lines(load_game(file, pack).state, depth))
