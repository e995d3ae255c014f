"""Puzzles, lessons and the daily solo game over HTTP. Of puzzles and lessons nothing is kept: turns travel along."""

from datetime import date
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response

from projectl.daily.puzzle import of_day
from projectl.lessons.lesson import Lesson
from projectl.server.games import daily, lessons, solo
from projectl.server.http.forms import SoloForm, TurnForm, TurnTryForm
from projectl.server.http.messages import Tried
from projectl.server.http.rest import Key, TakingKey, TheGames, WhoAsks, answers, check_made, said

router: Final = APIRouter()


def asked_day(day: Annotated[str, Path(max_length=20)], games: TheGames) -> date:
    """The day of the address."""
    return daily.read_day(day, games.now())


Day = Annotated[date, Depends(asked_day)]


def asked_lesson(lesson: Annotated[str, Path(max_length=30)]) -> Lesson:
    """The lesson of the address."""
    return lessons.read_lesson(lesson)


TheLesson = Annotated[Lesson, Depends(asked_lesson)]


@router.post("/api/lessons/{lesson}", responses=answers("LessonStep"))
async def post_lesson(lesson: TheLesson, form: TurnForm) -> Response:
    """A short lesson, after the actions that were tried."""
    return said(lessons.shown(lesson, form.actions))


@router.post("/api/lessons/{lesson}/try", responses=answers("Tried"))
async def post_lesson_try(lesson: TheLesson, form: TurnTryForm) -> Response:
    """Whether the lesson could go on with an action, why not, what may be added to it."""
    found = lessons.tried_on(lesson, form.actions, form.action)
    return said(Tried("", "", not found.code, *found))


@router.post("/api/solo", responses=answers("Paired"))
async def post_solo(form: SoloForm, games: TheGames, request: Request, key: TakingKey) -> Response:
    """Today's solo game: one for each key, with the same deck for everybody."""
    check_made(request)
    return said(await solo.begin(games, form, key), key=key, request=request)


@router.get("/api/solo", responses=answers("SoloDay"))
async def get_solo(games: TheGames, key: Key, day: Annotated[str | None, Query(max_length=20)] = None) -> Response:
    """The best solo games of a day, by default of today."""
    return said(await solo.best(games, day, key))


@router.get("/api/daily", responses=answers("Days"))
async def get_days(games: TheGames) -> Response:
    """Which days have a puzzle, and which day it is here."""
    return said(daily.days(games.now()))


@router.post("/api/daily/{day}", responses=answers("Daily"))
async def post_daily(day: Day, form: TurnForm) -> Response:
    """The puzzle of a day, after the actions that were tried."""
    return said(daily.shown(day, form.actions))


@router.post("/api/daily/{day}/try", responses=answers("Tried"))
async def post_daily_try(day: Day, form: TurnTryForm) -> Response:
    """Whether the turn could go on with an action, why not, what may be added to it."""
    found = daily.tried_on(day, form.actions, form.action)
    return said(Tried("", "", not found.code, *found))


@router.post("/api/daily/{day}/answer", responses=answers("Graded"))
async def post_daily_answer(day: Day, form: TurnForm, games: TheGames, asker: WhoAsks) -> Response:
    """A whole turn beside the best one."""
    return said(await games.thinkers.read(asker, daily.graded, of_day(day), form.actions))
