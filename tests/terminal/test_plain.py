"""The table without a screen, and the command itself."""

import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner, Result

from projectl import ProjectLError, replay, result
from projectl.cli import app
from projectl.core.view import SPECTATOR
from projectl.terminal.plain import PlainTable
from projectl.terminal.saved import SavedGame
from projectl.terminal.seats import read_seat
from projectl.terminal.sentences import position_words
from projectl.terminal.session import Session
from tests.table import table


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games are kept where the test can see them."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "projectl"


def sit_down(typed: str, *words: str) -> Result:
    return CliRunner().invoke(app, ["table", *words], input=typed)


def only(kept: Path) -> Path:
    found = list(kept.glob("*.pln"))
    assert len(found) == 1
    return found[0]


def test_lines_are_read_and_answered_in_sentences(kept: Path) -> None:
    words = ("--seat", "me", "--seat", "random", "--seed", "tuesday")
    out = sit_down("take W1\nplace 1:a1\nmoves place\nquit\n", *words).stdout
    assert "Seat 1: You, a person.\nSeat 2: random, a bot." in out
    assert "W1, W10: 1 point, reward I2, cells c2 c3 c4" in out
    assert "1 take W1: You took the card at W1 (W10: 1 point, reward I2). It lies on place 1." in out
    assert "a1 does not lie in the recess of W10. Nearest: place 1:c2" in out
    assert "place 1:c2c3" in out
    assert f"Resume it with: projectl table {only(kept)}" in out


def test_a_kept_game_is_resumed_with_its_seats_and_goes_on_in_its_file(kept: Path) -> None:
    sit_down("gain O1\nquit\n", "--seat", "Ana", "--seat", "random", "--modules", "ghost", "--option", "max_rounds=9")
    path = only(kept)
    out = sit_down("gain O1\nquit\n", str(path)).stdout
    assert "Seat 1: Ana, a person.\nSeat 2: random, a bot." in out
    assert "Round 1. To act: Ana, 2 actions left." in out
    game = replay(only(kept).read_text(encoding="utf-8"))
    assert [move.line() for move in game.moves] == ["1 gain O1", "1 gain O1"]
    assert game.header.rules.modules == ("ghost",)
    assert game.header.rules.max_rounds == 9


def test_another_record_is_never_written_over(tmp_path: Path, kept: Path) -> None:
    record = tmp_path / "mine.pln"
    record.write_text("players: 2  # a comment of mine\n", encoding="utf-8")
    out = sit_down("gain O1\n", str(record), "--seat", "Bo", "--seat", "random").stdout
    assert record.read_text(encoding="utf-8") == "players: 2  # a comment of mine\n"
    assert "Seat 1: Bo, a person." in out
    assert replay(only(kept).read_text(encoding="utf-8")).moves[0].line() == "1 gain O1"


def test_bots_play_a_whole_game_among_themselves(kept: Path) -> None:
    seats = ("--seat", "random", "--seat", "random", "--option", "max_rounds=4", "--seed", "x")
    out = sit_down("", *seats).stdout
    game = replay(only(kept).read_text(encoding="utf-8"))
    found = result(game.state)
    assert found is not None
    assert f"The game is in {only(kept)}" in out
    assert "pile: " in out
    for move in game.moves:
        assert f"{move.line()}: random ({move.seat + 1})" in out


def test_solo_tells_what_the_mastermind_did() -> None:
    out = sit_down("gain O1\ngain O1\ngain O1\n", "--players", "1", "--seed", "x").stdout
    assert "Column 2, 2 locks:" in out
    assert "The mastermind: 0 points, 6 locks in its supply." in out
    assert "The mastermind took nothing: every column was locked" in out


def test_seats_decide_the_number_of_players() -> None:
    out = sit_down("", "--seat", "a", "--seat", "b", "--seat", "c").stdout
    assert "Seat 3: c, a person." in out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--seat", "rondom"), "bot-unknown"),
        (("--seat", "random:soon"), "bot-time"),
        (("--players", "2", "--seat", "a", "--seat", "b", "--seat", "c"), "seats"),
        (("--players", "6"), "six-players"),
        (("--modules", "gost"), "module"),
        (("no-such-file.pln",), "file"),
        (("no-such-file.pln", "--players", "2"), "resume"),
    ],
)
def test_what_is_asked_for_wrongly_is_a_coded_error(words: tuple[str, ...], code: str) -> None:
    found = sit_down("", *words).exception
    assert isinstance(found, ProjectLError)
    assert found.code == code


def test_a_resumed_game_wants_all_its_seats(tmp_path: Path) -> None:
    record = tmp_path / "three.pln"
    record.write_text("players: 3\n", encoding="utf-8")
    found = sit_down("", str(record), "--seat", "me").exception
    assert isinstance(found, ProjectLError)
    assert found.code == "seats"


