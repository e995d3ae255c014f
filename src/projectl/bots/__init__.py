"""Players that are programs: one protocol, one registry."""

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
    "classic",
    "greedy",
    "human",
    "look_at",
    "make",
    "names",
    "neural",
    "planner",
    "register",
    "search",
    "simple",
]
