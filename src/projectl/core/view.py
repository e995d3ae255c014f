"""A position as JSON: the whole of it, or what one seat or a spectator may know."""

from typing import Final

from projectl.core import mastermind
from projectl.core.cards import all_tiles
from projectl.core.finesse import FACE_DOWN
from projectl.core.ints import i64
from projectl.core.legal import to_act
from projectl.core.pieces import CELLS, NAMES, PLACEMENT_CELLS, PLACEMENT_SHAPE, PLACEMENTS, cell_name, count
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.score import mastermind_points, result
from projectl.core.state import EMPTY, OVER, PHASES, PLACES, TOUCHES, State

SPECTATOR: Final = -1
EVERYTHING: Final = -2  # the referee's view: every pile open

ROWS: Final[dict[int, tuple[str, ...]]] = {0: ("W", "B"), 1: ("WL", "WR", "BL", "BR")}


def view(s: State, seat: int = EVERYTHING) -> dict[str, object]:
    """The position as a seat (from 0) sees it; by default the referee's view.

    Decks are only counted and face-down tiles are not named, in any view.
    """
    found: dict[str, object] = {
        "edition": s.rules.edition,
        "phase": PHASES[s.phase],
        "round": int(s.round),
        "to_act": [actor + 1 for actor in to_act(s)],
    }
    found.update(_turn(s))
    found["end_triggered"] = s.end_triggered
    if s.rules.kind != SOLO:
        found["rows"] = _rows(s)
        found["decks"] = {"W": s.white_left(), "B": s.black_left()}
    found["reserve"] = {
        name: int(count(s.reserve, shape)) for shape, name in enumerate(NAMES) if s.rules.ghost or shape < 9
    }
    found["players"] = [_player(s, other, pile_open(s, other, seat)) for other in range(len(s.players))]
    if s.rules.kind == SOLO:
        found["solo"] = _solo(s)
    if s.rules.finesse:
        found["finesse"] = {"tiles": _tiles(s), "bank": int(s.bank)}
    if s.rules.kind == LINE_CLEAR:
        found["markers"] = {"white": int(s.white_holder) + 1, "black": int(s.black_holder) + 1}
    found["result"] = _result(s)
    return found


def pile_open(s: State, owner: int, viewer: int) -> bool:
    """Hidden piles are open to their owner, and to all once the game is over (R44)."""
    return s.rules.known_points or viewer in (owner, EVERYTHING) or s.phase == OVER


def _turn(s: State) -> dict[str, object]:
    if s.phase in (TOUCHES, OVER):
        return {"actions_left": 0, "master_used": False}
    if s.rules.kind == LINE_CLEAR:
        holders = (int(s.white_holder), int(s.black_holder))
        return {
            "actions_left": {str(h + 1): int(s.players[h].actions) for h in holders},
            "master_used": {str(h + 1): s.players[h].master for h in holders},
        }
    player = s.players[s.seat]
    return {"actions_left": int(player.actions), "master_used": player.master}


def _card_id(s: State, card: i64) -> str | None:
    return None if card == EMPTY else s.cards.cards[card].id


def _rows(s: State) -> dict[str, list[str | None]]:
    names = ROWS[int(s.rules.kind)]
    size = len(s.row) // len(names)
    ids = [_card_id(s, card) for card in s.row]
    return {name: ids[n * size : (n + 1) * size] for n, name in enumerate(names)}


def _player(s: State, seat: int, pile_open: bool) -> dict[str, object]:
    player = s.players[seat]
    found: dict[str, object] = {
        "seat": seat + 1,
        "supply": {name: int(n) for shape, name in enumerate(NAMES) if (n := count(player.supply, shape)) > 0},
        "puzzles": [_puzzle(s, seat, place) for place in range(PLACES) if s.board[seat * PLACES + place] != EMPTY],
    }
    pile = completed(s, seat)
    if pile_open:
        found.update({"completed": pile, "points": int(player.points)})
    else:
        found.update({"completed": None, "points": None, "completed_count": len(pile)})
    found["touches"] = int(player.touches)
    if s.rules.finesse:
        found["credits"] = {"active": int(player.active), "inactive": int(player.inactive)}
    if s.rules.ambassador:
        found["ambassador"] = int(player.ambassadors) + int(player.new_ambassadors)
    return found


def completed(s: State, seat: int) -> list[str]:
    """The cards of a pile, in the order completed; in solo seat 1 is the mastermind."""
    return [s.cards.cards[int(entry) % 65536].id for entry in s.finished if int(entry) // 65536 == seat]


def _puzzle(s: State, seat: int, place: int) -> dict[str, object]:
    at = seat * PLACES + place
    card = s.board[at]
    laid = [int(entry) % PLACEMENTS for entry in s.laid if int(entry) // PLACEMENTS == at]
    empty = int(s.cards.recess[card]) & ~int(s.filled[at])
    return {
        "place": place + 1,
        "card": s.cards.cards[card].id,
        "pieces": [
            {"piece": NAMES[PLACEMENT_SHAPE[p]], "cells": [cell_name(cell) for cell in PLACEMENT_CELLS[p]]}
            for p in laid
        ],
        "empty": [cell_name(cell) for cell in range(CELLS) if empty & 2**cell],
    }


def _solo(s: State) -> dict[str, object]:
    return {
        "grid": [_card_id(s, card) for card in s.row],
        "deck": s.white_left(),
        "locks": [int(mastermind.locks(s, column)) for column in range(mastermind.COLUMNS)],
        "supply": int(mastermind.locks(s, mastermind.SUPPLY)),
        "completed": completed(s, len(s.players)),
        "points": mastermind_points(s),
    }


def tiles_gone(s: State) -> int:
    """How many Finesse tiles have left the row; in the touches the last round is over."""
    return int(s.round) if s.phase == TOUCHES else int(s.round) - 1


def _tiles(s: State) -> list[str | None]:
    """Face-down tiles are named once they are gone, and at the end."""
    gone = tiles_gone(s)
    ids: list[str | None] = [all_tiles()[tile].id for tile in s.tiles]
    return [name if n >= FACE_DOWN or n < gone or s.phase == OVER else None for n, name in enumerate(ids)]


def _result(s: State) -> dict[str, object] | None:
    found = result(s)
    if found is None:
        return None
    return {
        "scores": list(found.scores),
        "winners": [seat + 1 for seat in found.winners],
        "reason": found.reason,
    }