def test_without_a_terminal_the_table_is_plain(tmp_path: Path) -> None:
    """A real process with pipes: no escape sequences, a clean end when the input ends, and nothing lost."""
    code = "from projectl.cli import main; main()"
    words = [sys.executable, "-c", code, "table", "--seat", "Zo\u00eb", "--seat", "random"]
    found = subprocess.run(words, input="take W1\n", capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert found.returncode == 0
    assert found.stderr == ""
    assert "\x1b" not in found.stdout
    assert "Zo\u00eb took the card at W1" in found.stdout
    assert "Resume it with" in found.stdout


def test_a_terminal_that_lacks_the_signs_of_the_screen_gets_sentences(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    words = [sys.executable, "-c", "from projectl.cli import main; main()", "table", "--seed", "t"]
    settings = {"TERM": "xterm", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    where = {"XDG_STATE_HOME": str(tmp_path), "PYTHONPATH": ":".join(path for path in sys.path if path)}
    with subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=os.environ | settings | where
    ) as table:
        os.close(theirs)
        os.write(ours, b"quit\n")
        seen = b""
        with suppress(OSError):  # the other end is closed
            while part := os.read(ours, 65536):
                seen += part
        assert table.wait(120) == 0
    os.close(ours)
    assert b"Row W, 28 cards in the white deck:" in seen
    assert b"\x1b" not in seen


# --- hot seat -----------------------------------------------------------------------------------


class Advice(NamedTuple):
    """A stand-in for the adviser's answer."""

    lines: list[str]
    why: str


class Typist:
    """Answers prompts from a list and remembers them."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def hot_seat(typist: Typist, options: str = "") -> PlainTable:
    game = table(f"players: 2\nwhite: W22 W09\n{options}", "1 take W1")
    sitting = Session(
        game, (read_seat("Ana"), read_seat("Bo")), SavedGame(), lambda look, seconds: Advice(["gain O1"], "So.")
    )
    return PlainTable(sitting, [], typist)


def test_the_next_person_is_asked_before_their_view_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    typist = Typist("place 1:c3c4", "gain O1")
    hot_seat(typist).run()
    assert typist.prompts == ["> ", "> ", "Bo, press Enter to see your view. "]
    before_bo = capsys.readouterr().out.split("\n" * 30)[0]
    assert "Seat 1, Ana: 0 points, 0 puzzles." in before_bo
    assert "Seat 2, Bo: 0 puzzles, hidden." in before_bo


def test_after_the_question_each_sees_their_own_pile(capsys: pytest.CaptureFixture[str]) -> None:
    hot_seat(Typist("place 1:c3c4", "gain O1", "", "quit")).run()
    bos = capsys.readouterr().out.split("\n" * 30)[1]
    assert "Seat 2, Bo: 0 points, 0 puzzles." in bos
    assert "Seat 1, Ana: 1 puzzle, hidden." in bos


def test_with_open_piles_nobody_is_asked() -> None:
    typist = Typist("place 1:c3c4", "gain O1", "gain O1")
    hot_seat(typist, "options: known_points=yes\n").run()
    assert set(typist.prompts) == {"> "}


def test_ctrl_c_keeps_the_game(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    game = table("players: 2", "1 gain O1")
    PlainTable(Session(game, (read_seat("me"), read_seat("random")), SavedGame()), [], interrupted).run()
    assert replay(only(kept).read_text(encoding="utf-8")).moves[0].line() == "1 gain O1"
    assert "Resume it with" in capsys.readouterr().out


def test_a_bot_that_fails_can_be_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    class Stuck:
        def decide(self, look: object) -> int:
            return -1

    game = table("players: 2", "1 gain O1|1 gain O1|1 gain O1")
    sitting = Session(game, (read_seat("me"), read_seat("random")), SavedGame())
    sitting.bots[1] = Stuck()
    PlainTable(sitting, [], Typist("seat 2 random", "quit")).run()
    out = capsys.readouterr().out
    assert "random does not go on: it answered -1" in out
    assert "Seat 2 is random now." in out
    assert [move.seat for move in game.moves] == [0, 0, 0, 1, 1, 1]


def test_a_picture_and_a_hint_are_there_for_the_asking(capsys: pytest.CaptureFixture[str]) -> None:
    hot_seat(Typist("picture", "show", "hint")).run()
    out = capsys.readouterr().out
    assert "\u25a1" in out
    assert out.count("Place 1, W22: 0 points, reward I2, empty c3 c4") == 2
    assert "Thinking ...\ngain O1\nSo.\n" in out


# --- positions in words -------------------------------------------------------------------------


def test_a_position_in_words_shows_what_lies_where() -> None:
    game = table("players: 2\nmodules: finesse\nwhite: W10", "1 take W1|1 place 1:c2c3")
    words = "\n".join(position_words(game.state, 0, ["Ana", "Bo"]))
    assert "Place 1, W10: 1 point, reward I2, covered by I2 at c2 c3, empty c4" in words
    assert "Supply: 1 O1." in words
    assert "This round pays nothing." in words
    assert "Seat 1, Ana: 0 points, 0 puzzles, 0 credits." in words


def test_spectators_see_no_hidden_pile() -> None:
    game = table("players: 2\nwhite: W22", "1 take W1|1 place 1:c3c4")
    assert "Seat 1, Ana: 1 puzzle, hidden." in position_words(game.state, SPECTATOR, ["Ana", "Bo"])
