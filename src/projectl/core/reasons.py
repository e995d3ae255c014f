"""Why a decision is not legal: a code for programs and a sentence for the person who tried it."""

from projectl.core import actions
from projectl.core.legal import any_action, black_allowed, legal, reserve_has, substitutes
from projectl.core.pieces import (
    BASE_SHAPES,
    FIELD,
    LEVEL,
    NAMES,
    PLACEMENT_MASK,
    PLACEMENT_SHAPE,
    PLACEMENT_TEXT,
    PLACEMENTS,
    SHAPES,
)
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.state import EMPTY, LEVEL_UP, ORDER, PLACES, PLACING, PLAY, REWARD, TOUCHES, State

Reason = tuple[str, str]


def why_not(s: State, seat: int, decision: int) -> Reason:
    """The reason why a decision that is not in `legal(s, seat)` is not there."""
    if s.phase == TOUCHES and actions.TAKE <= decision < actions.CREDIT:
        return "phase", "in the finishing touches only touch and done are possible"
    if s.phase != TOUCHES and decision in (actions.CREDIT, actions.DONE):
        return "phase", "touch and done are for the finishing touches"
    if s.phase == REWARD:
        return "reward-open", f"a reward is to be chosen first: {_options(s, seat)}"
    if s.phase == LEVEL_UP:
        return (
            "levelup-open",
            "a Level Up is to be settled first: `levelup` with one of its exchanges, or `levelup none`",
        )
    if decision < actions.TAKE:
        return _placement(s, seat, decision)
    if s.phase == ORDER:
        return "order", f"the row that is recycled has {3 if s.rules.kind == LINE_CLEAR else 4} cards, name each once"
    if s.phase == PLAY and not s.inserting and s.players[seat].actions == 0 and decision < actions.INSERT:
        return "no-actions", "no action is left in this turn: `insert` one for two credits, or `pass`"
    if decision < actions.RECYCLE:
        return _take(s, seat, decision)
    if decision < actions.ORDER_OF_FOUR:
        return _recycle(s, seat, decision)
    if decision < actions.GAIN:
        return "nothing-open", "no row is being recycled"
    if decision < actions.UPGRADE:
        return _gain(s, decision - actions.GAIN)
    if decision < actions.LEVELUP:
        returned, taken = divmod(decision - actions.UPGRADE, SHAPES)
        return _exchange(s, seat, returned, taken)
    if decision < actions.GHOST:
        return "nothing-open", "no reward or Level Up is open"
    if decision < actions.MASTER:
        return _ghost(s, seat, decision - actions.GHOST)
    return _word(s, seat, decision)


def _options(s: State, seat: int) -> str:
    return ", ".join(actions.decision_text(int(option)) for option in legal(s, seat))


def _placement(s: State, seat: int, decision: int) -> Reason:
    place, placement = divmod(decision, PLACEMENTS)
    shape = int(PLACEMENT_SHAPE[placement])
    name, cells = NAMES[shape], PLACEMENT_TEXT[placement]
    card = s.board[seat * PLACES + place]
    if s.phase == PLAY and not s.inserting and s.players[seat].actions == 0:
        return "no-actions", "no action is left in this turn: `insert` one for two credits, or `pass`"
    if card == EMPTY:
        return "no-puzzle", f"there is no puzzle on place {place + 1}"
    if shape >= BASE_SHAPES and not s.rules.ghost:
        return "ghost-module", f"{name} needs the module ghost"
    if s.phase == PLACING and actions.GHOST <= s.pending < actions.MASTER and s.hand & FIELD[shape] == 0:
        return "not-taken", f"{name} is not among the pieces that this Ghost action took and may still place"
    if s.players[seat].supply & FIELD[shape] == 0:
        return "not-owned", f"{name} is not in the supply"
    if int(PLACEMENT_MASK[placement]) & ~int(s.cards.recess[card]):
        return "outside", f"{cells} does not lie in the recess of {s.cards.cards[card].id}"
    return "overlap", f"{cells} overlaps what lies on place {place + 1}"


def _take(s: State, seat: int, decision: int) -> Reason:
    name = actions.TAKE_NAMES[decision - actions.TAKE]
    if all(s.board[seat * PLACES + place] != EMPTY for place in range(PLACES)):
        return "four-puzzles", "four unfinished puzzles are the most a player may have"
    if not _slot_exists(s, decision):
        return "other-table", f"this kind of game has no {name}"
    if decision >= actions.TAKE_TOP_WHITE and not s.rules.takes_from_deck:
        return "no-deck-take", f"edition {s.rules.edition} does not take from a deck"
    if s.rules.kind == LINE_CLEAR and not _own_side(s, seat, decision):
        return "other-side", f"{name} belongs to the other marker"
    black = name.startswith("B")
    if black and not black_allowed(s, s.players[seat]):
        return "black-limit", "once the end is triggered a player takes at most one black card a turn"
    return "no-card", f"there is no card at {name}"


