"""A position as JSON: the whole of it, or what one seat or a spectator may know.

The types are the contract's (docs/notation.md), with what a player has to know beside it: what the seats
that are to act may do, and what every score is made of.
"""

from collections.abc import Sequence
from typing import Final, NotRequired, TypedDict

from projectl.core import legal, mastermind
from projectl.core.cards import all_tiles
from projectl.core.finesse import FACE_DOWN
from projectl.core.native import i64
from projectl.core.pieces import (
    BASE_SHAPES,
    NAMES,
    PLACEMENT_MASK,
    PLACEMENT_SHAPE,
    PLACEMENTS,
    SHAPES,
    cell_names,
    counts,
    some_counts,
)
from projectl.core.rules import FINESSE_ROUNDS, LINE_CLEAR, SOLO
from projectl.core.score import breakdown, mastermind_points, result
from projectl.core.state import EMPTY, LEVEL_UP, ORDER, OVER, PHASES, PLACING, PLAY, REWARD, TOUCHES, State, spot

#: In place of a seat: what somebody sees who has none.
SPECTATOR: Final = -1
#: In place of a seat: the referee's view, every pile open.
EVERYTHING: Final = -2

ROWS: Final[dict[int, tuple[str, ...]]] = {0: ("W", "B"), 1: ("WL", "WR", "BL", "BR")}

Counts = dict[str, int]


class Piece(TypedDict):
    """A piece on a puzzle."""

    piece: str
    cells: list[str]


class PuzzleView(TypedDict):
    """A puzzle on a player's board."""

    place: int
    card: str
    pieces: list[Piece]
    empty: list[str]


class Credits(TypedDict):
    """A player's Finesse credits."""

    active: int
    inactive: int


class Unfinished(TypedDict):
    """What a puzzle that is not complete counts if it is left so, and if it is finished."""

    place: int
    card: str
    left: int
    finished: int


class Score(TypedDict):
    """A score as a sum, as it would be if the game ended now; None: hidden from this viewer."""

    pile: int | None
    noted: int | None  # cards that Endless White took back into the deck
    touches: int  # never above 0
    unfinished: list[Unfinished]
    credits: NotRequired[int]  # no points: they decide a tie
    total: int | None


class PlayerView(TypedDict):
    """One player, as somebody sees them."""

    seat: int
    supply: Counts
    puzzles: list[PuzzleView]
    completed: list[str] | None  # None: hidden from this viewer
    points: int | None
    completed_count: NotRequired[int]
    touches: int
    credits: NotRequired[Credits]
    ambassador: NotRequired[int]
    ambassador_cards: NotRequired[list[str]]  # unused and face up, oldest first (R45)
    score: NotRequired[Score]  # once it counts: in the touches and at the end; for the referee always


class Can(TypedDict):
    """What a seat that is to act may do now, in kinds; what it may not do is absent. The legal actions say it in
    full."""

    seat: int
    decision: str  # action, order, placing, reward, levelup or touch
    place: NotRequired[bool]
    master: NotRequired[bool]
    ambassador: NotRequired[bool]
    insert: NotRequired[bool]
    may_pass: NotRequired[bool]
    decks: NotRequired[list[str]]  # whose top card may be taken
    recycle: NotRequired[list[str]]  # the rows that may be recycled
    ends: str  # what ends the turn as it stands: the last `action`, or `pass`; in the touches `done`


class Solo(TypedDict):
    """The mastermind's side of the table."""

    grid: list[str | None]
    deck: int
    locks: list[int]
    supply: int
    completed: list[str]
    points: int


class Finesse(TypedDict):
    """The Finesse tiles: those that are face down are None."""

    tiles: list[str | None]
    bank: int


class Markers(TypedDict):
    """Line Clear: who holds the markers."""

    white: int
    black: int


class ResultView(TypedDict):
    """The end of a game."""

    scores: list[int]
    winners: list[int]
    reason: str  # points, credits, puzzles, pieces or shared; or resigned


class View(TypedDict):
    """A position, as one seat or a spectator sees it (docs/notation.md)."""

    edition: str
    phase: str
    round: int
    to_act: list[int]
    actions_left: int | Counts
    master_used: bool | dict[str, bool]
    end_triggered: bool
    last_round: NotRequired[int]  # the touches follow it: once the end is triggered, and unless markers decide
    can: list[Can]  # for each seat that is to act; a spectator is not told
    rows: NotRequired[dict[str, list[str | None]]]
    decks: NotRequired[Counts]
    reserve: Counts
    players: list[PlayerView]
    solo: NotRequired[Solo]
    finesse: NotRequired[Finesse]
    markers: NotRequired[Markers]
    result: ResultView | None


