"""Imitations of bots that think too long to be asked a million times a second: networks that decide as they do.

`python -m projectl.accel.imitate --out FOLDER --seconds 300` has the bots play, among themselves and against the
learned player, and writes `games.npz` and for each bot a network that learned from it, `planner.npz` say.
`python -m projectl.accel.train --guests FOLDER/planner.npz` lets them sit at its tables. `--games FILE` adds games
that were played before; with `--seconds 0` no others.
"""

import argparse
import multiprocessing
import os
import random
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from projectl.accel.learning import Learner, updated
from projectl.accel.self_play import JAX, NO, TABLES, rules_of
from projectl.bots import look_at, make, network
from projectl.bots.network import Weights
from projectl.bots.neural import WEIGHTS
from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.features import SIZE
from projectl.core.legal import legal, to_act
from projectl.core.observe import observe
from projectl.core.setup import new_game
from projectl.core.state import OVER

BOTS: Final = ("planner", "search-classic:40ms")
LEARNED: Final = "neural"
WITH_LEARNED: Final = 0.7  # of the games have the learned player at the table: there they are met in training
SECONDS: Final = 10.0  # for a decision; bots take what their names say
KEPT_BACK: Final = 16  # one game in so many is not learned from, but asked about
RATE: Final = 4e-4
BATCH = 1024  # decisions an update


class GameOfBots(NamedTuple):
    """A game: its number says the deal, who plays, and which kind it is."""

    number: int
    decisions: list[int]


def seats_of(number: int, bots: Sequence[str]) -> tuple[int, list[str]]:
    """Which kind of game has this number, and who sits where."""
    dice = random.Random(number)
    kind = dice.choices(range(len(TABLES)), [table[0] for table in TABLES])[0]
    seats = [dice.choice(bots)] * TABLES[kind][1]
    if dice.random() < WITH_LEARNED:
        seats[dice.randrange(len(seats))] = LEARNED
    else:
        seats = [dice.choice(bots) for _ in seats]
    return kind, seats


def played(bots: Sequence[str], number: int) -> GameOfBots:
    """Play the game of this number."""
    kind, seats = seats_of(number, bots)
    state = new_game(rules_of(TABLES[kind]), str(number))
    players = [make(bot, number * len(seats) + seat) for seat, bot in enumerate(seats)]
    decisions: list[int] = []
    while state.phase != OVER:
        seat = to_act(state)[0]
        decisions.append(players[seat].decide(look_at(state, seat, SECONDS)))
        apply(state, decisions[-1], seat)
    return GameOfBots(number, decisions)


def play(bots: Sequence[str], first: int, seconds: float, most: int, jobs: int) -> Iterator[GameOfBots]:
    """Games from this number on until the time is up, several at once."""
    deadline = time.monotonic() + seconds
    # Who plays needs no accelerator, and one position is too little for several threads.
    os.environ |= {"JAX_PLATFORMS": "cpu", "OPENBLAS_NUM_THREADS": "1"}
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        found = pool.imap_unordered(partial(played, bots), range(first, first + most))
        for done in count():
            try:
                yield found.next(max(0.0, deadline - time.monotonic()))
            except (StopIteration, multiprocessing.TimeoutError):
                print(f"{done} games", flush=True)
                return


def write(path: Path, games: Sequence[GameOfBots]) -> None:
    """Keep games."""
    sizes = [len(game.decisions) for game in games]
    decisions = np.array([decision for game in games for decision in game.decisions], np.int16)
    numbers = np.array([game.number for game in games], np.int64)
    network.write(path, {"numbers": numbers, "sizes": np.array(sizes, np.int32), "decisions": decisions})


def read(path: Path) -> list[GameOfBots]:
    """What `write` wrote."""
    found = network.read(path)
    ends = np.cumsum(found["sizes"])
    starts = ends - found["sizes"]
    return [
        GameOfBots(int(number), found["decisions"][start:end].tolist())
        for number, start, end in zip(found["numbers"], starts, ends, strict=True)
    ]


class Examples(NamedTuple):
    """What one bot saw, what it could decide, and what it decided."""

    seen: npt.NDArray[np.uint8]
    legal: npt.NDArray[np.bool_]
    decided: npt.NDArray[np.int32]
    kept_back: npt.NDArray[np.bool_]


