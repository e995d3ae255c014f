"""Every language is whole: no key without its words, on no screen."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Visits
from tests.web.scenes import at, learn, lobby, score, setup, start, table

LANGUAGES: Final = ["en", "cs", "de", "es", "fr", "it"]
_MESSAGES: Final = Path(__file__).parents[2] / "web" / "messages"
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


@pytest.mark.skipif(not _MESSAGES.is_dir(), reason="the page's sources are not here")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["shell", "board"])
def test_every_message_is_translated(part: str, language: str) -> None:
    def read(code: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((_MESSAGES / f"{part}.{code}.json").read_text())
        return {key: value for key, value in found.items() if not key.startswith("$")}

    def holes(value: Any) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", json.dumps(value)))

    english, other = read("en"), read(language)
    assert set(english) == set(other)
    for key, value in english.items():
        assert other[key], key
        assert holes(other[key]) == holes(value), key
