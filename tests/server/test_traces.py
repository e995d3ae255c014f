"""Traces arrive whole at a collector and hold no secret; without the setting there is nothing of them."""

import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from projectl.server import traces
from tests.commands import environment
from tests.server.processes import ME, PATIENCE, Server, free_port, wait_for
from tests.server.test_watching import play


class Collector(ThreadingHTTPServer):
    """Takes spans."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taking)
        self.bodies: list[bytes] = []

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_port}"

    def spans(self) -> list[Span]:
        """All that came."""
        found: list[Span] = []
        for body in self.bodies:
            for of_resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                found += [span for scope in of_resource.scope_spans for span in scope.spans]
        return found


class Taking(BaseHTTPRequestHandler):
    """One delivery."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        unpacked = gzip.decompress(body) if self.headers["content-encoding"] == "gzip" else body
        assert isinstance(self.server, Collector)
        assert self.path == "/v1/traces"
        self.server.bodies.append(unpacked)
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        yield found
        found.shutdown()
        thread.join()


def test_what_a_request_set_off_is_one_trace(tmp_path: Path, collector: Collector) -> None:
    with Server(tmp_path, more=["--traces", collector.url]).start() as server:
        game, key, invite = play(server)
        made = server.table(key, ME, {"kind": "bot", "bot": "random"})
        form = {"id": "a", "version": 0, "action": "gain O1", "seat": 1}
        for number in range(3):  # then the bot is to act
            server.ask(f"/api/tables/{made['game']}/actions", {**form, "id": str(number), "version": number}, key)
        wait_for("the bot", lambda: server.ask(f"/api/tables/{made['game']}/state", key=key)["version"] > 3)
        with pytest.raises(AssertionError, match="409"):
            server.ask(f"/api/tables/{game}/actions", {**form, "id": "z", "version": 3, "action": "done"}, key)
        server.stop()
        assert server.complaints() == []
    spans = collector.spans()
    named = {span.name for span in spans}
    assert {"POST /api/tables/{game}/actions", "happen", "commit", "think"} <= named
    assert not [name for name in named if "health" in name]
    by_id = {span.span_id: span for span in spans}

    def above(span: Span) -> list[str]:
        parent = by_id.get(span.parent_span_id)
        return [] if parent is None else [*above(parent), parent.name]

    chains = [[*above(span), span.name] for span in spans if span.name == "commit"]
    assert any(chain[0] == "POST /api/tables/{game}/actions" and chain[-2:] == ["happen", "commit"] for chain in chains)
    about = [{one.key: one.value for one in span.attributes} for span in spans if span.name == "happen"]
    assert {one["projectl.game"].string_value for one in about} == {game, made["game"]}
    assert {one["projectl.event"].string_value for one in about} >= {"played", "seat_taken"}
    everything = b"".join(collector.bodies)
    for secret in (key, invite, "watched", "gain O1"):
        assert secret.encode() not in everything


def test_a_collector_that_is_away_holds_nobody_up(tmp_path: Path) -> None:
    with Server(tmp_path, more=["--traces", f"http://127.0.0.1:{free_port()}"]).start() as server:
        play(server)
        server.stop()


def test_without_the_setting_nothing_is_loaded_and_nothing_is_made() -> None:
    assert traces.span("one") is traces.span("another", game="G")
    look = "import sys, projectl.server.http.app; print('opentelemetry.sdk' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", look], env=environment(), capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert done.stdout == "False\n"
