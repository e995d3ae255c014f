"""What the table looks like: what it shows, and that it fits."""

import pytest
from rich.text import Text
from textual.containers import VerticalScroll
from textual.filter import NoColor
from textual.pilot import Pilot

from projectl.cli.table_app import TableApp
from projectl.cli.table_board import board, planned_marks
from projectl.cli.table_screens import Page
from tests.table import table
from tests.test_table_app import enter, press, run, shown, sit, until

# --- the screen ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10), (200, 60), (20, 5)], ids=str)
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
