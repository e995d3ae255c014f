"""What people say to each other at a table that allows it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse
from tests.web.tables import sit_down, sit_down_together

_WORDS = "<b>Nice</b> & <img src=x onerror=alert(1)>"


def test_a_table_has_no_chat_unless_that_was_chosen(page: Page) -> None:
    page.goto("/new?mode=online")
    expect(page.get_by_label("With chat")).not_to_be_checked()
    sit_down(Mouse(page), players=2, seats=[{"kind": "me"}, {"kind": "me"}])
    expect(page.get_by_role("button", name="Rules")).to_be_visible()
    expect(page.get_by_role("button", name="Chat")).to_have_count(0)


def test_what_one_says_the_other_reads_as_it_was_typed(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Finger(visits(phone=True).page)
    sit_down_together(ana, bo, chat=True)
    page = ana.page
    page.get_by_role("button", name="Chat").click()
    said = page.get_by_role("complementary", name="Chat")
    expect(said.get_by_text("Nothing has been said yet.")).to_be_visible()
    said.get_by_label("Say something").fill(_WORDS)
    page.keyboard.press("Enter")
    expect(said.get_by_role("listitem")).to_have_text(f"Ana {_WORDS}")
    expect(said.get_by_label("Say something")).to_have_value("")
    # Bo has the chat closed: its button counts, in figures and for readers, who hear what was said.
    expect(bo.page.locator("header [aria-live]")).to_have_text(f"Ana: {_WORDS}")
    opener = bo.page.get_by_role("button", name="Chat")
    expect(opener).to_have_text("1")
    expect(opener).to_have_accessible_name("Chat (1)")
    bo.press(opener)
    expect(bo.page.locator("header [aria-live]")).to_have_text("")
    heard = bo.page.get_by_role("complementary", name="Chat")
    expect(heard.get_by_role("listitem")).to_have_text(f"Ana {_WORDS}")
    assert heard.locator("b, img").count() == 0
    expect(heard.locator("[aria-live]")).to_have_attribute("aria-live", "polite")
    expect(heard.locator("[aria-live] li")).to_have_count(1)
    # The answer arrives where the chat is open, and needs no count.
    heard.get_by_label("Say something").fill("Thanks!")
    bo.press(heard.get_by_role("button", name="Send"))
    expect(said.get_by_role("listitem").last).to_have_text("Bo Thanks!")
    expect(page.get_by_role("button", name="Chat")).to_have_accessible_name("Chat")
    # Talk is no part of the game: the log has nothing of it, and nobody is kept from playing.
    ana.act(ana.state(), 1, "gain O1")
    page.get_by_role("button", name="Log").click()
    lines = ["Everybody is seated: the game begins", "Ana gains Dot"]
    expect(ana.in_dialog("Log").get_by_role("listitem")).to_have_text(lines)
