"""The learned bot: it plays whole games of every kind, and without weights that fit classic search plays for it."""

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from projectl import Rules, legal, new_game, result, to_act
from projectl.bots import BotError, BotWarning, Look, look_at, make, network
from projectl.bots.classic import ClassicSearch
from projectl.bots.neural import WEIGHTS, NeuralBot, neural
from projectl.bots.search import search
from projectl.core.cards import Card
from projectl.core.features import FEATURE, SEATS, SIZE
from projectl.core.knowledge import known
from projectl.core.observe import observe
from projectl.core.state import dump, load
from tests.test_bots import middle_of, play_out

GAMES = {
    "two players": Rules(2, max_rounds=40),
    "solo": Rules(1, difficulty="unbeatable"),
    "four players, every trained module": Rules(
        4, modules=("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador"), max_rounds=40
    ),
    "never trained": Rules(
        6, modules=("phoenix", "line_clear", "endless_white"), own=(Card("Z01", True, 1, 0, 3),), max_rounds=10
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_whole_games(name: str) -> None:
    rules = GAMES[name]
    end = play_out(rules, ["neural"] * int(rules.players), name)
    assert result(end) is not None


def test_it_beats_greedy() -> None:
    won = 0
    for seed in range(3):
        for seat in (0, 1):
            specs = ["greedy", "greedy"]
            specs[seat] = "neural"
            found = result(play_out(Rules(2, max_rounds=40), specs, f"deal {seed}"))
            assert found
            won += found.winners == (seat,)
    assert won >= 5


@pytest.mark.parametrize(("players", "watched", "shown"), [(2, True, True), (3, True, True), (2, False, False)])
def test_it_answers_with_the_legal_decision_that_the_network_likes_best(
    players: int, watched: bool, shown: bool
) -> None:
    """Who watched sees the piles of the others, as in an edition with open ones."""
    state = middle_of(Rules(players), "liked", 60)
    seat = to_act(state)[0]
    seen = np.zeros(SIZE, np.uint8)
    observe(load(Rules(players, known_points=True), "", dump(state)) if shown else state, seat, seen.data)
    seen[FEATURE["configuration.max_rounds"].offset] = network.ROUNDS
    scores = network.forward(network.playable(WEIGHTS), seen).scores
    best = max(legal(state), key=lambda decision: float(scores[decision]))
    look = Look(state.rules, known(state, seat, watched=watched), legal(state), 1.0)
    bot = make("neural")
    assert bot.decide(look) == best
    assert isinstance(bot, NeuralBot)
    assert bot.judge
    assert bot.judge.seen[0].tolist() == seen.tolist()


def test_a_batch_is_judged_like_each_position_alone() -> None:
    weights = network.playable(WEIGHTS)
    seen = np.zeros((5, SIZE), np.uint8)
    for n in range(5):
        state = middle_of(Rules(3), f"batch {n}", 10 * n)
        observe(state, to_act(state)[0], seen[n].data)
    together = network.forward(weights, seen)
    alone = [network.forward(weights, one, seats_used=3) for one in seen]
    assert together.chances.shape == (5, SEATS)
    for field in network.Output._fields:
        parts = np.stack([getattr(one, field) for one in alone])
        assert np.allclose(getattr(together, field), parts, atol=1e-3), field
    assert np.ptp(together.chances[:, 0]) > 0.01  # positions differ


def changed(path: Path, how: str) -> Path:
    """A copy of the weights that must not be used."""
    content = WEIGHTS.read_bytes()
    arrays = network.read(WEIGHTS)
    match how:
        case "cut":
            path.write_bytes(content[: len(content) // 2])
        case "flipped":
            middle = len(content) // 2
            path.write_bytes(content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :])
        case "empty":
            path.write_bytes(b"")
        case "foreign":
            path.write_text("no weights at all", encoding="utf-8")
        case "array":
            with path.open("wb") as file:
                np.save(file, np.zeros(3))
        case "unversioned":
            np.savez(path, allow_pickle=False, **arrays)
        case "other version":
            np.savez(path, allow_pickle=False, format=np.array((0, *network.FORMAT[1:])), **arrays)
        case "other layout":
            network.write(path, {**arrays, "trunk.w": arrays["trunk.w"][1:]})
        case "part missing":
            network.write(path, {name: part for name, part in arrays.items() if name != "finish.b"})
    return path


SPOILT = ("missing", "cut", "flipped", "empty", "foreign", "array", "unversioned", "other version", "other layout")


@pytest.mark.parametrize("how", [*SPOILT, "part missing"])
def test_classic_search_plays_without_weights_that_fit_and_it_is_said_once(how: str, tmp_path: Path) -> None:
    path = changed(tmp_path / "spoilt.npz", how)
    with pytest.warns(BotWarning, match=r"^the learned bots play as search-classic: spoilt\.npz is [a-z ]+$") as said:
        bot = neural(0.005, 0, path)
    assert len(said) == 1
    assert isinstance(bot, ClassicSearch)
    state = new_game(Rules(2), "spoilt")
    assert bot.decide(look_at(state, 0, 1.0)) in legal(state)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(neural(0.005, 0, path), ClassicSearch)
        assert isinstance(search(0.005, 0, path), ClassicSearch)
    with pytest.raises(BotError):
        network.playable(path)


def test_weights_are_written_and_read_alike(tmp_path: Path) -> None:
    arrays = network.read(WEIGHTS)
    network.write(tmp_path / "copy.npz", arrays)
    again = network.read(tmp_path / "copy.npz")
    assert again.keys() == arrays.keys() == network.PARTS.keys()
    assert all((again[name] == part).all() for name, part in arrays.items())
    assert [path.name for path in tmp_path.iterdir()] == ["copy.npz"]


def test_without_numpy_classic_search_plays() -> None:
    script = (
        "import sys; sys.modules['numpy'] = None\n"
        "from projectl.bots import make\n"
        "print(type(make('neural')).__name__, type(make('search')).__name__)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ClassicSearch", "ClassicSearch"]
    assert done.stderr.count("the learned bots play as search-classic: NumPy is not installed") == 1


def test_numpy_is_not_loaded_before_it_is_needed() -> None:
    script = "import sys, projectl, projectl.bots; print('numpy' in sys.modules, 'jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_the_shipped_weights_fit() -> None:
    assert WEIGHTS.stat().st_size < 5_000_000
    assert isinstance(make("neural"), NeuralBot)
