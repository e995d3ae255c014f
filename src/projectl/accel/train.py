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
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from projectl.accel.mixture import KindShare, Mixture
from projectl.accel.state import State
from projectl.bots import network
from projectl.bots.network import Arrays, Weights
from projectl.bots.protocol import BotError
from projectl.core import actions
from projectl.core.features import SEATS
from projectl.core.rules import Rules
from projectl.core.state import PLACES

jax.config.update("jax_default_prng_impl", "unsafe_rbg")
jax.config.update("jax_compilation_cache_dir", str(Path(gettempdir()) / "projectl-compiled"))

POINT: Final = 0.1  # of a lead, in the network's units
CLIP: Final = 0.2
LAMBDA: Final = 0.95
OLD: Final = 8  # one game in so many has past selves at the table; against a fixed player every game has it
WHIM: Final = 2.0  # how far a past self's liking for a kind of decision may be from what it learned
SMALL: Final = {"place_out": 0.1, "take_out": 0.1, "other_out": 0.01, "value_out": 0.1, "finish": 0.01}
NO: Final = -1e9


def _dot(values: jax.Array, matrix: jax.Array) -> jax.Array:
    return jnp.dot(values.astype(jnp.bfloat16), jnp.asarray(matrix, jnp.bfloat16), preferred_element_type=jnp.float32)


JAX: Final = Arrays(jnp, _dot, lambda values: jnp.maximum(values, 0).astype(jnp.bfloat16))

# What past selves like more or less than they learned: where each kind of decision begins. Black cards end the game.
_LIKED: Final = (
    actions.PLACE,
    actions.TAKE,
    actions.TAKE + PLACES,
    actions.TAKE_LINE_CLEAR,
    actions.RECYCLE,
    actions.GAIN,
    actions.UPGRADE,
    actions.REWARD,
    actions.MASTER,
    actions.INSERT,
)
_BLACK: Final = _LIKED.index(actions.TAKE + PLACES)
LIKED_AS: Final = np.searchsorted(_LIKED, np.arange(actions.COUNT), side="right") - 1

# How much of the training each kind of game gets.
Kind = tuple[float, int, str, tuple[str, ...], dict[str, str]]
ALL: Final = ("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador")
TABLES: Final[list[Kind]] = [
    (36.0, 2, "2023", (), {}),
    (2.0, 2, "2020", (), {}),
    (2.0, 2, "2019", (), {}),
    (5.0, 3, "2023", (), {}),
    (5.0, 4, "2023", (), {}),
    (0.6, 3, "2020", (), {}),
    (0.6, 4, "2019", (), {}),
    (2.0, 2, "2023", ("ghost",), {}),
    (2.0, 2, "2023", ("finesse",), {}),
    (2.0, 2, "2023", ("ambassador",), {}),
    (2.0, 2, "2023", ("phoenix",), {}),
    (0.6, 2, "2019", ("ghost",), {}),
    (0.6, 2, "2019", ("ambassador",), {}),
    (1.2, 2, "2023", ALL, {}),
    (0.6, 3, "2023", ALL, {}),
    (0.6, 4, "2023", ALL, {}),
    (0.4, 2, "2023", ("finesse", "finesse_ambassador"), {}),
]
ALONE: Final[list[Kind]] = [
    *((1.0, 1, edition, (), {"difficulty": "unbeatable"}) for edition in ("2023", "2020", "2019")),
    *((0.4, 1, edition, (), {"difficulty": "hard"}) for edition in ("2023", "2020", "2019")),
    *((0.2, 1, "2023", (module,), {"difficulty": "unbeatable"}) for module in ("ghost", "finesse", "ambassador")),
]


