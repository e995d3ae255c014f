"""PettingZoo's environment in which all agents act at once: in Line Clear two holders do, in the touches everybody."""

from typing import Any, Final, Unpack

import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Dict
from gymnasium.utils import seeding
from pettingzoo.utils.env import ParallelEnv

from projectl.core.actions import COUNT
from projectl.core.engine import apply
from projectl.core.legal import legal, to_act
from projectl.core.setup import new_game
from projectl.core.state import OVER, State
from projectl.envs.pictures import Screen
from projectl.envs.refusals import decision_of, illegal
from projectl.envs.rewards import Rewards, check_reward
from projectl.envs.settings import RulesArguments, game_seed, rules_for
from projectl.envs.spaces import (
    LegalDiscrete,
    Mask,
    check_observation,
    mask_of,
    mask_space,
    observation_space,
    seen_by,
)
from projectl.envs.turns import NAME, RENDER_MODES, Info, Observation, agent_of, seat_of

WAIT: Final = COUNT  # the one action of an agent that has nothing to decide

Step = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]]


class CycleEnv(ParallelEnv[str, Observation, int]):
    """In each step every agent gives an action; who has nothing to decide gives WAIT, the only one its mask allows.

    Decisions are carried out in the order of `to_act`, in Line Clear the white holder's first (R16). One that those
    before it made impossible is dropped: `carried_out` in that agent's info is False, and it decides again.
    """

    def __init__(
        self,
        players: int = 2,
        *,
        reward: str = "score",
        observation: str = "flat",
        render_mode: str | None = None,
        max_cycles: int = 0,
        **rules: Unpack[RulesArguments],
    ) -> None:
        if max_cycles < 0:
            raise ValueError(f"max_cycles is 0 (no limit) or more, found {max_cycles}")
        self.metadata = {"name": NAME, "render_modes": RENDER_MODES, "is_parallelizable": True, "render_fps": 2}
        self.rules = rules_for(players, rules)
        self.reward = check_reward(reward)
        self.observation = check_observation(observation)
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self._screen = Screen(render_mode)
        self.possible_agents = [agent_of(seat) for seat in range(players)]
        self.agents: list[str] = []
        self._masks: list[Mask] = []
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: _Legal(self, agent) for agent in self.possible_agents}
        self._random = seeding.np_random(None)[0]

    def _observation_space(self) -> Dict:
        return Dict({"observation": observation_space(self.observation), "action_mask": mask_space(COUNT + 1)})

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> LegalDiscrete:
        """All decisions, and WAIT."""
        return self.action_spaces[agent]

    def mask_now(self, agent: str) -> Mask:
        """What an agent may give in the next step."""
        return self._masks[seat_of(agent)]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Info]]:
        """Deal a new game: by the seed, or by the next number of the one given before."""
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self.game: State = new_game(self.rules, game_seed(self._random))
        self.agents = self.possible_agents[:]
        self._cycles = 0
        self._rewards = Rewards(self.reward, self.game)
        self._fill_masks()
        self._screen.show(self.game)
        return self._observations(), self._infos(frozenset())

    def _fill_masks(self) -> None:
        acting = to_act(self.game)
        self._masks = []
        for seat in range(len(self.possible_agents)):
            marks = mask_of(self.game, seat, COUNT + 1) if seat in acting else np.zeros(COUNT + 1, np.int8)
            marks[WAIT] = seat not in acting
            self._masks.append(marks)

    def _observations(self) -> dict[str, Observation]:
        return {
            agent: {
                "observation": seen_by(self.game, seat, self.observation),
                "action_mask": self._masks[seat].copy(),
            }
            for seat, agent in enumerate(self.possible_agents)
        }

    def _infos(self, dropped: frozenset[int]) -> dict[str, Info]:
        return {
            agent: {"action_mask": self._masks[seat].copy(), "carried_out": seat not in dropped}
            for seat, agent in enumerate(self.possible_agents)
        }

    def step(self, actions: dict[str, int]) -> Step:
        """Carry out everybody's decisions; if one of them is refused, nothing happens."""
        if not self.agents:
            raise ResetNeeded("no game is being played: reset the environment")
        decisions = self._checked(actions)
        dropped: set[int] = set()
        for seat in to_act(self.game):
            if decisions[seat] in legal(self.game, seat):
                apply(self.game, decisions[seat], seat)
            else:
                dropped.add(seat)
        return self._told(frozenset(dropped))

    def _told(self, dropped: frozenset[int]) -> Step:
        """What the agents get to see of a step."""
        self._cycles += 1
        self._fill_masks()
        rewards = dict(zip(self.possible_agents, self._rewards.after(self.game), strict=True))
        over = self.game.phase == OVER
        cut = not over and self._cycles == self.max_cycles
        terminations, truncations = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, cut)
        if over or cut:
            self.agents = []
        self._screen.show(self.game)
        return self._observations(), rewards, terminations, truncations, self._infos(dropped)

    def _checked(self, actions: dict[str, int]) -> list[int]:
        if set(actions) != set(self.agents):
            found = ", ".join(sorted(map(str, actions))) or "none"
            raise InvalidAction(f"an action of each agent is expected, {', '.join(self.agents)}, found {found}")
        decisions = [decision_of(actions[agent], WAIT) for agent in self.possible_agents]
        for seat, decision in enumerate(decisions):
            if not self._masks[seat][decision]:
                raise self._refusal(seat, decision)
        return decisions

    def _refusal(self, seat: int, decision: int) -> InvalidAction:
        if self._masks[seat][WAIT]:
            return InvalidAction(f"player_{seat} has nothing to decide now: legal is {WAIT} (wait), found {decision}")
        if decision == WAIT:
            options = ", ".join(str(option) for option in np.flatnonzero(self._masks[seat]).tolist())
            return InvalidAction(f"player_{seat} is to act and cannot wait ({WAIT}); legal are {options}")
        return illegal(self.game, seat, decision)

    def render(self) -> Any:
        """The table as a text (`ansi`), as a picture (`rgb_array`), or on a page that follows it (`human`)."""
        return self._screen.render(self.game)

    def close(self) -> None:
        """Close the page, if there is one."""
        self._screen.close()


class _Legal(LegalDiscrete):
    """The actions of one agent."""

    def __init__(self, env: CycleEnv, agent: str) -> None:
        super().__init__(COUNT + 1, lambda: env.mask_now(agent))
