"""Many kinds of game side by side in one batch: each slot keeps its rules, and deals them anew when a game is over."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from projectl.accel import engine, legal, mask, score, setup
from projectl.accel.core_games import core_game, words_of
from projectl.accel.observe import SaidAlike, about, observe
from projectl.accel.setup import Deal
from projectl.accel.state import State, unpacked
from projectl.accel.tables import (
    GRID,
    OVER,
    PLACES,
    TILE_BYTES,
    TILES_DRAWN,
    Layout,
    Numbers,
    Stock,
    layout_of,
    numbers_of,
    stock_of,
)
from projectl.accel.words import Flag, Word, when
from projectl.core import features
from projectl.core.rules import Rules

T = TypeVar("T")


class KindShare(NamedTuple):
    """So many slots for one kind of game."""

    rules: Rules
    slots: int


class Seen(NamedTuple):
    """What is asked of a position before somebody decides."""

    observation: jax.Array
    legal: Flag
    seat: Word


class After(NamedTuple):
    """What is asked of a position after a decision."""

    over: Flag
    points: jax.Array  # by seat: of the pile while the game runs, then the score; the mastermind's follow
    won: jax.Array  # by seat: the share of the win


def covering(kinds: Sequence[Rules]) -> Layout:
    """The smallest layout that plays all these games."""
    each = [layout_of(kind) for kind in kinds]
    return each[0]._replace(
        **{
            name: max(getattr(one, name) for one in each)
            for name in Layout._fields
            if name not in ("own", "solo", "shows_pieces")
        }
    )


class Mixture:
    """A batch of games: all with a mastermind, or none."""

    def __init__(self, shares: Sequence[KindShare]) -> None:
        self.shares = list(shares)
        kinds = [share.rules for share in shares]
        self.layout = covering(kinds)
        self.slots = sum(share.slots for share in shares)
        self.numbers: Numbers = self._per_slot([numbers_of(kind) for kind in kinds])
        self.about: SaidAlike = self._per_slot([about(kind) for kind in kinds])
        firsts = [jax.tree.map(np.uint32, words_of(self.layout, core_game(kind, None))) for kind in kinds]
        self.first: State = self._per_slot(firsts)
        stocks = [stock_of(kind) for kind in kinds]
        self.stock: DrawPool = self._per_slot([_pool(stock) for stock in stocks])
        self.most = max(stock.whites for stock in stocks), max(stock.blacks for stock in stocks)
        self.kind = np.repeat(np.arange(len(shares)), [share.slots for share in shares])
        self.seats = np.array([int(kind.players) for kind in kinds])[self.kind]
        self.players = np.maximum(self.seats, 2)  # the mastermind counts

    def _per_slot(self, each: Sequence[T]) -> T:
        """What each kind of game has, once for each of its slots."""
        counts = [share.slots for share in self.shares]
        return jax.tree.map(lambda *parts: np.repeat(np.stack(parts), counts, axis=0), *each)

    def deal(self, key: jax.Array) -> State:
        """A new game in every slot."""
        whites, blacks, *draws = jax.random.split(key, 6)
        white = _drawn(whites, self.stock.white, self.stock.whites, self.most[0])
        black = _drawn(blacks, self.stock.black, self.stock.blacks, self.most[1])
        tiles = _packed(_tiles(draws, self.stock), PLACES) if self.layout.finesse else ()
        if self.layout.solo:
            deck = _joined(white, black, self.stock.whites)
            dealt = Deal(_packed(deck[:, :GRID], 3), _packed(deck[:, GRID:], PLACES), (), tiles)
        else:
            row = (*_packed(white[:, :PLACES], PLACES), *_packed(black[:, :PLACES], PLACES))
            dealt = Deal(row, _packed(white[:, PLACES:], PLACES), _packed(black[:, PLACES:], PLACES), tiles)
        first = jax.tree.map(jnp.asarray, self.first)
        filled = Deal(
            dealt.row,
            _cut(dealt.white, self.layout.white_words, first.queue),
            _cut(dealt.black, self.layout.black_words, first.queue),
            dealt.tiles,
        )
        return setup.new_game(first, filled)

    def look(self, states: State) -> Seen:
        """What the acting seats see and may decide."""

        def one(numbers: Numbers, common: SaidAlike, state: State) -> Seen:
            position = unpacked(self.layout, numbers, state)
            return Seen(observe(position, common), mask.mask(legal.options(position)), position.seat)

        return jax.vmap(one)(self.numbers, self.about, states)

    def step(self, states: State, decisions: jax.Array) -> State:
        """Carry decisions out; games that are over stay so."""
        return jax.vmap(lambda numbers, state, decision: engine.apply(self.layout, numbers, state, decision))(
            self.numbers, states, decisions.astype(jnp.uint32)
        )

    def after(self, states: State) -> After:
        """Whether games are over, and how they stand."""

        def one(numbers: Numbers, state: State) -> After:
            position = unpacked(self.layout, numbers, state)
            found = score.result(position)
            running = [(player.points - player.touches).astype(jnp.int32) for player in position.players]
            if self.layout.solo:
                running.append(found.scores[1])
            over = position.phase == OVER
            points = jnp.where(over, found.scores, jnp.stack(running))
            return After(over, points, found.winners / jnp.maximum(found.winners.sum(), 1))

        return jax.vmap(one)(self.numbers, states)

    def renew(self, over: Flag, states: State, fresh: State) -> State:
        """New games where the old ones are over."""
        return when(over, fresh, states)


class DrawPool(NamedTuple):
    """What each slot draws its cards and tiles from."""

    white: npt.NDArray[np.bool_]  # by card, counted from 1
    whites: npt.NDArray[np.int32]  # how many are used
    black: npt.NDArray[np.bool_]
    blacks: npt.NDArray[np.int32]
    tiles: tuple[npt.NDArray[np.bool_], ...]  # of each set


def _pool(stock: Stock) -> DrawPool:
    def marked(numbers: npt.NDArray[np.uint32], size: int) -> npt.NDArray[np.bool_]:
        return np.isin(np.arange(size), numbers)

    cards = features.SHIPPED + 1
    sets = [numbers for numbers, _ in stock.tiles] or [np.zeros(0, np.uint32)] * len(TILES_DRAWN)
    return DrawPool(
        marked(stock.white, cards),
        np.asarray(stock.whites, np.int32),
        marked(stock.black, cards),
        np.asarray(stock.blacks, np.int32),
        tuple(marked(numbers, len(TILE_BYTES)) for numbers in sets),
    )


def _order(key: jax.Array, there: npt.NDArray[np.bool_]) -> jax.Array:
    """The marked numbers in a random order, the others behind them."""
    return jnp.argsort(jnp.where(there, jax.random.uniform(key, there.shape), 2.0), axis=1).astype(jnp.uint32)


def _drawn(key: jax.Array, there: npt.NDArray[np.bool_], used: npt.NDArray[np.int32], most: int) -> jax.Array:
    """So many cards of each slot, top first, then none."""
    return jnp.where(np.arange(most) < used[:, None], _order(key, there)[:, :most], 0)


def _joined(white: jax.Array, black: jax.Array, whites: npt.NDArray[np.int32]) -> jax.Array:
    """The black cards under the white ones."""
    size = white.shape[1] + black.shape[1]
    at = np.arange(size)[None, :] - whites[:, None]
    under = jnp.take_along_axis(black, np.clip(at, 0, black.shape[1] - 1), 1) * ((at >= 0) & (at < black.shape[1]))
    return jnp.where(at < 0, jnp.pad(white, ((0, 0), (0, black.shape[1]))), under).astype(jnp.uint32)


def _tiles(keys: Sequence[jax.Array], stock: DrawPool) -> jax.Array:
    """Some of each set, then all of them in a new order."""
    *draws, mixing = keys
    found = [_order(key, pool)[:, :n] for key, pool, n in zip(draws, stock.tiles, TILES_DRAWN.values(), strict=True)]
    row = jnp.concatenate(found, 1)
    return jnp.take_along_axis(row, _order(mixing, np.ones(row.shape, bool)).astype(jnp.int32), 1)


def _packed(numbers: jax.Array, a_word: int) -> tuple[Word, ...]:
    """Bytes, so many a word."""
    filled = jnp.pad(numbers, ((0, 0), (0, -numbers.shape[1] % a_word))).reshape(numbers.shape[0], -1, a_word)
    words = jnp.sum(filled << (8 * np.arange(a_word, dtype=np.uint32)), axis=2, dtype=jnp.uint32)
    return tuple(words[:, n] for n in range(words.shape[1]))


def _cut(words: tuple[Word, ...], count: int, like: Word) -> tuple[Word, ...]:
    """Exactly so many words: what is missing or left over is 0."""
    return (*words[:count], *[jnp.zeros_like(like)] * (count - len(words)))
