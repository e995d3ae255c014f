"""Gymnasium's own checks pass, and many games at once say what each of them says alone."""

import pickle
import random
import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, NameNotFound, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import projectl.envs  # noqa: F401  # registers the environments
from projectl import Rules, Unreadable, new_game, play, result
from projectl.bots import BotError, make
from projectl.bots.protocol import look_at
from projectl.core.actions import COUNT, DONE
from projectl.core.features import SIZE
from projectl.core.rules import DIFFICULTIES
from projectl.core.state import OVER, dump
from projectl.envs.rewards import REWARDS, final_rewards
from projectl.envs.solo import SoloEnv, SoloVectorEnv
from projectl.envs.spaces import mask_of, seen_by
from projectl.envs.table import TableEnv

SOLO: list[dict[str, Any]] = [
    *({"difficulty": difficulty, "edition": edition} for difficulty in DIFFICULTIES for edition in ("2019", "2023")),
    {"edition": "2020", "difficulty": "hard", "observation": "features"},
    {"modules": ["ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador"], "reward": "shaped"},
]


def made(name: str, **given: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(f"projectl/{name}", **given).unwrapped


@pytest.mark.parametrize("given", SOLO, ids=str)
def test_solo_passes_the_check(given: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made("Solo-v0", **given), skip_render_check=True)


def test_a_table_passes_the_check_rendering_included(capsys: pytest.CaptureFixture[str]) -> None:
    check_env(made("Table-v0", opponents=["greedy", "random"], seat=1))
    assert "The game is shown at http://127.0.0.1:" in capsys.readouterr().err


def test_the_name_alone_finds_it() -> None:
    """Gymnasium has no entry points for environments any more: the name says which module registers it."""
    code = (
        "import gymnasium; print(gymnasium.make('projectl.envs:projectl/Solo-v0', difficulty='hard').unwrapped.rules)"
    )
    assert printed(code) == "Rules(players=1, edition='2023', max_rounds=60, difficulty=hard)\n"


def test_after_an_import_the_name_needs_no_module() -> None:
    make = "gymnasium.make('projectl/Solo-v0').unwrapped.rules.players"
    assert printed(f"import gymnasium, projectl.envs; print({make})") == "1\n"
    alone = f"import gymnasium\ntry: {make}\nexcept gymnasium.error.NamespaceNotFound as error: print(error)"
    assert printed(alone) == "Namespace projectl not found. Have you installed the proper package for projectl?\n"


def test_gymnasium_is_enough() -> None:
    code = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import gymnasium; print(gymnasium.make('projectl.envs:projectl/Table-v0').reset(seed=1)[0].shape)"
    )
    assert printed(code) == "(3456,)\n"


