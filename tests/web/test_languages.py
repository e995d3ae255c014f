"""Every language is whole: no key without its words, on no screen."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.test_page_words import messages
from tests.web.conftest import Visits
from tests.web.scenes import at, learn, lobby, score, setup, start, table

LANGUAGES: Final = ["en", "cs", "de", "es", "fr", "it"]
# A key where words should be, a hole that was not filled, or a value that is none.
_WRONG: Final = re.compile(r"\b(?:b|[a-z]+)_[a-z0-9_]+\b|\{\w+\}|\bundefined\b|\bNaN\b|\[object ")
_SEEN: Final = """() => {
  const found = [document.title, document.body.innerText];
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], option, dt, title"))
    for (const name of ["aria-label", "title", "placeholder"]) found.push(element.getAttribute(name) ?? "");
  return found.join("\\n");
}"""


def words(page: Page) -> str:
    """All that a page says, aloud too."""
    found: str = page.evaluate(_SEEN)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_screen_lacks_a_word(visits: Visits, language: str) -> None:
    visit = visits(locale={"en": "en-GB"}.get(language, f"{language}-{language.upper()}"))
    page = visit.page
    scenes = [
        start,
        setup,
        lobby,
        learn,
        score,
        table("modules"),
        table("solo"),
        at("/settings"),
        at("/help"),
        at("/replay"),
    ]
    for scene in scenes:
        scene(visit)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert not (found := _WRONG.findall(words(page))), f"{page.url}: {found}"
    # Without a reload into another language and back.
    at("/")(visit)
    other = "de" if language != "de" else "en"
    heading = page.locator("h1").inner_text()
    page.locator("header select").select_option(other)
    expect(page.locator("html")).to_have_attribute("lang", other)
    assert page.locator("h1").inner_text() != heading


def test_a_record_that_cannot_be_read_is_refused_in_the_language(visits: Visits) -> None:
    visit = visits(locale="cs-CZ")
    page = visit.page
    page.goto("/replay")
    page.locator("textarea").fill("players: 2\n1 take W9\n")
    page.locator("button.primary").click()
    words = messages("cs")
    why = words["refused_slot"].replace("{about}", "W9")
    line = words["import_line"].replace("{line}", "2").replace("{text}", "1 take W9").replace("{said}", why)
    expect(page.get_by_role("alert")).to_have_text(f"{line} {words['import_what']}")
    visit.wrong[:] = [text for text in visit.wrong if "422" not in text]  # the browser notes answers that refuse
