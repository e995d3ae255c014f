"""Finesse: what the tile of the round pays, and credits coming and going."""

from typing import Final

from projectl.core import pieces
from projectl.core.cards import TILE_KINDS
from projectl.core.native import i64
from projectl.core.pieces import FIELD, LEVEL, PLACEMENT_SHAPE, SHAPES, TOP_LEVEL, UNIT, count
from projectl.core.rules import FINESSE_ROUNDS
from projectl.core.state import EMPTY, PLACES, State, laid_entry, laid_placement, spot

FACE_DOWN: Final = 2  # the first tiles of the row count for nothing

PLACED: Final = TILE_KINDS.index("place")
PLACED_BY_MASTER: Final = TILE_KINDS.index("placed-by-master-or-ambassador")
COMPLETED: Final = TILE_KINDS.index("puzzle-completed")
TAKEN: Final = TILE_KINDS.index("take")
UPGRADED: Final = TILE_KINDS.index("upgrade")
RECYCLED: Final = TILE_KINDS.index("recycle")
INSERTED: Final = TILE_KINDS.index("insert")
EACH_OWNED: Final = TILE_KINDS.index("each-owned")
EACH_UNFINISHED: Final = TILE_KINDS.index("each-unfinished-puzzle")
EACH_SHAPE_OWNED: Final = TILE_KINDS.index("each-shape-owned")
NO_UNFINISHED: Final = TILE_KINDS.index("no-unfinished-puzzle")
EVERY_LEVEL: Final = TILE_KINDS.index("every-level-owned")
NO_DUPLICATE: Final = TILE_KINDS.index("no-duplicate-owned")
NO_SMALL: Final = TILE_KINDS.index("no-level-1-or-2-owned")
NO_TILE: Final = -1


def current_tile(s: State) -> i64:
    """The tile that counts in this round, or NO_TILE."""
    if not s.rules.finesse or s.round <= FACE_DOWN or s.round > FINESSE_ROUNDS:
        return NO_TILE
    return i64(s.tiles[s.round - 1])


def pay(s: State, seat: i64, credits: i64) -> None:
    """Credits from the bank, one at a time, inactive until the turn ends (R36)."""
    for _ in range(credits):
        if s.bank == 0:
            _richest_return(s)
        if s.bank == 0:  # R15
            return
        s.bank -= 1
        s.players[seat].inactive += 1


def _richest_return(s: State) -> None:
    """The bank is empty: every player with the most credits returns one, an inactive one first."""
    most: i64 = 1
    for player in s.players:
        most = max(most, i64(player.active) + i64(player.inactive))
    for player in s.players:
        if i64(player.active) + i64(player.inactive) == most:
            if player.inactive > 0:
                player.inactive -= 1
            else:
                player.active -= 1
            s.bank += 1


def pay_for(s: State, seat: i64, kind: i64, times: i64 = 1) -> None:
    """Something happened; pay if the tile of the round is about that."""
    tile = current_tile(s)
    if tile != NO_TILE and s.rules.tiles.kind[tile] == kind:
        pay(s, seat, times * s.rules.tiles.credits[tile])


def pay_for_placement(s: State, seat: i64, shape: i64, by_master: bool) -> None:
    """A piece was placed, by Master or Ambassador or in another way."""
    tile = current_tile(s)
    if tile == NO_TILE:
        return
    kind = s.rules.tiles.kind[tile]
    if (kind == PLACED and s.rules.tiles.shapes[tile] & FIELD[shape] != 0) or (kind == PLACED_BY_MASTER and by_master):
        pay(s, seat, s.rules.tiles.credits[tile])


def pay_at_turn_end(s: State, seat: i64) -> None:
    """The tiles that are looked at when a turn ends (R33); then all credits are active."""
    tile = current_tile(s)
    if tile != NO_TILE:
        pay(s, seat, _earned_at_end(s, seat, tile))
    activate(s, seat)


def activate(s: State, seat: i64) -> None:
    """Inactive credits become active."""
    player = s.players[seat]
    player.active += player.inactive
    player.inactive = 0


def _earned_at_end(s: State, seat: i64, tile: i64) -> i64:
    kind = s.rules.tiles.kind[tile]
    credits = s.rules.tiles.credits[tile]
    if kind == EACH_UNFINISHED:
        return unfinished(s, seat) * credits
    if kind == NO_UNFINISHED:
        return credits if unfinished(s, seat) == 0 else 0
    own = owned(s, seat)
    if kind == EACH_OWNED:
        return pieces.total(own & s.rules.tiles.shapes[tile]) * credits
    if kind == EACH_SHAPE_OWNED:
        return _different(own & s.rules.tiles.shapes[tile]) * credits
    if kind == EVERY_LEVEL:
        return credits if _has_every_level(own) else 0
    if kind == NO_DUPLICATE:
        return credits if _different(own) == pieces.total(own) else 0
    if kind == NO_SMALL:
        return credits if _of_levels(own, 1, 2) == 0 else 0
    return 0


def unfinished(s: State, seat: i64) -> i64:
    """How many unfinished puzzles a seat has."""
    n: i64 = 0
    for place in range(spot(seat, 0), spot(seat, PLACES)):
        if s.board[place] != EMPTY:
            n += 1
    return n


def owned(s: State, seat: i64) -> i64:
    """The pieces in a seat's supply and on its unfinished puzzles."""
    own = s.players[seat].supply
    first, after = laid_entry(spot(seat, 0), 0), laid_entry(spot(seat, PLACES), 0)
    for entry in s.laid:
        if entry >= first and entry < after:
            own += UNIT[PLACEMENT_SHAPE[laid_placement(i64(entry))]]
    return own


def _different(own: i64) -> i64:
    n: i64 = 0
    for shape in range(i64(SHAPES)):
        if own & FIELD[shape] != 0:
            n += 1
    return n


def _of_levels(own: i64, lowest: i64, highest: i64) -> i64:
    n: i64 = 0
    for shape in range(i64(SHAPES)):
        if lowest <= LEVEL[shape] and LEVEL[shape] <= highest:
            n += count(own, shape)
    return n


def _has_every_level(own: i64) -> bool:
    for level in range(i64(1), i64(TOP_LEVEL + 1)):  # ghosts do not matter (R37)
        if _of_levels(own, level, level) == 0:
            return False
    return True
