"""The table as a screen, played by a pilot."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from textual.containers import VerticalScroll
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Static

from projectl import Game, replay, result
from projectl.bots import Look, register
from projectl.core.actions import DONE, GAIN
from projectl.terminal.app import TableApp
from projectl.terminal.prompt import Prompt
from projectl.terminal.saved import SavedGame
from projectl.terminal.screens import HandOver, Page
from projectl.terminal.seats import read_seat
from projectl.terminal.session import Adviser, Session, ask_adviser
from tests.table import table

Play = Callable[[Pilot[None]], Awaitable[None]]

KEYS = {" ": "space", ":": "colon"}


class Advice(NamedTuple):
    """A stand-in for the adviser's answer."""

    lines: list[str]
    why: str
    value: float


class Gainer:
    """A bot that gains and makes no touches, but only when it is let."""

    gate = threading.Event()

    def __init__(self) -> None:
        self.asked = 0

    def decide(self, look: Look) -> int:
        self.asked += 1
        assert Gainer.gate.wait(60)
        return GAIN if GAIN in look.legal else DONE


@pytest.fixture(autouse=True)
def gainer() -> None:
    Gainer.gate.set()
    register("test-gainer", lambda seconds, seed: Gainer(), replace=True)


def sit(game: Game, *seats: str, path: Path | None = None, adviser: Adviser = ask_adviser) -> Session:
    store = SavedGame(path or Path("/dev/null/none"))
    return Session(game, tuple(read_seat(seat) for seat in seats), store, adviser)


def run(sitting: Session, play: Play, size: tuple[int, int] = (80, 24)) -> TableApp:
    """Play at a table of some size."""
    app = TableApp(sitting, pace=0)

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await play(pilot)

    asyncio.run(main())
    return app


async def enter(pilot: Pilot[None], line: str) -> None:
    """Type a line, and wait until it was answered."""
    prompt = pilot.app.screen_stack[0].query_one(Prompt)
    before = len(prompt.lines)
    await pilot.press(*(KEYS.get(letter, letter) for letter in line), "enter")
    await until(pilot, lambda: len(prompt.lines) > before)
    await pilot.pause()


async def press(pilot: Pilot[None], key: str, done: Callable[[], bool]) -> None:
    """Press a key, and wait for what it does."""
    await pilot.press(key)
    await until(pilot, done)


async def until(pilot: Pilot[None], done: Callable[[], bool]) -> None:
    """Wait for something that a thread brings about."""
    for _ in range(600):
        if done():
            return
        await pilot.pause(0.05)
    raise AssertionError("it did not happen")


def shown(app: TableApp, selector: str) -> str:
    """The text of a part of the table."""
    return str(app.screen_stack[0].query_one(selector, Static).render())


# --- playing ------------------------------------------------------------------------------------


def test_a_typed_action_is_played_logged_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.pln"
    sitting = sit(table("players: 2\nseed: tuesday"), "me", "random", path=path)

    async def play(pilot: Pilot[None]) -> None:
        await enter(pilot, "take W1")
        app = pilot.app
        assert isinstance(app, TableApp)
        assert "1 take W1  You took the card at W1 (W10" in shown(app, "#log")
        assert "To act: You, 2 actions left." in shown(app, "#status")
        assert "1 1p I2" in shown(app, "#board")
        assert app.screen.query_one(Prompt).value == ""

    run(sitting, play)
    assert replay(path.read_text(encoding="utf-8")).moves[0].line() == "1 take W1"


def test_a_bot_plays_its_whole_turn_in_a_thread_and_says_that_it_thinks() -> None:
    Gainer.gate.clear()
    sitting = sit(table("players: 2", "1 gain O1|1 gain O1"), "me", "test-gainer")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await enter(pilot, "gain O1")
        assert "test-gainer is thinking" in shown(app, "#message")
        await enter(pilot, "gain O1")
        assert "test-gainer is to act now" in shown(app, "#message")
        Gainer.gate.set()
        await until(pilot, lambda: len(sitting.game.moves) == 6)
        assert "thinking" not in shown(app, "#message")
        assert "2 gain O1  test-gainer gained O1." in shown(app, "#log")

    run(sitting, play)
    assert [move.seat for move in sitting.game.moves] == [0, 0, 0, 1, 1, 1]


def test_a_late_answer_of_a_bot_is_dropped() -> None:
    """The last action is taken back while the bot thinks about it."""
    Gainer.gate.clear()
    sitting = sit(table("players: 2", "1 gain O1|1 gain O1"), "me", "test-gainer")

    async def play(pilot: Pilot[None]) -> None:
        await enter(pilot, "gain O1")
        old = sitting.bots[1]
        await enter(pilot, "undo")
        Gainer.gate.set()
        await until(pilot, lambda: isinstance(old, Gainer) and old.asked == 1)
        await pilot.pause(0.2)
        assert len(sitting.game.moves) == 2
        assert sitting.people_to_act() == [0]
        await enter(pilot, "upgrade I2 L3")
        await until(pilot, lambda: len(sitting.game.moves) == 6)

    run(sitting, play)
    assert sitting.game.moves[2].line() == "1 upgrade I2 L3"


