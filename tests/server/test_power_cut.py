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

from tests.server.processes import LONG, Server
from tests.server.test_kill import CLIENTS, Load, check, goes_on

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
    moments = random.Random(5)

    async def run(server: Server) -> None:
        loads = [Load(server, number) for number in range(CLIENTS)]
        for _ in range(CUTS):
            for load in loads:
                if not load.clients or load.client.seat.over:
                    await load.next_table()
            playing = [asyncio.create_task(load.play()) for load in loads]
            await asyncio.sleep(moments.uniform(0.1, 0.6))
            await asyncio.to_thread(server.kill)
            lay_out(last_sync, path)
            lay_out(last_sync, seen)
            for load in loads:
                check(seen, load.client)
            await asyncio.to_thread(server.start)
            versions = [load.client.seat.version for load in loads]
            await asyncio.gather(*(goes_on(load, version) for load, version in zip(loads, versions, strict=True)))
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        for load in loads:
            for client in load.clients:
                await client.until(lambda client=client: not client.seat.waiting)  # type: ignore[misc]
                await client.leave()
        assert sum(len(client.seat.done) for load in loads for client in load.clients) >= CUTS * CLIENTS
        await asyncio.to_thread(server.stop)

    with Server(tmp_path).start() as server:
        asyncio.run(run(server))
        assert server.complaints() == []
