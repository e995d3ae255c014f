"""Completing puzzles: pieces come back, cards go to the pile, rewards are settled one by one."""

import jax.numpy as jnp

from projectl.accel import finesse
from projectl.accel.legal import level_up_targets, substitutes
from projectl.accel.pieces import Pieces, piece, shapes_in
from projectl.accel.state import Player, Position, card_on, empty_cells, seam_all
from projectl.accel.tables import (
    AMBASSADOR_REWARD,
    LEVEL_UP,
    LEVEL_UP_1,
    LEVEL_UP_2,
    PLACES,
    PLAY,
    REWARD_PHASE,
)
from projectl.accel.words import Flag, Word, as_word, bit, bits_set, byte, index_of, look, only, seam, with_byte, word


def complete_puzzles(s: Position, me: Player, now: Flag) -> Word:
    """Clear the full puzzles; the completed cards by place, a byte each (R8)."""
    found = word(0)
    for place in range(PLACES):
        puzzle = me.board[place]
        card = card_on(puzzle)
        full = now & (card != 0) & (empty_cells(puzzle) == 0)
        found = found | (only(full, card) << (8 * place))
        me.supply = me.supply.plus(me.laid[place].where(full))
        me.laid[place] = me.laid[place].where(~full)
        me.board[place] = only(~full, puzzle)
        for joins in (place, PLACES + place) if me.joins else ():
            me.joins[joins] = only(~full, me.joins[joins])
        me.points = me.points + only(full, look(s.layout.cards.points, card))
        me.pile = me.pile + as_word(full)
        me.finished = onto_pile(me.finished, full, card)
    return found


def onto_pile(pile: list[Word], now: Flag, card: Word) -> list[Word]:
    """A set of cards with one more."""
    number = card - 1
    return [here | only(now & (number >> 5 == n), bit(number)) for n, here in enumerate(pile)]


def start_rewards(s: Position, now: Flag, completed: Word) -> None:
    """At the end of an action: what the completed puzzles bring is to be settled."""
    s.queue = jnp.where(now, completed, s.queue)
    number = sum((as_word(byte(completed, place) != 0) for place in range(PLACES)), word(0))
    finesse.earn(s, now, "puzzle-completed", number)


def settle_rewards(s: Position, me: Player, now: Flag) -> None:
    """Go on until somebody has to choose (phase REWARD or LEVEL_UP) or all is settled (PLAY)."""
    now = _look_at_arrows(s, me, now)
    for place in range(PLACES):
        card = byte(s.queue, place)
        due = now & (card != 0)
        reward = look(s.layout.cards.reward, only(due, card))
        choices = substitutes(shapes_in(s.reserve), reward)
        number = bits_set(choices)
        asks = due & (reward < LEVEL_UP_1) & (number > 1)  # R7
        exchange(s, me, due & (number == 1), piece(index_of(choices)))
        _receive(s, me, due & (reward >= LEVEL_UP_1), reward, card)
        s.phase = jnp.where(asks, word(REWARD_PHASE), s.phase)
        now = now & ~asks
        s.queue = jnp.where(now, s.queue & ~(word(255) << (8 * place)), s.queue)
        now = _look_at_arrows(s, me, now)
        seam_all(s, me)
        now = seam(now)
    s.phase = jnp.where(now, word(PLAY), s.phase)


def _look_at_arrows(s: Position, me: Player, now: Flag) -> Flag:
    """An open Level Up that can change something is asked for, another is passed over (R28)."""
    if not s.layout.ghost:
        return now
    targets = level_up_targets(s, shapes_in(s.reserve), shapes_in(me.supply), s.arrows)
    any_target = sum(targets[1:], targets[0]) != 0
    asks = now & (s.arrows > 0) & any_target
    s.phase = jnp.where(asks, word(LEVEL_UP), s.phase)
    now = now & ~asks
    s.arrows = only(~now, s.arrows)
    return now


def _receive(s: Position, me: Player, now: Flag, reward: Word, card: Word) -> None:
    """A Level Up or an Ambassador action."""
    if s.layout.ambassador:
        action = now & (reward == AMBASSADOR_REWARD)
        me.unused = with_byte(me.unused, me.ambassadors + me.new_ambassadors, only(action, card))
        later = s.rules.ambassador_next_turn
        me.new_ambassadors = me.new_ambassadors + as_word(action & later)
        me.ambassadors = me.ambassadors + as_word(action & ~later)
    if s.layout.ghost:
        arrows = 1 + as_word(reward == LEVEL_UP_2)
        level_up = now & (reward != AMBASSADOR_REWARD)
        s.arrows = jnp.where(level_up, arrows, s.arrows)
        finesse.earn(s, level_up, "upgrade", arrows)  # R32


def exchange(s: Position, me: Player, now: Flag, taken: Pieces, returned: Pieces | None = None) -> None:
    """Pieces from the reserve into the supply, and others back."""
    taken = taken.where(now)
    me.supply, s.reserve = me.supply.plus(taken), s.reserve.minus(taken)
    if returned is not None:
        returned = returned.where(now)
        me.supply, s.reserve = me.supply.minus(returned), s.reserve.plus(returned)


def next_in_queue(s: Position, now: Flag) -> None:
    """The player chose: the first open reward is settled."""
    lowest = s.queue & (~s.queue + 1)
    place = index_of(lowest) >> 3
    s.queue = jnp.where(now, s.queue & ~(word(255) << (8 * place & 31)), s.queue)


def use_arrow(s: Position, now: Flag) -> None:
    """A Level Up was used or declined: one arrow in 2023, the whole reward in 2019."""
    s.arrows = jnp.where(now, only(s.rules.level_up_is_upgrade, s.arrows - 1), s.arrows)
