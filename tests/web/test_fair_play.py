"""Hints between people: none, unless the table allows them, and then nobody takes one in secret."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Visits
from tests.web.people import Mouse
from tests.web.tables import sit_down_together
from tests.web.words import said


def test_between_people_the_hint_is_gone(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Mouse(visits().page)
    sit_down_together(ana, bo)
    expect(ana.page.get_by_role("button", name=said("b_undo"))).to_be_visible()
    expect(ana.page.get_by_role("button", name=said("b_hint"))).to_have_count(0)


def test_where_it_is_allowed_the_others_read_that_one_was_taken(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Mouse(visits().page)
    sit_down_together(ana, bo, hints=True)
    ana.page.get_by_role("button", name=said("b_hint")).click()
    expect(ana.page.get_by_role("button", name=said("b_hint_play"))).to_be_visible()
    expect(bo.page.get_by_role("region", name="Log").get_by_text(said("b_log_hint", name="Ana"))).to_be_visible()
