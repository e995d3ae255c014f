"""Which decisions a seat may make now, in two stages: by kind, and within a kind as sets of bits."""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from projectl.accel.decisions import is_ghost
from projectl.accel.market import top
from projectl.accel.pieces import Pieces, count, has_all, lowest_level, nearest_level, owned, shapes_in
from projectl.accel.state import Player, Position, empty_cells
from projectl.accel.tables import (
    ALL_SHAPES,
    BASE_SET,
    COLUMNS,
    DECOMPOSED,
    DECOMPOSITIONS,
    GHOST_LEVEL,
    GRID,
    LEVEL,
    LEVEL_UP,
    O1,
    OF_LEVEL,
    ORDER,
    PARTS,
    PLACES,
    PLACING,
    PLAY,
    REWARD_PHASE,
    SAME_AND_LOWER,
    SHAPES,
    TAKE,
    TAKE_GRID,
    TAKE_TOP_BLACK,
    TAKE_TOP_GRID,
    TAKE_TOP_WHITE,
    TOP_LEVEL,
    TOUCHES,
    levels,
)
from projectl.accel.words import Flag, Word, as_word, bit, byte, index_of, look, lowest_bit, only, when, word


class Options(NamedTuple):
    """The legal decisions. Each number is a set of bits, counted from the first number of its kind."""

    empty: tuple[Word, ...]  # by place the cells that a piece may cover
    shapes: Word  # of the pieces that may be placed
    takes: Word
    recycles: Word
    orders: Flag  # all 24, or none
    gains: Word
    upgrades: tuple[Word, ...]  # by the shape returned
    level_ups: tuple[Word, ...]
    decline: Flag
    rewards: Word
    reward_place: Word
    ghosts: Word
    master: Flag
    ambassador: Flag
    insert: Flag
    pass_: Flag
    credit: Flag
    stop: Flag
    done: Flag


def options(s: Position) -> Options:
    """The legal decisions of the seat that acts."""
    me = s.mover()
    play = s.phase == PLAY
    acts = play & ((me.actions > 0) | s.inserting)
    touches = s.phase == TOUCHES
    there = shapes_in(s.reserve)
    mine = shapes_in(me.supply)
    by_ghost = is_ghost(s.pending)
    placing = s.phase == PLACING
    shapes = only(acts | touches, mine) | only(placing, when(by_ghost, shapes_in(s.hand), mine))
    first = only(placing, s.next_place)
    free = play & ~s.inserting
    return Options(
        tuple(only(first <= place, empty_cells(me.board[place])) for place in range(PLACES)),
        shapes,
        only(acts, takes(s, me)),
        only(acts, recycles(s)),
        s.phase == ORDER,
        only(acts, gains(s, there)),
        tuple(owned(only(acts, mine), shape) & exchanges(s, there, shape, False) for shape in range(s.layout.shapes)),
        level_ups(s, me, there, mine),
        s.phase == LEVEL_UP,
        only(s.phase == REWARD_PHASE, substitutes(there, first_reward(s))),
        first_in_queue(s),
        only(acts, ghosts(s, me.supply)),
        acts & me.can_place & ~me.master,
        acts & me.can_place & (me.ambassadors > 0),
        free & can_insert(s, me),
        free & (~s.rules.must_use_all_actions | (me.actions == 0)),  # R21
        touches & ~s.credit & me.can_place & (me.active > 0),
        placing & ((s.placed > 0) | by_ghost),  # R4, R29
        touches & ~s.credit,
    )


# --- cards ------------------------------------------------------------------------------------


def black_allowed(s: Position, player: Player) -> Flag:
    """The limit on black cards in a turn once the end is triggered (R39)."""
    return ~s.end_triggered | (s.rules.black_limit == 0) | (player.black < s.rules.black_limit)


def _cards_in(row: Word, slots: int) -> Word:
    """The set of slots that hold a card."""
    found = word(0)
    for slot in range(slots):
        found = found | (as_word(byte(row, slot) != 0) << slot)
    return found


