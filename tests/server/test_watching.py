"""What whoever runs a server sees of it: the log, the metrics of one process and of several, the dashboard."""

import json
import os
import re
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.server.processes import ME, OPEN, Redis, Server, wait_for

DASHBOARD = Path(__file__).resolve().parents[2] / "docs" / "deploy" / "grafana.json"
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? ([\d.e+-]+)$", re.MULTILINE)


def metrics(server: Server) -> dict[str, float]:
    """What the server counts: `name{labels}`, a number."""
    with urllib.request.urlopen(f"{server.url}/metrics") as answer:
        found = answer.read().decode()
    return {f"{name}{{{labels}}}" if labels else name: float(value) for name, labels, value in SAMPLE.findall(found)}


def lines(server: Server) -> list[dict[str, Any]]:
    """Its log. Every line is JSON, from the first to the last."""
    return [json.loads(line) for line in server.said().splitlines()]


class Several(Server):
    """A server of two processes."""

    def options(self) -> list[str]:
        return [*super().options(), "--workers", "2"]


def play(server: Server) -> tuple[str, str, str]:
    """A table at which one action is played over HTTP: the game, the key, the invitation."""
    key = server.new_key()
    made = server.table(key, ME, OPEN, seed="watched")
    guest = server.new_key()
    server.ask(f"/api/tables/{made['game']}/join", {"invite": made["invites"]["2"]}, guest)
    form = {"id": "a", "version": 2, "action": "gain O1"}
    server.ask(f"/api/tables/{made['game']}/actions", form, key)
    return made["game"], key, made["invites"]["2"]


def test_the_log_is_json_from_start_to_stop_and_holds_no_secret(tmp_path: Path) -> None:
    with Server(tmp_path).start() as server:
        game, key, invite = play(server)
        with pytest.raises(AssertionError):
            server.ask("/api/tables/none?secret=geheim")
        server.stop()
        found = lines(server)
    messages = [line["message"] for line in found]
    assert messages[0].startswith("Project L is at http://localhost:")
    assert messages[-1] == "stopped"
    assert all({"time", "level", "logger", "message"} <= set(line) for line in found)
    events = [(line["type"], line["seat"], line["version"]) for line in found if line["message"] == "event"]
    assert events == [("seat_taken", 2, 1), ("begun", 0, 2), ("played", 1, 3)]
    requests = [(line["method"], line["path"], line["status"]) for line in found if line["message"] == "request"]
    assert ("POST", f"/api/tables/{game}/actions", 200) in requests
    assert ("GET", "/api/tables/none", 404) in requests
    assert not [path for _, path, _ in requests if path in ("/health", "/metrics")]
    for secret in (key, invite, "watched", "geheim", "gain O1"):
        assert secret not in server.said()


def ready(server: Server) -> int:
    """How many processes have said that they are, ever."""
    return len([line for line in lines(server) if line["message"] == "ready"])


def test_several_processes_count_together(tmp_path: Path) -> None:
    """Whichever answers, it answers for both; what a killed one had open is not counted for ever."""
    with Redis(tmp_path) as redis, Several(tmp_path, bus=redis.url).start() as server:
        wait_for("both", lambda: ready(server) == 2)
        assert metrics(server)['projectl_processes{version="0.1.0"}'] == 2
        for _ in range(6):
            play(server)
        for _ in range(8):  # one asks whichever process comes
            found = metrics(server)
            assert found['projectl_events_total{type="played"}'] == 6
            assert found["projectl_change_seconds_count"] == 6
            made = 'projectl_request_seconds_count{method="POST",route="/api/tables",status="200"}'
            assert found[made] == 6
            # Each counts the store once a second at most.
            wait_for("six games", lambda: metrics(server)['projectl_games{status="playing"}'] == 6)
        assert len([line for line in lines(server) if line["message"] == "event"]) == 18, "each once"
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
        worker = next(int(child) for child in children if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text())
        os.kill(worker, signal.SIGKILL)
        wait_for("another one", lambda: ready(server) == 3)
        found = metrics(server)
        assert found['projectl_processes{version="0.1.0"}'] == 2, "not three"
        assert found['projectl_events_total{type="played"}'] == 6, "what was counted stays"
        assert server.signal(signal.SIGTERM) == 0
        assert lines(server)


def test_the_dashboard_shows_what_there_is_and_all_of_it(tmp_path: Path) -> None:
    with Server(tmp_path).start() as server:
        play(server)
        with urllib.request.urlopen(f"{server.url}/metrics") as answer:
            text = answer.read().decode()
    families = set(re.findall(r"^# TYPE (projectl_\w+) (?!gauge\b.*_created)", text, re.MULTILINE))
    families = {re.sub(r"_(total|created)$", "", name) for name in families}
    board = json.loads(DASHBOARD.read_text())
    asked = " ".join(target["expr"] for panel in board["panels"] for target in panel["targets"])
    shown = {re.sub(r"_(total|count|bucket)$", "", name) for name in re.findall(r"projectl_\w+", asked)}
    assert shown == families
    places = [tuple(panel["gridPos"].values()) for panel in board["panels"]]
    assert len(set(places)) == len(places)
