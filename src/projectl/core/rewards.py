"""Completing puzzles: pieces come back, cards go to the pile, rewards are settled one by one."""

from projectl.core import finesse
from projectl.core.cards import AMBASSADOR_REWARD, LEVEL_UP_1, LEVEL_UP_2
from projectl.core.legal import level_up_targets, substitutes
from projectl.core.market import renew_white
from projectl.core.native import append, i16, i32, i64, vec
from projectl.core.pieces import PLACEMENT_SHAPE, UNIT
from projectl.core.state import (
    EMPTY,
    LEVEL_UP,
    PLACES,
    PLAY,
    REWARD,
    State,
    laid_entry,
    laid_placement,
    pile_entry,
    reward_card,
    reward_entry,
    spot,
)


def complete_puzzles(s: State, seat: i64) -> vec[i32]:
    """Clear a seat's full puzzles; the completed ones as `reward_entry` packs them (R8)."""
    found = vec[i32]([])
    own = spot(seat, 0)
    for place in range(i64(PLACES)):
        at = own + place
        card = s.board[at]
        if card != EMPTY and s.filled[at] == s.cards.recess[card]:
            found = append(found, reward_entry(place, card))
            _clear(s, seat, at)
            s.finished = append(s.finished, pile_entry(seat, card))
            player = s.players[seat]
            player.points += i32(s.cards.points[card])
            player.pile += 1
    return found


def _clear(s: State, seat: i64, at: i64) -> None:
    """Take a card off its place; its pieces return to the supply."""
    player = s.players[seat]
    kept = vec[i16](capacity=len(s.laid))
    first, after = laid_entry(at, 0), laid_entry(at + 1, 0)
    for entry in s.laid:
        if entry >= first and entry < after:
            player.supply += UNIT[PLACEMENT_SHAPE[laid_placement(i64(entry))]]
        else:
            kept = append(kept, entry)
    s.laid = kept
    s.board[at] = EMPTY
    s.filled[at] = 0


def start_rewards(s: State, seat: i64) -> None:
    """At the end of an action: complete what is full, then settle what it brings."""
    s.queue = complete_puzzles(s, seat)
    if len(s.queue) > 0:
        finesse.pay_for(s, seat, finesse.COMPLETED, len(s.queue))
        renew_white(s)  # R17
    settle_rewards(s, seat)


def settle_rewards(s: State, seat: i64) -> None:
    """Go on until somebody has to choose (phase REWARD or LEVEL_UP) or all is settled (PLAY)."""
    while True:
        if s.arrows > 0:
            if len(level_up_targets(s, seat)) > 0:
                s.phase = LEVEL_UP
                return
            s.arrows = 0  # R28
        if len(s.queue) == 0:
            s.phase = PLAY
            return
        card = reward_card(i64(s.queue[0]))
        reward = s.cards.reward[card]
        if reward < LEVEL_UP_1:
            choices = substitutes(s, reward)
            if len(choices) > 1:  # R7
                s.phase = REWARD
                return
            if len(choices) == 1:
                take_piece(s, seat, choices[0])
        else:
            _receive(s, seat, card, reward)
        s.queue = s.queue[1:]


def _receive(s: State, seat: i64, card: i64, reward: i64) -> None:
    """A Level Up or an Ambassador action."""
    player = s.players[seat]
    if reward == AMBASSADOR_REWARD:
        s.lay_ambassador(seat, card)
        if s.rules.ambassador_next_turn:
            player.new_ambassadors += 1
        else:
            player.ambassadors += 1
        return
    s.arrows = 2 if reward == LEVEL_UP_2 else 1
    finesse.pay_for(s, seat, finesse.UPGRADED, s.arrows)  # R32


def take_piece(s: State, seat: i64, shape: i64) -> None:
    """A piece from the reserve into the supply."""
    s.reserve -= UNIT[shape]
    s.players[seat].supply += UNIT[shape]


def return_piece(s: State, seat: i64, shape: i64) -> None:
    """A piece from the supply back to the reserve."""
    s.players[seat].supply -= UNIT[shape]
    s.reserve += UNIT[shape]


def choose_reward(s: State, seat: i64, shape: i64) -> None:
    """The player chose a substitute."""
    take_piece(s, seat, shape)
    s.queue = s.queue[1:]
    settle_rewards(s, seat)


def use_arrow(s: State, seat: i64) -> None:
    """A Level Up was used or declined: one arrow in 2023, the whole reward in 2019."""
    s.arrows = s.arrows - 1 if s.rules.level_up_is_upgrade else 0
    settle_rewards(s, seat)
