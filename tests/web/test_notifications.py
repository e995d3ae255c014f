"""Whoever looks elsewhere is told that it is their turn, if they asked for that."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.browsing import Visit
from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse, Person
from tests.web.tables import send, sit_down_together
from tests.web.words import said

# A browser without a window shows no notification: what the page asks for is written down. The page is hidden when the
# test says so.
_STAND_IN = """
window.notes = [];
window.away = false;
Object.defineProperty(Document.prototype, "hidden", { get: () => window.away });
Object.defineProperty(Document.prototype, "visibilityState", { get: () => window.away ? "hidden" : "visible" });
window.Notification = class {
  static permission = "default";
  static async requestPermission() { return (this.permission = "granted"); }
  constructor(title, options) { window.notes.push([title, options.body, options.data.path]); }
};
ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
  new Notification(title, options);
};
"""


def look_away(person: Person, away: bool) -> None:
    """Another tab comes to the front, or this one again."""
    person.page.evaluate("away => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }", away)


def take_turn(person: Person) -> None:
    """A whole turn, on another device."""
    for _ in range(3):
        send(person, "gain")


def round_of(ana: Person, bo: Person) -> None:
    """Ana's turn, then Bo's; it is Ana's turn again, and her page knows."""
    expect(ana.page.locator(".banner h2")).to_have_text(said("b_turn_mine"))
    take_turn(ana)
    expect(ana.page.locator(".banner h2")).to_have_text(said("b_turn_of", name="Bo"))
    take_turn(bo)
    expect(ana.page.locator(".banner h2")).to_have_text(said("b_turn_mine"))


def notes(visit: Visit) -> list[list[str]]:
    """What the page asked the browser to show."""
    found: list[list[str]] = visit.page.evaluate("window.notes")
    return found


def test_my_turn_is_told_only_while_the_page_is_hidden_and_only_if_wanted(visits: Visits) -> None:
    visit = visits()
    visit.context.add_init_script(_STAND_IN)
    ana, bo = Mouse(visit.page), Finger(visits(phone=True).page)
    game = sit_down_together(ana, bo)
    look_away(ana, True)
    round_of(ana, bo)
    assert notes(visit) == []  # nobody asked for any
    look_away(ana, False)
    ana.page.get_by_label("Menu").click()
    ana.page.get_by_role("link", name="Settings").click()
    wish = ana.page.get_by_label(said("settings_notify"))
    expect(wish).not_to_be_checked()
    wish.check()
    expect(wish).to_be_checked()
    ana.page.go_back()
    ana.arrive()
    round_of(ana, bo)
    assert notes(visit) == []  # the page is in sight
    look_away(ana, True)
    round_of(ana, bo)
    ana.page.wait_for_function("window.notes.length > 0")
    assert notes(visit) == [[said("title_your_turn"), said("game_players", n=2), f"/table/{game}"]]
    expect(ana.page).to_have_title(re.compile(f"^{said('title_your_turn')}"))


def test_a_browser_that_refuses_is_told_in_words(visits: Visits) -> None:
    visit = visits()
    visit.context.add_init_script("Notification.requestPermission = async () => 'denied'")
    visit.page.goto("/settings")
    wish = visit.page.get_by_label(said("settings_notify"))
    wish.click()
    expect(visit.page.get_by_role("alert")).to_have_text(said("settings_notify_refused"))
    expect(wish).not_to_be_checked()
