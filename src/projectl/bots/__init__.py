"""Players that are programs: one protocol, one registry, and the bots that come with the package."""

from typing import Final

from projectl.bots.protocol import Bot, BotError, Look, look_at
from projectl.bots.registry import BotWarning, Factory, built_in, make, names, register, when_asked_for

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

#: A bot of this package is a line here: its module, and the factory in it. What a page offers as a level stands in
#: `levels`.
SHIPPED: Final[dict[str, str]] = {
    "random": "simple:aimless",
    "beginner": "human:beginner",
    "casual": "human:casual",
    "greedy": "greedy:GreedyBot",
    "planner": "planner:PlannerBot",
    "neural": "neural:neural",
    "search": "search:search",
    "search-classic": "classic:ClassicSearch",
}
for _name, _where in SHIPPED.items():
    register(_name, when_asked_for(_where))
