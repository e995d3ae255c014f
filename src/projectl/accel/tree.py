"""A tree of decisions for each of many games at once: what looking ahead finds better than the network's first thought.

As in the bot's tree the cards that nobody has seen are dealt anew before every new position, so that nobody in it
plans with them. Where a decision uncovers some, every other walk looks at others than those that the tree goes on
from: the network is asked about them, and the tree does not grow. Which decision at the root is tried how often is
settled by sequential halving over a sample of the network's own choice (Gumbel AlphaZero: Danihelka and others,
"Policy improvement by planning with Gumbel", 2022).
"""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from projectl.accel.mixture import Mixture
from projectl.accel.state import GAME, State
from projectl.accel.tables import CARD_IS_WHITE
from projectl.accel.words import CARDS_A_WORD, unpack
from projectl.bots import network
from projectl.core.features import SEATS

WIDE: Final = 16  # decisions of a position that are looked at
DEEP: Final = 16  # decisions of a walk
TRIED: Final = 8  # decisions at the root that are tried at all
_LEAD: Final = 0.02  # what the lead in points adds, so that a won game is still played well
_VISITS: Final = 50.0
_NEVER: Final = -1e9

Judge = Callable[[jax.Array], network.Output]


class Trust(NamedTuple):
    """How far the network's scores are trusted, and how far what the walks find."""

    doubt: float = 2.5  # the network is surer of its choice than it should be
    certain: float = 3.0  # how much a difference in worth counts against the network's scores


USUAL: Final = Trust()


class Better(NamedTuple):
    """What looking ahead says of each position."""

    decision: jax.Array
    looked_at: jax.Array  # decisions, `WIDE` of them
    chances: jax.Array  # with which each should be chosen


class Nodes(NamedTuple):
    """The positions of every tree: the root, then one for each walk. What is of a decision has `WIDE` columns."""

    decisions: jax.Array
    scores: jax.Array  # the network's
    visits: jax.Array
    worth: jax.Array  # the sum over all walks, for the seat that decides
    child: jax.Array  # the node behind a decision; 0: none yet
    seat: jax.Array
    value: jax.Array  # what the network says of the position, for the seat that decides
    uncovers: jax.Array  # the decision shows cards that nobody had seen
    words: jax.Array  # the position


class Walk(NamedTuple):
    """One walk down each tree, as far as it has come."""

    node: jax.Array
    path: jax.Array  # nodes
    choices: jax.Array  # columns
    length: jax.Array
    ended: jax.Array


