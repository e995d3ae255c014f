"""The page in Chromium: how much is loaded, how soon it is there, how smooth a drag is.

    python -m benchmarks.page

Starts a server of its own on a temporary store. Look at the load of the machine before you believe a time.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Request, expect, sync_playwright
from rich.console import Console
from rich.table import Table

from tests.server.processes import Server
from tests.web.browsing import ARGUMENTS, Visit, chromium, why_not
from tests.web.people import Mouse, middle
from tests.web.scenes import table
from tests.web.tables import go_on
from tests.web.test_layout import seats
from tests.web.test_moments import before_a_completion

LASTS: Final = 1000  # milliseconds, of a completion and a little more
_MEASURE: Final = """() => {
  window.measured = { frames: [], long: 0 };
  let last = performance.now();
  const next = (now) => {
    measured.frames.push(now - last);
    last = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  const note = (list) => list.getEntries().forEach((task) => (measured.long = Math.max(measured.long, task.duration)));
  new PerformanceObserver(note).observe({ type: "longtask" });
}"""


def first_load(browser: Browser, url: str) -> tuple[int, float]:
    """Bytes of a first visit, and milliseconds until its first button can be pressed."""
    visit = Visit(browser, url)
    sizes: list[int] = []

    def finished(request: Request) -> None:
        if request.service_worker is None:
            sizes.append(request.sizes()["responseBodySize"])

    visit.context.on("requestfinished", finished)
    visit.page.goto("/", wait_until="commit")
    expect(visit.page.get_by_role("button", name="Play a bot")).to_be_enabled()
    there = float(visit.page.evaluate("performance.now()"))
    visit.page.wait_for_load_state("networkidle")
    visit.close()
    return sum(sizes), there


def drag(browser: Browser, url: str, what: str) -> tuple[list[float], float]:
    """Milliseconds of each frame while something is dragged, and of the longest task."""
    visit = Visit(browser, url)
    table("middle")(visit)
    page = visit.page
    thing = page.locator("[data-piece]:not(.idle)" if what == "piece" else "[data-slot].open").first
    x, y = middle(thing)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y - 8)
    page.evaluate(_MEASURE)
    for step in range(180):
        page.mouse.move(x - 1.5 * step, y - 2 * step + step * step / 180)
    frames: list[float] = sorted(page.evaluate("measured.frames"))
    longest = float(page.evaluate("measured.long"))
    page.mouse.up()
    visit.close()
    return frames, longest


def complete(browser: Browser, url: str) -> list[float]:
    """Milliseconds of each frame while a puzzle is completed: glow, pieces home, the card turned."""
    visit = Visit(browser, url, reduced_motion="no-preference")
    text, action = before_a_completion()
    person = Mouse(visit.page)
    go_on(person, text, seats=seats(text))
    state = person.state()
    visit.page.evaluate(_MEASURE)
    person.act(state, state["view"]["to_act"][0], action)
    visit.page.wait_for_timeout(LASTS)
    frames: list[float] = sorted(visit.page.evaluate("measured.frames"))
    visit.close()
    return frames


def smooth(frames: list[float]) -> str:
    """What a list of frames comes to."""
    return f"{statistics.median(frames):.1f} ms a frame, 95 % within {frames[int(len(frames) * 0.95)]:.1f}"


def main() -> None:
    if reason := why_not():
        sys.exit(reason)
    grid = Table("the page in Chromium", "", title=f"load of the machine {os.getloadavg()[0]:.1f}")
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder)).start() as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        loads = [first_load(browser, server.url) for _ in range(5)]
        grid.add_row("first load, compressed", f"{loads[0][0] / 1000:.0f} kB")
        grid.add_row(
            "until the first button works", f"{statistics.median(load[1] for load in loads):.0f} ms of 5 visits"
        )
        for what in ("piece", "card"):
            frames, longest = drag(browser, server.url, what)
            grid.add_row(f"dragging a {what}", f"{smooth(frames)}, longest task {longest:.0f} ms")
        grid.add_row("completing a puzzle", smooth(complete(browser, server.url)))
        browser.close()
    Console().print(grid)


if __name__ == "__main__":
    main()
