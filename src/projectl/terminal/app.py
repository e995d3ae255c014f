"""The table as a screen: the board, the log, and a line to type on."""

import os
import threading
from contextlib import suppress
from time import monotonic
from typing import ClassVar, Final

from rich.color import parse_rgb_hex
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static

from projectl.bots import look_at
from projectl.bots.action import bot_action
from projectl.core.errors import ProjectLError
from projectl.terminal.board import WIDTH, board, planned_marks, status, wrapped
from projectl.terminal.commands import Reply, Then, bot_trouble, completions, invitation, obey, welcome
from projectl.terminal.narrow import narrow_board
from projectl.terminal.prompt import Prompt
from projectl.terminal.score import explanation
from projectl.terminal.screens import HandOver, Page
from projectl.terminal.session import ADVICE, Session, hint_text

WIDE: Final = 116  # columns from which the log stands beside the board
ROOMY: Final = 28  # rows from which the keys are listed
OFFERED: Final = 8  # completions listed under the board
PACE: Final = 0.3  # seconds between the actions of bots, so that people can follow
# What the colour names of the pieces stand for: apart from each other, and from the ghosts' greys.
_PLAIN: Final = "000000 c82828 46b446 b08420 285adc aa3cc8 3cbed2 ebebeb"
_BRIGHT: Final = "5a5a5a ff5a5a 78e678 ffe63c 6e96ff dc78fa 78e6f0 ffffff"
_COLOURS: Final[list[list[tuple[int, int, int]]]] = [
    [parse_rgb_hex(colour) for colour in row.split()] for row in (_PLAIN, _BRIGHT)
]
COLOURS: Final = TerminalTheme((18, 18, 18), (224, 224, 224), *_COLOURS)
KEYS: Final = "Tab completes  F1 help  F2 hint  F3 undo  PgUp/PgDn board  Ctrl+C quit"


class Answered(Message):
    """A bot's action, or why there is none; for one position only."""

    def __init__(self, version: int, seat: int, action: str, error: ProjectLError | None) -> None:
        super().__init__()
        self.version, self.seat, self.action, self.error = version, seat, action, error


class AdviceCame(Message):
    """What the adviser says about one position."""

    def __init__(self, version: int, text: str) -> None:
        super().__init__()
        self.version, self.text = version, text


