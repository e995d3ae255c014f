"""What is learned from games that were played (PPO): how much better they went than expected, and the next weights."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from projectl.accel.mixture import Mixture
from projectl.accel.self_play import JAX, NO, OTHERS, Others, Standing, Step, masked, other_of, present_seats, roll_out
from projectl.accel.tree import USUAL, WIDE, Trust
from projectl.accel.words import compiler_options
from projectl.bots import network
from projectl.bots.network import Weights
from projectl.core.features import SEATS

CLIP: Final = 0.2
LAMBDA: Final = 0.95
WARM_UP: Final = 300  # updates until the full rate: Adam's first steps are as long as any
SMALL: Final = {"place_out": 0.1, "take_out": 0.1, "other_out": 0.01, "value_out": 0.1, "finish": 0.01}


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
    better: tuple[jax.Array, ...]


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
        taken.better,
    )


def loss(
    weights: Weights, lesson: Experience, curiosity: jax.Array, seats_used: int
) -> tuple[jax.Array, dict[str, Any]]:
    """PPO's clipped objective, the two kinds of value, and a premium for not being too sure.

    Who looked ahead is to decide at once as it decided then; where nobody did, no decision is the better one.
    """
    output = network.forward(weights, lesson.observation, JAX, seats_used)
    log = jax.nn.log_softmax(masked(output, lesson.legal))
    chance = jnp.take_along_axis(log, lesson.decision[:, None], 1)[:, 0]
    counts = lesson.counts.astype(jnp.float32)
    number = jnp.maximum(1.0, counts.sum())
    ratio = jnp.exp(jnp.clip(chance - lesson.chance, -10, 10))
    clipped = jnp.clip(ratio, 1 - CLIP, 1 + CLIP)
    gain = jnp.minimum(ratio * lesson.advantage, clipped * lesson.advantage)
    spread = -jnp.where(lesson.legal, jnp.exp(log) * log, 0.0).sum(-1)
    premium = curiosity * spread
    if lesson.better:
        decisions, should = lesson.better
        looked = should.sum(-1) > 0
        gain = jnp.where(looked, (jnp.take_along_axis(log, decisions, 1) * should).sum(-1), gain)
        premium = jnp.where(looked, 0.0, premium)
    policy = -(gain * counts).sum() / number
    entropy = (spread * counts).sum() / number
    there = jnp.arange(SEATS)[None, :] < lesson.players[:, None]
    said = jax.nn.log_softmax(jnp.where(there, output.chances, NO))
    win = -jnp.where(there, lesson.win * said, 0.0).sum(-1).mean()
    brier = jnp.where(there, (lesson.win - jnp.exp(said)) ** 2, 0.0).sum(-1).mean()
    lead = jnp.where(there, (lesson.lead - output.leads) ** 2, 0.0).sum(-1).mean()
    total = policy + 0.5 * win + 0.25 * lead - (premium * counts).sum() / number
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


def make_iteration(
    tables: list[Mixture], steps: int, epochs: int, parts: int, every: int, walks: int = 0
) -> Callable[..., Any]:
    """The compiled function: roll out, look back, learn. With walks it looks ahead wherever others play."""
    seats_used = max(2, *(games.layout.seats for games in tables))
    slots = sum(games.slots for games in tables)

    @partial(jax.jit, donate_argnums=(0, 2), compiler_options=compiler_options())
    def iteration(
        learner: Learner, others: Others, states: list[Standing], key: jax.Array, plan: Schedule, trust: Trust = USUAL
    ) -> tuple[Learner, list[Standing], dict[str, Any], dict[str, Any]]:
        ends, found, told = [], [], []
        keys = jax.random.split(key, len(tables))
        for games, likings, state, one in zip(tables, others.whims, states, keys, strict=True):
            looks = 0 if games.layout.solo else walks
            at_table = others.weights, likings, state, one
            state, taken = roll_out(games, steps, every, learner.weights, *at_table, looks, trust)
            if walks and not taken.better:
                shape = *taken.over.shape, WIDE
                taken = taken._replace(better=(jnp.zeros(shape, jnp.int32), jnp.zeros(shape)))
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
            learner, length = updated(learner, gradient, plan.rate * jnp.minimum(1.0, (learner.updates + 1) / WARM_UP))
            return learner, {**said, "gradient": length}

        def epoch(learner: Learner, key: jax.Array) -> tuple[Learner, dict[str, Any]]:
            return jax.lax.scan(learn, learner, jax.random.permutation(key, slots).reshape(parts, -1))

        learner, said = jax.lax.scan(epoch, learner, jax.random.split(jax.random.fold_in(key, 1), epochs))
        return learner, ends, jax.tree.map(jnp.mean, said), _joined(told)

    return iteration


def _told(games: Mixture, taken: Step, every: int) -> dict[str, jax.Array]:
    """By kind of game: how many ended, and by other and kind how they went for the present self."""
    kinds, kind = len(games.shares), jnp.asarray(games.kind)
    over = taken.over.astype(jnp.float32)
    present = jnp.asarray(present_seats(games, every))
    other = other_of(games, every)
    by_other = jnp.asarray(np.where(other < 0, OTHERS, other) * kinds + games.kind)
    won = jnp.take_along_axis(taken.won, jnp.broadcast_to(present[None, :, None], (*over.shape, 1)), 2)[..., 0]

    def summed(values: jax.Array) -> jax.Array:
        return jax.ops.segment_sum(values.sum(0), kind, kinds)

    def against(values: jax.Array) -> jax.Array:
        found = jax.ops.segment_sum(values.sum(0), by_other, (OTHERS + 1) * kinds)
        return found.reshape(OTHERS + 1, kinds)[:OTHERS]

    return {
        "games": summed(over),
        "decisions": summed(jnp.ones_like(over)),
        "met": against(over),
        "beaten": against(over * won),
    }


def _joined(told: list[dict[str, jax.Array]]) -> dict[str, jax.Array]:
    return {name: jnp.concatenate([one[name] for one in told], -1) for name in told[0]}
