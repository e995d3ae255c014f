"""Which decisions a seat may make now."""

from typing import Final

from projectl.core import actions
from projectl.core.errors import Unreadable
from projectl.core.native import append, i64, vec
from projectl.core.pieces import BASE_FIELDS, BASE_SHAPES, FIELD, FIRST, LEVEL, O1, SHAPES, TOP_LEVEL, cells_in
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.state import (
    EMPTY,
    LEVEL_UP,
    ORDER,
    OVER,
    PLACES,
    PLACING,
    PLAY,
    REWARD,
    TOUCHES,
    Player,
    State,
    reward_card,
    reward_place,
    spot,
)


def legal(s: State, seat: i64 = -1) -> vec[i64]:
    """The legal decisions of a seat (without one, of the seat that acts next)."""
    if seat < 0:
        seat = s.seat
    out = vec[i64](capacity=48)  # seldom more; with its head it is less than the 512 bytes that Python has at hand
    if not may_act(s, seat):
        return out
    if s.phase == PLAY:
        return _play(s, seat, out)
    if s.phase == PLACING:
        return _placing(s, seat, out)
    if s.phase == TOUCHES:
        return _touches(s, seat, out)
    if s.phase == ORDER:
        return _orders(s)
    if s.phase == REWARD:
        return _rewards(s, out)
    return _level_ups(s, seat, out)


def may_act(s: State, seat: i64) -> bool:
    """Whether a seat has a decision to make."""
    if s.phase == OVER or seat < 0 or seat >= len(s.players):
        return False
    if in_action(s):
        return seat == s.seat
    if s.phase == TOUCHES:
        return not s.players[seat].done
    if s.rules.kind == LINE_CLEAR:
        return (seat == s.white_holder or seat == s.black_holder) and not s.players[seat].done
    return seat == s.seat


def check_seat(s: State, seat: int) -> None:
    """Refuse a seat that is not at the table: a person's number, or the mastermind's."""
    if not 0 <= seat < len(s.players):
        raise Unreadable("seat", f"the last seat is {len(s.players) - 1}, counted from 0, found {seat}")


def to_act(s: State) -> list[int]:
    """The seats that have a decision to make; in Line Clear the white holder first."""
    n = len(s.players)
    first = int(s.white_holder) if s.rules.kind == LINE_CLEAR and s.phase != TOUCHES else 0
    return [seat % n for seat in range(first, first + n) if may_act(s, seat % n)]


def in_action(s: State) -> bool:
    """Whether one seat is in the middle of an action: nobody else acts meanwhile (R31)."""
    return s.phase == REWARD or s.phase == LEVEL_UP or s.action_open()


# Kinds of actions, as `open_kinds` adds them up.
CAN_PLACE: Final = 1
CAN_MASTER: Final = 2
CAN_AMBASSADOR: Final = 4
CAN_INSERT: Final = 8
CAN_PASS: Final = 16
CAN_TAKE_WHITE: Final = 32  # the top of the white deck, in solo of the only one
CAN_TAKE_BLACK: Final = 64
CAN_RECYCLE_WHITE: Final = 128
CAN_RECYCLE_BLACK: Final = 256


def open_kinds(s: State, seat: i64) -> i64:
    """What a seat that begins a decision of its turn may do with it, in kinds, without listing it all."""
    if s.phase != PLAY or not may_act(s, seat):
        return 0
    player = s.players[seat]
    found: i64 = 0
    if player.actions > 0 or s.inserting:
        found = _kinds_of_actions(s, seat, player)
    if not s.inserting:
        found += CAN_INSERT if can_insert(s, seat) else 0
        found += CAN_PASS if may_pass(s, seat) else 0
    return found


def _kinds_of_actions(s: State, seat: i64, player: Player) -> i64:
    found: i64 = 0
    if fits_somewhere(s, seat, player.supply):
        found += CAN_PLACE
        found += 0 if player.master else CAN_MASTER
        found += CAN_AMBASSADOR if player.ambassadors > 0 else 0
    white, black = s.white_top < len(s.white), s.black_top < len(s.black)
    on_left = s.rules.kind != LINE_CLEAR or seat == s.white_holder
    if s.rules.takes_from_deck and on_left and _has_room(s, seat):
        found += CAN_TAKE_WHITE if white else 0
        found += CAN_TAKE_BLACK if black and black_allowed(s, player) else 0
    if s.rules.recycles and on_left:
        found += CAN_RECYCLE_WHITE if white else 0
        found += CAN_RECYCLE_BLACK if black else 0
    return found


