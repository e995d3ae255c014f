"""Turns and rounds: when a turn ends, who is next, when the game ends."""

import jax.numpy as jnp
import numpy as np

from projectl.accel import finesse, mastermind
from projectl.accel.legal import any_action, can_insert
from projectl.accel.state import Position, State, packed, seam_all, unpacked
from projectl.accel.tables import ACTIONS, FINESSE_ROUNDS, OVER, PLAY, TOUCHES
from projectl.accel.words import Flag, Word, loop_while, only, word


def start_turn(s: Position, now: Flag, seat: Word) -> None:
    """Three fresh actions."""
    for n, player in enumerate(s.players):
        here = now & (seat == n)
        player.actions = jnp.where(here, word(ACTIONS), player.actions)
        player.master = player.master & ~here
        player.black = only(~here, player.black)
        player.quiet = player.quiet | here
        player.done = player.done & ~here


def settle_turns(s: Position, now: Flag, ends: Flag) -> Position:
    """End the turn where it `ends`; where `now` holds also every turn that can go no further (R20)."""
    seam_all(s)
    end_turn(s, ends | (now & is_over(s)))
    now = now | ends
    if s.layout.solo or s.layout.finesse:
        return _skip_on(s, now)
    # The rest of this round, and a whole round of skipped turns, which is quiet and the last (R18).
    for _ in range(2 * s.layout.seats - 1):
        seam_all(s)
        end_turn(s, now & (s.phase == PLAY) & is_over(s))
    seam_all(s)
    return s


def _skip_on(s: Position, now: Flag) -> Position:
    """End turns for as long as there is one that cannot go on."""
    layout, rules = s.layout, s.rules

    def stuck(state: State) -> Flag:
        at = unpacked(layout, rules, state)
        return now & (at.phase == PLAY) & is_over(at)

    def skip(state: State) -> State:
        at = unpacked(layout, rules, state)
        end_turn(at, np.bool_(True))
        return packed(at)

    return unpacked(layout, rules, loop_while(stuck, skip, packed(s)))


def is_over(s: Position) -> Flag:
    """Whether the turn of the seat that acts can go no further."""
    player = s.mover("actions", "black", "board", "can_place", "active")
    stuck = s.rules.must_use_all_actions & ~any_action(s, player)  # R1
    return jnp.where(player.actions > 0, stuck, ~can_insert(s, player))  # R21


def end_turn(s: Position, now: Flag) -> None:
    """Credits for the turn's end, then the next turn."""
    finesse.pay_at_turn_end(s, now)
    for n, player in enumerate(s.players):
        here = now & (s.seat == n)
        player.actions = only(~here, player.actions)
        player.done = player.done | here
        s.quiet_round = s.quiet_round & ~(here & ~player.quiet)
        _new_ambassadors(s, here, n)
    if s.layout.solo:
        mastermind.take_turn(s, now)
        _end_round(s, now)
        return
    last = s.seat + 1 >= s.rules.players
    _end_round(s, now & last)
    following = now & ~last
    s.seat = jnp.where(following, s.seat + 1, s.seat)
    start_turn(s, following, s.seat)


def _new_ambassadors(s: Position, now: Flag, seat: int) -> None:
    player = s.players[seat]
    player.ambassadors = player.ambassadors + only(now, player.new_ambassadors)
    player.new_ambassadors = only(~now, player.new_ambassadors)


def _end_round(s: Position, now: Flag) -> None:
    """Everybody had a turn."""
    last = (s.end_triggered & (s.round == s.last_round)) | _round_was_last(s)
    _start_touches(s, now & last)
    goes_on = now & ~last
    s.round = jnp.where(goes_on, s.round + 1, s.round)
    s.quiet_round = s.quiet_round | goes_on
    s.seat = only(~now, s.seat)
    start_turn(s, goes_on, word(0))


def _round_was_last(s: Position) -> Flag:
    """Round 10 with Finesse, the limit of rounds (R19), or stalemate (R18, R22)."""
    found = (s.rules.max_rounds > 0) & (s.round >= s.rules.max_rounds)
    if s.layout.finesse:
        found = found | (s.rules.finesse & (s.round == FINESSE_ROUNDS))
    return found if s.layout.solo else found | s.quiet_round


def _start_touches(s: Position, now: Flag) -> None:
    """The finishing touches. All credits are active now."""
    s.phase = jnp.where(now, word(TOUCHES), s.phase)
    for n, player in enumerate(s.players):
        here = now & (n < s.rules.players)
        player.actions = only(~here, player.actions)
        player.master = player.master & ~here
        player.done = player.done & ~here
        _new_ambassadors(s, here, n)
        finesse.activate(player, here)


def finish_touches(s: Position, now: Flag) -> None:
    """The acting player is done: on to the next who is not (R40)."""
    following, waits = word(0), np.bool_(False)
    for n in reversed(range(len(s.players))):
        player = s.players[n]
        player.done = player.done | (now & (s.seat == n))
        open_here = ~player.done & (n < s.rules.players)
        following = jnp.where(open_here, word(n), following)
        waits = waits | open_here
    s.seat = jnp.where(now & waits, following, s.seat)
    s.phase = jnp.where(now & ~waits, word(OVER), s.phase)
