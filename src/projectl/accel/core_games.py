"""Core's positions as array states and back, so that a game can begin, be compared or be shown in either engine."""

from collections.abc import Sequence
from functools import cache, lru_cache

import jax
import numpy as np

from projectl.accel.pieces import Pieces
from projectl.accel.state import CREDITS, GAME, LOCKS, PLAYER, PlayerState, State, has_credits
from projectl.accel.tables import (
    PLACEMENT_MASK,
    PLACEMENT_SHAPE,
    PLACES,
    RECESS_BITS,
    RIGHT_COLUMN,
    SIZE,
    Layout,
    two_words,
)
from projectl.accel.words import Fields, places, words_needed
from projectl.core.cards import Card, catalogue
from projectl.core.pieces import UNIT
from projectl.core.rules import Rules
from projectl.core.setup import new_game
from projectl.core.state import (
    Player,
    laid_placement,
    laid_spot,
    pile_card,
    pile_seat,
    reward_card,
    reward_place,
    spot,
)
from projectl.core.state import State as CoreState


@cache
def _card_numbers(own: tuple[Card, ...], layouts: tuple[Card, ...]) -> tuple[int, ...]:
    """For each card of a game its number in a layout, from 1; the last is for no card, which core counts as -1."""
    places = {card.id: n for n, card in enumerate(catalogue(layouts).cards, 1)}
    return (*(places[card.id] for card in catalogue(own).cards), 0)


TILE_WORDS = 3  # ten tiles, a byte each
_UNIT = [int(unit) for unit in UNIT]
_SHAPE = [int(shape) for shape in PLACEMENT_SHAPE]
_MASK = [int(mask) for mask in PLACEMENT_MASK]


def core_game(rules: Rules, seed: str | None) -> CoreState:
    """Core's first position: with the decks of a seed, or in id order."""
    return new_game(rules, seed)


def _pack(fields: Fields, numbers: dict[str, int]) -> tuple[int, ...]:
    words = [0] * words_needed(fields)
    for name, bits, at, shift in places(fields):
        number = int(numbers[name])
        assert 0 <= number < 1 << bits, (name, number)
        words[at] |= number << shift
    return tuple(words)


def _bytes(numbers: Sequence[int], words: int, a_word: int = 4) -> tuple[int, ...]:
    found = [0] * words
    for n, number in enumerate(numbers):
        found[n // a_word] |= number << (8 * (n % a_word))
    return tuple(found)


def _set(numbers: Sequence[int], words: int) -> tuple[int, ...]:
    found = [0] * words
    for number in numbers:
        found[number >> 5] |= 1 << (number & 31)
    return tuple(found)


def words_of(layout: Layout, s: CoreState) -> State:
    """A core position as a state of plain numbers. The layout must know the game's own cards."""
    seats = range(layout.seats)
    card = _card_numbers(s.rules.own, layout.own)
    piles: list[list[int]] = [[] for _ in range(layout.seats + 1)]
    for entry in s.finished:
        piles[pile_seat(int(entry))].append(card[pile_card(int(entry))] - 1)
    laid: list[list[int]] = [[] for _ in range(layout.seats * PLACES)]
    for piece in s.laid:
        laid[laid_spot(int(piece))].append(int(laid_placement(int(piece))))
    row = [card[int(each)] for each in s.row]
    slots = 3 if layout.solo else PLACES
    game = {name: getattr(s, name) for name, _ in GAME if hasattr(s, name)}
    game["white_left"], game["black_left"] = s.white_left(), s.black_left()
    return State(
        _pack(GAME, {name: int(number() if callable(number) else number) for name, number in game.items()}),
        Pieces(*two_words(int(s.reserve))),
        _bytes(row, -(-len(row) // slots), slots),
        _bytes([card[int(each)] for each in s.white[s.white_top :]], layout.white_words),
        _bytes([card[int(each)] for each in s.black[s.black_top :]], layout.black_words),
        tuple(_player(layout, s, seat, card, laid, piles[seat]) for seat in seats),
        _bytes(_queue(s, card), 1)[0],
        two_words(int(s.hand)) if layout.ghost else (),
        _pack(LOCKS, {name: s.locks[n] for n, (name, _) in enumerate(LOCKS)}) if layout.solo else (),
        _set(piles[1], layout.pile_words) if layout.solo else (),
        (_bytes([int(tile) for tile in s.tiles], TILE_WORDS) if layout.finesse else ()),
    )


def _queue(s: CoreState, card: tuple[int, ...]) -> list[int]:
    found = [0] * PLACES
    for entry in s.queue:
        found[reward_place(int(entry))] = card[reward_card(int(entry))]
    return found


def _player(
    layout: Layout, s: CoreState, seat: int, card: tuple[int, ...], laid: list[list[int]], pile: list[int]
) -> PlayerState:
    there = seat < len(s.players)
    player = s.players[seat] if there else _nobody()
    here = range(int(spot(seat, 0)), int(spot(seat, PLACES)))
    board = [_puzzle(s, at, card) for at in here] if there else [0] * PLACES
    on = [laid[at] for at in here]
    numbers = {name: int(getattr(player, name)) for name, _ in (*PLAYER, *CREDITS) if name != "can_place"}
    numbers["can_place"] = _can_place(int(player.supply), tuple(board))
    return PlayerState(
        Pieces(*two_words(int(player.supply))),
        tuple(board),
        tuple(Pieces(*two_words(sum(_UNIT[_SHAPE[p]] for p in placements))) for placements in on),
        _joins(on) if layout.shows_pieces else (),
        _set(pile, layout.pile_words),
        _pack(PLAYER, numbers),
        _pack(CREDITS, numbers) if has_credits(layout) else (),
        _bytes([card[each] for each in s.unused_ambassadors(seat)], layout.unused_words),
    )


def _nobody() -> Player:
    player = Player()
    player.quiet = False
    return player


def _puzzle(s: CoreState, at: int, card: tuple[int, ...]) -> int:
    here = int(s.board[at])
    return card[here] << RECESS_BITS | int(s.cards.recess[here]) & ~int(s.filled[at]) if here >= 0 else 0


@lru_cache(4096)
def _can_place(supply: int, board: tuple[int, ...]) -> bool:
    there = [mask for mask, shape in zip(_MASK, _SHAPE, strict=True) if supply & 31 * _UNIT[shape]]
    return any(puzzle & mask == mask for puzzle in board if puzzle for mask in there)


def _joins(on: list[list[int]]) -> tuple[int, ...]:
    across = [sum(_MASK[p] & _MASK[p] >> 1 & ~RIGHT_COLUMN for p in placements) for placements in on]
    return (*across, *(sum(_MASK[p] & _MASK[p] >> SIZE for p in placements) for placements in on))


def stacked(states: Sequence[State]) -> State:
    """States of plain numbers as one batch, the games along the first axis."""
    return jax.tree.map(lambda *numbers: np.array(numbers, np.uint32), *states)


def first_state(layout: Layout, rules: Rules | None = None) -> State:
    """The first position of a game in plain numbers, its cards in id order; without rules only the structure counts."""
    rules = rules or Rules(1 if layout.solo else layout.seats, "2023")
    return jax.tree.map(np.uint32, words_of(layout, core_game(rules, None)))
