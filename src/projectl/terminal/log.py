"""What happened at the table, in words: one entry of the log for every whole action."""

from collections.abc import Sequence
from typing import NamedTuple

from projectl.core import actions, mastermind
from projectl.core.cards import Card
from projectl.core.engine import apply
from projectl.core.notation import Decisions
from projectl.core.pieces import NAMES, names_in
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.state import EMPTY, LEVEL_UP, OVER, REWARD, TOUCHES, State, spot
from projectl.facts import mastermind_acted, placed, taken_places
from projectl.game import Game, Move
from projectl.terminal.words import card_words, credit_words, points_words, series, tile_of_round


class Entry(NamedTuple):
    """One whole action in the log."""

    line: str  # as the record writes it
    text: str  # what happened, in sentences
    mastermind: str = ""  # what the mastermind did after it, in solo


# --- the action itself ------------------------------------------------------------------------


def _placed_words(decisions: Decisions) -> str:
    return "placed " + series([f"{piece} on place {place + 1}" for place, piece in placed(decisions)])


def _did(s: State, decisions: Decisions) -> str:
    """What somebody did, in the past tense."""
    first = decisions[0]
    if first == actions.INSERT:
        return f"paid 2 credits and {_did(s, decisions[1:])}"
    if first == actions.CREDIT or (actions.is_placement(first) and s.phase == TOUCHES):
        return f"{_placed_words(decisions)} for one {'credit' if first == actions.CREDIT else 'point'}"
    if actions.is_placement(first):
        return _placed_words(decisions)
    if actions.is_take(first):
        return _took(s, first)
    if actions.is_recycle(first):
        return f"recycled the row {actions.RECYCLE_NAMES[first - actions.RECYCLE]}"
    if actions.is_ghost(first):
        ghost, parts = actions.DECOMPOSITIONS[first - actions.GHOST]
        also = f" and {_placed_words(decisions)}" if placed(decisions) else ""
        return f"broke {NAMES[ghost]} up into {series(names_in(parts))}{also}"
    if first in (actions.MASTER, actions.AMBASSADOR):
        return f"{_placed_words(decisions)} ({'Master' if first == actions.MASTER else 'Ambassador'})"
    return _did_with_pieces(first)


def _took(s: State, decision: int) -> str:
    if actions.takes_from_deck(decision):
        colour = {actions.TAKE_TOP_WHITE: "white ", actions.TAKE_TOP_BLACK: "black "}.get(decision, "")
        return f"took the top card of the {colour}deck"
    card = s.cards.cards[s.row[actions.slot_of(decision)]]
    return f"took the card at {actions.TAKE_NAMES[decision - actions.TAKE]} ({card_words(card)})"


def _did_with_pieces(decision: int) -> str:
    if actions.is_gain(decision):
        return f"gained {NAMES[decision - actions.GAIN]}"
    if actions.is_upgrade(decision) or actions.is_levelup(decision):
        how = " (Level Up)" if actions.is_levelup(decision) else ""
        return f"exchanged {NAMES[actions.returned_of(decision)]} for {NAMES[actions.taken_of(decision)]}{how}"
    if actions.is_reward(decision):
        return f"chose {NAMES[actions.reward_shape(decision)]} as the reward"
    others = {actions.LEVELUP_NONE: "declined the Level Up", actions.PASS: "ended the turn"}
    return others.get(decision, "finished the touches")


# --- what came of it --------------------------------------------------------------------------


def _new_cards(before: State, move: Move, after: State) -> list[str]:
    """Where the card went, and what came up in its place."""
    first = move.decisions[1] if move.decisions[0] == actions.INSERT else move.decisions[0]
    if "card" in move.did:
        (place,) = taken_places(before, move.seat, after)
        if actions.takes_face_up(first):
            return [f"It lies on place {place + 1}.", _refilled(after, first)]
        return [f"It lies on place {place + 1} ({card_words(after.cards.cards[after.board[spot(move.seat, place)]])})."]
    if actions.is_recycle(first):
        fresh = [card for n, card in enumerate(after.row) if card != before.row[n]]
        return [f"Now there are {series([after.cards.cards[card].id for card in fresh]) or 'the same cards'}."]
    return []


