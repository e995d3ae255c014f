"""Players that are programs: one protocol, one registry."""

from projectl.bots import greedy, planner, search, simple
from projectl.bots.protocol import Bot, BotError, Look, look_at
from projectl.bots.registry import Factory, make, names, register

__all__ = [
    "Bot",
    "BotError",
    "Factory",
    "Look",
    "greedy",
    "look_at",
    "make",
    "names",
    "planner",
    "register",
    "search",
    "simple",
]
