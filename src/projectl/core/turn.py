"""Turns and rounds: when a turn ends, who is next, when the game ends."""

from projectl.core import finesse, mastermind
from projectl.core.legal import any_action, can_insert
from projectl.core.native import i64
from projectl.core.rewards import complete_puzzles
from projectl.core.rules import FINESSE_ROUNDS, LINE_CLEAR, SOLO
from projectl.core.state import ACTIONS, OVER, PLAY, TOUCHES, State


def start_turn(s: State, seat: i64) -> None:
    """Three fresh actions."""
    player = s.players[seat]
    player.actions = ACTIONS
    player.master = False
    player.black = 0
    player.quiet = True
    player.done = False


def settle_turns(s: State) -> None:
    """After an action, or at the start of a turn: end every turn that can go no further (R20)."""
    while s.phase == PLAY:
        if s.rules.kind == LINE_CLEAR:
            seat = _stuck_holder(s)
            if seat < 0:
                white_waits = not s.players[s.white_holder].done
                s.seat = s.white_holder if white_waits else s.black_holder  # R16
                return
        else:
            seat = s.seat
            if not _is_over(s, seat):
                return
        end_turn(s, seat)


def _stuck_holder(s: State) -> i64:
    for seat in (s.white_holder, s.black_holder):
        if not s.players[seat].done and _is_over(s, seat):
            return seat
    return -1


def _is_over(s: State, seat: i64) -> bool:
    if s.players[seat].actions > 0:
        return s.rules.must_use_all_actions and not any_action(s, seat)  # R1
    return not can_insert(s, seat)  # R21


def end_turn(s: State, seat: i64) -> None:
    """Credits for the turn's end, then the next turn."""
    player = s.players[seat]
    player.actions = 0
    player.done = True
    if not player.quiet:
        s.quiet_round = False
    if s.rules.finesse:
        finesse.pay_at_turn_end(s, seat)
    player.ambassadors += player.new_ambassadors
    player.new_ambassadors = 0
    if s.rules.kind == LINE_CLEAR:
        if s.players[s.white_holder].done and s.players[s.black_holder].done:
            _pass_markers(s)
    elif s.rules.kind == SOLO:
        mastermind.take_turn(s)
        _end_round(s)
    elif seat + 1 < len(s.players):
        s.seat = seat + 1
        start_turn(s, s.seat)
    else:
        _end_round(s)


def _end_round(s: State) -> None:
    """Everybody had a turn."""
    last = s.end_triggered and s.round == s.last_round
    if last or _round_was_last(s):
        start_touches(s)
        return
    s.round += 1
    s.quiet_round = True
    s.seat = 0
    start_turn(s, 0)


def _round_was_last(s: State) -> bool:
    """Round 10 with Finesse, the limit of rounds (R19), or stalemate (R18, R22)."""
    if s.rules.finesse and s.round == FINESSE_ROUNDS:
        return True
    if s.rules.max_rounds > 0 and s.round >= s.rules.max_rounds:
        return True
    return s.quiet_round and s.rules.kind != SOLO


def _pass_markers(s: State) -> None:
    """Line Clear: both holders are done, both markers go one seat on."""
    n = len(s.players)
    s.white_holder = (s.white_holder + 1) % n
    s.black_holder = (s.black_holder + 1) % n
    if s.end_triggered:  # R41
        s.got_white = s.got_white or s.white_holder == 0
        s.got_black = s.got_black or s.black_holder == 0
    if s.got_white and s.got_black:
        start_touches(s)
        return
    if s.white_holder == 0:  # a new round (R22, R38)
        if _round_was_last(s):
            start_touches(s)
            return
        s.round += 1
        s.quiet_round = True
    start_turn(s, s.white_holder)
    start_turn(s, s.black_holder)


def start_touches(s: State) -> None:
    """The finishing touches, open to everybody at once (R40). All credits are active now."""
    s.phase = TOUCHES
    s.seat = 0
    for seat in range(i64(len(s.players))):
        player = s.players[seat]
        player.actions = 0
        player.master = False
        player.done = False
        player.ambassadors += player.new_ambassadors
        player.new_ambassadors = 0
        finesse.activate(s, seat)


def finish_touches(s: State, seat: i64) -> None:
    """A player is done: their full puzzles complete, without rewards (R40)."""
    complete_puzzles(s, seat)
    s.players[seat].done = True
    for other in range(i64(len(s.players))):
        if not s.players[other].done:
            s.seat = other
            return
    s.phase = OVER
