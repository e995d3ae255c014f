"""Carrying out a decision."""

from projectl.core import actions, finesse
from projectl.core.errors import Illegal
from projectl.core.legal import legal, may_act
from projectl.core.market import draw_black, draw_white, end_if_deck_empty, recycle, refill, renew_white
from projectl.core.mastermind import COLUMNS, SUPPLY, move_lock
from projectl.core.native import append, i64
from projectl.core.pieces import PLACEMENT_MASK, PLACEMENT_SHAPE, UNIT
from projectl.core.reasons import why_not
from projectl.core.rewards import choose_reward, return_piece, start_rewards, take_piece, use_arrow
from projectl.core.rules import SOLO
from projectl.core.state import EMPTY, LEVEL_UP, ORDER, PLACING, PLAY, TOUCHES, State, laid_entry, spot
from projectl.core.turn import end_turn, finish_touches, settle_turns


def play(s: State, decision: int, seat: int = -1) -> None:
    """Carry out a decision after checking it; `Illegal` leaves the state as it was."""
    actor = int(s.seat) if seat < 0 else seat
    if decision not in legal(s, actor):
        if may_act(s, actor) and not 0 <= decision < actions.COUNT:
            raise Illegal("decision", f"decisions are numbers from 0 to {actions.COUNT - 1}, found {decision}")
        raise Illegal(*why_not(s, actor, decision))
    apply(s, decision, actor)


def apply(s: State, decision: i64, seat: i64 = -1) -> None:
    """Carry out a decision without checking it: it must be in `legal(s, seat)`."""
    if seat >= 0:
        s.seat = seat
    else:
        seat = s.seat
    if s.phase == PLAY:
        _act(s, seat, decision)
    elif s.phase == PLACING:
        if decision == actions.STOP:
            _end_action(s, seat)
        else:
            _place_within(s, seat, decision)
    elif s.phase == TOUCHES:
        _touch(s, seat, decision)
    elif s.phase == ORDER:
        recycle(s, s.pending - actions.RECYCLE, actions.ORDERS[decision - actions.ORDER_OF_FOUR])
        finesse.pay_for(s, seat, finesse.RECYCLED)
        _end_action(s, seat)
    else:
        _settle(s, seat, decision)


def _act(s: State, seat: i64, decision: i64) -> None:
    """The first decision of an action."""
    if decision == actions.PASS:
        end_turn(s, seat)
        settle_turns(s)
        return
    player = s.players[seat]
    if decision == actions.INSERT:
        player.active -= 2
        s.bank += 2
        s.inserting = True
        return
    if not s.inserting:
        player.actions -= 1
    if decision >= actions.RECYCLE and decision < actions.ORDER_OF_FOUR:
        s.pending = decision
        s.phase = ORDER
        return
    player.quiet = False
    if decision < actions.TAKE:
        finesse.pay_for_placement(s, seat, _lay(s, seat, decision), False)
        _end_action(s, seat)
        return
    if decision < actions.RECYCLE:
        _take(s, seat, decision)
    elif decision < actions.UPGRADE:
        take_piece(s, seat, decision - actions.GAIN)
        finesse.pay_for(s, seat, finesse.UPGRADED)
    elif decision < actions.LEVELUP:
        _exchange(s, seat, decision)
        finesse.pay_for(s, seat, finesse.UPGRADED)
    else:
        _start_placing(s, seat, decision)
        return
    _after_rewards(s, seat)  # nothing was laid, so nothing is complete


def _end_action(s: State, seat: i64) -> None:
    s.pending = 0
    s.next_place = 0
    s.placed = 0
    s.hand = 0
    start_rewards(s, seat)
    _after_rewards(s, seat)


def _after_rewards(s: State, seat: i64) -> None:
    """Once nothing is left to choose, the action is over."""
    if s.phase != PLAY:
        return
    if s.inserting:
        s.inserting = False
        finesse.pay_for(s, seat, finesse.INSERTED)  # R35
    settle_turns(s)


def _settle(s: State, seat: i64, decision: i64) -> None:
    """A choice of reward, or a Level Up."""
    if s.phase == LEVEL_UP:
        if decision != actions.LEVELUP_NONE:
            _exchange(s, seat, decision)
        use_arrow(s, seat)
    else:
        choose_reward(s, seat, actions.reward_shape(decision))
    _after_rewards(s, seat)


# --- the actions ------------------------------------------------------------------------------


def _take(s: State, seat: i64, decision: i64) -> None:
    """Take a card into the lowest empty place; refill the gap."""
    was_triggered = s.end_triggered
    if decision >= actions.TAKE_TOP_WHITE:
        card = draw_black(s) if decision == actions.TAKE_TOP_BLACK else draw_white(s)
    else:
        slot = actions.slot_of(decision)
        card = s.row[slot]
        if s.rules.kind == SOLO:
            refill(s, slot, True)
            move_lock(s, slot % COLUMNS, SUPPLY)
        else:
            refill(s, slot, s.cards.white[card] != 0)
    place = spot(seat, 0)
    while s.board[place] != EMPTY:
        place += 1
    s.board[place] = card
    if s.rules.kind == SOLO:
        end_if_deck_empty(s, len(s.white) - s.white_top)
    elif s.cards.white[card] != 0:
        renew_white(s)
    else:
        if was_triggered:  # R39: the Take that triggers the end does not count
            s.players[seat].black += 1
        end_if_deck_empty(s, len(s.black) - s.black_top)
    finesse.pay_for(s, seat, finesse.TAKEN)


def _exchange(s: State, seat: i64, decision: i64) -> None:
    return_piece(s, seat, actions.returned_of(decision))
    take_piece(s, seat, actions.taken_of(decision))


def _lay(s: State, seat: i64, decision: i64) -> i64:
    """A piece of the supply onto a puzzle; its shape."""
    placement = actions.placement_of(decision)
    at = spot(seat, actions.place_of(decision))
    shape = PLACEMENT_SHAPE[placement]
    s.players[seat].supply -= UNIT[shape]
    s.filled[at] |= i64(PLACEMENT_MASK[placement])
    s.laid = append(s.laid, laid_entry(at, placement))
    return shape


def _start_placing(s: State, seat: i64, decision: i64) -> None:
    """Master, Ambassador or Ghost: placements follow."""
    player = s.players[seat]
    s.pending = decision
    s.phase = PLACING
    if decision == actions.MASTER:
        player.master = True
    elif decision == actions.AMBASSADOR:
        player.ambassadors -= 1
        s.turn_ambassador(seat)
    else:
        ghost, parts = actions.DECOMPOSED[decision - actions.GHOST], actions.PARTS[decision - actions.GHOST]
        return_piece(s, seat, ghost)
        s.reserve -= parts
        player.supply += parts
        s.hand = parts


def _place_within(s: State, seat: i64, decision: i64) -> None:
    """One placement of a Master, Ambassador or Ghost action."""
    shape = _lay(s, seat, decision)
    s.placed += 1
    s.next_place = actions.place_of(decision) + 1
    by_master = s.pending == actions.MASTER or s.pending == actions.AMBASSADOR
    if not by_master:
        s.hand -= UNIT[shape]
    finesse.pay_for_placement(s, seat, shape, by_master)


def _touch(s: State, seat: i64, decision: i64) -> None:
    player = s.players[seat]
    if decision == actions.DONE:
        finish_touches(s, seat)
    elif decision == actions.CREDIT:
        s.credit = True
    else:
        _lay(s, seat, decision)
        if s.credit:
            s.credit = False
            player.active -= 1
            s.bank += 1
        else:
            player.touches += 1
