"""How pieces look and turn, as a person at the table sees it. Cells are (column, row) from 0."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

Cell: TypeAlias = tuple[int, int]
Cells: TypeAlias = frozenset[Cell]

NAMES: Final = {
    "O1": "Dot",
    "I2": "Domino",
    "I3": "Three-bar",
    "L3": "Corner",
    "I4": "Four-bar",
    "L4": "Hook",
    "S4": "Zigzag",
    "T4": "Tee",
    "O4": "Square",
    "P5": "Ghost P",
    "U5": "Ghost U",
    "L5": "Ghost L",
}
_DRAWN: Final = {
    "O1": "a1",
    "I2": "a1b1",
    "I3": "a1b1c1",
    "L3": "a1a2b2",
    "I4": "a1b1c1d1",
    "L4": "a1a2b2c2",
    "S4": "b1c1a2b2",
    "T4": "b1a2b2c2",
    "O4": "a1b1a2b2",
    "P5": "a1b1a2b2c2",
    "U5": "a1c1a2b2c2",
    "L5": "a1a2b2c2d2",
}


def cells_of(text: str) -> Cells:
    """`c3c4` as cells."""
    return frozenset((ord(text[at]) - ord("a"), int(text[at + 1]) - 1) for at in range(0, len(text), 2))


def name_of(cell: Cell) -> str:
    """A cell as `c3`."""
    return f"{chr(ord('a') + cell[0])}{cell[1] + 1}"


def normal(cells: Cells) -> Cells:
    """Moved to the upper left corner."""
    left, top = min(column for column, _ in cells), min(row for _, row in cells)
    return frozenset((column - left, row - top) for column, row in cells)


def rotated(cells: Cells) -> Cells:
    """Turned clockwise."""
    return normal(frozenset((-row, column) for column, row in cells))


def flipped(cells: Cells) -> Cells:
    """Left and right swapped."""
    return normal(frozenset((-column, row) for column, row in cells))


def turns(held: Cells, wanted: Cells) -> str:
    """The shortest way from one orientation to another: `R` rotates, `F` flips."""
    ways = {normal(held): ""}
    todo = [normal(held)]
    for cells in todo:
        if cells == normal(wanted):
            return ways[cells]
        for letter, turned in (("R", rotated(cells)), ("F", flipped(cells))):
            if turned not in ways:
                ways[turned] = ways[cells] + letter
                todo.append(turned)
    raise ValueError("another shape")


def _orientations() -> dict[Cells, str]:
    found: dict[Cells, str] = {}
    for piece, text in _DRAWN.items():
        cells = normal(cells_of(text))
        for start in (cells, flipped(cells)):
            for _ in range(4):
                start = rotated(start)
                found[start] = piece
    return found


_SHAPES: Final = _orientations()


class Placement(NamedTuple):
    """`1:c3c4` taken apart."""

    place: int
    cells: Cells

    @classmethod
    def read(cls, text: str) -> Placement:
        """As docs/notation.md writes it."""
        place, _, cells = text.partition(":")
        return cls(int(place), cells_of(cells))

    @property
    def piece(self) -> str:
        """The piece of this form."""
        return _SHAPES[normal(self.cells)]

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its box, in cells."""
        columns, rows = [column for column, _ in self.cells], [row for _, row in self.cells]
        return (min(columns) + max(columns) + 1) / 2, (min(rows) + max(rows) + 1) / 2

    @property
    def aim(self) -> Cell:
        """The cell that lies under the piece's middle."""
        columns, rows = [column for column, _ in self.cells], [row for _, row in self.cells]
        return (min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2

    def others(self, empty: Cells) -> list[Placement]:
        """Where else the piece fits on this puzzle without being turned; itself too, from the top left on."""
        shape = normal(self.cells)
        found = []
        for row in range(5):
            for column in range(5):
                cells = frozenset((column + x, row + y) for x, y in shape)
                if cells <= empty:
                    found.append(Placement(self.place, cells))
        return found
