"""A ladder: ratings of any set of bots over time, kept in a folder. Every run adds games, and bots if some are named.

The games are those of a match with all bots of the ladder, so a ladder's folder holds the same
lines and records. Bots are only ever added at the end: their numbers stay.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projectl.arena.bot_game import SECONDS
from projectl.arena.folder import Folder
from projectl.arena.match import Match, Pairing, seating
from projectl.arena.result import GameResult, PlayedGame
from projectl.arena.run import Where, dismiss, play
from projectl.arena.standings import Rating, rate
from projectl.bots import BotError, make
from projectl.core.errors import Unreadable
from projectl.core.rules import Rules
from projectl.record import read_rules

DESCRIPTION: Final = "ladder.json"
PICTURE: Final = "ladder.svg"
_NOT_YET: Final = GameResult("", (), (), "", 0, False, None, ())  # of a game that is still to be played


class Described(Struct, kw_only=True):
    """What decides a ladder, as its folder keeps it."""

    format: int = 1
    bots: list[str]
    players: int
    edition: str
    modules: list[str]
    options: dict[str, str]
    seed: str
    seconds: float = SECONDS


class Ladder:
    """All bots and games of a folder."""

    def __init__(self, path: Path, described: Described) -> None:
        self.path = path
        self.described = described
        self.folder = Folder(path)

    @property
    def match(self) -> Match:
        """The games' rules, bots and seed; which games there are is the ladder's to say."""
        kept = self.described
        bots = tuple(kept.bots)
        return Match(rules_of(kept), bots, (tuple(range(len(bots))),), 0, kept.seed, kept.seconds)

    @property
    def players(self) -> int:
        """Seats of a table."""
        return self.described.players

    def games(self) -> list[PlayedGame]:
        """What was played, in the order of the ladder."""
        return self.folder.results()

    def add(self, bots: Sequence[str]) -> None:
        """Take bots in that are not there yet."""
        self.described.bots += [bot for bot in bots if bot not in self.described.bots]

    def save(self) -> None:
        """Write the description, and be ready for games."""
        self.folder.describe(DESCRIPTION, msgspec.json.format(msgspec.json.encode(self.described)).decode() + "\n")
        self.folder.go_on()

    # --- who plays next -----------------------------------------------------------------------

    def pairings(self, wanted: Sequence[int], there: Sequence[int], games: int) -> list[Pairing]:
        """So many games, and what their deals need to be played from every seat; unfinished deals come first.

        Whoever of the wanted has played least is next, with those who are there whom it has met
        least; among these with the one of the nearest rating.
        """
        played = self.games()
        lacking = self._lacking(played)
        found: list[Pairing] = []
        while lacking or len(found) < games:
            if not lacking:
                deal = max((game.deal for game in played), default=0) + 1
                group = self._group(wanted, there, played)
                lacking = [(deal, seating(group, self.players, turn)) for turn in range(self.players)]
            deal, seats = lacking.pop(0)
            found.append(Pairing(max((game.number for game in played), default=0) + 1, deal, seats))
            played.append(PlayedGame(*found[-1], _NOT_YET))
        return found

    def _lacking(self, played: Sequence[PlayedGame]) -> list[tuple[int, tuple[int, ...]]]:
        """Seatings of deals that were begun and not finished."""
        found: list[tuple[int, tuple[int, ...]]] = []
        deals: dict[int, list[tuple[int, ...]]] = {}
        for game in played:
            deals.setdefault(game.deal, []).append(game.seats)
        for deal, seatings in deals.items():
            every = [seating(seatings[0], self.players, turn) for turn in range(self.players)]
            found += [(deal, seats) for seats in every if seats not in seatings]
        return found

    def _group(self, wanted: Sequence[int], there: Sequence[int], played: Sequence[PlayedGame]) -> tuple[int, ...]:
        """Who meets next."""
        count: Counter[int] = Counter(bot for game in played for bot in game.seats)
        met: Counter[tuple[int, int]] = Counter(
            pair for game in played for pair in combinations(sorted(set(game.seats)), 2)
        )
        ratings = rate(self.match, [game for game in played if game.result is not _NOT_YET])
        first = min(wanted, key=lambda bot: (count[bot], bot))
        group = [first]
        while len(group) < self.players:
            others = [bot for bot in there if bot not in group]
            group.append(min(others, key=lambda bot: (_met(met, group, bot), _apart(ratings, first, bot), bot)))
        return tuple(group)


def _met(met: Counter[tuple[int, int]], group: Sequence[int], bot: int) -> int:
    return sum(met[min(bot, other), max(bot, other)] for other in group)


def _apart(ratings: dict[int, Rating], one: int, other: int) -> float:
    """How far two bots are from each other, for all that is known."""
    known = [ratings[bot].mu for bot in (one, other) if bot in ratings]
    return abs(known[0] - known[1]) if len(known) == 2 else 0.0


def rules_of(described: Described) -> Rules:
    """Which game a ladder plays."""
    options = tuple(f"{key}={value}" for key, value in described.options.items())
    return read_rules(described.players, described.edition, tuple(described.modules), options)


def open_ladder(path: Path, fresh: Callable[[], Described]) -> Ladder:
    """The ladder of a folder; a new one where there is none."""
    file = path / DESCRIPTION
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return Ladder(path, fresh())
    except OSError as error:
        raise Unreadable("folder", f"{path} cannot be used for a ladder: {error.strerror}") from None
    try:
        ladder = Ladder(path, msgspec.json.decode(data, type=Described))
    except msgspec.DecodeError:
        raise Unreadable("folder", f"{file} does not describe a ladder") from None
    ladder.folder.read()
    _check_games(ladder)
    return ladder


def _check_games(ladder: Ladder) -> None:
    count = len(ladder.described.bots)
    for game in ladder.games():
        if len(game.seats) != ladder.players or not all(0 <= bot < count for bot in game.seats):
            raise Unreadable("game-line", f"{ladder.path}: game {game.number} is not one of this ladder")


def can_play(bot: str) -> bool:
    """Whether a bot that took part once is still there."""
    try:
        dismiss(make(bot))
    except BotError:
        return False
    return True


def climb(ladder: Ladder, wanted: Sequence[str], games: int, where: Where, ended: Callable[[PlayedGame], None]) -> bool:
    """Play more games in which the wanted bots take part; False when Ctrl-C ended it early. All games are saved."""
    bots = ladder.described.bots
    there = [number for number, bot in enumerate(bots) if bot in wanted or can_play(bot)]
    first = [bots.index(bot) for bot in wanted] or there
    if len(there) < ladder.players:
        raise Unreadable("bots", f"a ladder at a table for {ladder.players} needs {ladder.players} bots or more")
    return play(ladder.match, ladder.pairings(first, there, games), ladder.folder, where, ended)
