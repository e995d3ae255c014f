"""A match: which bots play which games, on which deals, in which seats."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from msgspec import Struct

from projectl.arena.bot_game import SECONDS, Watcher, play_game
from projectl.arena.result import GameResult
from projectl.core.errors import Unreadable
from projectl.core.rules import Rules
from projectl.header import Header

FORMAT: Final = 1
MOST_GAMES: Final = 1_000_000

Group = tuple[int, ...]  # bots that meet, by their place in the match


class Pairing(NamedTuple):
    """One game to play."""

    number: int  # from 1
    deal: int  # from 1
    seats: tuple[int, ...]  # by seat: which of the match's bots


class Description(Struct):
    """A match as its folder tells it. Bots from 1."""

    format: int
    bots: list[str]
    groups: list[list[int]]
    players: int
    edition: str
    modules: list[str]
    options: dict[str, str]
    cards: list[str]
    games: int
    seed: str
    seconds: float


class Match(NamedTuple):
    """All that decides the games of a match. `arena_match` and `tournament_match` make checked ones."""

    rules: Rules
    bots: tuple[str, ...]
    groups: tuple[Group, ...]
    games: int  # of each group
    seed: str
    seconds: float = SECONDS

    def pairings(self) -> list[Pairing]:
        """Every game. A deal is played by each group in turn, and by each group from every seat."""
        found: list[Pairing] = []
        for deal in range(1, self.games // len(self.groups[0]) + 1):
            for group in self.groups:
                for rotation in range(len(group)):
                    seats = seating(group, int(self.rules.players), rotation)
                    found.append(Pairing(len(found) + 1, deal, seats))
        return found

    def play(self, pairing: Pairing, watcher: Watcher | None = None) -> GameResult:
        """Play one of the games; the same pairing is always dealt the same cards and the same chances."""
        specs = [self.bots[bot] for bot in pairing.seats]
        seed = self.deal_seed(pairing)
        return play_game(self.rules, specs, seed, self.seconds, salt=str(pairing.number), watcher=watcher)

    def deal_seed(self, pairing: Pairing) -> str:
        """The `seed:` of a game's record."""
        return f"{self.seed}/{pairing.deal}"

    def description(self) -> Description:
        """The match for its folder; matches with the same description have the same games."""
        rules = self.rules
        return Description(
            format=FORMAT,
            bots=list(self.bots),
            groups=[[bot + 1 for bot in group] for group in self.groups],
            players=int(rules.players),
            edition=rules.edition,
            modules=list(rules.modules),
            options=rules.options(),
            cards=[card.text() for card in (*rules.own, *rules.replaced)],
            games=self.games,
            seed=self.seed,
            seconds=self.seconds,
        )


def seating(group: Group, players: int, rotation: int) -> tuple[int, ...]:
    """Who sits where: the bots one after the other, again from the first while seats are left.

    Each rotation begins with the next bot. Over all rotations of a deal every bot sits in every seat
    once, so that neither seats nor cards favour one, however many seats there are to a bot.
    """
    return tuple(group[(seat + rotation) % len(group)] for seat in range(players))


def arena_match(rules: Rules, bots: Sequence[str], games: int, seed: str | int, seconds: float = SECONDS) -> Match:
    """A match of all the bots together; in solo each by itself on the same deals."""
    if 1 < rules.players < len(bots):
        sentence = f"{len(bots)} bots do not fit at a table for {int(rules.players)}; a tournament plays every group"
        raise Unreadable("bots", sentence)
    _check(rules, bots, games, len(bots), str(seed), "named alone it plays against itself")
    return Match(rules, tuple(bots), (tuple(range(len(bots))),), games, str(seed), seconds)


def tournament_match(rules: Rules, bots: Sequence[str], games: int, seed: str | int, seconds: float = SECONDS) -> Match:
    """Every group of as many bots as there are seats plays so many games."""
    players = int(rules.players)
    if players == 1:
        raise Unreadable("players", "a tournament is for two players or more; the arena plays solo with any bots")
    if len(bots) < players:
        raise Unreadable("bots", f"a tournament at a table for {players} needs {players} bots or more")
    otherwise = "every bot of a tournament is another one, in the arena one plays itself"
    _check(rules, bots, games, players, str(seed), otherwise)
    return Match(rules, tuple(bots), tuple(combinations(range(len(bots)), players)), games, str(seed), seconds)


def fair_games(wanted: int, bots: int) -> int:
    """The next number of games in which every deal is played from every seat."""
    return -(-wanted // bots) * bots


def _check(rules: Rules, bots: Sequence[str], games: int, rotations: int, seed: str, instead_of_twice: str) -> None:
    Header(rules, seed).checked()
    if not bots:
        raise Unreadable("bots", "a match needs a bot")
    twice = next((bot for bot in bots if bots.count(bot) > 1), None)
    if twice is not None:
        raise Unreadable("bots", f"{twice} is named twice; {instead_of_twice}")
    if not 1 <= games <= MOST_GAMES:
        raise Unreadable("games", f"games are a number from 1 to {MOST_GAMES}, found {games}")
    if games % rotations:
        below, above = fair_games(games, rotations) - rotations, fair_games(games, rotations)
        instead = f"{below} or {above}" if below else str(above)
        sentence = f"each deal is played in {rotations} seatings, so {games} games do not come out even: take {instead}"
        raise Unreadable("games", sentence)
