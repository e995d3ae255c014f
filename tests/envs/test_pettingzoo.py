"""PettingZoo's own tests pass, and what they do not look at is right too."""

import random
import re
import urllib.request
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from projectl import Rules, Unreadable, legal, result, to_act
from projectl.core.actions import COUNT, DONE
from projectl.core.features import FEATURE, SIZE
from projectl.core.observe import returns
from projectl.core.rules import LINE_CLEAR
from projectl.core.state import dump
from projectl.envs import projectl_v0
from projectl.envs.cycles import WAIT, CycleEnv
from projectl.envs.rewards import REWARDS
from projectl.envs.turns import TurnEnv
from tests.configurations import configurations

# What PettingZoo remarks on and excuses by name in its own board games: observations in a dictionary with their mask,
# and a mask without a legal action for an agent whose game is over.
REMARKS = (
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros (no legal actions).",
)
EVERYTHING = ("ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador", "line_clear", "endless_white")
GAMES: list[dict[str, Any]] = [
    {},
    {"observation": "features"},
    {"players": 1, "difficulty": "hard"},
    {"players": 3, "edition": "2019", "modules": ("ghost", "ambassador"), "reward": "win"},
    {"players": 4, "edition": "2020", "reward": "difference"},
    {"players": 5, "modules": ("finesse",), "reward": "shaped"},
    {"players": 6, "modules": EVERYTHING, "reward": "shaped"},
]


def quietly(check: Callable[[], None]) -> None:
    """Run one of PettingZoo's tests; only the remarks above may be made."""
    with warnings.catch_warnings(record=True) as made:
        warnings.simplefilter("always")
        check()
    assert {str(one.message) for one in made} <= set(REMARKS)


def sample(env: TurnEnv) -> int:
    return int(env.action_space(env.agent_selection).sample())


@pytest.mark.parametrize("given", GAMES, ids=str)
def test_api(given: dict[str, Any]) -> None:
    quietly(lambda: api_test(projectl_v0.env(max_rounds=3, **given), num_cycles=300))
    quietly(lambda: api_test(projectl_v0.raw_env(max_rounds=3, **given), num_cycles=300))


@pytest.mark.parametrize("given", GAMES, ids=str)
def test_parallel_api(given: dict[str, Any]) -> None:
    quietly(lambda: parallel_api_test(projectl_v0.parallel_env(max_rounds=3, **given), num_cycles=200))


def test_seeds() -> None:
    seed_test(lambda: projectl_v0.env(players=3), num_cycles=200)
    parallel_seed_test(lambda: projectl_v0.parallel_env(players=5, modules=("line_clear",)), num_cycles=200)


def test_max_cycles() -> None:
    max_cycles_test(projectl_v0)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(projectl_v0.env)
    assert capsys.readouterr().err.count("The game is shown at http://127.0.0.1:") == 1


def test_the_live_page_follows_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    env = projectl_v0.raw_env(render_mode="human")
    env.reset(seed=1)
    address = re.findall(r"http://\S+", capsys.readouterr().err)[0]
    before = urllib.request.urlopen(address + "words.txt").read().decode()
    assert "To act: player_0" in before
    for _ in range(3):
        env.step(sample(env))
    assert urllib.request.urlopen(address + "words.txt").read().decode() != before
    assert urllib.request.urlopen(address + "table.png?1").read()[:4] == b"\x89PNG"
    assert b"<img" in urllib.request.urlopen(address).read()
    env.close()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(address)


@pytest.mark.parametrize("number", range(24))
def test_every_kind_of_game_plays_to_its_end(number: int) -> None:
    dice = random.Random(number)
    players, edition, modules = dice.choice(configurations())
    reward = REWARDS[number % 4]
    env = projectl_v0.raw_env(players, edition=edition, modules=modules, max_rounds=4, reward=reward)
    env.reset(seed=number)
    total = [0.0] * players
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent]:
            env.step(None)
            continue
        seen = env.observe(agent)
        assert np.flatnonzero(np.asarray(seen["action_mask"])).tolist() == sorted(legal(env.game))
        assert env.infos[agent]["action_mask"].tolist() == np.asarray(seen["action_mask"]).tolist()
        assert agent == f"player_{to_act(env.game)[0]}" or env.game.rules.kind == LINE_CLEAR
        env.step(sample(env))
        for seat in range(players):
            total[seat] += env.rewards[f"player_{seat}"]
    assert total == expected(env, reward)


