"""Why a decision is not legal: a code for programs and a sentence for the person who tried it.

What is open now is asked first, so that nothing is said about an action that is not on the table.
"""

from projectl.core import actions
from projectl.core.legal import any_action, black_allowed, legal, may_act, reserve_has, substitutes, to_act
from projectl.core.pieces import (
    BASE_SHAPES,
    FIELD,
    FIRST,
    LEVEL,
    NAMES,
    O1,
    PLACEMENT_MASK,
    PLACEMENT_TEXT,
    TOP_LEVEL,
)
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.state import EMPTY, LEVEL_UP, ORDER, OVER, PLACES, PLACING, REWARD, TOUCHES, State, spot

Reason = tuple[str, str]


def why_not(s: State, seat: int, decision: int) -> Reason:
    """The reason why a decision that is not in `legal(s, seat)` is not there."""
    if not may_act(s, seat):
        return "seat", whose_turn(s, seat)
    if s.phase == TOUCHES:
        return _in_touches(s, seat, decision)
    if decision in (actions.CREDIT, actions.DONE):
        return "phase", "touch and done are for the finishing touches"
    if s.phase == REWARD:
        return _in_reward(s, seat, decision)
    if s.phase == LEVEL_UP:
        return _in_level_up(s, seat, decision)
    if s.phase == ORDER:
        return _in_order(s, decision)
    if s.phase == PLACING:
        return _in_placing(s, seat, decision)
    return _in_turn(s, seat, decision)


def whose_turn(s: State, seat: int) -> str:
    """Why a seat has nothing to decide."""
    if s.phase == OVER:
        return "the game is over"
    if not 0 <= seat < len(s.players):
        return f"there is no seat {seat + 1}, the game has {len(s.players)}"
    seats = " or ".join(str(actor + 1) for actor in to_act(s))
    return f"seat {seat + 1} is not to act now, seat {seats} is"


# --- by what is open --------------------------------------------------------------------------


def _in_touches(s: State, seat: int, decision: int) -> Reason:
    if actions.is_placement(decision):
        return _placement(s, seat, decision)
    if decision not in (actions.CREDIT, actions.DONE):
        return "phase", "in the finishing touches only touch and done are possible"
    if s.credit:
        return "credit-open", "a credit was put down: the touch that it pays for comes first"
    if not s.rules.finesse:
        return "finesse-module", "credits need the module finesse"
    if s.players[seat].active == 0:
        return "credits", "there is no credit to pay the touch with"
    return "no-placement", "no piece of the supply fits on a puzzle"


def _in_reward(s: State, seat: int, decision: int) -> Reason:
    options = ", ".join(actions.decision_text(int(option)) for option in legal(s, seat))
    if actions.is_reward(decision):
        return "reward", f"the reward that is due is one of: {options}"
    return "reward-open", f"a reward is to be chosen first: {options}"


def _in_level_up(s: State, seat: int, decision: int) -> Reason:
    if not actions.is_levelup(decision):
        sentence = "a Level Up is to be settled first: `levelup` with one of its exchanges, or `levelup none`"
        return "levelup-open", sentence
    returned, taken = int(actions.returned_of(decision)), int(actions.taken_of(decision))
    if s.players[seat].supply & FIELD[returned] == 0:
        return "not-owned", f"{NAMES[returned]} is not in the supply"
    if s.rules.level_up_is_upgrade:
        return _exchange(s, returned, taken, True)
    if LEVEL[taken] != LEVEL[returned] + s.arrows:
        levels = "one level" if s.arrows == 1 else "two levels"
        return "level", f"this Level Up goes exactly {levels} up (R27), not from {NAMES[returned]} to {NAMES[taken]}"
    return "reserve", f"there is no {NAMES[taken]} in the reserve"


def _in_order(s: State, decision: int) -> Reason:
    size = 3 if s.rules.kind == LINE_CLEAR else 4
    if actions.is_order(decision):
        return "order", f"the row that is recycled has {size} cards, name each once"
    return "order-open", f"a row is being recycled: the order of its {size} cards comes first"


