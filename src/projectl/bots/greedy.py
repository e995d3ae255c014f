"""`greedy`: the best single decision, at once."""

from projectl.bots.eager import best_decision
from projectl.bots.protocol import Look
from projectl.bots.registry import register
from projectl.bots.touches import best_touches
from projectl.core.dice import Dice
from projectl.core.state import TOUCHES


class GreedyBot:
    """Looks one decision ahead."""

    def __init__(self, seed: int) -> None:
        self.dice = Dice(seed)

    def decide(self, look: Look) -> int:
        if len(look.legal) == 1:
            return look.legal[0]
        state = look.imagine(self.dice)
        if state.phase == TOUCHES:
            return best_touches(state, look.seat)[0]
        return best_decision(state, look.seat)


register("greedy", lambda seconds, seed: GreedyBot(seed))
