"""Small to load. How quick and smooth it is, `benchmarks/page.py` measures."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Request

from tests.web.conftest import Visits
from tests.web.scenes import table

FIRST_LOAD: Final = 80_000  # bytes, compressed, all of it
TABLE: Final = 120_000  # the same with a table and all that belongs to it


def test_the_first_load_is_small(visits: Visits) -> None:
    visit = visits()
    sizes: dict[str, int] = {}

    def finished(request: Request) -> None:
        if request.service_worker is None:  # the worker keeps for later what was loaded already
            sizes[request.url] = request.sizes()["responseBodySize"]

    visit.context.on("requestfinished", finished)
    visit.page.goto("/", wait_until="networkidle")
    assert sum(sizes.values()) <= FIRST_LOAD, sizes
    # A table too, with all it needs beside the cards: the board comes on top of the first screen.
    table("middle")(visit)
    visit.page.wait_for_load_state("networkidle")
    assets = sum(size for url, size in sizes.items() if "/assets/" in url)
    assert assets <= TABLE, sizes
