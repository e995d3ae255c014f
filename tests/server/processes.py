"""Real processes for tests: servers of Project L, PostgreSQL, Redis. Each ends with the `with` that began it."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import psycopg
import pytest

from projectl.__main__ import main

PATIENCE: Final = float(os.environ.get("PROJECTL_PATIENCE", "60"))  # seconds; a machine may be busy
LONG: Final = os.environ.get("PROJECTL_LONG") == "1"
_EXECUTABLE: Final = Path(sys.executable).with_name("projectl")
_PATCHED: Final = """
import importlib, json, sys
for name, value in json.loads(sys.argv.pop(1)).items():
    module, _, constant = name.rpartition(".")
    setattr(importlib.import_module(module), constant, value)
from projectl.cli import main
main()
"""


def wait_for(what: str, ready: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Look again and again at what no event tells."""
    deadline = time.monotonic() + patience
    while not ready():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not after {patience:.0f} s")
        time.sleep(0.02)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Program:
    """A process with a group of its own and its output in a file."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._process: subprocess.Popen[bytes] | Forked | None = None

    def _start(self, command: list[str], *, user: str | None = None, folder: Path | None = None) -> None:
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                user=user,
                group=user,
                extra_groups=[] if user else None,
                cwd=folder,
            )

    @property
    def process(self) -> subprocess.Popen[bytes] | Forked:
        """The process, once it was started."""
        assert self._process is not None, "not started"
        return self._process

    def said(self) -> str:
        """All that it wrote."""
        return self.log.read_text(errors="replace")

    def signal(self, number: int) -> int:
        """Send a signal to the process alone and wait for its end; the exit status."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def alone(self) -> bool:
        """Whether nothing of its group is left."""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return True
        return False

    def end(self) -> None:
        """Whatever is left of its group is killed."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


class Server(Program):
    """`projectl serve`, on one port however often it is started again."""

    def __init__(
        self,
        folder: Path,
        store: str = "",
        *,
        bus: str = "",
        bot_pause: float = 0.0,
        patches: Mapping[str, object] | None = None,
        more: Sequence[str] = (),
    ) -> None:
        super().__init__(folder / f"server-{secrets.token_hex(4)}.log")
        self.store = store or f"sqlite:///{folder / 'games.db'}"
        self.bus = bus
        self.bot_pause = bot_pause
        self.patches = dict(patches or {})  # constants by their full name, for this process only
        self.more = more  # options
        self.port = free_port()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def socket_url(self) -> str:
        """Where its socket is."""
        return f"ws://127.0.0.1:{self.port}/api/socket"

    def options(self) -> list[str]:
        """The command and what follows it."""
        found = ["serve", "--port", str(self.port), "--store", self.store, "--bots", "1"]
        found += ["--bot-pause", str(self.bot_pause), *self.more]
        return [*found, "--bus", self.bus] if self.bus else found

    def launch(self) -> Self:
        """Start without waiting."""
        options = self.options()
        if self.patches:
            self._start([sys.executable, "-c", _PATCHED, json.dumps(self.patches), *options])
        else:
            self._start([str(_EXECUTABLE), *options])
        return self

    def ready(self) -> Self:
        """Wait until it answers."""
        wait_for("a server", self._healthy)
        return self

    def start(self) -> Self:
        """Start and wait until it answers."""
        return self.launch().ready()

    def _healthy(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"the server ended by itself:\n{self.said()}")
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        """As an operator stops it; what runs is brought to an end."""
        stopped = self.said().count('"stopped"')
        status = self.signal(signal.SIGTERM)
        assert status == 0, f"it ended with {status}:\n{self.said()}"
        assert self.said().count('"stopped"') == stopped + 1, self.said()

    def kill(self) -> None:
        """As a crash or the memory killer stops it."""
        self.signal(signal.SIGKILL)

    def complaints(self) -> list[str]:
        """Warnings and errors in its log, of which every line is JSON."""
        return [line for line in self.said().splitlines() if json.loads(line)["level"] not in ("info", "debug")]

    def ask(self, path: str, body: object = None, key: str = "", method: str = "") -> dict[str, Any]:
        """One HTTP request; what is not JSON, or refused, is an error here."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", data, method=method or None)
        request.add_header("content-type", "application/json")
        if key:
            request.add_header("authorization", f"Bearer {key}")
        while True:
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    found = json.loads(answer.read())
                break
            except urllib.error.HTTPError as error:
                with error:
                    if error.code != 429:
                        raise AssertionError(f"{path}: {error.code} {error.read()[:500]!r}") from None
                    time.sleep(float(error.headers["retry-after"]))
        assert isinstance(found, dict)
        return found

    def new_key(self) -> str:
        """A key, as the server issues them to programs and, in a cookie, to browsers."""
        key: str = self.ask("/api/keys", {})["key"]
        return key

    def table(self, key: str, *seats: Mapping[str, str], **how: object) -> dict[str, Any]:
        """A new table: its seats, then anything else that a table is made from."""
        return self.ask("/api/tables", {"players": len(seats), "seats": list(seats), **how}, key)


