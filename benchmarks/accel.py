"""How many decisions a second the array engine makes: legal sets, a choice by kind, the step, new games after old.

PYTHONPATH=src python benchmarks/accel.py                       every configuration below, in 300 seconds
PYTHONPATH=src python benchmarks/accel.py --only base --batches 65536 262144 1048576 --seconds 120
"""

import argparse
import time
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp

from projectl.accel import Env, State, make
from projectl.accel.playout import random_play, random_play_in_kernel
from projectl.accel.setup import Deal
from projectl.accel.words import compiler_options

CONFIGURATIONS: dict[str, tuple[int, str, tuple[str, ...]]] = {
    "base": (2, "2023", ()),
    "everything": (2, "2023", ("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador")),
    "solo": (1, "2023", ()),
    "four": (4, "2023", ()),
    "ghost": (2, "2023", ("ghost",)),
    "base-2019": (2, "2019", ()),
}
DEALS = 16384
WAYS = {"compiler": random_play, "kernel": random_play_in_kernel}


def operations(env: Env) -> int:
    """Elementary operations of one decision, as they are written down, before any compiler."""
    state = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct((1,), leaf.dtype), env.first)
    bank = jax.eval_shape(jax.vmap(env.deal), jax.random.split(jax.random.key(0), 1))
    traced = jax.make_jaxpr(partial(random_play, env, steps=1))(state, bank, jnp.uint32(0))
    return _count(traced.jaxpr)


def _count(jaxpr: object) -> int:
    found = 0
    for equation in jaxpr.eqns:  # type: ignore[attr-defined]
        inner = [value for value in equation.params.values() if hasattr(value, "jaxpr") or hasattr(value, "eqns")]
        found += sum(_count(getattr(each, "jaxpr", each)) for each in inner) or 1
    return found


def same(env: Env, games: int = 4096, steps: int = 400) -> bool:
    """Whether both ways play the same games."""
    bank, states = _begin(env, games)
    ends = [
        jax.jit(partial(way, env, steps=steps), compiler_options=compiler_options())(states, bank, jnp.uint32(7))
        for way in WAYS.values()
    ]
    pairs = zip(*(jax.tree.leaves(end) for end in ends), strict=True)
    return all(bool(jnp.array_equal(one, other)) for one, other in pairs)


def _begin(env: Env, games: int) -> tuple[Deal, State]:
    bank = jax.jit(jax.vmap(env.deal))(jax.random.split(jax.random.key(1), DEALS))
    return bank, jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(2), games))


class Measured(NamedTuple):
    """What came out of some calls."""

    rate: float  # decisions a second, the best of the calls
    compiled: float  # seconds
    ended: float  # games, for each decision
    moved: float  # bytes of memory a decision, as the compiler counts them


def measure(env: Env, way: str, batch: int, steps: int, seconds: float) -> Measured:
    """Compile, and play for so long."""
    bank, states = _begin(env, batch)
    begun = time.monotonic()
    jitted = jax.jit(partial(WAYS[way], env, steps=steps), donate_argnums=0, compiler_options=compiler_options())
    play = jitted.lower(states, bank, jnp.uint32(0)).compile()
    compiled = time.monotonic() - begun
    states, ended = play(states, bank, jnp.uint32(0))
    ended.block_until_ready()
    best, calls, total = float("inf"), 0, 0
    begun = time.monotonic()
    while calls < 2 or time.monotonic() - begun < seconds:
        calls += 1
        since = time.monotonic()
        states, ended = play(states, bank, jnp.uint32(calls))
        total += int(ended)
        best = min(best, time.monotonic() - since)
    moved = play.cost_analysis().get("bytes accessed", 0.0) / batch  # of one round of the loop
    return Measured(batch * steps / best, compiled, total / (batch * steps * calls), moved)


def main() -> None:
    """Measure what is asked for, as long as there is time."""
    on_cpu = jax.default_backend() == "cpu"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=list(CONFIGURATIONS), default=list(CONFIGURATIONS))
    ways = ["compiler"] if on_cpu else list(WAYS)
    parser.add_argument("--ways", nargs="*", choices=ways, default=ways)
    parser.add_argument("--check", action="store_true", help="see first that both ways play the same games")
    parser.add_argument("--batches", nargs="*", type=int, default=[1024] if on_cpu else [65536, 262144, 1048576])
    parser.add_argument("--steps", type=int, default=50, help="decisions of one call")
    parser.add_argument("--each", type=float, default=3, help="seconds for each figure, compiling aside")
    parser.add_argument("--seconds", type=float, default=300, help="begin nothing new after so long")
    asked = parser.parse_args()
    begun = time.monotonic()
    print(f"{jax.devices()[0].device_kind}, jax {jax.__version__}", flush=True)
    for name in asked.only:
        players, edition, modules = CONFIGURATIONS[name]
        env = make(players, edition, modules, max_rounds=60)
        words = len(jax.tree.leaves(env.first))
        print(f"{name}: {4 * words} bytes a state, {operations(env)} operations a decision", flush=True)
        if asked.check:
            print(f"  both ways play the same games: {same(env)}", flush=True)
        for way in asked.ways:
            for batch in asked.batches:
                if time.monotonic() - begun > asked.seconds:
                    print("out of time", flush=True)
                    return
                found = measure(env, way, batch, asked.steps, asked.each)
                length = f"{1 / found.ended:.0f} decisions a game" if found.ended else "no game ended"
                moved = f"{found.moved:.0f} bytes moved a decision"
                speed = f"{found.rate / 1e6:8.2f} M decisions/s, {length}, {moved}, compiled in {found.compiled:.0f} s"
                print(f"  {way}, batch {batch:8}: {speed}", flush=True)


if __name__ == "__main__":
    main()
