"""A server under load: many sockets, many games, a steady stream of durable actions.

    python benchmarks/load.py --sockets 5000 --games 1500 --rate 500 --seconds 60

Starts a server of its own on a temporary store; server and load share this machine.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import deque
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.light import LightSocket, OpenGame, opening


class Heard(msgspec.Struct):
    """What the load needs of a message."""

    type: str
    id: str = ""
    code: str = ""
    version: int = 0
    legal: dict[str, list[str]] = {}


decode = msgspec.json.Decoder(Heard).decode


class Socket(LightSocket):
    """Somebody at a table."""

    def __init__(self, crowd: "Crowd", request: bytes, game: "Game", seat: int) -> None:
        super().__init__(request, crowd.heard, self._gone)
        self.crowd = crowd
        self.game = game
        self.seat = seat  # 0: a spectator
        self.open = asyncio.get_running_loop().create_future()

    def _gone(self, code: int) -> None:
        self.crowd.lost += 1
        if not self.open.done():
            self.open.set_exception(ConnectionError("closed"))


class Game(OpenGame):
    """A game of this crowd."""

    def __init__(self, name: str, keys: list[str], number: int) -> None:
        super().__init__(name, keys, number)
        self.socket: Socket | None = None  # of the player whose turn it is


class Crowd:
    """All clients."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.dice = random.Random(seed)
        self.ready: deque[Game] = deque()
        self.sent: dict[str, tuple[float, Game]] = {}
        self.times: list[float] = []
        self.refused: dict[str, int] = {}
        self.states = 0
        self.received = 0
        self.lost = 0
        self.number = 0

    def heard(self, socket: Socket, payload: bytes) -> None:
        self.received += len(payload)
        message = decode(payload)
        if message.type == "hello":
            socket.send(json.dumps({"type": "watch", "game": socket.game.name, "legal": bool(socket.seat)}).encode())
        elif message.type == "state":
            self.states += 1
            if not socket.open.done():
                socket.open.set_result(None)
            legal = message.legal.get(str(socket.seat))
            game = socket.game
            if legal and message.version > game.version:
                game.legal, game.version, game.socket = legal, message.version, socket
                self.ready.append(game)
        elif message.type == "done":
            begin, _ = self.sent.pop(message.id)
            self.times.append(time.perf_counter() - begin)
        elif message.type == "refused":
            self.refused[message.code] = self.refused.get(message.code, 0) + 1
            self.sent.pop(message.id, None)

    async def connect(self, game: Game, seat: int) -> None:
        request = opening(f"127.0.0.1:{self.port}", game.keys[seat - 1] if seat else "", address(game.number))
        loop = asyncio.get_running_loop()
        _, protocol = await loop.create_connection(lambda: Socket(self, request, game, seat), "127.0.0.1", self.port)
        await asyncio.wait_for(protocol.open, 30)

    def act(self) -> bool:
        """One action in the game that has waited longest; False if none is ready."""
        if not self.ready:
            return False
        game = self.ready.popleft()
        assert game.socket is not None
        self.number += 1
        name = str(self.number)
        action = self.dice.choice(game.legal)
        self.sent[name] = (time.perf_counter(), game)
        message = {"type": "act", "game": game.name, "id": name, "version": game.version, "action": action}
        game.socket.send(json.dumps(message).encode())
        return True


def make_game(port: int, number: int) -> Game:
    """A table with two people, each with a key of their own."""
    keys = [str(ask(port, "/api/keys", {}, "", number)["key"]) for _ in (1, 2)]
    made = ask(port, "/api/tables", {"players": 2, "seats": [{"kind": "me"}]}, keys[0], number)
    ask(port, f"/api/tables/{made['game']}/join", {"invite": made["invites"]["2"]}, keys[1], number)
    return Game(made["game"], keys, number)


def address(number: int) -> str:
    """Where the people of a game are, as a proxy on this machine would say."""
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


def ask(port: int, path: str, body: dict[str, Any], key: str, number: int) -> dict[str, Any]:
    """A POST request, with a key if there is one."""
    headers = {"content-type": "application/json", "x-forwarded-for": address(number)}
    headers |= {"authorization": f"Bearer {key}"} if key else {}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers)
    for _ in range(100):
        try:
            with urllib.request.urlopen(request) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise
            time.sleep(0.2)
    raise RuntimeError("the server never had time")


