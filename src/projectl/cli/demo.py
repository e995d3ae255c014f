"""A random game, printed action by action."""

import random
import secrets
from typing import Annotated

import typer

from projectl.cli.options import Edition, Modules, Players, words
from projectl.core.legal import to_act
from projectl.core.notation import Decisions, lines, text
from projectl.core.rules import DEFAULT_EDITION
from projectl.core.state import OVER, TOUCHES, State
from projectl.core.view import EVERYTHING
from projectl.game import Game
from projectl.header import Header
from projectl.record import read_rules
from projectl.terminal.draw import draw


def demo(
    players: Players = 2,
    edition: Edition = DEFAULT_EDITION,
    modules: Modules = "",
    rounds: Annotated[int, typer.Option(min=1, help="The game ends after so many rounds.")] = 20,
    seed: Annotated[str | None, typer.Option(help="The same seed gives the same game.")] = None,
) -> None:
    """Play a random game and print it, action by action, as a record."""
    chosen = secrets.token_hex(4) if seed is None else seed
    rules = read_rules(players, edition, words(modules), (f"max_rounds={rounds}",))
    game = Game(Header(rules, chosen.strip()).checked())
    dice = random.Random(chosen)
    typer.echo(game.header.text())
    while game.state.phase != OVER:
        seat = dice.choice(to_act(game.state))
        move = game.play(game.check(seat, text(pick(game.state, seat, dice), game.state.phase == TOUCHES)))
        typer.echo(move.line())
    draw(game, EVERYTHING, errors=True)  # so that the output stays a record


def pick(state: State, seat: int, dice: random.Random) -> Decisions:
    """A whole action at random, by kind first, so that many ways of one thing do not crowd out the rest."""
    kinds: dict[str, list[Decisions]] = {}
    for actor, line, decisions in lines(state):
        if actor == seat:
            kinds.setdefault(line.split()[0], []).append(decisions)
    return dice.choice(kinds[dice.choice(sorted(kinds))])
