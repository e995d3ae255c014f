"""The pieces of training: values by seat, what a game teaches, one step of learning, and the files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("jax")

import jax
import jax.numpy as jnp
import numpy as np

from projectl.accel import learning, self_play, train
from projectl.accel.learning import Learner
from projectl.accel.self_play import Step
from projectl.bots import BotError, network
from projectl.bots.neural import WEIGHTS
from projectl.core import actions
from projectl.core.features import SEATS
from projectl.core.state import PLACES


def test_values_counted_from_the_mover_become_values_by_seat() -> None:
    relative = jnp.arange(1.0, SEATS + 1)[None, :].repeat(3, 0)
    found = self_play.by_seat(relative, jnp.array([0, 1, 2]), jnp.array([2, 3, 4]))
    assert found.tolist() == [[1, 2, 0, 0, 0, 0], [3, 1, 2, 0, 0, 0], [3, 4, 1, 2, 0, 0]]


def test_leads_are_points_beyond_the_mean_of_the_others() -> None:
    points = jnp.array([[10, 4, 99, 99], [6, 3, 0, 99]])
    found = self_play.leads(points, jnp.array([2, 3]))
    assert np.allclose(found[0], [0.6, -0.6, 0, 0, 0, 0])
    assert np.allclose(found[1], [0.45, 0, -0.45, 0, 0, 0])


def test_every_kind_of_game_in_training_has_a_name_of_its_own() -> None:
    tables = [self_play.mixture(self_play.TABLES, 512), self_play.mixture(self_play.ALONE, 128)]
    names = train.names_of(tables)
    assert len(names) == len(set(names)) == 26
    assert [games.slots for games in tables] == [512, 128]
    assert set(tables[1].seats) == {1}
    assert set(tables[1].players) == {2}


def test_half_of_the_others_have_whims_most_of_all_about_black_cards() -> None:
    found = np.asarray(self_play.whims(jax.random.key(1), 4000))
    has = found.any(axis=1)
    assert 0.45 < has.mean() < 0.55, "the others play as they learned"
    spread = found[has].std(0)
    black = self_play.LIKED_AS[actions.TAKE + PLACES]
    assert np.allclose(np.delete(spread, black), self_play.WHIM, rtol=0.1)
    assert np.allclose(spread[black], 1.5 * self_play.WHIM, rtol=0.1)
    # A liking is of a kind of decision: of all black cards in the row alike, and of none in the white row.
    assert set(self_play.LIKED_AS[actions.TAKE + PLACES : actions.TAKE + 2 * PLACES]) == {black}
    assert black not in self_play.LIKED_AS[actions.TAKE : actions.TAKE + PLACES]


def test_an_exploiter_meets_one_player_who_stays_as_it_is_in_every_seat_of_every_game(tmp_path: Path) -> None:
    options = train.asked(["--out", str(tmp_path), "--toy", "--against", str(WEIGHTS), "--keep", "0"])
    run = train.Run(options)
    fixed = run.others()
    assert [likings.shape[0] for likings in fixed.whims] == [games.slots for games in run.tables]
    assert not any(np.asarray(likings).any() for likings in fixed.whims)
    seats = self_play.present_seats(run.tables[0], run.every)
    assert np.bincount(seats).tolist() == [len(seats) // 2] * 2, "from each seat as often"
    run.started = 1.0
    run.count({"decisions": np.zeros(1)})
    known = network.playable(WEIGHTS)
    assert len(run.pool) == 1
    assert all(np.allclose(run.others().weights[name], part, atol=0.01) for name, part in known.items())


def test_each_of_the_others_plays_as_often_from_each_seat() -> None:
    games = self_play.mixture(self_play.TABLES[:1], 512)
    other, seat = self_play.other_of(games, 4), self_play.present_seats(games, 4)
    for n in range(self_play.OTHERS):
        assert np.bincount(seat[other == n]).tolist() == [16, 16]
    assert sorted(self_play.with_others(games, 4)) == list(range(0, 512, 4))


def test_guests_play_beside_past_selves_and_the_curve_names_them(tmp_path: Path) -> None:
    guest = tmp_path / "quick.npz"
    network.write(guest, {name: np.full(shape, 0.5, np.float16) for name, shape in network.PARTS.items()})
    run = train.Run(train.asked(["--out", str(tmp_path / "out"), "--toy", "--guests", str(guest)]))
    playing = run.others().weights["finish.b"][:, 0]
    assert playing.shape == (self_play.OTHERS,)
    assert float(playing[-1]) == 0.5
    assert not (playing[:-1] == 0.5).any(), "the others are past selves"
    met = np.array([[1.0], [2.0], [3.0], [4.0]])
    sums = {
        "games": np.array([9.0]),
        "decisions": np.array([90.0]),
        "met": met,
        "beaten": np.array([[1.0], [1], [1], [3]]),
    }
    row = train.curve_row(["base"], {}, {}, sums, self_play.OTHERS - 1, list(run.guests))
    assert row["won"] == {"past selves": {"base": 0.5}, "quick": {"base": 0.75}}


def two_player_game(won: int) -> Step:
    """One slot: seat 0 decides, then seat 1, whose decision ends the game; the network thought nothing of either."""
    steps = 3
    half = jnp.zeros((steps, 1, SEATS)).at[:, :, :2].set(0.5)
    none = jnp.zeros((steps, 1))
    nobody = jnp.zeros((steps, 1, SEATS))
    return Step(
        observation=jnp.zeros((steps, 1, 1)),
        legal=jnp.ones((steps, 1, 1), bool),
        decision=none,
        chance=none,
        counts=jnp.ones((steps, 1), bool),
        seat=jnp.array([[0], [1], [0]]),
        players=jnp.full((steps, 1), 2),
        win=half,
        lead=nobody,
        over=jnp.array([[False], [True], [False]]),
        won=nobody.at[1, 0, won].set(1.0),
        gained=nobody,
    )


@pytest.mark.parametrize("winner", [0, 1])
def test_the_winners_decisions_were_better_than_expected(winner: int) -> None:
    found = learning.lessons(two_player_game(winner), jnp.float32(0))
    better = np.asarray(found.advantage)[:, 0]
    assert better[winner] > 0.4
    assert better[1 - winner] < -0.4
    # What the mover should have thought of itself, and of the other.
    end = [0.0, 1.0] if winner == 0 else [1.0, 0.0]
    assert np.allclose(found.win[1, 0, :2], end)
    assert abs(float(found.win[0, 0, 0]) - (1 - end[0])) < 0.03  # LAMBDA trusts the first opinion a little
    assert np.allclose(found.win[..., 2:], 0)


def test_nothing_is_learned_across_the_end_of_a_game() -> None:
    one, other = (
        learning.lessons(two_player_game(0)._replace(win=jnp.full((3, 1, SEATS), 0.5).at[2].set(later)), jnp.float32(0))
        for later in (0.1, 0.9)
    )
    assert np.allclose(one.advantage, other.advantage)


def learner() -> Learner:
    weights = {name: jnp.full(shape, 0.25) for name, shape in network.PARTS.items()}
    half = {name: jnp.full(shape, 0.0625) for name, shape in network.PARTS.items()}
    return Learner(weights, jax.tree.map(jnp.zeros_like, weights), half, jnp.float32(3))


def test_a_step_goes_down_the_gradient_and_never_far() -> None:
    before = {"a": jnp.array([1.0, -1.0])}
    none = jax.tree.map(jnp.zeros_like, before)
    steep = {"a": jnp.array([300.0, 400.0])}
    after, length = learning.updated(Learner(before, none, none, jnp.float32(0)), steep, jnp.float32(0.01))
    assert float(length) == pytest.approx(500)
    assert np.allclose(after.mean["a"], 0.1 * np.array([0.3, 0.4]), rtol=1e-3)  # cut to a length of a half
    assert np.allclose(before["a"] - after.weights["a"], 0.01, rtol=1e-3)  # Adam's first step is the rate
    assert float(after.updates) == 1


def test_training_goes_on_where_it_was_saved(tmp_path: Path) -> None:
    saved = learner()
    pool = [{name: np.full(shape, n, np.float16) for name, shape in network.PARTS.items()} for n in range(5)]
    train.save(tmp_path, saved, pool, {"seconds": 7.5, "decisions": 12, "updates": 3.0})
    found, selves, about = train.load(tmp_path)
    assert about == {"seconds": 7.5, "decisions": 12, "updates": 3.0}
    assert float(found.updates) == 3
    for name in network.PARTS:
        assert np.array_equal(found.weights[name], saved.weights[name])
        assert np.allclose(found.square[name], saved.square[name])
    assert [float(one["finish.b"][0]) for one in selves] == [2, 3, 4]  # the last three
    played = network.playable(tmp_path / "weights.npz")
    assert played["trunk.w"].dtype == np.float32
    assert sum(path.stat().st_size for path in tmp_path.glob("checkpoint.npz")) < 16_000_000


@pytest.mark.parametrize(
    ("devices", "sentence"),
    [
        ("cpu", "there is no accelerator here, JAX finds only the CPU; --toy trains in a size for it"),
        ("cuda", "JAX finds no device to train on ("),
    ],
)
def test_without_an_accelerator_training_says_so(devices: str, sentence: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "projectl.accel.train", "--out", str(tmp_path / "out")]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "JAX_PLATFORMS": devices})
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(sentence)
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_without_jax_one_sentence_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "jax.py").write_text("raise ModuleNotFoundError(\"No module named 'jax'\", name='jax')", "utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    said = "the array engine needs JAX: pip install 'projectl[accel]'"
    imported = ["-c", "import projectl.accel"]
    for words, before in (
        (["-m", "projectl.accel.train"], ""),
        (imported, "ModuleNotFoundError: "),
    ):
        environment = {**os.environ, "PYTHONPATH": path}
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, env=environment)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == before + said
        assert before or done.stderr == said + "\n"


@pytest.mark.parametrize("how", ["missing", "cut", "foreign", "other version", "weights only"])
def test_a_checkpoint_that_does_not_fit_is_refused_with_a_sentence(how: str, tmp_path: Path) -> None:
    train.save(tmp_path, learner(), [], {"seconds": 0.0, "decisions": 0, "updates": 0.0})
    path = tmp_path / "checkpoint.npz"
    content = path.read_bytes()
    match how:
        case "missing":
            path.unlink()
        case "cut":
            path.write_bytes(content[: len(content) // 3])
        case "foreign":
            path.write_bytes(b"PK nothing of the kind")
        case "other version":
            arrays = network.read(path)
            with path.open("wb") as file:
                np.savez(file, allow_pickle=False, format=np.array((99, *network.FORMAT[1:])), **arrays)
        case "weights only":
            path.write_bytes((tmp_path / "weights.npz").read_bytes())
    with pytest.raises(BotError, match=r"^bot: checkpoint\.npz is [a-z ]+$") as caught:
        train.load(tmp_path)
    assert caught.value.code == "neural-weights"
