"""axe inside every dialog, sheet, menu and side panel, on a small phone, in both themes.

The rest of the table behind them is looked at in test_access.
"""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import Visit
from tests.web.conftest import Visits
from tests.web.people import Finger
from tests.web.scenes import SCENES, settle, table
from tests.web.tables import sit_down_together
from tests.web.test_access import violations
from tests.web.words import said

_THEMES: Final = ("dark", "light")
_DIALOG: Final = "dialog[open]"
_MENU: Final = "#table-menu"
# The dialogs of a table in the middle of a game, and the buttons that lead to them.
_DIALOGS: Final[dict[str, tuple[str, ...]]] = {
    "deck": (".do-deck",),
    "recycle": (".do-recycle",),
    "my pile": (".players [aria-pressed=true]",),
    "log": (f".banner [aria-label='{said('b_log')}']",),
    "rules": (f".banner [aria-label='{said('nav_help')}']",),
}


def wear(visit: Visit, theme: str) -> None:
    """Dark or light, as the device says."""
    visit.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    visit.page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)


def looked_at(visit: Visit, name: str, inside: str) -> list[str]:
    """What axe finds there; and nothing of it is wider than the phone."""
    expect(visit.page.locator(inside)).to_be_visible()
    settle(visit)
    return [f"{name}: {each}" for each in violations(visit.page, inside) + too_wide(visit.page, inside)]


def too_wide(page: Page, inside: str) -> list[str]:
    """What has to be scrolled sideways, or leaves the screen."""
    wide: list[str] = page.evaluate(
        """(inside) => [document.scrollingElement, document.querySelector(inside)]
          .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth)
          .map((each) => `too wide: ${each.outerHTML.slice(0, 120)}`)""",
        inside,
    )
    return wide


@pytest.mark.parametrize("theme", _THEMES)
def test_no_violation_in_anything_that_opens_at_a_table(visits: Visits, theme: str) -> None:
    visit = visits(phone=True, theme=theme, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    page = visit.page
    table("middle")(visit)
    found: list[str] = []
    for name, buttons in _DIALOGS.items():
        for button in buttons:
            page.locator(button).first.click()
        found += looked_at(visit, name, _DIALOG)
        page.keyboard.press("Escape")
        expect(page.locator(_DIALOG)).to_have_count(0)
    page.get_by_role("button", name=said("table_menu")).click()
    for name in ("table_share", "resign"):
        page.locator(_MENU).get_by_role("button", name=said(name)).click()
    expect(page.locator(_MENU)).to_contain_text(said("resign_sure"))
    expect(page.locator(_MENU)).to_contain_text(said("copied"))
    found += looked_at(visit, "menu, link shared, giving up", _MENU)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("ghost", ".dock"),
        ("reward", ".dock"),
        ("levelup", ".dock"),
        ("touches", ".dock"),
        ("master", ".dock"),
        ("settings", "main"),
    ],
    ids=["ghost", "reward", "levelup", "touches", "master", "settings"],
)
def test_no_violation_in_what_is_asked(visits: Visits, name: str, inside: str) -> None:
    visit = visits(phone=True, reduced_motion="reduce")
    SCENES[name](visit)
    found: list[str] = []
    for theme in _THEMES:
        wear(visit, theme)
        found += looked_at(visit, f"{name}, {theme}", inside)
    assert not found, "\n".join(found)


def test_no_violation_in_the_chat(visits: Visits) -> None:
    visit = visits(phone=True, reduced_motion="reduce")
    ana, bo = Finger(visit.page), Finger(visits(phone=True).page)
    sit_down_together(ana, bo, chat=True)
    ana.press(visit.page.get_by_role("button", name="Chat"))
    visit.page.get_by_label("Say something").fill("Well played")
    ana.press(visit.page.get_by_role("button", name="Send"))
    expect(visit.page.get_by_text("Well played")).to_be_visible()
    found: list[str] = []
    for theme in _THEMES:
        wear(visit, theme)
        found += looked_at(visit, f"chat, {theme}", "aside")
    assert not found, "\n".join(found)
