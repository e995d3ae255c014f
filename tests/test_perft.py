"""Counts of action sequences from fixed positions of each kind of game.

The first counts of each row were also counted by a second program, written from the rules alone: all
of the openings', depth one and two of the middle games'.
"""

import pytest

from projectl import lines
from projectl.core.playout import perft
from tests.golden import FOLDER
from tests.table import go, table

OPENINGS = [
    ("edition: 2023\nplayers: 2", (63, 4511, 358979)),
    ("edition: 2019\nplayers: 2", (14, 620, 26858)),
    ("edition: 2023\nplayers: 1", (15, 499, 16651)),
    ("edition: 2023\nplayers: 5\nmodules: line_clear", (36, 2022, 134848)),
]

# A golden game, how many of its actions are played, and the counts from there.
MIDDLE_GAMES = [
    ("2019-base-3", 27, (29, 899, 28293)),
    ("2019-ghost-4", 47, (9, 17, 153)),
    ("2019-ambassador-2", 36, (44, 1976, 112000)),
    ("2019-line_clear-4", 58, (26, 932, 47359)),
    ("2019-base-1", 27, (37, 1631, 101750)),
    ("2020-base-4", 54, (9, 52, 2165)),
    ("2020-base-1", 19, (22, 570, 23854)),
    ("2023-base-4", 186, (84, 7663, 717762)),
    ("2023-ghost-2", 92, (74, 5924, 530980)),
    ("2023-ambassador-3", 138, (98, 9453, 1001298)),
    ("2023-phoenix-6", 198, (74, 5486, 472140)),
    ("2023-finesse-2", 39, (186, 18465, 2400450)),
    ("2023-finesse_ambassador-3", 61, (59, 9912, 1711536)),
    ("2023-line_clear-5", 188, (56, 3934, 440845)),
    ("2023-line_clear-6", 177, (52, 2063, 63351)),
    ("2023-endless_white-4", 184, (89, 12993, 1803172)),
    ("2023-finesse-1", 23, (34, 1352, 68335)),
]


@pytest.mark.parametrize(("name", "played", "counts"), MIDDLE_GAMES)
def test_middle_games(name: str, played: int, counts: tuple[int, ...]) -> None:
    header, actions = (FOLDER / f"{name}.pln").read_text(encoding="utf-8").split("\n\n")
    game = table(header, *actions.split("\n")[:played])
    assert tuple(perft(game.state, depth) for depth in (1, 2, 3)) == counts


@pytest.mark.parametrize(("header", "counts"), OPENINGS)
def test_openings(header: str, counts: tuple[int, ...]) -> None:
    game = table(header)
    assert tuple(perft(game.state, depth) for depth in (1, 2, 3)) == counts


def test_depth_zero_is_one_sequence() -> None:
    assert perft(table("players: 2").state, 0) == 1


def test_counts_what_is_listed() -> None:
    """Depth two is the sum over the listed actions of what is listed after each."""
    game = table("players: 2\nwhite: W15 W22", "1 take W1|1 take W2|1 gain O1|2 gain O1|2 gain O1|2 take W1")
    expected = 0
    for seat, text, _ in lines(game.state):
        after = table(game.text().split("\n\n")[0], *(move.line() for move in game.moves))
        expected += sum(1 for _ in lines(go(after, f"{seat + 1} {text}").state))
    assert perft(game.state, 2) == expected
