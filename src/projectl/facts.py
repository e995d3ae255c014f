"""What an action did that its text does not say: the card that came, puzzles completed, what came to light."""

from collections import Counter

from projectl.core import actions, mastermind
from projectl.core.finesse import FACE_DOWN
from projectl.core.lines import Decisions
from projectl.core.pieces import NAMES, PLACEMENT_SHAPE, PLACEMENTS, SHAPES, count, names_in
from projectl.core.rules import SOLO
from projectl.core.state import EMPTY, OVER, PLACES, TOUCHES, State
from projectl.core.view import tiles_gone
from projectl.record import Move


def placed(decisions: Decisions) -> list[tuple[int, str]]:
    """(place from 0, piece) of every placement."""
    return [
        (decision // PLACEMENTS, NAMES[PLACEMENT_SHAPE[decision % PLACEMENTS]])
        for decision in decisions
        if decision < actions.TAKE
    ]


def taken_places(before: State, move: Move, after: State) -> list[int]:
    """The places (from 0) that a card came to."""
    at = move.seat * PLACES
    return [n for n in range(PLACES) if before.board[at + n] == EMPTY and after.board[at + n] != EMPTY]


def completed_places(before: State, move: Move, after: State) -> list[int]:
    """The places (from 0) whose puzzles were completed."""
    at = move.seat * PLACES
    return [n for n in range(PLACES) if before.board[at + n] != EMPTY and after.board[at + n] == EMPTY]


def received(before: State, move: Move, after: State) -> list[str]:
    """The pieces that came as rewards, substitutes included: what the supply has beyond all that is accounted for."""
    seat = move.seat
    extra: Counter[str] = Counter({NAMES[n]: int(count(after.players[seat].supply, n)) for n in range(SHAPES)})
    extra.subtract({NAMES[n]: int(count(before.players[seat].supply, n)) for n in range(SHAPES)})
    laid = placed(move.decisions)
    extra.update(piece for _, piece in laid)
    for place in completed_places(before, move, after):
        extra.subtract(piece for on, piece in laid if on == place)
        extra.subtract(
            NAMES[PLACEMENT_SHAPE[int(entry) % PLACEMENTS]]
            for entry in before.laid
            if int(entry) // PLACEMENTS == seat * PLACES + place
        )
    returned, taken = _exchanged(move.decisions)
    extra.update(returned)
    extra.subtract(taken)
    return list(extra.elements())


def _exchanged(decisions: Decisions) -> tuple[list[str], list[str]]:
    """The pieces that the action itself gave back and took."""
    first = decisions[1] if decisions[0] == actions.INSERT else decisions[0]
    if actions.GAIN <= first < actions.UPGRADE:
        return [], [NAMES[first - actions.GAIN]]
    if actions.UPGRADE <= first < actions.LEVELUP_NONE:
        pair = first - (actions.UPGRADE if first < actions.LEVELUP else actions.LEVELUP)
        return [NAMES[pair // SHAPES]], [NAMES[pair % SHAPES]]
    if actions.REWARD <= first < actions.GHOST:
        return [], [NAMES[(first - actions.REWARD) % SHAPES]]
    if actions.GHOST <= first < actions.MASTER:
        ghost, parts = actions.DECOMPOSITIONS[first - actions.GHOST]
        return [NAMES[ghost]], names_in(parts)
    return [], []


def turned_up(before: State, after: State) -> set[int]:
    """The cards that left a deck."""
    return _out_of_decks(after) - _out_of_decks(before)


def _out_of_decks(s: State) -> set[int]:
    lying = {int(card) for card in s.row} | {int(card) for card in s.board}
    return (lying | {int(entry) % 65536 for entry in s.finished}) - {EMPTY}


def mastermind_acted(before: State, after: State) -> bool:
    """Whether the action ended the player's turn, in solo."""
    ended = before.phase not in (TOUCHES, OVER) and after.phase in (TOUCHES, OVER)
    return after.rules.kind == SOLO and (after.round > before.round or ended)


def mastermind_took(before: State, after: State) -> list[int]:
    """The cards that the mastermind took after the action."""
    pile = [int(entry) % 65536 for entry in after.finished if int(entry) // 65536 == 1]
    return pile[sum(1 for entry in before.finished if int(entry) // 65536 == 1) :]


def mastermind_unlocked(before: State, after: State) -> bool:
    """Whether the mastermind took a lock off every column instead of a card."""
    if not mastermind_acted(before, after) or mastermind_took(before, after):
        return False
    columns = range(mastermind.COLUMNS)
    return sum(mastermind.locks(after, c) for c in columns) < sum(mastermind.locks(before, c) for c in columns)


def barrier(before: State, after: State) -> str:
    """Why an action cannot be taken back: what it revealed, or who acted after it; else nothing."""
    if mastermind_acted(before, after):
        return "the mastermind has acted since"
    if turned_up(before, after):
        return "it turned a card up"
    if after.rules.finesse and tiles_gone(before) < min(tiles_gone(after), FACE_DOWN):
        return "it turned a Finesse tile up"
    if after.phase == OVER and after.rules.kind != SOLO and not after.rules.known_points:
        return "it opened the hidden piles"
    return ""
