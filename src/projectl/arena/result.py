"""What comes out of a game between bots."""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from projectl.arena.times import Times
from projectl.core.errors import Unreadable


class Forfeit(NamedTuple):
    """Why a seat lost before the end."""

    seat: int  # from 0
    code: str  # crashed, illegal, overdue, or the code of the bot's own error
    sentence: str


class GameResult(NamedTuple):
    """One game. Seats from 0; in solo the mastermind is seat 1 and the last score."""

    record: str  # replays; a forfeited game up to its last whole action
    scores: tuple[int, ...]  # a forfeited game's are those at that moment
    winners: tuple[int, ...]
    reason: str  # what decided, as the rules name it; or forfeit
    rounds: int
    limit: bool  # the limit of rounds ended it (R19)
    forfeit: Forfeit | None
    times: tuple[Times, ...]  # by seat


class PlayedGame(NamedTuple):
    """A game of a match: who sat where, and what came out."""

    number: int  # in the match, from 1
    deal: int  # from 1; games of one deal have the same decks
    seats: tuple[int, ...]  # by seat: which of the match's bots
    result: GameResult


class _Forfeit(Struct):
    seat: int  # from 1
    code: str
    sentence: str


class _Times(Struct):
    worst: float
    work: float
    buckets: dict[int, int]


class _Line(Struct):
    """A game as one line of `games.jsonl`; the record stands in a file of its own. Seats and bots from 1."""

    game: int
    deal: int
    bots: list[int]
    scores: list[int]
    winners: list[int]
    reason: str
    rounds: int
    limit: bool
    forfeit: _Forfeit | None
    times: list[_Times]


def to_line(played: PlayedGame) -> bytes:
    """A game as one line of JSON."""
    result, out = played.result, played.result.forfeit
    line = _Line(
        game=played.number,
        deal=played.deal,
        bots=[bot + 1 for bot in played.seats],
        scores=list(result.scores),
        winners=[seat + 1 for seat in result.winners],
        reason=result.reason,
        rounds=result.rounds,
        limit=result.limit,
        forfeit=_Forfeit(out.seat + 1, out.code, out.sentence) if out else None,
        times=[_Times(round(t.worst, 6), round(t.work, 6), dict(sorted(t.buckets.items()))) for t in result.times],
    )
    return msgspec.json.encode(line)


def from_line(data: bytes) -> PlayedGame:
    """Read what `to_line` wrote, without the record; what is not like that is `Unreadable`."""
    try:
        line = msgspec.json.decode(data, type=_Line)
    except msgspec.ValidationError as error:
        raise Unreadable("game-line", f"this is no game of a match: {str(error)[:100]}") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Unreadable("game-line", "this is not JSON") from None
    out = line.forfeit
    result = GameResult(
        record="",
        scores=tuple(line.scores),
        winners=tuple(seat - 1 for seat in line.winners),
        reason=line.reason,
        rounds=line.rounds,
        limit=line.limit,
        forfeit=Forfeit(out.seat - 1, out.code, out.sentence) if out else None,
        times=tuple(Times(times.buckets, times.worst, times.work) for times in line.times),
    )
    return PlayedGame(line.game, line.deal, tuple(bot - 1 for bot in line.bots), result)
