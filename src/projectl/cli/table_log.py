"""What happened at the table, in words: one entry of the log for every whole action."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from projectl.cli.table_words import card_words, credit_words, points_words, series, tile_of_round
from projectl.core import actions, mastermind
from projectl.core.finesse import FACE_DOWN
from projectl.core.lines import Decisions
from projectl.core.market import slot_of
from projectl.core.pieces import NAMES, PLACEMENT_SHAPE, PLACEMENTS, SHAPES, count, names_in
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.state import EMPTY, LEVEL_UP, OVER, PLACES, REWARD, TOUCHES, State
from projectl.core.view import tiles_gone
from projectl.record import Game, Move


class Entry(NamedTuple):
    """One whole action in the log."""

    line: str  # as the record writes it
    text: str  # what happened, in sentences
    mastermind: str = ""  # what the mastermind did after it, in solo
    barrier: str = ""  # why this action cannot be taken back


# --- the action itself ------------------------------------------------------------------------


def _placed(decisions: Decisions) -> list[tuple[int, str]]:
    """(place from 0, piece) of every placement."""
    return [
        (decision // PLACEMENTS, NAMES[PLACEMENT_SHAPE[decision % PLACEMENTS]])
        for decision in decisions
        if decision < actions.TAKE
    ]


def _placed_words(decisions: Decisions) -> str:
    return "placed " + series([f"{piece} on place {place + 1}" for place, piece in _placed(decisions)])


def _did(s: State, decisions: Decisions) -> str:
    """What somebody did, in the past tense."""
    first = decisions[0]
    if first == actions.INSERT:
        return f"paid 2 credits and {_did(s, decisions[1:])}"
    if first == actions.CREDIT or (first < actions.TAKE and s.phase == TOUCHES):
        return f"{_placed_words(decisions)} for one {'credit' if first == actions.CREDIT else 'point'}"
    if first < actions.TAKE:
        return _placed_words(decisions)
    if first < actions.RECYCLE:
        return _took(s, first)
    if first < actions.ORDER_OF_FOUR:
        return f"recycled the row {actions.RECYCLE_NAMES[first - actions.RECYCLE]}"
    if actions.GHOST <= first < actions.MASTER:
        ghost, parts = actions.DECOMPOSITIONS[first - actions.GHOST]
        also = f" and {_placed_words(decisions)}" if _placed(decisions) else ""
        return f"broke {NAMES[ghost]} up into {series(names_in(parts))}{also}"
    if first in (actions.MASTER, actions.AMBASSADOR):
        return f"{_placed_words(decisions)} ({'Master' if first == actions.MASTER else 'Ambassador'})"
    return _did_with_pieces(first)


def _took(s: State, decision: int) -> str:
    if decision >= actions.TAKE_TOP_WHITE:
        colour = {actions.TAKE_TOP_WHITE: "white ", actions.TAKE_TOP_BLACK: "black "}.get(decision, "")
        return f"took the top card of the {colour}deck"
    card = s.cards.cards[s.row[slot_of(decision)]]
    return f"took the card at {actions.TAKE_NAMES[decision - actions.TAKE]} ({card_words(card)})"


def _did_with_pieces(decision: int) -> str:
    if decision < actions.UPGRADE:
        return f"gained {NAMES[decision - actions.GAIN]}"
    if decision < actions.LEVELUP_NONE:
        kind = actions.UPGRADE if decision < actions.LEVELUP else actions.LEVELUP
        returned, taken = divmod(decision - kind, SHAPES)
        how = " (Level Up)" if kind == actions.LEVELUP else ""
        return f"exchanged {NAMES[returned]} for {NAMES[taken]}{how}"
    if decision < actions.GHOST and decision != actions.LEVELUP_NONE:
        return f"chose {NAMES[(decision - actions.REWARD) % SHAPES]} as the reward"
    others = {actions.LEVELUP_NONE: "declined the Level Up", actions.PASS: "ended the turn"}
    return others.get(decision, "finished the touches")


# --- what came of it --------------------------------------------------------------------------


def _new_cards(before: State, move: Move, after: State) -> list[str]:
    """Where the card went, and what came up in its place."""
    found: list[str] = []
    decisions = move.decisions[1:] if move.decisions[0] == actions.INSERT else move.decisions
    if actions.TAKE <= decisions[0] < actions.RECYCLE:
        at = move.seat * PLACES
        place = next(n for n in range(PLACES) if before.board[at + n] == EMPTY)
        card = after.cards.cards[after.board[at + place]]
        from_deck = decisions[0] >= actions.TAKE_TOP_WHITE
        found.append(f"It lies on place {place + 1}" + (f" ({card_words(card)})." if from_deck else "."))
        if not from_deck:
            found.append(_refilled(after, decisions[0]))
    elif actions.RECYCLE <= decisions[0] < actions.ORDER_OF_FOUR:
        fresh = [card for n, card in enumerate(after.row) if card != before.row[n]]
        found.append(f"Now there are {series([after.cards.cards[card].id for card in fresh]) or 'the same cards'}.")
    return found


def _refilled(after: State, decision: int) -> str:
    """The gap that a Take left. In solo the mastermind may have emptied it again, which is told elsewhere."""
    card = after.row[slot_of(decision)]
    name = actions.TAKE_NAMES[decision - actions.TAKE]
    return f"{name} stays empty." if card == EMPTY else f"Now at {name}: {card_words(after.cards.cards[card])}."


def _completed_places(before: State, move: Move, after: State) -> list[int]:
    at = move.seat * PLACES
    return [n for n in range(PLACES) if before.board[at + n] != EMPTY and after.board[at + n] == EMPTY]


def _received(before: State, move: Move, after: State) -> list[str]:
    """The pieces that came as rewards, substitutes included: what the supply has beyond all that is accounted for."""
    seat = move.seat
    extra: Counter[str] = Counter({NAMES[n]: int(count(after.players[seat].supply, n)) for n in range(SHAPES)})
    extra.subtract({NAMES[n]: int(count(before.players[seat].supply, n)) for n in range(SHAPES)})
    placed = _placed(move.decisions)
    extra.update(piece for _, piece in placed)
    for place in _completed_places(before, move, after):
        extra.subtract(piece for on, piece in placed if on == place)
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


def _completions(before: State, move: Move, after: State) -> list[str]:
    found: list[str] = []
    for place in _completed_places(before, move, after):
        card = before.cards.cards[before.board[move.seat * PLACES + place]]
        found.append(f"Place {place + 1} is complete ({card.id}): {points_words(card.points)}.")
    received = _received(before, move, after)
    if received:
        found.append(f"The reward is {series(received)}.")
    if after.phase == REWARD and after.seat == move.seat:
        found.append("A reward is to be chosen.")
    if after.phase == LEVEL_UP and after.seat == move.seat:
        found.append("A Level Up is open.")
    return found


def _credits_moved(before: State, move: Move, after: State, names: Sequence[str]) -> list[str]:
    if not after.rules.finesse:
        return []
    paid = {actions.INSERT: 2, actions.CREDIT: 1}.get(move.decisions[0], 0)
    found: list[str] = []
    for seat, name in enumerate(names):
        old, new = before.players[seat], after.players[seat]
        more = int(new.active + new.inactive) - int(old.active + old.inactive) + (paid if seat == move.seat else 0)
        if more:
            found.append(f"{name} {'got' if more > 0 else 'returned'} {credit_words(abs(more))}.")
    return found


def _times(before: State, after: State) -> list[str]:
    """Rounds, decks that ran out, the end."""
    found: list[str] = []
    if after.reshuffles > before.reshuffles:
        found.append("The finished white cards make a new white deck.")
    if after.end_triggered and not before.end_triggered:
        found.append(f"The {'deck' if after.rules.kind == SOLO else 'black deck'} is empty: {_until(after)}.")
    if after.phase == OVER and before.phase != OVER:
        found.append("The game is over.")
    elif after.phase == TOUCHES and before.phase != TOUCHES:
        found.append("The last round is over. Now come the finishing touches.")
    elif after.round > before.round:
        pays = f" Its tile pays {tile_of_round(after, int(after.round))}." if after.rules.finesse else ""
        found.append(f"Round {int(after.round)} begins.{pays}")
    return found


def _until(s: State) -> str:
    if s.rules.kind == LINE_CLEAR:
        return "the game ends when the first player has been passed both markers again"
    return f"round {int(s.last_round)} is the last"


# --- the mastermind ---------------------------------------------------------------------------


def _mastermind_acted(before: State, after: State) -> bool:
    ended = before.phase not in (TOUCHES, OVER) and after.phase in (TOUCHES, OVER)
    return after.rules.kind == SOLO and (after.round > before.round or ended)


def _mastermind(before: State, move: Move, after: State) -> str:
    """The mastermind's turn, if this action ended the player's."""
    if not _mastermind_acted(before, after):
        return ""
    pile = [int(entry) % 65536 for entry in after.finished if int(entry) // 65536 == 1]
    new = pile[sum(1 for entry in before.finished if int(entry) // 65536 == 1) :]
    columns = [int(mastermind.locks(after, column)) for column in range(mastermind.COLUMNS)]
    locks = f"Locks now {' '.join(map(str, columns))}, its supply {int(mastermind.locks(after, 3))}."
    if not new:
        lifted = sum(columns) < sum(int(mastermind.locks(before, column)) for column in range(mastermind.COLUMNS))
        why = "every column was locked, so one lock of each is gone" if lifted else "no open column has a card"
        return f"The mastermind took nothing: {why}. {locks}"
    taken = series([f"{after.cards.cards[card].id} ({_from(before, move, card)})" for card in new])
    points = sum(after.cards.cards[card].points for card in new)
    return f"The mastermind took {taken} for {points_words(points)}. {locks}"


def _from(before: State, move: Move, card: int) -> str:
    """The grid number of a card that the mastermind took: where it lay, or where it had just come up."""
    slots = [n for n, lay in enumerate(before.row) if lay == card]
    return f"G{slots[0] + 1}" if slots else actions.TAKE_NAMES[move.decisions[-1] - actions.TAKE]


def _lock_moved(before: State, move: Move) -> list[str]:
    if before.rules.kind != SOLO or not actions.TAKE_GRID <= move.decisions[-1] < actions.TAKE_TOP_WHITE:
        return []
    column = slot_of(move.decisions[-1]) % mastermind.COLUMNS
    moved = mastermind.locks(before, column) > 0
    return [f"A lock of column {int(column) + 1} went to the mastermind."] if moved else []


# --- taking back ------------------------------------------------------------------------------


def _seen(s: State) -> set[int]:
    """Every card that has left the decks."""
    lying = {int(card) for card in s.row} | {int(card) for card in s.board}
    return lying | {int(entry) % 65536 for entry in s.finished}


def barrier(before: State, after: State) -> str:
    """What an action revealed, or who acted after it; nothing where it can be taken back."""
    if _mastermind_acted(before, after):
        return "the mastermind has acted since"
    if _seen(after) - _seen(before) - {EMPTY}:
        return "it turned a card up"
    if after.rules.finesse and tiles_gone(before) < min(tiles_gone(after), FACE_DOWN):
        return "it turned a Finesse tile up"
    if after.phase == OVER and after.rules.kind != SOLO and not after.rules.known_points:
        return "it opened the hidden piles"
    return ""


# --- entries ----------------------------------------------------------------------------------


def entry(before: State, move: Move, after: State, names: Sequence[str]) -> Entry:
    """The entry of an action, from the positions around it."""
    sentences = [
        f"{names[move.seat]} {_did(before, move.decisions)}.",
        *_new_cards(before, move, after),
        *_lock_moved(before, move),
        *_completions(before, move, after),
        *_credits_moved(before, move, after, names),
    ]
    opponent = _mastermind(before, move, after)
    sentences += [opponent] * bool(opponent) + _times(before, after)
    return Entry(move.line(), " ".join(sentences), opponent, barrier(before, after))


def history(game: Game, names: Sequence[str]) -> list[Entry]:
    """The entries of a whole game so far."""
    replayed = Game(game.header)
    found: list[Entry] = []
    for move in game.moves:
        before = replayed.state.clone()
        replayed.play_action(move.seat, move.text)
        found.append(entry(before, move, replayed.state, names))
    return found
