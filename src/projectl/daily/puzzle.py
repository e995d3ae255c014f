"""The puzzles that ship with the package, and which day has which."""

from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projectl.core.errors import Unreadable

FILE: Final = Path(__file__).parent / "puzzles.jsonl"
FIRST: Final = date(2026, 11, 1)  # the first day that has a puzzle
MARGIN: Final = 0.04  # so much better than any other a best turn is
GOOD: Final = 0.02  # a turn that gives away so little is as good as the best


class Puzzle(Struct, frozen=True):
    """A position, whose turn it is, and the turn that is best there."""

    record: str  # of the game so far
    seat: int  # to play, from 1
    best: list[str]
    chance: float  # to win, with the best turn
    second: float  # with the next best one
    tried: int  # turns that were compared
    good: int  # of them as good as the best, itself included
    game: int  # the number of the game that it is from


def read(file: Path = FILE) -> list[Puzzle]:
    """The puzzles of a file, a line each."""
    decode = msgspec.json.Decoder(Puzzle).decode
    found: list[Puzzle] = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            found.append(decode(line))
        except msgspec.DecodeError as error:
            raise Unreadable("daily-file", f"this is no puzzle: {error}", line=number) from None
    return found


def write(puzzles: list[Puzzle], file: Path) -> None:
    """The same file again, in the order of the days."""
    data = b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in in_order(puzzles))
    fresh = file.with_name(file.name + ".new")
    fresh.write_bytes(data)
    fresh.replace(file)


def in_order(puzzles: list[Puzzle]) -> list[Puzzle]:
    """First one of every game, then a second one: puzzles of one game lie far apart."""
    before: dict[int, int] = {}
    rows: list[tuple[int, int, Puzzle]] = []
    for puzzle in sorted(puzzles, key=lambda one: (one.game, one.second - one.chance)):
        nth = before[puzzle.game] = before.get(puzzle.game, -1) + 1
        rows.append((nth, puzzle.game, puzzle))
    return [puzzle for _, _, puzzle in sorted(rows, key=lambda row: row[:2])]


@cache
def shipped() -> list[Puzzle]:
    """Those that come with the package."""
    return read()


def number_of(day: date) -> int:
    """The number of a day, from 1; the same everywhere, from the date alone."""
    return (day - FIRST).days + 1


def of_day(day: date) -> Puzzle:
    """The puzzle of a day. After the last one they begin anew."""
    puzzles = shipped()
    return puzzles[(number_of(day) - 1) % len(puzzles)]


def last_day(now: float) -> date:
    """The latest date anywhere on earth at a time in seconds since 1970."""
    return date(1970, 1, 1) + timedelta(seconds=now + 14 * 3600)
