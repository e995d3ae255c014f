"""The table as coloured text that fits into 80 columns; every shape has its mark, so that colours are not needed."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from projectl.core import mastermind
from projectl.core.cards import LEVEL_UP_1, LEVEL_UP_2, REWARDS, Card
from projectl.core.legal import to_act
from projectl.core.pieces import CELL_NUMBER, NAMES, PLACEMENT_CELLS, PLACEMENT_SHAPE, SIZE, count
from projectl.core.rules import SOLO, STANDARD
from projectl.core.score import mastermind_points
from projectl.core.state import EMPTY, OVER, PLACES, TOUCHES, State, laid_placement, laid_spot, spot
from projectl.core.view import ROWS, completed, pile_open
from projectl.terminal.draw import MARKS
from projectl.terminal.sentences import extras_words, finesse_words, turn_words
from projectl.terminal.words import points_words, puzzle_words

Block = list[Text]


class Laid(NamedTuple):
    """What lies on a cell: a piece, told apart from its like by a number."""

    name: str
    number: int


Marks = Mapping[int, Laid]  # by cell
PLANNED: Final = Laid("", -1)  # only typed so far

WIDTH: Final = 79
OWN: Final = 43  # columns of the viewer's own puzzles
CARD: Final = 10
SMALL: Final = 9  # a card with cells of one column
_REWARDS: Final = {LEVEL_UP_1: "up1", LEVEL_UP_2: "up2"}


def beside(blocks: Sequence[Block], widths: Sequence[int]) -> Block:
    """Blocks next to each other, each in its own width."""
    found: Block = []
    for row in range(max((len(block) for block in blocks), default=0)):
        line = Text()
        for block, width in zip(blocks, widths, strict=True):
            part = block[row].copy() if row < len(block) else Text()
            part.truncate(width)
            line.append_text(part).append(" " * (width - part.cell_len))
        line.rstrip()
        found.append(line)
    return found


def wrapped(words: str, width: int, style: str = "") -> Block:
    """A sentence in lines."""
    return [Text(line, style) for line in textwrap.wrap(words, width)]


# --- cards ------------------------------------------------------------------------------------


def reward_sign(card: Card) -> str:
    """What a card gives, in three letters at most."""
    return _REWARDS.get(card.reward) or REWARDS[card.reward]


def card_block(card: Card, label: str, marks: Marks, wide: bool = True) -> Block:
    """A card: what it is worth, then its recess with the pieces on it, by cell."""
    words = f"{label} {card.points}{'p' if wide else ''} {reward_sign(card)}"
    head = Text(words, "bold" if card.white else "bold reverse")
    return [head, *(_cells(card, row, marks, wide) for row in range(SIZE))]


def _cells(card: Card, row: int, marks: Marks, wide: bool) -> Text:
    """Five cells; those of a wide card are two columns each, and its edge parts it from the next."""
    line = Text()
    for cell in range(row * SIZE, row * SIZE + SIZE):
        gap = " " if wide and cell % SIZE < SIZE - 1 else ""
        if cell in marks:
            mark, colour = MARKS.get(marks[cell].name, ("+", "bold reverse"))
            line.append(mark, colour).append(gap, colour if marks.get(cell + 1) == marks[cell] else "")
        else:
            line.append(*(("□", "bold") if card.recess & 2**cell else ("·", "dim"))).append(gap)
    return line.append("│", "dim") if wide else line


def _slot(s: State, slot: int, label: str, wide: bool = True) -> Block:
    card = s.row[slot]
    return [Text(f"{label} none", "dim")] if card == EMPTY else card_block(s.cards.cards[card], label, {}, wide)


def market(s: State, tall: bool) -> Block:
    """The rows, or the solo grid."""
    if s.rules.kind == SOLO:
        return _tall_grid(s) if tall else _flat_grid(s)
    names = ROWS[int(s.rules.kind)]
    size = len(s.row) // len(names)
    cards = [_slot(s, n * size + slot, f"{name}{slot + 1}") for n, name in enumerate(names) for slot in range(size)]
    if s.rules.kind == STANDARD:
        return beside(cards, [*[CARD] * (len(cards) - 1), CARD - 1])
    widths = [11, 11, 14, 11, 11, 11]  # the left row, a gap, the right row
    return beside(cards[:6], widths) + beside(cards[6:], widths)


def locks_words(s: State, column: int) -> str:
    """`column 1: 2 locks`."""
    n = int(mastermind.locks(s, column))
    return f"column {column + 1}: {'open' if n == 0 else '1 lock' if n == 1 else f'{n} locks'}"


def _flat_grid(s: State) -> Block:
    """The three columns side by side, each with its cards from top to bottom."""
    columns: list[Block] = []
    for column in range(mastermind.COLUMNS):
        cards = [_slot(s, slot, f"G{slot + 1}", False) for slot in range(column, mastermind.GRID, mastermind.COLUMNS)]
        columns.append([Text(locks_words(s, column), "bold"), *beside(cards, [SMALL - 1] * 3)])
    return beside(columns, [27, 27, 25])


def _tall_grid(s: State) -> Block:
    """The grid as it lies, the mastermind beside it."""
    width = 18
    heads = [[Text(locks_words(s, column), "bold")] for column in range(mastermind.COLUMNS)]
    rows = beside(heads, [width] * 3)
    for first in range(0, mastermind.GRID, mastermind.COLUMNS):
        rows += beside([_slot(s, first + n, f"G{first + n + 1}") for n in range(mastermind.COLUMNS)], [width] * 3)
    return rows


# --- pieces -----------------------------------------------------------------------------------


def chips(pieces: int, width: int) -> Block:
    """Pieces with their marks and counts, in as many lines as they need."""
    lines: Block = [Text()]
    for shape, name in enumerate(NAMES):
        n = int(count(pieces, shape))
        if n:
            words = f" {name}x{n}" if n > 1 else f" {name}"
            if lines[-1].cell_len + 2 + len(words) > width:
                lines.append(Text())
            mark, colour = MARKS[name]
            lines[-1].append(" " if lines[-1] else "").append(mark, colour).append(words)
    return lines if pieces else [Text("no pieces", "dim")]


# --- players ----------------------------------------------------------------------------------


def _marks(s: State, at: int, planned: Marks) -> dict[int, Laid]:
    marks = dict(planned)
    for number, entry in enumerate(s.laid):
        if laid_spot(int(entry)) == at:
            placement = int(laid_placement(int(entry)))
            piece = Laid(NAMES[PLACEMENT_SHAPE[placement]], number)
            marks.update(dict.fromkeys(PLACEMENT_CELLS[placement], piece))
    return marks


def heading(s: State, seat: int, viewer: int, name: str) -> tuple[Text, Text]:
    """Who sits there, marked where they are to act; and what they have won so far."""
    acting = seat in to_act(s)
    player = s.players[seat]
    points = [f"{int(player.points)}p"] * pile_open(s, seat, viewer)
    words = ", ".join([*points, puzzle_words(int(player.pile)), *extras_words(s, seat)])
    head = Text("> " if acting else "")
    return head.append(f"{seat + 1} {name}", "bold reverse" if acting else "bold"), Text(words)


def _head(s: State, seat: int, viewer: int, name: str, width: int) -> Text:
    head = Text("  ").join(heading(s, seat, viewer, name))
    head.truncate(width)
    return head


def _place(s: State, seat: int, place: int, wide: bool, planned: Marks) -> Block:
    at = spot(seat, place)
    if s.board[at] == EMPTY:
        return [Text(f"{place + 1} -", "dim")]
    return card_block(s.cards.cards[s.board[at]], str(place + 1), _marks(s, at, planned), wide)


def own_block(s: State, seat: int, name: str, planned: Mapping[int, Marks]) -> Block:
    """The viewer's place at the table, with the letters and numbers of the cells."""
    places = [_place(s, seat, place, True, planned.get(place, {})) for place in range(PLACES)]
    for block in places:
        block.insert(1, Text("a b c d e" if len(block) > 1 else "", "dim"))
    numbers = [Text(), Text(), *(Text(str(row + 1), "dim") for row in range(SIZE))]
    head = [_head(s, seat, seat, name, OWN - 1), *chips(s.players[seat].supply, OWN - 1)]
    return head + beside([numbers, *places], [2, *[CARD] * PLACES])


