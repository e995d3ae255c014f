"""Several people at one screen: a turn that has passed on can still be taken back, and every board can be looked at."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.people import Mouse, Person
from tests.web.tables import send, sit_down
from tests.web.words import said


def turn_of_gains(person: Person) -> None:
    """The first player's whole turn, with nothing turned up."""
    state = person.state()
    for _ in range(3):
        state = person.act(state, 1, "gain O1")
    assert state["view"]["to_act"] == [2]


def test_the_last_action_of_a_turn_is_taken_back_after_it_passed_on(page: Page) -> None:
    person = Mouse(page)
    sit_down(person, players=3, seats=[{"kind": "me"}] * 3, seed="shared")
    turn_of_gains(person)
    page.keyboard.press("z")
    state = person.await_state(lambda now: now["view"]["to_act"] == [1])
    assert state["view"]["actions_left"] == 1
    person.act(state, 1, "gain O1")
    person.choose("Reset turn")
    state = person.await_state(lambda now: now["view"]["to_act"] == [1])
    assert state["view"]["actions_left"] == 3
    person.choose("Undo")
    expect(page.get_by_role("alert")).to_have_text(said("b_why_no_undo"))


def test_a_tab_shows_the_board_of_a_seat_that_is_not_to_act(page: Page) -> None:
    person = Mouse(page)
    sit_down(person, players=3, seats=[{"kind": "me"}] * 3, seed="shared")
    tabs = page.get_by_role("group", name="My seats").get_by_role("button")
    person.act(person.state(), 1, "gain O1")
    dots = person.piece("O1")
    expect(dots).to_have_attribute("aria-label", "Dot (O1) \u00d72")
    person.press(tabs.nth(2))
    expect(tabs.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(dots).to_have_attribute("aria-label", "Dot (O1) \u00d71")
    person.press(tabs.nth(0))
    expect(dots).to_have_attribute("aria-label", "Dot (O1) \u00d72")
    # Whoever is next sees their own board.
    person.press(tabs.nth(2))
    for _ in range(2):
        send(person, "gain O1")
        person.sees(person.state()["version"])
    expect(tabs.nth(1)).to_have_attribute("aria-pressed", "true")


def test_whoever_gives_up_keeps_their_name(page: Page) -> None:
    person = Mouse(page)
    seats = [{"kind": "me", "name": "Mia"}, {"kind": "me", "name": "Max"}, {"kind": "me", "name": "Ida"}]
    made = sit_down(person, players=3, seats=seats, seed="shared")
    state = person.state()
    wish = {"id": "enough", "version": state["version"], "seat": 1}
    answer = page.request.post(f"/api/tables/{made['game']}/resign", data=wish)
    assert answer.ok, answer.text()
    # A bot plays on for her, but it was not a bot that gave up.
    tab = page.get_by_role("group", name="My seats").get_by_role("button").first
    expect(tab).to_have_text(re.compile(r"^\s*Mia\s*gave up\s"))
