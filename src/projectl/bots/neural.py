"""`neural`: what a network that learned by self-play likes best, at once. Without its weights classic search plays."""

import os
import warnings
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from projectl.bots.protocol import Bot, BotError, Look
from projectl.bots.registry import BotWarning, register
from projectl.bots.search import SearchBot
from projectl.bots.touches import best_touches
from projectl.core.dice import Dice
from projectl.core.features import FEATURE, SIZE
from projectl.core.observe import observe
from projectl.core.rules import DIFFICULTIES
from projectl.core.state import TOUCHES

if TYPE_CHECKING:
    from projectl.bots.network import Weights

WEIGHTS: Final = Path(__file__).parent / "data" / "neural.npz"
_ROUNDS: Final = FEATURE["configuration.max_rounds"].offset
_DIFFICULTY: Final = FEATURE["configuration.difficulty"].offset
_NORMAL, _HARD = (list(DIFFICULTIES).index(name) for name in ("normal", "hard"))


class NeuralBot:
    """Sees what an observation says and follows its first thought; the finishing touches are solved."""

    def __init__(self, weights: "Weights", seed: int) -> None:
        self.weights = weights
        self.dice = Dice(seed)
        self.seen = bytearray(SIZE)

    def decide(self, look: Look) -> int:
        if len(look.legal) == 1:
            return look.legal[0]
        state = look.imagine(self.dice)
        if state.phase == TOUCHES:
            return best_touches(state, look.seat)[0]
        observe(state, look.seat, self.seen)
        return self._best(look)

    def _best(self, look: Look) -> int:
        """The legal decision with the highest score."""
        import numpy as np

        from projectl.bots import network

        _as_trained(self.seen, network.ROUNDS)
        said = network.forward(
            self.weights, np.frombuffer(self.seen, np.uint8), seats_used=max(2, int(look.rules.players))
        )
        return look.legal[int(said.scores[look.legal].argmax())]


def _as_trained(seen: bytearray, rounds: int) -> None:
    """What training never varied is shown as it was there: any other number would mean nothing to the network."""
    seen[_ROUNDS] = rounds
    if seen[_DIFFICULTY + _NORMAL]:
        seen[_DIFFICULTY + _NORMAL], seen[_DIFFICULTY + _HARD] = 0, 1


@cache
def _learned(path: Path) -> "Weights | None":
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
    warnings.warn(f"the bot neural plays as search: {why}", BotWarning, stacklevel=3)
    return None


def neural(seconds: float | None, seed: int, path: Path = WEIGHTS) -> Bot:
    """The learned player, or classic search in its place."""
    weights = _learned(path)
    return SearchBot(seconds, seed) if weights is None else NeuralBot(weights, seed)


register("neural", neural)