def view(s: State, seat: int = EVERYTHING, resigned_to: Sequence[int] | None = None) -> View:
    """The position as a seat (from 0) sees it; by default the referee's view.

    Decks are only counted and face-down tiles are not named, in any view. A game that was given up is
    over for everybody: `resigned_to` names the seats (from 0) that won it so.
    """
    if seat not in (SPECTATOR, EVERYTHING):
        legal.check_seat(s, seat)
    over = s.phase == OVER or resigned_to is not None
    viewer = EVERYTHING if over else seat
    actors = [] if over else legal.to_act(s)
    actions_left, master_used = (0, False) if over or s.phase == TOUCHES else _turn(s)
    return {
        "edition": s.rules.edition,
        "phase": PHASES[OVER if over else s.phase],
        "round": int(s.round),
        "to_act": [actor + 1 for actor in actors],
        "actions_left": actions_left,
        "master_used": master_used,
        "end_triggered": s.end_triggered,
        "can": [_can(s, actor) for actor in actors if seat != SPECTATOR],
        **_last_round(s),
        **_market(s),
        "reserve": counts(s.reserve, SHAPES if s.rules.ghost else BASE_SHAPES),
        "players": [_player(s, other, viewer) for other in range(len(s.players))],
        **_extras(s, over),
        "result": _result(s, resigned_to),
    }


def pile_open(s: State, owner: int, viewer: int) -> bool:
    """Hidden piles are open to their owner, and to all once the game is over (R44)."""
    return s.rules.known_points or viewer in (owner, EVERYTHING) or s.phase == OVER


def _turn(s: State) -> tuple[int | Counts, bool | dict[str, bool]]:
    """Actions left and whether Master was used; in Line Clear of both holders."""
    if s.rules.kind == LINE_CLEAR:
        holders = (int(s.white_holder), int(s.black_holder))
        left = {str(h + 1): int(s.players[h].actions) for h in holders}
        return left, {str(h + 1): s.players[h].master for h in holders}
    player = s.players[s.seat]
    return int(player.actions), player.master


class _LastRound(TypedDict, total=False):
    last_round: int


def _last_round(s: State) -> _LastRound:
    if not s.end_triggered or s.rules.kind == LINE_CLEAR:
        return {}
    limits = [s.rules.max_rounds] if s.rules.max_rounds > 0 else []  # R19
    return {"last_round": int(min(s.last_round, FINESSE_ROUNDS if s.rules.finesse else s.last_round, *limits))}


class _Market(TypedDict, total=False):
    rows: dict[str, list[str | None]]
    decks: Counts


def _market(s: State) -> _Market:
    if s.rules.kind == SOLO:
        return {}
    return {"rows": _rows(s), "decks": {"W": s.white_left(), "B": s.black_left()}}


class _Extras(TypedDict, total=False):
    solo: Solo
    finesse: Finesse
    markers: Markers


def _extras(s: State, over: bool) -> _Extras:
    """What solo and modules add to the table."""
    found: _Extras = {}
    if s.rules.kind == SOLO:
        found["solo"] = _solo(s)
    if s.rules.finesse:
        found["finesse"] = {"tiles": _tiles(s, over), "bank": int(s.bank)}
    if s.rules.kind == LINE_CLEAR:
        found["markers"] = {"white": int(s.white_holder) + 1, "black": int(s.black_holder) + 1}
    return found


_DECISIONS: Final[dict[int, str]] = {
    PLAY: "action",
    ORDER: "order",
    PLACING: "placing",
    REWARD: "reward",
    LEVEL_UP: "levelup",
    TOUCHES: "touch",
}


def _can(s: State, seat: int) -> Can:
    kinds = int(legal.open_kinds(s, seat))
    solo, side = s.rules.kind == SOLO, "L" if s.rules.kind == LINE_CLEAR else ""
    tops = ((legal.CAN_TAKE_WHITE, "G" if solo else "W"), (legal.CAN_TAKE_BLACK, "B"))
    rows = ((legal.CAN_RECYCLE_WHITE, f"W{side}"), (legal.CAN_RECYCLE_BLACK, f"B{side}"))
    waits = s.rules.finesse and s.players[seat].active >= 2  # R21
    found: Can = {
        "seat": seat + 1,
        "decision": _DECISIONS[int(s.phase)],
        "ends": "done" if s.phase == TOUCHES else "pass" if waits else "action",
    }
    if kinds & legal.CAN_PLACE:
        found["place"] = True
    if kinds & legal.CAN_MASTER:
        found["master"] = True
    if kinds & legal.CAN_AMBASSADOR:
        found["ambassador"] = True
    if kinds & legal.CAN_INSERT:
        found["insert"] = True
    if kinds & legal.CAN_PASS:
        found["may_pass"] = True
    if decks := [name for kind, name in tops if kinds & kind]:
        found["decks"] = decks
    if recycle := [name for kind, name in rows if kinds & kind]:
        found["recycle"] = recycle
    return found


