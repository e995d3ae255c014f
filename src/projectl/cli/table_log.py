"""What happened at the table, in words: one entry of the log for every whole action."""

from collections.abc import Sequence
from typing import NamedTuple

from projectl.cli.table_words import card_words, credit_words, points_words, series, tile_of_round
from projectl.core import actions, mastermind
from projectl.core.lines import Decisions
from projectl.core.market import slot_of
from projectl.core.pieces import NAMES, SHAPES, names_in
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.state import EMPTY, LEVEL_UP, OVER, PLACES, REWARD, TOUCHES, State
from projectl.facts import (
    barrier,
    completed_places,
    mastermind_acted,
    mastermind_took,
    mastermind_unlocked,
    placed,
    received,
    taken_places,
)
from projectl.record import Game, Move


class Entry(NamedTuple):
    """One whole action in the log."""

    line: str  # as the record writes it
    text: str  # what happened, in sentences
    mastermind: str = ""  # what the mastermind did after it, in solo
    barrier: str = ""  # why this action cannot be taken back


# --- the action itself ------------------------------------------------------------------------


def _placed_words(decisions: Decisions) -> str:
    return "placed " + series([f"{piece} on place {place + 1}" for place, piece in placed(decisions)])


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
        also = f" and {_placed_words(decisions)}" if placed(decisions) else ""
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
        (place,) = taken_places(before, move, after)
        card = after.cards.cards[after.board[move.seat * PLACES + place]]
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


def _completions(before: State, move: Move, after: State) -> list[str]:
    found: list[str] = []
    for place in completed_places(before, move, after):
        card = before.cards.cards[before.board[move.seat * PLACES + place]]
        found.append(f"Place {place + 1} is complete ({card.id}): {points_words(card.points)}.")
    pieces = received(before, move, after)
    if pieces:
        found.append(f"The reward is {series(pieces)}.")
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


def _mastermind(before: State, move: Move, after: State) -> str:
    """The mastermind's turn, if this action ended the player's."""
    if not mastermind_acted(before, after):
        return ""
    new = mastermind_took(before, after)
    columns = [int(mastermind.locks(after, column)) for column in range(mastermind.COLUMNS)]
    locks = f"Locks now {' '.join(map(str, columns))}, its supply {int(mastermind.locks(after, 3))}."
    if not new:
        lifted = mastermind_unlocked(before, after)
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
