"""Clocks as the players see them, and what happens when one has run out."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse
from tests.web.tables import sit_down, sit_down_together
from tests.web.words import said


def seconds(page: Page, where: str) -> int:
    """What a clock on the page says."""
    minutes, _, rest = page.locator(where).get_by_role("timer").inner_text().partition(":")
    return int(minutes) * 60 + int(rest)


def runs(page: Page, where: str) -> None:
    """The clock there counts down while one looks at it."""
    first = seconds(page, where)
    timer = page.locator(where).get_by_role("timer")
    expect(timer).not_to_have_text(timer.inner_text())
    assert seconds(page, where) < first


def test_both_clocks_are_shown_and_only_the_running_one_counts_down(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Finger(visits(phone=True).page)
    sit_down_together(ana, bo, clock={"game": 600})
    # Whoever is to act has their clock in the banner, everywhere; the others' clocks stand beside their names.
    runs(ana.page, ".banner")
    runs(bo.page, '.others [data-seat="1"]')
    for page, where in ((ana.page, ".banner"), (bo.page, ".banner"), (bo.page, '.others [data-seat="1"]')):
        assert 570 < seconds(page, where) < 600
    assert seconds(ana.page, '.others [data-seat="2"]') == 600
    expect(ana.page.locator(".banner").get_by_role("timer")).to_have_accessible_name(re.compile(r"Time left: \d+:\d\d"))
    state = ana.state()
    for _ in range(3):
        state = ana.act(state, 1, "gain O1")
    bo.sees(state["version"])
    stood = seconds(bo.page, '.others [data-seat="1"]')
    runs(bo.page, ".banner")
    runs(ana.page, '.others [data-seat="2"]')
    assert seconds(bo.page, '.others [data-seat="1"]') == stood


def test_a_table_without_clocks_shows_none(page: Page) -> None:
    sit_down(Mouse(page), players=2, seats=[{"kind": "me"}, {"kind": "me"}])
    expect(page.locator(".banner")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)


def test_a_seat_out_of_time_gives_up_in_words(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Finger(visits(phone=True).page)
    sit_down_together(ana, bo, clock={"move": 2, "out": "resign"})
    expect(ana.page.locator(".banner .clock.short")).to_be_visible()
    for person in (ana, bo):
        expect(person.in_dialog().get_by_role("heading")).to_have_text(said("end_won_resign", n=1, names="Bo"))
        person.press(person.page.get_by_role("button", name=said("end_look")))
        expect(person.page.locator(".board > [aria-live]")).to_have_text(said("b_log_resign", name="Ana"))
    expect(ana.page.get_by_role("region", name="Log")).to_contain_text(said("b_log_resign", name="Ana"))
    expect(ana.page.locator(".banner h2")).to_have_text(said("b_wins", name="Bo"))
    expect(ana.page.get_by_role("timer")).to_have_count(0)


def test_a_bot_plays_on_for_a_seat_out_of_time_in_words(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Finger(visits(phone=True).page)
    sit_down_together(ana, bo, clock={"move": 2, "out": "greedy"})
    lines = ana.page.get_by_role("region", name="Log").get_by_role("listitem")
    handed_over = said("b_log_handover", name="Ana", bot=said("bot_greedy"))
    expect(lines.filter(has_text=handed_over)).to_have_count(1)
    # The bot plays her turn under her name; the game goes on.
    expect(lines.filter(has_text=re.compile("^Ana "))).not_to_have_count(0)
    assert ana.state()["view"]["phase"] != "over"