def test_a_bot_that_fails_says_why_and_can_be_replaced() -> None:
    class Stuck:
        def decide(self, look: Look) -> int:
            raise ValueError("lost")

    sitting = sit(table("players: 2", "1 gain O1|1 gain O1"), "me", "random")
    sitting.bots[1] = Stuck()

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await enter(pilot, "gain O1")
        await until(pilot, lambda: "random does not go on: it crashed: ValueError: lost" in shown(app, "#message"))
        await enter(pilot, "seat 2 test-gainer")
        await until(pilot, lambda: len(sitting.game.moves) == 6)

    run(sitting, play)
    assert sitting.game.header.names == ("me", "test-gainer")


def test_a_whole_game_ends_with_the_score_explained() -> None:
    sitting = sit(table("players: 2\noptions: max_rounds=2\nwhite: W22"), "me", "test-gainer")
    turns = ["take W1", "place 1:c3c4", "gain O1", "gain O1", "gain O1", "gain O1"]

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        for line in turns:
            await until(pilot, lambda: sitting.people_to_act() == [0])
            await enter(pilot, line)
        await until(pilot, lambda: sitting.state.players[1].done)
        await enter(pilot, "done")
        await until(pilot, lambda: isinstance(app.screen, Page))
        assert isinstance(app.screen, Page)
        assert str(app.screen.text).startswith(
            "You and test-gainer have 0 points each. You won by completed puzzles, 1 to 0."
        )
        await press(pilot, "enter", lambda: not isinstance(app.screen, Page))
        await enter(pilot, "score")
        await until(pilot, lambda: isinstance(app.screen, Page))

    run(sitting, play)
    assert result(sitting.state) is not None


def test_people_can_watch_bots_play() -> None:
    sitting = sit(table("players: 2\noptions: max_rounds=1"), "test-gainer", "test-gainer")

    async def play(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: isinstance(pilot.app.screen, Page))

    run(sitting, play)
    assert [move.text for move in sitting.game.moves] == ["gain O1"] * 6 + ["done"] * 2


# --- people -------------------------------------------------------------------------------------


def test_the_table_is_covered_until_the_next_person_wants_to_look() -> None:
    """Bo's pile is shown to Bo alone: first the wait, then Bo's view, and Ana's pile is hidden in it."""
    turns = "1 take W1|1 place 1:c3c4|1 gain O1|2 take W2|2 place 1:c3c4|2 gain O1|1 gain O1|1 gain O1"
    game = table("players: 2\nwhite: W22 W09", turns)
    sitting = sit(game, "Ana", "Bo")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        assert "1 Ana  0p, 1 puzzle" in shown(app, "#board")
        assert "2 Bo  1 puzzle" in shown(app, "#board")
        await enter(pilot, "gain O1")
        await until(pilot, lambda: isinstance(app.screen, HandOver))
        assert "2 Bo  1 puzzle" in shown(app, "#board")
        await press(pilot, "enter", lambda: not isinstance(app.screen, HandOver))
        assert "2 Bo  1p, 1 puzzle" in shown(app, "#board")
        assert "1 Ana  1 puzzle" in shown(app, "#board")

    run(sitting, play)


def test_without_secrets_the_view_changes_at_once() -> None:
    sitting = sit(table("players: 2", "1 gain O1|1 gain O1"), "Ana", "Bo")

    async def play(pilot: Pilot[None]) -> None:
        await enter(pilot, "gain O1")
        await until(pilot, lambda: sitting.viewer == 1)
        assert not isinstance(pilot.app.screen, HandOver)

    run(sitting, play)


# --- typing -------------------------------------------------------------------------------------


