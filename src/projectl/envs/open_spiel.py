"""Project L for OpenSpiel: importing this registers `python_projectl`.

Parameters are the arguments of `Rules`: `pyspiel.load_game("python_projectl(players=3,modules=ghost+finesse)")`.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pyspiel

from projectl.core import actions
from projectl.core.actions import decision_text
from projectl.core.cards import all_tiles
from projectl.core.errors import ProjectLError
from projectl.core.features import SIZE
from projectl.core.legal import legal
from projectl.core.observe import observe, returns
from projectl.core.rules import OPTIONS, Rules, rules_with
from projectl.core.state import OVER
from projectl.envs.deal import FACE_DOWN, ChanceDeal
from projectl.envs.pictures import table_words
from projectl.envs.settings import MAX_ROUNDS
from projectl.terminal.sentences import position_words

NAME: Final = "python_projectl"
PARAMETERS: Final[dict[str, Any]] = {
    "players": 2,
    "edition": 2023,
    "modules": "",  # with + between them
    **dict.fromkeys((option.name for option in OPTIONS), ""),  # the values are those of a record
    "max_rounds": MAX_ROUNDS,
}
# More than a turn, and the touches, can bring: three actions and what the bank's credits buy, each of them a Master
# action with four placements whose rewards are all Level Ups; four puzzles of at most 25 cells, credits, and `done`.
_TURN: Final = (3 + 17) * 16
_TOUCHES: Final = 4 * 25 + 35 + 1


def game_type(utility: Any) -> Any:
    """What the game is like; alone it is not a matter of one against the other."""
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Project L",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
        default_loadable=True,
    )


def rules_of(given: Mapping[str, Any]) -> Rules:
    """The rules that parameters ask for, refused as OpenSpiel refuses."""
    values = {**PARAMETERS, **given}
    options = {option.name: str(values[option.name]) for option in OPTIONS}
    if values["max_rounds"] < 1:
        raise pyspiel.SpielError(f"max_rounds is 1 or more, as games end here, found {values['max_rounds']}")
    modules = tuple(name for name in values["modules"].split("+") if name)
    try:
        return rules_with(values["players"], str(values["edition"]), modules, options)
    except ProjectLError as error:
        raise pyspiel.SpielError(error.sentence) from None


class ProjectLGame(pyspiel.Game):
    """One kind of game."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.rules = rules_of(params or {})
        players, rounds = int(self.rules.players), int(self.rules.max_rounds)
        alone = players == 1
        utility = pyspiel.GameType.Utility.GENERAL_SUM if alone else pyspiel.GameType.Utility.ZERO_SUM
        information = pyspiel.GameInfo(
            num_distinct_actions=actions.COUNT,
            max_chance_outcomes=len(self.rules.cards.cards) + len(all_tiles()),
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            **({} if alone else {"utility_sum": 0.0}),
            max_game_length=players * (rounds * _TURN + _TOUCHES),
        )
        super().__init__(game_type(utility), information, params or {})

    def new_initial_state(self) -> "ProjectLState":
        """A game about to be dealt."""
        return ProjectLState(self, self.rules)

    def observation_tensor_shape(self) -> list[int]:
        """An observation, as docs/observations.md lays it out."""
        return [SIZE]

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "ProjectLObserver":
        """What a player sees now."""
        return ProjectLObserver(iig_obs_type, params)


class ProjectLState(pyspiel.State):
    """A position. The cards that come to light are chance's."""

    def __init__(self, game: ProjectLGame, rules: Rules) -> None:
        super().__init__(game)
        self.deal = ChanceDeal(rules)

    def current_player(self) -> int:
        """Who is to act: a seat, chance, or nobody any more."""
        if self.deal.by_chance():
            return int(pyspiel.PlayerId.CHANCE)
        if self.deal.state.phase == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.deal.state.seat)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(int(decision) for decision in legal(self.deal.state, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards, or tiles, that may come to light next."""
        return self.deal.outcomes()

    def _apply_action(self, action: int) -> None:
        if self.deal.by_chance():
            if action not in {outcome for outcome, _ in self.deal.outcomes()}:
                raise pyspiel.SpielError(f"chance cannot do {action} now; it may do one of `chance_outcomes()`")
            self.deal.choose(action)
            return
        options = self._legal_actions(int(self.deal.state.seat))
        if action not in options:
            listed = ", ".join(map(str, options)) or "none, the game is over"
            raise pyspiel.SpielError(f"{action} is not legal now; legal are {listed}")
        self.deal.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return self.deal.outcome_text(action)
        return decision_text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.deal.by_chance() and self.deal.state.phase == OVER

    def returns(self) -> list[float]:
        """1 for the winner, together 0; alone 1 or -1."""
        return returns(self.deal.state) if self.is_terminal() else [0.0] * len(self.deal.state.players)

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player knows: everything that happened but for the tiles that lie face down."""
        seat = self.current_player() if player is None else player
        return f"player_{seat}: " + " | ".join(self.deal.known_events())

    def observation_string(self, player: int | None = None) -> str:
        """The position in words, as a player sees it."""
        return seen_words(self, self.current_player() if player is None else player)

    def resample_from_infostate(self, player: int, sampler: Any) -> "ProjectLState":
        """A game that the player cannot tell from this one: with other tiles face down, each as likely."""
        pairs = self.deal.other_hidden_tiles()
        if not pairs:
            return self.clone()  # type: ignore[no-any-return]
        pair = pairs[min(int(sampler() * len(pairs)), len(pairs) - 1)]
        first = len(self.deal.state.row)
        other: ProjectLState = self.get_game().new_initial_state()
        for at, action in enumerate(self.history()):
            other.apply_action(pair[at - first] if first <= at < first + FACE_DOWN else action)
        return other

    def __str__(self) -> str:
        return " | ".join(self.deal.events) + "\n" + table_words(self.deal.state)


def seen_words(state: ProjectLState, player: int) -> str:
    """The position in words, as a player sees it."""
    table = state.deal.state
    names = [f"player_{seat}" for seat in range(len(table.players))]
    return "\n".join([f"Seen by player_{player}.", *position_words(table, player, names)])


class ProjectLObserver:
    """What a player sees now, as docs/observations.md lays it out and as words; or all that it knows, as words."""

    def __init__(self, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise pyspiel.SpielError(f"there are no parameters of observations, found {params}")
        self._remembers = iig_obs_type is not None and iig_obs_type.perfect_recall
        self.tensor = np.zeros(0 if self._remembers else SIZE, np.float32)
        self.dict = {} if self._remembers else {"observation": self.tensor}
        self._bytes = np.zeros(SIZE, np.uint8)

    def set_from(self, state: ProjectLState, player: int) -> None:
        """Fill `tensor`."""
        if not self._remembers:
            observe(state.deal.state, player, self._bytes.data)
            self.tensor[:] = self._bytes

    def string_from(self, state: ProjectLState, player: int) -> str:
        """What is known, or the position."""
        return state.information_state_string(player) if self._remembers else seen_words(state, player)


pyspiel.register_game(game_type(pyspiel.GameType.Utility.ZERO_SUM), ProjectLGame)
