"""Players for tests: aimless, but fond of filling puzzles, so that games get somewhere."""

import random

from projectl import lines, to_act
from projectl.core.finesse import unfinished
from projectl.core.notation import Decisions
from projectl.core.state import OVER, State
from projectl.game import Game
from projectl.header import Header

_FONDNESS = {
    "place": 8.0,
    "master": 6.0,
    "ambassador": 20.0,
    "ghost": 20.0,
    "levelup": 9.0,
    "gain": 4.0,
    "recycle": 0.3,
}

Option = tuple[int, str, Decisions]


def choose(state: State, dice: random.Random) -> Option:
    """A whole action of any seat that may act."""
    seat = dice.choice(to_act(state))
    kinds: dict[str, list[Option]] = {}
    for option in lines(state):
        if option[0] == seat:
            kinds.setdefault(option[1].split()[0], []).append(option)
    fondness = dict(_FONDNESS, take=4.0 if unfinished(state, seat) < 2 else 0.2)
    names = sorted(kinds)
    options = kinds[dice.choices(names, [fondness.get(name, 1.0) for name in names])[0]]
    if options[0][1].startswith("take") and dice.random() < 0.7:
        options = [option for option in options if "B" not in option[1]] or options
    return dice.choice(options)


def play_out(header: Header, dice: random.Random) -> Game:
    """A whole game."""
    game = Game(header)
    while game.state.phase != OVER:
        seat, text, _ = choose(game.state, dice)
        game.play(game.check(seat, text))
    return game
