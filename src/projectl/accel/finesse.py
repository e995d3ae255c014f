"""Finesse: what the tile of the round pays, and credits coming and going."""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from projectl.accel.pieces import Pieces, different, from_table, shapes_in, total
from projectl.accel.state import Player, Position
from projectl.accel.tables import FACE_DOWN, FINESSE_ROUNDS, OF_LEVEL, TILE, TILES
from projectl.accel.words import Flag, Word, as_word, bit, byte, look, loop_while, nth, only, word

_NO_KIND = 255


class RoundTile(NamedTuple):
    """The tile of the round; of no kind when there is none."""

    kind: Word
    credits: Word
    shapes: Pieces


def current_tile(s: Position) -> RoundTile:
    """The tile that counts in this round."""
    counts = s.rules.finesse & (s.round > FACE_DOWN) & (s.round <= FINESSE_ROUNDS)
    at = s.round - 1
    number = only(counts, byte(nth(s.tiles, at >> 2), at & 3))
    kind = jnp.where(counts, look(TILES.kind, number), word(_NO_KIND))
    return RoundTile(kind, look(TILES.credits, number), from_table(TILES.shapes, number))


def earn(s: Position, now: Flag, kind: str, times: Word | None = None) -> None:
    """Something happened; credits are due if the tile of the round is about that."""
    if s.layout.finesse:
        tile = current_tile(s)
        due = tile.credits if times is None else tile.credits * times
        s.due = s.due + only(now & (tile.kind == TILE[kind]), due)


def earn_for_placement(s: Position, now: Flag, shape: Word, by_master: Flag) -> None:
    """A piece was placed, by Master or Ambassador or in another way."""
    if s.layout.finesse:
        tile = current_tile(s)
        shown = (shapes_in(tile.shapes) & bit(shape)) != 0
        pays = (tile.kind == TILE["place"]) & shown
        pays = pays | ((tile.kind == TILE["placed-by-master-or-ambassador"]) & by_master)
        s.due = s.due + only(now & pays, tile.credits)


def pay_due(s: Position) -> None:
    """Pay what this decision has earned: the bank is not touched between its parts, so once is enough."""
    if s.layout.finesse:
        pay(s, s.due)
        s.due = word(0)


class _Purses(NamedTuple):
    left: Word  # still to be paid
    bank: Word
    active: tuple[Word, ...]
    inactive: tuple[Word, ...]


def pay(s: Position, credits: Word) -> None:
    """Credits from the bank to the seat that acts, inactive until the turn ends (R36)."""
    purses = _Purses(
        credits,
        s.bank,
        tuple(player.active for player in s.players),
        tuple(player.inactive for player in s.players),
    )
    seat = s.seat
    purses = _from_bank(purses, seat)
    purses = loop_while(lambda p: p.left > 0, lambda p: _from_bank(_richest_return(p), seat), purses)
    s.bank = purses.bank
    for n, player in enumerate(s.players):
        player.active, player.inactive = purses.active[n], purses.inactive[n]


def _from_bank(p: _Purses, seat: Word) -> _Purses:
    """As many as the bank has."""
    paid = jnp.minimum(p.left, p.bank)
    inactive = tuple(held + only(seat == n, paid) for n, held in enumerate(p.inactive))
    return _Purses(p.left - paid, p.bank - paid, p.active, inactive)


def _richest_return(p: _Purses) -> _Purses:
    """The bank is empty: every player with the most credits returns one, an inactive one first; if none can, all
    that is left to pay lapses (R15)."""
    held = [active + inactive for active, inactive in zip(p.active, p.inactive, strict=True)]
    most = held[0]
    for other in held[1:]:
        most = jnp.maximum(most, other)
    gives = [(here == most) & (most > 0) for here in held]
    bank = p.bank + sum((as_word(one) for one in gives), word(0))
    inactive = tuple(have - as_word(give & (have > 0)) for give, have in zip(gives, p.inactive, strict=True))
    active = tuple(
        have - as_word(give & (idle == 0)) for give, have, idle in zip(gives, p.active, p.inactive, strict=True)
    )
    return _Purses(only(most > 0, p.left), bank, active, inactive)


def pay_at_turn_end(s: Position, now: Flag) -> None:
    """The tiles that are looked at when a turn ends (R33); then all credits are active."""
    if s.layout.finesse:
        player = s.mover("supply", "board", "laid")
        pay(s, only(now, _earned_at_end(current_tile(s), player)))
        for n, other in enumerate(s.players):
            activate(other, now & (s.seat == n))


def activate(player: Player, now: Flag) -> None:
    """Inactive credits become active."""
    player.active = player.active + only(now, player.inactive)
    player.inactive = only(~now, player.inactive)


def unfinished(player: Player) -> Word:
    """How many unfinished puzzles a player has."""
    return sum((as_word(puzzle != 0) for puzzle in player.board), word(0))


def owned(player: Player) -> Pieces:
    """The pieces in a supply and on unfinished puzzles."""
    own = player.supply
    for laid in player.laid:
        own = own.plus(laid)
    return own


def _earned_at_end(tile: RoundTile, player: Player) -> Word:
    own = owned(player)
    shown = own.within(tile.shapes)
    puzzles = unfinished(player)
    there = shapes_in(own)
    every_level = np.bool_(True)
    for level in OF_LEVEL[1:5]:  # ghosts do not matter (R37)
        every_level = every_level & ((there & np.uint32(level)) != 0)
    small = np.uint32(OF_LEVEL[1] | OF_LEVEL[2])
    times = {
        "each-unfinished-puzzle": puzzles,
        "no-unfinished-puzzle": as_word(puzzles == 0),
        "each-owned": total(shown),
        "each-shape-owned": different(shown),
        "every-level-owned": as_word(every_level),
        "no-duplicate-owned": as_word(different(own) == total(own)),
        "no-level-1-or-2-owned": as_word((there & small) == 0),
    }
    found = word(0)
    for kind, number in times.items():
        found = found + only(tile.kind == TILE[kind], number)
    return found * tile.credits
