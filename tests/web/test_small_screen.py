"""On a phone nothing moves under the finger, and nothing lies over what it is about."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.web.conftest import Visits
from tests.web.people import Finger
from tests.web.positions import header
from tests.web.scenes import named, record
from tests.web.tables import go_on
from tests.web.words import said


def box(what: Locator) -> FloatRect:
    """Where something is on the screen."""
    found = what.bounding_box()
    assert found is not None
    return found


def test_the_dock_keeps_its_height_whatever_is_in_hand(visits: Visits) -> None:
    page = visits(phone=True).page
    person = Finger(page)
    go_on(person, record("middle"), seats=named(2))
    dock = page.locator(".dock")
    at_rest = box(dock)
    pieces = page.locator("[data-piece]")
    lying = [box(piece) for piece in pieces.all()]
    for piece in pieces.all():
        person.press(piece)
        for name in ("Rotate", "Flip"):
            person.press(page.locator(".prompt").get_by_role("button", name=name))
            assert [box(dock), *map(box, pieces.all())] == [at_rest, *lying]
        person.press(page.locator(".prompt").get_by_role("button", name=said("b_let_go")))
    person.choose("Master")
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    assert box(dock) == at_rest
    person.press(page.get_by_role("button", name="Cancel"))
    person.choose("Hint")
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    assert box(dock) == at_rest


@pytest.mark.parametrize("name", ["touches", "levelup", "reward"])
def test_what_is_asked_can_be_read_to_its_end(visits: Visits, name: str) -> None:
    """Where nothing else can be done, the question has the room of the actions."""
    page = visits(phone=True).page
    go_on(Finger(page), record(name), seats=named(2))
    said_now = page.locator(".prompt > p")
    expect(said_now).to_be_visible()
    assert said_now.evaluate("e => e.scrollHeight - e.clientHeight") <= 1
    assert box(page.locator(".dock"))["y"] + box(page.locator(".dock"))["height"] <= 740


def test_six_names_are_whole_in_the_strip(visits: Visits) -> None:
    page = visits(phone=True).page
    go_on(Finger(page), record("line_clear_six"), seats=named(6))
    names = page.locator(".players .name .text")
    expect(names).to_have_count(6)
    for name in names.all():
        assert name.evaluate("e => e.scrollWidth - e.clientWidth") <= 0, name.inner_text()


def test_what_a_hint_means_lies_on_the_screen(visits: Visits) -> None:
    """A game begins with a card."""
    page = visits(phone=True).page
    person = Finger(page)
    go_on(person, header(2, seed="picture"), seats=named(2))
    person.choose("Hint")
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    inside(page, page.locator("[data-slot].hinted").first)


def inside(page: Page, what: Locator) -> None:
    """All of it lies between the top of the table and the dock."""
    table, found = box(page.locator(".table")), box(what)
    assert table["y"] <= found["y"]
    assert found["y"] + found["height"] <= table["y"] + table["height"]
    assert found["x"] >= 0
    assert found["x"] + found["width"] <= table["x"] + table["width"]


def test_what_is_said_about_a_puzzle_does_not_hide_it(visits: Visits) -> None:
    page = visits(phone=True).page
    person = Finger(page)
    state = go_on(person, record("late"), seats=named(2)) and person.state()
    seat = state["view"]["to_act"][0]
    place = state["view"]["players"][seat - 1]["puzzles"][0]["place"]
    person.press(person.piece("I2"))
    person.press(page.locator(f'[data-grid="{place}"] [data-cell="c3"]'))
    again = page.get_by_text(said("b_tap_again"))
    expect(again).to_be_visible()
    assert box(again)["y"] + box(again)["height"] < box(page.locator("[data-mine]"))["y"]


def test_a_chosen_card_is_large_and_whole(visits: Visits) -> None:
    visit = visits(phone=True)
    visit.settings('{"motion": "reduced"}')
    page = visit.page
    person = Finger(page)
    go_on(person, record("middle"), seats=named(2))
    for slot in ("W1", "W4", "B1", "B4"):
        card = page.locator(f'[data-slot="{slot}"]')
        before = box(card)["width"]
        person.press(card)
        expect(card).to_have_attribute("aria-pressed", "true")
        page.wait_for_function("e => e.getAnimations().length === 0", arg=card.element_handle())
        assert box(card)["width"] > 1.5 * before
        inside(page, card)
        take, shape = card.locator(".take"), card.locator("path.recess")
        assert box(take)["y"] >= box(shape)["y"] + box(shape)["height"] - 1
