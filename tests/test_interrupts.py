"""Ctrl-C at any moment of every command that takes long: status 130, no traceback, nothing lost."""

import json
import os
import pty
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from projectl import replay
from projectl.daily.puzzle import read as read_puzzles
from tests.commands import environment
from tests.golden import FOLDER
from tests.server.processes import LONG, OPEN, PATIENCE, Server, free_port

LATEST = 2.5  # seconds after the command was read
TIMES = 100 if LONG else 1  # that each command is interrupted
RECORD = FOLDER / "2023-base-4.pln"
QUIET = "2 recycle W\n" * 3  # takes no piece from the reserve
COMBINED = (  # four puzzles and pieces of many kinds: a Master action has millions of forms
    "players: 2\nseed: monday\n\n1 take B1\n1 take B2\n1 take B3\n"
    f"{QUIET}1 take B4\n1 gain O1\n1 gain O1\n{QUIET}1 gain O1\n1 upgrade I2 L3\n1 gain O1\n"
    f"{QUIET}1 upgrade O1 I2\n1 upgrade O1 I2\n1 upgrade I2 I3\n{QUIET}"
)
MANY = 150  # records that are put into a store, and read out of it

# Says when its first lines are read (before that, Python itself answers Ctrl-C), and makes the terminal its own.
# The tests may run in the background, where Ctrl-C is for others: the command hears it all the same.
BEGIN = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.default_int_handler)
if os.isatty(0):
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from projectl.__main__ import main
open("begun", "w").close()
main()
"""


class Ended(NamedTuple):
    """A command after Ctrl-C."""

    folder: Path
    status: int
    printed: str
    errors: str


def begin(folder: Path, words: list[str], terminal: int | None = None) -> subprocess.Popen[bytes]:
    """Start a command in a folder and wait until it was read."""
    with (folder / "printed").open("wb") as printed, (folder / "errors").open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", BEGIN, *words],
            cwd=folder,
            env=environment(XDG_STATE_HOME=str(folder), XDG_DATA_HOME=str(folder), TERM="xterm-256color"),
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            stdout=printed if terminal is None else terminal,
            stderr=errors if terminal is None else terminal,
            start_new_session=True,
        )
    while not (folder / "begun").exists():
        assert process.poll() is None, (folder / "errors").read_text()
        time.sleep(0.005)
    return process


def interrupted(folder: Path, words: list[str], after: float) -> Ended:
    """A command that Ctrl-C reaches after so many seconds, with all that it has started."""
    process = begin(folder, words)
    time.sleep(after)
    assert process.poll() is None, "it ended by itself: there was nothing to interrupt"
    os.killpg(process.pid, signal.SIGINT)
    return Ended(folder, _end(process), (folder / "printed").read_text(), (folder / "errors").read_text())


def _end(process: subprocess.Popen[bytes]) -> int:
    try:
        return process.wait(PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def at_a_terminal(folder: Path, words: list[str], after: float) -> Ended:
    """The same where Ctrl-C is a key: the terminal makes a signal of it, or the program reads it."""
    ours, theirs = pty.openpty()
    try:
        process = begin(folder, words, theirs)
        os.close(theirs)
        os.set_blocking(ours, False)
        printed = _read(ours, time.monotonic() + after, process)
        os.write(ours, b"\x03")
        printed += _read(ours, time.monotonic() + PATIENCE, process)
        return Ended(folder, _end(process), printed.decode(errors="replace"), (folder / "errors").read_text())
    finally:
        os.close(ours)


def _read(terminal: int, until: float, process: subprocess.Popen[bytes]) -> bytes:
    """What is drawn: a terminal that nobody reads would stop the program."""
    drawn = b""
    while time.monotonic() < until:
        gone = process.poll() is not None
        try:
            drawn += os.read(terminal, 65536)
        except BlockingIOError:
            time.sleep(0.01)
        except OSError:  # the other end is closed
            break
        if gone:
            break
    return drawn


# What each command owes


def check_match(ended: Ended) -> None:
    """The games that are saved are those that are told of, and each has its record."""
    match = ended.folder / "match"
    if not (match / "games.jsonl").exists():
        assert ended.printed == ""
        return
    games = [json.loads(line) for line in (match / "games.jsonl").read_text().splitlines()]
    assert f"{len(games)} games in match." in ended.printed
    assert re.search(r"Interrupted with [1-9]\d* games left; this goes on:\n.* --resume ", ended.printed)
    for game in games:
        replay((match / f"{game['game']:04}.pln").read_text())


def check_ladder(ended: Ended) -> None:
    """Every game that was played is kept, told of and counted, and the same command goes on."""
    folder = ended.folder / "ratings"
    lines = (folder / "games.jsonl").read_text().splitlines() if (folder / "games.jsonl").exists() else []
    if not ended.printed:
        assert lines == []
        return
    assert f"{len(lines)} games in ratings; " in ended.printed
    assert "Interrupted; everything is kept, and `projectl ladder ratings` goes on." in ended.printed
    for line in lines:
        replay((folder / f"{json.loads(line)['game']:04}.pln").read_text())


def check_moves(ended: Ended) -> None:
    """Whole lines, as far as they go."""
    assert all(line.startswith("1 ") for line in ended.printed.splitlines()[:-1])


def check_nothing(ended: Ended) -> None:
    """Nothing was promised."""


def check_table(ended: Ended) -> None:
    """The game is kept, and it is said where."""
    kept = re.search(r"Resume it with: projectl table (\S+\.pln)", ended.printed.replace("\r\n", ""))
    if kept:
        replay(Path(kept[1]).read_text())
    else:
        assert not (ended.folder / "projectl").exists()


def check_puzzles(ended: Ended) -> None:
    """The puzzles of every game that was told of are in the file."""
    told = re.findall(r"^game \d+: \d+ puzzles, (\d+) in all$", ended.printed, re.MULTILINE)
    file = ended.folder / "puzzles.jsonl"
    assert len(read_puzzles(file) if file.exists() else []) >= max(map(int, told), default=0)


def check_seat(ended: Ended) -> None:
    """Whoever had sat down hears that the seat is kept, and it is."""
    if "has seat 1 at" in ended.printed:
        assert ended.errors == "Its seat is kept: the same command goes on.\n"
    if ended.errors:
        assert len(json.loads((ended.folder / "projectl" / "seats.json").read_text())) == 1


def check_server(ended: Ended) -> None:
    """Once it was ready it closed its store."""
    assert ended.errors.count('"ready"') == ended.errors.count('"stopped"')


def check_import(ended: Ended) -> None:
    """Whatever is in the store was told of, with all its invitations."""
    store = ended.folder / "games.db"
    told = set(re.findall(r": game (\S+)\n", ended.printed))
    assert ended.printed.count("  seat ") == 4 * len(told)
    if not store.exists():
        assert told == set()
        return
    with closing(sqlite3.connect(store)) as opened:
        tables = {name for (name,) in opened.execute("SELECT name FROM sqlite_master")}
        stored = {game for (game,) in opened.execute("SELECT game FROM games")} if "games" in tables else set()
    assert stored == told


def check_export(ended: Ended) -> None:
    """What is written is whole."""
    for file in (ended.folder / "games").glob("*"):
        assert replay(file.read_text()).moves == replay(RECORD.read_text()).moves


class Command(NamedTuple):
    """A command that takes long: its words, and what to see afterwards."""

    words: str
    check: Callable[[Ended], None]
    terminal: bool = False


SERVE = "serve --port {port} --store games.db"
COMMANDS = {
    "arena": Command("arena search:500ms greedy --out match", check_match),
    "quick arena": Command("arena random greedy --games 100000 --out match", check_match),
    "arena in processes": Command("arena planner greedy --games 1000 --jobs 2 --out match", check_match),
    "tournament": Command("tournament search:200ms planner random --out match", check_match),
    "ladder": Command("ladder ratings planner greedy random --games 1000", check_ladder),
    "ladder in processes": Command("ladder ratings planner greedy --games 1000 --jobs 2", check_ladder),
    "moves": Command("moves many.pln --all", check_moves),
    "hint": Command("hint start.pln --seconds 60", check_nothing),
    "analyse": Command("analyse {record} --seconds 5", check_nothing),
    "perft": Command("perft start.pln 7", check_nothing),
    "table": Command("table --seed t --seat search:60s --seat me", check_table, terminal=True),
    "plain table": Command("table --plain --seed t --seat search:60s --seat random", check_table),
    "daily make": Command("daily make puzzles.jsonl", check_puzzles),
    "daily make in processes": Command("daily make puzzles.jsonl --jobs 2", check_puzzles),
    "daily check": Command("daily check", check_nothing),
    "daily check in processes": Command("daily check --jobs 2", check_nothing),
    "join": Command("join {link} --bot search:60s --time 60s", check_seat),
    "serve": Command(SERVE, check_server),
    "serve in processes": Command(f"{SERVE} --workers 2 --bus redis://127.0.0.1:1/", check_server),  # nobody there
    "import": Command("import {records} --store games.db", check_import),
    "export": Command("export --store {store}", check_export),
}
CASES = [(name, n) for name in COMMANDS for n in range(TIMES)]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many games, to be written out."""
    folder = tmp_path_factory.mktemp("store")
    process = begin(folder, ["import", *[str(RECORD)] * MANY, "--store", "games.db"])
    assert process.wait(PATIENCE) == 0
    return folder / "games.db"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that bots join."""
    with Server(tmp_path_factory.mktemp("house")).start() as server:
        yield server


def link_to_a_seat(house: Server) -> str:
    """An invitation to play against a bot."""
    made = house.table(house.new_key(), OPEN, {"kind": "bot", "bot": "greedy"})
    return f"{house.url}/join/{made['game']}#{made['invites']['1']}"


@pytest.mark.parametrize(("name", "n"), CASES)
def test_ctrl_c_at_any_moment(tmp_path: Path, request: pytest.FixtureRequest, name: str, n: int) -> None:
    command = COMMANDS[name]
    after = random.Random().uniform(0, LATEST)
    values = {
        "port": free_port(),
        "record": RECORD,
        "records": " ".join([str(RECORD)] * MANY),
        "link": link_to_a_seat(request.getfixturevalue("house")) if name == "join" else "",
        "store": request.getfixturevalue("store") if name == "export" else "",
    }
    (tmp_path / "start.pln").write_text("players: 2\nseed: monday\n")
    (tmp_path / "many.pln").write_text(COMBINED)
    ended = (at_a_terminal if command.terminal else interrupted)(
        tmp_path, command.words.format_map(values).split(), after
    )
    assert ended.status == 130, (after, ended)
    assert "Traceback" not in ended.errors + ended.printed, (after, ended)
    assert "Exception ignored" not in ended.errors, (after, ended)
    command.check(ended)


# Python drops what is raised while it tidies up after an import, and makes another error of it while it makes a class.
AT_A_CALL = """
import sys

