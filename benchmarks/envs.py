"""Environments: steps a second, each beside what others offer, in one run on one core.

    python -m benchmarks.envs            # after `pip install "projectl[bench]"`; `make bench` does it too

A step is: asking for observation and mask, a random allowed action, carrying it out, the next game where one ended.
Everybody takes its turn for a second, several times over; the best turn of each counts. Times are of the processor, so
that other programs on the machine disturb less; what they do to its caches stays, so compare within a run.
"""

import argparse
import os
import platform
import random
import time
import warnings
from collections.abc import Callable
from datetime import date
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
from numpy.typing import NDArray

import projectl.envs.open_spiel  # noqa: F401  # registers the game, and what Gymnasium makes by name
from benchmarks.batch import KINDS, SIZES, bytes_per_game, rate
from projectl import compiled
from projectl.envs import projectl_v0
from projectl.envs.solo import SoloVectorEnv
from projectl.envs.spaces import mask_of, seen_by

Steps = Callable[[float], float]  # seconds of the processor -> steps a second


def choice(mask: NDArray[np.int8]) -> int:
    """One of the allowed actions."""
    return int(random.choice(np.flatnonzero(mask.view(np.bool_)).tolist()))


def agents_in_turn(env: Any) -> Steps:
    """An AEC environment of PettingZoo."""

    def steps(seconds: float) -> float:
        made, begin = 0, time.process_time()
        while time.process_time() - begin < seconds:
            env.reset()
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated or time.process_time() - begin >= seconds:
                    break
                env.step(choice(seen["action_mask"]))
                made += 1
        return made / (time.process_time() - begin)

    return steps


def all_agents(env: Any) -> Steps:
    """A parallel environment of PettingZoo."""

    def steps(seconds: float) -> float:
        made, begin = 0, time.process_time()
        while time.process_time() - begin < seconds:
            _, infos = env.reset()
            while env.agents and time.process_time() - begin < seconds:
                actions = {a: choice(infos[a]["action_mask"]) for a in env.agents}
                _, _, _, _, infos = env.step(actions)
                made += 1
        return made / (time.process_time() - begin)

    return steps


def one_agent(env: Any) -> Steps:
    """An environment of Gymnasium."""

    def steps(seconds: float) -> float:
        made, begin = 0, time.process_time()
        while time.process_time() - begin < seconds:
            _, info = env.reset()
            over = False
            while not over and time.process_time() - begin < seconds:
                _, _, over, _, info = env.step(choice(info["action_mask"]))
                made += 1
        return made / (time.process_time() - begin)

    return steps


class Nothing(gymnasium.Env[Any, int]):
    """Does nothing, in the spaces of the solo game: what is left is Gymnasium itself and the making of arrays."""

    def __init__(self) -> None:
        solo = gymnasium.make("projectl/Solo-v0").unwrapped
        self.observation_space, self.action_space = solo.observation_space, solo.action_space
        solo.reset(seed=1)
        self._game = solo.game  # type: ignore[attr-defined]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """The same position again."""
        return seen_by(self._game, 0, "flat"), {"action_mask": mask_of(self._game, 0)}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Nothing."""
        seen, info = self.reset()
        return seen, 0.0, False, False, info


def many_agents(env: SoloVectorEnv) -> Steps:
    """A vector environment, the choice of random actions included."""

    def steps(seconds: float) -> float:
        dice = np.random.default_rng(1)
        _, infos = env.reset(seed=1)
        made, begin = 0, time.process_time()
        while time.process_time() - begin < seconds:
            masks = infos["action_mask"]
            nth = (dice.random(env.num_envs) * masks.sum(axis=1, dtype=np.int64)).astype(np.int64)
            chosen = (masks.cumsum(axis=1, dtype=np.int16) > nth[:, None]).argmax(axis=1)
            _, _, _, _, infos = env.step(chosen)
            made += env.num_envs
        return made / (time.process_time() - begin)

    return steps


def by_chance(name: str, observed: bool) -> Steps:
    """A game of OpenSpiel; where it can be, with the observation of whoever is to act."""
    game = pyspiel.load_game(name)

    def steps(seconds: float) -> float:
        made, begin = 0, time.process_time()
        while time.process_time() - begin < seconds:
            state = game.new_initial_state()
            while not state.is_terminal() and time.process_time() - begin < seconds:
                if state.is_chance_node():
                    outcomes, shares = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(outcomes, shares)[0])
                    continue
                if observed:
                    state.observation_tensor(state.current_player())
                state.apply_action(random.choice(state.legal_actions()))
                made += 1
        return made / (time.process_time() - begin)

    return steps


def rows() -> dict[str, Steps]:
    """Everybody who takes part."""
    return {
        "PettingZoo: projectl_v0.env": agents_in_turn(projectl_v0.env()),
        "PettingZoo: projectl_v0.raw_env": agents_in_turn(projectl_v0.raw_env()),
        "PettingZoo: projectl_v0.parallel_env": all_agents(projectl_v0.parallel_env()),
        "PettingZoo: chess": agents_in_turn(pettingzoo.make("aec", "classic/chess-v6")),
        "PettingZoo: connect four": agents_in_turn(pettingzoo.make("aec", "classic/connect_four-v3")),
        "Gymnasium: projectl/Solo-v0": one_agent(gymnasium.make("projectl/Solo-v0")),
        "Gymnasium: 64 solo games": many_agents(SoloVectorEnv(64)),
        "Gymnasium: nothing, same spaces": one_agent(
            gymnasium.wrappers.PassiveEnvChecker(gymnasium.wrappers.OrderEnforcing(Nothing()))
        ),
        "OpenSpiel: python_projectl": by_chance("python_projectl", True),
        "OpenSpiel: backgammon (C++)": by_chance("backgammon", True),
        "OpenSpiel: chess (C++)": by_chance("chess", True),
    }


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="of the batch")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    engine = "compiled" if compiled() else "NOT compiled"
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{date.today()}, {platform.machine()}, Python {platform.python_version()}, {engine}, {load}")
    everybody = rows()
    best = dict.fromkeys(everybody, 0.0)
    for _ in range(asked.turns):
        for name, steps in everybody.items():
            best[name] = max(best[name], steps(asked.seconds))
    print(f"{'random play':<40}{'steps/s':>12}{'x PettingZoo chess':>20}")
    for name, found in best.items():
        print(f"{name:<40}{found:>12,.0f}{found / best['PettingZoo: chess']:>20.1f}")
    for name, kept in KINDS.items() if asked.sizes else ():
        rates = "".join(f"{rate(size, kept):>12,.0f}" for size in asked.sizes)
        print(f"{f'batch, {name}':<30}{rates}{bytes_per_game(kept):>10,} bytes/game")


if __name__ == "__main__":
    main()
