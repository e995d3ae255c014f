"""The documentation in a browser: found from the page, read on every screen, searched, nothing asked of other hosts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from projectl.server.http.page import DOCS
from tests.web.conftest import Visits

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the source as it is has no documentation built")


def test_it_is_one_tap_from_the_rules(visits: Visits) -> None:
    page = visits().page
    page.goto("/help")
    page.locator("a[href='/docs/']").click()
    expect(page.locator("h1").first).to_contain_text("Project L")
    page.get_by_role("link", name="How to play").first.click()
    expect(page.locator("h1").first).to_contain_text("How to play")


def test_a_search_finds_the_rule(visits: Visits) -> None:
    page = visits().page
    page.goto("/docs/")
    page.locator(".sidebar-search").fill("finishing touches")
    page.keyboard.press("Enter")
    found = page.locator("#search-results li a", has_text="Finishing touches").first
    expect(found).to_be_visible()
    found.click()
    expect(page.locator("#finishing-touches").first).to_be_attached()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_no_page_is_wider_than_its_screen(visits: Visits, phone: bool) -> None:
    page = visits(phone=phone).page
    wide = []
    for path in sorted(DOCS.glob("*.html")):
        page.goto(f"/docs/{path.name}")
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wide.append(path.name)
    assert wide == []
