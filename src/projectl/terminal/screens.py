"""The pages in front of the table: help and other long texts, and the wait between two people."""

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from projectl.terminal.words import hanging


class Before(Screen[None]):
    """Something in front of the table, which goes away once: keys may be pressed faster than it does."""

    gone = False

    def action_leave(self) -> None:
        """Back to the table."""
        if not self.gone:
            self.gone = True
            self.dismiss()


class Page(Before):
    """A long text, over the whole screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter", "leave", "back", show=False),
    ]
    DEFAULT_CSS = """
    Page { background: $background; }
    Page > VerticalScroll { height: 1fr; padding: 0 1; scrollbar-size: 1 1; }
    Page > .foot { height: 1; text-style: reverse; padding: 0 1; }
    """

    def __init__(self, text: str | Text, typed: Callable[[str], None] = lambda letter: None) -> None:
        super().__init__()
        self.text = text
        self.typed = typed  # where letters go that somebody types here
        self.body = Static()

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield self.body
        yield Static("Enter or Esc: back to the table", classes="foot")

    def on_resize(self, event: events.Resize) -> None:
        """Break the lines anew."""
        width = event.size.width - 3  # the edges and the scroll bar
        self.body.update(self.text if isinstance(self.text, Text) else Text(hanging(self.text, width)))

    def on_key(self, event: events.Key) -> None:
        """Whoever types on means the table; a blank between words belongs to them."""
        if event.is_printable and event.character:
            event.stop()
            if self.gone or event.character != " ":
                self.typed(event.character)
            self.action_leave()

    def turn(self, direction: int) -> None:
        """A page up or down."""
        box = self.query_one(VerticalScroll)
        box.scroll_relative(y=direction * max(1, box.size.height - 2), animate=False)


class HandOver(Before):
    """Nothing of the table, until the next person is at the keyboard."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "leave", "look", show=False)]
    DEFAULT_CSS = """
    HandOver { background: $background; align: center middle; }
    HandOver > Static { width: auto; max-width: 90%; padding: 1 4; border: round $foreground; }
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.person = name

    def compose(self) -> ComposeResult:
        yield Static(Text(f"The next view is for {self.person} alone.\n\n{self.person}, press Enter to see it."))
