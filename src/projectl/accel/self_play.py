"""Games that the network plays against itself and others: the kinds of game, and what every decision was."""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from projectl.accel.mixture import KindShare, Mixture
from projectl.accel.state import State
from projectl.accel.tree import USUAL, Trust, look_ahead
from projectl.bots import network
from projectl.bots.network import Arrays, Weights
from projectl.core import actions
from projectl.core.features import SEATS
from projectl.core.rules import Rules
from projectl.core.state import PLACES

POINT: Final = 0.1  # of a lead, in the network's units
OLD: Final = 2  # one game in so many has others at the table; against a fixed player every game has it
OTHERS: Final = 4  # so many others play at the same time
WHIM: Final = 2.0  # how far a past self's liking for a kind of decision may be from what it learned
NO: Final = -1e9


def _half(values: jax.Array) -> jax.Array:
    return values.astype(jnp.bfloat16)


def _dot_in_half(result: jax.typing.DTypeLike) -> Callable[[jax.Array, jax.Array], jax.Array]:
    """A product of numbers of 16 bits, there and on the way back: in 32 it would take several times as long."""

    def product(values: jax.Array, matrix: jax.Array) -> jax.Array:
        return jnp.dot(_half(values), _half(matrix), preferred_element_type=result)

    def there(values: jax.Array, matrix: jax.Array) -> tuple[jax.Array, tuple[jax.Array, ...]]:
        like = jnp.zeros(0, values.dtype), jnp.zeros(0, matrix.dtype)
        return product(values, matrix), (_half(values), _half(matrix), *like)

    def back(kept: tuple[jax.Array, ...], slope: jax.Array) -> tuple[jax.Array, jax.Array]:
        values, matrix, like_values, like_matrix = kept
        slope, batch = _half(slope), list(range(values.ndim - 1))
        by_values = jnp.dot(slope, matrix.T, preferred_element_type=like_values.dtype)
        by_matrix = jnp.tensordot(values, slope, (batch, batch), preferred_element_type=jnp.float32)
        return by_values, by_matrix.astype(like_matrix.dtype)

    found = jax.custom_vjp(product)
    found.defvjp(there, back)
    return lambda values, matrix: found(values, jnp.asarray(matrix))


JAX: Final = Arrays(jnp, _dot_in_half(jnp.float32), _dot_in_half(jnp.bfloat16))

# What others like more or less than they learned: where each kind of decision begins. Black cards end the game.
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


def rules_of(kind: Kind) -> Rules:
    """The game that is played."""
    _, players, edition, modules, options = kind
    return Rules(players, edition, modules, max_rounds=network.ROUNDS, **options)  # type: ignore[arg-type]


