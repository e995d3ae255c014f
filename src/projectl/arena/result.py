"""What comes out of a game between bots."""

from typing import NamedTuple

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


class Played(NamedTuple):
    """A game of a match: who sat where, and what came out."""

    number: int  # in the match, from 1
    deal: int  # from 1; games of one deal have the same decks
    seats: tuple[int, ...]  # by seat: which of the match's bots
    result: GameResult


Json = dict[str, object]


def to_json(played: Played) -> Json:
    """A game as one line of `games.jsonl`; the record stands in a file of its own. Seats from 1."""
    result = played.result
    row: Json = {
        "game": played.number,
        "deal": played.deal,
        "bots": [bot + 1 for bot in played.seats],
        "scores": list(result.scores),
        "winners": [seat + 1 for seat in result.winners],
        "reason": result.reason,
        "rounds": result.rounds,
        "limit": result.limit,
        "forfeit": None,
        "times": [_times_json(times) for times in result.times],
    }
    if result.forfeit:
        row["forfeit"] = {**result.forfeit._asdict(), "seat": result.forfeit.seat + 1}
    return row


def _times_json(times: Times) -> Json:
    buckets = {str(bucket): count for bucket, count in sorted(times.buckets.items())}
    return {"worst": round(times.worst, 6), "work": round(times.work, 6), "buckets": buckets}


def from_json(row: object) -> Played:
    """Read what `to_json` wrote, without the record; what is not like that is `Unreadable`."""
    found = _object(row)
    out = found.get("forfeit")
    result = GameResult(
        record="",
        scores=tuple(_numbers(found.get("scores"))),
        winners=tuple(seat - 1 for seat in _numbers(found.get("winners"))),
        reason=str(found.get("reason")),
        rounds=_number(found.get("rounds")),
        limit=found.get("limit") is True,
        forfeit=None if out is None else _forfeit(_object(out)),
        times=tuple(_times(_object(times)) for times in _list(found.get("times"))),
    )
    seats = tuple(bot - 1 for bot in _numbers(found.get("bots")))
    return Played(_number(found.get("game")), _number(found.get("deal")), seats, result)


def _forfeit(row: Json) -> Forfeit:
    return Forfeit(_number(row.get("seat")) - 1, str(row.get("code")), str(row.get("sentence")))


def _times(row: Json) -> Times:
    worst, work = row.get("worst"), row.get("work")
    buckets = _object(row.get("buckets"))
    if not isinstance(worst, int | float) or not isinstance(work, int | float):
        raise _wrong("seconds", row)
    if not all(bucket.isdecimal() for bucket in buckets):
        raise _wrong("buckets by number", buckets)
    return Times({int(bucket): _number(n) for bucket, n in buckets.items()}, float(worst), float(work))


def _wrong(expected: str, found: object) -> Unreadable:
    return Unreadable("game-line", f"this is no game of a match: expected {expected}, found {str(found)[:40]!r}")


def _object(found: object) -> Json:
    if not isinstance(found, dict):
        raise _wrong("an object", found)
    return found


def _list(found: object) -> list[object]:
    if not isinstance(found, list):
        raise _wrong("a list", found)
    return found


def _number(found: object) -> int:
    if not isinstance(found, int):
        raise _wrong("a number", found)
    return found


def _numbers(found: object) -> list[int]:
    return [_number(item) for item in _list(found)]
