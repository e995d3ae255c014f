"""Short lessons as people play them, on a desktop and with a finger, and the moving pictures of the rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from projectl.lessons.lesson import lessons
from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse, Person
from tests.web.words import said


def play(person: Person, name: str) -> None:
    """Do what a lesson asks for."""
    lesson = lessons()[name]
    shown: dict[str, Any] = person.page.request.post(f"/api/lessons/{name}", data={"actions": []}).json()
    state = {"legal": {str(lesson.seat): shown["legal"]}, "seats": [lesson.seat], "view": shown["view"]}
    verb, *rest = lesson.play[0].split()
    getattr(person, f"do_{verb}")(state, lesson.seat, rest)
    expect(person.page.get_by_text(said(f"lesson_{name}_done"))).to_be_visible()


@pytest.mark.parametrize("way", [Mouse, Finger])
def test_the_lessons_of_the_plain_game_one_after_the_other(visits: Visits, way: type[Person]) -> None:
    page = visits(phone=way is Finger).page
    page.goto("/lessons")
    page.get_by_role("link", name=said("help_recycle_title"), exact=True).click()
    person = way(page)
    for name, following in (("recycle", "deck"), ("deck", "levels"), ("levels", "piles"), ("piles", "end")):
        expect(page.get_by_text(said(f"lesson_{name}"))).to_be_visible()
        person.arrive()
        play(person, name)
        page.locator(f'a[href="/lessons/{following}"]').click()
    assert json.loads(page.evaluate("localStorage.getItem('projectl.lessons')")) == [
        "recycle",
        "deck",
        "levels",
        "piles",
    ]


@pytest.mark.parametrize(
    "name", ["end", "touches", "solo", "phoenix", "finesse", "finesse_ambassador", "endless_white"]
)
def test_a_lesson_by_itself(page: Page, name: str) -> None:
    page.goto(f"/lessons/{name}")
    person = Mouse(page)
    person.arrive()
    play(person, name)


def test_something_else_than_what_a_lesson_asks_for(page: Page) -> None:
    page.goto("/lessons/phoenix")
    person = Mouse(page)
    person.arrive()
    person.press(page.locator('[data-slot="W1"]'))
    expect(page.locator(".note")).to_have_text(said("learn_marked"))
    expect(page.get_by_text(said("lesson_phoenix"))).to_be_visible()


def test_a_lesson_that_is_none(page: Page) -> None:
    page.goto("/lessons/juggling")
    expect(page.get_by_role("alert")).to_have_text(said("refused_no_lesson"))


def test_rules_have_moving_pictures_of_the_board(page: Page) -> None:
    page.goto("/help#gain")
    picture = page.locator("#gain .moving")
    dots = picture.locator('[data-piece="O1"]')
    expect(dots).to_have_attribute("aria-label", "Dot (O1) \u00d71")
    expect(dots).to_have_attribute("aria-label", "Dot (O1) \u00d72")  # it moves
    picture.get_by_role("button", name=said("replay_pause")).click()
    expect(picture.get_by_role("button", name=said("replay_play"))).to_be_visible()


def test_pictures_stand_still_where_motion_is_reduced(visits: Visits) -> None:
    page = visits(reduced_motion="reduce").page
    page.goto("/help#gain")
    expect(page.locator("#gain .moving").get_by_role("button", name=said("replay_play"))).to_be_visible()
