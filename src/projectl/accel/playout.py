"""Aimless play of many games for many decisions, new games following those that are over: the measure of speed.

In two ways: left to the compiler, which makes some dozens of kernels of a decision, and as one kernel in which every
thread plays its game by itself, all of it in registers.
"""

from collections.abc import Callable
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from projectl.accel.choose import choose
from projectl.accel.env import Env
from projectl.accel.setup import Deal
from projectl.accel.state import State
from projectl.accel.tables import TABLES
from projectl.accel.words import Flag, Kernel, Table, Word, seam

Draw = Callable[[Flag, Word], Deal]  # the cards for the games that are over, out of a random number


def mixed(number: Word) -> Word:
    """A word scattered over all words (PCG's output hash)."""
    number = number * np.uint32(747796405) + np.uint32(2891336453)
    number = ((number >> ((number >> 28) + 4)) ^ number) * np.uint32(277803737)
    return (number >> 22) ^ number


Playing = tuple[State, Word, Word]  # the games, how many have ended, the random numbers' state


def decide(env: Env, draw: Draw, at: Word, playing: Playing) -> Playing:
    """Choose, carry out, and begin anew where a game is over."""
    state, ended, dice = playing
    dice = mixed(dice + at)
    first, second, third = mixed(dice), mixed(dice + np.uint32(0x9E3779B9)), mixed(dice ^ np.uint32(0x85EBCA6B))
    state = seam(env.step(state, choose(env.layout, env.options(state), first, second)))
    over = state.terminated
    state = env.reset_if_over(state, draw(over, third))
    return state, ended + over.astype(jnp.uint32), dice


def start(states: State, seed: Word) -> Playing:
    """Games with random numbers of their own."""
    games = states.queue.shape[0]
    number = jnp.arange(games, dtype=jnp.uint32)
    return states, jnp.zeros(games, jnp.uint32), mixed(mixed(number) ^ seed)


def random_play(env: Env, states: State, bank: Deal, seed: Word, steps: int) -> tuple[State, Word]:
    """So many decisions in each game; how many games ended. Cards come from a bank of deals."""
    deals = jax.tree.leaves(bank)[0].shape[0]

    def draw(over: Flag, number: Word) -> Deal:
        return jax.tree.map(lambda cards: cards[number % deals], bank)

    def decision(playing: Playing, at: Word) -> tuple[Playing, None]:
        return decide(env, draw, at, playing), None

    (states, ended, _), _ = jax.lax.scan(decision, start(states, seed), jnp.arange(steps, dtype=jnp.uint32))
    return states, jnp.sum(ended)


# --- one kernel -------------------------------------------------------------------------------


def _tables_of(env: Env) -> list[Table]:
    """The tables that a decision may look at."""
    return [*env.layout.cards, *TABLES]


def random_play_in_kernel(
    env: Env,
    states: State,
    bank: Deal,
    seed: Word,
    steps: int,
    block: int = 128,
    warps: int = 4,
    interpret: bool = False,
) -> tuple[State, Word]:
    """The same games as `random_play`, each block of them played by one program of a Triton kernel."""
    from jax.experimental.pallas import triton as plgpu

    playing, structure = jax.tree.flatten(start(states, seed))
    deals, deal_structure = jax.tree.flatten(bank)
    tables = _tables_of(env)
    size = deals[0].shape[0]

    def kernel(*refs: jax.Array) -> None:
        given, table_refs, deal_refs, results = _split(list(refs), len(playing), len(tables), len(deals))

        def draw(over: Flag, number: Word) -> Deal:
            index = (number % np.uint32(size)).astype(jnp.int32)
            return deal_structure.unflatten([plgpu.load(ref.at[index], mask=over, other=0) for ref in deal_refs])

        def decision(at: jax.Array, words: list[Word]) -> list[Word]:
            return jax.tree.leaves(decide(env, draw, at.astype(jnp.uint32), structure.unflatten(words)))

        Kernel.tables = {id(table): partial(_entry, ref) for table, ref in zip(tables, table_refs, strict=True)}
        try:
            words = jax.lax.fori_loop(0, steps, decision, [ref[...] for ref in given])
        finally:
            Kernel.tables = None
        for ref, word in zip(results, words, strict=True):
            ref[...] = word

    found = _by_blocks(kernel, playing, [*tables, *deals], block, warps, interpret)
    states, ended, _ = structure.unflatten(found)
    return states, jnp.sum(ended)


def _by_blocks(
    kernel: Callable[..., None], games: list[jax.Array], read: list[jax.Array], block: int, warps: int, interpret: bool
) -> list[jax.Array]:
    """The games after a kernel, which sees a block of them at a time and all that there is to read."""
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import triton as plgpu

    mine = pl.BlockSpec((block,), lambda i: (i,))
    found: list[jax.Array] = pl.pallas_call(
        kernel,
        grid=(games[0].shape[0] // block,),
        in_specs=[mine] * len(games) + [pl.BlockSpec(each.shape, lambda i: (0,)) for each in read],
        out_specs=[mine] * len(games),
        out_shape=[jax.ShapeDtypeStruct(each.shape, each.dtype) for each in games],
        input_output_aliases={n: n for n in range(len(games))},
        compiler_params=plgpu.CompilerParams(num_warps=warps, num_stages=1),
        interpret=interpret,
    )(*games, *read)
    return found


def _entry(ref: jax.Array, index: Word) -> Word:
    return ref[index.astype(jnp.int32)]


def _split(refs: list[jax.Array], *sizes: int) -> list[list[jax.Array]]:
    """A list cut into parts of these sizes and the rest."""
    found: list[list[jax.Array]] = []
    for size in sizes:
        found.append(refs[:size])
        refs = refs[size:]
    return [*found, refs]