def mixture(kinds: list[Kind], slots: int) -> Mixture:
    """The kinds of game in their shares of the slots; whole numbers of eight."""
    total = sum(kind[0] for kind in kinds)
    counts = [max(OLD, int(slots * kind[0] / total) // OLD * OLD) for kind in kinds]
    counts[0] += slots - sum(counts)
    return Mixture(
        [
            KindShare(Rules(players, edition, modules, max_rounds=network.ROUNDS, **options), count)  # type: ignore[arg-type]
            for count, (_, players, edition, modules, options) in zip(counts, kinds, strict=True)
        ]
    )


class Step(NamedTuple):
    """One decision of every slot, as the learner needs it."""

    observation: jax.Array
    legal: jax.Array
    decision: jax.Array
    chance: jax.Array  # logarithm of the chance with which it was chosen
    counts: jax.Array  # made by the present self: past selves teach values only
    seat: jax.Array
    players: jax.Array
    win: jax.Array  # what the network thought, by seat
    lead: jax.Array
    over: jax.Array
    won: jax.Array
    gained: jax.Array  # lead gained by this decision, by seat


def by_seat(relative: jax.Array, seat: jax.Array, players: jax.Array) -> jax.Array:
    """Values counted from the acting seat as values by seat; seats that are not there get 0."""
    seats = jnp.arange(SEATS)
    index = (seats[None, :] - seat[:, None].astype(jnp.int32)) % players[:, None]
    return jnp.where(seats[None, :] < players[:, None], jnp.take_along_axis(relative, index, 1), 0.0)


def chances(output: network.Output, players: jax.Array) -> jax.Array:
    """The chances to win, counted from the acting seat."""
    there = jnp.arange(SEATS)[None, :] < players[:, None]
    return jax.nn.softmax(jnp.where(there, output.chances, NO))


def leads(points: jax.Array, players: jax.Array) -> jax.Array:
    """Each seat's points beyond the mean of the others."""
    there = jnp.arange(points.shape[1])[None, :] < players[:, None]
    points = jnp.where(there, points, 0).astype(jnp.float32)
    total, others = points.sum(1, keepdims=True), players[:, None] - 1
    found = jnp.where(there, points - (total - points) / others, 0.0) * POINT
    return jnp.pad(found, ((0, 0), (0, SEATS - points.shape[1])))


def decided(key: jax.Array, scores: jax.Array) -> jax.Array:
    """Drawn with the chances that the scores stand for."""
    return jnp.argmax(scores + jax.random.gumbel(key, scores.shape), -1)


def masked(output: network.Output, legal: jax.Array) -> jax.Array:
    """The scores of what may be decided."""
    return jnp.where(legal, output.scores, NO)


Standing = tuple[State, jax.Array]  # positions, and the leads that have been counted


class Past(NamedTuple):
    """A past self, and what it likes in each game more or less than it learned to."""

    weights: Weights
    whims: list[jax.Array]  # for each batch of games: by game with past selves, by kind of decision


def whims(key: jax.Array, games: int, size: float = WHIM) -> jax.Array:
    """Likings at random, in every other game: most hurry the end or delay it, none plays quite as it learned."""
    found = size * jax.random.normal(key, (games, len(_LIKED)))
    found = found.at[:, _BLACK].multiply(1.5)
    return found * (jnp.arange(games) % 2)[:, None]


def present_seats(games: Mixture, every: int) -> npt.NDArray[np.int64]:
    """By slot: where the present self sits if past selves play."""
    seats: npt.NDArray[np.int64] = (np.arange(games.slots) // every) % games.seats
    return seats


def roll_out(
    games: Mixture,
    steps: int,
    every: int,
    weights: Weights,
    old: Weights,
    likings: jax.Array,
    began: Standing,
    key: jax.Array,
) -> tuple[Standing, Step]:
    """So many decisions in every slot: where the games stand then, and what happened."""
    seats_used = max(2, games.layout.seats)
    players = jnp.asarray(games.players)
    veterans = np.arange(0, games.slots, every)
    present = present_seats(games, every)[veterans]
    judge = partial(network.forward, arrays=JAX, seats_used=seats_used)
    key, dealing = jax.random.split(key)
    fresh = games.deal(dealing)

    def step(carry: Standing, key: jax.Array) -> tuple[Standing, Step]:
        states, points = carry
        seen = games.look(states)
        output = judge(weights, seen.observation)
        scores = masked(output, seen.legal)
        new, past = jax.random.split(key)
        decision = decided(new, scores)
        past_scores = masked(judge(old, seen.observation[veterans]), seen.legal[veterans]) + likings[:, LIKED_AS]
        by_past = seen.seat[veterans] != present
        decision = decision.at[veterans].set(jnp.where(by_past, decided(past, past_scores), decision[veterans]))
        chance = jnp.take_along_axis(jax.nn.log_softmax(scores), decision[:, None], 1)[:, 0]
        states = games.step(states, decision)
        after = games.after(states)
        now = leads(after.points, players)
        taken = Step(
            seen.observation,
            seen.legal,
            decision,
            chance,
            jnp.ones(games.slots, bool).at[veterans].set(~by_past),
            seen.seat,
            players,
            by_seat(chances(output, players), seen.seat, players),
            by_seat(output.leads, seen.seat, players),
            after.over,
            jnp.pad(after.won.astype(jnp.float32), ((0, 0), (0, SEATS - after.won.shape[1]))),
            now - points,
        )
        states = games.renew(after.over, states, fresh)
        return (states, jnp.where(after.over[:, None], 0.0, now)), taken

    return jax.lax.scan(step, began, jax.random.split(key, steps))


class Experience(NamedTuple):
    """A decision with what it was worth."""

    observation: jax.Array
    legal: jax.Array
    decision: jax.Array
    chance: jax.Array
    counts: jax.Array
    players: jax.Array
    advantage: jax.Array
    win: jax.Array  # what the network should have thought, counted from the acting seat
    lead: jax.Array


def lessons(taken: Step, points_count: jax.Array) -> Experience:
    """Look back from the last decision, of which only the opinion counts: how much better things went than expected."""
    win_then, lead_then = taken.win[-1], taken.lead[-1]
    taken = jax.tree.map(lambda part: part[:-1], taken)

    def back(carry: tuple[jax.Array, ...], step: Step) -> tuple[tuple[jax.Array, ...], tuple[jax.Array, ...]]:
        win_after, lead_after, more_win, more_lead = carry
        goes_on = 1.0 - step.over[:, None]
        win = jnp.where(step.over[:, None], step.won, win_after) - step.win
        lead = step.gained + goes_on * lead_after - step.lead
        more_win = win + LAMBDA * goes_on * more_win
        more_lead = lead + LAMBDA * goes_on * more_lead
        return (step.win, step.lead, more_win, more_lead), (more_win, more_lead)

    none = jnp.zeros_like(win_then)
    _, (more_win, more_lead) = jax.lax.scan(back, (win_then, lead_then, none, none), taken, reverse=True)
    mover = taken.seat.astype(jnp.int32)[..., None]
    both = more_win + points_count * more_lead

    def relative(values: jax.Array) -> jax.Array:
        index = (jnp.arange(SEATS) + mover) % taken.players[..., None]
        there = jnp.arange(SEATS) < taken.players[..., None]
        return jnp.where(there, jnp.take_along_axis(values, index, -1), 0.0)

    return Experience(
        taken.observation,
        taken.legal,
        taken.decision,
        taken.chance,
        taken.counts,
        taken.players,
        jnp.take_along_axis(both, mover, -1)[..., 0],
        relative(more_win + taken.win),
        relative(more_lead + taken.lead),
    )


def loss(
    weights: Weights, lesson: Experience, curiosity: jax.Array, seats_used: int
) -> tuple[jax.Array, dict[str, Any]]:
    """PPO's clipped objective, the two kinds of value, and a premium for not being too sure."""
    output = network.forward(weights, lesson.observation, JAX, seats_used)
    log = jax.nn.log_softmax(masked(output, lesson.legal))
    chance = jnp.take_along_axis(log, lesson.decision[:, None], 1)[:, 0]
    counts = lesson.counts.astype(jnp.float32)
    number = jnp.maximum(1.0, counts.sum())
    ratio = jnp.exp(jnp.clip(chance - lesson.chance, -10, 10))
    clipped = jnp.clip(ratio, 1 - CLIP, 1 + CLIP)
    policy = -(jnp.minimum(ratio * lesson.advantage, clipped * lesson.advantage) * counts).sum() / number
    entropy = (-jnp.where(lesson.legal, jnp.exp(log) * log, 0.0).sum(-1) * counts).sum() / number
    there = jnp.arange(SEATS)[None, :] < lesson.players[:, None]
    said = jax.nn.log_softmax(jnp.where(there, output.chances, NO))
    win = -jnp.where(there, lesson.win * said, 0.0).sum(-1).mean()
    brier = jnp.where(there, (lesson.win - jnp.exp(said)) ** 2, 0.0).sum(-1).mean()
    lead = jnp.where(there, (lesson.lead - output.leads) ** 2, 0.0).sum(-1).mean()
    total = policy + 0.5 * win + 0.25 * lead - curiosity * entropy
    away = ((lesson.chance - chance) * counts).sum() / number
    return total, {"policy": policy, "win": win, "brier": brier, "lead": lead, "entropy": entropy, "kl": away}


class Learner(NamedTuple):
    """The weights and Adam's moments."""

    weights: Weights
    mean: Weights
    square: Weights
    updates: jax.Array


def updated(learner: Learner, gradient: Weights, rate: jax.Array) -> tuple[Learner, jax.Array]:
    """One step of Adam, the gradient's length cut to a half."""
    length = jnp.sqrt(sum(jnp.sum(part * part) for part in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda part: part * jnp.minimum(1.0, 0.5 / (length + 1e-8)), gradient)
    mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, learner.mean, gradient)
    square = jax.tree.map(lambda old, new: 0.999 * old + 0.001 * new * new, learner.square, gradient)
    number = learner.updates + 1
    rate = rate * jnp.sqrt(1 - 0.999**number) / (1 - 0.9**number)
    weights = jax.tree.map(
        lambda old, first, second: old - rate * first / (jnp.sqrt(second) + 1e-8), learner.weights, mean, square
    )
    return Learner(weights, mean, square, number), length


def first_weights(key: jax.Array) -> Weights:
    """Random ones."""
    found: Weights = {}
    for name, (rows, columns) in network.SHAPES.items():
        key, one = jax.random.split(key)
        scale = np.sqrt(2 / rows) * SMALL.get(name, 0.3 if name.startswith("block") and name.endswith("b") else 1.0)
        found[f"{name}.w"] = jax.random.normal(one, (rows, columns)) * scale
        found[f"{name}.b"] = jnp.zeros(columns)
    return found


class Schedule(NamedTuple):
    """What changes while training goes on."""

    rate: jax.Array
    curiosity: jax.Array
    points_count: jax.Array


def plan_at(done: float) -> Schedule:
    """From the first (0) to the last (1) second of all that is planned."""
    rate = 5e-4 * (0.08 ** min(1.0, done))
    curiosity = 0.012 * (0.15 ** min(1.0, done))
    points = max(0.1, 0.5 - 0.8 * done)
    return Schedule(jnp.float32(rate), jnp.float32(curiosity), jnp.float32(points))


def make_iteration(tables: list[Mixture], steps: int, epochs: int, parts: int, every: int) -> Callable[..., Any]:
    """The compiled function: roll out, look back, learn."""
    seats_used = max(2, *(games.layout.seats for games in tables))
    slots = sum(games.slots for games in tables)

    @partial(jax.jit, donate_argnums=(0, 2))
    def iteration(
        learner: Learner, old: Past, states: list[Standing], key: jax.Array, plan: Schedule
    ) -> tuple[Learner, list[Standing], dict[str, Any], dict[str, Any]]:
        ends, found, told = [], [], []
        keys = jax.random.split(key, len(tables))
        for games, likings, state, one in zip(tables, old.whims, states, keys, strict=True):
            state, taken = roll_out(games, steps, every, learner.weights, old.weights, likings, state, one)
            ends.append(state)
            found.append(lessons(taken, plan.points_count))
            told.append(_told(games, taken, every))
        lesson = jax.tree.map(lambda *each: jnp.concatenate(each, 1), *found)
        counts = lesson.counts
        middle = (lesson.advantage * counts).sum() / counts.sum()
        spread = jnp.sqrt((((lesson.advantage - middle) ** 2) * counts).sum() / counts.sum())
        lesson = lesson._replace(advantage=(lesson.advantage - middle) / (spread + 1e-6))

        def learn(learner: Learner, some: jax.Array) -> tuple[Learner, dict[str, Any]]:
            part = jax.tree.map(lambda x: x[:, some].reshape(-1, *x.shape[2:]), lesson)
            (_, said), gradient = jax.value_and_grad(loss, has_aux=True)(
                learner.weights, part, plan.curiosity, seats_used
            )
            learner, length = updated(learner, gradient, plan.rate)
            return learner, {**said, "gradient": length}

        def epoch(learner: Learner, key: jax.Array) -> tuple[Learner, dict[str, Any]]:
            return jax.lax.scan(learn, learner, jax.random.permutation(key, slots).reshape(parts, -1))

        learner, said = jax.lax.scan(epoch, learner, jax.random.split(jax.random.fold_in(key, 1), epochs))
        return learner, ends, jax.tree.map(jnp.mean, said), _joined(told)

    return iteration


def _told(games: Mixture, taken: Step, every: int) -> dict[str, jax.Array]:
    """By kind of game: how many ended, and how they went for the present self where past selves played."""
    kinds, kind = len(games.shares), jnp.asarray(games.kind)
    over = taken.over.astype(jnp.float32)
    present = jnp.asarray(present_seats(games, every))
    veteran = jnp.arange(games.slots) % every == 0
    won = jnp.take_along_axis(taken.won, jnp.broadcast_to(present[None, :, None], (*over.shape, 1)), 2)[..., 0]
    first = taken.won[..., 0]

    def summed(values: jax.Array) -> jax.Array:
        return jax.ops.segment_sum(values.sum(0), kind, kinds)

    return {
        "games": summed(over),
        "decisions": summed(jnp.ones_like(over)),
        "first": summed(over * first),
        "old_games": summed(over * veteran),
        "old_won": summed(over * veteran * won),
    }


def _joined(told: list[dict[str, jax.Array]]) -> dict[str, jax.Array]:
    return {name: jnp.concatenate([one[name] for one in told]) for name in told[0]}


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


def curve_row(names: list[str], about: About, said: dict[str, Any], sums: dict[str, Any]) -> dict[str, Any]:
    """A line of the curve: the losses now, and by kind of game how many ended, how long, how many against the past."""

    def shares(part: str, whole: str, digits: int) -> dict[str, float]:
        found = sums[part] / np.maximum(1, sums[whole])
        return {name: round(float(share), digits) for name, share in zip(names, found, strict=True)}

    return {
        **about,
        **{name: round(float(value), 4) for name, value in said.items()},
        "games": {name: int(number) for name, number in zip(names, sums["games"], strict=True)},
        "length": shares("decisions", "games", 1),
        "old": shares("old_won", "old_games", 3),
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
        if arguments.against:
            self.every, self.pool = 1, [_kept(network.playable(Path(arguments.against)))]
        self.iteration = make_iteration(self.tables, arguments.steps, arguments.epochs, arguments.parts, self.every)
        self.key = jax.random.key(int(self.began))
        self.dice = np.random.default_rng(int(self.began))
        self.started = self.told_at = self.kept_at = 0.0  # times; the first iteration compiles and does not count
        self.number = 0
        self.sums: dict[str, Any] = {}

    def say(self, *words: object) -> None:
        print(f"[{time.time() - self.began:6.1f}]", *words, flush=True)

    def past(self) -> Past:
        """One of the past selves, with other whims than before."""
        chosen = self.pool[self.dice.integers(len(self.pool))]
        keys = jax.random.split(jax.random.fold_in(self.key, 50_000_000 + self.number), len(self.tables))
        size = 0.0 if self.asked.against else WHIM
        games = [len(range(0, batch.slots, self.every)) for batch in self.tables]
        return Past(
            {name: jnp.asarray(part, jnp.float32) for name, part in chosen.items()},
            [whims(key, count, size) for key, count in zip(keys, games, strict=True)],
        )

    def go(self) -> None:
        """Until the time is up."""
        self.say("devices", jax.devices(), "slots", [games.slots for games in self.tables])
        states = [
            (jax.jit(games.deal)(jax.random.fold_in(self.key, n)), jnp.zeros((games.slots, SEATS)))
            for n, games in enumerate(self.tables)
        ]
        old, over = self.past(), False
        while not over:
            plan = plan_at((self.before + self.spent()) / self.asked.total)
            key = jax.random.fold_in(self.key, 100 + self.number)
            self.learner, states, *heard = self.iteration(self.learner, old, states, key, plan)
            said, told = jax.device_get(heard)
            self.number += 1
            self.count(told)
            if self.number % 8 == 0:
                old = self.past()
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
        row = curve_row(self.names, self.about, said, self.sums)
        with (self.folder / "curve.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        self.say(f"{self.about['seconds']:6.0f} s {self.about['decisions'] / 1e6:7.1f} M decisions", row["old"])
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
