"""Policies sit at tables as bots, and bots play in environments."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from projectl import Rules, new_game, replay
from projectl.arena import play_game
from projectl.bots import BotError, look_at, make, register
from projectl.core.features import MASK_SIZE, SIZE
from projectl.core.legal import legal
from projectl.core.observe import mask, observe
from projectl.envs import projectl_v0
from projectl.envs.bridges import Opponent, PolicyBot, bot_of
from projectl.envs.spaces import Bytes, Mask

RULES = Rules(2, max_rounds=3)
ROOT = Path(__file__).resolve().parents[2]


def last(observation: Bytes, marks: Mask) -> int:
    """Always the last of the allowed actions."""
    return int(np.flatnonzero(marks)[-1])


def test_a_policy_sees_what_an_environment_shows() -> None:
    state, seen = new_game(RULES, "tuesday"), list[tuple[Bytes, Mask]]()

    def remember(observation: Bytes, marks: Mask) -> int:
        seen.append((observation, marks))
        return last(observation, marks)

    decision = PolicyBot(remember).decide(look_at(state, 0, 1.0))
    flat, marks = bytearray(SIZE), bytearray(MASK_SIZE)
    observe(state, 0, flat)
    mask(state, 0, marks)
    assert (seen[0][0].tobytes(), seen[0][1].tobytes()) == (bytes(flat), bytes(marks))
    assert decision == max(legal(state))


def test_a_policy_plays_in_the_arena() -> None:
    register("last", bot_of(last), replace=True)
    found = play_game(RULES, ["last", "random"], "tuesday")
    assert found.forfeit is None
    assert replay(found.record).state.phase == 6


def test_a_policy_plays_as_a_program(tmp_path: Path) -> None:
    program = tmp_path / "policy.py"
    program.write_text(
        "import sys\n"
        f"sys.path[:0] = {sys.path!r}\n"
        "from projectl.envs.bridges import serve_policy\n"
        "serve_policy(lambda observation, mask: int(mask.nonzero()[0][-1]), 'last')\n"
    )
    spec = f"program:{sys.executable} {program}"
    found = play_game(Rules(2, max_rounds=1), [spec, "random"], "tuesday")
    assert found.forfeit is None
    register("last", bot_of(last))
    same = play_game(Rules(2, max_rounds=1), ["last", "random"], "tuesday")
    assert replay(found.record).state.key() == replay(same.record).state.key()


@pytest.mark.parametrize(
    ("answer", "code", "sentence"),
    [
        (2825, "policy-illegal", "the policy chose 2825, which its mask did not allow; legal: 2380, 2381"),
        (np.zeros(2), "policy-answer", r"a policy answers with one whole number, found an array of shape \(2,\)"),
        (None, "policy-answer", "a policy answers with one whole number, found None"),
    ],
)
def test_a_policy_that_answers_wrongly(answer: Any, code: str, sentence: str) -> None:
    register("wrong", bot_of(lambda observation, marks: answer), replace=True)
    with pytest.raises(BotError, match=sentence) as caught:
        make("wrong").decide(look_at(new_game(RULES, "x"), 0, 1.0))
    assert caught.value.code == code
    found = play_game(RULES, ["wrong", "random"], "tuesday")
    assert found.forfeit is not None
    assert (found.forfeit.seat, found.forfeit.code) == (0, code)


@pytest.mark.parametrize("spec", ["greedy", "random", "planner:5ms"])
def test_bots_play_all_seats_of_an_environment(spec: str) -> None:
    env = projectl_v0.env(players=2, max_rounds=2)
    env.reset(seed=1)
    players = {agent: Opponent(spec, seed) for seed, agent in enumerate(env.agents)}
    steps = 0
    for agent in env.agent_iter():
        _, _, terminated, _, _ = env.last()
        env.step(None if terminated else players[agent](env.unwrapped.game))
        steps += 1
    assert steps > 12


def test_a_bot_decides_in_a_cycle() -> None:
    env = projectl_v0.parallel_env(players=5, modules=["line_clear"], max_rounds=1)
    _, infos = env.reset(seed=1)
    bots = {agent: Opponent("greedy", seed) for seed, agent in enumerate(env.possible_agents)}
    while env.agents:
        actions = {
            agent: 2826 if infos[agent]["action_mask"][2826] else bots[agent](env.game, seat)
            for seat, agent in enumerate(env.agents)
        }
        _, _, _, _, infos = env.step(actions)
    assert env.game.phase == 6
