"""Pictures of every screen, desktop and phone, into docs/img: `python -m tests.web.screens [NAME ...]`."""

from __future__ import annotations

import sys
import tempfile
from base64 import b64decode
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

from tests.server.processes import Server
from tests.web.browsing import ARGUMENTS, Visit, chromium, why_not
from tests.web.scenes import SCENES, offline, settle

FOLDER: Final = Path(__file__).parents[2] / "docs" / "img"
LIGHT: Final = ("start", "setup", "table", "score", "analysis")
SHOWN: Final = "table-desktop"  # as PNG too, for pages that show no WebP
MOST: Final = 4_000_000  # bytes in all


def picture(browser: Browser, url: str, name: str, *, phone: bool, theme: str = "dark") -> None:
    """One picture of one screen."""
    visit = Visit(browser, url, phone=phone, theme=theme, reduced_motion="reduce")
    try:
        (offline if name == "offline" else SCENES[name])(visit)
        settle(visit)
        ending = f"{'-light' if theme == 'light' else ''}-{'phone' if phone else 'desktop'}"
        session = visit.context.new_cdp_session(visit.page)
        shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": 82})
        (FOLDER / f"{name}{ending}.webp").write_bytes(b64decode(shot["data"]))
        if f"{name}{ending}" == SHOWN:
            visit.page.screenshot(path=FOLDER / f"{SHOWN}.png", animations="disabled")
        for wrong in visit.wrong:
            print(f"{name}{ending}: {wrong}", file=sys.stderr)
    finally:
        visit.close()


def main(names: list[str]) -> None:
    """All of them, or those that are named."""
    if reason := why_not():
        sys.exit(reason)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder)).start() as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for name in names or [*SCENES, "offline"]:
            for phone in (False, True):
                for theme in ("dark", "light") if name in LIGHT else ("dark",):
                    try:
                        picture(browser, server.url, name, phone=phone, theme=theme)
                    except Exception as error:
                        print(f"{name} {'phone' if phone else 'desktop'}: {str(error)[:300]}", file=sys.stderr)
        browser.close()
    sizes = [path.stat().st_size for path in FOLDER.iterdir()]
    size = sum(sizes)
    print(f"{len(sizes)} pictures, {size / 1e6:.1f} MB")
    if size > MOST:
        sys.exit(f"more than {MOST / 1e6:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
