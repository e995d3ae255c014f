"""The reckoning behind the compositions, as the page ships it: called in the browser with sizes and tables."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from tests.web.browsing import Visit
from tests.web.conftest import Visits
from tests.web.scenes import table

_CALL: Final = """async (configs) => {
  const url = performance.getEntriesByType("resource").map(({ name }) => name).find((name) => /compose-/.test(name));
  const { compose } = await import(url);
  return configs.map(compose);
}"""
_FIVE: Final = [[1, 1], [2, 1], [3, 1], [2, 2], [3, 2]]
_TWO: Final[dict[str, Any]] = {
    "touch": True,
    "cards": "rows",
    "players": 2,
    "reserve": 9,
    "finesse": False,
    "actions": 5,
    "action": 58,
    "supply": _FIVE,
}


def composed(visit: Visit, *configs: dict[str, Any]) -> list[dict[str, Any]]:
    """The compositions of these tables."""
    table("middle")(visit)
    found: list[dict[str, Any]] = visit.page.evaluate(_CALL, list(configs))
    return found


def test_each_kind_of_screen_has_its_composition(visits: Visits) -> None:
    sizes = {(390, 844): "tall", (768, 1024): "tall", (844, 390): "short", (1024, 768): "short", (1366, 625): "wide"}
    found = composed(visits(), *({**_TWO, "width": wide, "height": high} for wide, high in sizes))
    assert [each["name"] for each in found] == list(sizes.values())
    rails = [each["rail"] > 0 for each in found]
    assert rails == [False, False, False, False, True]
    # A phone that lies has its actions at the edge, within reach of a thumb.
    assert found[2]["dock"] == "edge"


def test_more_room_never_makes_smaller_cells_and_more_things_never_larger_ones(visits: Visits) -> None:
    grown = [{**_TWO, "width": 390, "height": high} for high in range(700, 1000, 20)]
    wider = [{**_TWO, "touch": False, "width": wide, "height": 900} for wide in range(1200, 2600, 100)]
    laden = [
        {**_TWO, "width": 390, "height": 844, **more}
        for more in (
            {},
            {"supply": _FIVE * 2},
            {"supply": _FIVE * 2, "finesse": True},
            {"supply": _FIVE * 2, "finesse": True, "reserve": 12},
            {"supply": _FIVE * 2, "finesse": True, "reserve": 12, "actions": 9},
        )
    ]
    found = composed(visits(), *grown, *wider, *laden)
    weights = [2 * each["cell"] + each["card"] for each in found]
    first, second = len(grown), len(grown) + len(wider)
    assert all(one <= other for one, other in pairwise(weights[:first]))
    assert all(one <= other for one, other in pairwise(weights[first:second]))
    assert all(one >= other for one, other in pairwise(weights[second:]))
    assert weights[0] < weights[first - 1]
    assert weights[first] < weights[second - 1]
    assert weights[second] > weights[-1]


def test_a_market_card_never_has_cells_of_less_than_twelve_pixels_where_that_can_be(visits: Visits) -> None:
    sizes = [(360, 740), (390, 844), (667, 375), (844, 390), (1280, 720)]
    kinds: list[dict[str, Any]] = [{}, {"cards": "grid", "players": 1}, {"cards": "sides", "players": 6}]
    configs = [{**_TWO, **kind, "width": wide, "height": high} for wide, high in sizes for kind in kinds]
    found = composed(visits(), *configs)
    assert [each["card"] for each in found if each["card"] < 12] == []
    assert [each for each in found if each["card"] > each["cell"]] == []


def test_a_screen_too_small_for_anything_still_gets_a_table(visits: Visits) -> None:
    (found,) = composed(visits(), {**_TWO, "width": 200, "height": 200})
    assert found["cell"] == found["card"] == 8
