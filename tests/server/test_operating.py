"""The operator's document as a script: its commands are run as they stand there, on real stores and a real server.

Stood in for are the paths, the database, `systemctl` (which starts, stops and reloads the same command) and `pip`.
"""

import contextlib
import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.commands import environment
from tests.server.processes import _EXECUTABLE, ME, OPEN, Postgres, Redis, Server, wait_for

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "server.md"
SYSTEMCTL: Final = """#!/bin/bash
set -e
case $1 in
  stop) kill -TERM "$(cat server.pid)"; while kill -0 "$(cat server.pid)" 2>/dev/null; do sleep 0.1; done ;;
  start) setsid {projectl} serve >>server.log 2>&1 & echo $! >server.pid ;;
  reload) kill -HUP "$(cat server.pid)" ;;
esac
"""


def blocks(heading: str) -> list[str]:
    """The scripts below a heading."""
    part = PAGE.read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("\n## ")[0].split("\n### ")[0]
    return re.findall(r"^```bash\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)


class Machine(Server):
    """A machine on which the document's commands are typed."""

    def __init__(self, folder: Path, store: str = "", *, bus: str = "", workers: int = 1) -> None:
        super().__init__(folder, store, bus=bus)
        self.folder = folder
        for name in ("bin", "lib", "backups"):
            (folder / name).mkdir()
        self.replaced = {
            "/var/lib/projectl": str(folder / "lib"),
            "/var/backups": str(folder / "backups"),
            "postgresql://projectl@localhost/projectl": store,
            "/opt/projectl/bin/pip": "true",
            "/opt/projectl/bin/projectl": str(_EXECUTABLE),
        }
        self.store = store or f"sqlite:///{folder / 'lib' / 'games.db'}"
        (folder / "bin" / "systemctl").write_text(SYSTEMCTL.format(projectl=_EXECUTABLE))
        (folder / "bin" / "systemctl").chmod(0o755)
        self.settings = {"STORE": self.store, "PORT": str(self.port), "BUS": bus, "WORKERS": str(workers), "BOTS": "1"}

    def type(self, script: str) -> None:
        """Run a script to its end; a command that fails ends it."""
        for word, by in self.replaced.items():
            script = script.replace(word, by)
        variables = {f"PROJECTL_{name}": value for name, value in self.settings.items()}
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        with self.log.open("ab") as log:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", script],
                cwd=self.folder,
                env=environment(PATH=path, **variables),
                stdout=log,
                stderr=log,
                check=False,
                timeout=120,
            )
        assert done.returncode == 0, f"{script}\n{self.said()}"

    def answers(self) -> bool:
        """Whether the server is there."""
        try:
            return bool(self.ask("/health")["ok"])
        except OSError:
            return False

    def begin(self) -> None:
        """Start the server, as an operator does."""
        self.type("systemctl start projectl")
        wait_for("the server", self.answers)

    def end(self) -> None:
        """Whatever still runs is stopped."""
        if (self.folder / "server.pid").exists():
            subprocess.run(["bash", "bin/systemctl", "stop"], cwd=self.folder, capture_output=True, check=False)

    def lines(self, word: str) -> list[str]:
        """Lines of the server's log."""
        return [line for line in (self.folder / "server.log").read_text().splitlines() if word in line]


@pytest.fixture(params=["sqlite", "postgresql"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Machine]:
    """A machine with either store."""
    if request.param == "sqlite":
        if not shutil.which("sqlite3"):
            pytest.skip("sqlite3, which backs the file up, is not installed")
        with Machine(tmp_path) as found:
            yield found
        return
    with Postgres() as postgres, Machine(tmp_path, postgres.database()) as found:
        yield found


def test_what_was_backed_up_is_restored(machine: Machine) -> None:
    scripts = blocks("Back up and restore")
    assert len(scripts) == 4
    back_up, restore = scripts[:2] if machine.store.startswith("sqlite") else scripts[2:]
    machine.begin()
    key = machine.new_key()
    game = machine.table(key, ME, ME)["game"]
    machine.ask(f"/api/tables/{game}/actions", {"id": "a", "version": 0, "action": "gain O1", "seat": 1}, key)
    machine.type(back_up)
    later = machine.table(key, ME, OPEN)["game"]
    machine.ask(f"/api/tables/{game}/actions", {"id": "b", "version": 1, "action": "gain O1", "seat": 1}, key)
    machine.type(restore)
    wait_for("the server", machine.answers)
    assert machine.ask(f"/api/tables/{game}/state", key=key)["version"] == 1
    with pytest.raises(AssertionError, match="404"):
        machine.ask(f"/api/tables/{later}")
    machine.ask(f"/api/tables/{game}/actions", {"id": "c", "version": 1, "action": "gain O1", "seat": 1}, key)


def test_an_upgrade_refuses_nobody(tmp_path: Path) -> None:
    [script] = blocks("Upgrade")
    with Redis(tmp_path) as redis, Machine(tmp_path, bus=redis.url, workers=2) as machine:
        machine.begin()
        wait_for("both", lambda: len(machine.lines('"ready"')) == 2)
        key = machine.new_key()
        game = machine.table(key, ME, ME)["game"]
        asked: list[str] = []
        done = threading.Event()

        def ask() -> None:
            with contextlib.suppress(
                ConnectionResetError
            ):  # it met a process on its way out: proxies and pages ask again
                machine.ask(f"/api/tables/{game}/state", key=key)
                return
            machine.ask(f"/api/tables/{game}/state", key=key)

        def keep_asking() -> None:
            while not done.is_set():
                try:
                    ask()
                    asked.append("")
                except (OSError, AssertionError) as error:
                    asked.append(str(error))
                time.sleep(0.05)

        asking = threading.Thread(target=keep_asking)
        asking.start()
        machine.type(script)
        wait_for("two new processes", lambda: len(machine.lines('"ready"')) == 4)
        wait_for("the old ones' end", lambda: len(machine.lines('"stopped"')) == 2)
        done.set()
        asking.join()
        assert len(asked) > 20
        assert set(asked) == {""}


def test_every_script_of_the_document_is_run() -> None:
    assert PAGE.read_text(encoding="utf-8").count("```bash\n") == 5