def takes(s: Position, player: Player) -> Word:
    """The cards that a player may take."""
    deck = s.rules.takes_from_deck
    if s.layout.solo:
        found = only(deck & (top(s.white) != 0), word(1 << (TAKE_TOP_GRID - TAKE)))
        for line in range(GRID // COLUMNS):
            found = found | (_cards_in(s.row[line], COLUMNS) << (TAKE_GRID - TAKE + COLUMNS * line))
        return only(player.has_room(), found)
    white = _cards_in(s.row[0], PLACES) | only(deck & (s.white_left > 0), word(1 << (TAKE_TOP_WHITE - TAKE)))
    black = _cards_in(s.row[1], PLACES) << PLACES
    black = black | only(deck & (s.black_left > 0), word(1 << (TAKE_TOP_BLACK - TAKE)))
    return only(player.has_room(), white | only(black_allowed(s, player), black))


def recycles(s: Position) -> Word:
    """R2: not while the deck is empty."""
    if s.layout.solo:
        return word(0)
    return only(s.rules.recycles, as_word(s.white_left > 0) | (as_word(s.black_left > 0) << 1))


# --- pieces -----------------------------------------------------------------------------------


def gains(s: Position, there: Word) -> Word:
    """What Gain may take from a reserve of these shapes."""
    of_level = there & np.uint32(OF_LEVEL[LEVEL[O1]])
    instead = only(s.rules.gain_substitutes, nearest_level(there, LEVEL[O1]))
    return jnp.where(of_level != 0, of_level, instead)


def substitutes(there: Word, shape: Word) -> Word:
    """What is taken when `shape` is due: itself, or by the substitution rule (R5, R6, R24). Level Ups are no shapes."""
    levels_of = look(SAME_AND_LOWER, shape)
    itself, same, lower = there & bit(shape), levels_of & ALL_SHAPES, levels_of >> SHAPES
    higher = only(same != 0, lowest_level(there & ~same & ~lower))
    instead = jnp.where((there & same) != 0, there & same, (there & lower) | higher)
    return jnp.where(itself != 0, itself, instead)


def exchanges(s: Position, there: Word, returned: int, to_ghosts: bool) -> Word:
    """Upgrade's table for one shape (R3, R25); a Level Up may also reach ghosts (R26)."""
    level = LEVEL[returned]
    highest = level if level <= TOP_LEVEL or to_ghosts else TOP_LEVEL
    any_lower, one_lower = levels(1, highest), levels(max(level - 1, 1), highest)
    down = there & jnp.where(s.rules.one_level_down, np.uint32(one_lower), np.uint32(any_lower))
    return (down & np.uint32(~(1 << returned) & 0xFFF)) | _higher(s, there, level, to_ghosts)


def _higher(s: Position, there: Word, level: int, to_ghosts: bool) -> Word:
    """The next level; where it is wholly gone, option `upgrade_skip`, never on to a ghost (R5)."""
    if level >= TOP_LEVEL:
        return there & np.uint32(OF_LEVEL[GHOST_LEVEL]) if to_ghosts and level == TOP_LEVEL else word(0)
    one = there & np.uint32(OF_LEVEL[level + 1])
    two = there & np.uint32(OF_LEVEL[level + 2]) if level + 2 <= TOP_LEVEL else word(0)
    skipped = jnp.where(s.rules.skips_two_only, two, nearest_level(there, level + 1))
    return jnp.where(one != 0, one, skipped)


def ghosts(s: Position, supply: Pieces) -> Word:
    """The ways to break a ghost of the supply up."""
    found = word(0)
    if s.layout.ghost:
        for n in range(DECOMPOSITIONS):
            there = (count(supply, int(DECOMPOSED[n])) != 0) & has_all(s.reserve, PARTS[n])
            found = found | (as_word(there) << n)
    return found


# --- inside an action -------------------------------------------------------------------------


def first_in_queue(s: Position) -> Word:
    """The place of the first puzzle whose reward is open."""
    return index_of(lowest_bit(s.queue)) >> 3


def first_reward(s: Position) -> Word:
    """The reward that is open."""
    return look(s.layout.cards.reward, byte(s.queue, first_in_queue(s) & 3))


def level_up_targets(s: Position, there: Word, mine: Word, arrows: Word) -> tuple[Word, ...]:
    """What the open Level Up may change, declining aside, by the shape returned."""
    found: list[Word] = []
    for shape in range(s.layout.shapes if s.layout.ghost else 0):
        upgrade = exchanges(s, there, shape, True)
        levels_up = word(0)  # R27: exactly so many levels
        for steps in (1, 2):
            if LEVEL[shape] + steps <= GHOST_LEVEL:
                levels_up = levels_up | only(arrows == steps, there & np.uint32(OF_LEVEL[LEVEL[shape] + steps]))
        found.append(owned(mine, shape) & jnp.where(s.rules.level_up_is_upgrade, upgrade, levels_up))
    return tuple(found)


def level_ups(s: Position, me: Player, there: Word, mine: Word) -> tuple[Word, ...]:
    """The open Level Up's decisions."""
    return level_up_targets(s, there, only(s.phase == LEVEL_UP, mine), s.arrows)


# --- whether a turn goes on -------------------------------------------------------------------


def any_action(s: Position, player: Player) -> Flag:
    """Whether any action at all is possible, the credits aside (R1).

    Asked only where Gain has substitutes: then Upgrade and Ghost need nothing that Gain does not.
    """
    gain = (shapes_in(s.reserve) & np.uint32(BASE_SET)) != 0
    return gain | (recycles(s) != 0) | (takes(s, player) != 0) | player.can_place


def can_insert(s: Position, player: Player) -> Flag:
    """Two active credits and something to do with them (R21, R34)."""
    if not s.layout.finesse:
        return np.bool_(False)
    return s.rules.finesse & (player.active >= 2) & any_action(s, player)
