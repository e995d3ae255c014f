"""What an environment rewards."""

from typing import Final

from projectl.core.observe import returns
from projectl.core.score import result, score
from projectl.core.state import OVER, State

# At the end: score, the final score; win, 1 for the winner and together 0, in solo 1 or -1; difference, how far the
# final score is ahead of the best other one. After every decision: shaped, what it changed in the score as it stands,
# which adds up to the final score.
REWARDS: Final[tuple[str, ...]] = ("score", "win", "difference", "shaped")


def check_reward(kind: str) -> str:
    """Refuse a reward that there is none."""
    if kind not in REWARDS:
        raise ValueError(f"a reward is {', '.join(REWARDS)}, found {kind!r}")
    return kind


class Rewards:
    """The rewards of one game, decision by decision."""

    def __init__(self, kind: str, state: State) -> None:
        self.kind = kind
        self._scores = scores_now(state)
        self._nothing = [0.0] * len(self._scores)

    def after(self, state: State) -> list[float]:
        """What the latest decision brought each seat."""
        if self.kind != "shaped":
            return final_rewards(self.kind, state) if state.phase == OVER else self._nothing
        before, self._scores = self._scores, scores_now(state)
        return [now - then for now, then in zip(self._scores, before, strict=True)]


def scores_now(state: State) -> list[float]:
    """Every seat's score as it stands."""
    return [float(score(state, seat)) for seat in range(len(state.players))]


def final_rewards(kind: str, state: State) -> list[float]:
    """What the end of a game brings each seat; nothing before it."""
    found = result(state)
    seats = range(len(state.players))
    if found is None:
        return [0.0 for _ in seats]
    if kind == "win":
        return returns(state)
    if kind == "difference":
        return [float(found.scores[seat] - best_other(found.scores, seat)) for seat in seats]
    return [float(found.scores[seat]) for seat in seats]


def best_other(scores: tuple[int, ...], seat: int) -> int:
    """The highest score but a seat's own; in solo the mastermind's."""
    return max(points for other, points in enumerate(scores) if other != seat)
