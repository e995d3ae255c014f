"""Whole games, from the start screen to the score screen, by mouse, by taps, by keyboard."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Visits
from tests.web.people import Finger, Keys, Mouse, Person
from tests.web.words import said


def set_up(person: Person, mode: str, rounds: int, seed: str) -> None:
    """From the start screen through the set-up screen to a short game with a known deck."""
    page = person.page
    page.goto("/")
    person.press(page.get_by_role("button", name=mode))
    person.press(page.get_by_role("link", name="Editions, modules, clocks and more"))
    expect(page.get_by_role("heading", name="A new table")).to_be_visible()
    person.press(page.get_by_text(said("setup_options")))
    person.press(page.get_by_label(said("option_max_rounds")))
    page.keyboard.type(str(rounds))
    person.press(page.get_by_text("A deck of your own choice"))
    person.press(page.get_by_label("Seed", exact=True))
    page.keyboard.type(seed)
    person.press(page.get_by_role("button", name="Start the game"))


def score_screen(person: Person, players: int) -> None:
    """The score screen is there and says what the server says."""
    result = person.state()["view"]["result"]
    dialog = person.in_dialog()
    expect(dialog).to_be_visible()
    totals = dialog.locator(".total").all_inner_texts()
    assert sorted(totals) == sorted(str(score).replace("-", "\u2212") for score in result["scores"])
    assert len(totals) == players
    expect(dialog.get_by_text("Winner")).to_have_count(len(result["winners"]))


def test_a_game_by_mouse(page: Page) -> None:
    person = Mouse(page)
    set_up(person, "Play here together", 4, "mouse")
    person.play()
    score_screen(person, 2)
    assert {"take", "gain", "upgrade", "place", "master", "deck", "recycle", "done"} <= set(person.done)


def test_a_game_by_taps_on_a_phone(visits: Visits) -> None:
    person = Finger(visits(phone=True).page)
    set_up(person, "Play here together", 3, "taps")
    person.play()
    score_screen(person, 2)
    assert {"take", "gain", "upgrade", "place", "master", "deck", "done"} <= set(person.done)


def test_a_game_by_keyboard_alone(page: Page) -> None:
    person = Keys(page)
    set_up(person, "Play here together", 3, "keys")
    person.play()
    score_screen(person, 2)
    assert {"take", "gain", "upgrade", "place", "master", "deck", "done"} <= set(person.done)
