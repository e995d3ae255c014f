"""Project L, every edition: rules engine, records and referee commands.

`Rules` says which game, `new_game` deals it, `legal` and `play` go through it decision by
decision; `Game` and `replay` do the same with whole actions as text.
"""

from typing import TYPE_CHECKING

from projectl.core import actions, pieces
from projectl.core.actions import decision_text
from projectl.core.cards import Card, Pack, parse_pack
from projectl.core.dice import Dice
from projectl.core.engine import apply, play
from projectl.core.errors import Illegal, ProjectLError, Unreadable
from projectl.core.legal import to_act
from projectl.core.notation import legal_decisions, lines
from projectl.core.reasons import why_not
from projectl.core.rules import Rules
from projectl.core.score import Result, result, score
from projectl.core.setup import Named
from projectl.core.state import State, dump, load
from projectl.core.view import EVERYTHING, SPECTATOR, view
from projectl.game import Game, Move
from projectl.header import Header
from projectl.public import ORDERED, compiled, legal, new_game
from projectl.record import replay

__version__ = "0.1.0"

__all__ = [
    "EVERYTHING",
    "ORDERED",
    "SPECTATOR",
    "Batch",
    "Bot",
    "BotError",
    "BotWarning",
    "Card",
    "Dice",
    "Game",
    "Header",
    "Illegal",
    "Known",
    "Look",
    "Move",
    "Named",
    "Pack",
    "ProjectLError",
    "Result",
    "Rules",
    "State",
    "Unreadable",
    "actions",
    "apply",
    "bot_names",
    "compiled",
    "decision_text",
    "dump",
    "imagine",
    "known",
    "legal",
    "legal_decisions",
    "lines",
    "load",
    "look_at",
    "make_bot",
    "mask",
    "new_game",
    "observe",
    "parse_pack",
    "pieces",
    "play",
    "register_bot",
    "replay",
    "result",
    "returns",
    "score",
    "to_act",
    "view",
    "why_not",
]

#: Where the names stand that only bots and learners need. Their modules are loaded when one is asked for.
_LATER = {
    "Batch": "core.batch:Batch",
    "Bot": "bots.protocol:Bot",
    "BotError": "bots.protocol:BotError",
    "BotWarning": "bots.registry:BotWarning",
    "Known": "core.knowledge:Known",
    "Look": "bots.protocol:Look",
    "bots": "bots",
    "bot_names": "bots.registry:names",
    "imagine": "core.knowledge:imagine",
    "known": "core.knowledge:known",
    "look_at": "bots.protocol:look_at",
    "make_bot": "bots.registry:make",
    "mask": "core.observe:mask",
    "observe": "core.observe:observe",
    "register_bot": "bots.registry:register",
    "returns": "core.observe:returns",
}


if TYPE_CHECKING:
    from projectl.bots.protocol import Bot, BotError, Look, look_at
    from projectl.bots.registry import BotWarning
    from projectl.bots.registry import make as make_bot
    from projectl.bots.registry import names as bot_names
    from projectl.bots.registry import register as register_bot
    from projectl.core.batch import Batch
    from projectl.core.knowledge import Known, imagine, known
    from projectl.core.observe import mask, observe, returns
else:

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        module, _, there = _LATER[name].partition(":")
        found: object = import_module(f"{__name__}.{module}")
        if there:
            found = getattr(found, there)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
