"""A command that cannot go on says so in one line and ends with a status of its own; nobody sees a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import environment
from tests.golden import FOLDER
from tests.server.harness import new_store
from tests.server.processes import free_port

FULL = "/dev/full"  # a disk without room
RECORD = str(FOLDER / "2023-base-4.pln")
LESS = "import sys\nfor name in {missing!r}: sys.modules[name] = None\nfrom projectl.__main__ import main\nmain()"


def command(*words: str, missing: tuple[str, ...] = ()) -> list[str]:
    """`projectl` in a process of its own, on a machine where some packages are not installed."""
    return [sys.executable, "-c", LESS.format(missing=missing), *words]


def ended(*words: str, folder: Path, missing: tuple[str, ...] = ()) -> tuple[int, str]:
    """The status of a command that prints nothing but to standard error."""
    done = subprocess.run(
        command(*words, missing=missing),
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


PRINTING = [
    ["new", "--seed", "x"],
    ["cards"],
    ["moves", str(FOLDER.parent / "monday.pln")],
    ["replay", RECORD],
    ["--version"],
    ["--help"],
    ["moves", str(FOLDER.parent / "monday.pln"), "--all"],
    ["perft", str(FOLDER.parent / "monday.pln"), "1"],
    ["demo", "--rounds", "1"],
    ["hint", str(FOLDER.parent / "monday.pln"), "--seconds", "0.1"],
    ["analyse", str(FOLDER.parent / "monday.pln"), "--json"],
    ["table", "--plain", "--seat", "random", "--seat", "random"],
    ["ladder", "ratings", "random", "greedy", "--games", "2", "--option", "max_rounds=2"],
    ["import", RECORD, "--store", "games.db"],
    ["games", "list", "--store", "games.db"],
    ["keys", "list", "--store", "games.db", "--json"],
    ["export", "--store", "games.db"],
    ["serve", "--check", "--store", "games.db"],
    ["arena", "random", "greedy", "--games", "2", "--option", "max_rounds=2"],
]


@pytest.fixture(params=PRINTING, ids=lambda words: " ".join(map(str, words[:2])))
def printing(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """A command that prints."""
    new_store(tmp_path / "games.db")
    game = tmp_path / "monday.pln"
    game.write_text("players: 2\nseed: monday\n")
    return [str(game) if word.endswith("monday.pln") else word for word in request.param]


@pytest.mark.skipif(not os.access(FULL, os.W_OK), reason="only root may write to /dev/full on this machine")
def test_a_full_disk_is_a_sentence(tmp_path: Path, printing: list[str]) -> None:
    with open(FULL, "wb") as full:
        done = subprocess.run(
            command(*printing),
            cwd=tmp_path,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
    sentence = "the output cannot be written (No space left on device): make room there, or send it elsewhere"
    assert (done.returncode, done.stderr) == (1, f"file: {sentence}\n")


def test_a_reader_who_has_seen_enough_ends_it_quietly(tmp_path: Path, printing: list[str]) -> None:
    with subprocess.Popen(
        command(*printing), cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, said = ended("serve", "--store", "file/games.db", folder=tmp_path)
    assert (status, said) == (1, "file: file cannot be used: File exists\n")


@pytest.mark.parametrize(
    "words",
    [
        ["serve"],
        ["export"],
        ["import", RECORD],
    ],
)
def test_a_store_without_its_driver_says_what_to_install(tmp_path: Path, words: list[str]) -> None:
    status, said = ended(*words, "--store", "postgresql://nowhere/x", folder=tmp_path, missing=("psycopg",))
    assert (status, said) == (
        2,
        "store: PostgreSQL needs its driver, which `pip install 'projectl[postgres]'` brings\n",
    )


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_bus_without_its_driver_says_what_to_install(tmp_path: Path, workers: str) -> None:
    words = ["serve", "--store", "games.db", "--bus", "redis://127.0.0.1:1/", "--workers", workers]
    status, said = ended(*words, folder=tmp_path, missing=("redis",))
    assert (status, said) == (2, "bus: a bus needs its driver, which `pip install 'projectl[redis]'` brings\n")


def test_traces_without_their_package_say_what_to_install(tmp_path: Path) -> None:
    words = ["serve", "--store", "games.db", "--traces", "http://127.0.0.1:1"]
    status, said = ended(*words, folder=tmp_path, missing=("opentelemetry.sdk",))
    sentence = "traces need OpenTelemetry's SDK, which `pip install 'projectl[traces]'` brings"
    assert (status, said) == (2, f"store: {sentence}\n")


def test_an_address_that_is_no_bus_is_a_sentence(tmp_path: Path) -> None:
    status, said = ended("serve", "--store", "games.db", "--bus", "elsewhere", "--workers", "2", folder=tmp_path)
    assert status == 2
    assert said == "bus: --bus is the address of Redis or Valkey, as redis://localhost:6379/0\n"
    assert said.count("\n") == 1


HASTY = "from projectl.cli import serve; serve.WORKER_SECONDS = 3; from projectl.__main__ import main; main()"
CRIPPLED = """
import sys
if "spawn_main" in " ".join(sys.orig_argv):
    sys.modules["projectl.server.http.app"] = None
"""


def test_a_server_none_of_whose_processes_can_start_has_failed(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(CRIPPLED)
    words = [
        "serve",
        "--port",
        str(free_port()),
        "--store",
        "games.db",
        "--workers",
        "2",
        "--bus",
        "redis://127.0.0.1:1/",
    ]
    found = environment()
    done = subprocess.run(
        [sys.executable, "-c", HASTY, *words],
        cwd=tmp_path,
        env={**found, "PYTHONPATH": f"{tmp_path}:{found['PYTHONPATH']}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "failed to start" in done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_while_the_command_is_loaded_is_quiet() -> None:
    press = "import signal, sys; sys.modules['projectl.cli'] = None\n"
    press += "import builtins; real = builtins.__import__\n"
    press += "def load(name, *rest):\n"
    press += "    if name == 'projectl.cli': signal.raise_signal(signal.SIGINT)\n"
    press += "    return real(name, *rest)\n"
    press += "from projectl.__main__ import main\nbuiltins.__import__ = load\n"
    press += "signal.signal(signal.SIGINT, signal.default_int_handler)\nmain()"
    done = subprocess.run([sys.executable, "-c", press], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_older_python_gets_a_sentence_also_where_pip_builds() -> None:
    older = "import sys; sys.version_info = (3, 10, 13, 'final', 0); import hatch_build"
    done = subprocess.run(
        [sys.executable, "-c", older],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (1, "Project L needs Python 3.11 or newer, and this is 3.10\n")


def test_a_ladder_stays_as_it_was_begun(tmp_path: Path) -> None:
    begin = command("ladder", "ratings", "random", "greedy", "--games", "0")
    subprocess.run(begin, cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL, check=True, timeout=120)
    status, said = ended("ladder", "ratings", "--modules", "ghost", folder=tmp_path)
    assert (status, said) == (
        2,
        "unreadable: ratings was begun with --modules none, it cannot go on with ghost\n",
    )