@cache
def _halving(tried: int, walks: int) -> tuple[int, ...]:
    """How often a decision must have been tried to be next: all equally, then the better half, and so on."""
    if tried <= 1:
        return tuple(range(walks))
    order: list[int] = []
    visits, left = [0] * tried, tried
    rounds = int(np.ceil(np.log2(tried)))
    while len(order) < walks:
        for _ in range(max(1, walks // (rounds * left))):
            order += visits[:left]
            visits[:left] = [number + 1 for number in visits[:left]]
        left = max(2, left // 2)
    return tuple(order[:walks])


def _schedule(walks: int) -> npt.NDArray[np.float32]:
    """By how many decisions there are and by walk: see `_halving`."""
    return np.array([_halving(tried, walks) for tried in range(TRIED + 1)], np.float32)


def dealt_anew(games: Mixture, states: State, key: jax.Array) -> State:
    """The same positions with the cards that nobody has seen in another order."""
    numbers = unpack(GAME, states.game)
    whites, blacks = jax.random.split(key)
    return states._replace(
        white=_shuffled(states.white, numbers["white_left"], whites),
        black=_shuffled(states.black, numbers["black_left"], blacks),
    )


def _shuffled(deck: tuple[jax.Array, ...], left: jax.Array, key: jax.Array) -> tuple[jax.Array, ...]:
    """A deck in another order; in solo the white cards stay above the black ones."""
    if not deck:
        return deck
    shifts = 8 * np.arange(CARDS_A_WORD, dtype=np.uint32)
    cards = jnp.concatenate([(here[:, None] >> shifts) & 255 for here in deck], 1)
    there = jnp.arange(cards.shape[1]) < left[:, None]
    black = (jnp.asarray(CARD_IS_WHITE)[cards] == 0).astype(jnp.float32)
    order = jnp.argsort(jnp.where(there, jax.random.uniform(key, cards.shape) + black, 3.0), axis=1)
    mixed = jnp.where(there, jnp.take_along_axis(cards, order, 1), 0).reshape(cards.shape[0], -1, CARDS_A_WORD)
    words = jnp.sum(mixed << shifts, axis=2, dtype=jnp.uint32)
    return tuple(words[:, n] for n in range(len(deck)))


def _uncovered(before: State, after: State) -> jax.Array:
    """Whether a decision showed cards that nobody had seen: a deck is lower, or a row was recycled."""
    had, has = unpack(GAME, before.game), unpack(GAME, after.game)
    lower = (had["white_left"] != has["white_left"]) | (had["black_left"] != has["black_left"])
    for old, new in zip(before.row, after.row, strict=True):
        lower |= old != new
    return lower


def _value_by_seat(output: network.Output, seat: jax.Array, players: jax.Array) -> jax.Array:
    """What the network says, by seat."""
    seats = jnp.arange(SEATS)
    there = seats < players[:, None]
    said = jax.nn.softmax(jnp.where(there, output.chances, _NEVER)) + _LEAD * jnp.tanh(output.leads)
    index = (seats - seat[:, None].astype(jnp.int32)) % players[:, None]
    return jnp.where(there, jnp.take_along_axis(said, index, 1), 0.0)


def _best_scores(scores: jax.Array, legal: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The decisions with the highest scores, and these."""
    found, decisions = jax.lax.top_k(jnp.where(legal, scores, _NEVER), WIDE)
    return decisions, jnp.where(found > _NEVER / 2, found - found[:, :1], _NEVER)


def _mean(visits: jax.Array, worth: jax.Array, scores: jax.Array, value: jax.Array) -> jax.Array:
    """What each decision is worth; one that was never tried, what the others are on average."""
    chance = jax.nn.softmax(scores)
    mean = worth / jnp.maximum(visits, 1)
    tried = visits > 0
    total = visits.sum(-1, keepdims=True)
    weight = jnp.where(tried, chance, 0.0).sum(-1, keepdims=True)
    usual = jnp.where(tried, chance * mean, 0.0).sum(-1, keepdims=True) / jnp.maximum(weight, 1e-6)
    mixed = (value[..., None] + total * usual) / (1 + total)
    return jnp.where(tried, mean, mixed)


def _moved(visits: jax.Array, worth: jax.Array, scores: jax.Array, value: jax.Array, certain: float) -> jax.Array:
    """By how much what the walks found moves the network's scores."""
    most = visits.max(-1, keepdims=True)
    return (_VISITS + most) * certain * _mean(visits, worth, scores, value)


def _at(values: jax.Array, node: jax.Array) -> jax.Array:
    """A row of each tree."""
    index = node.reshape(-1, *[1] * (values.ndim - 1))
    return jnp.take_along_axis(values, index, 1)[:, 0]


def look_ahead(games: Mixture, judge: Judge, states: State, key: jax.Array, walks: int, trust: Trust = USUAL) -> Better:
    """So many walks from each position."""
    count, players = games.slots, jnp.asarray(games.players)
    every = jnp.arange(count)
    seen = games.look(states)
    said = judge(seen.observation)
    decisions, scores = _best_scores(said.scores, seen.legal)
    value = _value_by_seat(said, seen.seat, players)
    key, noise = jax.random.split(key)
    there = scores > _NEVER / 2
    luck = jnp.where(there, scores / trust.doubt + jax.random.gumbel(noise, scores.shape), _NEVER)
    schedule = jnp.asarray(_schedule(walks))
    tried = jnp.minimum(there.sum(-1), TRIED)

    def nothing(*shape: int, kind: jax.typing.DTypeLike = jnp.float32) -> jax.Array:
        return jnp.zeros((count, walks + 1, *shape), kind)

    def at_root(nodes: Nodes, walk: jax.Array) -> jax.Array:
        """The column to try next."""
        visits = nodes.visits[:, 0]
        moved = luck + _moved(visits, nodes.worth[:, 0], scores, nodes.value[:, 0], trust.certain)
        wanted = schedule[tried, walk][:, None]
        return jnp.where(visits == wanted, moved, _NEVER * 2).argmax(-1)

    def inside(nodes: Nodes, node: jax.Array) -> jax.Array:
        """The column that has been tried too little for what it promises."""
        visits, known = _at(nodes.visits, node), _at(nodes.scores, node)
        moved = _moved(visits, _at(nodes.worth, node), known, _at(nodes.value, node), trust.certain)
        chance = jax.nn.softmax(known / trust.doubt + moved)
        return (chance - visits / (1 + visits.sum(-1, keepdims=True))).argmax(-1)

    def step_down(nodes: Nodes, walk: Walk, choice: jax.Array) -> Walk:
        child = _at(nodes.child, walk.node)[every, choice]
        others = _at(nodes.uncovers, walk.node)[every, choice] & (_at(nodes.visits, walk.node)[every, choice] % 2 == 1)
        path = walk.path.at[every, walk.length].set(jnp.where(walk.ended, walk.path[every, walk.length], walk.node))
        choices = walk.choices.at[every, walk.length].set(
            jnp.where(walk.ended, walk.choices[every, walk.length], choice)
        )
        length = walk.length + ~walk.ended
        stops = (child == 0) | others | (length >= DEEP)
        return Walk(jnp.where(walk.ended | stops, walk.node, child), path, choices, length, walk.ended | stops)

    def walk_once(number: jax.Array, carry: tuple[Nodes, jax.Array]) -> tuple[Nodes, jax.Array]:
        nodes, key = carry
        key, dealing = jax.random.split(key)
        none = jnp.zeros(count, jnp.int32)
        ways = jnp.zeros((count, DEEP), jnp.int32)
        walk = Walk(none, ways, ways, none, states.terminated)
        walk = step_down(nodes, walk, at_root(nodes, number))
        walk = jax.lax.while_loop(
            lambda walk: ~walk.ended.all(), lambda walk: step_down(nodes, walk, inside(nodes, walk.node)), walk
        )
        choice = walk.choices[every, jnp.maximum(walk.length - 1, 0)]
        before = _state_of(states, _at(nodes.words, walk.node))
        decision = _at(nodes.decisions, walk.node)[every, choice]
        end = games.step(dealt_anew(games, before, dealing), decision)
        seen = games.look(end)
        said = judge(seen.observation)
        after = games.after(end)
        won = jnp.pad(after.won.astype(jnp.float32), ((0, 0), (0, SEATS - after.won.shape[1])))
        value = jnp.where(after.over[:, None], won, _value_by_seat(said, seen.seat, players))
        grows = (_at(nodes.child, walk.node)[every, choice] == 0) & ~after.over & (walk.length > 0)
        grown = Grown(
            grows, choice, _uncovered(before, end), seen.seat, _best_scores(said.scores, seen.legal), value, _words(end)
        )
        return _grown(nodes, walk, number + 1, grown), key

    root = Nodes(
        nothing(WIDE, kind=jnp.int32).at[:, 0].set(decisions),
        jnp.full((count, walks + 1, WIDE), _NEVER).at[:, 0].set(scores),
        nothing(WIDE),
        nothing(WIDE),
        nothing(WIDE, kind=jnp.int32),
        nothing(kind=jnp.int32).at[:, 0].set(seen.seat.astype(jnp.int32)),
        nothing().at[:, 0].set(value[every, seen.seat.astype(jnp.int32)]),
        nothing(WIDE, kind=bool),
        jnp.zeros((count, walks + 1, len(jax.tree.leaves(states))), jnp.uint32).at[:, 0].set(_words(states)),
    )
    nodes, _ = jax.lax.fori_loop(0, walks, walk_once, (root, key))
    visits, worth = nodes.visits[:, 0], nodes.worth[:, 0]
    moved = _moved(visits, worth, scores, nodes.value[:, 0], trust.certain)
    best = jnp.where(visits == visits.max(-1, keepdims=True), luck + moved, _NEVER * 2).argmax(-1)
    return Better(decisions[every, best], decisions, jax.nn.softmax(scores + moved))


class Grown(NamedTuple):
    """Where a walk ended: a decision after the last node that it came to, and what lies behind it."""

    grows: jax.Array  # nobody had been there
    choice: jax.Array
    uncovers: jax.Array
    seat: jax.Array
    best: tuple[jax.Array, jax.Array]  # decisions there, with their scores
    value: jax.Array  # by seat
    words: jax.Array


def _words(states: State) -> jax.Array:
    """Positions as rows of words."""
    return jnp.stack(jax.tree.leaves(states), -1)


def _state_of(like: State, words: jax.Array) -> State:
    """Positions that were put into rows."""
    return jax.tree.unflatten(jax.tree.structure(like), list(jnp.moveaxis(words, -1, 0)))


def _grown(nodes: Nodes, walk: Walk, number: jax.Array, end: Grown) -> Nodes:
    """The trees after a walk: a new node where nobody had been, and what the walk found told to all that it passed."""
    every = jnp.arange(walk.node.shape[0])
    decisions, scores = end.best
    seat = end.seat.astype(jnp.int32)
    edge = every, walk.node, end.choice
    grown = nodes._replace(
        decisions=nodes.decisions.at[:, number].set(decisions),
        scores=nodes.scores.at[:, number].set(scores),
        child=nodes.child.at[edge].set(jnp.where(end.grows, number, nodes.child[edge])),
        seat=nodes.seat.at[:, number].set(seat),
        value=nodes.value.at[:, number].set(end.value[every, seat]),
        uncovers=nodes.uncovers.at[edge].set(end.uncovers),
        words=nodes.words.at[:, number].set(end.words),
    )
    passed = (jnp.arange(DEEP) < walk.length[:, None]).astype(jnp.float32)
    rows = every[:, None]
    gained = jnp.take_along_axis(end.value, nodes.seat[rows, walk.path], 1) * passed
    return grown._replace(
        visits=grown.visits.at[rows, walk.path, walk.choices].add(passed),
        worth=grown.worth.at[rows, walk.path, walk.choices].add(gained),
    )
