"""A position in sentences, for screen readers and for terminals that can do no more than print."""

from collections.abc import Sequence

from projectl.core import mastermind
from projectl.core.legal import to_act
from projectl.core.pieces import CELLS, NAMES, PLACEMENT_CELLS, PLACEMENT_SHAPE, cell_name, count
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.score import mastermind_points
from projectl.core.state import EMPTY, LEVEL_UP, OVER, REWARD, TOUCHES, State, spot
from projectl.core.view import ROWS, pile_open
from projectl.terminal.words import (
    card_words,
    credit_words,
    points_words,
    puzzle_words,
    reward_words,
    series,
    tile_of_round,
)

_DECK = {"W": "white", "B": "black"}


def position_words(s: State, viewer: int, names: Sequence[str]) -> list[str]:
    """The whole position as one seat sees it."""
    rows = [turn_words(s, names), *_market(s), f"Reserve: {pieces_words(s.reserve)}."]
    if s.rules.finesse and s.phase not in (TOUCHES, OVER):
        rows.append(finesse_words(s))
    order = range(len(s.players)) if viewer < 0 else [(viewer + n) % len(s.players) for n in range(len(s.players))]
    for seat in order:
        rows += _player(s, seat, viewer, names[seat])
    return rows


def pieces_words(pieces: int) -> str:
    """`2 O1, 1 I2`."""
    return ", ".join(f"{n} {name}" for shape, name in enumerate(NAMES) if (n := int(count(pieces, shape)))) or "nothing"


def turn_words(s: State, names: Sequence[str]) -> str:
    """Round, who is to act and how far the turn has come."""
    if s.phase == OVER:
        return "The game is over."
    end = _end(s)
    actors = to_act(s)
    if s.phase == TOUCHES:
        return f"Finishing touches: {series([names[seat] for seat in actors])} not done yet."
    who = series([_actor(s, seat, names[seat]) for seat in actors], "or")
    return f"Round {int(s.round)}. To act: {who}.{end}"


def _end(s: State) -> str:
    if not s.end_triggered:
        return ""
    return " The end is triggered." if s.rules.kind == LINE_CLEAR else f" Round {int(s.last_round)} is the last."


def _actor(s: State, seat: int, name: str) -> str:
    player = s.players[seat]
    if s.phase == REWARD:
        return f"{name}, a reward is to be chosen"
    if s.phase == LEVEL_UP:
        return f"{name}, a Level Up is open"
    left = int(player.actions)
    master = ", Master used" if player.master else ""
    return f"{name}, {left} action{'' if left == 1 else 's'} left{master}"


def finesse_words(s: State) -> str:
    """What the tile of this round pays, and the next one's."""
    number = int(s.round)
    following = tile_of_round(s, number + 1)
    later = f" Next: {following}." if following else ""
    return f"This round pays {tile_of_round(s, number)}.{later} Bank: {credit_words(int(s.bank))}."


# --- the market -------------------------------------------------------------------------------


def _cells(mask: int) -> str:
    return " ".join(cell_name(cell) for cell in range(CELLS) if mask & 2**cell)


def _slot(s: State, name: str, at: int) -> str:
    card = s.row[at]
    if card == EMPTY:
        return f"  {name}: empty"
    found = s.cards.cards[card]
    return f"  {name}, {card_words(found)}, cells {_cells(found.recess)}"


def _market(s: State) -> list[str]:
    if s.rules.kind == SOLO:
        return _grid(s)
    rows: list[str] = []
    names = ROWS[int(s.rules.kind)]
    size = len(s.row) // len(names)
    for n, name in enumerate(names):
        left = s.white_left() if name[0] == "W" else s.black_left()
        rows.append(f"Row {name}, {left} cards in the {_DECK[name[0]]} deck:")
        rows += [_slot(s, f"{name}{slot + 1}", n * size + slot) for slot in range(size)]
    return rows


def _grid(s: State) -> list[str]:
    rows = [f"Grid, {s.white_left()} cards in the deck:"]
    for column in range(mastermind.COLUMNS):
        n = int(mastermind.locks(s, column))
        rows.append(f" Column {column + 1}, {n} lock{'' if n == 1 else 's'}:")
        slots = range(column, mastermind.GRID, mastermind.COLUMNS)
        rows += [_slot(s, f"G{slot + 1}", slot) for slot in slots]
    rows.append(
        f"The mastermind: {points_words(mastermind_points(s))}, {int(mastermind.locks(s, 3))} locks in its supply."
    )
    return rows


# --- players ----------------------------------------------------------------------------------


def _pile(s: State, seat: int, viewer: int) -> str:
    player = s.players[seat]
    puzzles = puzzle_words(int(player.pile))
    return f"{points_words(int(player.points))}, {puzzles}" if pile_open(s, seat, viewer) else f"{puzzles}, hidden"


def extras_words(s: State, seat: int) -> list[str]:
    """What else a player has: touches, credits, Ambassador actions, markers."""
    player = s.players[seat]
    found: list[str] = []
    if s.rules.finesse:
        later = f" +{int(player.inactive)}" if player.inactive else ""
        found.append(f"{credit_words(int(player.active))}{later}")
    if player.ambassadors or player.new_ambassadors:
        later = f"+{int(player.new_ambassadors)}" if player.new_ambassadors else ""
        found.append(f"{int(player.ambassadors)}{later} Ambassador")
    if player.touches:
        found.append(f"-{int(player.touches)} touch{'' if player.touches == 1 else 'es'}")
    if s.rules.kind == LINE_CLEAR and s.phase not in (TOUCHES, OVER):
        found += ["white marker"] * (seat == s.white_holder) + ["black marker"] * (seat == s.black_holder)
    return found


def _player(s: State, seat: int, viewer: int, name: str) -> list[str]:
    rows = [
        f"Seat {seat + 1}, {name}: {', '.join([_pile(s, seat, viewer), *extras_words(s, seat)])}.",
        f"  Supply: {pieces_words(s.players[seat].supply)}.",
    ]
    return rows + [_puzzle(s, spot(seat, place), place) for place, _ in s.puzzles(seat)]


def _puzzle(s: State, at: int, place: int) -> str:
    card = s.cards.cards[s.board[at]]
    laid = s.laid_on(at)
    on = [f"{NAMES[PLACEMENT_SHAPE[p]]} at {' '.join(map(cell_name, PLACEMENT_CELLS[p]))}" for p in laid]
    covered = f", covered by {series(on)}" if on else ""
    worth = f"{points_words(card.points)}, reward {reward_words(card.reward)}"
    return f"  Place {place + 1}, {card.id}: {worth}{covered}, empty {_cells(card.recess & ~int(s.filled[at]))}"
