"""Pieces: shapes, levels, how many there are, and that none is ever lost."""

import random
from collections import Counter

import pytest

from projectl import Game
from tests.table import go, listed, part, player, seen, supply, table, unreadable

FULL = "card: F01 W 9 O1 ..... ..... ..... ..... ....."
BASE = ("O1", "I2", "I3", "L3", "I4", "L4", "S4", "T4", "O4")
GHOSTS = ("P5", "U5", "L5")

# How a player who has O1 and I2 comes by a shape.
PATHS = {
    "O1": "",
    "I2": "",
    "I3": "1 upgrade I2 I3",
    "L3": "1 upgrade I2 L3",
    "I4": "1 upgrade I2 I3|1 upgrade I3 I4",
    "L4": "1 upgrade I2 I3|1 upgrade I3 L4",
    "S4": "1 upgrade I2 I3|1 upgrade I3 S4",
    "T4": "1 upgrade I2 I3|1 upgrade I3 T4",
    "O4": "1 upgrade I2 I3|1 upgrade I3 O4",
}


def holding(shape: str) -> Game:
    """Seat 1 is to act, holds the shape and has a card that is recess all over on place 1."""
    if shape in GHOSTS:
        head = (
            f"players: 2\nmodules: ghost\n{FULL}\ncard: Z01 W 0 {shape} .#### ##### ##### ##### #####\nwhite: F01 Z01"
        )
        return table(f"edition: 2019\n{head}", "1 take W1|1 take W2|1 place 2:a1|2 pass")
    game = table(f"edition: 2019\nplayers: 2\n{FULL}\nwhite: F01", "1 take W1|1 pass|2 pass")
    return go(game, PATHS[shape])


def placements(game: Game, cells: int) -> list[str]:
    """The cells of all placements of pieces with so many cells."""
    texts = [line.removeprefix("1 place 1:") for line in listed(game) if line.startswith("1 place 1:")]
    return [text for text in texts if len(text) == 2 * cells]


# By hand: orientations times the corners that the bounding box can have on a 5x5 grid.
@pytest.mark.parametrize(
    ("shape", "count"),
    [
        ("O1", 1 * 25),
        ("I2", 2 * 20),
        ("I3", 2 * 15),
        ("L3", 4 * 16),
        ("I4", 2 * 10),
        ("L4", 8 * 12),
        ("S4", 4 * 12),
        ("T4", 4 * 12),
        ("O4", 1 * 16),
        ("P5", 8 * 12),
        ("U5", 4 * 12),
        ("L5", 8 * 8),
    ],
)
def test_a_piece_lies_in_every_rotation_and_reflection_on_an_open_card(shape: str, count: int) -> None:
    """Section 1. The digit of a shape's name is its level, and that is how many cells it has."""
    assert len(placements(holding(shape), int(shape[1]))) == count


@pytest.mark.parametrize(
    ("shape", "cells"),
    [
        ("I2", "a1b1 a1a2 e4e5"),
        ("I3", "c3d3e3 e1e2e3"),
        ("L3", "a1b1a2 a1b1b2 a1a2b2 b1a2b2"),
        ("I4", "b2c2d2e2 a2a3a4a5"),
        ("L4", "a1b1c1a2 a1b1c1c2 a1a2b2c2 c1a2b2c2 a1b1a2a3 a1b1b2b3 a1a2a3b3 b1b2a3b3"),
        ("S4", "b1c1a2b2 a1b1b2c2 a1a2b2b3 b1a2b2a3"),
        ("T4", "a1b1c1b2 b1a2b2c2 a1a2b2a3 b1a2b2b3"),
        ("O4", "d4e4d5e5"),
        ("P5", "a1b1a2b2a3 a1b1a2b2b3 a1a2b2a3b3 b1a2b2a3b3 a1b1c1a2b2 a1b1c1b2c2 a1b1a2b2c2 b1c1a2b2c2"),
        ("U5", "a1b1c1a2c2 a1c1a2b2c2 a1b1a2a3b3 a1b1b2a3b3"),
        ("L5", "a1b1c1d1a2 a1b1c1d1d2 a1a2b2c2d2 d1a2b2c2d2 a1a2a3a4b4 b1b2b3a4b4 a1b1a2a3a4 a1b1b2b3b4"),
    ],
)
def test_pictures_of_the_shapes(shape: str, cells: str) -> None:
    game = holding(shape)
    for text in cells.split():
        before = supply(game, 1)[shape]
        go(game, f"1 place 1:{text}")
        assert supply(game, 1).get(shape, 0) == before - 1
        game.undo(len(game.moves) - 1)


