"""The examples of docs/rules.md as the page's board draws them: `python -m tests.web.rule_pictures` (`make screens`).

A picture is named by what its record says, so one that is out of date is missing, and a test notices.
"""

from __future__ import annotations

import re
import sys
import tempfile
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, expect, sync_playwright

from tests.examples import Block, blocks, examples
from tests.server.processes import Server
from tests.web.browsing import ARGUMENTS, Visit, chromium, why_not
from tests.web.scenes import settle

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "rules.md"
FOLDER: Final = ROOT / "docs" / "img" / "rules"
ALT: Final = "The table after this, as the page draws it"
SIZE: Final = {"width": 860, "height": 620}


def records() -> list[Block]:
    """The records of the page."""
    return [example[0] for example in examples(PAGE.read_text(encoding="utf-8"))]


def file_name(record: Block) -> str:
    """The name of its picture."""
    return sha256("\n".join(record.rows).encode()).hexdigest()[:10] + ".webp"


def illustrated(text: str) -> str:
    """The page with the picture of each record below it."""
    bare = re.sub(rf"^!\[{re.escape(ALT)}\]\(img/rules/\w+\.webp\)\n\n", "", text, flags=re.MULTILINE)
    parts = re.split(r"(^```record\n.*?^```\n)\n?", bare, flags=re.MULTILINE | re.DOTALL)
    for place in range(1, len(parts), 2):
        [record] = blocks(parts[place])
        parts[place] += f"\n![{ALT}](img/rules/{file_name(record)})\n\n"
    return "".join(parts)


def draw(browser: Browser, url: str, record: Block) -> None:
    """The table at the record's end."""
    visit = Visit(browser, url, theme="light", reduced_motion="reduce")
    try:
        page = visit.page
        page.set_viewport_size(SIZE)  # type: ignore[arg-type]
        page.goto("/replay?step=9999")
        page.locator("textarea").fill("\n".join(record.rows) + "\n")
        page.locator("main button.primary").click()
        expect(page.locator("input[type=range]")).to_be_visible(timeout=60_000)
        settle(visit)
        session = visit.context.new_cdp_session(page)
        box, head = page.locator("main").bounding_box(), page.locator("main header").first.bounding_box()
        assert box is not None
        assert head is not None
        clip = {
            "x": 0,
            "y": head["height"],
            "width": box["width"],
            "height": box["height"] - head["height"],
            "scale": 1,
        }
        shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": 80, "clip": clip})
        (FOLDER / file_name(record)).write_bytes(b64decode(shot["data"]))
    finally:
        visit.close()


def main() -> None:
    """All of them; those of records that are gone go."""
    if reason := why_not():
        sys.exit(reason)
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = {file_name(record): record for record in records()}
    for path in FOLDER.iterdir():
        if path.name not in wanted:
            path.unlink()
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder)).start() as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for record in wanted.values():
            draw(browser, server.url, record)
        browser.close()
    PAGE.write_text(illustrated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sizes = [path.stat().st_size for path in FOLDER.iterdir()]
    print(f"{len(sizes)} pictures, {sum(sizes) / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
