"""Gymnasium's environments for the solo game: one game, and many at once on the compiled batch."""

from typing import Any, Final, Unpack

import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from projectl.core.actions import COUNT
from projectl.core.batch import NOTHING, Batch
from projectl.core.errors import Illegal
from projectl.core.score import mastermind_points
from projectl.core.state import State
from projectl.envs.rewards import check_reward
from projectl.envs.settings import RulesArguments, rules_for
from projectl.envs.spaces import Seen, by_feature, check_observation, mask_of, observation_space, seen_by
from projectl.envs.table import TableEnv

_AUTORESETS: Final = {
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.DISABLED: "off",
}
Flags = NDArray[np.bool_]


class SoloEnv(TableEnv):
    """The solo game at a difficulty: `difficulty` is normal, hard or unbeatable."""

    def __init__(
        self,
        *,
        reward: str = "score",
        observation: str = "flat",
        render_mode: str | None = None,
        **rules: Unpack[RulesArguments],
    ) -> None:
        super().__init__((), reward=reward, observation=observation, render_mode=render_mode, **rules)


class SoloVectorEnv(VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """Many solo games in one call. `infos["action_mask"]` has a row for each."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        reward: str = "score",
        observation: str = "flat",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **rules: Unpack[RulesArguments],
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"many games at once are not rendered, found the render_mode {render_mode!r}")
        if num_envs < 1:
            raise ValueError(f"num_envs is 1 or more, found {num_envs}")
        self.num_envs = num_envs
        self.rules = rules_for(1, rules)
        self.reward = check_reward(reward)
        self.observation = check_observation(observation)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self.single_observation_space = observation_space(observation)
        self.single_action_space = Discrete(COUNT)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch: Batch | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, NDArray[Any]]]:
        """Deal all games, or those of `options["reset_mask"]`, anew; by a seed all of them."""
        chosen = _reset_mask(options, self.num_envs)
        if seed is not None and not (isinstance(seed, int) and seed >= 0):
            raise ValueError(f"the seed of a batch is one whole number from 0, found {seed!r}")
        if seed is not None and chosen is not None:
            raise ValueError("a seed deals all games anew: give it without a reset_mask")
        if self._batch is None or seed is not None:
            self._begin(int(np.random.default_rng().integers(2**62)) if seed is None else seed)
        else:
            self._batch.reset(None if chosen is None else np.flatnonzero(chosen).tolist())
        batch = self._playing()
        games = np.ones(self.num_envs, np.bool_) if chosen is None else chosen
        self._scores[games] = np.asarray(batch.scores)[games, 0]
        return self._seen(), self._infos()

    def _begin(self, seed: int) -> None:
        self._np_random_seed = seed
        self._batch = Batch(self.rules, self.num_envs, seed, autoreset=_AUTORESETS[self.autoreset_mode])
        self._scores: NDArray[np.float64] = np.zeros(self.num_envs)

    def _playing(self) -> Batch:
        if self._batch is None:
            raise ResetNeeded("reset the environment first")
        return self._batch

    def _seen(self) -> Seen:
        flat = np.array(self._playing().observations)
        return flat if self.observation == "flat" else by_feature(flat)

    def _infos(self) -> dict[str, Any]:
        marks = np.array(self._playing().masks).view(np.int8)
        return {"action_mask": marks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Seen, NDArray[np.float64], Flags, Flags, dict[str, NDArray[Any]]]:
        """One decision in each game; one that is not allowed is refused, and no game changes."""
        batch = self._playing()
        decisions = _decisions(actions, self.num_envs)
        were_over = np.array(batch.to_act) == NOTHING
        if self.autoreset_mode == AutoresetMode.DISABLED and were_over.any():
            games = ", ".join(map(str, np.flatnonzero(were_over)[:20]))
            raise InvalidAction(f"these games are over and have to be reset first, by options['reset_mask']: {games}")
        try:
            batch.step(decisions.data)
        except Illegal as error:
            raise InvalidAction(error.sentence) from None
        over = np.array(batch.dones, np.bool_)
        rewards = self._rewarded(batch, over, were_over)
        infos = self._infos()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            self._add_finals(infos, batch, over)
        return self._seen(), rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _rewarded(self, batch: Batch, over: Flags, dealt: Flags) -> NDArray[np.float64]:
        """What the step brought; nothing where it only dealt the next game."""
        if self.reward == "win":
            return np.array(batch.rewards)[:, 0]
        scores = np.array(batch.scores, np.float64)[:, 0]
        if self.reward == "shaped":
            changes = np.where(dealt, 0.0, scores - self._scores)
            # Where the next game has begun in the same step, `scores` still are those of the one that ended.
            begun = over if self.autoreset_mode == AutoresetMode.SAME_STEP else np.zeros_like(over)
            self._scores = np.where(begun, 0.0, scores)
            return changes
        if self.reward == "difference":
            for game in np.flatnonzero(over).tolist():
                scores[game] -= mastermind_points(self._final(batch, game))
        return np.where(over, scores, 0.0)

    def _final(self, batch: Batch, game: int) -> State:
        return batch.ended(game) or batch.state(game)

    def _add_finals(self, infos: dict[str, Any], batch: Batch, over: Flags) -> None:
        """The last observation of the games that this step ended, as Gymnasium names them."""
        observations, masks = np.empty(self.num_envs, object), np.zeros((self.num_envs, COUNT), np.int8)
        for game in np.flatnonzero(over).tolist():
            final = self._final(batch, game)
            observations[game] = seen_by(final, 0, self.observation)
            masks[game] = mask_of(final, 0)
        infos["final_obs"], infos["_final_obs"] = observations, over.copy()
        infos["final_info"] = {"action_mask": masks, "_action_mask": over.copy()}
        infos["_final_info"] = over.copy()


def _reset_mask(options: dict[str, Any] | None, games: int) -> Flags | None:
    """Which games are to be reset; None: all."""
    if not options or "reset_mask" not in options:
        return None
    given = options["reset_mask"]
    if not isinstance(given, np.ndarray) or given.dtype != np.bool_ or given.shape != (games,):
        found = f"{given.dtype} of shape {given.shape}" if isinstance(given, np.ndarray) else repr(given)[:60]
        raise ValueError(f"a reset_mask is an array of bool of shape ({games},), found {found}")
    if not given.any():
        raise ValueError("a reset_mask names at least one game")
    return given


def _decisions(actions: NDArray[np.int64], games: int) -> NDArray[np.int64]:
    given = np.asarray(actions)
    if given.shape != (games,) or given.dtype.kind not in "iu":
        raise InvalidAction(
            f"actions are whole numbers of shape ({games},), found {given.dtype} of shape {given.shape}"
        )
    return given.astype(np.int64)