def _in_placing(s: State, seat: int, decision: int) -> Reason:
    """Inside a Master, Ambassador or Ghost action."""
    if actions.is_placement(decision):
        if actions.place_of(decision) < s.next_place:
            return "place-passed", f"placements of one action go up from place to place, from {int(s.next_place) + 1}"
        return _placement(s, seat, decision)
    action = "Ghost" if actions.is_ghost(s.pending) else "Master" if s.pending == actions.MASTER else "Ambassador"
    if decision == actions.STOP:
        return "no-placement", f"a {action} action places at least one piece (R4)"
    return "placing-open", f"a {action} action is under way: only its placements are possible, and to stop"


def _in_turn(s: State, seat: int, decision: int) -> Reason:
    if actions.is_order(decision):
        return "nothing-open", "no row is being recycled"
    if actions.is_levelup(decision) or decision == actions.LEVELUP_NONE or actions.is_reward(decision):
        return "nothing-open", "no reward or Level Up is open"
    if decision == actions.STOP:
        return "nothing-open", "no Master, Ambassador or Ghost action is under way"
    if decision == actions.INSERT:
        return _insert(s, seat)
    if decision == actions.PASS:
        if s.inserting:
            return "insert-open", "credits were paid: the inserted action comes first"
        return "must-act", "in this edition a turn is exactly three actions"
    if s.players[seat].actions == 0 and not s.inserting:
        return "no-actions", "no action is left in this turn: `insert` one for two credits, or `pass`"
    return _action(s, seat, decision)


def _action(s: State, seat: int, decision: int) -> Reason:
    """An ordinary action, where one may be begun."""
    if actions.is_placement(decision):
        return _placement(s, seat, decision)
    if actions.is_take(decision):
        return _take(s, seat, decision)
    if actions.is_recycle(decision):
        return _recycle(s, seat, decision)
    if actions.is_gain(decision):
        return _gain(s, decision - actions.GAIN)
    if actions.is_upgrade(decision):
        return _upgrade(s, seat, decision)
    if actions.is_ghost(decision):
        return _ghost(s, seat, decision)
    return _many(s, seat, decision)


# --- by action --------------------------------------------------------------------------------


def _placement(s: State, seat: int, decision: int) -> Reason:
    place, placement = int(actions.place_of(decision)), int(actions.placement_of(decision))
    shape = int(actions.shape_placed(decision))
    name, cells = NAMES[shape], PLACEMENT_TEXT[placement]
    card = s.board[spot(seat, place)]
    if card == EMPTY:
        return "no-puzzle", f"there is no puzzle on place {place + 1}"
    if shape >= BASE_SHAPES and not s.rules.ghost:
        return "ghost-module", f"{name} needs the module ghost"
    if s.phase == PLACING and actions.is_ghost(s.pending) and s.hand & FIELD[shape] == 0:
        return "not-taken", f"{name} is not among the pieces that this Ghost action took and may still place"
    if s.players[seat].supply & FIELD[shape] == 0:
        more = " any more" if s.phase == PLACING and s.placed > 0 else ""
        return "not-owned", f"{name} is not in the supply{more}"
    if int(PLACEMENT_MASK[placement]) & ~int(s.cards.recess[card]):
        return "outside", f"{cells} does not lie in the recess of {s.cards.cards[card].id}"
    return "overlap", f"{cells} overlaps what lies on place {place + 1}"


def _take(s: State, seat: int, decision: int) -> Reason:
    name = actions.TAKE_NAMES[decision - actions.TAKE]
    if not _slot_exists(s, decision):
        return "other-table", f"this kind of game has no {name}"
    if len(s.puzzles(seat)) == PLACES:
        return "four-puzzles", "four unfinished puzzles are the most a player may have"
    if actions.takes_from_deck(decision) and not s.rules.takes_from_deck:
        return "no-deck-take", f"edition {s.rules.edition} does not take from a deck"
    if s.rules.kind == LINE_CLEAR and not _own_side(s, seat, decision):
        if actions.takes_from_deck(decision):
            return "other-side", "in Line Clear only the white holder takes from a deck"
        return "other-side", f"{name} belongs to the other marker"
    if name.startswith("B") and not black_allowed(s, s.players[seat]):
        return "black-limit", "once the end is triggered a player takes at most one black card a turn"
    return "no-card", f"there is no card at {name}"


