"""The referee's commands: what they print, and how they refuse a bad file (docs/notation.md, Commands)."""

import io
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from projectl import Illegal, __version__, replay, view
from projectl.cli import main
from projectl.cli.files import Located
from projectl.core.rules import MODULES, OPTIONS
from projectl.record import MOST_BYTES
from tests.commands import environment
from tests.commands_page import commands
from tests.table import idle, listed, table


class Ran(NamedTuple):
    """What a command left behind."""

    status: int | str | None
    out: str
    err: str


class Run(Protocol):
    """Run `projectl` with arguments."""

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Ran: ...


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setenv("COLUMNS", "100")
        monkeypatch.setattr(sys, "argv", ["projectl", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return Ran(ended.value.code, out, err)

    return command


def written(folder: Path, content: str | bytes) -> str:
    path = folder / "game.pln"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def assert_refused(ran: Ran, start: str) -> None:
    """Status 2, nothing printed, one line of explanation that begins so."""
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(start)
    assert (ran.err.count("\n"), ran.err[-1]) == (1, "\n")
    assert len(ran.err) > len(start) + 10


COMMANDS = [("replay",), ("replay", "--json"), ("moves",), ("moves", "--all"), ("perft",)]
BAD_FILES: dict[str, tuple[str | bytes, int, str]] = {
    "a wrong card": ("players: 2\nwhite: W09 W99\n", 2, "unreadable"),
    "a duplicate card": ("players: 2\n\nblack: B01 B02 B01\n", 3, "unreadable"),
    "an impossible action": ("players: 2\n1 take W1\n1 place 1:a1\n", 3, "illegal"),
    "an unknown action": ("players: 2\n1 take W1\n1 fly\n", 3, "unreadable"),
    "a seat out of turn": ("players: 2\n# hm\n2 take W1\n", 3, "illegal"),
    "an absent seat": ("players: 2\n3 take W1\n", 2, "illegal"),
    "no header": ("1 take W1\n", 1, "unreadable"),
    "no players": ("format: 1\nedition: 2019\n", 1, "unreadable"),
    "an action after the end": (
        "players: 2\noptions: max_rounds=1\n" + idle(1, 2).replace("|", "\n") + "\n1 done\n2 done\n1 done\n",
        11,
        "illegal",
    ),
    "a refused combination": ("edition: 2020\nplayers: 2\nmodules: ghost\n", 3, "unreadable"),
    "nothing": ("", 1, "unreadable"),
    "zeros": (b"\0\0\0\n\0", 1, "unreadable"),
    "binary junk": (bytes(range(128, 256)) * 4, 1, "unreadable"),
    "junk in line 3": (b"players: 2\n1 take W1\n\xc3\x28\n", 3, "unreadable"),
    "a byte too many": (b"players: 2\n" + b"#" * (MOST_BYTES - 10), 1, "unreadable"),
    "odd line ends": ("players: 2\n1 fl\u2028y\x0b\x0c\x85\n", 2, "unreadable"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("bad", BAD_FILES)
def test_a_bad_file_is_refused_with_its_line(run: Run, tmp_path: Path, command: tuple[str, ...], bad: str) -> None:
    content, line, kind = BAD_FILES[bad]
    file = written(tmp_path, content)
    depth = ("1",) if command == ("perft",) else ()
    assert_refused(run(*command, file, *depth), f"{file}:{line}: {kind}: ")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file_and_a_directory_are_refused(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    depth = ("1",) if command == ("perft",) else ()
    for file in (str(tmp_path / "none.pln"), str(tmp_path)):
        assert_refused(run(*command, file, *depth), f"{file}: unreadable: the file cannot be read: ")


def test_a_file_of_the_largest_size_is_read(run: Run, tmp_path: Path) -> None:
    content = b"players: 2\n1 take W1\n"
    file = written(tmp_path, content + b"#" * (MOST_BYTES - len(content)))
    assert run("replay", "--json", file).status == 0


def test_a_dash_reads_standard_input(run: Run) -> None:
    game = table("players: 2", "1 take W1")
    ran = run("replay", "--json", "-", stdin=b"players: 2\n1 take W1\n")
    assert (ran.status, json.loads(ran.out), ran.err) == (0, view(game.state), "")
    assert_refused(run("moves", "-", stdin=b"players: 2\n2 take W1\n"), "-:2: illegal: ")
    assert_refused(run("replay", "-", stdin=b"\xff"), "-:1: unreadable: ")


def test_the_console_command_ends_with_status_2_and_no_traceback(tmp_path: Path) -> None:
    """As a process of its own."""
    file = written(tmp_path, "players: 2\n1 take W9\n")
    code = "from projectl.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "replay", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{file}:2: unreadable: no game has a card at 'W9'\n"


# replay

RECORD = """players: 2
names: Ana | Bo
card: Z1 W 3 T4 .#### ##### ##### ##### #####
white: Z1 W09

1 take W1
1 place 1:a1
1 take W2
"""


def test_replay_prints_the_position_for_a_person(run: Run, tmp_path: Path) -> None:
    ran = run("replay", written(tmp_path, RECORD))
    assert (ran.status, ran.err) == (0, "")
    for word in (
        "Edition 2023. Round 1. To act: Bo (seat 2), 3 actions left.",
        "Ana",
        "Bo",
        "W09",
        "3 points: Z1",
        "T4",
        "reserve",
    ):
        assert word in ran.out


def test_replay_prints_the_result_of_a_finished_game(run: Run, tmp_path: Path) -> None:
    text = RECORD.replace("names", "options: max_rounds=1\nnames") + idle(2).replace("|", "\n") + "\n1 done\n2 done\n"
    ran = run("replay", written(tmp_path, text))
    assert ran.out.startswith("Over. Ana: 2, Bo: 0. Ana won with 2 points.\n")  # 3, less 1 for W09


@pytest.mark.parametrize("players", [1, 5])
def test_replay_prints_every_kind_of_table(run: Run, tmp_path: Path, players: int) -> None:
    modules = "finesse" + (" line_clear ambassador" if players > 1 else "")
    ran = run("replay", written(tmp_path, f"players: {players}\nmodules: {modules}\n"))
    assert ran.status == 0
    for word in ("bank 35", "white marker: seat 1" if players > 1 else "mastermind"):
        assert word in ran.out


def test_replay_json_is_one_line_with_the_position(run: Run, tmp_path: Path) -> None:
    ran = run("replay", "--json", written(tmp_path, RECORD))
    assert (ran.status, ran.out.count("\n")) == (0, 1)
    assert json.loads(ran.out) == view(replay(RECORD).state)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_replay_shows_only_what_a_seat_may_know(run: Run, tmp_path: Path, seat: int) -> None:
    file = written(tmp_path, RECORD)
    pile = json.loads(run("replay", file, "--json", "--seat", str(seat)).out)["players"][0]
    assert pile["completed"] == (["Z1"] if seat == 1 else None)
    assert ("completed_count" in pile) == (seat != 1)
    assert ("Z1" in run("replay", file, "--seat", str(seat)).out) == (seat == 1)


@pytest.mark.parametrize("seat", ["3", "-1", "99"])
def test_a_seat_that_is_not_there_is_refused(run: Run, tmp_path: Path, seat: str) -> None:
    assert_refused(run("replay", written(tmp_path, RECORD), "--json", "--seat", seat), "")


# moves and perft


def test_moves_lists_one_action_a_line(run: Run, tmp_path: Path) -> None:
    own = "\n".join(f"card: Z{n} W 0 O1 .#### ##### ##### ##### #####" for n in (1, 2))
    game = table(f"players: 2\n{own}\nwhite: Z1 Z2", "1 gain O1|1 take W1|1 take W2", idle(2))
    file = written(tmp_path, game.text())
    few, every = run("moves", file), run("moves", "--all", file)
    assert few.out.splitlines() == listed(game)
    assert every.out.splitlines() == listed(game, True)
    assert set(every.out.splitlines()) - set(few.out.splitlines()) == {"1 master 1:a1 2:a1"}


def test_moves_of_a_finished_game_are_none(run: Run, tmp_path: Path) -> None:
    game = table("players: 2\noptions: max_rounds=1", idle(1, 2), "1 done|2 done")
    assert run("moves", written(tmp_path, game.text())) == Ran(0, "", "")


@pytest.mark.parametrize(
    ("head", "counts"),
    [
        ("edition: 2023\nplayers: 2\n", (1, 63, 4511)),
        ("edition: 2019\nplayers: 2\n", (1, 14, 620)),
        ("edition: 2023\nplayers: 1\n", (1, 15, 499)),
        ("edition: 2023\nplayers: 5\nmodules: line_clear\n", (1, 36, 2022)),
    ],
)
def test_perft_counts_lines(run: Run, tmp_path: Path, head: str, counts: tuple[int, ...]) -> None:
    """The published counts of four openings."""
    for depth, count in enumerate(counts):
        assert run("perft", written(tmp_path, head), str(depth)) == Ran(0, f"{count}\n", "")


@pytest.mark.parametrize("depth", ["-1", "two", ""])
def test_perft_wants_a_depth(run: Run, tmp_path: Path, depth: str) -> None:
    ran = run("perft", written(tmp_path, "players: 2\n"), depth)
    assert (ran.status, ran.out) == (2, "")


# new, and the rest


def test_new_prints_a_header_that_replays(run: Run) -> None:
    ran = run("new", "--players", "3", "--edition", "2019", "--modules", "ghost,ambassador", "--seed", " 7f3a ")
    text = "format: 1\nedition: 2019\nplayers: 3\nmodules: ghost ambassador\nseed: 7f3a\n"
    assert ran == Ran(0, text, "")
    assert replay(ran.out).header.text() == text


def test_new_knows_options_and_names(run: Run) -> None:
    arguments = ("--players", "1", "--option", "difficulty=hard", "--option", "max_rounds=9", "--names", "Ana")
    ran = run("new", *arguments, "--seed", "")
    assert ran.out == (
        "format: 1\nedition: 2023\nplayers: 1\noptions: max_rounds=9 difficulty=hard\nnames: Ana\nseed:\n"
    )
    assert replay(ran.out).header.names == ("Ana",)


def test_new_without_a_seed_draws_one(run: Run) -> None:
    first, second = run("new").out, run("new").out
    assert first.startswith("format: 1\nedition: 2023\nplayers: 2\nseed: ")
    assert first != second
    replay(first)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--players", "6"),
        ("--players", "0"),
        ("--edition", "2021"),
        ("--edition", "2020", "--modules", "ghost"),
        ("--modules", "chess"),
        ("--modules", "ghost,ghost"),
        ("--modules", "finesse_ambassador"),
        ("--option", "speed=fast"),
        ("--option", "difficulty=hard"),
        ("--option", "max_rounds=0"),
        ("--names", "Ana"),
    ],
)
def test_new_refuses_with_one_line(run: Run, arguments: tuple[str, ...]) -> None:
    assert_refused(run("new", *arguments), "unreadable: ")


def test_cards_weighs_all_cards_and_draws_them(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "cards.svg"
    ran = run("cards", "--svg", str(picture))
    assert ran.status == 0
    words = ran.out.split()
    assert all(f"W{n:02}" in words for n in range(1, 33))
    assert all(f"B{n:02}" in words for n in range(1, 21))
    assert picture.read_text(encoding="utf-8").lstrip().startswith("<svg")


def test_demo_plays_a_random_game_that_its_seed_repeats(run: Run) -> None:
    first = run("demo", "--seed", "a", "--rounds", "2", "--players", "3")
    assert first.status == 0
    assert first == run("demo", "--seed", "a", "--rounds", "2", "--players", "3")
    assert first.err.startswith("Over. Seat ")
    assert replay(first.out).text().split() == first.out.split()


def test_version(run: Run) -> None:
    ran = run("--version")
    assert ran.status == 0
    assert ran.out.startswith(f"projectl {__version__} ")


@pytest.mark.parametrize("arguments", [("nonsense",), ("replay",), ("replay", "a", "b"), ("new", "--players", "x")])
def test_a_wrong_command_line_has_status_2(run: Run, arguments: tuple[str, ...]) -> None:
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seed", "a #b"], "a seed is one line"),
        (["--seed", "a\nplayers: 3"], "a seed is one line"),
        (["--names", "A #1|B"], "a name is one line"),
        (["--names", "A\nx|B"], "a name is one line"),
    ],
)
def test_new_prints_no_header_that_reads_otherwise(run: Run, arguments: list[str], said: str) -> None:
    ran = run("new", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"unreadable: {said}")


def test_a_picture_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    ran = run("cards", "--svg", str(tmp_path / "no" / "such" / "folder.svg"))
    assert ran.status == 2
    assert "cannot be written" in ran.err


def test_errors_pickle() -> None:
    """They cross between processes."""
    for error in (Illegal("x", "y", line=3), Located("a", "b", line=2, file="f")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.line) == (type(error), str(error), error.line)


@pytest.mark.parametrize("group", ["daily", "games", "keys"])
def test_a_group_of_commands_alone_is_its_help(run: Run, group: str) -> None:
    ran = run(group)
    assert (ran.status, ran.err) == (0, "")
    assert f"projectl {group} [OPTIONS] COMMAND" in ran.out


def test_the_first_import_makes_the_folder_of_the_store(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none" / "yet"))
    (tmp_path / "game.pln").write_text("players: 2\nseed: a\n")
    assert "game.pln: game " in run("import", str(tmp_path / "game.pln")).out


@pytest.mark.parametrize("words", [words.split()[1:] for words, _ in commands()], ids=" ".join)
def test_help_names_what_is_taken_in_words(run: Run, words: list[str]) -> None:
    ran = run(*words, "-h")
    assert (ran.status, ran.err) == (0, "")
    assert re.search(r"--help +-h +Show this message and exit\.", ran.out)
    assert not re.search(r"<[a-z]", ran.out), "Python's names of types"
    assert not re.search(r"[<>]=", ran.out), "ranges as a formula"


@pytest.mark.parametrize("command", ["new", "table", "arena"])
def test_help_cuts_no_value_off_in_60_columns(command: str) -> None:
    words = [sys.executable, "-m", "projectl", command, "-h"]
    done = subprocess.run(words, env=environment(COLUMNS="60"), capture_output=True, text=True, check=True)
    assert max(map(len, done.stdout.splitlines())) == 60
    assert "…" not in done.stdout.replace("matches/…", "")
    for name in (*MODULES, *(value for option in OPTIONS for value in option.values)):
        assert re.search(rf"\b{name}\b", done.stdout), name