class TableApp(App[None]):
    """A game on the whole terminal."""

    TITLE = "Project L"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", "quit", priority=True, show=False),
        Binding("ctrl+c", "leave(True)", "quit", priority=True, show=False),
        Binding("f1", "type('help')", "help", priority=True),
        Binding("f2", "type('hint')", "hint", priority=True),
        Binding("f3", "type('undo')", "undo", priority=True),
        Binding("pageup", "page('board', -1)", priority=True, show=False),
        Binding("pagedown", "page('board', 1)", priority=True, show=False),
        Binding("shift+pageup,ctrl+up", "page('log', -1)", priority=True, show=False),
        Binding("shift+pagedown,ctrl+down", "page('log', 1)", priority=True, show=False),
    ]
    CSS = """
    Screen { layout: vertical; }
    #status { height: auto; max-height: 3; text-style: reverse; }
    #middle { height: 1fr; layout: vertical; }
    #middle.wide { layout: horizontal; }
    #boardbox { height: auto; scrollbar-size: 1 1; }
    #board { width: auto; height: auto; }
    #logbox { height: 1fr; scrollbar-size: 1 1; }
    .roomy #logbox { border-top: solid $foreground 40%; }
    .wide #boardbox { width: 82; height: 1fr; max-height: 100%; }
    .wide #logbox { width: 1fr; height: 1fr; border-left: solid $foreground 40%; padding: 0 1; }
    #log { height: auto; }
    #message { height: auto; max-height: 7; }
    #line { height: 1; }
    #mark { width: 2; text-style: bold; }
    #prompt { width: 1fr; }
    #keys { height: 1; text-style: dim; }
    """

    def __init__(self, table: Session, pace: float = PACE) -> None:
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.table = table
        self.pace = pace
        self.interrupted = False  # by Ctrl-C
        self.thinking: tuple[int, int, float] | None = None  # version, seat, since when
        self.told_end = -1  # the version whose end was shown
        self.asked_view = -1  # the person the screen waits for
        self.top_rows = 1
        self.note = Text(f"{welcome(table)} Tab completes.")
        # Held here and not looked up: timers may still fire while the screen is taken down.
        self.top, self.board, self.log_text = Static(id="status"), Static(id="board"), Static(id="log")
        self.message, self.keys = Static(id="message"), Static(KEYS, id="keys")
        self.middle = Container(id="middle")
        self.board_box = VerticalScroll(id="boardbox", can_focus=False)
        self.log_box = VerticalScroll(id="logbox", can_focus=False)
        self.prompt = Prompt(lambda line: completions(self.table, line))

    def compose(self) -> ComposeResult:
        yield self.top
        with self.middle:
            with self.board_box:
                yield self.board
            with self.log_box:
                yield self.log_text
        yield self.message
        with Horizontal(id="line"):
            yield Static("> ", id="mark")
            yield self.prompt
        yield self.keys

    def on_mount(self) -> None:
        self.ansi_theme_dark = COLOURS
        self.prompt.focus()
        self.set_interval(0.5, self._show_note)
        self.advance()

    def on_resize(self, event: events.Resize) -> None:
        wide = event.size.width >= WIDE
        self.middle.set_class(wide, "wide")
        self.middle.set_class(not wide and event.size.height >= ROOMY, "roomy")
        self.keys.display = event.size.height >= ROOMY
        self.call_after_refresh(self._show)

    # --- what is to be done next ----------------------------------------------------------

    def advance(self) -> None:
        """After every change: show it, then let a bot think, or hand over to the next person."""
        self._show()
        bot = self.table.bot_to_act()
        if self.table.over:
            self._show_end()
        elif bot is not None:
            self._think(bot)
        else:
            self._hand_over(self.table.next_viewer())

    def _hand_over(self, seat: int) -> None:
        if seat == self.table.viewer or self.asked_view == seat:
            return
        self.note = Text()
        if not self.table.hides(seat):
            self._look_from(seat)
            return
        self.asked_view = seat
        self.push_screen(HandOver(self.table.names[seat]), lambda _: self._look_from(seat))

    def _look_from(self, seat: int) -> None:
        self.asked_view = -1
        self.table.viewer = seat
        self._show()

    def _show_end(self) -> None:
        if self.told_end != self.table.version:
            self.told_end = self.table.version
            self._open("\n".join(explanation(self.table.state, self.table.names)))

    # --- bots -----------------------------------------------------------------------------

    def _think(self, seat: int) -> None:
        """Ask a bot, in a thread of its own that does not hold up the end of the program."""
        version = self.table.version
        if self.thinking and self.thinking[0] == version:
            return
        try:
            if self.thinking and self.thinking[1] == seat:
                self.table.renew_bot(seat)  # the old one is still busy with a position that is gone
        except ProjectLError as error:
            self._say(bot_trouble(self.table, seat, error))
            return
        self.thinking = (version, seat, monotonic())
        bot, state = self.table.bots[seat], self.table.state.clone()

        def think() -> None:
            action, error = "", None
            try:
                action = bot_action(bot, state, seat)
            except ProjectLError as found:
                error = found
            with suppress(RuntimeError):  # the table is closed
                self.post_message(Answered(version, seat, action, error))

        threading.Thread(target=think, daemon=True).start()
        self._show_note()

    @on(Answered)
    def bot_answered(self, answer: Answered) -> None:
        """A bot has decided; late answers to older positions are dropped."""
        if not self.thinking or answer.version != self.thinking[0]:
            return
        if answer.version != self.table.version:
            self.thinking = None
            return
        began = self.thinking[2]
        self.set_timer(max(0.001, self.pace - (monotonic() - began)), lambda: self._play_answer(answer))

    def _play_answer(self, answer: Answered) -> None:
        if answer.version != self.table.version:
            return
        self.thinking = None
        try:
            if answer.error:
                raise answer.error
            self.table.play(answer.seat, answer.action)
        except ProjectLError as error:
            self._say(bot_trouble(self.table, answer.seat, error))
            return
        self.advance()

    # --- people ---------------------------------------------------------------------------

    @on(Input.Submitted)
    def typed(self, event: Input.Submitted) -> None:
        """A line was entered."""
        line = event.value.strip()
        self.prompt.remember(line)
        if line:
            self._follow(obey(self.table, line))

    def action_type(self, line: str) -> None:
        """A key that stands for a word."""
        if len(self.screen_stack) == 1:
            self._follow(obey(self.table, line))

    def _follow(self, reply: Reply) -> None:
        if reply.page:
            self._open(reply.drawn or reply.text)
        else:
            self._say(reply.text)
        if reply.then == Then.QUIT:
            self.action_leave()
        elif reply.then == Then.HINT:
            self._advise(reply.seat)
        elif reply.then == Then.VIEW:
            self._hand_over(reply.seat)
        elif reply.then == Then.ADVANCE:
            self.advance()

    def _open(self, text: str | Text) -> None:
        self.push_screen(Page(text, self.prompt.put_after))

    def _advise(self, seat: int) -> None:
        version, adviser = self.table.version, self.table.adviser
        look = look_at(self.table.state, seat, ADVICE)
        self._say("Thinking about a hint ...")

        def think() -> None:
            try:
                text = hint_text(adviser, look, ADVICE)
            except ProjectLError as error:
                text = f"No hint: {error.sentence}."
            with suppress(RuntimeError):  # the table is closed
                self.post_message(AdviceCame(version, text))

        threading.Thread(target=think, daemon=True).start()

    @on(AdviceCame)
    def advised(self, advice: AdviceCame) -> None:
        """The hint is there, if it is still about this position."""
        if advice.version == self.table.version:
            self._say(advice.text)

    def action_leave(self, interrupted: bool = False) -> None:
        """Keep the game and go."""
        self.interrupted = interrupted
        self.table.store.keep(self.table.game.text())
        self.exit()

    def action_page(self, part: str, direction: int) -> None:
        """Scroll a part of the table, or the page before it."""
        if isinstance(self.screen, Page):
            self.screen.turn(direction)
        elif len(self.screen_stack) == 1:
            found = self.log_box if part == "log" else self.board_box
            found.scroll_relative(y=direction * max(1, found.size.height - 2), animate=False)

    # --- showing --------------------------------------------------------------------------

    @on(Input.Changed)
    def typing(self, event: Input.Changed) -> None:
        """What the line could go on with, and what it would put where."""
        self._show_board()
        self._show_note()

    def _say(self, words: str) -> None:
        self.note = Text(words)
        self._show_note()

    def _show(self) -> None:
        table = self.table
        top = wrapped(status(table.state, table.names), max(20, self.size.width), "bold")
        for line in top:
            line.pad_right(max(0, self.size.width - line.cell_len))
        self.top.update(Text("\n").join(top))
        self.top_rows = min(3, len(top))
        self.prompt.placeholder = f"{invitation(table)} (Tab completes, Ctrl+C quits)"
        log = Text()
        for entry in table.entries:
            log.append(f"{entry.line}  ", "bold").append(f"{entry.text}\n")
        log.rstrip()
        self.log_text.update(log)
        self._show_board()
        self._show_note()
        self.log_box.scroll_end(animate=False)

    def _show_board(self) -> None:
        """The board with space between its parts, or without where there is none to spare."""
        table = self.table
        last = next((entry.mastermind for entry in reversed(table.entries) if entry.mastermind), "")
        rows = self.size.height - (4 if self.size.width >= WIDE else 10)
        planned = planned_marks(self.prompt.value)
        if self.size.width <= WIDTH:
            self.board.update(narrow_board(table.state, table.viewer, table.names, last, planned))
            return
        for tall in (True, False):
            drawn = board(table.state, table.viewer, table.names, last, tall, planned)
            if drawn.plain.count("\n") < rows:
                break
        self.board.update(drawn)

    def _show_note(self) -> None:
        """What the typed line could become; else the last thing said, and who is thinking."""
        line = self.prompt.value
        options = completions(self.table, line) if line.strip() else []
        if len(options) > 1:
            more = f" and {len(options) - OFFERED} more" if len(options) > OFFERED else ""
            self._put_note(Text(f"{', '.join(options[:OFFERED])}{more}", "italic"))
            return
        parts = [self.note] * bool(self.note)
        if self.thinking and self.thinking[0] == self.table.version:
            seconds = int(monotonic() - self.thinking[2])
            clock = f" ({seconds} s)" if seconds else ""
            parts.append(Text(f"{self.table.names[self.thinking[1]]} is thinking …{clock}", "italic"))
        if self.table.store.trouble:
            parts.append(Text(f"The game is not kept: {self.table.store.trouble}. `save FILE` writes it elsewhere."))
        self._put_note(Text("\n").join(parts))

    def _put_note(self, note: Text) -> None:
        """Show a note, and share the other rows out: on a small terminal a long one covers the log for a while."""
        self.message.update(note)
        self.message.display = bool(note)
        width, height = self.size
        wide, roomy = width >= WIDE, height >= ROOMY
        rows = min(7, sum(1 + max(0, len(line) - 1) // max(1, width) for line in note.plain.splitlines()))
        log = wide or roomy or rows < 2
        left = height - 1 - self.top_rows - rows - roomy - (2 + roomy) * log
        self.log_box.display = log
        self.board_box.styles.max_height = "100%" if wide else max(4, left)