ME: Final = {"kind": "me"}
OPEN: Final = {"kind": "open"}


class WarmServer(Server):
    """One that is forked from a process which has loaded the program: for those who start thousands of them. Whatever a
    server keeps in memory is its own from its first moment, and dies with it."""

    _loaded: ClassVar[ForkServerContext] = multiprocessing.get_context("forkserver")
    _loaded.set_forkserver_preload([__name__, "tests.server.warm"])

    def launch(self) -> Self:
        """Start without waiting."""
        process = self._loaded.Process(target=_as_command, args=(self.options(), self.log))
        process.start()
        self._process = Forked(process)
        return self


class Forked:
    """A forked process, as far as a program here is one."""

    def __init__(self, process: ForkServerProcess) -> None:
        assert process.pid is not None
        self.pid = process.pid
        self._process = process

    def poll(self) -> int | None:
        """The exit status, if it has one."""
        return self._process.exitcode

    def wait(self, patience: float) -> int:
        """Its exit status, once it has ended."""
        self._process.join(patience)
        status = self._process.exitcode
        assert status is not None, "it goes on"
        return status

    def send_signal(self, number: int) -> None:
        """A signal."""
        os.kill(self.pid, number)


def _as_command(options: list[str], log: Path) -> None:
    """The command `projectl`, in a forked process."""
    os.setsid()
    with log.open("ab") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    sys.argv[1:] = options
    main()


class Postgres(Program):
    """PostgreSQL from Debian's packages, in a temporary folder, reached by a socket in it. It refuses to be root."""

    def __init__(self, *, durable: bool = False) -> None:
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not programs:
            pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
        self.folder = Path(tempfile.mkdtemp(prefix="projectl-postgres-"))
        super().__init__(self.folder / "log")
        self._programs = programs[-1].parent
        self._user = "postgres" if os.geteuid() == 0 else None
        self._durable = durable
        if self._user:
            shutil.chown(self.folder, self._user, self._user)

    def __enter__(self) -> Self:
        data = self.folder / "data"
        command = [str(self._programs / "initdb"), "-D", str(data), "-U", "projectl", "-A", "trust", "-N", "-E", "UTF8"]
        self._start(command, user=self._user, folder=self.folder)
        assert self.process.wait(PATIENCE) == 0, self.said()
        return self.start()

    def start(self) -> Self:
        """Start, or start again."""
        command = [str(self._programs / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder)]
        command += ["-c", "listen_addresses="] + ([] if self._durable else ["-c", "fsync=off"])
        self._start(command, user=self._user, folder=self.folder)
        wait_for("PostgreSQL", self._answers)
        return self

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.said()
        try:
            psycopg.connect(self._address("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def _address(self, name: str) -> str:
        return f"postgresql://projectl@/{name}?host={self.folder}"

    def database(self) -> str:
        """The address of a new, empty database."""
        name = f"games_{secrets.token_hex(4)}"
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self._address(name)

    def stop(self) -> None:
        """Fast shutdown: connections are cut."""
        self.signal(signal.SIGINT)

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis(Program):
    """Redis or Valkey, on one port however often it is started again; it stores nothing."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        if program is None:
            pytest.skip("neither Valkey nor Redis is installed (Debian: redis-server)")
        super().__init__(folder / f"redis-{secrets.token_hex(4)}.log")
        self._program = program
        self.port = free_port()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> Self:
        return self.start()

    def start(self) -> Self:
        """Start, or start again."""
        self._start(
            [self._program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        )
        wait_for("Redis", self._answers)
        return self

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.said()
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """Gone at once."""
        self.signal(signal.SIGKILL)