def _card_id(s: State, card: i64) -> str | None:
    return None if card == EMPTY else s.cards.cards[card].id


def _rows(s: State) -> dict[str, list[str | None]]:
    names = ROWS[int(s.rules.kind)]
    size = len(s.row) // len(names)
    ids = [_card_id(s, card) for card in s.row]
    return {name: ids[n * size : (n + 1) * size] for n, name in enumerate(names)}


class _Pile(TypedDict):
    completed: list[str] | None
    points: int | None
    completed_count: NotRequired[int]


def _pile(s: State, seat: int, pile_open: bool) -> _Pile:
    pile = completed(s, seat)
    if pile_open:
        return {"completed": pile, "points": int(s.players[seat].points)}
    return {"completed": None, "points": None, "completed_count": len(pile)}


class _Holds(TypedDict, total=False):
    credits: Credits
    ambassador: int
    ambassador_cards: list[str]


def _holds(s: State, seat: int) -> _Holds:
    """What modules give a player to hold."""
    player = s.players[seat]
    found: _Holds = {}
    if s.rules.finesse:
        found["credits"] = {"active": int(player.active), "inactive": int(player.inactive)}
    if s.rules.ambassador:
        found["ambassador"] = int(player.ambassadors) + int(player.new_ambassadors)
        found["ambassador_cards"] = [s.cards.cards[card].id for card in s.unused_ambassadors(seat)]
    return found


def _player(s: State, seat: int, viewer: int) -> PlayerView:
    is_open = pile_open(s, seat, viewer)
    counts_now = viewer == EVERYTHING or s.phase in (TOUCHES, OVER)
    return {
        "seat": seat + 1,
        "supply": some_counts(s.players[seat].supply),
        "puzzles": [_puzzle(s, seat, place, card) for place, card in s.puzzles(seat)],
        **_pile(s, seat, is_open),
        "touches": int(s.players[seat].touches),
        **_holds(s, seat),
        **(_scored(s, seat, is_open) if counts_now else _Scored()),
    }


class _Scored(TypedDict, total=False):
    score: Score


def _scored(s: State, seat: int, is_open: bool) -> _Scored:
    return {"score": _score(s, seat, is_open)}


def _score(s: State, seat: int, pile_open: bool) -> Score:
    parts = breakdown(s, seat)
    found: Score = {
        "pile": parts.pile if pile_open else None,
        "noted": parts.noted if pile_open else None,
        "touches": parts.touches,
        "unfinished": [
            {"place": place + 1, "card": s.cards.cards[card].id, "left": left, "finished": finished}
            for place, card, left, finished in parts.unfinished
        ],
        "total": parts.total if pile_open else None,
    }
    if s.rules.finesse:
        found["credits"] = int(s.players[seat].active) + int(s.players[seat].inactive)
    return found


def completed(s: State, seat: int) -> list[str]:
    """The cards of a pile, in the order completed; in solo seat 1 is the mastermind."""
    return [s.cards.cards[card].id for card in s.pile(seat)]


_CELLS: Final[list[list[str]]] = [cell_names(int(PLACEMENT_MASK[p])) for p in range(PLACEMENTS)]
_PIECES: Final[list[str]] = [NAMES[PLACEMENT_SHAPE[p]] for p in range(PLACEMENTS)]


def _puzzle(s: State, seat: int, place: int, card: int) -> PuzzleView:
    at = int(spot(seat, place))
    return {
        "place": place + 1,
        "card": s.cards.cards[card].id,
        "pieces": [{"piece": _PIECES[p], "cells": _CELLS[p].copy()} for p in s.laid_on(at)],
        "empty": cell_names(int(s.cards.recess[card]) & ~int(s.filled[at])),
    }


def _solo(s: State) -> Solo:
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


def _tiles(s: State, over: bool) -> list[str | None]:
    """Face-down tiles are named once they are gone, and at the end."""
    gone = tiles_gone(s)
    ids: list[str | None] = [all_tiles()[tile].id for tile in s.tiles]
    return [name if n >= FACE_DOWN or n < gone or over else None for n, name in enumerate(ids)]


def _result(s: State, resigned_to: Sequence[int] | None) -> ResultView | None:
    found = result(s)
    if found is not None:
        winners = [seat + 1 for seat in found.winners]
        return {"scores": list(found.scores), "winners": winners, "reason": found.reason}
    if resigned_to is None:
        return None
    scores = [breakdown(s, seat).total for seat in range(len(s.players))]
    if s.rules.kind == SOLO:
        scores.append(mastermind_points(s))
    return {"scores": scores, "winners": [seat + 1 for seat in resigned_to], "reason": "resigned"}
