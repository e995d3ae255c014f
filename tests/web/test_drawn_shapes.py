"""The shapes that the page draws are those of the rules, however they are turned."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, TypeAlias

from projectl.server.catalogue import catalogue

Cells: TypeAlias = frozenset[tuple[int, int]]
DRAWN: Final = Path(__file__).parents[2] / "web" / "src" / "board" / "geometry.ts"


def normal(cells: Cells) -> Cells:
    """Moved to the upper left corner."""
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


def turned(cells: Cells) -> set[Cells]:
    """All orientations."""
    found: set[Cells] = set()
    for _ in range(4):
        cells = frozenset((-y, x) for x, y in cells)
        found |= {normal(cells), normal(frozenset((-x, y) for x, y in cells))}
    return found


def drawn() -> dict[str, Cells]:
    """The table of shapes in the page's source."""
    table = re.findall(r"^  (\w\d): (\[\[.*\]\]),$", DRAWN.read_text(), re.MULTILINE)
    return {name: frozenset((int(x), int(y)) for x, y in re.findall(r"\[(\d), (\d)\]", cells)) for name, cells in table}


def test_every_piece_is_drawn_as_the_rules_have_it() -> None:
    shapes = drawn()
    pieces = {piece.name: frozenset((x, y) for x, y in piece.cells) for piece in catalogue().pieces}
    assert list(shapes) == list(pieces)
    for name, cells in pieces.items():
        assert shapes[name] in turned(cells), name
