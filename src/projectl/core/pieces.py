"""The twelve shapes, their 595 placements on a 5x5 grid, and multisets of pieces.

A cell is a number 0-24, row by row from the top left. A set of cells is a mask of 25 bits.
A multiset of pieces is one integer with five bits for each shape: adding two multisets is `+`.
"""

from typing import Final

from projectl.core.native import i32, i64, vec

SIZE: Final = 5
CELLS: Final = 25

# One orientation each; levels and order are those of docs/rules.md.
PICTURES: Final[dict[str, tuple[str, ...]]] = {
    "O1": ("#",),
    "I2": ("##",),
    "I3": ("###",),
    "L3": ("##", "#."),
    "I4": ("####",),
    "L4": ("###", "#.."),
    "S4": (".##", "##."),
    "T4": ("###", ".#."),
    "O4": ("##", "##"),
    "P5": ("##", "##", "#."),
    "U5": ("###", "#.#"),
    "L5": ("####", "#..."),
}
NAMES: Final[tuple[str, ...]] = tuple(PICTURES)
SHAPES: Final = 12
BASE_SHAPES: Final = 9  # the ghosts follow
TOP_LEVEL: Final = 4  # the highest level that is not a ghost
LEVEL: Final = vec[i64]([int(name[1]) for name in NAMES])
O1: Final = 0
I2: Final = 1

# Shapes of a level are FIRST[level] .. FIRST[level + 1] - 1.
FIRST: Final = vec[i64]([0, 0, 1, 2, 4, 9, 12])

_COUNT_BITS: Final = 5
UNIT: Final = vec[i64]([2 ** (_COUNT_BITS * s) for s in range(SHAPES)])
FIELD: Final = vec[i64]([31 * 2 ** (_COUNT_BITS * s) for s in range(SHAPES)])
BASE_FIELDS: Final[i64] = 2 ** (_COUNT_BITS * BASE_SHAPES) - 1


def cells_in(mask: i64) -> i64:
    """How many cells a set has."""
    mask -= (mask >> 1) & 0x55555555
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return (mask * 0x01010101 >> 24) & 63


def count(pieces: i64, shape: i64) -> i64:
    """How many of a shape are in a multiset."""
    return (pieces & FIELD[shape]) // UNIT[shape]


def total(pieces: i64) -> i64:
    """How many pieces are in a multiset."""
    n: i64 = 0
    while pieces != 0:
        n += pieces & 31
        pieces = pieces // 32
    return n


def counts(pieces: i64, shapes: i64 = SHAPES) -> dict[str, int]:
    """How many of each of the first shapes there are, by name."""
    found: dict[str, int] = {}
    for shape in range(shapes):
        found[NAMES[shape]] = int(count(pieces, shape))
    return found


def some_counts(pieces: i64) -> dict[str, int]:
    """How many of each shape there are, by name; those that are not there are left out."""
    found: dict[str, int] = {}
    for shape in range(i64(SHAPES)):
        n = count(pieces, shape)
        if n > 0:
            found[NAMES[shape]] = int(n)
    return found


def multiset(names: list[str]) -> int:
    """The multiset of the named pieces."""
    return sum(int(UNIT[NAMES.index(name)]) for name in names)


def names_in(pieces: int) -> list[str]:
    """The names in a multiset, in the order of the shapes, each as often as it is there."""
    return [name for s, name in enumerate(NAMES) for _ in range(int(count(pieces, s)))]


def _turned(cells: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    top = max(row for row, _ in cells)
    return frozenset((column, top - row) for row, column in cells)


def _flipped(cells: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    right = max(column for _, column in cells)
    return frozenset((row, right - column) for row, column in cells)


def orientations(name: str) -> list[frozenset[tuple[int, int]]]:
    """Every distinct way to lay a shape down, as (row, column) cells in its own corner."""
    picture = PICTURES[name]
    cells = frozenset((r, c) for r, line in enumerate(picture) for c, x in enumerate(line) if x == "#")
    found: list[frozenset[tuple[int, int]]] = []
    for _ in range(4):
        for variant in (cells, _flipped(cells)):
            if variant not in found:
                found.append(variant)
        cells = _turned(cells)
    return found


def _placements(name: str) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for cells in orientations(name):
        height = max(row for row, _ in cells) + 1
        width = max(column for _, column in cells) + 1
        for down in range(SIZE - height + 1):
            for right in range(SIZE - width + 1):
                found.append(tuple(sorted((r + down) * SIZE + c + right for r, c in cells)))
    return sorted(found)


_ALL: Final[list[tuple[int, tuple[int, ...]]]] = [
    (shape, cells) for shape, name in enumerate(NAMES) for cells in _placements(name)
]

PLACEMENTS: Final = 595
PLACEMENT_CELLS: Final[list[tuple[int, ...]]] = [cells for _, cells in _ALL]
PLACEMENT_SHAPE: Final = vec[i64]([shape for shape, _ in _ALL])
PLACEMENT_MASK: Final = vec[i32]([sum(2**cell for cell in cells) for _, cells in _ALL])


def cell_name(cell: int) -> str:
    """`c3`: the column from the left, the row from the top."""
    return "abcde"[cell % SIZE] + str(cell // SIZE + 1)


_ROW_CELLS: Final[list[list[str]]] = [
    [cell_name(row * SIZE + column) for column in range(SIZE) if bits & 2**column]
    for row in range(SIZE)
    for bits in range(2**SIZE)
]


def cell_names(mask: int) -> list[str]:
    """Cells in canonical order: `c3`, `d3`, `c4`."""
    found: list[str] = []
    for row in range(SIZE):
        found += _ROW_CELLS[row * 32 + mask % 32]
        mask //= 32
    return found


def cells_text(mask: int) -> str:
    """Cells in canonical order, run together: `c3d3c4`."""
    return "".join(cell_names(mask))


CELL_NUMBER: Final[dict[str, int]] = {cell_name(cell): cell for cell in range(CELLS)}
PLACEMENT_OF_MASK: Final[dict[int, int]] = {int(mask): p for p, mask in enumerate(PLACEMENT_MASK)}
PLACEMENT_TEXT: Final[list[str]] = [cells_text(int(mask)) for mask in PLACEMENT_MASK]


def _partitions(mask: int, shapes: int) -> set[int]:
    """The multisets of base shapes below `shapes` that tile the cells exactly."""
    if mask == 0:
        return {0}
    lowest = mask & -mask
    found: set[int] = set()
    for p in range(len(_ALL)):
        piece = int(PLACEMENT_MASK[p])
        if _ALL[p][0] < shapes and piece & lowest and piece & mask == piece:
            found |= {rest + int(UNIT[_ALL[p][0]]) for rest in _partitions(mask & ~piece, shapes)}
    return found


def decompositions(name: str) -> list[int]:
    """The multisets of level 1 to 4 pieces that form a ghost's shape, fewest pieces first."""
    mask = sum(2 ** (row * SIZE + column) for row, column in orientations(name)[0])
    return sorted(_partitions(mask, BASE_SHAPES), key=lambda pieces: (len(names_in(pieces)), names_in(pieces)))
