"""The input line: completion by Tab, suggestions while typing, earlier lines by the arrow keys."""

from collections.abc import Callable

from textual import events
from textual.suggester import Suggester
from textual.widgets import Input

from projectl.terminal.completion import completed

Completions = Callable[[str], list[str]]


class _Suggestions(Suggester):
    """The first thing that the line could go on with, greyed."""

    def __init__(self, options: Completions) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.options = options

    async def get_suggestion(self, value: str) -> str | None:
        found = self.options(value) if value.strip() else []
        return found[0] if found else None


class Prompt(Input):
    """Where actions are typed."""

    def __init__(self, options: Completions) -> None:
        super().__init__(
            compact=True,
            suggester=_Suggestions(options),
            select_on_focus=False,
            id="prompt",
        )
        self.options = options
        self.lines: list[str] = []
        self.at = 0  # which earlier line is shown; behind the last while a new one is typed
        self.offered: list[str] = []  # what repeated Tabs go through
        self.offer = 0

    def remember(self, line: str) -> None:
        """Keep a line for the arrow keys, and be empty."""
        self.lines.append(line)
        self.at = len(self.lines)
        self.value = ""

    async def on_key(self, event: events.Key) -> None:
        """Tab, and the lines typed earlier."""
        if event.key == "tab":
            self._complete()
        elif event.key in ("up", "down"):
            self._recall(-1 if event.key == "up" else 1)
        else:
            self.offered = []
            return
        event.prevent_default()
        event.stop()

    def _complete(self) -> None:
        """As far as all options agree; a further Tab goes through them."""
        if self.offered:
            self.offer = (self.offer + 1) % len(self.offered)
            self._put(self.offered[self.offer])
            return
        options = self.options(self.value)
        further = completed(self.value, options)
        if further == self.value and len(options) > 1:
            self.offered, self.offer = options, 0
            further = options[0]
        self._put(further)

    def _recall(self, step: int) -> None:
        self.at = min(len(self.lines), max(0, self.at + step))
        self._put(self.lines[self.at] if self.at < len(self.lines) else "")

    def put_after(self, letters: str) -> None:
        """Letters that were typed elsewhere."""
        self._put(self.value + letters)

    def _put(self, line: str) -> None:
        self.value = line
        self.cursor_position = len(line)
