"""A browser, and visits to the page that notice whatever a person would call broken."""

from __future__ import annotations

import re
import shutil
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from projectl.server.http.page import FOLDER

ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE: Final = 45_000  # milliseconds; a machine may be busy
expect.set_options(timeout=PATIENCE)
DESKTOP: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 360, "height": 740}
_GONE: Final = re.compile(
    r"ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INTERNET_DISCONNECTED|WebSocket connection to"
)


def chromium() -> str | None:
    """The browser of this machine."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def why_not() -> str:
    """Why the page cannot be tested here; empty where it can."""
    if chromium() is None:
        return "no Chromium on this machine (chromium, chromium-browser or google-chrome)"
    if not (FOLDER / "index.html").exists():
        return "the installed package has no page: it was built without Node"
    return ""


# A visit does not wait for what others do, has been asked about sound already, and passes no screen on.
_CHOSEN: Final = '{"pace": "once", "soundOffered": true, "handing": false}'
# Before a page opens for the first time; a blank one has no storage.
_CHOOSE: Final = """if (location.protocol.startsWith("http") && !localStorage.getItem("chosen %(name)s")) {
  const before = JSON.parse(localStorage.getItem("projectl.settings") ?? "{}");
  localStorage.setItem("projectl.settings", JSON.stringify({ ...before, ...%(chosen)s }));
  localStorage.setItem("chosen %(name)s", "");
}"""


class Visit:
    """One browser profile on the page: its own cookies, its own storage. What goes wrong is noted."""

    def __init__(self, browser: Browser, url: str, *, phone: bool = False, theme: str = "dark", **more: Any) -> None:
        self.url = url
        self.phone = phone
        self.wrong: list[str] = []
        self.losses = 0  # failed requests, where a test takes the server away
        self.may_lose = False
        self.context: BrowserContext = browser.new_context(
            base_url=url,
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            color_scheme="light" if theme == "light" else "dark",
            locale=more.pop("locale", "en-GB"),
            **more,
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", self._asked)
        self.context.on("console", self._said)
        self.context.on("weberror", lambda error: self.wrong.append(f"error on the page: {error.error}"))
        self.context.add_init_script(_CHOOSE % {"name": "first", "chosen": _CHOSEN})
        self.page: Page = self.context.new_page()

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(self.url).netloc:
            self.wrong.append(f"asked another host: {request.url}")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        if self.may_lose and _GONE.search(message.text):
            self.losses += 1
            return
        self.wrong.append(f"console {message.type}: {message.text}")

    def settings(self, text: str) -> None:
        """What this device has chosen before the page opens: a JSON object."""
        self.context.add_init_script(_CHOOSE % {"name": "more", "chosen": text})

    def close(self) -> None:
        """End the visit; the context tells what was wrong first."""
        self.context.close()
