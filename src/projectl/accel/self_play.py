"""Games that the network plays against itself and its past selves: the kinds of game, and what every decision was."""

from functools import partial
from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from projectl.accel.mixture import KindShare, Mixture
from projectl.accel.state import State
from projectl.bots import network
from projectl.bots.network import Arrays, Weights
from projectl.core import actions
from projectl.core.features import SEATS
from projectl.core.rules import Rules
from projectl.core.state import PLACES

POINT: Final = 0.1  # of a lead, in the network's units
OLD: Final = 8  # one game in so many has past selves at the table; against a fixed player every game has it
WHIM: Final = 2.0  # how far a past self's liking for a kind of decision may be from what it learned
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