def fits_somewhere(s: State, seat: i64, pieces: i64) -> bool:
    """Whether any of the pieces fits on any puzzle of a seat."""
    cards = s.cards
    for at in range(spot(seat, 0), spot(seat, PLACES)):
        card, filled = s.board[at], s.filled[at]
        if card == EMPTY:
            continue
        for shape in range(i64(SHAPES)):
            if pieces & FIELD[shape] == 0:
                continue
            of_shape = card * SHAPES + shape
            for i in range(cards.fit_start[of_shape], cards.fit_start[of_shape + 1]):
                if cards.fit_mask[i] & filled == 0:
                    return True
    return False


# --- a turn -----------------------------------------------------------------------------------


def _play(s: State, seat: i64, out: vec[i64]) -> vec[i64]:
    player = s.players[seat]
    if player.actions > 0 or s.inserting:
        out = _ordinary(s, seat, player, out)
    if s.inserting:
        return out
    if can_insert(s, seat):
        out = append(out, actions.INSERT)
    if may_pass(s, seat):
        out = append(out, actions.PASS)
    return out


def may_pass(s: State, seat: i64) -> bool:
    """R21: early where the edition allows it, else only where the turn waits for an Insert."""
    return not s.rules.must_use_all_actions or s.players[seat].actions == 0


def can_insert(s: State, seat: i64) -> bool:
    """Two active credits and something to do with them (R21, R34)."""
    return s.rules.finesse and s.players[seat].active >= 2 and any_action(s, seat)


def _ordinary(s: State, seat: i64, player: Player, out: vec[i64]) -> vec[i64]:
    shapes = _shapes_in(player.supply)
    out = _placements(s, seat, shapes, 0, out)
    places = len(out) > 0
    if places and not player.master:
        out = append(out, actions.MASTER)
    if places and player.ambassadors > 0:
        out = append(out, actions.AMBASSADOR)
    out = _takes(s, seat, player, out)
    out = _recycles(s, seat, out)
    out = _gains(s, out)
    out = _upgrades(s, shapes, out)
    if s.rules.ghost:
        out = _ghosts(s, player, out)
    return out


def any_action(s: State, seat: i64) -> bool:
    """Whether any action at all is possible, the credits aside (R1)."""
    if s.reserve & FIELD[O1] != 0 or (s.rules.gain_substitutes and s.reserve & BASE_FIELDS != 0):
        return True  # Gain
    player = s.players[seat]
    out = vec[i64](capacity=16)
    out = _recycles(s, seat, out)
    if len(out) == 0:
        out = _takes(s, seat, player, out)
    if len(out) == 0:
        out = _upgrades(s, _shapes_in(player.supply), out)
    if len(out) == 0 and s.rules.ghost:
        out = _ghosts(s, player, out)
    if len(out) == 0:
        out = _placements(s, seat, _shapes_in(player.supply), 0, out)
    return len(out) > 0


def _shapes_in(pieces: i64) -> i64:
    """The shapes of some pieces, smaller ones first, four bits for each and its number plus 1 in them.

    One number, because a list would have to be allocated for every position.
    """
    found: i64 = 0
    for i in range(i64(SHAPES)):
        shape = SHAPES - 1 - i
        if pieces & FIELD[shape] != 0:
            found = (found << 4) | (shape + 1)
    return found


def _placements(s: State, seat: i64, shapes: i64, first: i64, out: vec[i64]) -> vec[i64]:
    """A piece of one of the shapes onto a place, from place `first` on."""
    cards = s.cards
    start, fit, fit_mask = cards.fit_start, cards.fit, cards.fit_mask
    own = spot(seat, 0)
    for place in range(first, i64(PLACES)):
        card = s.board[own + place]
        if card == EMPTY:
            continue
        filled = s.filled[own + place]
        number = actions.FIRST_ON_PLACE[place]
        room = cells_in(cards.recess[card] - filled)
        left = shapes
        while left != 0:
            shape = (left & 15) - 1
            left >>= 4
            if LEVEL[shape] > room:
                break  # nor do the others, which are no smaller
            of_shape = card * SHAPES + shape
            for i in range(start[of_shape], start[of_shape + 1]):
                if fit_mask[i] & filled == 0:
                    out = append(out, number + fit[i])
    return out


