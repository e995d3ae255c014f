"""What the server counts, for whoever runs it. Several processes of one server count together.

prometheus-client keeps the numbers of several processes in files of one folder, which `SHARED` names before it is
loaded; any of the processes then answers for all.
"""

import contextlib
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

import projectl

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_REQUESTS: Final = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0)
_OF_PROCESS: Final = re.compile(r"gauge_live\w*_(\d+)\.db")


class Metrics:
    """Counters, in Prometheus' text form."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._actions = Histogram(
            "projectl_change_seconds", "From a message to its durable event", buckets=_BUCKETS, registry=registry
        )
        self._requests = Histogram(
            "projectl_request_seconds",
            "Requests over HTTP",
            ["method", "route", "status"],
            buckets=_REQUESTS,
            registry=registry,
        )
        self.events = Counter("projectl_events", "Events at tables", ["type"], registry=registry)
        self.sockets = Gauge("projectl_sockets", "Open sockets", registry=registry, multiprocess_mode="livesum")
        self.streams = Gauge("projectl_streams", "Open line streams", registry=registry, multiprocess_mode="livesum")
        self._live = Gauge(
            "projectl_games_in_memory", "Games in memory", registry=registry, multiprocess_mode="livesum"
        )
        self._jobs = Gauge(
            "projectl_thinking",
            "Jobs of bots, hints and records",
            ["pool", "state"],
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._games = Gauge(
            "projectl_games", "Games in the store", ["status"], registry=registry, multiprocess_mode="livemostrecent"
        )
        self.refused = Counter("projectl_refused", "Messages refused", ["code"], registry=registry)
        self.closed = Counter("projectl_closed", "Sockets closed by the server", ["code"], registry=registry)
        self._commits = Counter("projectl_commits", "Transactions of the store", registry=registry)
        self._written = Counter("projectl_written", "Writes that shared those transactions", registry=registry)
        self._stored = (0, 0)
        self._processes = Gauge(
            "projectl_processes", "Server processes", ["version"], registry=registry, multiprocess_mode="livesum"
        )
        self._processes.labels(projectl.__version__).set(1)
        if SHARED not in os.environ:
            ProcessCollector(registry=registry)

    def action(self, seconds: float) -> None:
        """A change was made and stored."""
        self._actions.observe(seconds)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._requests.labels(method, route, str(status)).observe(seconds)

    def standing(self, live: int, commits: int, written: int, jobs: dict[str, tuple[int, int]]) -> None:
        """How this process stands: games in memory, the store's transactions and writes, jobs running and waiting."""
        self._live.set(live)
        before = self._stored
        self._commits.inc(commits - before[0])
        self._written.inc(written - before[1])
        self._stored = (commits, written)
        for pool, (running, waiting) in jobs.items():
            self._jobs.labels(pool, "running").set(running)
            self._jobs.labels(pool, "waiting").set(waiting)

    def text(self, games: dict[str, int]) -> bytes:
        """All of it, for all processes of this server; `games` are those in the store by status."""
        for status in ("waiting", "playing", "over"):
            self._games.labels(status).set(games.get(status, 0))
        folder = os.environ.get(SHARED)
        if folder is None:
            return generate_latest(self.registry)
        _bury(Path(folder))
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def share() -> "tempfile.TemporaryDirectory[str]":
    """Let the processes that will be started count together; until the folder is cleaned up."""
    folder = tempfile.TemporaryDirectory(prefix="projectl-metrics-")
    os.environ[SHARED] = folder.name
    return folder


def _bury(folder: Path) -> None:
    """What processes that are gone had open is open no more."""
    for path in folder.glob("gauge_live*.db"):
        found = _OF_PROCESS.fullmatch(path.name)
        if found is None:
            continue
        try:
            os.kill(int(found[1]), 0)
        except ProcessLookupError:
            with contextlib.suppress(FileNotFoundError):  # another process does the same
                mark_process_dead(int(found[1]))  # type: ignore[no-untyped-call]
        except PermissionError:
            pass