def _refilled(after: State, decision: int) -> str:
    """The gap that a Take left. In solo the mastermind may have emptied it again, which is told elsewhere."""
    card = after.row[actions.slot_of(decision)]
    name = actions.TAKE_NAMES[decision - actions.TAKE]
    return f"{name} stays empty." if card == EMPTY else f"Now at {name}: {card_words(after.cards.cards[card])}."


def _completions(move: Move, after: State) -> list[str]:
    found = [
        f"Place {one['place']} is complete ({one['card']}): {points_words(one['points'])}."
        for one in move.did.get("completed", ())
    ]
    if "rewards" in move.did:
        found.append(f"The reward is {series(move.did['rewards'])}.")
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


def _times(before: State, move: Move, after: State) -> list[str]:
    """Rounds, decks that ran out, the end."""
    found: list[str] = []
    if after.reshuffles > before.reshuffles:
        found.append("The finished white cards make a new white deck.")
    if "end_triggered" in move.did:
        found.append(f"The {'deck' if after.rules.kind == SOLO else 'black deck'} is empty: {_until(after)}.")
    if after.phase == OVER and before.phase != OVER:
        found.append("The game is over.")
    elif after.phase == TOUCHES and before.phase != TOUCHES:
        found.append("The last round is over. Now come the finishing touches.")
    elif "round" in move.did:
        number = move.did["round"]
        pays = f" Its tile pays {tile_of_round(after, number)}." if after.rules.finesse else ""
        found.append(f"Round {number} begins.{pays}")
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
    cards = [after.cards.cards[after.cards.number[card]] for card in move.did.get("mastermind", ())]
    columns = [int(mastermind.locks(after, column)) for column in range(mastermind.COLUMNS)]
    locks = f"Locks now {' '.join(map(str, columns))}, its supply {int(mastermind.locks(after, 3))}."
    if not cards:
        locked = "every column was locked, so one lock of each is gone"
        why = locked if "unlocked" in move.did else "no open column has a card"
        return f"The mastermind took nothing: {why}. {locks}"
    taken = series([f"{card.id} ({_from(before, move, card)})" for card in cards])
    points = sum(card.points for card in cards)
    return f"The mastermind took {taken} for {points_words(points)}. {locks}"


def _from(before: State, move: Move, card: Card) -> str:
    """The grid number of a card that the mastermind took: where it lay, or where it had just come up."""
    slots = [n for n, lay in enumerate(before.row) if lay == before.cards.number[card.id]]
    return f"G{slots[0] + 1}" if slots else actions.TAKE_NAMES[move.decisions[-1] - actions.TAKE]


def _lock_moved(before: State, move: Move) -> list[str]:
    if before.rules.kind != SOLO or not actions.takes_face_up(move.decisions[-1]):
        return []
    column = actions.slot_of(move.decisions[-1]) % mastermind.COLUMNS
    moved = mastermind.locks(before, column) > 0
    return [f"A lock of column {int(column) + 1} went to the mastermind."] if moved else []


# --- entries ----------------------------------------------------------------------------------


def entry(before: State, move: Move, after: State, names: Sequence[str]) -> Entry:
    """The entry of a move that was played: what it did, and the positions around it for the rest."""
    sentences = [
        f"{names[move.seat]} {_did(before, move.decisions)}.",
        *_new_cards(before, move, after),
        *_lock_moved(before, move),
        *_completions(move, after),
        *_credits_moved(before, move, after, names),
    ]
    opponent = _mastermind(before, move, after)
    sentences += [opponent] * bool(opponent) + _times(before, move, after)
    return Entry(move.line(), " ".join(sentences), opponent)


def history(game: Game, names: Sequence[str]) -> list[Entry]:
    """The entries of a whole game so far. What its moves did is known; only the positions are dealt again."""
    found: list[Entry] = []
    after = game.header.deal()
    for move in game.moves:
        before = after.clone()
        for decision in move.decisions:
            apply(after, decision, move.seat)
        found.append(entry(before, move, after, names))
    return found