def _slot_exists(s: State, decision: int) -> bool:
    if s.rules.kind == SOLO:
        return actions.TAKE_GRID <= decision < actions.TAKE_TOP_WHITE or decision == actions.TAKE_TOP_GRID
    if decision in (actions.TAKE_TOP_WHITE, actions.TAKE_TOP_BLACK):
        return True
    if s.rules.kind == LINE_CLEAR:
        return actions.TAKE_LINE_CLEAR <= decision < actions.TAKE_GRID
    return decision < actions.TAKE_LINE_CLEAR


def _own_side(s: State, seat: int, decision: int) -> bool:
    if decision >= actions.TAKE_TOP_WHITE:
        return seat == s.white_holder
    left = (decision - actions.TAKE_LINE_CLEAR) % 6 < 3
    return left == (seat == s.white_holder)


def _recycle(s: State, seat: int, decision: int) -> Reason:
    name = actions.RECYCLE_NAMES[decision - actions.RECYCLE]
    if s.rules.kind == SOLO:
        return "no-recycle", "there is no Recycle in solo"
    if not s.rules.recycles:
        return "no-recycle", f"edition {s.rules.edition} has no Recycle"
    if (len(name) == 2) != (s.rules.kind == LINE_CLEAR):
        return "other-table", f"this kind of game has no row {name}"
    if s.rules.kind == LINE_CLEAR and seat != s.white_holder:
        return "other-side", "in Line Clear only the white holder may Recycle"
    return "deck-empty", f"row {name} cannot be recycled while its deck is empty (R2)"


def _gain(s: State, shape: int) -> Reason:
    choices = [NAMES[choice] for choice in substitutes(s, 0)] if s.rules.gain_substitutes else []
    if choices:
        return "gain", f"Gain takes {' or '.join(choices)} now, not {NAMES[shape]}"
    if shape:
        return "gain", "Gain takes an O1"
    return "reserve", "there is no O1 in the reserve"


def _exchange(s: State, seat: int, returned: int, taken: int) -> Reason:
    if s.players[seat].supply & FIELD[returned] == 0:
        return "not-owned", f"{NAMES[returned]} is not in the supply"
    if returned == taken:
        return "same-shape", "an Upgrade never takes the shape just returned (R3)"
    if taken >= BASE_SHAPES:
        return "ghost", "the Upgrade action never takes a ghost"
    if s.reserve & FIELD[taken] == 0:
        return "reserve", f"there is no {NAMES[taken]} in the reserve"
    if LEVEL[taken] > LEVEL[returned]:
        return "level", f"{NAMES[taken]} is more than one level above {NAMES[returned]}, and the next level is there"
    return "level", f"{NAMES[taken]} is more than one level below {NAMES[returned]} (exchange_down=one)"


def _ghost(s: State, seat: int, index: int) -> Reason:
    ghost, parts = actions.DECOMPOSITIONS[index]
    if not s.rules.ghost:
        return "ghost-module", "the Ghost action needs the module ghost"
    if s.players[seat].supply & FIELD[ghost] == 0:
        return "not-owned", f"{NAMES[ghost]} is not in the supply"
    if not reserve_has(s, parts):
        return "reserve", "the reserve does not have all these pieces (R12: no substitution)"
    return "not-now", "a Ghost action is not possible now"


def _word(s: State, seat: int, decision: int) -> Reason:
    player = s.players[seat]
    if decision == actions.MASTER and player.master:
        return "master-used", "Master is possible only once a turn"
    if decision == actions.AMBASSADOR and not s.rules.ambassador:
        return "ambassador-module", "the Ambassador action needs the module ambassador"
    if decision == actions.AMBASSADOR and player.ambassadors == 0:
        later = ", from the next turn on" if player.new_ambassadors > 0 else ""
        return "no-ambassador", f"no Ambassador action can be used now{later}"
    if decision in (actions.MASTER, actions.AMBASSADOR):
        return "no-placement", "no piece of the supply fits on a puzzle"
    if decision == actions.INSERT and not s.rules.finesse:
        return "finesse-module", "Insert needs the module finesse"
    if decision == actions.INSERT:
        return "credits", "Insert costs two active credits" if player.active < 2 else "there is nothing to insert"
    if decision == actions.CREDIT:
        return "credits", "there is no credit to pay the touch with" if s.rules.finesse else "credits need finesse"
    if decision == actions.PASS:
        return "must-act", "in this edition a turn is exactly three actions" if any_action(s, seat) else "not now"
    return "not-now", f"{actions.decision_text(decision)} is not possible now"