def _slot_exists(s: State, decision: int) -> bool:
    if s.rules.kind == SOLO:
        return actions.takes_in_solo(decision)
    if decision in (actions.TAKE_TOP_WHITE, actions.TAKE_TOP_BLACK):
        return True
    if s.rules.kind == LINE_CLEAR:
        return actions.takes_in_line_clear(decision)
    return not actions.takes_in_line_clear(decision) and not actions.takes_in_solo(decision)


def _own_side(s: State, seat: int, decision: int) -> bool:
    if actions.takes_from_deck(decision):
        return seat == s.white_holder
    left = actions.TAKE_NAMES[decision - actions.TAKE][1] == "L"
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
    there = s.reserve & FIELD[O1] != 0 or s.rules.gain_substitutes
    choices = [NAMES[choice] for choice in substitutes(s, O1)] if there else []
    if choices:
        return "gain", f"Gain takes {' or '.join(choices)} now, not {NAMES[shape]}"
    if s.rules.gain_substitutes:
        return "reserve", "there is nothing in the reserve that Gain could take"
    if shape != O1:
        return "gain", "Gain takes an O1"
    return "reserve", "there is no O1 in the reserve"


def _upgrade(s: State, seat: int, decision: int) -> Reason:
    returned, taken = int(actions.returned_of(decision)), int(actions.taken_of(decision))
    if s.players[seat].supply & FIELD[returned] == 0:
        return "not-owned", f"{NAMES[returned]} is not in the supply"
    return _exchange(s, returned, taken, False)


def _exchange(s: State, returned: int, taken: int, to_ghosts: bool) -> Reason:
    """Why a piece that is there cannot become another, by Upgrade's table (R3, R25)."""
    before, after = NAMES[returned], NAMES[taken]
    up = int(LEVEL[taken]) - int(LEVEL[returned])
    if returned == taken:
        return "same-shape", "an Upgrade never takes the shape just returned (R3)"
    if taken >= BASE_SHAPES and not to_ghosts:
        return "ghost", "the Upgrade action never takes a ghost"
    if s.reserve & FIELD[taken] == 0:
        return "reserve", f"there is no {after} in the reserve"
    if taken >= BASE_SHAPES and up > 1:
        return "ghost", f"{before} is more than one level below a ghost, and none is skipped to (R5)"
    if up < 0:
        return "level", f"{after} is more than one level below {before} (exchange_down=one)"
    if _level_there(s, int(LEVEL[returned]) + 1):
        return "level", f"{after} is more than one level above {before}, and the next level is there"
    if s.rules.skips_two_only:
        return "level", f"{after} is more than two levels above {before} (upgrade_skip=two)"
    return "level", f"{after} is not of the nearest level above {before} that is there"


def _level_there(s: State, level: int) -> bool:
    if level > TOP_LEVEL + 1:
        return False
    return any(s.reserve & FIELD[shape] for shape in range(int(FIRST[level]), int(FIRST[level + 1])))


def _ghost(s: State, seat: int, decision: int) -> Reason:
    ghost, parts = actions.DECOMPOSITIONS[decision - actions.GHOST]
    if not s.rules.ghost:
        return "ghost-module", "the Ghost action needs the module ghost"
    if s.players[seat].supply & FIELD[ghost] == 0:
        return "not-owned", f"{NAMES[ghost]} is not in the supply"
    assert not reserve_has(s, parts)
    return "reserve", "the reserve does not have all these pieces (R12: no substitution)"


def _many(s: State, seat: int, decision: int) -> Reason:
    """Master or Ambassador."""
    player = s.players[seat]
    if decision == actions.MASTER and player.master:
        return "master-used", "Master is possible only once a turn"
    if decision == actions.AMBASSADOR and not s.rules.ambassador:
        return "ambassador-module", "the Ambassador action needs the module ambassador"
    if decision == actions.AMBASSADOR and player.ambassadors == 0:
        later = ", from the next turn on" if player.new_ambassadors > 0 else ""
        return "no-ambassador", f"no Ambassador action can be used now{later}"
    return "no-placement", "no piece of the supply fits on a puzzle"


def _insert(s: State, seat: int) -> Reason:
    if not s.rules.finesse:
        return "finesse-module", "Insert needs the module finesse"
    if s.inserting:
        return "insert-open", "credits were paid: the inserted action comes first"
    if s.players[seat].active < 2:
        return "credits", "Insert costs two active credits"
    assert not any_action(s, seat)
    return "nothing-to-insert", "there is no action that could be inserted"
