"""What opens closes as people expect, shows what they look for, and moves nothing that they aim at."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse
from tests.web.scenes import named, record, table
from tests.web.tables import go_on, sit_down, sit_down_together
from tests.web.words import said


@pytest.mark.parametrize("how", ["Escape", "a tap outside"])
def test_a_menu_closes(visits: Visits, how: str) -> None:
    visit = visits()
    table("middle")(visit)
    page = visit.page
    openers: dict[str, tuple[Locator, Locator]] = {
        "menu": (page.get_by_role("button", name="Menu"), page.locator("#table-menu")),
        "rules": (page.get_by_role("button", name="Rules"), page.get_by_role("dialog")),
        "keys": (page.locator(".banner").get_by_role("button", name=said("b_keys")), page.get_by_role("dialog")),
        "player": (page.locator(".players [aria-pressed=true]"), page.get_by_role("dialog")),
    }
    for name, (button, opened) in openers.items():
        button.click()
        expect(opened, name).to_be_visible()
        if how == "Escape":
            page.keyboard.press("Escape")
        else:
            page.mouse.click(4, 700)
        expect(opened, name).to_be_hidden()


def test_the_chat_over_a_small_table_closes_by_escape_and_by_a_tap_outside(visits: Visits) -> None:
    ana, bo = Finger(visits(phone=True).page), Finger(visits(phone=True).page)
    sit_down_together(ana, bo, chat=True)
    page = ana.page
    chat = page.get_by_role("complementary", name="Chat")
    closers: list[Callable[[], None]] = [
        lambda: page.keyboard.press("Escape"),
        lambda: page.touchscreen.tap(180, 120),
    ]
    for close in closers:
        ana.press(page.get_by_role("button", name="Chat"))
        page.get_by_label("Say something").focus()
        close()
        expect(chat).to_have_count(0)


def test_the_log_opens_at_the_last_move(visits: Visits) -> None:
    person = Finger(visits(phone=True).page)
    go_on(person, record("middle"), seats=named(2))
    person.press(person.page.get_by_role("button", name="Log"))
    last = person.in_dialog("Log").get_by_role("listitem").last
    expect(last).to_be_in_viewport(ratio=1)


def test_there_is_one_kind_of_question_mark_and_it_knows_what_is_asked(visits: Visits) -> None:
    visit = visits()
    table("middle")(visit)
    page = visit.page
    marks = page.locator(".board").get_by_role("button", name=said("nav_help"))
    expect(marks).to_have_count(1)
    expect(page.locator(".dock").get_by_role("button").filter(has_text="?")).to_have_count(0)
    Mouse(page).choose("Upgrade")
    marks.click()
    expect(page.get_by_role("dialog").get_by_role("heading").first).to_have_text(said("help_upgrade_title"))


def test_places_keep_their_numbers_and_their_spots(visits: Visits) -> None:
    person = Finger(visits(phone=True).page)
    sit_down(person, players=2, seats=named(2), seed="places")
    places = person.page.locator(".places > *")

    def spots() -> list[object]:
        return [each.bounding_box() for each in places.all()]

    before = spots()
    assert len(before) == 4
    person.act(person.state(), 1, "take W1")
    assert spots() == before
    expect(places.nth(0)).to_have_attribute("data-place", "1")
    assert [places.nth(n).inner_text() for n in (1, 2, 3)] == ["2", "3", "4"]


def test_buttons_stay_where_they_are_however_long_the_words_beside_them(visits: Visits) -> None:
    visit = visits()
    table("middle")(visit)
    page = visit.page
    prompt = page.locator(".prompt")
    found: dict[str, set[object]] = {"Rotate": set(), "Put down": set()}
    for piece in page.locator("[data-piece]:not(.idle)").all():
        piece.click()
        if prompt.get_by_role("button").count() == 4:  # the same buttons: this one can be exchanged too
            for name, spots in found.items():
                box = prompt.get_by_role("button", name=name).bounding_box()
                assert box is not None
                spots.add((box["x"], box["y"]))
        page.keyboard.press("Escape")
    assert {name: len(spots) for name, spots in found.items()} == {"Rotate": 1, "Put down": 1}


def test_a_mode_that_opens_is_in_sight(visits: Visits) -> None:
    visit = visits(phone=True, reduced_motion="reduce")
    page = visit.page
    page.goto("/")
    faces = page.locator(".mode .face")
    for face in faces.all():
        face.tap()
        expect(page.locator(".quick a")).to_be_in_viewport(ratio=1)


def test_a_colour_is_chosen_by_what_it_looks_like(visits: Visits) -> None:
    page = visits().page
    page.goto("/settings")
    rose = page.get_by_role("radio", name="rose", exact=False)
    rose.check()
    page.reload()
    expect(rose).to_be_checked()
    shown = rose.evaluate("e => getComputedStyle(e).backgroundColor")
    wanted = page.evaluate(
        """() => {
          const e = document.body.appendChild(document.createElement("i"));
          e.style.background = "var(--seat-rose)";
          return getComputedStyle(e).backgroundColor;
        }"""
    )
    assert shown == wanted