def start_server(folder: str, port: int) -> subprocess.Popen[bytes]:
    """A server on a fresh store."""
    command = Path(sys.executable).with_name("projectl")
    with open(Path(folder) / "server.log", "wb") as log:
        server = subprocess.Popen(
            [command, "serve", "--port", str(port), "--store", f"{folder}/games.db", "--log-level", "warning"],
            stderr=log,
        )
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health").close()
            return server
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start")


def memory(pid: int) -> float:
    """The most memory a process has used, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1000
    return 0.0


def processor(pid: int) -> float:
    """Seconds of processor time."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def run(options: argparse.Namespace, port: int, pid: int) -> tuple[Crowd, list[float], float, float]:
    crowd = Crowd(port, 1)
    with Progress() as progress:
        making = progress.add_task("games", total=options.games)
        games: list[Game] = []
        for number in range(options.games):
            games.append(make_game(port, number))
            progress.advance(making)
        joining = progress.add_task("sockets", total=options.sockets)
        places = [(game, seat) for seat in (1, 2, 0) for game in games]
        while len(places) < options.sockets:
            places += [(game, 0) for game in games]
        for begin in range(0, options.sockets, 50):
            some = places[begin : min(begin + 50, options.sockets)]
            await asyncio.gather(*(crowd.connect(game, seat) for game, seat in some))
            progress.advance(joining, len(some))
        acting = progress.add_task("seconds", total=options.seconds)
        crowd.times.clear()
        crowd.received = crowd.states = 0
        before = processor(pid)
        started = time.perf_counter()
        sent = 0
        while (now := time.perf_counter() - started) < options.seconds:
            while sent < now * options.rate and crowd.act():
                sent += 1
            progress.update(acting, completed=now)
            await asyncio.sleep(0.002)
        used = processor(pid) - before
        await asyncio.sleep(1)
    return crowd, sorted(crowd.times), used, time.perf_counter() - started - 1


def at(times: list[float], share: float) -> str:
    return f"{times[min(len(times) - 1, int(len(times) * share))] * 1000:.1f} ms"


def main() -> None:
    reader = argparse.ArgumentParser(description="A server under load.")
    reader.add_argument("--sockets", type=int, default=5000)
    reader.add_argument("--games", type=int, default=1500)
    reader.add_argument("--rate", type=int, default=500, help="actions a second")
    reader.add_argument("--seconds", type=int, default=60)
    reader.add_argument("--port", type=int, default=8790)
    options = reader.parse_args()
    gc.disable()  # pauses of the load itself are not the server's
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, options.sockets + 1000)), hard))
    with tempfile.TemporaryDirectory() as folder:
        server = start_server(folder, options.port)
        try:
            import uvloop

            crowd, times, used, seconds = uvloop.run(run(options, options.port, server.pid))
            most = memory(server.pid)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
        size = (Path(folder) / "games.db").stat().st_size
    grid = Grid("", f"{options.sockets} sockets, {options.games} games, {options.rate} actions/s asked for")
    grid.add_row("durable actions a second", f"{len(times) / seconds:.0f}")
    grid.add_row("acknowledged, p50", at(times, 0.5))
    grid.add_row("acknowledged, p99", at(times, 0.99))
    grid.add_row("acknowledged, worst", f"{times[-1] * 1000:.1f} ms (mean {statistics.mean(times) * 1000:.1f} ms)")
    grid.add_row("memory of the server", f"{most:.0f} MB")
    grid.add_row("its processor time", f"{used / seconds:.0%} of a core, {used / len(times) * 1000:.2f} ms an action")
    grid.add_row(
        "states sent", f"{crowd.states / seconds:.0f} a second, {crowd.received / crowd.states:.0f} bytes each"
    )
    grid.add_row("refused, lost, unanswered", f"{crowd.refused or 0}, {crowd.lost}, {len(crowd.sent)}")
    grid.add_row("store", f"{size / 1000 / len(times):.2f} kB an action")
    Console().print(grid)


if __name__ == "__main__":
    main()