def examples(games: Sequence[GameOfBots], bots: Sequence[str], bot: str) -> Examples:
    """All that one of the bots decided in these games."""
    seen: list[bytearray] = []
    may: list[list[int]] = []
    decided: list[int] = []
    kept_back: list[bool] = []
    for game in games:
        kind, seats = seats_of(game.number, bots)
        if bot not in seats:
            continue
        state = new_game(rules_of(TABLES[kind]), str(game.number))
        for decision in game.decisions:
            seat = to_act(state)[0]
            choices = legal(state, seat)
            if seats[seat] == bot and len(choices) > 1:
                row = bytearray(SIZE)
                observe(state, seat, row)
                seen.append(row)
                may.append(list(choices))
                decided.append(decision)
                kept_back.append(game.number % KEPT_BACK == 0)
            apply(state, decision, seat)
    marks = np.zeros((len(may), actions.COUNT), np.bool_)
    for n, row_of in enumerate(may):
        marks[n, row_of] = True
    rows = np.frombuffer(b"".join(seen), np.uint8).reshape(-1, SIZE)
    return Examples(rows, marks, np.array(decided, np.int32), np.array(kept_back, np.bool_))


def imitate(weights: Weights, shown: Examples, epochs: int, seats_used: int = 4) -> Weights:
    """The network that decides as shown, beginning with another."""

    def loss(weights: Weights, seen: jax.Array, legal: jax.Array, decided: jax.Array) -> jax.Array:
        scores = network.forward(weights, seen, JAX, seats_used).scores
        said = jax.nn.log_softmax(jnp.where(legal, scores, NO))
        return -jnp.take_along_axis(said, decided[:, None], 1).mean()

    def step(learner: Learner, seen: jax.Array, legal: jax.Array, decided: jax.Array, rate: jax.Array) -> Learner:
        return updated(learner, jax.grad(loss)(learner.weights, seen, legal, decided), rate)[0]

    def right(weights: Weights, seen: jax.Array, legal: jax.Array, decided: jax.Array) -> jax.Array:
        scores = network.forward(weights, seen, JAX, seats_used).scores
        return jnp.where(legal, scores, NO).argmax(-1) == decided

    take_step, are_right = jax.jit(step, donate_argnums=0), jax.jit(right)

    def share_right(weights: Weights) -> float:
        rows = np.flatnonzero(shown.kept_back)[: 8 * BATCH]
        return float(are_right(weights, shown.seen[rows], shown.legal[rows], shown.decided[rows]).mean())

    start = jax.tree.map(jnp.asarray, weights)
    none = jax.tree.map(jnp.zeros_like, start)
    learner = Learner(start, none, jax.tree.map(jnp.zeros_like, start), jnp.float32(0))
    rows, dice = np.flatnonzero(~shown.kept_back), np.random.default_rng(1)
    size = min(BATCH, len(rows))
    parts = len(rows) // size
    found = [share_right(learner.weights)]
    for epoch in range(epochs):
        order = dice.permutation(rows)
        for part in range(parts):
            some = order[part * size : (part + 1) * size]
            rate = jnp.float32(RATE * (1 - (epoch * parts + part) / (epochs * parts)))
            learner = take_step(learner, shown.seen[some], shown.legal[some], shown.decided[some], rate)
        found.append(share_right(learner.weights))
    print(f"{len(rows)} decisions; of others foretold: {', '.join(f'{share:.1%}' for share in found)}", flush=True)
    return learner.weights


def asked(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description="Make networks that decide as other bots do.")
    parser.add_argument("--out", required=True, type=Path, help="the folder for the games and the networks")
    parser.add_argument("--bots", nargs="+", default=list(BOTS), help="who is imitated")
    parser.add_argument("--seconds", type=float, default=300, help="how long they play")
    parser.add_argument("--games", type=Path, nargs="*", default=[], help="games that they have played already")
    parser.add_argument("--most", type=int, default=10**6, help="games that are played at the most")
    parser.add_argument("--first", type=int, default=1, help="the number of the first game")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 1), help="games at once")
    parser.add_argument("--epochs", type=int, default=8, help="how often each decision is looked at")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Play, and learn from it."""
    options = asked(words)
    options.out.mkdir(parents=True, exist_ok=True)
    jax.devices()  # before the bots' processes are told to leave it alone
    games = [game for path in options.games for game in read(path)]
    if options.seconds > 0:
        games += play(options.bots, options.first, options.seconds, options.most, options.jobs)
        write(options.out / "games.npz", games)
    for bot in options.bots:
        shown = examples(games, options.bots, bot)
        if options.epochs and shown.decided.size:
            print(f"{bot}: ", end="", flush=True)
            weights = imitate(network.playable(WEIGHTS), shown, options.epochs)
            kept = {name: np.asarray(part, np.float16) for name, part in weights.items()}
            network.write(options.out / f"{bot.partition(':')[0]}.npz", kept)


if __name__ == "__main__":
    main()
