"""Matches and tournaments of bots: in one process, in many, or on a Ray cluster."""

from projectl.arena.bot_game import play_game
from projectl.arena.folder import Folder
from projectl.arena.match import Match, Pairing, arena_match, tournament_match
from projectl.arena.result import Forfeit, GameResult, PlayedGame
from projectl.arena.run import Where, run
from projectl.arena.standings import Rating, Share, Standing, cross_table, standings
from projectl.arena.times import Times

__all__ = [
    "Folder",
    "Forfeit",
    "GameResult",
    "Match",
    "Pairing",
    "PlayedGame",
    "Rating",
    "Share",
    "Standing",
    "Times",
    "Where",
    "arena_match",
    "cross_table",
    "play_game",
    "run",
    "standings",
    "tournament_match",
]