# --- cards ------------------------------------------------------------------------------------


def _has_room(s: State, seat: i64) -> bool:
    place = spot(seat, 0)
    board = s.board
    return board[place] == EMPTY or board[place + 1] == EMPTY or board[place + 2] == EMPTY or board[place + 3] == EMPTY


def black_allowed(s: State, player: Player) -> bool:
    """The limit on black cards in a turn once the end is triggered (R39)."""
    return not s.end_triggered or s.rules.black_limit == 0 or i64(player.black) < s.rules.black_limit


def _takes(s: State, seat: i64, player: Player, out: vec[i64]) -> vec[i64]:
    if not _has_room(s, seat):
        return out
    black = black_allowed(s, player)
    if s.rules.kind == SOLO:
        out = _takes_between(s, 0, 9, actions.TAKE_GRID, out)
        if s.rules.takes_from_deck and s.white_top < len(s.white):
            out = append(out, actions.TAKE_TOP_GRID)
        return out
    if s.rules.kind == LINE_CLEAR:
        side: i64 = 0 if seat == s.white_holder else 3
        out = _takes_between(s, side, side + 3, actions.TAKE_LINE_CLEAR, out)
        if black:
            out = _takes_between(s, 6 + side, 9 + side, actions.TAKE_LINE_CLEAR, out)
        if side == 3:
            return out
    else:
        out = _takes_between(s, 0, 4, actions.TAKE, out)
        if black:
            out = _takes_between(s, 4, 8, actions.TAKE, out)
    if s.rules.takes_from_deck:
        if s.white_top < len(s.white):
            out = append(out, actions.TAKE_TOP_WHITE)
        if black and s.black_top < len(s.black):
            out = append(out, actions.TAKE_TOP_BLACK)
    return out


def _takes_between(s: State, first: i64, end: i64, number: i64, out: vec[i64]) -> vec[i64]:
    for slot in range(first, end):
        if s.row[slot] != EMPTY:
            out = append(out, number + slot)
    return out


def _recycles(s: State, seat: i64, out: vec[i64]) -> vec[i64]:
    """R2: not while the deck is empty. In Line Clear only the white holder, the left rows."""
    if not s.rules.recycles:
        return out
    number: i64 = actions.RECYCLE
    if s.rules.kind == LINE_CLEAR:
        if seat != s.white_holder:
            return out
        number += 2
    if s.white_top < len(s.white):
        out = append(out, number)
    if s.black_top < len(s.black):
        out = append(out, number + 1)
    return out


_ORDERS_OF_FOUR: Final = vec[i64](list(range(actions.ORDER_OF_FOUR, actions.ORDER_OF_THREE)))
_ORDERS_OF_THREE: Final = vec[i64](list(range(actions.ORDER_OF_THREE, actions.GAIN)))


def _orders(s: State) -> vec[i64]:
    # A deck that is not empty has refilled every gap, so a recycled row is always full.
    return _ORDERS_OF_THREE[:] if s.rules.kind == LINE_CLEAR else _ORDERS_OF_FOUR[:]


# --- pieces -----------------------------------------------------------------------------------


def _gains(s: State, out: vec[i64]) -> vec[i64]:
    if s.rules.gain_substitutes:
        return _due(s, O1, actions.GAIN, out)
    return append(out, actions.GAIN + O1) if s.reserve & FIELD[O1] != 0 else out


def _of_level(reserve: i64, level: i64, number: i64, out: vec[i64]) -> vec[i64]:
    """The shapes of a level that are in the reserve, each added to `number`."""
    for shape in range(FIRST[level], FIRST[level + 1]):
        if reserve & FIELD[shape] != 0:
            out = append(out, number + shape)
    return out


def substitutes(s: State, shape: i64) -> vec[i64]:
    """What is taken when `shape` is due: itself, or by the substitution rule (R5, R6, R24)."""
    return _due(s, shape, 0, vec[i64](capacity=8))


def _due(s: State, shape: i64, number: i64, out: vec[i64]) -> vec[i64]:
    """The same, each added to `number`."""
    reserve = s.reserve
    if reserve & FIELD[shape] != 0:
        return append(out, number + shape)
    level, before = LEVEL[shape], len(out)
    out = _of_level(reserve, level, number, out)
    if len(out) > before:
        return out
    for lower in range(i64(1), level):
        out = _of_level(reserve, lower, number, out)
    before = len(out)
    for higher in range(level + 1, i64(TOP_LEVEL + 1)):
        out = _of_level(reserve, higher, number, out)
        if len(out) > before:
            break
    return out