@pytest.mark.parametrize("cells", ["a1c1", "a1b2", "a1b1c1d1e1", "a1b1d1", "b1a2b2c2b3"])
def test_cells_that_are_no_piece_cannot_be_read(cells: str) -> None:
    head = f"players: 2\n{FULL}\nwhite: F01"
    assert unreadable(head, "1 take W1", f"1 place 1:{cells}") == ("no-such-piece", 5)


# The number of pieces


@pytest.mark.parametrize(
    ("edition", "modules", "base", "ghosts"),
    [
        ("2019", "", 15, None),
        ("2020", "", 10, None),
        ("2023", "", 15, None),
        ("2019", "ghost", 15, 10),
        ("2023", "ghost", 15, 10),
    ],
)
def test_the_box_holds_so_many_of_each_shape(edition: str, modules: str, base: int, ghosts: int | None) -> None:
    game = table(f"edition: {edition}\nplayers: 2\nmodules: {modules}")
    expected = dict.fromkeys(BASE, base)
    if ghosts is not None:
        expected |= dict.fromkeys(GHOSTS, ghosts)
    assert pieces_of(game) == expected


def pieces_of(game: Game) -> dict[str, int]:
    """All pieces, wherever they are: reserve, supplies, puzzles, and solo locks that are real O1."""
    found: Counter[str] = Counter()
    for shape, count in part(game, "reserve").items():
        assert isinstance(count, int)
        found[shape] += count
    for seat in range(1, int(game.header.rules.players) + 1):
        found.update(supply(game, seat))
        puzzles = player(game, seat)["puzzles"]
        assert isinstance(puzzles, list)
        found.update(lying["piece"] for puzzle in puzzles for lying in puzzle["pieces"])
    if game.header.rules.real_locks and game.header.rules.players == 1:
        solo = part(game, "solo")
        assert isinstance(solo["locks"], list)
        assert isinstance(solo["supply"], int)
        found["O1"] += sum(solo["locks"]) + solo["supply"]
    return dict(found)


def pick(game: Game, dice: random.Random) -> str:
    """Some legal action: first a kind, so that the many placements do not crowd the rest out."""
    options = listed(game)
    kind = dice.choice(sorted({line.split()[1] for line in options} - {"pass"}) or ["pass"])
    return dice.choice([line for line in options if line.split()[1] == kind])


@pytest.mark.parametrize(
    "header",
    [
        "edition: 2019\nplayers: 5",
        "edition: 2020\nplayers: 2",
        "edition: 2023\nplayers: 3",
        "edition: 2019\nplayers: 2\nmodules: ghost\ncard: Z01 W 1 P5 .#### ##### ##### ##### #####\nwhite: Z01",
        "edition: 2019\nplayers: 1",
        "edition: 2023\nplayers: 1",
    ],
)
def test_no_piece_is_lost_or_made(header: str) -> None:
    """Reserve, supplies, puzzles and real solo locks together stay what the box holds."""
    game = table(f"{header}\noptions: max_rounds=15")
    whole, dice = pieces_of(game), random.Random(5)
    for _ in range(200):
        if seen(game, "phase") == "over":
            break
        go(game, pick(game, dice))
        assert pieces_of(game) == whole
    assert len(game.moves) > 30
