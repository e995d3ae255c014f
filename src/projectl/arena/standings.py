"""What a match says about its bots: win rates, scores, times, ratings."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from projectl.arena.match import Match
from projectl.arena.result import Forfeit, PlayedGame
from projectl.arena.times import Times

_Z: Final = 1.959964  # 95 %
MASTERMIND: Final = -1  # takes part in solo games, beside the match's bots


class Share(NamedTuple):
    """A share of games won, shared wins in equal parts."""

    won: float
    games: int

    @property
    def rate(self) -> float:
        """From 0 to 1."""
        return self.won / self.games if self.games else 0.0

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % confidence interval, as if the games did not depend on each other."""
        if not self.games:
            return 0.0, 1.0
        n, p = self.games, self.rate
        middle = (p + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
        half = _Z * sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n)) / (1 + _Z * _Z / n)
        return max(0.0, middle - half), min(1.0, middle + half)


class Rating(NamedTuple):
    """An openskill rating: where a bot is believed to be, and how sure that is."""

    mu: float
    sigma: float

    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.mu - _Z * self.sigma, self.mu + _Z * self.sigma


class Standing(NamedTuple):
    """One bot's line in the tables."""

    bot: str
    wins: Share
    par: float  # the win rate of a bot that is as good as the others
    score: float | None  # mean, of each of its seats, over the games without a forfeit; None: there are none
    difference: float | None  # its seats' mean less that of the other bots' seats
    times: Times
    limit: Share  # the games that the limit of rounds ended
    rating: Rating | None  # None: it played only against itself
    forfeits: tuple[tuple[int, Forfeit], ...]  # the number of the game, and what happened


def standings(match: Match, games: Sequence[PlayedGame]) -> list[Standing]:
    """A line for each bot, in the order of the match."""
    ratings = rate(match, games)
    return [_standing(match, bot, games, ratings.get(bot)) for bot in range(len(match.bots))]


def _standing(match: Match, bot: int, games: Sequence[PlayedGame], rating: Rating | None) -> Standing:
    own = [game for game in games if bot in game.seats]
    played_out = [game for game in own if game.result.forfeit is None]
    times = Times()
    for game in own:
        for seat in seats_of(game, bot):
            times.merge(game.result.times[seat])
    scores = [game.result.scores[seat] for game in played_out for seat in seats_of(game, bot)]
    gaps = [gap for game in played_out if (gap := _gap(game, bot)) is not None]
    opponents = 1 if match.rules.players == 1 else 0
    return Standing(
        bot=match.bots[bot],
        wins=Share(sum(won(game, bot) for game in own), len(own)),
        par=_mean([len(seats_of(game, bot)) / (len(game.seats) + opponents) for game in own]) or 0.0,
        score=_mean(scores),
        difference=_mean(gaps),
        times=times,
        limit=Share(sum(game.result.limit for game in own), len(own)),
        rating=rating,
        forfeits=tuple(
            (game.number, game.result.forfeit)
            for game in own
            if game.result.forfeit and game.seats[game.result.forfeit.seat] == bot
        ),
    )


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def seats_of(game: PlayedGame, bot: int) -> list[int]:
    """The seats that a bot had in a game; the mastermind has the one behind the last."""
    if bot == MASTERMIND:
        return [len(game.seats)]
    return [seat for seat, other in enumerate(game.seats) if other == bot]


def won(game: PlayedGame, bot: int) -> float:
    """A bot's part of the win."""
    winners = game.result.winners
    return sum(seat in winners for seat in seats_of(game, bot)) / len(winners)


def _gap(game: PlayedGame, bot: int) -> float | None:
    scores = game.result.scores
    own = seats_of(game, bot)
    rest = _mean([points for seat, points in enumerate(scores) if seat not in own])
    return None if rest is None else sum(scores[seat] for seat in own) / len(own) - rest


def places(game: PlayedGame) -> dict[int, int]:
    """Where each bot came in, from 0, by its best seat: winners, then by score, a forfeit last."""
    result = game.result
    order: dict[int, tuple[int, int]] = {}
    for bot in sorted(_parties(game)):
        ranks: list[tuple[int, int]] = []
        for seat in seats_of(game, bot):
            out = result.forfeit is not None and result.forfeit.seat == seat
            ranks.append((0, 0) if seat in result.winners else (2, 0) if out else (1, -result.scores[seat]))
        order[bot] = min(ranks)
    ladder = sorted(set(order.values()))
    return {bot: ladder.index(rank) for bot, rank in order.items()}


def _parties(game: PlayedGame) -> set[int]:
    return {*game.seats, MASTERMIND} if len(game.result.scores) > len(game.seats) else set(game.seats)


def rate(match: Match, games: Iterable[PlayedGame]) -> dict[int, Rating]:
    """openskill's Plackett-Luce ratings after the games, in the order of the match.

    In solo the mastermind is rated too. Who met nobody else has no rating.
    """
    found: dict[int, Rating] = {}
    for after in rating_history(match, games):
        found = after
    return dict(sorted(found.items()))


def rating_history(match: Match, games: Iterable[PlayedGame]) -> Iterator[dict[int, Rating]]:
    """The ratings after each game, of all who have met somebody by then."""
    model = PlackettLuce()
    found = {bot: model.rating() for bot in range(MASTERMIND, len(match.bots))}
    rated: set[int] = set()
    for game in games:
        came = places(game)
        if len(came) > 1:
            bots = list(came)
            after = model.rate([[found[bot]] for bot in bots], ranks=[float(came[bot]) for bot in bots])
            found.update({bot: team[0] for bot, team in zip(bots, after, strict=True)})
            rated.update(bots)
        yield {bot: Rating(found[bot].mu, found[bot].sigma) for bot in rated}


def cross_table(match: Match, games: Sequence[PlayedGame]) -> list[list[Share]]:
    """Row against column: the share of their games in which the row's bot came in before the column's.

    Equal places count half. With two players that is the win rate.
    """
    size = len(match.bots)
    ahead = [[0.0] * size for _ in range(size)]
    met = [[0] * size for _ in range(size)]
    for game in games:
        came = places(game)
        for one in came:
            for other in came:
                if MASTERMIND not in (one, other) and one != other:
                    met[one][other] += 1
                    ahead[one][other] += (came[one] < came[other]) + (came[one] == came[other]) / 2
    return [[Share(ahead[row][column], met[row][column]) for column in range(size)] for row in range(size)]
