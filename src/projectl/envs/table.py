"""Gymnasium's environment: one seat of a table. The others are bots; alone one plays against the mastermind."""

from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Space

from projectl.bots.protocol import Bot, look_at
from projectl.bots.registry import make as make_bot
from projectl.core.actions import COUNT
from projectl.core.engine import apply, play
from projectl.core.errors import Unreadable
from projectl.core.score import result
from projectl.core.setup import new_game
from projectl.core.state import OVER, State
from projectl.envs.pictures import MODES, Screen
from projectl.envs.refusals import decision_of, illegal
from projectl.envs.rewards import Rewards, check_reward
from projectl.envs.settings import RulesArguments, game_seed, rules_for
from projectl.envs.spaces import LegalDiscrete, Mask, Seen, check_observation, mask_of, observation_space, seen_by

SECONDS = 1.0  # for a bot's decision, unless its name brings a time of its own


class TableEnv(gymnasium.Env[Seen, int]):
    """The agent decides for its seat; before it is asked again the bots have played.

    What it may decide is `info["action_mask"]`; an action that is not allowed is refused and changes nothing.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        opponents: Sequence[str] = (),
        *,
        seat: int = 0,
        reward: str = "score",
        observation: str = "flat",
        render_mode: str | None = None,
        **rules: Unpack[RulesArguments],
    ) -> None:
        if isinstance(opponents, str):
            raise TypeError(f"opponents are a list of bots, as ['greedy'], found the text {opponents[:40]!r}")
        self.opponents = tuple(opponents)
        self.rules = rules_for(len(self.opponents) + 1, rules)
        if not 0 <= seat <= len(self.opponents):
            raise Unreadable("seat", f"the last seat is {len(self.opponents)}, counted from 0, found {seat}")
        for name in self.opponents:
            make_bot(name)  # an unknown one is refused now, not in the first game
        self.seat = seat
        self.reward = check_reward(reward)
        self.observation = check_observation(observation)
        self.render_mode = render_mode
        self._screen = Screen(render_mode)
        self._mask: Mask | None = None
        self.observation_space: Space[Any] = observation_space(observation)
        self.action_space: Space[Any] = LegalDiscrete(COUNT, self._mask_now, self._mask_at_first)

    def _mask_now(self) -> Mask:
        if self._mask is None:
            raise ResetNeeded("reset the environment first: what is legal depends on the position")
        return self._mask

    def _mask_at_first(self) -> Mask:
        return self._first_mask

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal a new game, and let the bots before the agent play."""
        super().reset(seed=seed)
        self.game: State = new_game(self.rules, game_seed(self.np_random))
        others = [number for number in range(len(self.opponents) + 1) if number != self.seat]
        seeds = [int(self.np_random.integers(2**31)) for _ in others]
        self._bots: dict[int, Bot] = {
            number: make_bot(name, n) for number, name, n in zip(others, self.opponents, seeds, strict=True)
        }
        self._rewards = Rewards(self.reward, self.game)
        self._let_bots_play()
        self._first_mask = mask_of(self.game, self.seat)
        return self._told()

    def _let_bots_play(self) -> None:
        """Until the agent is to act, or the game is over."""
        while self.game.phase != OVER and self.game.seat != self.seat:
            bot = int(self.game.seat)
            play(self.game, self._bots[bot].decide(look_at(self.game, bot, SECONDS)), bot)

    def _told(self) -> tuple[Seen, dict[str, Any]]:
        self._mask = mask_of(self.game, self.seat)
        self._screen.show(self.game)
        return seen_by(self.game, self.seat, self.observation), {"action_mask": self._mask.copy()}

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play the agent's decision, and let the bots play until it is asked again."""
        mask = self._mask_now()
        if self.game.phase == OVER:
            raise ResetNeeded("the game is over: reset the environment")
        decision = decision_of(action)
        if not mask[decision]:
            raise illegal(self.game, self.seat, decision)
        apply(self.game, decision)
        self._let_bots_play()
        reward = self._rewards.after(self.game)[self.seat]
        seen, info = self._told()
        return seen, reward, self.game.phase == OVER, False, info

    def final_scores(self) -> tuple[int, ...]:
        """Everybody's points, in solo the mastermind's last; nothing before the end."""
        found = result(self.game)
        return found.scores if found else ()

    def action_masks(self) -> Mask:
        """What the agent may decide now, as some libraries ask for it."""
        return self._mask_now().copy()

    def render(self) -> Any:
        """The table as a text (`ansi`), as a picture (`rgb_array`), or on a page that follows it (`human`)."""
        self._mask_now()
        return self._screen.render(self.game)

    def close(self) -> None:
        """Close the page, if there is one, and the bots that are programs."""
        self._screen.close()
        for bot in getattr(self, "_bots", {}).values():
            close = getattr(bot, "close", None)
            if callable(close):
                close()
