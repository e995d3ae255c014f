"""The environment: what a user of pgx or gymnax knows, over the rules as array code."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from projectl.accel import choose, engine, legal, mask, score, setup
from projectl.accel.core_games import core_game, first_state, stacked, words_of
from projectl.accel.setup import Deal
from projectl.accel.state import State, unpacked
from projectl.accel.tables import DECISIONS, OVER, Layout, Numbers, Stock, layout_of, numbers_of, stock_of
from projectl.accel.words import Flag, Word
from projectl.core.rules import Rules
from projectl.core.state import State as CoreState


class Env(NamedTuple):
    """One configuration. Every method works on one game; `jax.vmap` and `jax.jit` make many of it.

    A decision is one of core's 2826 numbers. A state has `current_player` and `terminated`; the rest is asked for here.
    """

    rules: Rules
    layout: Layout
    numbers: Numbers
    stock: Stock
    first: State  # the first position, its cards not dealt yet

    @property
    def num_actions(self) -> int:
        return DECISIONS

    @property
    def num_players(self) -> int:
        """Seats; the mastermind is none."""
        return int(self.rules.players)

    def init(self, key: jax.Array) -> State:
        """A new game with decks shuffled by the key."""
        return setup.new_game(jax.tree.map(jnp.asarray, self.first), setup.deal(self.stock, key))

    def step(self, state: State, action: jax.Array) -> State:
        """The position after a legal decision of `state.current_player`; over stays over."""
        return engine.apply(self.layout, self.numbers, state, action)

    def options(self, state: State) -> legal.Options:
        """The legal decisions as sets of bits, by kind: cheap."""
        return legal.options(unpacked(self.layout, self.numbers, state))

    def legal_action_mask(self, state: State) -> Flag:
        """The legal decisions as 2826 truth values: dear, ask only where a network needs them."""
        return mask.mask(self.options(state))

    def random_action(self, state: State, key: jax.Array) -> Word:
        """A kind of decision at random, then one of that kind."""
        bits = jax.random.bits(key, (2,), jnp.uint32)
        return choose.choose(self.layout, self.options(state), bits[0], bits[1])

    def deal(self, key: jax.Array) -> Deal:
        """The cards of a new game."""
        return setup.deal(self.stock, key)

    def reset_if_over(self, state: State, dealt: Deal) -> State:
        """A new game with these cards where the old one is over."""
        return setup.reset(state.phase == OVER, state, self.first, dealt)

    def scores(self, state: State) -> jax.Array:
        """Points by seat, as they stand; in solo the mastermind's follow."""
        return score.result(unpacked(self.layout, self.numbers, state)).scores

    def winners(self, state: State) -> Flag:
        """Who has won, by seat; nobody before the end."""
        return score.result(unpacked(self.layout, self.numbers, state)).winners

    def rewards(self, state: State) -> jax.Array:
        """By seat, 0 before the end; they sum to 0."""
        return score.rewards(unpacked(self.layout, self.numbers, state))

    def from_core(self, games: list[CoreState]) -> State:
        """Core's positions as one batch."""
        return stacked([words_of(self.layout, game) for game in games])

    def new_core_game(self, seed: str) -> CoreState:
        """Core's game with the decks of a portable seed."""
        return core_game(self.rules, seed)


def make(
    players: int = 2,
    edition: str = "2023",
    modules: tuple[str, ...] = (),
    *,
    shows_pieces: bool = False,
    **options: object,
) -> Env:
    """The environment for a game; `options` are core's (`max_rounds`, `difficulty` ...)."""
    return make_for(Rules(players, edition, modules, **options), shows_pieces)  # type: ignore[arg-type]


def make_for(rules: Rules, shows_pieces: bool = False) -> Env:
    """The environment for core's rules, no wider than they need."""
    layout = layout_of(rules, shows_pieces)
    return Env(rules, layout, numbers_of(rules), stock_of(rules), first_state(layout, rules))
