"""The table for terminals of fewer than 80 columns: cards drawn small, the own place in full, the others below it."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text

from projectl.core import mastermind
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.state import EMPTY, State
from projectl.core.view import ROWS
from projectl.terminal.board import (
    OWN,
    Block,
    Marks,
    beside,
    card_block,
    chips,
    finesse_block,
    heading,
    locks_words,
    mastermind_block,
    other_block,
    own_block,
    reward_sign,
    seats_from,
    wrapped,
)

WIDTH: Final = 58  # 60 columns less the scroll bar
ASIDE: Final = WIDTH - OWN  # beside the own place
_CARD: Final = 7
_GRID_CARD: Final = 6


def narrow_board(s: State, viewer: int, names: Sequence[str], last: str, planned: Mapping[int, Marks]) -> Text:
    """Everything that lies on the table, what is needed most on top."""
    rows = [*_market(s), *beside([[Text("reserve", "bold")], chips(s.reserve, WIDTH - 8)], [8, WIDTH - 8])]
    rows += finesse_block(s, WIDTH)
    others = [seat for seat in seats_from(s, viewer) if seat != viewer]
    if viewer >= 0:
        beside_it = mastermind_block(s, last, ASIDE) if s.rules.kind == SOLO else _summary(s, others, viewer, names)
        rows += beside([own_block(s, viewer, names[viewer], planned), beside_it], [OWN, ASIDE])
    elif s.rules.kind == SOLO:
        rows += mastermind_block(s, last, WIDTH)
    for seat in others:
        rows += other_block(s, seat, viewer, names[seat], WIDTH)
    return Text("\n").join(rows)


def _summary(s: State, others: Sequence[int], viewer: int, names: Sequence[str]) -> Block:
    """The others in a few words: name, pile and supply; their puzzles are drawn below."""
    rows: Block = []
    for seat in others:
        name, words = heading(s, seat, viewer, names[seat])
        rows += [name, *wrapped(words.plain, ASIDE), *chips(s.players[seat].supply, ASIDE)]
    return rows


def _card(s: State, slot: int, label: str) -> Block:
    """A card of one column a cell; what it is worth stands in two lines."""
    if s.row[slot] == EMPTY:
        return [Text(label, "dim"), Text("none", "dim")]
    card = s.cards.cards[s.row[slot]]
    style = "bold" if card.white else "bold reverse"
    cells = card_block(card, label, {}, False)[1:]
    return [Text(f"{label} {card.points}p", style), Text(reward_sign(card), style), *cells]


def _market(s: State) -> Block:
    if s.rules.kind == SOLO:
        return _grid(s)
    names = ROWS[int(s.rules.kind)]
    size = len(s.row) // len(names)
    cards = [_card(s, n * size + slot, f"{name}{slot + 1}") for n, name in enumerate(names) for slot in range(size)]
    if s.rules.kind == LINE_CLEAR:
        widths = [8, 8, 12, 8, 8, 8]  # the left row, a gap, the right row
        return beside(cards[:6], widths) + beside(cards[6:], widths)
    return beside(cards, [_CARD] * len(cards))


def _grid(s: State) -> Block:
    """The three columns side by side, each with its cards from top to bottom."""
    columns: list[Block] = []
    for column in range(mastermind.COLUMNS):
        slots = range(column, mastermind.GRID, mastermind.COLUMNS)
        cards = beside([_card(s, slot, f"G{slot + 1}") for slot in slots], [_GRID_CARD] * mastermind.COLUMNS)
        columns.append([Text(locks_words(s, column), "bold"), *cards])
    return beside(columns, [20, 20, 18])
