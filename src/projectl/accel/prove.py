"""The proof that both engines are one: core plays games, the array engine repeats their decisions, and after every
decision the whole position and the whole legal set are compared by two 32-bit digests each.

python -m projectl.accel.prove --games 100000 --seconds 500
"""

import argparse
import multiprocessing
import os
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from projectl.accel import engine, legal, mask, score
from projectl.accel.core_games import first_state
from projectl.accel.core_play import Digests, Trace, any_rules, decision_weights, played, small_cards, weights
from projectl.accel.state import State, unpacked
from projectl.accel.tables import (
    DECISIONS,
    MOST_PLAYERS,
    Layout,
    Numbers,
    layout_of,
    numbers_of,
    widest_layout,
)
from projectl.accel.words import Word, compiler_options
from projectl.core.rules import Rules

_APART = 10_000_000  # the games of different groups have different seeds
CHUNK = 32  # decisions of one call: games are of any length


class Group(NamedTuple):
    """Games that share a layout, and so one compilation. With fixed rules they are compiled in."""

    name: str
    layout: Layout
    players: tuple[int, ...]
    rules: Rules | None = None

    def rules_of(self, seed: str) -> Rules:
        """The rules of one game of the group."""
        return self.rules or any_rules(random.Random(seed), self.players)


def widest_groups() -> list[Group]:
    """Every game there is, in two layouts."""
    own = small_cards(("ghost", "ambassador"))
    return [
        Group("every standard game", widest_layout(False, own), tuple(range(2, MOST_PLAYERS + 1))),
        Group("every solo game", widest_layout(True, own), (1,)),
    ]


def fixed_group(rules: Rules) -> Group:
    """One game in the layout and with the code that a user of it gets."""
    return Group(repr(rules), layout_of(rules), (int(rules.players),), rules)


FIXED = (
    Rules(2, max_rounds=60),
    Rules(1, max_rounds=60),
    Rules(4, "2019", ("ghost", "ambassador")),
    Rules(2, "2023", ("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador")),
)


def digests(layout: Layout, rules: Numbers, state: State) -> Word:
    """Two of the position, two of the legal set."""
    leaves = jax.tree.leaves(state)
    found = [sum(leaf * weight for leaf, weight in zip(leaves, row, strict=True)) for row in weights(len(leaves))]
    there = mask.mask(legal.options(unpacked(layout, rules, state)))
    sets = jnp.sum(jnp.where(there, decision_weights(), np.uint32(0)), axis=1, dtype=jnp.uint32)
    return jnp.concatenate([jnp.stack(found), sets])


class Repeater:
    """The array engine's side: it repeats games of one group in batches of one size."""

    def __init__(self, group: Group, batch: int) -> None:
        self.group, self.batch = group, batch
        fixed = None if group.rules is None else numbers_of(group.rules)
        self.structure = jax.tree.structure(first_state(group.layout))
        numbers = jax.vmap(partial(self._chunk, fixed), in_axes=(0, 0, 0))
        states = self.structure.unflatten([np.zeros(batch, np.uint32)] * self.structure.num_leaves)
        given = Numbers._make(np.zeros(batch, kind) for kind in Numbers.__annotations__.values())
        lowered = jax.jit(numbers).lower(given, states, np.zeros((batch, CHUNK), np.uint32))
        self.run = lowered.compile(compiler_options=compiler_options())

    def _chunk(self, fixed: Numbers | None, given: Numbers, state: State, decisions: Word) -> tuple[State, Word, Word]:
        """Some decisions of one game: where they lead, the digests before each, and scores and winners at the end."""
        layout, rules = self.group.layout, fixed or given

        def decide(state: State, decision: Word) -> tuple[State, Word]:
            before = digests(layout, rules, state)
            return engine.apply(layout, rules, state, decision), before

        state, found = jax.lax.scan(decide, state, decisions)
        outcome = score.result(unpacked(layout, rules, state))
        return state, found, jnp.stack([outcome.scores, outcome.winners.astype(jnp.int32)])

    def wrong(self, traces: list[Trace]) -> list[tuple[int, int]]:
        """The games that differ, with the number of decisions after which they first do."""
        found: dict[int, int] = {}
        games = len(traces)
        filled = traces + [traces[0]] * (self.batch - games)
        given = Numbers._make(map(np.array, zip(*(numbers_of(trace.rules) for trace in filled), strict=True)))
        states = self.structure.unflatten(list(np.array([trace.first for trace in filled], np.uint32).T))
        longest = max(len(trace.decisions) for trace in traces) + 1
        for start in range(0, longest, CHUNK):
            decisions = np.full((self.batch, CHUNK), DECISIONS, np.uint32)
            for n, trace in enumerate(filled):
                part = trace.decisions[start : start + CHUNK]
                decisions[n, : len(part)] = part
            states, seen, outcome = self.run(given, states, decisions)
            for n, at in _differences(traces, np.asarray(seen), start):
                found.setdefault(n, at)
        for n, trace in enumerate(traces):
            if trace.scores and not _same_result(trace, np.asarray(outcome[n])):
                found.setdefault(n, len(trace.decisions))
        return sorted(found.items())