def test_tab_completes_and_then_goes_through_the_options() -> None:
    sitting = sit(table("players: 2\nwhite: W22", "1 take W1"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        prompt = app.screen.query_one(Prompt)
        await pilot.press("p", "l")
        await press(pilot, "tab", lambda: prompt.value == "place ")
        await press(pilot, "tab", lambda: prompt.value == "place 1:c")
        await until(pilot, lambda: "place 1:c3, place 1:c3c4, place 1:c4" in shown(app, "#message"))
        await press(pilot, "tab", lambda: prompt.value == "place 1:c3")
        await press(pilot, "tab", lambda: prompt.value == "place 1:c3c4")
        await press(pilot, "enter", lambda: sitting.game.moves[-1].line() == "1 place 1:c3c4")

    run(sitting, play)


def test_the_arrow_keys_bring_earlier_lines_back() -> None:
    sitting = sit(table("players: 2"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        await enter(pilot, "gain O1")
        await enter(pilot, "help")
        await until(pilot, lambda: isinstance(pilot.app.screen, Page))
        await press(pilot, "escape", lambda: not isinstance(pilot.app.screen, Page))
        await pilot.press("up", "up")
        await press(pilot, "enter", lambda: [move.text for move in sitting.game.moves] == ["gain O1", "gain O1"])

    run(sitting, play)


def test_a_placement_is_drawn_while_it_is_typed() -> None:
    sitting = sit(table("players: 2\nwhite: W22", "1 take W1"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        assert "+" not in shown(app, "#board")
        await pilot.press(*"place", "space", "1", "colon", *"c3c4")
        await until(pilot, lambda: shown(app, "#board").count("+") == 2)

    run(sitting, play)


def test_wrong_input_is_answered_below_the_table() -> None:
    sitting = sit(table("players: 2"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await enter(pilot, "place 1:c3")
        assert "there is no puzzle on place 1. Possible now: gain, recycle, take, upgrade." in shown(app, "#message")

    run(sitting, play)


def test_help_is_a_page_of_its_own() -> None:
    sitting = sit(table("players: 2"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "f1", lambda: isinstance(pilot.app.screen, Page))
        screen = pilot.app.screen
        assert isinstance(screen, Page)
        assert "take W1" in screen.text
        await press(pilot, "pagedown", lambda: screen.query_one(VerticalScroll).scroll_offset.y > 0)
        await press(pilot, "escape", lambda: not isinstance(pilot.app.screen, Page))

    run(sitting, play, (80, 10))


def test_what_is_typed_under_a_page_is_kept() -> None:
    """Before it opened, and on it: whoever types on is back at the table with every letter."""
    sitting = sit(table("players: 2"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await pilot.press(*"ta")
        await press(pilot, "f1", lambda: isinstance(app.screen, Page))
        await press(pilot, "escape", lambda: not isinstance(app.screen, Page))
        assert app.prompt.value == "ta"
        await press(pilot, "f1", lambda: isinstance(app.screen, Page))
        await pilot.press(*"ke", "space", *"W1")
        await until(pilot, lambda: app.prompt.value == "take W1")
        assert not isinstance(app.screen, Page)
        await press(pilot, "enter", lambda: [move.text for move in sitting.game.moves] == ["take W1"])

    run(sitting, play)


@pytest.mark.parametrize(("keys", "typed"), [("take", "take"), (("escape",) * 3, ""), (("enter",) * 3, "")])
def test_keys_that_come_faster_than_a_page_goes(keys: Sequence[str], typed: str) -> None:
    sitting = sit(table("players: 2"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await press(pilot, "f1", lambda: isinstance(app.screen, Page))
        for key in keys:
            app.post_message(Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: not isinstance(app.screen, Page) and app.prompt.value == typed)
        assert app.is_running

    run(sitting, play)


def test_a_hint_is_shown_unless_it_comes_too_late() -> None:
    gate = threading.Event()

    def adviser(look: Look, seconds: float) -> Advice:
        assert gate.wait(60)
        return Advice(["gain O1", "take W2"], f"Asked with {len(look.legal)} decisions.", 0.0)

    sitting = sit(table("players: 2"), "me", "random", adviser=adviser)

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await press(pilot, "f2", lambda: "Thinking about a hint" in shown(app, "#message"))
        await enter(pilot, "gain O1")
        gate.set()
        await pilot.pause(0.3)
        assert "Asked with" not in shown(app, "#message")
        await pilot.press("f2")
        await until(pilot, lambda: "Asked with" in shown(app, "#message"))
        assert shown(app, "#message").startswith("gain O1\ntake W2\n")

    run(sitting, play)


# --- leaving ------------------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [["ctrl+c"], [*"quit", "enter"], ["f1", "ctrl+c"]], ids=" ".join)
def test_leaving_keeps_the_game(tmp_path: Path, keys: list[str]) -> None:
    path = tmp_path / "game.pln"
    sitting = sit(table("players: 2"), "me", "random", path=path)

    async def play(pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await until(pilot, path.exists)

    app = run(sitting, play)
    assert app.return_code == 0
    assert replay(path.read_text(encoding="utf-8")).header.names == ("me", "random")


def test_a_game_that_cannot_be_kept_says_so() -> None:
    sitting = sit(table("players: 2"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await enter(pilot, "gain O1")
        assert "The game is not kept: " in shown(app, "#message")

    run(sitting, play)
