"""Project L for PettingZoo: `env`, `raw_env` and `parallel_env`. Keyword arguments are those of `Rules`, and:

players: 1 to 6; reward: score, win, difference, shaped; observation: flat or features; render_mode: ansi, rgb_array,
human.
"""

from typing import Unpack

import pettingzoo
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from projectl.envs.cycles import CycleEnv
from projectl.envs.settings import RulesArguments
from projectl.envs.turns import Observation, TurnEnv

__all__ = ["env", "parallel_env", "raw_env"]

raw_env = TurnEnv
parallel_env = CycleEnv


def env(
    players: int = 2,
    *,
    reward: str = "score",
    observation: str = "flat",
    render_mode: str | None = None,
    max_cycles: int = 0,
    **rules: Unpack[RulesArguments],
) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's checks of order and bounds.

    PettingZoo's cycles, in which every agent is asked once, exist only where agents may wait: with `max_cycles` it is
    `parallel_env`, asked agent by agent.
    """
    if max_cycles:
        cycles = CycleEnv(
            players, reward=reward, observation=observation, render_mode=render_mode, max_cycles=max_cycles, **rules
        )
        return parallel_to_aec(cycles)
    turns = TurnEnv(players, reward=reward, observation=observation, render_mode=render_mode, **rules)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(turns))


pettingzoo.register("aec", "projectl/ProjectL-v0", env)
pettingzoo.register("parallel", "projectl/ProjectL-v0", parallel_env)
