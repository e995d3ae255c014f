"""The short lessons: every position is one where its action shows the rule that it stands for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from projectl.core.errors import Illegal
from projectl.core.score import score
from projectl.core.state import PLAY, TOUCHES
from projectl.core.view import view
from projectl.facts import Facts
from projectl.lessons.lesson import Lesson, begun, ended, follow, lessons

_LESSONS_TS: Final = Path(__file__).parents[1] / "web" / "src" / "lib" / "lessons.ts"


def facts(lesson: Lesson) -> Facts:
    """What the first action of a lesson does."""
    return follow(lesson, lesson.play[:1]).moves[-1].did


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_can_be_played(name: str) -> None:
    lesson = lessons()[name]
    start = begun(name)
    before = start.text()
    game = follow(lesson, lesson.play)
    assert lesson.play
    assert [move.text for move in game.moves[len(start.moves) :]] == lesson.play
    assert start.text() == before, "the shared game is left as it was"
    assert not ended(lesson, start.state)


def test_what_cannot_be_done_is_refused() -> None:
    with pytest.raises(Illegal):
        follow(lessons()["deck"], ["take W", "take W", "take W", "take W"])


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("ghost", "ghost"),
        ("ambassador", "ambassador"),
        ("phoenix", "phoenix"),
        ("finesse", "finesse"),
        ("finesse_ambassador", "finesse_ambassador"),
        ("line_clear", "line_clear"),
        ("endless_white", "endless_white"),
    ],
)
def test_a_lesson_of_a_module_has_it(name: str, module: str) -> None:
    assert module in begun(name).header.rules.modules


def test_lessons_show_what_they_say() -> None:
    found = lessons()
    assert facts(found["deck"])["card"]
    assert len(facts(found["recycle"])["turned"]) == 4
    assert max(done["points"] for done in facts(found["piles"])["completed"]) >= 3
    assert facts(found["reward"])["rewards"]
    assert facts(found["end"])["end_triggered"]
    assert begun("touches").state.phase == TOUCHES
    touched = follow(found["touches"], [*found["touches"].play, "done"]).state
    assert score(touched, 0) > score(begun("touches").state, 0)
    assert facts(found["phoenix"])["card"] in {f"PB0{n}" for n in range(1, 8)}
    assert len(found["master"].play[0].split()) > 2


def test_a_lock_goes_to_the_mastermind() -> None:
    lesson = lessons()["solo"]
    before, after = (view(state, 0)["solo"] for state in (begun("solo").state, follow(lesson, lesson.play).state))
    assert after["supply"] == before["supply"] + 1


@pytest.mark.parametrize("name", ["finesse", "finesse_ambassador"])
def test_the_tile_of_the_round_pays(name: str) -> None:
    lesson, seat = lessons()[name], lessons()[name].seat - 1
    before, after = (view(state, seat) for state in (begun(name).state, follow(lesson, lesson.play).state))
    tile = before["finesse"]["tiles"][before["round"] - 1]
    assert tile is not None
    assert tile.startswith("X") == (name == "finesse_ambassador")
    had, has = (seen["players"][seat]["credits"] for seen in (before, after))
    assert has["active"] + has["inactive"] > had["active"] + had["inactive"]


def test_the_white_deck_comes_back() -> None:
    lesson = lessons()["endless_white"]
    counts = [
        view(state, 0)["decks"]["W"] for state in (begun("endless_white").state, follow(lesson, lesson.play).state)
    ]
    assert counts[0] == 1
    assert counts[1] > 1


def test_the_white_marker_takes_from_the_deck() -> None:
    lesson, start = lessons()["line_clear"], begun("line_clear").state
    assert start.phase == PLAY
    assert view(start, 0)["markers"]["white"] == lesson.seat


@pytest.mark.skipif(not _LESSONS_TS.is_file(), reason="the page's sources are not here")
def test_the_page_shows_the_same_ones() -> None:
    lists = re.findall(r"(?:LESSONS|MODULES|PICTURES) = (?:new Set<string>\()?\[(.*?)\]", _LESSONS_TS.read_text())
    assert len(lists) == 3
    assert {name for text in lists for name in re.findall(r'"(\w+)"', text)} == set(lessons())
