"""Small words of the game: points, cards, rewards, what a Finesse tile pays."""

import re
import textwrap
from collections.abc import Sequence
from typing import Final

from projectl.core.cards import AMBASSADOR_REWARD, LEVEL_UP_1, LEVEL_UP_2, REWARDS, Card, Tile
from projectl.core.finesse import FACE_DOWN
from projectl.core.pieces import NAMES
from projectl.core.rules import FINESSE_ROUNDS
from projectl.core.state import State


def points_words(points: int) -> str:
    """`1 point`, `4 points`."""
    return f"{points} point{'' if points == 1 else 's'}"


def puzzle_words(count: int) -> str:
    """`1 puzzle`, `4 puzzles`."""
    return f"{count} puzzle{'' if count == 1 else 's'}"


def reward_words(reward: int) -> str:
    """What a card gives, in words."""
    special = {LEVEL_UP_1: "one Level Up", LEVEL_UP_2: "two Level Ups", AMBASSADOR_REWARD: "an Ambassador action"}
    return special.get(reward) or REWARDS[reward]


def card_words(card: Card) -> str:
    """`W09: 1 point, reward I2`."""
    return f"{card.id}: {points_words(card.points)}, reward {reward_words(card.reward)}"


def series(words: Sequence[str], last: str = "and") -> str:
    """`A, B and C`."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), words[-1] if words else "") if part)


def hanging(words: str, width: int) -> str:
    """Long lines broken, what follows below where the line's last column begins."""
    found: list[str] = []
    for line in words.split("\n"):
        columns = [part.end() for part in re.finditer(r"(?<=\S)  +|^ +", line)]
        indent = " " * (columns[-1] if columns and columns[-1] < width // 2 else 0)
        found += textwrap.wrap(line, max(10, width), subsequent_indent=indent) or [""]
    return "\n".join(found)


def credit_words(n: int) -> str:
    """`1 credit`, `2 credits`."""
    return f"{n} credit{'' if n == 1 else 's'}"


_TILES: Final = {
    "place": "for each {shapes} you place",
    "placed-by-master-or-ambassador": "for each piece placed by Master or Ambassador",
    "puzzle-completed": "for each puzzle you complete",
    "take": "for each Take",
    "upgrade": "for each Gain, Upgrade and Level Up arrow",
    "recycle": "for each Recycle",
    "insert": "after each Insert",
    "each-owned": "at the end of your turn for each {shapes} you own",
    "each-unfinished-puzzle": "at the end of your turn for each unfinished puzzle",
    "each-shape-owned": "at the end of your turn for each different shape of {shapes} you own",
    "no-unfinished-puzzle": "if no puzzle is unfinished at the end of your turn",
    "every-level-owned": "if you own a piece of every level 1 to 4 at the end of your turn",
    "no-duplicate-owned": "if you own no two pieces of one shape at the end of your turn",
    "no-level-1-or-2-owned": "if you own no piece of level 1 or 2 at the end of your turn",
}


def tile_words(tile: Tile) -> str:
    """What a Finesse tile pays, in words."""
    shapes = series([NAMES[shape] for shape in tile.shapes], "or")
    return f"{credit_words(tile.credits)} {_TILES[tile.what].format(shapes=shapes)}"


def tile_of_round(s: State, number: int) -> str:
    """What the tile of a round pays; face-down tiles pay nothing."""
    if number <= FACE_DOWN:
        return "nothing"
    return tile_words(s.rules.tiles.tiles[s.tiles[number - 1]]) if number <= FINESSE_ROUNDS else ""
