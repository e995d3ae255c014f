"""The documentation as a site: built once, read as a browser would."""

import atexit
import os
import shutil
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import mkdtemp

ROOT = Path(__file__).resolve().parent.parent
LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}


@cache
def built() -> Path:
    """The folder of the site, made as a wheel's build makes it: what Sphinx warns of is an error."""
    folder = Path(mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "-d", str(folder / "read")]
    done = subprocess.run(
        [*command, str(ROOT / "docs"), str(folder / "site")],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


def environment() -> dict[str, str]:
    """Nothing of these tests' own."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


class Html(HTMLParser):
    """What one page of the site loads, links to, and can be linked to; its words."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.inline: list[str] = []  # scripts that stand in the page
        self.words: list[str] = []
        self._script = False
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.anchors.add(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag in LOADS and LOADS[tag] in found:
            self.loads.append(found[LOADS[tag]])
        self._script = tag == "script" and "src" not in found
        self.inline += [f"{name}={value}" for name, value in found.items() if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        if self._script:
            self.inline.append(data)
        else:
            self.words.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._script = False


@cache
def pages() -> dict[str, Html]:
    """All pages by their name."""
    return {path.name: Html(path) for path in sorted(built().glob("*.html"))}