def other_block(s: State, seat: int, viewer: int, name: str, width: int = WIDTH - OWN) -> Block:
    """Somebody else's place at the table, drawn small."""
    places = [_place(s, seat, place, False, {}) for place in range(PLACES)]
    supply = chips(s.players[seat].supply, width)
    rows = [_head(s, seat, viewer, name, width), *supply, *beside(places, [SMALL] * PLACES)]
    return rows + [Text()] * (SIZE + 2 + len(supply) - len(rows))


def mastermind_block(s: State, last: str, width: int = WIDTH - OWN) -> Block:
    """The solo opponent and what it did last."""
    pile = completed(s, len(s.players))
    supply = int(mastermind.locks(s, mastermind.SUPPLY))
    return [
        *wrapped(f"mastermind  {points_words(mastermind_points(s))}", width, "bold"),
        *wrapped(f"{len(pile)} cards, {supply} locks in its supply", width),
        *wrapped(last or "It acts after your turn.", width),
    ]


def seats_from(s: State, viewer: int) -> list[int]:
    """All seats in the order of turns, the viewer's first."""
    count = len(s.players)
    return [(max(viewer, 0) + n) % count for n in range(count)]


def players(s: State, viewer: int, names: Sequence[str], last: str, planned: Mapping[int, Marks]) -> Block:
    """Everybody, two beside each other, the viewer first and then in the order of turns."""
    blocks = [
        own_block(s, seat, names[seat], planned) if seat == viewer else other_block(s, seat, viewer, names[seat])
        for seat in seats_from(s, viewer)
    ]
    if s.rules.kind == SOLO:
        blocks.append(mastermind_block(s, last))
    found: Block = []
    for n in range(0, len(blocks), 2):
        found += beside(blocks[n : n + 2], [OWN, WIDTH - OWN][: len(blocks[n : n + 2])])
    return found


