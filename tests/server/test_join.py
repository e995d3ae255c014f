"""`projectl join`: bots of this machine at a server's tables, as at home in the arena."""

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from projectl import Unreadable, replay
from projectl.bots import Look, make
from projectl.bots.guest import Link, TableError, read_link, sit_down
from projectl.core.knowledge import known
from projectl.core.state import TOUCHES
from tests.server.processes import ME, OPEN, PATIENCE, Server, wait_for

PROGRAM = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"
BOT = {"kind": "bot", "bot": "greedy"}


@contextmanager
def started(folder: Path, link: str, *options: str) -> Iterator["subprocess.Popen[str]"]:
    """The command in a process of its own, which does not outlive the block."""
    path = ":".join(str(Path(entry).resolve()) for entry in sys.path if entry)
    environment = {**os.environ, "PYTHONPATH": path, "XDG_STATE_HOME": str(folder / "state")}
    command = [sys.executable, "-c", "from projectl.cli import main; main()", "join", link, *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True) as running:
        try:
            yield running
        finally:
            running.kill()


def invitation(server: Server, made: dict[str, Any], seat: int) -> str:
    return f"{server.url}/join/{made['game']}#{made['invites'][str(seat)]}"


@pytest.mark.parametrize("bot", ["greedy", f"program:{sys.executable} {PROGRAM}"], ids=["python", "program"])
def test_a_bot_plays_a_whole_game_over_a_restart_of_the_server(tmp_path: Path, bot: str) -> None:
    with Server(tmp_path).start() as server:
        made = server.table(server.new_key(), OPEN, BOT, options={"max_rounds": "6"}, seed="joined")
        place = f"/api/tables/{made['game']}"
        with started(tmp_path, invitation(server, made, 1), "--bot", bot, "--name", "Guest") as joined:
            wait_for("some actions", lambda: server.ask(f"{place}/state")["version"] >= 7)
            server.stop()
            server.start()
            said, complained = joined.communicate(timeout=2 * PATIENCE)
        assert (joined.returncode, complained) == (0, "")
        assert said.startswith("Guest has seat 1 at ")
        assert said.splitlines()[-1].startswith("Over. Guest: ")
        table = server.ask(place)
        assert (table["status"], table["seats"][0]["name"]) == ("over", "Guest")
        game = replay(record(server, made["game"]))
        played = [line for line in said.splitlines() if line[:2] == "1 "]
        assert played == [move.line() for move in game.moves if move.seat == 0]


def record(server: Server, game: str) -> str:
    with urllib.request.urlopen(f"{server.url}/api/tables/{game}/record", timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def test_whoever_was_interrupted_takes_the_seat_up_again(tmp_path: Path) -> None:
    with Server(tmp_path).start() as server:
        key = server.new_key()
        made = server.table(key, OPEN, ME, options={"max_rounds": "1"}, seed="kept")
        place, link = f"/api/tables/{made['game']}", invitation(server, made, 1)
        with started(tmp_path, link, "--bot", "greedy") as joined:
            wait_for("my turn", lambda: 2 in server.ask(f"{place}/state")["view"]["to_act"])
            joined.send_signal(signal.SIGINT)
            _, complained = joined.communicate(timeout=PATIENCE)
        assert joined.returncode == 130
        assert complained == "Its seat is kept: the same command goes on.\n"
        kept = tmp_path / "state" / "projectl" / "seats.json"
        assert kept.stat().st_mode & 0o077 == 0
        assert made["invites"]["1"] not in kept.read_text()
        with started(tmp_path, link, "--bot", "greedy") as joined:
            for _ in range(4):
                wait_for("my turn", lambda: 2 in server.ask(f"{place}/state")["view"]["to_act"])
                state = server.ask(f"{place}/state", key=key)
                action = "done" if state["view"]["phase"] == "touches" else "gain O1"
                body = {"id": f"me-{state['version']}", "version": state["version"], "action": action}
                server.ask(f"{place}/actions", body, key)
            said, _ = joined.communicate(timeout=PATIENCE)
        assert joined.returncode == 0
        assert said.splitlines()[-1].startswith("Over. greedy: ")


def test_a_guest_is_shown_what_its_seat_knows_and_nothing_else(tmp_path: Path) -> None:
    """Each look is the one that the arena would give in that position; in the touches others act meanwhile."""
    looks: list[Look] = []

    class Watching:
        def __init__(self) -> None:
            self.bot = make("greedy", 1)

        def decide(self, look: Look) -> int:
            looks.append(look)
            return self.bot.decide(look)

    with Server(tmp_path).start() as server:
        how = {"modules": ["ghost", "finesse"], "options": {"max_rounds": "3"}, "seed": "looks"}
        made = server.table(server.new_key(), OPEN, BOT, **how)
        guest = sit_down(read_link(invitation(server, made, 1)), "Guest")
        assert guest.play(Watching(), lambda words: None, 5.0) is not None
        whole = replay(record(server, made["game"]))
    again = replay(whole.header.text())
    asked = iter(looks)
    for move in whole.moves:
        for decision in move.decisions:
            if move.seat == 0:
                look = next(asked)
                assert (look.rules, look.seconds) == (again.header.rules, 5.0)
                here = known(again.state, 0)
                assert look.known == here or again.state.phase == TOUCHES
                assert look.known.parts["players"][0] == here.parts["players"][0]
                assert decision in look.legal
            again.decide(move.seat, decision)
    assert next(asked, None) is None
    assert len(looks) > 9


def test_what_a_seat_knows_is_for_its_owner(tmp_path: Path) -> None:
    with Server(tmp_path).start() as server:
        made = server.table(server.new_key(), ME, BOT)
        place = f"/api/tables/{made['game']}/known"
        for key in ("", server.new_key()):
            with pytest.raises(AssertionError, match=r"403.*no-seat"):
                server.ask(place, key=key)


def test_a_public_table_is_found_by_the_server_alone(tmp_path: Path) -> None:
    with Server(tmp_path).start() as server:
        with pytest.raises(TableError, match="no public table with an open seat"):
            sit_down(Link(server.url), "Guest")
        closed = server.table(server.new_key(), ME, OPEN)
        with pytest.raises(TableError, match="invitation"):
            sit_down(Link(server.url, closed["game"]), "Guest")
        made = server.table(server.new_key(), ME, OPEN, public=True)
        guest = sit_down(read_link(server.url), "Guest")
        assert (guest.table.game, guest.seat) == (made["game"], 2)
        with pytest.raises(TableError, match="no seat is open"):
            sit_down(read_link(f"{server.url}/join/{made['game']}"), "Guest")


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("http://localhost:8765/join/abc#T", Link("http://localhost:8765", "abc", "T")),
        ("https://games.example/join/abc?seat=2", Link("https://games.example", "abc", "", 2)),
        ("http://[::1]:80/table/a-b_c", Link("http://[::1]:80", "a-b_c")),
        ("http://localhost:8765", Link("http://localhost:8765")),
        ("http://localhost:8765/tables", Link("http://localhost:8765")),
    ],
)
def test_links_are_read(text: str, link: Link) -> None:
    assert read_link(text) == link


@pytest.mark.parametrize(
    "text", ["", "localhost:8765", "ftp://a/join/b", "http://", "http://a:x/", "http://a/b/c/d", "http://[::1"]
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="a table's link is as http"):
        read_link(text)
