"""The truth about a line that died without a word: at once, on both sides, with what waits to be sent."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.server.processes import Server
from tests.web.conftest import Visits
from tests.web.line import Line
from tests.web.people import Mouse
from tests.web.tables import sit_down, sit_down_together
from tests.web.words import said

SOON: Final = 2.0  # seconds until a person knows
SEEN: Final = 0.6  # that this test may need to see it, on a busy machine


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    with Line(server.port) as found:
        yield found


def test_a_line_that_dies_is_told_on_both_sides_and_what_waits_arrives_once(visits: Visits, line: Line) -> None:
    here, there = visits(line.url), visits()
    ana, bo = Mouse(here.page), Mouse(there.page)
    sit_down_together(ana, bo, seed="half-open")
    page = ana.page
    turn = page.get_by_role("heading", level=2)
    expect(turn).to_have_text(said("b_turn_mine"))
    here.may_lose = True
    line.cut()
    began = time.monotonic()
    expect(turn).to_have_text(said("b_turn_unknown"), timeout=(SOON + SEEN) * 1000)
    assert time.monotonic() - began < SOON + SEEN
    expect(page.get_by_text(said("link_silent"))).to_be_visible()
    assert said("title_your_turn") not in page.title()
    expect(page.get_by_role("toolbar").get_by_role("button", name="Gain")).to_have_attribute("aria-disabled", "true")
    expect(bo.page.get_by_role("heading", name=said("b_turn_of_away", name="Ana"))).to_be_visible()
    line.mend()
    expect(turn).to_have_text(said("b_turn_mine"), timeout=30_000)
    expect(page.locator(".lost")).to_be_hidden()
    expect(bo.page.get_by_role("heading", name=said("b_turn_of", name="Ana"), exact=True)).to_be_visible()
    ana.take_up("W1")
    bo.await_state(lambda now: now["events"][-1]["event"].get("action") == "take W1")


def test_what_was_sent_into_a_dead_line_is_named_and_sent_again(visits: Visits, line: Line, server: Server) -> None:
    here = visits(line.url)
    ana = Mouse(here.page)
    sit_down(ana, players=2, seats=[{"kind": "me", "name": "Ana"}, {"kind": "me", "name": "Bo"}], seed="pending")
    page = ana.page
    before = ana.state()["version"]
    here.may_lose = True
    line.cut()
    page.locator('[data-reserve="O1"]').evaluate("piece => piece.click()")  # before the page can know
    waits = said("link_pending", what=said("b_do", what=said("b_gain"), which=said("b_piece_o1")))
    expect(page.get_by_text(waits)).to_be_visible(timeout=(SOON + SEEN) * 1000)
    line.mend()
    expect(page.locator(".lost")).to_be_hidden(timeout=30_000)
    ana.sees(before + 1)
    actions = [each["event"].get("action") for each in server.ask(f"/api/tables/{ana.game}/state")["events"]]
    assert actions == ["gain O1"]


def test_the_browser_is_believed_at_once_and_a_server_that_answers_is_believed_more(visits: Visits) -> None:
    """Without a network, a server on the same machine is still there."""
    visit = visits()
    ana = Mouse(visit.page)
    sit_down(ana, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="offline")
    turn = ana.page.get_by_role("heading", level=2)
    seen = """() => new Promise((done) => {
      const seen = [];
      const look = () => seen.push(document.querySelector(".lost").textContent.trim());
      new MutationObserver(look).observe(document.querySelector(".lost"), { childList: true, subtree: true });
      dispatchEvent(new Event("offline"));
      setTimeout(() => done(seen), 1000);
    })"""
    assert any(said("link_offline") in text for text in ana.page.evaluate(seen))
    expect(ana.page.locator(".lost")).to_be_hidden()
    expect(turn).to_contain_text("Player 1")
