"""Setting games up with random decks. `core_games` begins with the decks of a portable seed instead."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from projectl.accel.state import State
from projectl.accel.tables import Stock
from projectl.accel.words import Flag, Word, when


class Deal(NamedTuple):
    """What chance decides: the face-up cards, the decks and the Finesse tiles."""

    row: tuple[Word, ...]
    white: tuple[Word, ...]
    black: tuple[Word, ...]
    tiles: tuple[Word, ...]


def _words(cards: Word, a_word: int) -> tuple[Word, ...]:
    """Cards, top first, as words of so many."""
    padded = jnp.pad(cards, (0, -cards.shape[0] % a_word)).reshape(-1, a_word)
    return tuple(jnp.sum(padded << (8 * np.arange(a_word, dtype=np.uint32)), axis=1, dtype=jnp.uint32))


def deal(stock: Stock, key: jax.Array) -> Deal:
    """Shuffle the decks and draw the tiles."""
    keys = jax.random.split(key, 3)
    white = jax.random.permutation(keys[0], stock.white)[: stock.whites]
    black = jax.random.permutation(keys[1], stock.black)[: stock.blacks]
    tiles = _words(_tiles(stock, keys[2]), 4) if stock.tiles else ()
    if stock.grid:
        deck = jnp.concatenate([white, black])
        return Deal(_words(deck[:9], 3), _words(deck[9:], 4), (), tiles)
    row = (*_words(white[:4], 4), *_words(black[:4], 4))
    return Deal(row, _words(white[4:], 4), _words(black[4:], 4), tiles)


def _tiles(stock: Stock, key: jax.Array) -> Word:
    """Some of each set, then all of them in a new order."""
    *draws, order = jax.random.split(key, len(stock.tiles) + 1)
    row = [jax.random.permutation(draw, pool)[:n] for draw, (pool, n) in zip(draws, stock.tiles, strict=True)]
    return jax.random.permutation(order, jnp.concatenate(row))


def new_game(first: State, dealt: Deal) -> State:
    """The first position of a game with these cards."""
    return first._replace(row=dealt.row, white=dealt.white, black=dealt.black, tiles=dealt.tiles)


def reset(over: Flag, state: State, first: State, dealt: Deal) -> State:
    """A new game where the old one is over."""
    return when(over, new_game(first, dealt), state)