def expected(env: TurnEnv, reward: str) -> list[float]:
    """What a whole game has to bring each seat."""
    found = result(env.game)
    assert found is not None
    if reward == "win":
        return returns(env.game)
    if reward == "difference":
        others = [max(found.scores[:seat] + found.scores[seat + 1 :]) for seat in range(env.max_num_agents)]
        return [float(own - other) for own, other in zip(found.scores, others, strict=False)]
    return [float(points) for points in found.scores[: env.max_num_agents]]


def test_the_dictionary_says_what_the_flat_observation_says() -> None:
    flat, named = projectl_v0.raw_env(), projectl_v0.raw_env(observation="features")
    for env in (flat, named):
        env.reset(seed=3)
    for _ in range(30):
        action = sample(flat)
        flat.step(action)
        named.step(action)
    numbers, by_name = flat.observe("player_1")["observation"], named.observe("player_1")["observation"]
    assert isinstance(numbers, np.ndarray)
    assert isinstance(by_name, dict)
    assert numbers.shape == (SIZE,)
    assert set(by_name) == set(FEATURE)
    for name, row in FEATURE.items():
        assert by_name[name].shape == row.shape
        assert by_name[name].ravel().tolist() == [numbers[n] for n in row.indexes()]


def test_the_same_seed_deals_the_same_games_one_after_the_other() -> None:
    first, second = projectl_v0.raw_env(), projectl_v0.raw_env()
    for seed in (7, None, None, 7):
        first.reset(seed)
        second.reset(seed)
        assert dump(first.game) == dump(second.game)
    once = dump(first.game)
    first.reset()
    assert dump(first.game) != once


# --- Line Clear, where two act at once --------------------------------------------------------


def line_clear() -> CycleEnv:
    return projectl_v0.parallel_env(players=5, modules=("line_clear",), max_rounds=4)


def test_both_holders_act_in_one_step_and_the_others_wait() -> None:
    env = line_clear()
    env.reset(seed=2)
    acting = to_act(env.game)
    assert acting == [0, 2]
    left = [int(env.game.players[seat].actions) for seat in acting]
    actions = dict.fromkeys(env.agents, WAIT)
    for seat in acting:
        taking = next(option for option in legal(env.game, seat) if 2380 <= option < 2412)
        actions[f"player_{seat}"] = taking
    _, _, _, _, infos = env.step(actions)
    assert [int(env.game.players[seat].actions) for seat in acting] == [n - 1 for n in left]
    assert all(info["carried_out"] for info in infos.values())


def test_what_the_first_holder_makes_impossible_is_dropped_and_said() -> None:
    env = line_clear()
    dropped = 0
    for seed in range(3):
        env.reset(seed=seed)
        while env.agents:
            before, acting = env.game.clone(), to_act(env.game)
            _, _, _, _, infos = env.step({agent: int(env.action_space(agent).sample()) for agent in env.agents})
            refused = [seat for seat in range(5) if not infos[f"player_{seat}"]["carried_out"]]
            assert set(refused) < set(acting)
            for seat in refused:
                dropped += 1
                assert env.game.players[seat].supply == before.players[seat].supply
    assert dropped > 0
    assert result(env.game) is not None


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (DONE, r"2825 \(done\) is not legal for player_0 now: .*; legal are 2380, 2381"),
        (COUNT, "an action is a whole number from 0 to 2825, found 2826"),
        (-1, "an action is a whole number from 0 to 2825, found -1"),
        (2380.0, "an action is a whole number from 0 to 2825, found 2380.0"),
        (None, "an action is a whole number from 0 to 2825, found None"),
        (np.zeros(3), r"an action is a whole number from 0 to 2825, found float64 of shape \(3,\)"),
    ],
)
def test_a_bad_action_changes_nothing(action: Any, sentence: str) -> None:
    env = projectl_v0.raw_env()
    env.reset(seed=1)
    before, selected = dump(env.game), env.agent_selection
    with pytest.raises(InvalidAction, match=sentence):
        env.step(action)
    assert (dump(env.game), env.agent_selection) == (before, selected)
    env.step(np.int32(2380))  # type: ignore[arg-type]  # numbers of NumPy will do
    assert dump(env.game) != before


