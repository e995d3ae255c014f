"""Players that are programs: one protocol, one registry, and the bots that come with the package."""

from typing import Final

from projectl.bots import classic, greedy, human, neural, planner, search, simple
from projectl.bots.protocol import Bot, BotError, Look, look_at
from projectl.bots.registry import BotWarning, Factory, built_in, make, names, register

__all__ = [
    "Bot",
    "BotError",
    "BotWarning",
    "Factory",
    "Look",
    "built_in",
    "look_at",
    "make",
    "names",
    "register",
]

#: A bot of this package is a line here; what a page offers as a level stands in `levels`.
SHIPPED: Final[dict[str, Factory]] = {
    "random": lambda seconds, seed: simple.RandomBot(seed),
    "beginner": lambda seconds, seed: human.HumanBot(seed, human.BEGINNER),
    "casual": lambda seconds, seed: human.HumanBot(seed, human.CASUAL),
    "greedy": lambda seconds, seed: greedy.GreedyBot(None, seed),
    "planner": lambda seconds, seed: planner.PlannerBot(seconds, seed),
    "neural": neural.neural,
    "search": search.search,
    "search-classic": lambda seconds, seed: classic.ClassicSearch(seconds, seed),
}
for _name, _factory in SHIPPED.items():
    register(_name, _factory)