def interrupt(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_name == name and file in code.co_filename:
        print("interrupted", file=sys.stderr)
        raise KeyboardInterrupt

from projectl.__main__ import main
name, file = sys.argv[1:3]
del sys.argv[1:3]
sys.setprofile(interrupt)
main()
"""


@pytest.mark.parametrize(("name", "file"), [("cb", "importlib"), ("__set_name__", "dataclasses")])
def test_ctrl_c_is_not_lost_or_disguised_while_python_loads(tmp_path: Path, name: str, file: str) -> None:
    (tmp_path / "start.pln").write_text("players: 2\nseed: monday\n")
    done = subprocess.run(
        [sys.executable, "-c", AT_A_CALL, name, file, "perft", "start.pln", "7"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


# Compiled code, thousands of times

STORM = """
import random, sys
from projectl import Rules, new_game
from projectl.arena.alarm import Overdue, within
from projectl.bots import look_at, make, names
from projectl.core.dice import Dice
from projectl.core.playout import perft, random_play, random_trace


def work(state):
    seat = int(state.seat)
    look = look_at(state, seat, 0.05)
    while True:
        for bot in names():
            make(f"{bot}:30ms", seat).decide(look)
        perft(state, 2)
        random_trace(state.clone(), Dice(seat), 50)
        for _ in range(2000):
            state.key()


for bot in names():  # before the clock runs, as in the arena: what a bot needs is imported whole
    make(bot, 0)
met = 0
for game in range(int(sys.argv[1])):
    state = new_game(Rules(1 + game % 6, modules=("ghost", "finesse")), str(game))
    random_play(state, Dice(game), 5 + game % 20)
    try:
        within(random.uniform(0.0005, 0.06), lambda: work(state))
    except Overdue:
        met += 1
print(met)
"""


def test_an_exception_out_of_a_signal_gets_through_compiled_code() -> None:
    times = "3000" if LONG else "200"
    done = subprocess.run(
        [sys.executable, "-c", STORM, times],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=20 * PATIENCE,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{times}\n", "")