def _upgrades(s: State, shapes: i64, out: vec[i64]) -> vec[i64]:
    while shapes != 0:
        out = _exchanges(s, actions.UPGRADE, (shapes & 15) - 1, False, out)
        shapes >>= 4
    return out


def _exchanges(s: State, kind: i64, returned: i64, to_ghosts: bool, out: vec[i64]) -> vec[i64]:
    """Upgrade's table for one shape (R3, R25); a Level Up may also reach ghosts (R26)."""
    level, reserve = LEVEL[returned], s.reserve
    number = kind + actions.PAIRS_OF[returned]
    lowest: i64 = level - 1 if s.rules.one_level_down and level > 1 else 1
    highest: i64 = level if level <= TOP_LEVEL or to_ghosts else TOP_LEVEL
    for shape in range(FIRST[lowest], FIRST[highest + 1]):
        if shape != returned and reserve & FIELD[shape] != 0:
            out = append(out, number + shape)
    limit: i64 = TOP_LEVEL + 1 if to_ghosts else TOP_LEVEL
    if level < limit:
        before = len(out)
        out = _of_level(reserve, level + 1, number, out)
        if len(out) == before:
            out = _skip_level(s, level, number, out)
    return out


def _skip_level(s: State, level: i64, number: i64, out: vec[i64]) -> vec[i64]:
    """The next level is wholly gone: option `upgrade_skip`. Never on to a ghost (R5)."""
    last: i64 = level + 2 if s.rules.skips_two_only else TOP_LEVEL
    before = len(out)
    for higher in range(level + 2, i64(min(last, i64(TOP_LEVEL))) + 1):
        out = _of_level(s.reserve, higher, number, out)
        if len(out) > before:
            break
    return out


# --- inside an action -------------------------------------------------------------------------


def _ghosts(s: State, player: Player, out: vec[i64]) -> vec[i64]:
    for i in range(i64(actions.DECOMPOSITION_COUNT)):
        if player.supply & FIELD[actions.DECOMPOSED[i]] != 0 and reserve_has(s, actions.PARTS[i]):
            out = append(out, actions.GHOST + i)
    return out


def reserve_has(s: State, parts: i64) -> bool:
    """Whether all the pieces are there (R12)."""
    for shape in range(i64(BASE_SHAPES)):
        if parts & FIELD[shape] > s.reserve & FIELD[shape]:
            return False
    return True


def _placing(s: State, seat: i64, out: vec[i64]) -> vec[i64]:
    of_ghost = actions.is_ghost(s.pending)
    hand = s.hand if of_ghost else s.players[seat].supply
    out = _placements(s, seat, _shapes_in(hand), s.next_place, out)
    if s.placed > 0 or of_ghost:  # R4, R29
        out = append(out, actions.STOP)
    return out


def _touches(s: State, seat: i64, out: vec[i64]) -> vec[i64]:
    player = s.players[seat]
    out = _placements(s, seat, _shapes_in(player.supply), 0, out)
    if s.credit:
        return out
    if player.active > 0 and len(out) > 0:
        out = append(out, actions.CREDIT)
    return append(out, actions.DONE)


def _rewards(s: State, out: vec[i64]) -> vec[i64]:
    place, card = reward_place(i64(s.queue[0])), reward_card(i64(s.queue[0]))
    return _due(s, s.cards.reward[card], actions.rewarding(place, 0), out)


def level_up_targets(s: State, seat: i64) -> vec[i64]:
    """What the open Level Up may change, declining aside."""
    out = vec[i64](capacity=16)
    shapes = _shapes_in(s.players[seat].supply)
    while shapes != 0:
        shape = (shapes & 15) - 1
        shapes >>= 4
        if s.rules.level_up_is_upgrade:
            out = _exchanges(s, actions.LEVELUP, shape, True, out)
        elif LEVEL[shape] + s.arrows <= TOP_LEVEL + 1:  # R27: exactly so many levels
            out = _of_level(s.reserve, LEVEL[shape] + s.arrows, actions.LEVELUP + actions.PAIRS_OF[shape], out)
    return out


def _level_ups(s: State, seat: i64, out: vec[i64]) -> vec[i64]:
    for target in level_up_targets(s, seat):
        out = append(out, target)
    return append(out, actions.LEVELUP_NONE)