def _differences(traces: list[Trace], seen: Digests, start: int) -> Iterator[tuple[int, int]]:
    for n, trace in enumerate(traces):
        expected = trace.digests[start : start + CHUNK]
        differs = (seen[n, : len(expected)] != expected).any(axis=1)
        if differs.any():
            yield n, start + int(differs.argmax())


def _same_result(trace: Trace, outcome: np.ndarray) -> bool:
    scores, winners = outcome
    seats = len(trace.scores)
    return tuple(scores[:seats]) == trace.scores and tuple(np.flatnonzero(winners)) == trace.winners


def core_games(groups: list[Group], job: tuple[int, int, int]) -> tuple[int, list[Trace]]:
    """A worker's job: some games of one group."""
    group, first, count = job
    chosen = groups[group]
    return group, [
        played(chosen.layout, chosen.rules_of(str(number)), str(number)) for number in range(first, first + count)
    ]


class Tally(NamedTuple):
    """What was compared."""

    games: Counter[str]
    decisions: Counter[str]
    wrong: list[tuple[str, str, int]]  # the rules, what the group is, after how many decisions


def prove(groups: list[Group], jobs: Iterable[tuple[int, list[Trace]]], batch: int) -> Tally:
    """Repeat all games that core played; what was compared and what differs."""
    tally = Tally(Counter(), Counter(), [])
    repeaters: dict[int, Repeater] = {}
    waiting: dict[int, list[Trace]] = {n: [] for n in range(len(groups))}
    begun = time.monotonic()

    def repeat(group: int, traces: list[Trace]) -> None:
        if group not in repeaters:
            print(f"{time.monotonic() - begun:6.0f} s: compiling for {groups[group].name}", flush=True)
            repeaters[group] = Repeater(groups[group], batch)
        for n, at in repeaters[group].wrong(traces):
            tally.wrong.append((repr(traces[n].rules), groups[group].name, at))
            print("DIFFERS:", *tally.wrong[-1], flush=True)
        tally.games[groups[group].name] += len(traces)
        tally.decisions[groups[group].name] += sum(len(trace.decisions) for trace in traces)
        done = f"{sum(tally.games.values())} games, {sum(tally.decisions.values())} decisions"
        print(f"{time.monotonic() - begun:6.0f} s: {done}, {len(tally.wrong)} differ", flush=True)

    for group, traces in jobs:
        waiting[group] += traces
        while len(waiting[group]) >= batch:
            repeat(group, waiting[group][:batch])
            waiting[group] = waiting[group][batch:]
    for group, traces in waiting.items():
        if traces:
            repeat(group, traces)
    return tally


def _jobs(groups: list[Group], games: int, a_job: int) -> list[tuple[int, int, int]]:
    """Half of the games in the widest layouts, the rest with fixed rules, in small portions by turns."""
    widest = [n for n, group in enumerate(groups) if group.rules is None]
    rest = [n for n, group in enumerate(groups) if group.rules is not None]
    shares = [(n, games // (2 if rest else 1) // len(widest)) for n in widest]
    shares += [(n, games // 2 // len(rest)) for n in rest]
    jobs = [
        (n, n * 10_000_000 + start, min(a_job, share - start))
        for n, share in shares
        for start in range(0, share, a_job)
    ]
    return sorted(jobs, key=lambda job: job[1] % _APART)


def main() -> None:
    """Prove it, and say how it went."""
    parser = argparse.ArgumentParser(description="Play games with core and repeat them with the array engine.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=500, help="begin no more games after so long")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--fixed", type=int, default=len(FIXED), help="how many games also get code of their own")
    asked = parser.parse_args()
    groups = widest_groups() + [fixed_group(rules) for rules in FIXED[: asked.fixed]]
    jobs = _jobs(groups, asked.games, max(1, min(50, asked.games // 64)))
    print(f"{jax.devices()[0]}, {asked.processes} processes for core, {len(groups)} groups", flush=True)
    begun = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:

        def in_time() -> Iterator[tuple[int, list[Trace]]]:
            for found in pool.imap_unordered(partial(core_games, groups), jobs):
                yield found
                if time.monotonic() - begun > asked.seconds:
                    print("out of time: the games so far are repeated, no more begun", flush=True)
                    return

        tally = prove(groups, in_time(), asked.batch)
        pool.terminate()
    for name, games in sorted(tally.games.items()):
        print(f"{games:8} games, {tally.decisions[name]:10} decisions: {name}")
    games, decisions = sum(tally.games.values()), sum(tally.decisions.values())
    print(f"{games} games, {decisions} decisions in {time.monotonic() - begun:.0f} s: {len(tally.wrong)} games differ")
    raise SystemExit(1 if tally.wrong or not games else 0)


if __name__ == "__main__":
    main()
