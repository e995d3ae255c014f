"""What the table looks like: what it shows, and that it fits."""

import re
from pathlib import Path

import pytest
from rich.text import Text
from textual.containers import VerticalScroll
from textual.filter import NoColor
from textual.pilot import Pilot

from projectl.core import actions
from projectl.core.state import EMPTY
from projectl.terminal.app import TableApp
from projectl.terminal.board import board, planned_marks
from projectl.terminal.narrow import narrow_board
from projectl.terminal.screens import Page
from tests.table import table
from tests.terminal.test_app import enter, press, run, shown, sit, until

# --- the screen ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (120, 40), (40, 10), (200, 60), (20, 5)], ids=str)
@pytest.mark.parametrize(
    "header",
    [
        "players: 2\nmodules: ghost finesse",
        "players: 1",
        "players: 5\nmodules: line_clear ambassador",
        "players: 6\nmodules: phoenix endless_white",
    ],
)
def test_every_kind_of_table_opens_at_every_size(header: str, size: tuple[int, int]) -> None:
    game = table(header)
    seats = ["me"] + ["random"] * (len(game.state.players) - 1)
    sitting = sit(game, *seats)

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await enter(pilot, "gain O1")
        await pilot.press("pagedown", "pageup", "ctrl+up", "ctrl+down")
        assert "You gained O1." in shown(app, "#log")

    run(sitting, play, size)


def test_resizing_while_a_page_is_open_is_no_trouble() -> None:
    sitting = sit(table("players: 2"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "f1", lambda: isinstance(pilot.app.screen, Page))
        await pilot.resize_terminal(130, 45)
        await press(pilot, "escape", lambda: not isinstance(pilot.app.screen, Page))
        await until(pilot, lambda: pilot.app.query_one("#middle").has_class("wide"))

    run(sitting, play)


def lines_of(found: object) -> list[str]:
    return str(found).split("\n")


@pytest.mark.parametrize(
    ("header", "slot", "rows"),
    [
        ("players: 2\nmodules: ghost", "W1", 19),
        ("players: 1", "G1", 20),
        ("players: 4\nmodules: ghost finesse ambassador", "W1", 20),
        ("players: 5\nmodules: line_clear", "WL1", 26),
    ],
)
def test_in_60_columns_nothing_is_cut_off(header: str, slot: str, rows: int) -> None:
    """The market, the reserve, the own place and the others in words come first; the others' puzzles follow."""
    state = table(header, f"1 gain O1|1 take {slot}").state
    names = ["Maximiliane", "Bo", "Cleo", "Dan", "Eve"][: len(state.players)]
    found = lines_of(narrow_board(state, 0, names, "", {}))
    assert max(map(len, found)) <= 58
    first = "\n".join(found[:rows])
    slots = [name for name in actions.TAKE_NAMES if re.search(rf"\b{name} \dp", first)]
    assert len(slots) == len([card for card in state.row if card != EMPTY])
    for words in ("reserve", "a b c d e", "1 Maximiliane", "O1x2", *names[1:2]):
        assert words in first
    whole = "\n".join(found)
    assert all(f"{n} {name}" in whole for n, name in enumerate(names, 1))


def test_at_60_by_24_everything_can_be_seen_and_typed(tmp_path: Path) -> None:
    sitting = sit(table("players: 2\nseed: tuesday"), "me", "random", path=tmp_path / "game.pln")

    async def play(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, TableApp)
        await enter(pilot, "take W1")
        assert app.board_box.size.height >= 18
        seen = lines_of(app.board.render())[: app.board_box.size.height]
        assert any(line.startswith("> 1 You") for line in seen)
        assert any(line.startswith("5 ") for line in seen), "the last row of the own puzzles"
        assert app.log_box.display
        await pilot.press("pagedown")
        assert app.board_box.scroll_offset.y == app.board_box.max_scroll_y
        await press(pilot, "f1", lambda: isinstance(app.screen, Page))
        page = app.screen
        assert isinstance(page, Page)
        assert max(map(len, lines_of(page.body.render()))) <= 57

    run(sitting, play, (60, 24))


def test_at_80_by_24_the_own_puzzles_are_in_sight() -> None:
    sitting = sit(table("players: 2\nmodules: ghost finesse\nwhite: W22", "1 take W1"), "me", "random")

    async def play(pilot: Pilot[None]) -> None:
        box = pilot.app.query_one("#boardbox", VerticalScroll)
        assert box.max_scroll_y == 0

    run(sitting, play)


def test_no_color_takes_every_colour_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TableApp(sit(table("players: 2"), "me", "random"))
    assert any(isinstance(found, NoColor) for found in app._filters)


# --- the board ----------------------------------------------------------------------------------


def drawn(header: str, *actions: str, tall: bool = False, last: str = "") -> Text:
    game = table(header, *actions)
    names = [f"P{seat + 1}" for seat in range(len(game.state.players))]
    return board(game.state, 0, names, last, tall)


def test_the_board_fits_into_79_columns() -> None:
    for header in ("players: 2\nmodules: ghost", "players: 1", "players: 6\nmodules: ghost line_clear finesse"):
        for tall in (False, True):
            lines = drawn(header, tall=tall).plain.split("\n")
            assert max(len(line) for line in lines) <= 79


def test_pieces_have_marks_besides_their_colours() -> None:
    text = drawn("players: 2\nwhite: W10", "1 take W1|1 place 1:c2c3").plain
    assert "\u00b7 \u00b7 2 \u00b7 \u00b7" in text
    assert "2 I2x" in text


def test_solo_shows_grid_numbers_locks_and_the_last_take() -> None:
    for tall in (False, True):
        text = drawn("players: 1", tall=tall, last="The mastermind took W01 (G3).").plain
        assert all(f"G{n} " in text for n in range(1, 10))
        assert "column 1: 1 lock" in text
        assert "column 2: 2 locks" in text
        assert "6 locks in its supply" in text
        assert "The mastermind took W01 (G3)." in text


def test_finesse_shows_what_this_round_pays() -> None:
    tiles = "FC04 FC09 FA01 FC01 FA02 FB01 FB02 FC05 FC06 FC07"
    game = table(f"players: 2\nmodules: finesse\nfinesse: {tiles}")
    game.state.round = 3
    text = " ".join(board(game.state, 0, ["A", "B"]).plain.split())
    assert "This round pays 1 credit for each I4, L4 or S4 you place." in text
    assert "Next: 1 credit at the end of your turn for each unfinished puzzle." in text


def test_hidden_piles_stay_hidden_on_the_board() -> None:
    game = table("players: 2\nwhite: W09", "1 take W1|1 place 1:c3c4")
    assert "1 A  1p, 1 puzzle" in board(game.state, 0, ["A", "B"]).plain
    assert "1 A  1 puzzle" in board(game.state, 1, ["A", "B"]).plain


def test_planned_marks_come_from_whole_cells() -> None:
    assert {place: sorted(cells) for place, cells in planned_marks("master 1:a1b1 3:e5 2:z9").items()} == {
        0: [0, 1],
        1: [],
        2: [24],
    }
