"""Project L, every edition: rules engine, records and referee commands.

`Rules` says which game, `new_game` deals it, `legal` and `play` go through it decision by
decision; `Game` and `replay` do the same with whole actions as text.
"""

from projectl.core.actions import decision_text
from projectl.core.cards import Card, Pack, parse_pack
from projectl.core.engine import apply, play
from projectl.core.errors import Illegal, ProjectLError, Unreadable
from projectl.core.legal import to_act
from projectl.core.lines import legal_decisions, lines
from projectl.core.rules import Rules
from projectl.core.score import Result, result, score
from projectl.core.setup import Named, new_game
from projectl.core.state import State
from projectl.core.view import EVERYTHING, SPECTATOR, view
from projectl.public import compiled, legal
from projectl.record import Game, Header, Move, replay

__version__ = "0.1.0"

__all__ = [
    "EVERYTHING",
    "SPECTATOR",
    "Card",
    "Game",
    "Header",
    "Illegal",
    "Move",
    "Named",
    "Pack",
    "ProjectLError",
    "Result",
    "Rules",
    "State",
    "Unreadable",
    "apply",
    "compiled",
    "decision_text",
    "legal",
    "legal_decisions",
    "lines",
    "new_game",
    "parse_pack",
    "play",
    "replay",
    "result",
    "score",
    "to_act",
    "view",
]
