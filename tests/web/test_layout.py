"""Every screen has a composition of its own: everything in sight, nothing too small, the largest cells that fit."""

from __future__ import annotations

from typing import Final

import pytest

from projectl.record import replay
from tests.web.browsing import Visit
from tests.web.conftest import Visits
from tests.web.layouts import Layout, layout
from tests.web.people import Finger
from tests.web.scenes import COLOURS, NAMES, record, settle
from tests.web.tables import go_on

TOUCH: Final = ((360, 740), (390, 844), (844, 390), (667, 375), (768, 1024), (1024, 768))
MOUSE: Final = ((1280, 720), (1366, 625), (1440, 900), (1920, 1080), (2560, 1440))
TABLES: Final = {
    "two players": "middle",
    "four players": "four",
    "solo": "solo",
    "Line Clear for six": "line_clear_six",
    "every module": "modules",
}
# Cells of my puzzles and of open cards, in pixels, at a table of two.
AT_LEAST: Final = {
    (360, 740): (24, 13),
    (390, 844): (26, 15),
    (844, 390): (20, 12),
    (1280, 720): (34, 22),
    (1366, 625): (30, 20),
    (1920, 1080): (52, 34),
}


def seats(text: str) -> list[dict[str, str]]:
    """The one who is to act is me, the others are bots that wait for their turn."""
    state = replay(text).state
    acting = int(state.seat)
    kinds = ["me" if seat == acting else "bot" for seat in range(len(state.players))]
    return [
        {"kind": kind, "name": NAMES[n], "colour": COLOURS[n]} | ({"bot": "greedy"} if kind == "bot" else {})
        for n, kind in enumerate(kinds)
    ]


def measured(visit: Visit, size: tuple[int, int], least: int) -> Layout:
    """The table on a screen of this size."""
    visit.page.set_viewport_size({"width": size[0], "height": size[1]})
    visit.page.wait_for_function("([wide, high]) => innerWidth === wide && innerHeight === high", arg=list(size))
    settle(visit)
    return layout(visit.page, least)


@pytest.mark.parametrize("name", TABLES)
def test_everything_is_in_sight_on_every_screen(visits: Visits, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = record(TABLES[name])
    found: dict[tuple[int, int], Layout] = {}
    for phone, sizes, least in ((True, TOUCH, 40), (False, MOUSE, 24)):
        visit = visits(phone=phone, reduced_motion="reduce")
        go_on(Finger(visit.page), text, seats=seats(text))
        found |= {size: measured(visit, size, least) for size in sizes}
    with capsys.disabled():
        cells = (f"{wide}x{high} {each.cell:.0f}/{each.card:.0f}" for (wide, high), each in found.items())
        print(f"\n{name}, cells of my puzzles/of open cards in px: {', '.join(cells)}")
    wrong = [f"{wide}x{high}: {line}" for (wide, high), each in found.items() for line in each.wrong]
    if name == "two players":
        for (wide, high), (cell, card) in AT_LEAST.items():
            have = found[(wide, high)]
            if have.cell < cell - 0.01 or have.card < card - 0.01:
                wrong.append(f"{wide}x{high}: cells of {have.cell:.1f}/{have.card:.1f}, not {cell}/{card}")
    assert not wrong, "\n".join(wrong)
