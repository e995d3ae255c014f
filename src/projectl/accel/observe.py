"""Observations: what core's `observe` writes, as array code. The layout is core's table (`core/features.py`)."""

from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from projectl.accel.decisions import is_ghost
from projectl.accel.pieces import Pieces
from projectl.accel.state import Player, Position, card_on, empty_cells
from projectl.accel.tables import (
    AMBASSADOR,
    CARD_IS_WHITE,
    CELLS,
    COUNT_BITS,
    FACE_DOWN,
    FINESSE_ROUNDS,
    MASTER,
    OVER,
    PLACES,
    PLACING,
    RECYCLE,
    SHAPES,
    SHAPES_A_WORD,
    TILE_BYTES,
    TOUCHES,
    always_seen,
)
from projectl.accel.words import CARDS_A_WORD, Flag, Word, as_word, bits_set, byte, look, nth, only, word
from projectl.core import features
from projectl.core.rules import Rules

Bytes: TypeAlias = jax.Array  # uint8
_REWARDS = features.FEATURE["due.rewards"].shape[1]
_CELL = np.arange(CELLS, dtype=np.uint32)


class SaidAlike(NamedTuple):
    """What all observations of a game say alike."""

    configuration: Bytes
    in_play: Bytes  # each shipped card: it may be in the game, face down
    known_points: Flag


def about(game: Rules) -> SaidAlike:
    """Core's own words about a game."""
    configuration, in_play = always_seen(game)
    return SaidAlike(np.array(configuration, np.uint8), np.array(in_play, np.uint8), np.bool_(game.known_points))


def observe(s: Position, common: SaidAlike) -> Bytes:
    """What the acting seat may know."""
    order = [_at(s, n) for n in range(s.layout.seats)]
    seen = [_sitting(s, seat) for seat in order]
    open_to_all = common.known_points | (s.phase == OVER)
    parts = [
        common.configuration,
        _numbers(*_turn(s)),
        _pieces(s.reserve),
        _pieces(s.hand),
        _due(s),
        _solo(s),
        _unseen(s, common, seen, open_to_all),
        _market(s),
    ]
    for n in range(features.SEATS):
        parts.append(_seat(s, n, order[n], seen[n], open_to_all) if n < s.layout.seats else _none(features.SEAT_WORDS))
    return jnp.concatenate([*parts, _tiles(s)])


def _at(s: Position, n: int) -> Word:
    """The seat that sits n places behind the acting one."""
    seat = s.seat + n
    return jnp.where(seat >= s.rules.players, seat - s.rules.players, seat)


def _sitting(s: Position, seat: Word) -> Player:
    """Who sits there."""
    found = Player()
    for name in Player.__annotations__:
        setattr(found, name, nth([getattr(player, name) for player in s.players], seat))
    return found


def _none(words: int) -> Bytes:
    return jnp.zeros(words * features.WORD, jnp.uint8)


def _numbers(*numbers: Word | Flag | int) -> Bytes:
    most = [jnp.minimum(jnp.asarray(number).astype(jnp.uint32), features.TOP) for number in numbers]
    return jnp.stack(most).astype(jnp.uint8)


def _turn(s: Position) -> list[Word | Flag | int]:
    begun = s.pending
    placing = s.phase == PLACING
    return [
        s.round,
        s.last_round,
        s.end_triggered & (s.round >= s.last_round),
        s.end_triggered,
        s.quiet_round,
        s.white_left,
        s.black_left,
        s.bank,
        *(s.phase == n for n in range(OVER + 1)),
        s.inserting,
        *(begun == RECYCLE, begun == RECYCLE + 1, is_ghost(begun), begun == MASTER, begun == AMBASSADOR),
        s.credit,
        s.placed,
        s.arrows,
        *(placing & (s.next_place <= place) for place in range(PLACES)),
        *([0] * 4),
    ]


