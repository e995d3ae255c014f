"""Tablets, upright and lying: everything has its place and nothing lies over anything else."""

from __future__ import annotations

from itertools import combinations

import pytest
from playwright.sync_api import FloatRect, Locator, Page

from tests.web.browsing import Visit
from tests.web.conftest import Visits
from tests.web.scenes import SCENES, settle

_UPRIGHT, _LYING = (820, 1180), (1180, 820)


def tablet(visits: Visits, size: tuple[int, int]) -> Visit:
    """A device with a touch screen of this size."""
    visit = visits(phone=True, reduced_motion="reduce")
    visit.page.set_viewport_size({"width": size[0], "height": size[1]})
    return visit


def fits_across(page: Page) -> None:
    """Nothing has to be scrolled sideways."""
    wide = page.evaluate(
        """() => [document.scrollingElement]
          .concat(...document.querySelectorAll("main, .table, .left, .right, .dock, dialog[open]"))
          .filter((each) => each.scrollWidth > each.clientWidth + 1)
          .map((each) => `${each.tagName}.${each.className}: ${each.scrollWidth} > ${each.clientWidth}`)"""
    )
    assert not wide, wide


def box(what: Locator) -> FloatRect:
    """Where something is; it is there."""
    found = what.bounding_box()
    assert found is not None, what
    return found


def apart(one: FloatRect, other: FloatRect) -> bool:
    """Whether two boxes have nothing in common; a pixel of rounding is nothing."""
    return (
        one["x"] + one["width"] <= other["x"] + 1
        or other["x"] + other["width"] <= one["x"] + 1
        or one["y"] + one["height"] <= other["y"] + 1
        or other["y"] + other["height"] <= one["y"] + 1
    )


def in_sight(page: Page, name: str, where: FloatRect) -> None:
    """The whole of it is on the screen."""
    size = page.viewport_size
    assert size is not None
    inside = where["x"] >= -1 and where["y"] >= -1
    inside = inside and where["x"] + where["width"] <= size["width"] + 1
    inside = inside and where["y"] + where["height"] <= size["height"] + 1
    assert inside, f"{name} at {where} on {size}"


def table_fits(page: Page) -> None:
    """Rows, reserve, my places, supply and bars: all in sight at once, none over another."""
    slots = [f"{row}{number}" for row in "WB" for number in range(1, 5)]
    parts = {f"card {slot}": box(page.locator(f'[data-slot="{slot}"]')) for slot in slots}
    parts |= {name: box(page.get_by_role("button", name=f"{name}:")) for name in ("White deck", "Black deck")}
    parts |= {f"place {number}": box(page.locator(".places > *").nth(number - 1)) for number in range(1, 5)}
    parts |= {
        "reserve": box(page.get_by_role("region", name="Reserve")),
        "supply": box(page.get_by_role("group", name="Supply")),
        "players": box(page.get_by_role("group", name="My seats")),
        "banner": box(page.locator(".banner")),
        "aids": box(page.get_by_role("toolbar", name="Actions").first),
        "actions": box(page.get_by_role("toolbar", name="Actions").last),
    }
    for name, where in parts.items():
        in_sight(page, name, where)
    over = [(one, other) for one, other in combinations(parts, 2) if not apart(parts[one], parts[other])]
    assert not over, over


@pytest.mark.parametrize("size", [_UPRIGHT, _LYING], ids=["upright", "lying"])
def test_start_tables_and_score_fit_a_tablet(visits: Visits, size: tuple[int, int]) -> None:
    visit = tablet(visits, size)
    page = visit.page
    SCENES["start"](visit)
    settle(visit)
    fits_across(page)
    for name in ("table", "table-four"):
        SCENES[name](visit)
        settle(visit)
        fits_across(page)
        table_fits(page)
        for piece in page.locator("[data-piece]").all():
            in_sight(page, "a piece", box(piece))
    SCENES["score"](visit)
    settle(visit)
    fits_across(page)
    dialog = page.get_by_role("dialog")
    in_sight(page, "the score", box(dialog))
    for part in ("li", ".buttons .button"):
        found = [box(each) for each in dialog.locator(part).all()]
        assert len(found) > 1
        assert all(apart(one, other) for one, other in combinations(found, 2)), part
