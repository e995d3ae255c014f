"""What people type by mistake, over all commands: status 2, one line that names what is wrong, never a traceback."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from projectl.cli import app
from tests.test_cli import Run, run

__all__ = ["run"]  # a fixture

FILES = {
    "good.pln": "players: 2\nseed: a\n\n1 take W1\n",
    "over.pln": "players: 2\noptions: max_rounds=1\n" + "1 gain O1\n" * 3 + "2 gain O1\n" * 3 + "1 done\n2 done\n",
    "illegal.pln": "players: 2\n1 take W1\n1 place 1:a1\n",
    "no-players.pln": "format: 1\n",
    "latin.pln": "players: 2\nnames: \udce9 | b\n",
    "pack.toml": "card = 5\n",
    "games.db": "this is no database",
    "forever.toml": "expire-idle = inf\n",
}
# Arguments, and a part of the sentence. GONE is a file that does not exist, BUSY a port that is taken, HERE the folder.
WRONG: list[tuple[str, str]] = [
    # the command line itself
    ("nonsense", "no such command 'nonsense'"),
    ("repaly good.pln", "Did you mean 'replay'?"),
    ("--nonsense", "no such option: --nonsense"),
    ("new extra", "unexpected extra argument"),
    ("new --plaers 3", "--players"),
    ("new --players", "'--players' requires an argument"),
    # new
    ("new --players x", "'--players'"),
    ("new --players 2.5", "invalid value for '--players': a whole number is expected; `projectl new -h` explains"),
    ("new --players 0", "for 1 to 6 players, found 0"),
    ("new --players 7", "for 1 to 6 players, found 7"),
    ("new --players -2", "found -2"),
    ("new --players 6", "six players in edition 2023 need the module ghost or phoenix"),
    ("new --edition 2021", "the editions are 2019, 2020, 2023, found '2021'"),
    ("new --edition 2020 --modules ghost", "edition 2020 has no ghost"),
    ("new --modules chess", "unknown module 'chess'"),
    ("new --modules ghost,ghost", "module ghost is named twice"),
    ("new --modules finesse_ambassador", "finesse_ambassador adds tiles to finesse and needs it"),
    ("new --players 1 --modules endless_white", "endless_white needs two players or more"),
    ("new --players 2 --modules line_clear", "line_clear in edition 2023 is for 5 to 6 players"),
    ("new --option speed=fast", "found 'speed=fast'"),
    ("new --option max_rounds", "found 'max_rounds'"),
    ("new --option max_rounds=0", "max_rounds is a number from 1"),
    ("new --option max_rounds=many", "max_rounds is a number from 1"),
    ("new --option known_points=maybe", "known_points is yes or no"),
    ("new --option upgrade_skip=three", "upgrade_skip is next or two or substitution"),
    ("new --option difficulty=hard", "difficulty is for solo"),
    ("new --option max_rounds=3 --option max_rounds=4", "option max_rounds stands twice"),
    ("new --names Ana", "2 names are expected, found 1"),
    ("new --seed a|#b", "a seed is one line"),
    ("new --pack GONE", "gone: unreadable: the file cannot be read: No such file"),
    ("new --pack pack.toml", "pack.toml"),
    # records
    ("replay", "missing argument 'FILE'"),
    ("replay GONE", "gone: unreadable: the file cannot be read: No such file or directory"),
    ("replay HERE", "the file cannot be read: Is a directory"),
    ("replay illegal.pln", "illegal.pln:3: illegal: a1 does not lie in the recess"),
    ("replay no-players.pln", "no-players.pln:1: unreadable: the header has no `players:`"),
    ("replay latin.pln", "latin.pln:2: unreadable: byte 0xe9 is not UTF-8 text"),
    ("replay good.pln --seat 3", "--seat is a number from 0 to 2, found 3"),
    ("replay good.pln --seat -1", "--seat is a number from 0 to 2, found -1"),
    ("replay good.pln --seat one", "'--seat'"),
    ("replay good.pln more.pln", "unexpected extra argument(s) (more.pln)"),
    ("moves GONE", "gone: unreadable: the file cannot be read"),
    ("moves illegal.pln", "illegal.pln:3: illegal"),
    ("perft GONE 1", "gone: unreadable: the file cannot be read"),
    ("perft good.pln", "missing argument 'DEPTH'"),
    ("perft good.pln -1", "-1"),
    ("perft good.pln two", "'DEPTH'"),
    ("perft good.pln 99999999999999999999", "'DEPTH'"),
    # cards and demo
    ("cards --svg HERE/no/such/folder.svg", "folder.svg cannot be written: No such file or directory"),
    ("cards --pack GONE", "gone: unreadable: the file cannot be read"),
    ("demo --players 9", "for 1 to 6 players, found 9"),
    ("demo --rounds 0", "'--rounds'"),
    ("demo --modules chess", "unknown module 'chess'"),
    # the table
    ("table GONE", "gone: unreadable: the file cannot be read"),
    ("table good.pln --players 3", "a record has its rules"),
    ("table good.pln --seat me", "the game has 2 seats, found 1"),
    ("table --players 2 --seat me --seat a --seat b", "the game has 2 seats, found 3"),
    ("table --seat gredy", "there is no bot 'gredy'"),
    ("table --seat search:soon --plain", "a bot's time is as 50ms or 4s, found 'soon'"),
    ("table --seat program: --plain", "expected a command after `program:`"),
    ("table --seat program:/no/such/bot --plain", "'/no/such/bot' cannot be started: No such file"),
    ("table --modules chess", "unknown module 'chess'"),
    # advice
    ("hint GONE", "gone: unreadable: the file cannot be read"),
    ("hint over.pln", "the game is over"),
    ("hint good.pln --seconds 0", "'--seconds'"),
    ("hint good.pln --seconds -1", "'--seconds'"),
    ("hint good.pln --seconds soon", "'--seconds'"),
    ("analyse GONE", "gone: unreadable: the file cannot be read"),
    ("analyse good.pln --seconds 0.01 --svg HERE/no/a.svg", "a.svg cannot be written"),
    # matches
    ("arena", "missing argument 'BOT'"),
    ("arena nobody", "there is no bot 'nobody'; there are "),
    ("arena random:fast", "a bot's time is as 50ms or 4s, found 'fast'"),
    ("arena random random", "random is named twice; named alone it plays against itself"),
    ("arena random greedy planner", "3 bots do not fit at a table for 2"),
    ("arena random greedy --games 3", "take 2 or 4"),
    ("arena random --games 0", "games are a number from 1"),
    ("arena random --games x", "'--games'"),
    ("arena random --jobs 0", "jobs are a number from 1"),
    ("arena random --time 0s", "a bot's time is as 50ms or 4s, found '0s'"),
    ("arena random --resume", "--resume needs --out DIR"),
    ("arena random --resume --out GONE", "holds no match to resume"),
    ("arena random --seed a|#b", "a seed is one line"),
    ("arena random --ray local --jobs 1 --games x", "'--games'"),
    ("arena random --out good.pln", "good.pln cannot be used for a match: "),
    ("arena program:", "expected a command after `program:`"),
    ("tournament greedy", "a tournament at a table for 2 needs 2 bots or more"),
    ("tournament greedy greedy", "every bot of a tournament is another one, in the arena one plays itself"),
    ("tournament random greedy --players 1", "a tournament is for two players or more"),
    ("tournament random greedy --svg HERE/no/t.svg", "there is no folder HERE/no for the picture"),
    # the server and its store
    ("serve --port 99999", "'--port'"),
    ("serve --port BUSY", "address: port BUSY of 127.0.0.1 is in use; choose another --port"),
    ("serve --host ::1 --port BUSY6", "port BUSY6 of ::1 is in use"),
    ("serve --host 203.0.113.9", "203.0.113.9 is no address of this machine"),
    ("serve --host 2001:db8::9", "2001:db8::9 is no address of this machine"),
    ("serve --host no.such.host.invalid", "--host is an address of this machine"),
    ("serve --host http://localhost", "--host is an address of this machine"),
    ("serve --bot-pause -1", "'--bot-pause': at least 0 is expected"),
    ("serve --bot-pause soon", "'--bot-pause': a number is expected"),
    ("serve --bots 65", "'--bots': at most 64 is expected"),
    ("serve --expire-waiting inf", "'--expire-waiting': at most 100000 is expected"),
    ("serve --expire-idle nan", "'--expire-idle': at most 100000 is expected"),
    ("serve --keep-finished inf --archive HERE", "'--keep-finished': at most 100000 is expected"),
    ("serve --config forever.toml", "'expire-idle in forever.toml': at most 100000 is expected"),
    ("serve --workers 2", "bus: several processes need a bus"),
    ("serve --workers 0", "'--workers'"),
    ("serve --log-level loud", "a log level is debug, info, warning or error, found 'loud'"),
    ("serve --public-url games.example", "--public-url is as https://games.example.org, found 'games.example'"),
    ("serve --public-url ftp://games.example", "--public-url is as https://"),
    ("serve --traces localhost:4318", "--traces is the address of a collector, as http://localhost:4318"),
    ("serve --store mysql://a/b", "a store is sqlite:///FILE or postgresql://…, found 'mysql'"),
    ("serve --store postgresql://a:b@localhost:port/x", "--store is a file, sqlite:///FILE or postgresql://"),
    ("serve --store sqlite:///", "a store is a file, named after three slashes"),
    ("serve --store sqlite://games.db", "a store is a file, named after three slashes"),
    ("serve --bus localhost", "bus: --bus is the address of Redis or Valkey, as redis://localhost:6379/0"),
    ("serve --bus redis://localhost:port/0", "bus: --bus is the address of Redis or Valkey"),
    ("serve --workers 2 --bus http://localhost", "bus: --bus is the address of Redis or Valkey"),
    ("serve --origin other.example", "--origin is as https://other.example.org, found 'other.example'"),
    ("serve --origin https://other.example/path", "--origin is as https://other.example.org"),
    ("serve --trusted-proxy proxy.example", "--trusted-proxy is an address as 10.0.0.5 or a network"),
    ("serve --trusted-proxy 172.16.0.1/12", "--trusted-proxy is an address as 10.0.0.5 or a network"),
    ("serve --public-url https://me:secret@games.example", "--public-url is as https://games.example.org"),
    (
        "serve --keep-finished 5 --archive good.pln",
        "--archive good.pln cannot be used: HERE/good.pln",
    ),
    ("join", "missing argument 'URL'"),
    ("join http://a|b/", "a table's link is as http://localhost:8765/join/GAME#INVITATION, found 'http://a b/'"),
    ("join localhost:8765", "a table's link is as http://localhost:8765/join/GAME#INVITATION"),
    ("join http://127.0.0.1:1/ --bot nobody", "there is no bot 'nobody'"),
    ("join http://127.0.0.1:1/ --bot random --time soon", "a bot's time is as 50ms or 4s, found 'soon'"),
    ("join http://127.0.0.1:1/ --bot random", "http://127.0.0.1:1 cannot be reached: "),
    ("ladder", "missing argument 'FOLDER'"),
    ("ladder GONE", "holds no ladder yet: name two bots or more"),
    ("ladder GONE random", "a ladder at a table for 2 needs 2 bots or more"),
    ("ladder GONE random random", "random is named twice"),
    ("ladder GONE random nobody", "there is no bot 'nobody'"),
    ("ladder GONE random greedy --games -1", "'--games'"),
    ("ladder GONE random greedy --players 1", "a ladder is for two players or more"),
    ("ladder good.pln random greedy", "good.pln cannot be used for a ladder: "),
    ("verify GONE", "gone: unreadable: the file cannot be read"),
    ("verify good.pln", "good.pln: unreadable: the record has no `# fair:`"),
    ("export --store HERE/none.db", "there are no games in HERE/none.db yet: no server has kept any there"),
    ("export --store nonsense://", "nonsense"),
    ("games lst", "no such command 'lst'"),
    ("games list --store HERE/none.db", "there are no games in HERE/none.db yet"),
    ("games list --status begun", "a game is waiting, playing or over, found 'begun'"),
    ("games list --older -1", "'--older'"),
    ("games list --older inf", "'--older': at most 100000 is expected"),
    ("games list --most 99999999999999999999", "'--most'"),
    ("games expire --keep-finished 5 --store HERE/none.db", "--archive DIR says where to"),
    ("games close x --reason |", "a reason has 1 to 200 characters"),
    ("keys bann", "no such command 'bann'"),
    ("keys ban", "missing argument 'KEY...'"),
    ("keys ban abc --store good.pln", "good.pln cannot be used: "),
    ("keys list --store HERE/none.db", "there are no games in HERE/none.db yet"),
    ("serve --keep-finished 5", "--archive DIR says where to"),
    ("daily chk", "no such command 'chk'"),
    ("daily make", "missing argument 'FILE'"),
    ("daily make HERE/no/such.jsonl", "there is no folder HERE/no for the puzzles"),
    ("daily check GONE", "gone: unreadable: the file cannot be read: No such file"),
    ("daily check pack.toml", "pack.toml:1: unreadable: this is no puzzle"),
    ("daily check --every 0", "'--every'"),
    ("import", "missing argument 'FILE...'"),
    ("import GONE", "gone: unreadable: the file cannot be read"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.parametrize(("line", "part"), WRONG, ids=[line for line, _ in WRONG])
def test_a_wrong_input_is_named_in_one_line(run: Run, folder: Path, line: str, part: str) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as busy,
        socket.create_server(("::1", 0), family=socket.AF_INET6) as six,
    ):
        meant = {
            "HERE": str(folder),
            "GONE": str(folder / "gone"),
            "BUSY6": str(six.getsockname()[1]),
            "BUSY": str(busy.getsockname()[1]),
            "|": " ",
        }
        for word, stands_for in meant.items():
            line, part = line.replace(word, stands_for) if word != "|" else line, part.replace(word, stands_for)
        ran = run(*(word.replace("|", " ") for word in line.split()))
    assert (ran.status, ran.out) == (2, "")
    assert part in ran.err
    assert (ran.err.count("\n"), ran.err[-1]) == (1, "\n")
    assert "Traceback" not in ran.err


def test_a_file_that_is_no_store_is_named_in_one_line(folder: Path) -> None:
    """In a process of its own, as a server has one."""
    command = [sys.executable, "-m", "projectl", "serve", "--store", "games.db"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "games.db cannot be used: " in done.stderr
    assert "Traceback" not in done.stderr


def test_every_command_is_mistyped_somewhere() -> None:
    commands = set(getattr(typer.main.get_command(app), "commands", {}))
    assert {line.split()[0] for line, _ in WRONG} >= commands
    assert len(WRONG) >= 100
