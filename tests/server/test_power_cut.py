"""The power fails under load: what was acknowledged is in the files as they were at their last sync.

A small library (`last_sync.c`) keeps a copy of each file of the store as of its last sync. The server is killed, its
files are thrown away, and it goes on from these copies: whatever was written and not synced is gone, as on a machine
without power.
"""

import asyncio
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.server.kills import CLIENTS, kill_again_and_again
from tests.server.processes import LONG, Server

CUTS = 100 if LONG else 5
SOURCE = Path(__file__).with_name("last_sync.c")


@pytest.fixture
def last_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the copies; servers that are started from now on keep them there."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not Path("/proc/self/fd").is_dir():
        pytest.skip("needs Linux and a C compiler (Debian: gcc)")
    library, folder = tmp_path / "last_sync.so", tmp_path / "synced"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE)], check=True)
    folder.mkdir()
    monkeypatch.setenv("LD_PRELOAD", str(library))
    monkeypatch.setenv("LAST_SYNC", str(folder))
    return folder


def lay_out(copies: Path, path: Path, name: str = "games.db") -> None:
    """The files of the store as they were at their last sync, and nothing else. (What SQLite deletes when a transaction
    of its first moments is over, is deleted durably.)"""
    for end in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    for end in ("", "-wal"):
        if (copies / f"{name}{end}").exists():
            shutil.copy(copies / f"{name}{end}", path.with_name(path.name + end))


def test_a_power_cut_takes_nothing_that_was_acknowledged(tmp_path: Path, last_sync: Path) -> None:
    path, seen = tmp_path / "games.db", tmp_path / "seen.db"  # who looks, writes: the log goes into the file

    def fallen() -> Path:
        lay_out(last_sync, path)
        lay_out(last_sync, seen)
        return seen

    with Server(tmp_path).start() as server:
        tally = asyncio.run(kill_again_and_again(server, path, CUTS, random.Random(5), fallen))
        assert server.complaints() == []
    assert tally.acknowledged >= CUTS * CLIENTS
