"""Where a server says that it is reached: in links, in the terminal as a QR code, and to the page."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from ipaddress import ip_address
from pathlib import Path

import pytest
import zxingcpp

from projectl import Unreadable
from projectl.server import addresses
from projectl.server.addresses import family, is_loopback, link, links, public_link, qr_text
from tests.server.processes import PATIENCE, Server, free_port

MODULE = 6  # pixels
INK = {" ": (255, 255), "▀": (0, 255), "▄": (255, 0), "█": (0, 0)}


def decoded(drawn: str) -> str:
    """What somebody's phone reads from the characters of a terminal."""
    lines = drawn.splitlines()
    rows = [[INK[sign][half] for sign in line] for line in lines for half in (0, 1)]
    pixels = bytes(pixel for row in rows for _ in range(MODULE) for pixel in row for _ in range(MODULE))
    picture = memoryview(pixels).cast("B", (len(rows) * MODULE, len(rows[0]) * MODULE))
    (found,) = zxingcpp.read_barcodes(picture)
    return str(found.text)


@pytest.mark.parametrize(
    "words", ["http://192.168.178.23:8765/", "http://[2001:db8::17]:80/", "https://games.example/"]
)
def test_a_qr_code_reads_back(words: str) -> None:
    drawn = qr_text(words)
    assert decoded(drawn) == words
    assert max(map(len, drawn.splitlines())) <= 60
    assert len(drawn.splitlines()) <= 24


def test_links() -> None:
    assert link("127.0.0.1", 8765) == "http://127.0.0.1:8765/"
    assert link("2001:db8::17", 80) == "http://[2001:db8::17]:80/"
    assert links("192.0.2.7", 80) == ("http://192.0.2.7:80/",)
    assert [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "192.0.2.7", "house")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert links("127.0.0.1", 80) == links("localhost", 80) == links("::1", 80) == ()


def test_all_addresses_of_the_machine_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [ip_address(text) for text in ("192.0.2.7", "10.0.0.3", "2001:db8::17")]
    monkeypatch.setattr(addresses, "own_addresses", lambda: own)
    assert links("0.0.0.0", 80) == ("http://192.0.2.7:80/", "http://10.0.0.3:80/")
    assert links("::", 80) == ("http://[2001:db8::17]:80/",)


def test_own_addresses_are_none_that_only_this_machine_reaches() -> None:
    found = addresses.own_addresses()
    assert len(found) == len(set(found))
    assert not [own for own in found if own.is_loopback or own.is_link_local]


@pytest.mark.parametrize("host", ["", "no.such.host.invalid", "http://localhost", "300.1.1.1", "a b", "\udcff"])
def test_a_host_that_means_nothing_is_refused(host: str) -> None:
    with pytest.raises(Unreadable, match="--host is an address of this machine"):
        family(host)


def test_a_public_link_is_checked() -> None:
    assert public_link("https://games.example") == "https://games.example/"
    assert public_link("http://[2001:db8::17]:8000/") == "http://[2001:db8::17]:8000/"
    for wrong in (
        "games.example",
        "ftp://a",
        "https://",
        "https://a/b",
        "https://a?b",
        "https://a:x",
        "http://[::1",
        "https://a b",
    ):
        with pytest.raises(Unreadable, match="--public-url is as"):
            public_link(wrong)


def in_a_terminal(command: list[str], until: str, **more: str) -> str:
    """What a command shows on a terminal of 80 columns, up to some words; then it is interrupted."""
    ours, theirs = pty.openpty()
    environment = {
        **os.environ,
        "PYTHONPATH": ":".join(p for p in sys.path if p),
        "TERM": "xterm-256color",
        "COLUMNS": "80",
        **more,
    }
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as running:
        os.close(theirs)
        seen = b""
        deadline = time.monotonic() + PATIENCE
        while until not in seen.decode(errors="replace") and time.monotonic() < deadline:
            if select.select([ours], [], [], 0.5)[0]:
                seen += os.read(ours, 65536)
        running.terminate()
        running.wait(PATIENCE)
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;]*m", "", seen.decode()).replace("\r\n", "\n")


def test_the_terminal_shows_the_links_and_the_code_of_the_first(tmp_path: Path) -> None:
    main = [sys.executable, "-c", "from projectl.cli import main; main()", "serve", "--store", str(tmp_path / "g.db")]
    port = free_port()
    shown = in_a_terminal(
        [*main, "--port", str(port), "--public-url", "https://games.example", "--log-level", "info"], '"ready"'
    )
    assert f"Project L is at http://localhost:{port}/" in shown
    assert "Others reach it at https://games.example/" in shown
    drawn = [line for line in shown.splitlines() if line and set(line) <= set(INK)]
    assert decoded("\n".join(drawn)) == "https://games.example/"


def test_a_terminal_that_lacks_the_signs_of_a_code_shows_none(tmp_path: Path) -> None:
    main = [sys.executable, "-c", "from projectl.cli import main; main()", "serve", "--store", str(tmp_path / "g.db")]
    ascii_alone = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    address = ["--port", str(free_port()), "--public-url", "https://games.example", "--log-level", "info"]
    shown = in_a_terminal([*main, *address], '"ready"', **ascii_alone)
    assert "Others reach it at https://games.example/" in shown
    assert "??" not in shown


def test_the_page_is_told(tmp_path: Path) -> None:
    class Public(Server):
        def options(self) -> list[str]:
            return [*super().options(), "--public-url", "https://games.example"]

    with Server(tmp_path).start() as server:
        told = server.ask("/api/about")
        assert (told["public_url"], told["addresses"]) == ("", [])
        assert "Others reach it" not in server.said()
    with Public(tmp_path).start() as server:
        assert server.ask("/api/about")["public_url"] == "https://games.example/"
        said = [json.loads(line)["message"] for line in server.said().splitlines()]
        assert "Others reach it at https://games.example/" in said, "a file gets no picture, but JSON alone"
