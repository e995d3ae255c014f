"""Self-play: the network plays every kind of game against itself and its past selves, and learns from it (PPO).

`python -m projectl.accel.train --out FOLDER --seconds 570` trains and writes `weights.npz`, `checkpoint.npz`,
`pool.npz` and `curve.jsonl` as it goes; `--resume FOLDER` carries on, `--weights FILE` begins with what others
learned. Every game is worth one win, shared by its winners; points count a little too, and less and less, so that the
first games teach something. `--against FILE` learns to beat one fixed player: how much is to be had from knowing it?
`--toy` does all of it in a size for any CPU, which learns nothing worth having.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from projectl.accel.learning import Learner, first_weights, make_iteration, plan_at
from projectl.accel.mixture import Mixture
from projectl.accel.self_play import ALONE, OLD, OTHERS, TABLES, WHIM, Others, mixture, whims, with_others
from projectl.accel.tree import USUAL, Trust
from projectl.bots import network
from projectl.bots.network import Weights
from projectl.bots.protocol import BotError
from projectl.core.features import SEATS

jax.config.update("jax_default_prng_impl", "unsafe_rbg")
jax.config.update("jax_compilation_cache_dir", str(Path(gettempdir()) / "projectl-compiled"))

# --- files ------------------------------------------------------------------------------------


About = dict[str, Any]  # seconds, decisions and updates so far


def save(folder: Path, learner: Learner, pool: list[Weights], about: About) -> None:
    """Everything that training needs to go on, and the weights to play with."""
    weights = {name: np.asarray(part, np.float32) for name, part in learner.weights.items()}
    network.write(folder / "weights.npz", _kept(weights))
    squares = {f"square.{name}": np.sqrt(np.asarray(part)).astype(np.float16) for name, part in learner.square.items()}
    network.write(folder / "checkpoint.npz", {"about": np.array(json.dumps(about)), **weights, **squares})
    selves = {f"{n}.{name}": part for n, one in enumerate(pool[-3:]) for name, part in one.items()}
    network.write(folder / "pool.npz", selves)


def load(folder: Path) -> tuple[Learner, list[Weights], About]:
    """What `save` wrote."""
    found = network.read(folder / "checkpoint.npz")
    past = folder / "pool.npz"  # without it training goes on against the present self
    try:
        about = json.loads(str(found.pop("about")))
        squares = {name: jnp.asarray(found.pop(f"square.{name}"), jnp.float32) ** 2 for name in network.PARTS}
        updates = jnp.float32(about["updates"])
    except (KeyError, ValueError, TypeError):
        raise network.refused(folder / "checkpoint.npz", "is no checkpoint") from None
    weights = jax.tree.map(jnp.asarray, network.checked(folder / "checkpoint.npz", found))
    none = jax.tree.map(jnp.zeros_like, weights)
    return Learner(weights, none, squares, updates), _pool_in(past) if past.exists() else [], about


def _pool_in(path: Path) -> list[Weights]:
    """The past selves."""
    pool: dict[str, Weights] = {}
    for name, values in network.read(path).items():
        number, _, part = name.partition(".")
        pool.setdefault(number, {})[part] = values
    return [network.checked(path, weights) for weights in pool.values()]


def _kept(weights: Weights) -> Weights:
    return {name: np.asarray(part, np.float16) for name, part in weights.items()}


# --- the whole run ----------------------------------------------------------------------------


def beginner() -> Learner:
    """Who has learned nothing yet."""
    weights = first_weights(jax.random.key(7))
    mean, square = (jax.tree.map(jnp.zeros_like, weights) for _ in range(2))
    return Learner(weights, mean, square, jnp.float32(0))


def begin(folder: str, weights: str, before: float) -> tuple[Learner, list[Weights], About]:
    """Where an earlier run ended, or what somebody has learned, or the very beginning; there is always a past self."""
    if folder:
        learner, pool, about = load(Path(folder))
        return learner, pool or [_kept(learner.weights)], about
    learner = beginner()
    if weights:
        learner = learner._replace(weights=jax.tree.map(jnp.asarray, network.playable(Path(weights))))
    return learner, [_kept(learner.weights)], {"seconds": before, "decisions": 0, "updates": 0}


def names_of(tables: list[Mixture]) -> list[str]:
    """The kinds of game, for the curve."""
    kinds = [share.rules for games in tables for share in games.shares]
    return [
        " ".join(
            [
                f"{int(kind.players)}p",
                kind.edition,
                *([kind.difficulty] if kind.players == 1 else []),
                *(["+".join(kind.modules)] if kind.modules else []),
            ]
        )
        for kind in kinds
    ]


def curve_row(
    names: list[str], about: About, said: dict[str, Any], sums: dict[str, Any], selves: int, guests: list[str]
) -> dict[str, Any]:
    """A line of the curve: the losses now, and by kind of game how many ended, how long, and the shares won."""

    def shares(part: Any, whole: Any, digits: int) -> dict[str, float]:
        found = part / np.maximum(1, whole)
        return {name: round(float(share), digits) for name, share in zip(names, found, strict=True)}

    others = {"past selves": slice(selves), **{guest: slice(n, n + 1) for n, guest in enumerate(guests, selves)}}
    return {
        **about,
        **{name: round(float(value), 4) for name, value in said.items()},
        "games": {name: int(number) for name, number in zip(names, sums["games"], strict=True)},
        "length": shares(sums["decisions"], sums["games"], 1),
        "won": {
            other: shares(sums["beaten"][which].sum(0), sums["met"][which].sum(0), 3) for other, which in others.items()
        },
    }


class Run:
    """A run of training: who learns, the past selves, the games, and what is written down."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.asked = arguments
        self.began = time.time()
        self.folder = Path(arguments.out)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.learner, self.pool, self.about = begin(arguments.resume, arguments.weights, arguments.before)
        self.before = self.about["seconds"]
        self.tables = [mixture(TABLES[:1] if arguments.toy else TABLES, arguments.slots)]
        if not arguments.toy:
            self.tables.append(mixture(ALONE, arguments.alone))
        self.names = names_of(self.tables)
        self.every = OLD
        self.guests = {Path(guest).stem: _kept(network.playable(Path(guest))) for guest in arguments.guests}
        if arguments.against:
            self.every, self.pool = 1, [_kept(network.playable(Path(arguments.against)))]
        self.iteration = make_iteration(
            self.tables, arguments.steps, arguments.epochs, arguments.parts, self.every, arguments.walks
        )
        self.trust = Trust(arguments.doubt, arguments.certain)
        self.key = jax.random.key(int(self.began))
        self.dice = np.random.default_rng(int(self.began))
        self.started = self.told_at = self.kept_at = 0.0  # times; the first iteration compiles and does not count
        self.number = 0
        self.sums: dict[str, Any] = {}

    def say(self, *words: object) -> None:
        print(f"[{time.time() - self.began:6.1f}]", *words, flush=True)

    def others(self) -> Others:
        """Some past selves, with other whims than before, and every guest."""
        selves = [self.pool[self.dice.integers(len(self.pool))] for _ in range(OTHERS - len(self.guests))]
        playing = [*selves, *self.guests.values()]
        keys = jax.random.split(jax.random.fold_in(self.key, 50_000_000 + self.number), len(self.tables))
        size = 0.0 if self.asked.against else WHIM
        return Others(
            {name: jnp.stack([jnp.asarray(one[name], jnp.float32) for one in playing]) for name in network.PARTS},
            [
                whims(key, len(with_others(games, self.every)), size)
                for key, games in zip(keys, self.tables, strict=True)
            ],
        )

    def go(self) -> None:
        """Until the time is up."""
        self.say("devices", jax.devices(), "slots", [games.slots for games in self.tables])
        states = [
            (jax.jit(games.deal)(jax.random.fold_in(self.key, n)), jnp.zeros((games.slots, SEATS)))
            for n, games in enumerate(self.tables)
        ]
        others, over = self.others(), False
        while not over:
            plan = plan_at((self.before + self.spent()) / self.asked.total)
            key = jax.random.fold_in(self.key, 100 + self.number)
            self.learner, states, *heard = self.iteration(self.learner, others, states, key, plan, self.trust)
            said, told = jax.device_get(heard)
            self.number += 1
            self.count(told)
            if self.number % 8 == 0:
                others = self.others()
            over = time.time() - self.began > self.asked.seconds or self.number >= self.asked.iterations
            if over or self.spent() - self.told_at > self.asked.every or self.number == 2:
                self.write_down(said)
        self.say("end", f"{self.about['decisions'] / 1e6:.1f} M decisions in {self.about['seconds']:.0f} s")

    def spent(self) -> float:
        """Seconds of training in this run."""
        return time.time() - self.started if self.started else 0.0

    def count(self, told: dict[str, Any]) -> None:
        """An iteration is over."""
        self.started = self.started or time.time()
        self.about["decisions"] += int(told["decisions"].sum())
        self.sums = {name: self.sums.get(name, 0) + values for name, values in told.items()}
        if self.spent() - self.kept_at > self.asked.keep and not self.asked.against:
            self.pool = [*self.pool, _kept(self.learner.weights)][-self.asked.pool :]
            self.kept_at = self.spent()

    def write_down(self, said: dict[str, Any]) -> None:
        """A line of the curve, and everything that is needed to go on."""
        self.told_at = self.spent()
        self.about |= {"seconds": self.before + self.spent(), "updates": float(self.learner.updates)}
        selves = OTHERS - len(self.guests)
        row = curve_row(self.names, self.about, said, self.sums, selves, list(self.guests))
        with (self.folder / "curve.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        self.say(f"{self.about['seconds']:6.0f} s {self.about['decisions'] / 1e6:7.1f} M decisions", row["won"])
        save(self.folder, self.learner, self.pool, self.about)
        self.sums = {}


# For any CPU: one kind of game, and just enough decisions to see that everything runs.
TOY: Final = {"slots": 16, "steps": 8, "epochs": 1, "parts": 2, "iterations": 3}


def asked(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description="Train the learned player by self-play.")
    parser.add_argument("--out", required=True, help="the folder for weights, checkpoint and curve")
    parser.add_argument("--resume", default="", help="the folder of an earlier run")
    parser.add_argument("--weights", default="", help="begin with these weights, without a checkpoint")
    parser.add_argument("--against", default="", help="weights of a fixed player in all other seats of every game")
    parser.add_argument(
        "--guests", nargs="*", default=[], help="weights of players to learn from (`imitate` makes some)"
    )
    parser.add_argument("--walks", type=int, default=0, help="walks of a look ahead that is learned")
    parser.add_argument("--doubt", type=float, default=USUAL.doubt, help="see accel/tree.py")
    parser.add_argument("--certain", type=float, default=USUAL.certain, help="see accel/tree.py")
    parser.add_argument("--before", type=float, default=0, help="seconds of training that went into them")
    parser.add_argument("--seconds", type=float, default=570, help="stop after so long")
    parser.add_argument("--total", type=float, default=3600, help="seconds planned over all runs")
    parser.add_argument("--slots", type=int, default=28160, help="games side by side, for two to four players")
    parser.add_argument("--alone", type=int, default=4096, help="solo games side by side")
    parser.add_argument("--steps", type=int, default=24, help="decisions of each before it learns")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--parts", type=int, default=24, help="updates an epoch")
    parser.add_argument("--pool", type=int, default=12, help="past selves kept")
    parser.add_argument("--keep", type=float, default=40, help="seconds between them")
    parser.add_argument("--every", type=float, default=45, help="seconds between lines of the curve")
    parser.add_argument("--iterations", type=int, default=10**9)
    parser.add_argument(
        "--toy", action="store_true", help="two kinds of game in a size for any CPU, to see that it runs"
    )
    if parser.parse_args(words).toy:
        parser.set_defaults(**TOY)
    return parser.parse_args(words)


def check_device(toy: bool) -> None:
    """Refuse to learn at full size where it would take for ever."""
    try:
        found = jax.default_backend()
    except (RuntimeError, AssertionError) as error:  # it was told to use one that is not there
        why = str(error).partition("\n")[0] or type(error).__name__
        raise SystemExit(f"JAX finds no device to train on ({why})") from None
    if found == "cpu" and not toy:
        raise SystemExit("there is no accelerator here, JAX finds only the CPU; --toy trains in a size for it")


def main(words: Sequence[str] | None = None) -> None:
    """Read the options and train; what stands against it is one sentence."""
    options = asked(words)
    check_device(options.toy)
    try:
        Run(options).go()
    except BotError as error:
        raise SystemExit(error.sentence) from None


if __name__ == "__main__":
    main()
