"""Bots that do not plan: `random`, which is aimless by kind of action."""

from projectl.bots.protocol import Look
from projectl.core import actions
from projectl.core.dice import Dice

# Where each kind of decision begins, so that 50 placements weigh no more than one Gain.
_KINDS = (
    actions.PLACE,
    actions.TAKE,
    actions.RECYCLE,
    actions.ORDER_OF_FOUR,
    actions.GAIN,
    actions.UPGRADE,
    actions.LEVELUP,
    actions.REWARD,
    actions.GHOST,
    actions.MASTER,
    actions.AMBASSADOR,
    actions.INSERT,
    actions.PASS,
    actions.CREDIT,
    actions.STOP,
    actions.DONE,
)


def kind_of(decision: int) -> int:
    """The number at which a decision's kind begins."""
    return max(kind for kind in _KINDS if kind <= decision)


class RandomBot:
    """A kind of decision at random, then one of that kind."""

    def __init__(self, seed: int) -> None:
        self.dice = Dice(seed)

    def decide(self, look: Look) -> int:
        kinds: dict[int, list[int]] = {}
        for decision in look.legal:
            kinds.setdefault(kind_of(decision), []).append(decision)
        options = kinds[sorted(kinds)[self.dice.below(len(kinds))]]
        return options[self.dice.below(len(options))]


def aimless(seconds: float | None, seed: int) -> RandomBot:
    """The bot `random`."""
    return RandomBot(seed)
