"""`neural`: what a network that learned by self-play likes best, at once. Without its weights classic search plays."""

import os
import warnings
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from projectl.bots.classic import ClassicSearch
from projectl.bots.protocol import Bot, BotError, Look
from projectl.bots.registry import BotWarning
from projectl.bots.touches import best_touches
from projectl.core.dice import Dice
from projectl.core.features import FEATURE, SIZE
from projectl.core.observe import observe
from projectl.core.rules import DIFFICULTIES, Rules, rules_with
from projectl.core.state import TOUCHES, State

if TYPE_CHECKING:
    from projectl.bots import network
    from projectl.bots.network import Weights

WEIGHTS: Final = Path(__file__).parent / "data" / "neural.npz"
_ROUNDS: Final = FEATURE["configuration.max_rounds"].offset
_DIFFICULTY: Final = FEATURE["configuration.difficulty"].offset
_NORMAL, _HARD = (list(DIFFICULTIES).index(name) for name in ("normal", "hard"))


class NetworkJudge:
    """The network, asked about up to so many positions of one kind of game at once."""

    def __init__(self, weights: "Weights", rules: Rules, most: int = 1, *, watched: bool = False) -> None:
        import numpy as np

        self.weights = weights
        self.shown = _open(rules) if watched and rules.players > 1 else rules
        self.seats = max(2, int(rules.players))
        self.seen = np.zeros((most, SIZE), np.uint8)

    def see(self, row: int, state: State, seat: int) -> None:
        """Take a position in, as a seat sees it."""
        from projectl.bots import network

        kept, state.rules = state.rules, self.shown
        observe(state, seat, self.seen[row])
        state.rules = kept
        _as_trained(self.seen[row], network.ROUNDS)

    def say(self, count: int) -> "network.Output":
        """What it thinks of the first so many."""
        from projectl.bots import network

        return network.forward(self.weights, self.seen[:count], seats_used=self.seats)

    def first_thought(self, state: State, seat: int, decisions: list[int]) -> int:
        """The decision with the highest score."""
        self.see(0, state, seat)
        return decisions[int(self.say(1).scores[0, decisions].argmax())]


class NeuralBot:
    """Sees what an observation says and follows its first thought; the finishing touches are solved."""

    def __init__(self, weights: "Weights", seed: int) -> None:
        self.weights = weights
        self.dice = Dice(seed)
        self.judge: NetworkJudge | None = None

    def decide(self, look: Look) -> int:
        if len(look.legal) == 1:
            return look.legal[0]
        state = look.imagine(self.dice)
        if state.phase == TOUCHES:
            return best_touches(state, look.seat)[0]
        self.judge = self.judge or NetworkJudge(self.weights, look.rules, watched=look.known.watched)
        return self.judge.first_thought(state, look.seat, look.legal)


def _open(rules: Rules) -> Rules:
    """The same game with open piles: for whoever watched they are."""
    options = {**rules.options(), "known_points": "yes"}
    kind = int(rules.players), rules.edition, rules.modules
    return rules_with(*kind, options, rules.own, rules.replaced, rules.replaced_tiles)


def _as_trained(seen: Any, rounds: int) -> None:
    """What training never varied is shown as it was there: any other number would mean nothing to the network."""
    seen[_ROUNDS] = rounds
    if seen[_DIFFICULTY + _NORMAL]:
        seen[_DIFFICULTY + _NORMAL], seen[_DIFFICULTY + _HARD] = 0, 1


@cache
def learned(path: Path = WEIGHTS) -> "Weights | None":
    """The weights, read once; if there are none that fit, a warning says why, once."""
    # One position is too little for several threads: they take five times as long as one. NumPy asks when it is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from projectl.bots import network

        return network.playable(path)
    except BotError as error:
        why = error.sentence
    except ImportError:
        why = "NumPy is not installed"
    warnings.warn(f"the learned bots play as search-classic: {why}", BotWarning, stacklevel=3)
    return None


def neural(seconds: float | None, seed: int, path: Path = WEIGHTS) -> Bot:
    """The learned player, or classic search in its place."""
    weights = learned(path)
    return ClassicSearch(seconds, seed) if weights is None else NeuralBot(weights, seed)
