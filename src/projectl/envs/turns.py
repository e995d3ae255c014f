"""PettingZoo's environment in which the agents act one after the other (AEC)."""

from typing import Any, Final, TypeAlias, Unpack

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Dict
from gymnasium.utils import seeding
from pettingzoo.utils.env import AECEnv

from projectl.core.actions import COUNT
from projectl.core.engine import apply
from projectl.core.setup import new_game
from projectl.core.state import OVER, State
from projectl.envs.pictures import MODES, Screen
from projectl.envs.refusals import decision_of, illegal
from projectl.envs.rewards import Rewards, check_reward
from projectl.envs.settings import RulesArguments, game_seed, rules_for
from projectl.envs.spaces import (
    LegalDiscrete,
    Mask,
    Seen,
    check_observation,
    mask_of,
    mask_space,
    observation_space,
    seen_by,
)

Observation: TypeAlias = dict[str, Seen | Mask]
Info: TypeAlias = dict[str, Any]  # as PettingZoo has it
NAME: Final = "projectl_v0"
RENDER_MODES: Final = list(MODES)


def agent_of(seat: int) -> str:
    """A seat's name as an agent."""
    return f"player_{seat}"


def seat_of(agent: str) -> int:
    """An agent's seat, from 0."""
    return int(agent.removeprefix("player_"))


class TurnEnv(AECEnv[str, Observation, int]):
    """One decision at a time, by the seat that acts next. Everything is checked; what is refused changes nothing."""

    def __init__(
        self,
        players: int = 2,
        *,
        reward: str = "score",
        observation: str = "flat",
        render_mode: str | None = None,
        **rules: Unpack[RulesArguments],
    ) -> None:
        super().__init__()
        self.metadata = {"name": NAME, "render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 2}
        self.rules = rules_for(players, rules)
        self.reward = check_reward(reward)
        self.observation = check_observation(observation)
        self.render_mode = render_mode
        self._screen = Screen(render_mode)
        self.possible_agents = [agent_of(seat) for seat in range(players)]
        self.agents: list[str] = []
        self._none: Mask = np.zeros(COUNT, np.int8)
        self._mask: Mask = self._none  # of the agent that acts next
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: LegalDiscrete(COUNT, self._mask_now) for agent in self.possible_agents}
        self._random = seeding.np_random(None)[0]

    def _observation_space(self) -> Dict:
        return Dict({"observation": observation_space(self.observation), "action_mask": mask_space()})

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> LegalDiscrete:
        """All decisions."""
        return self.action_spaces[agent]

    def _mask_now(self) -> Mask:
        return self._mask

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game: by the seed, or by the next number of the one given before."""
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self.game: State = new_game(self.rules, game_seed(self._random))
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Info] = {agent: {"action_mask": self._none.copy()} for agent in self.agents}
        self._skip_agent_selection = None
        self._rewards = Rewards(self.reward, self.game)
        self._select()
        self._screen.show(self.game)

    def _select(self) -> None:
        """The seat that acts next, and what it may do."""
        seat = int(self.game.seat)
        self._mask = mask_of(self.game, seat)
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {"action_mask": self._mask.copy()}

    def observe(self, agent: str) -> Observation:
        """What an agent knows, and what it may decide: nothing while another one is to act."""
        acting = agent == self.agent_selection and agent in self.terminations and not self.terminations[agent]
        marks = self._mask if acting else self._none
        return {"observation": seen_by(self.game, seat_of(agent), self.observation), "action_mask": marks.copy()}

    def step(self, action: int | None) -> None:
        """Play one decision of the agent in `agent_selection`."""
        if not self.agents:
            raise ResetNeeded("no game is being played: reset the environment")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        decision = decision_of(action)
        if not self._mask[decision]:
            raise illegal(self.game, seat_of(agent), decision)
        apply(self.game, decision)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._none.copy()}
        for seat, reward in enumerate(self._rewards.after(self.game)):
            self.rewards[self.possible_agents[seat]] = reward
            self._cumulative_rewards[self.possible_agents[seat]] += reward
        if self.game.phase == OVER:
            self._mask = self._none
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._select()
        self._screen.show(self.game)

    def render(self) -> Any:
        """The table as a text (`ansi`), as a picture (`rgb_array`), or on a page that follows it (`human`)."""
        return self._screen.render(self.game)

    def close(self) -> None:
        """Close the page, if there is one."""
        self._screen.close()