def printed(code: str) -> str:
    """What a Python of its own prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def decide(env: TableEnv, dice: random.Random) -> int:
    return int(dice.choice(np.flatnonzero(env.action_masks()).tolist()))


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_of_a_whole_game(reward: str) -> None:
    env, dice = SoloEnv(reward=reward, max_rounds=12), random.Random(1)
    _, info = env.reset(seed=5)
    total, over = 0.0, False
    while not over:
        assert info["action_mask"].tolist() == env.action_masks().tolist()
        seen, brought, over, cut, info = env.step(decide(env, dice))
        assert not cut
        total += brought
        assert isinstance(seen, np.ndarray)
        assert seen.tolist() == seen_by(env.game, 0, "flat").tolist()  # type: ignore[union-attr]
    assert total == final_rewards("score" if reward == "shaped" else reward, env.game)[0]


def test_the_bots_play_the_other_seats() -> None:
    env, dice = TableEnv(["greedy", "random"], seat=1, max_rounds=5), random.Random(2)
    env.reset(seed=3)
    assert env.game.seat == 1
    assert env.game.players[0].actions == 0
    over = False
    while not over:
        _, _, over, _, _ = env.step(decide(env, dice))
        assert over or env.game.seat == 1
    assert result(env.game) is not None
    env.close()


def test_the_same_seed_gives_the_same_game_and_bots() -> None:
    games = []
    for _ in range(2):
        env, dice = TableEnv(["random"], max_rounds=5), random.Random(2)
        env.reset(seed=3)
        over = False
        while not over:
            _, _, over, _, _ = env.step(decide(env, dice))
        games.append(dump(env.game))
    assert games[0] == games[1]


def test_an_environment_can_be_copied_and_sent() -> None:
    env, dice = SoloEnv(), random.Random(2)
    env.reset(seed=1)
    other: SoloEnv = pickle.loads(pickle.dumps(env))
    action = decide(env, dice)
    env.step(action)
    assert other.action_space.sample() in np.flatnonzero(other.action_masks())
    other.step(action)
    assert dump(other.game) == dump(env.game)


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (DONE, r"2825 \(done\) is not legal for player_0 now: .*; legal are 2400, 2401"),
        (COUNT, "an action is a whole number from 0 to 2825, found 2826"),
        ("take", "an action is a whole number from 0 to 2825, found 'take'"),
        (np.zeros((2, 2), np.int64), r"found int64 of shape \(2, 2\)"),
    ],
)
def test_a_bad_action_changes_nothing(action: Any, sentence: str) -> None:
    env = SoloEnv()
    env.reset(seed=1)
    before = dump(env.game)
    with pytest.raises(InvalidAction, match=sentence):
        env.step(action)
    assert dump(env.game) == before


def test_steps_before_the_beginning_and_after_the_end() -> None:
    env, dice = SoloEnv(max_rounds=1), random.Random(1)
    with pytest.raises(ResetNeeded, match="reset the environment first"):
        env.step(0)
    env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, _ = env.step(decide(env, dice))
    final = dump(env.game)
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(0)
    assert dump(env.game) == final


@pytest.mark.parametrize(
    ("name", "given", "kind", "sentence"),
    [
        ("Solo-v0", {"difficulty": "easy"}, Unreadable, "difficulty is normal or hard or unbeatable, found 'easy'"),
        ("Solo-v0", {"modules": ["line_clear"]}, Unreadable, "line_clear"),
        ("Solo-v0", {"reward": "money"}, ValueError, "a reward is score, win, difference, shaped"),
        ("Solo-v0", {"level": 3}, TypeError, "level"),
        ("Table-v0", {"opponents": ["nobody"]}, BotError, "there is no bot 'nobody'"),
        ("Table-v0", {"opponents": "greedy"}, TypeError, "opponents are a list of bots"),
        ("Table-v0", {"seat": 2}, Unreadable, "the last seat is 1, counted from 0, found 2"),
    ],
)
def test_unknown_options(name: str, given: dict[str, Any], kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        made(name, **given)


def test_an_unknown_id() -> None:
    with pytest.raises(NameNotFound, match=r"`Sol` doesn't exist in namespace projectl. Did you mean: `Solo`"):
        made("Sol-v0")


# --- many games -------------------------------------------------------------------------------


def alone(rules: Rules, game: int, episode: int) -> Any:
    return new_game(rules, f"9/{game}/{episode}")


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("reward", REWARDS)
def test_many_games_say_what_each_says_alone(mode: AutoresetMode, reward: str) -> None:
    dice, count = random.Random(3), 3
    env = gymnasium.make_vec("projectl/Solo-v0", count, autoreset_mode=mode, max_rounds=2, reward=reward)
    assert isinstance(env.unwrapped, SoloVectorEnv)
    seen, infos = env.reset(seed=9)
    rules = Rules(1, max_rounds=2)
    states, episodes = [alone(rules, game, 0) for game in range(count)], [0] * count
    brought, ended = [0.0] * count, 0
    while ended < 7:
        masks = infos["action_mask"]
        for game, state in enumerate(states):
            assert seen[game].tolist() == seen_by(state, 0, "flat").tolist()  # type: ignore[union-attr]
            assert masks[game].tolist() == mask_of(state, 0).tolist()
        actions = [int(dice.choice(np.flatnonzero(row).tolist() or [0])) for row in masks]
        seen, rewards, over, cut, infos = env.step(np.array(actions))
        assert not cut.any()
        for game, state in enumerate(states):
            if state.phase == OVER:  # next_step: this step only dealt anew
                episodes[game] += 1
                states[game] = alone(rules, game, episodes[game])
                assert (rewards[game], over[game]) == (0.0, False)
                continue
            play(state, actions[game])
            brought[game] += rewards[game]
            assert over[game] == (state.phase == OVER)
            if state.phase != OVER:
                continue
            ended += 1
            assert brought[game] == final_rewards("score" if reward == "shaped" else reward, state)[0]
            brought[game] = 0.0
            if mode == AutoresetMode.SAME_STEP:
                assert infos["final_obs"][game].tolist() == seen_by(state, 0, "flat").tolist()  # type: ignore[union-attr]
                assert infos["_final_obs"][game]
                episodes[game] += 1
                states[game] = alone(rules, game, episodes[game])
        if mode == AutoresetMode.DISABLED and over.any():
            with pytest.raises(InvalidAction, match="these games are over and have to be reset first"):
                env.step(np.array(actions))
            seen, infos = env.reset(options={"reset_mask": over})
            for game in np.flatnonzero(over).tolist():
                episodes[game] += 1
                states[game] = alone(rules, game, episodes[game])
    env.close()


def test_many_games_in_the_spaces_they_name() -> None:
    env = SoloVectorEnv(4, observation="features")
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    flat = SoloVectorEnv(4)
    first, infos = flat.reset(seed=1)
    assert flat.observation_space.contains(first)
    assert isinstance(first, np.ndarray)
    assert first.shape == (4, SIZE)
    again, _ = flat.reset(seed=1)
    assert isinstance(again, np.ndarray)
    assert (again == first).all()
    kept = first.copy()
    flat.step(infos["action_mask"].argmax(axis=1))
    assert (first == kept).all()


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([2400], r"actions are whole numbers of shape \(2,\), found int64 of shape \(1,\)"),
        ([2400.0, 2400.0], r"actions are whole numbers of shape \(2,\), found float64 of shape \(2,\)"),
        ([2400, DONE], r"game 1: 2825 \(done\) is not legal for seat 0 now; legal are 2400"),
        ([2400, COUNT], r"game 1: 2826 \(no decision\) is not legal"),
    ],
)
def test_bad_actions_of_many_games_change_nothing(actions: list[Any], sentence: str) -> None:
    env = SoloVectorEnv(2)
    _, infos = env.reset(seed=1)
    with pytest.raises(InvalidAction, match=sentence):
        env.step(np.array(actions))
    _, _, _, _, after = env.step(np.array([2400, 2400]))
    assert after["action_mask"].shape == infos["action_mask"].shape


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"options": {"reset_mask": [True, False]}}, r"a reset_mask is an array of bool of shape \(2,\), found \[True"),
        ({"options": {"reset_mask": np.ones(3, np.bool_)}}, r"found bool of shape \(3,\)"),
        ({"options": {"reset_mask": np.zeros(2, np.bool_)}}, "a reset_mask names at least one game"),
        ({"seed": [1, 2]}, r"the seed of a batch is one whole number from 0, found \[1, 2\]"),
        ({"seed": 1, "options": {"reset_mask": np.ones(2, np.bool_)}}, "a seed deals all games anew"),
    ],
)
def test_bad_resets_of_many_games(given: dict[str, Any], sentence: str) -> None:
    env = SoloVectorEnv(2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=sentence):
        env.reset(**given)


def test_a_batch_that_has_not_begun_or_cannot_be() -> None:
    with pytest.raises(ResetNeeded, match="reset the environment first"):
        SoloVectorEnv(2).step(np.array([0, 0]))
    with pytest.raises(ValueError, match="many games at once are not rendered"):
        SoloVectorEnv(2, render_mode="ansi")
    with pytest.raises(ValueError, match="num_envs is 1 or more, found 0"):
        SoloVectorEnv(0)
    with pytest.raises(ValueError, match="'never' is not a valid AutoresetMode"):
        SoloVectorEnv(2, autoreset_mode="never")


def test_any_bot_decides_for_an_environment() -> None:
    env, bot, over = SoloEnv(), make("greedy"), False
    env.reset(seed=1)
    while not over:
        _, reward, over, _, _ = env.step(bot.decide(look_at(env.game, 0, 1.0)))
    found = result(env.game)
    assert found is not None
    assert reward == found.scores[0]
