"""The puzzle of a day, as the page plays it: nothing is stored, a turn travels with every request."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final

from projectl.core.view import view
from projectl.daily import puzzle as puzzles
from projectl.daily.grade import begun, ended, follow, grade, turn_of
from projectl.daily.puzzle import Puzzle
from projectl.game import Move
from projectl.server.catalogue import setup_of
from projectl.server.errors import Refusal
from projectl.server.games.preview import Preview, facts_ahead, tried
from projectl.server.http.replies import Daily, Days, Graded, TriedStep

_FORM: Final = "%Y-%m-%d"


def read_day(text: str, now: float) -> date:
    """A day that has a puzzle already, somewhere on earth."""
    try:
        day = datetime.strptime(text, _FORM).replace(tzinfo=UTC).date()
    except ValueError:
        sentence = f"expected a date as 2026-11-18, found {text[:20]!r}"
        raise Refusal("daily-date", sentence, 422, field="day", about=text[:20]) from None
    if day < puzzles.FIRST:
        first = puzzles.FIRST.isoformat()
        raise Refusal("daily-before", f"the first daily puzzle is that of {first}", 404, about=first)
    if day > puzzles.last_day(now):
        raise later(today(now))
    return day


def later(here: str) -> Refusal:
    """A day that has not come yet, said where it is another one."""
    return Refusal("daily-later", f"that day has not come yet; here it is {here}", 404, about=here)


def today(now: float) -> str:
    """The server's date, in UTC."""
    return datetime.fromtimestamp(now, UTC).strftime(_FORM)


def days(now: float) -> Days:
    """Which days have a puzzle."""
    return Days(puzzles.FIRST.isoformat(), today(now), len(puzzles.shipped()))


def shown(day: date, actions: Sequence[str]) -> Daily:
    """A puzzle after some actions, as its seat sees it."""
    puzzle = puzzles.of_day(day)
    start, game = begun(puzzle), follow(puzzle, actions)
    seat, state = puzzle.seat - 1, game.state
    done = ended(puzzle, state)
    return Daily(
        day=day.isoformat(),
        number=puzzles.number_of(day),
        setup=setup_of(game.header.rules),
        seat=puzzle.seat,
        start=view(start.state, seat),
        view=view(state, seat),
        legal=[] if done else game.legal_texts(seat),
        steps=steps_told(turn_of(puzzle, game)),
        done=done,
    )


def steps_told(moves: Sequence[Move]) -> list[TriedStep]:
    """The actions that were tried, with what each of them did."""
    return [TriedStep(move.seat + 1, move.text, move.did) for move in moves]


def tried_on(day: date, actions: Sequence[str], action: str) -> Preview:
    """Whether the turn could go on with an action."""
    puzzle = puzzles.of_day(day)
    return tried(follow(puzzle, actions).state, puzzle.seat - 1, action)


def graded(puzzle: Puzzle, actions: Sequence[str]) -> Graded:
    """How close a whole turn comes; works for a second or two."""
    found = grade(puzzle, actions)
    facts = facts_ahead(begun(puzzle).state, puzzle.seat - 1, puzzle.best)
    return Graded(found.stars, found.chance, found.best, puzzle.best, facts)
