"""How environments are rendered: as a text, as a picture, or on a page of this machine that follows the game."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from projectl.core.state import State
from projectl.core.view import SPECTATOR
from projectl.envs.drawing import picture, png
from projectl.envs.spaces import Bytes
from projectl.terminal.sentences import position_words

MODES: Final = ("human", "ansi", "rgb_array")
_PAGE: Final = b"""<!doctype html><meta charset="utf-8"><title>Project L: a game of an environment</title>
<style>body{font:16px sans-serif;margin:1rem}img{image-rendering:pixelated;max-width:100%}</style>
<img id="table" alt="The table; the text below says the same"><pre id="words" style="white-space:pre-wrap"></pre>
<script>
async function look() {
  try {
    words.textContent = await (await fetch("words.txt")).text();
    table.src = "table.png?" + Date.now();
  } catch (gone) { document.title = "Project L: the environment is closed"; }
}
look(); setInterval(look, 500);
</script>
"""


def table_words(s: State) -> str:
    """The table in sentences, as somebody without a seat sees it."""
    return "\n".join(position_words(s, SPECTATOR, [f"player_{seat}" for seat in range(len(s.players))])) + "\n"


class Screen:
    """Where an environment is shown. The page begins with the first position that is shown."""

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise ValueError(f"a render_mode is {', '.join(MODES)}, found {mode!r}")
        self.mode = mode
        self.address = ""  # of the page
        self._page: _Page | None = None

    def show(self, state: State) -> None:
        """The page follows the game; the other ways are asked for."""
        if self.mode != "human":
            return
        if self._page is None:
            self._page = _Page()
            self.address = self._page.address
            print(f"The game is shown at {self.address}", file=sys.stderr)
        self._page.state = state.clone()

    def render(self, state: State) -> Bytes | str | None:
        """What the mode asks for; nothing where it is the page."""
        if self.mode == "ansi":
            return table_words(state)
        if self.mode == "rgb_array":
            return picture(state)
        self.show(state)
        return None

    def close(self) -> None:
        """Close the page."""
        if self._page is not None:
            self._page.close()
            self._page = None


class _Page:
    """A small server for this machine alone, in a thread of its own."""

    def __init__(self) -> None:
        self.state: State | None = None
        page = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.answer(*page.content(self.path.partition("?")[0]))

            def answer(self, status: int, kind: str, content: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Nothing: it is asked twice a second."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/"
        Thread(target=self._server.serve_forever, args=(0.1,), daemon=True).start()

    def content(self, path: str) -> tuple[int, str, bytes]:
        """Status, type and content of an address."""
        state = self.state
        if path == "/":
            return 200, "text/html; charset=utf-8", _PAGE
        if path == "/table.png" and state is not None:
            return 200, "image/png", png(picture(state))
        if path == "/words.txt" and state is not None:
            return 200, "text/plain; charset=utf-8", table_words(state).encode()
        return 404, "text/plain; charset=utf-8", b"There is nothing here.\n"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