def _counts(held: Pieces) -> list[Word]:
    field = (1 << COUNT_BITS) - 1
    words = [held.low, held.high]
    return [(words[n // SHAPES_A_WORD] >> (COUNT_BITS * (n % SHAPES_A_WORD))) & field for n in range(SHAPES)]


def _pieces(held: Pieces) -> Bytes:
    return _numbers(*_counts(held))


def _one_hot(number: Word, there: Flag, count: int) -> Bytes:
    return ((number == np.arange(count, dtype=np.uint32)) & there).astype(jnp.uint8)


def _due(s: Position) -> Bytes:
    """Rewards to settle in the order of their places, and the place of the next one."""
    cards = [byte(s.queue, place) for place in range(PLACES)]
    there = [card != 0 for card in cards]
    before = [sum((as_word(one) for one in there[:place]), word(0)) for place in range(PLACES)]
    found = jnp.zeros((PLACES, _REWARDS), jnp.uint8)
    for card, here, rank in zip(cards, there, before, strict=True):
        kind = _one_hot(look(s.layout.cards.reward, card), here, _REWARDS)
        found = found + _one_hot(rank, here, PLACES)[:, None] * kind[None, :]
    first = [here & (rank == 0) for here, rank in zip(there, before, strict=True)]
    return jnp.concatenate([found.reshape(-1), _numbers(*first)])


def _solo(s: Position) -> Bytes:
    size = features.UNSEEN - features.SOLO_TABLE
    if not s.layout.solo:
        return _none(size)
    points = word(0)
    for card in range(s.layout.last_card):
        there = (s.taken[card >> 5] >> (card & 31)) & 1
        points = points + there * s.layout.cards.points[card + 1]
    cards = sum((bits_set(part) for part in s.taken), word(0))
    numbers = [*s.locks, points, cards]
    return _numbers(*numbers, *([0] * (size * features.WORD - len(numbers))))


def _unseen(s: Position, common: SaidAlike, seen: list[Player], open_to_all: Flag) -> Bytes:
    """The shipped cards that lie nowhere in sight; there are none of the table's own here."""
    words = [word(0)] * s.layout.pile_words
    for n, player in enumerate(seen):
        shown = (np.bool_(True) if n == 0 else open_to_all) & (word(n) < s.rules.players)
        words = [here | only(shown, pile) for here, pile in zip(words, player.finished, strict=True)]
    if s.layout.solo:
        words = [here | pile for here, pile in zip(words, s.taken, strict=True)]
    lying = [card_on(puzzle) for player in s.players for puzzle in player.board] + _row(s)
    lying += [byte(part, n) for player in s.players for part in player.unused for n in range(CARDS_A_WORD)]  # R45
    for n in range(len(words)):
        for card in lying:
            words[n] = words[n] | only((card != 0) & ((card - 1) >> 5 == n), word(1) << ((card - 1) & 31))
    gone = jnp.stack(words)[:, None] >> np.arange(32, dtype=np.uint32) & 1
    flat = gone.astype(jnp.uint8).reshape(-1)
    flat = jnp.pad(flat, (0, max(0, features.SHIPPED - flat.shape[0])))[: features.SHIPPED]
    return jnp.concatenate([common.in_play * (1 - flat), jnp.zeros(2, jnp.uint8)])


def _row(s: Position) -> list[Word]:
    a_word = 3 if s.layout.solo else PLACES
    return [byte(part, n) for part in s.row for n in range(a_word)]


def _card(s: Position, card: Word) -> list[Word | Flag]:
    """There is one, it is white, it is black, its points."""
    white = look(CARD_IS_WHITE, card) != 0
    return [card != 0, white, (card != 0) & ~white, look(s.layout.cards.points, card)]


def _cells(cells: Word) -> Bytes:
    return ((cells >> _CELL) & 1).astype(jnp.uint8)


def _market(s: Position) -> Bytes:
    parts: list[Bytes] = []
    for card in _row(s):
        recess = empty_cells(look(s.layout.cards.puzzle, card))
        reward = _one_hot(look(s.layout.cards.reward, card), card != 0, _REWARDS)
        parts += [_cells(recess), _numbers(*_card(s, card), 0, 0, 0, 0), reward]
    found = jnp.concatenate(parts)
    return jnp.pad(found, (0, features.SLOTS * features.MARKET_CARD * features.WORD - found.shape[0]))


def _seat(s: Position, n: int, seat: Word, player: Player, open_to_all: Flag) -> Bytes:
    there = (word(n) < s.rules.players).astype(jnp.uint8)
    pile_open = np.bool_(True) if n == 0 else open_to_all
    acts = (seat == s.seat) & (s.phase != OVER)
    # A credit on the table is an action that has begun: nobody else acts before it is over (R31).
    may_act = jnp.where((s.phase == TOUCHES) & ~s.credit, ~player.done, acts)
    head = _numbers(
        1,
        may_act,
        acts,
        seat == 0,
        player.actions,
        player.master,
        player.black,
        player.quiet,
        player.done,
        pile_open,
        only(pile_open, player.points),
        player.pile,
        sum((bits_set(part) for part in player.finished), word(0)),
        player.touches,
        player.active,
        player.inactive,
        player.ambassadors,
        player.new_ambassadors,
        0,
        0,
        *_counts(player.supply),
    )
    puzzles = [_puzzle(s, player.board[place], player.laid[place]) for place in range(PLACES)]
    return jnp.concatenate([head, *puzzles]) * there


def _puzzle(s: Position, puzzle: Word, laid: Pieces) -> Bytes:
    card, empty = card_on(puzzle), empty_cells(puzzle)
    recess = empty_cells(look(s.layout.cards.puzzle, card))
    reward = _one_hot(look(s.layout.cards.reward, card), card != 0, _REWARDS)
    head = _numbers(*_card(s, card), 0, 0, 0)
    found = jnp.concatenate([_cells(empty), head, _cells(recess & ~empty), reward, _pieces(laid)])
    return jnp.pad(found, (0, features.PUZZLE_WORDS * features.WORD - found.shape[0]))


def _tiles(s: Position) -> Bytes:
    """The tile of this round first; those that never count and those of rounds that are over are left out."""
    if not s.layout.finesse:
        return jnp.zeros(FINESSE_ROUNDS * TILE_BYTES.shape[1], jnp.uint8)
    counts = s.rules.finesse & (s.phase != TOUCHES) & (s.phase != OVER)
    parts: list[Bytes] = []
    for n in range(FINESSE_ROUNDS):
        at = s.round - 1 + n
        there = counts & (at >= FACE_DOWN) & (at < FINESSE_ROUNDS)
        tile = only(there, byte(nth(s.tiles, at >> 2), at & 3))
        parts.append(jnp.asarray(TILE_BYTES)[tile] * there.astype(jnp.uint8))
    return jnp.concatenate(parts)