def test_a_bad_action_in_a_cycle_changes_nothing() -> None:
    env = line_clear()
    env.reset(seed=1)
    before = dump(env.game)
    waiting = dict.fromkeys(env.agents, WAIT)
    for actions, sentence in [
        ({"player_0": 2388}, "an action of each agent is expected, player_0, .*, found player_0"),
        (waiting, r"player_0 is to act and cannot wait \(2826\); legal are 2388"),
        ({**waiting, "player_0": DONE}, r"2825 \(done\) is not legal for player_0"),
        ({**waiting, "player_0": 2388, "player_1": 2389}, "player_1 has nothing to decide now: legal is 2826"),
    ]:
        with pytest.raises(InvalidAction, match=sentence):
            env.step(actions)
    assert dump(env.game) == before


def test_steps_after_the_end() -> None:
    env = projectl_v0.raw_env(players=2, max_rounds=1)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(sample(env))
    with pytest.raises(ValueError, match="when an agent is dead, the only valid action is None"):
        env.step(0)
    while env.agents:
        env.step(None)
    with pytest.raises(ResetNeeded, match="no game is being played: reset the environment"):
        env.step(0)
    cycles = projectl_v0.parallel_env(max_cycles=1)
    cycles.reset()
    _, _, _, cut, _ = cycles.step({agent: int(cycles.action_space(agent).sample()) for agent in cycles.agents})
    assert all(cut.values())
    with pytest.raises(ResetNeeded, match="no game is being played: reset the environment"):
        cycles.step({"player_0": 0, "player_1": 0})


@pytest.mark.parametrize(("make", "action"), [(projectl_v0.raw_env, 0), (projectl_v0.parallel_env, {"player_0": 0})])
def test_a_step_before_the_beginning(make: Callable[[], Any], action: Any) -> None:
    with pytest.raises(ResetNeeded, match="no game is being played: reset the environment"):
        make().step(action)


@pytest.mark.parametrize(
    ("given", "kind", "sentence"),
    [
        ({"reward": "money"}, ValueError, "a reward is score, win, difference, shaped, found 'money'"),
        ({"observation": "planes"}, ValueError, "an observation is flat or features, found 'planes'"),
        ({"render_mode": "svg"}, ValueError, "a render_mode is human, ansi, rgb_array, found 'svg'"),
        ({"modules": "ghost"}, TypeError, "modules are a list of names"),
        ({"modules": ["gost"]}, Unreadable, "unknown module 'gost'"),
        ({"players": 6}, Unreadable, "six players"),
        ({"colour": "red"}, TypeError, "colour"),
    ],
)
def test_unknown_options(given: dict[str, Any], kind: type[Exception], sentence: str) -> None:
    for make in (projectl_v0.env, projectl_v0.raw_env, projectl_v0.parallel_env):
        with pytest.raises(kind, match=sentence):
            make(**given)


def test_pettingzoo_makes_them_by_name() -> None:
    turns = pettingzoo.make("aec", "projectl/ProjectL-v0", players=3, modules=["ghost"])
    assert isinstance(turns.unwrapped, TurnEnv)
    assert turns.unwrapped.rules == Rules(3, modules=("ghost",), max_rounds=60)
    cycles = pettingzoo.make("parallel", "projectl/ProjectL-v0", players=2, max_cycles=7)
    assert isinstance(cycles.unwrapped, CycleEnv)
    assert cycles.unwrapped.max_cycles == 7


def test_rules_are_those_of_the_arguments() -> None:
    env = projectl_v0.raw_env(3, edition="2019", modules=["ghost"], upgrade_skip="two", known_points=False)
    rules = Rules(3, "2019", ("ghost",), upgrade_skip="two", known_points=False, max_rounds=60)
    assert env.rules == rules
    assert projectl_v0.raw_env(max_rounds=0).rules.max_rounds == 0
