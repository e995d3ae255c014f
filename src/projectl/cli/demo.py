"""A random game, printed action by action."""

import random
import secrets
from typing import Annotated

import typer

from projectl.cli.draw import draw
from projectl.core.legal import to_act
from projectl.core.lines import Decisions, lines, text
from projectl.core.rules import DEFAULT_EDITION
from projectl.core.state import OVER, TOUCHES, State
from projectl.core.view import EVERYTHING
from projectl.record import Game, Header, read_rules


def demo(
    players: Annotated[int, typer.Option(help="2 to 6, or 1 for solo.")] = 2,
    edition: Annotated[str, typer.Option(help="2019, 2020 or 2023.")] = DEFAULT_EDITION,
    modules: Annotated[str, typer.Option(metavar="A,B", help="Modules, separated by commas.")] = "",
    rounds: Annotated[int, typer.Option(min=1, help="The game ends after so many rounds.")] = 20,
    seed: Annotated[str | None, typer.Option(help="The same seed gives the same game.")] = None,
) -> None:
    """Play a random game and print it, action by action, as a record."""
    words = tuple(modules.replace(",", " ").split())
    chosen = secrets.token_hex(4) if seed is None else seed
    game = Game(Header(read_rules(players, edition, words, (f"max_rounds={rounds}",)), chosen))
    dice = random.Random(chosen)
    typer.echo(game.header.text())
    while game.state.phase != OVER:
        seat = dice.choice(to_act(game.state))
        move = game.play_action(seat, text(pick(game.state, seat, dice), game.state.phase == TOUCHES))
        typer.echo(move.line())
    draw(game, EVERYTHING, errors=True)  # so that the output stays a record


def pick(state: State, seat: int, dice: random.Random) -> Decisions:
    """A whole action at random, by kind first, so that many ways of one thing do not crowd out the rest."""
    kinds: dict[str, list[Decisions]] = {}
    for actor, line, decisions in lines(state):
        if actor == seat:
            kinds.setdefault(line.split()[0], []).append(decisions)
    return dice.choice(kinds[dice.choice(sorted(kinds))])
