"""The referee's commands: set up, replay, list what is legal, count."""

import json
import os
import re
import secrets
import sys
from typing import Annotated

import typer

from projectl.cli.draw import draw
from projectl.cli.files import adding, load_game, load_packs, replacing
from projectl.core.errors import Unreadable
from projectl.core.lines import lines
from projectl.core.playout import perft as count_lines
from projectl.core.rules import DEFAULT_EDITION
from projectl.core.view import EVERYTHING, SPECTATOR, view
from projectl.record import Header, Replaced, read_rules
from projectl.record import replay as replay_text

File = Annotated[str, typer.Argument(metavar="FILE", help="A record (.pln); - reads standard input.")]
Packs = Annotated[list[str], typer.Option("--pack", metavar="PATH", help="A card pack; may be given several times.")]


def new(
    players: Annotated[int, typer.Option(help="2 to 6, or 1 for solo.")] = 2,
    edition: Annotated[str, typer.Option(help="2019, 2020 or 2023.")] = DEFAULT_EDITION,
    modules: Annotated[str, typer.Option(metavar="A,B", help="Modules, separated by commas.")] = "",
    option: Annotated[list[str], typer.Option(metavar="KEY=VALUE", help="An option of the rules.")] = [],  # noqa: B006
    seed: Annotated[str | None, typer.Option(help="Any text; without it a random one.")] = None,
    names: Annotated[str, typer.Option(metavar="A|B", help="Names of the seats.")] = "",
    pack: Packs = [],  # noqa: B006
) -> None:
    """Print the header of a new game."""
    packs = load_packs(pack)
    words = tuple(word for word in modules.replace(",", " ").split())
    rules = read_rules(players, edition, words, tuple(option), adding(packs), replacing(packs))
    people = tuple(name.strip() for name in names.split("|")) if names else ()
    if people and len(people) != players:
        raise Unreadable("names", f"{players} names are expected, found {len(people)}")
    header = Header(rules, secrets.token_hex(8) if seed is None else seed.strip(), people)
    typer.echo(readable(header, replacing(packs)), nl=False)


def readable(header: Header, replaced: Replaced) -> str:
    """The header's text, once it is sure to be read back as the same game."""
    for value in (header.seed or "", *header.names):
        if not value.isprintable() or re.search(r"(^|\s)#", value) or ("|" in value and value in header.names):
            sentence = f"a seed or name is one line without ' #', found {value[:40]!r}"
            raise Unreadable("text", sentence)
    text = header.text()
    if replay_text(text, replaced).header.text() != text:
        raise Unreadable("text", "this header cannot be written down")
    return text


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
    try:
        for seat, text, _ in lines(game.state, every):
            sys.stdout.write(f"{seat + 1} {text}\n")
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def perft(
    file: File,
    depth: Annotated[int, typer.Argument(min=0, help="How many actions deep.")],
    pack: Packs = [],  # noqa: B006
) -> None:
    """Count the sequences of actions from the end of a record."""
    typer.echo(count_lines(load_game(file, pack).state, depth))
