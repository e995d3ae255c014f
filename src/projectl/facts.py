"""What an action did that its text does not say: the card that came, puzzles completed, what came to light."""

from collections import Counter
from typing import Final, TypedDict, cast

from projectl.core import actions, mastermind
from projectl.core.finesse import FACE_DOWN
from projectl.core.notation import Decisions
from projectl.core.pieces import NAMES, PLACEMENT_SHAPE, SHAPES, count, names_in
from projectl.core.rules import SOLO
from projectl.core.state import (
    EMPTY,
    OVER,
    PLACES,
    TOUCHES,
    State,
    pile_card,
    spot,
)
from projectl.core.view import tiles_gone


class Finished(TypedDict):
    """A puzzle that an action completed."""

    card: str
    place: int  # from 1
    points: int


class Facts(TypedDict, total=False):
    """What an action did that its text does not say; for logs in words and for animation. Sent as it is: what there is
    nothing to say of is not in it."""

    card: str  # the card that was taken
    completed: tuple[Finished, ...]
    rewards: tuple[str, ...]  # the pieces that came for them, where no choice was open
    turned: tuple[str, ...]  # cards that came face up
    mastermind: tuple[str, ...]  # cards that the mastermind took after it
    unlocked: bool  # the mastermind took its locks off instead
    round: int  # the round that began with it
    end_triggered: bool  # it triggered the end


NOTHING: Final[Facts] = {}


def facts_of(before: State, seat: int, decisions: Decisions, after: State) -> Facts:
    """What a whole action of a seat (from 0) did, from the positions around it."""
    cards = after.cards.cards
    at = int(spot(seat, 0))
    came = [int(after.board[at + place]) for place in taken_places(before, seat, after)]
    done = tuple(
        Finished(card=cards[card].id, place=place + 1, points=int(cards[card].points))
        for place in completed_places(before, seat, after)
        for card in (before.board[at + place],)
    )
    solo = mastermind_acted(before, after)
    found = {
        "card": cards[came[0]].id if came else "",
        "completed": done,
        "rewards": tuple(received(before, seat, decisions, after)),
        "turned": tuple(sorted(cards[card].id for card in turned_up(before, after) - set(came))),
        "mastermind": tuple(cards[card].id for card in mastermind_took(before, after)) if solo else (),
        "unlocked": mastermind_unlocked(before, after),
        "round": int(after.round) if after.round > before.round and after.phase not in (TOUCHES, OVER) else 0,
        "end_triggered": after.end_triggered and not before.end_triggered,
    }
    return cast(Facts, {name: value for name, value in found.items() if value})


def placed(decisions: Decisions) -> list[tuple[int, str]]:
    """(place from 0, piece) of every placement."""
    return [
        (int(actions.place_of(decision)), NAMES[actions.shape_placed(decision)])
        for decision in decisions
        if actions.is_placement(decision)
    ]


def taken_places(before: State, seat: int, after: State) -> list[int]:
    """The places (from 0) that a card came to."""
    at = int(spot(seat, 0))
    return [n for n in range(PLACES) if before.board[at + n] == EMPTY and after.board[at + n] != EMPTY]


def completed_places(before: State, seat: int, after: State) -> list[int]:
    """The places (from 0) whose puzzles were completed."""
    at = int(spot(seat, 0))
    return [n for n in range(PLACES) if before.board[at + n] != EMPTY and after.board[at + n] == EMPTY]


def received(before: State, seat: int, decisions: Decisions, after: State) -> list[str]:
    """The pieces that came as rewards, substitutes included: what the supply has beyond all that is accounted for."""
    extra: Counter[str] = Counter({NAMES[n]: int(count(after.players[seat].supply, n)) for n in range(SHAPES)})
    extra.subtract({NAMES[n]: int(count(before.players[seat].supply, n)) for n in range(SHAPES)})
    laid = placed(decisions)
    extra.update(piece for _, piece in laid)
    for place in completed_places(before, seat, after):
        extra.subtract(piece for on, piece in laid if on == place)
        extra.subtract(NAMES[PLACEMENT_SHAPE[placement]] for placement in before.laid_on(spot(seat, place)))
    returned, taken = _exchanged(decisions)
    extra.update(returned)
    extra.subtract(taken)
    return list(extra.elements())


def _exchanged(decisions: Decisions) -> tuple[list[str], list[str]]:
    """The pieces that the action itself gave back and took."""
    first = decisions[1] if decisions[0] == actions.INSERT else decisions[0]
    if actions.is_gain(first):
        return [], [NAMES[first - actions.GAIN]]
    if actions.is_upgrade(first) or actions.is_levelup(first):
        return [NAMES[actions.returned_of(first)]], [NAMES[actions.taken_of(first)]]
    if actions.is_reward(first):
        return [], [NAMES[actions.reward_shape(first)]]
    if actions.is_ghost(first):
        ghost, parts = actions.DECOMPOSITIONS[first - actions.GHOST]
        return [NAMES[ghost]], names_in(parts)
    return [], []


def turned_up(before: State, after: State) -> set[int]:
    """The cards that left a deck."""
    return _out_of_decks(after) - _out_of_decks(before)


def _out_of_decks(s: State) -> set[int]:
    lying = {int(card) for card in s.row} | {int(card) for card in s.board}
    return (lying | {int(pile_card(int(entry))) for entry in s.finished}) - {EMPTY}


def mastermind_acted(before: State, after: State) -> bool:
    """Whether the action ended the player's turn, in solo."""
    ended = before.phase not in (TOUCHES, OVER) and after.phase in (TOUCHES, OVER)
    return after.rules.kind == SOLO and (after.round > before.round or ended)


def mastermind_took(before: State, after: State) -> list[int]:
    """The cards that the mastermind took after the action."""
    return after.pile(1)[len(before.pile(1)) :]


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
