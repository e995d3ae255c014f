"""axe finds nothing to complain about on any screen, in both themes, on a desktop and on a phone."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Page

from tests.web.conftest import Visits
from tests.web.scenes import SCENES, settle

_AXE: Final = files("axe_playwright_python").joinpath("axe.min.js").read_text()
_THEMES: Final[tuple[Literal["dark"], Literal["light"]]] = ("dark", "light")
_ON_A_PHONE: Final = ("start", "setup", "table", "table-line-clear", "holding", "score", "replay")


def violations(page: Page, inside: str = "html") -> list[str]:
    """What axe finds on a page or in a part of it, in a line each."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "inside => axe.run(inside, {resultTypes: ['violations']}).then(found => found.violations)", inside
    )
    return [f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:3]]}" for rule in found]


@pytest.mark.parametrize("name", sorted(SCENES))
def test_no_violation(visits: Visits, name: str) -> None:
    found: list[str] = []
    for phone in (False, True) if name in _ON_A_PHONE else (False,):
        visit = visits(phone=phone, reduced_motion="reduce")
        SCENES[name](visit)
        for theme in _THEMES:
            visit.page.emulate_media(color_scheme=theme)
            visit.page.wait_for_function("theme => document.documentElement.dataset.theme === theme", arg=theme)
            settle(visit)
            found += [f"{'phone' if phone else 'desktop'}, {theme}: {each}" for each in violations(visit.page)]
    assert not found, "\n".join(found)