# --- the whole --------------------------------------------------------------------------------


def finesse_block(s: State, width: int) -> Block:
    """What this round and the next pay."""
    return wrapped(finesse_words(s), width) if s.rules.finesse and s.phase not in (TOUCHES, OVER) else []


def board(
    s: State,
    viewer: int,
    names: Sequence[str],
    last: str = "",
    tall: bool = False,
    planned: Mapping[int, Marks] | None = None,
) -> Text:
    """Everything that lies on the table, as the viewer sees it. `planned` are marks by place and cell."""
    space = [Text()] if tall else []
    rows = [*market(s, tall), *space]
    reserve = chips(s.reserve, WIDTH - 8)
    rows += beside([[Text("reserve", "bold")], reserve], [8, WIDTH - 8])
    rows += finesse_block(s, WIDTH)
    rows += [*space, *players(s, viewer, names, last, planned or {})]
    return Text("\n").join(rows)


def status(s: State, names: Sequence[str]) -> str:
    """What stands above the table."""
    decks = f"deck {s.white_left()}" if s.rules.kind == SOLO else f"decks W {s.white_left()}, B {s.black_left()}"
    return f"{turn_words(s, names)}  {decks}"


def planned_marks(line: str) -> dict[int, dict[int, Laid]]:
    """The cells of the placements in a typed line, by place, for a look before they are played."""
    found: dict[int, dict[int, Laid]] = {}
    for word in line.split():
        place, colon, cells = word.partition(":")
        if colon and place in ("1", "2", "3", "4"):
            named = [cells[n : n + 2] for n in range(0, len(cells), 2)]
            found[int(place) - 1] = {CELL_NUMBER[cell]: PLANNED for cell in named if cell in CELL_NUMBER}
    return found
