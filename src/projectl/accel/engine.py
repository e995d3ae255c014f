"""Carrying out a decision."""

import jax.numpy as jnp
import numpy as np

from projectl.accel import finesse
from projectl.accel.decisions import (
    is_gain,
    is_ghost,
    is_levelup,
    is_order,
    is_placement,
    is_recycle,
    is_reward,
    is_take,
    is_upgrade,
    opens_placements,
    place_of,
    placement_of,
    returned_of,
    reward_shape,
    taken_of,
    takes_face_up,
    takes_white,
)
from projectl.accel.market import draw_black, draw_white, end_if_deck_empty, put_in_grid, put_in_slot, recycle
from projectl.accel.mastermind import move_lock
from projectl.accel.pieces import Pieces, any_placement, from_table, piece, shapes_in
from projectl.accel.rewards import complete_puzzles, exchange, next_in_queue, settle_rewards, start_rewards, use_arrow
from projectl.accel.state import Player, Position, State, empty_cells, packed, seam_all, unpacked
from projectl.accel.tables import (
    AMBASSADOR,
    COLUMNS,
    CREDIT,
    DECISIONS,
    DECOMPOSED,
    DONE,
    GAIN,
    GHOST,
    GRID,
    INSERT,
    LEVEL_UP,
    MASTER,
    ORDER,
    OVER,
    PARTS_TAKEN,
    PASS,
    PLACEMENT_MASK,
    PLACEMENT_SHAPE,
    PLACES,
    PLACING,
    PLAY,
    RECESS,
    REWARD_PHASE,
    RIGHT_COLUMN,
    SIZE,
    STOP,
    TAKE,
    TAKE_GRID,
    TAKE_TOP_GRID,
    TOUCHES,
    Layout,
    Numbers,
)
from projectl.accel.turn import finish_touches, settle_turns
from projectl.accel.words import Flag, Word, as_word, byte, look, nth, only, seam, when, without_first, word


def apply(layout: Layout, rules: Numbers, state: State, decision: Word) -> State:
    """The position after a legal decision of the seat that acts; a game that is over stays as it is."""
    s = unpacked(layout, rules, state)
    decision = jnp.where(s.phase == OVER, word(DECISIONS), decision.astype(jnp.uint32))
    me = s.mover()
    decision, me.__dict__ = seam((decision, vars(me)))
    play, touches = s.phase == PLAY, s.phase == TOUCHES
    settles = (s.phase == REWARD_PHASE) | (s.phase == LEVEL_UP)
    ends_action = (s.phase == ORDER) | (decision == STOP)
    ends_action = ends_action | _act(s, me, play & (decision != PASS), decision)
    _place_within(s, me, (s.phase == PLACING) & is_placement(decision), decision)
    _touch(s, me, touches, decision)
    _carry_out(s, me, decision)
    seam_all(s, me)
    done = decision == DONE
    _end_action(s, me, ends_action, done)
    _settle(s, settles)
    settles = settles | ends_action
    settle_rewards(s, me, settles)
    me.can_place = seam(_can_place(s, me))
    s.put_back(me, s.seat)
    finish_touches(s, done)
    settled = settles & (s.phase == PLAY)
    finesse.earn(s, settled & s.inserting, "insert")  # R35
    s.inserting = s.inserting & ~settled
    finesse.pay_due(s)
    return packed(settle_turns(s, settled, decision == PASS))


def _can_place(s: Position, me: Player) -> Flag:
    return any_placement([empty_cells(puzzle) for puzzle in me.board], shapes_in(me.supply), s.layout.shapes)


# --- the course of an action ------------------------------------------------------------------


def _act(s: Position, me: Player, now: Flag, decision: Word) -> Flag:
    """The first decision of an action; whether it is also the last."""
    if s.layout.finesse:
        inserts = now & (decision == INSERT)
        me.active = me.active - only(inserts, word(2))
        s.bank = s.bank + only(inserts, word(2))
        now = now & ~inserts
        me.actions = me.actions - as_word(now & ~s.inserting)
        s.inserting = s.inserting | inserts
    else:
        me.actions = me.actions - as_word(now)
    recycles = now & is_recycle(decision)
    me.quiet = me.quiet & ~(now & ~recycles)
    places = now & opens_placements(decision)
    s.pending = jnp.where(recycles | places, decision, s.pending)
    s.phase = jnp.where(recycles, word(ORDER), jnp.where(places, word(PLACING), s.phase))
    me.master = me.master | (decision == MASTER)
    if s.layout.ambassador:
        used = decision == AMBASSADOR
        me.ambassadors = me.ambassadors - as_word(used)
        me.unused = when(used, without_first(me.unused), me.unused)
    lays = now & is_placement(decision)
    finesse.earn_for_placement(s, lays, _shape(decision), np.bool_(False))
    return now & ~recycles & ~places


def _end_action(s: Position, me: Player, now: Flag, done: Flag) -> None:
    """What was full is complete. At the end of the touches it is too, without rewards (R40)."""
    s.pending = only(~now, s.pending)
    s.next_place = only(~now, s.next_place)
    s.placed = only(~now, s.placed)
    s.hand = s.hand.where(~now)
    found = complete_puzzles(s, me, now | done)
    start_rewards(s, now, found)


def _settle(s: Position, now: Flag) -> None:
    """A choice of reward, or a Level Up."""
    next_in_queue(s, now & (s.phase == REWARD_PHASE))
    if s.layout.ghost:
        use_arrow(s, now & (s.phase == LEVEL_UP))


