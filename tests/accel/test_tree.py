"""The look ahead for many games at once."""

from functools import partial

import pytest

pytest.importorskip("jax")

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from projectl.accel import self_play, tree
from projectl.accel.mixture import Mixture
from projectl.accel.self_play import JAX, mixture
from projectl.accel.state import GAME, State
from projectl.accel.tables import CARD_IS_WHITE
from projectl.accel.words import compiler_options, unpack
from projectl.bots import network
from projectl.bots.neural import WEIGHTS


def test_all_are_tried_then_the_better_half_again_and_again() -> None:
    order = tree._halving(4, 16)
    assert order[:8] == (0, 0, 0, 0, 1, 1, 1, 1)
    assert order[8:12] == (2, 2, 3, 3), "two of them"
    assert tree._halving(1, 3) == (0, 1, 2)
    assert len(tree._halving(8, 32)) == 32


def cards_of(deck: tuple[jax.Array, ...]) -> npt.NDArray[np.uint32]:
    return np.stack([np.asarray(word) >> shift & 255 for word in deck for shift in (0, 8, 16, 24)], 1)


@pytest.mark.parametrize("kind", [(1.0, 2, "2023", (), {}), (1.0, 1, "2023", (), {"difficulty": "hard"})])
def test_cards_that_nobody_has_seen_are_dealt_anew_and_no_other(
    kind: self_play.Kind,
) -> None:
    games = mixture([kind], 8)
    states: State = jax.jit(games.deal)(jax.random.key(1))
    after = tree.dealt_anew(games, states, jax.random.key(2))
    assert jax.tree.all(
        jax.tree.map(
            lambda a, b: (a == b).all(), states._replace(white=(), black=()), after._replace(white=(), black=())
        )
    )
    for before, now, left in (
        (states.white, after.white, "white_left"),
        (states.black, after.black, "black_left"),
    ):
        if not before:
            continue
        had, has = cards_of(before), cards_of(now)
        assert (np.sort(had, 1) == np.sort(has, 1)).all()
        assert ((has > 0).sum(1) == np.asarray(unpack(GAME, states.game)[left])).all()
        assert (had != has).any(1).all(), "in another order"
        assert ((has > 0) == (had > 0)).all(), "from the top on"
        if games.layout.solo:
            white = CARD_IS_WHITE[has] != 0
            assert (white == (CARD_IS_WHITE[had] != 0)).all(), "the white ones stay above"


@pytest.fixture(scope="module")
def games() -> Mixture:
    return mixture([(1.0, 2, "2023", (), {}), (1.0, 2, "2019", (), {})], 8)


def test_it_chooses_legal_decisions_and_says_how_much_it_likes_each(games: Mixture) -> None:
    weights = network.playable(WEIGHTS)
    judge = partial(
        network.forward, {name: jnp.asarray(part) for name, part in weights.items()}, arrays=JAX, seats_used=3
    )
    states = jax.jit(games.deal)(jax.random.key(1))
    look = jax.jit(
        lambda states, key: tree.look_ahead(games, judge, states, key, 4), compiler_options=compiler_options()
    )
    legal = np.asarray(jax.jit(games.look)(states).legal)
    found, again, other = (look(states, jax.random.key(key)) for key in (3, 3, 4))
    every = np.arange(games.slots)
    assert legal[every, np.asarray(found.decision)].all()
    assert np.allclose(np.asarray(found.chances).sum(1), 1, atol=1e-4)
    assert (np.asarray(found.chances)[~legal[every[:, None], np.asarray(found.looked_at)]] < 1e-6).all()
    assert jax.tree.all(jax.tree.map(lambda a, b: (a == b).all(), found, again))
    assert (np.asarray(found.chances) != np.asarray(other.chances)).any()
    first = np.where(legal, np.asarray(judge(jax.jit(games.look)(states).observation).scores), -np.inf).argmax(1)
    assert (np.asarray(found.looked_at)[:, 0] == first).all(), "the network's first thought is looked at first"


def test_it_sees_what_wins_at_once() -> None:
    """Of two decisions that the network likes alike, one ends the game won: nearly all walks agree on it."""
    visits = jnp.array([[4.0, 4.0]])
    worth = jnp.array([[4.0, 0.0]])
    moved = tree._moved(visits, worth, jnp.zeros((1, 2)), jnp.array([0.5]), tree.USUAL.certain)
    assert float(jax.nn.softmax(moved)[0, 0]) > 0.99
    untried = tree._mean(jnp.array([[2.0, 0.0]]), jnp.array([[1.6, 0.0]]), jnp.zeros((1, 2)), jnp.array([0.5]))
    assert float(untried[0, 1]) == pytest.approx((0.5 + 2 * 0.8) / 3), "what was not tried is worth what the others are"
