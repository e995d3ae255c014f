"""What the array engine shows and deals: core's observations byte by byte, decks as the rules want them."""

import random
from collections.abc import Iterator

import pytest

pytest.importorskip("jax")

import jax
import numpy as np

from projectl.accel import make_for
from projectl.accel.core_games import core_game, stacked, words_of
from projectl.accel.core_play import choose
from projectl.accel.mixture import KindShare, Mixture
from projectl.accel.state import State
from projectl.accel.tables import layout_of, stock_of
from projectl.bots import look_at, make
from projectl.core.engine import apply
from projectl.core.features import MASK_SIZE, SIZE
from projectl.core.legal import legal
from projectl.core.observe import mask, observe
from projectl.core.rules import Rules
from projectl.core.state import LEVEL_UP, OVER, PLACING, PLAY, REWARD, TOUCHES
from projectl.core.state import State as CoreState

SLOTS, STEPS = 8, 150
ALL = ("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador")
STANDARD = [
    Rules(2, max_rounds=10),
    Rules(2, "2019", ("ghost", "ambassador"), max_rounds=10),
    Rules(3, "2020", max_rounds=10),
    Rules(4, modules=ALL, known_points=True),
    Rules(3, modules=("finesse",)),
    Rules(2, modules=ALL, max_rounds=10),
]
SOLO = [
    Rules(1, difficulty="unbeatable"),
    Rules(1, "2019", ("ghost",), difficulty="hard"),
    Rules(1, modules=ALL),
]
BATCHES = {"standard": STANDARD, "solo": SOLO}


def advanced(state: CoreState, rules: Rules, dice: random.Random) -> CoreState:
    """A random decision later, or a new game."""
    if state.phase == OVER:
        return core_game(rules, str(dice.random()))
    if state.phase < TOUCHES and dice.random() < 0.7:  # aimless play finishes hardly any puzzle
        seat = int(state.seat)
        apply(state, make("greedy", 1).decide(look_at(state, seat, 1.0)))
    else:
        apply(state, choose([int(decision) for decision in legal(state)], True, dice))
    return state


def played(kinds: list[Rules]) -> Iterator[list[CoreState]]:
    """Games side by side, after each decision."""
    dice = random.Random(1)
    slots = [rules for rules in kinds for _ in range(SLOTS)]
    games = [core_game(rules, str(n)) for n, rules in enumerate(slots)]
    for _ in range(STEPS):
        yield games
        games = [advanced(game, rules, dice) for game, rules in zip(games, slots, strict=True)]


@pytest.mark.parametrize("name", BATCHES)
def test_observations_masks_and_seats_are_those_of_core(name: str) -> None:
    kinds = BATCHES[name]
    mixture = Mixture([KindShare(rules, SLOTS) for rules in kinds])
    look = jax.jit(mixture.look)
    phases: set[int] = set()
    expected = np.zeros(SIZE, np.uint8)
    marks = np.zeros(MASK_SIZE, np.uint8)
    for step, games in enumerate(played(kinds)):
        seen = jax.device_get(look(stacked([words_of(mixture.layout, game) for game in games])))
        for n, game in enumerate(games):
            where = f"{game.rules!r}, step {step}"
            phases.add(int(game.phase))
            seat = int(game.seat)
            assert seen.seat[n] == seat, where
            observe(game, seat, expected.data)
            wrong = np.flatnonzero(seen.observation[n] != expected)
            assert not wrong.size, f"{where}: {wrong[:8]}"
            if game.phase != OVER:
                mask(game, seat, marks.data)
                assert (seen.legal[n] == marks).all(), where
    assert {PLAY, PLACING, TOUCHES, OVER} <= phases
    assert phases & {REWARD, LEVEL_UP}


def bytes_of(words: tuple[np.ndarray, ...], slot: int, a_word: int = 4) -> list[int]:
    """The bytes of packed words, without those that are 0 at the end."""
    found = [int(word[slot]) >> 8 * n & 255 for word in words for n in range(a_word)]
    while found and not found[-1]:
        found.pop()
    return found


def check_deal(state: State, slot: int, rules: Rules) -> tuple[int, ...]:
    """The cards are those of the game, as many as the rules want, none twice; all of them in their order."""
    stock = stock_of(rules)
    white, black = (set(cards.tolist()) for cards in (stock.white, stock.black))
    if stock.grid:
        deck = bytes_of(state.row, slot, 3) + bytes_of(state.white, slot)
        upper, lower = deck[: stock.whites], deck[stock.whites :]
    else:
        upper = bytes_of(state.row[:1], slot) + bytes_of(state.white, slot)
        lower = bytes_of(state.row[1:], slot) + bytes_of(state.black, slot)
    assert len(upper) == len(set(upper)) == stock.whites
    assert len(lower) == len(set(lower)) == stock.blacks
    assert set(upper) <= white
    assert set(lower) <= black
    if stock.tiles:
        size = sum(drawn for _, drawn in stock.tiles)
        tiles = [int(word[slot]) >> 8 * n & 255 for word in state.tiles for n in range(4)][:size]
        assert len(set(tiles)) == size
        for numbers, drawn in stock.tiles:
            assert len(set(tiles) & set(numbers.tolist())) == drawn
    return (*upper, *lower)


@pytest.mark.parametrize("name", BATCHES)
def test_deals_of_a_mixture_are_games_of_their_rules(name: str) -> None:
    mixture = Mixture([KindShare(rules, SLOTS) for rules in BATCHES[name]])
    state = jax.device_get(jax.jit(mixture.deal)(jax.random.key(5)))
    deals = [check_deal(state, n, mixture.shares[kind].rules) for n, kind in enumerate(mixture.kind)]
    assert len(set(deals)) == mixture.slots


@pytest.mark.parametrize("rules", [STANDARD[0], STANDARD[3], SOLO[0]], ids=repr)
def test_a_key_deals_a_game_of_the_rules(rules: Rules) -> None:
    env = make_for(rules)
    state = jax.device_get(jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(3), SLOTS)))
    assert len({check_deal(state, n, rules) for n in range(SLOTS)}) == SLOTS
    assert layout_of(rules).seats == env.num_players == len(state.players)