# --- the actions ------------------------------------------------------------------------------


def _carry_out(s: Position, me: Player, decision: Word) -> None:
    """What a decision does by itself, whatever it is part of."""
    _lay(me, is_placement(decision), decision)
    _take(s, me, is_take(decision), decision)
    if not s.layout.solo:
        orders = is_order(decision)
        recycle(s, orders, decision)
        finesse.earn(s, orders, "recycle")
    _exchange(s, me, decision)
    finesse.earn(s, is_gain(decision) | is_upgrade(decision), "upgrade")
    if s.layout.ghost:
        _break_up(s, me, is_ghost(decision), decision)


def _shape(decision: Word) -> Word:
    return look(PLACEMENT_SHAPE, placement_of(decision))


def _lay(me: Player, now: Flag, decision: Word) -> None:
    """A piece of the supply onto a puzzle."""
    placement, place = placement_of(decision), place_of(decision)
    one = piece(look(PLACEMENT_SHAPE, placement)).where(now)
    cells = only(now, look(PLACEMENT_MASK, placement))
    me.supply = me.supply.minus(one)
    for n in range(PLACES):
        here = place == n
        me.board[n] = me.board[n] & ~only(here, cells)
        me.laid[n] = me.laid[n].plus(one.where(here))
        if me.joins:
            me.joins[n] = me.joins[n] | only(here, cells & (cells >> 1) & np.uint32(~RIGHT_COLUMN & RECESS))
            me.joins[PLACES + n] = me.joins[PLACES + n] | only(here, cells & (cells >> SIZE))


def _take(s: Position, me: Player, now: Flag, decision: Word) -> None:
    """Take a card into the lowest empty place; refill the gap."""
    card = _take_from_grid(s, now, decision) if s.layout.solo else _take_from_rows(s, me, now, decision)
    puzzle = look(s.layout.cards.puzzle, only(now, card))
    for place in range(PLACES):
        here = now & (me.board[place] == 0)
        me.board[place] = jnp.where(here, puzzle, me.board[place])
        now = now & ~here
    finesse.earn(s, is_take(decision), "take")


def _take_from_grid(s: Position, now: Flag, decision: Word) -> Word:
    slot = decision - TAKE_GRID
    face_up = now & (decision != TAKE_TOP_GRID)
    drawn = draw_white(s, now)
    lines = GRID // COLUMNS
    card = byte(nth(s.row[:lines], only(face_up, slot // COLUMNS)), slot % COLUMNS)
    put_in_grid(s, face_up, slot, drawn)
    move_lock(s, face_up, slot % COLUMNS)
    end_if_deck_empty(s, now, s.white_left)
    return jnp.where(face_up, card, drawn)


def _take_from_rows(s: Position, me: Player, now: Flag, decision: Word) -> Word:
    white = now & takes_white(decision)
    black = now & ~white
    face_up = now & takes_face_up(decision)
    slot = (decision - TAKE) & 3
    drawn = jnp.where(white, draw_white(s, white), draw_black(s, black))
    card = byte(jnp.where(white, s.row[0], s.row[1]), slot)
    s.row[0] = jnp.where(face_up & white, put_in_slot(s.row[0], slot, drawn), s.row[0])
    s.row[1] = jnp.where(face_up & black, put_in_slot(s.row[1], slot, drawn), s.row[1])
    me.black = me.black + as_word(black & s.end_triggered)  # R39: the Take that triggers the end does not count
    end_if_deck_empty(s, black, s.black_left)
    return jnp.where(face_up, card, drawn)


def _exchange(s: Position, me: Player, decision: Word) -> None:
    """Gain, Upgrade, Level Up and a chosen reward."""
    gains, rewards = is_gain(decision), is_reward(decision)
    swaps = is_upgrade(decision) | is_levelup(decision)
    taken = jnp.where(gains, decision - GAIN, jnp.where(rewards, reward_shape(decision), taken_of(decision)))
    returned = piece(returned_of(decision)).where(swaps)
    exchange(s, me, swaps | gains | rewards, piece(taken), returned)


def _break_up(s: Position, me: Player, now: Flag, decision: Word) -> None:
    """A ghost for its parts, which are at hand to be placed."""
    number = only(now, decision - GHOST)
    parts = from_table(PARTS_TAKEN, number)
    exchange(s, me, now, parts, piece(look(DECOMPOSED, number)))
    s.hand = Pieces(jnp.where(now, parts.low, s.hand.low), jnp.where(now, parts.high, s.hand.high))


def _place_within(s: Position, me: Player, now: Flag, decision: Word) -> None:
    """One placement of a Master, Ambassador or Ghost action."""
    shape = _shape(decision)
    s.placed = s.placed + as_word(now)
    s.next_place = jnp.where(now, place_of(decision) + 1, s.next_place)
    by_ghost = is_ghost(s.pending)
    if s.layout.ghost:
        s.hand = s.hand.minus(piece(shape).where(now & by_ghost))
    finesse.earn_for_placement(s, now, shape, ~by_ghost)


def _touch(s: Position, me: Player, now: Flag, decision: Word) -> None:
    """A touch costs a point, or a credit."""
    lays = now & is_placement(decision)
    if s.layout.finesse:
        by_credit = lays & s.credit
        me.active = me.active - as_word(by_credit)
        s.bank = s.bank + as_word(by_credit)
        s.credit = (s.credit & ~by_credit) | (now & (decision == CREDIT))
        lays = lays & ~by_credit
    me.touches = me.touches + as_word(lays)