def mixture(kinds: list[Kind], slots: int) -> Mixture:
    """The kinds of game in their shares of the slots; whole numbers of `OLD`."""
    total = sum(kind[0] for kind in kinds)
    counts = [max(OLD, int(slots * kind[0] / total) // OLD * OLD) for kind in kinds]
    counts[0] += slots - sum(counts)
    return Mixture([KindShare(rules_of(kind), count) for count, kind in zip(counts, kinds, strict=True)])


class Step(NamedTuple):
    """One decision of every slot, as the learner needs it."""

    observation: jax.Array
    legal: jax.Array
    decision: jax.Array
    chance: jax.Array  # logarithm of the chance with which it was chosen
    counts: jax.Array  # made by the present self: others teach values only
    seat: jax.Array
    players: jax.Array
    win: jax.Array  # what the network thought, by seat
    lead: jax.Array
    over: jax.Array
    won: jax.Array
    gained: jax.Array  # lead gained by this decision, by seat
    better: tuple[jax.Array, ...] = ()  # where looking ahead teaches: decisions, and the chances they should have


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


class Others(NamedTuple):
    """Who else plays, `OTHERS` of them: past selves and guests, with likings beyond what they learned."""

    weights: Weights  # of all of them, one behind the other
    whims: list[jax.Array]  # for each batch of games: by game with others (`with_others`), by kind of decision


def whims(key: jax.Array, games: int, size: float = WHIM) -> jax.Array:
    """Likings at random, in half of the games: most hurry the end or delay it, none plays quite as it learned."""
    found = size * jax.random.normal(key, (games, len(_LIKED)))
    found = found.at[:, _BLACK].multiply(1.5)
    return found * jax.random.bernoulli(jax.random.fold_in(key, 1), 0.5, (games, 1))


def other_of(games: Mixture, every: int) -> npt.NDArray[np.int64]:
    """By slot: which of the others plays there; -1: none."""
    slots = np.arange(games.slots)
    return np.where(slots % every == 0, slots // every % OTHERS, -1)


def with_others(games: Mixture, every: int) -> npt.NDArray[np.int64]:
    """The slots of games with others, those of the same other together."""
    found = other_of(games, every)
    return np.concatenate([np.flatnonzero(found == n) for n in range(OTHERS)])


def present_seats(games: Mixture, every: int) -> npt.NDArray[np.int64]:
    """By slot: where the present self sits if others play there."""
    seats: npt.NDArray[np.int64] = (np.arange(games.slots) // (every * OTHERS)) % games.seats
    return seats


def _said_by_others(
    others: Weights, judge: Callable[[Weights, jax.Array], network.Output], seen: jax.Array
) -> network.Output:
    """What each of the others says of its own part of these positions."""
    parts = seen.reshape(OTHERS, -1, seen.shape[-1])
    said = jax.vmap(judge)(others, parts)
    return network.Output(*(part.reshape(-1, part.shape[-1]) for part in said))


def roll_out(
    games: Mixture,
    steps: int,
    every: int,
    weights: Weights,
    others: Weights,
    likings: jax.Array,
    began: Standing,
    key: jax.Array,
    walks: int = 0,
    trust: Trust = USUAL,
) -> tuple[Standing, Step]:
    """So many decisions in every slot: where the games stand then, and what happened.

    With walks the present self looks ahead before it decides.
    """
    seats_used = max(2, games.layout.seats)
    players = jnp.asarray(games.players)
    shared = with_others(games, every)
    present = present_seats(games, every)[shared]
    judge = partial(network.forward, arrays=JAX, seats_used=seats_used)
    key, dealing = jax.random.split(key)
    fresh = games.deal(dealing)

    def step(carry: Standing, key: jax.Array) -> tuple[Standing, Step]:
        states, points = carry
        seen = games.look(states)
        output = judge(weights, seen.observation)
        scores = masked(output, seen.legal)
        mine, theirs = jax.random.split(key)
        better: tuple[jax.Array, ...] = ()
        if walks:
            decision, *better_ = look_ahead(games, partial(judge, weights), states, mine, walks, trust)
            better = tuple(better_)
        else:
            decision = decided(mine, scores)
        said = masked(_said_by_others(others, judge, seen.observation[shared]), seen.legal[shared])
        by_others = seen.seat[shared] != present
        answer = decided(theirs, said + likings[:, LIKED_AS])
        decision = decision.at[shared].set(jnp.where(by_others, answer, decision[shared]))
        chance = jnp.take_along_axis(jax.nn.log_softmax(scores), decision[:, None], 1)[:, 0]
        states = games.step(states, decision)
        after = games.after(states)
        now = leads(after.points, players)
        taken = Step(
            seen.observation,
            seen.legal,
            decision,
            chance,
            jnp.ones(games.slots, bool).at[shared].set(~by_others),
            seen.seat,
            players,
            by_seat(chances(output, players), seen.seat, players),
            by_seat(output.leads, seen.seat, players),
            after.over,
            jnp.pad(after.won.astype(jnp.float32), ((0, 0), (0, SEATS - after.won.shape[1]))),
            now - points,
            better,
        )
        states = games.renew(after.over, states, fresh)
        return (states, jnp.where(after.over[:, None], 0.0, now)), taken

    return jax.lax.scan(step, began, jax.random.split(key, steps))
