"""Strangers ask a server 100,000 different things: its memory stays what it was.

    python benchmarks/soak.py --requests 100000

Nobody of them has a seat. Each request comes from an address of its own, with an invented key; what they ask for is
random too: cards of their own, records, tables that are not there, sockets. The program ends with status 1 if the
server's memory at the end is more than a fifth above what it was after the first 5,000.
"""

import argparse
import asyncio
import json
import random
import secrets
import sys
import tempfile
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.processes import Server

LINES = 8  # connections at once
FIRST = 5000
MOST = 1.2


def memory(pid: int) -> float:
    """What a process uses now, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith("VmRSS"))


def request(dice: random.Random) -> bytes:
    """Something that anybody may ask."""
    game = secrets.token_urlsafe(12)
    shape = ["##.##", "#...#", "##..#", "#..##", "#.###"]
    cards = [f"C{dice.randrange(10**8)} W {dice.randrange(6)} O1 ##### {dice.choice(shape)} ##### ##### #####"]
    path, body = dice.choice(
        [
            ("/", None),
            ("/api/about", None),
            ("/api/mine", None),
            ("/api/tables", None),
            (f"/api/tables/{game}/state?since={dice.randrange(1000)}", None),
            (f"/{secrets.token_hex(8)}", None),
            ("/api/check", {"players": 2, "cards": cards}),
            ("/api/check", {"players": dice.randrange(9), "edition": secrets.token_hex(3)}),
            ("/api/keys", {}),
            (f"/api/tables/{game}/join", {"invite": secrets.token_urlsafe(24)}),
            (f"/api/tables/{game}/actions", {"id": game, "version": 0, "action": secrets.token_hex(4)}),
            ("/api/replay", {"record": f"players: 2\nseed: {game}\n1 gain O1\n"}),
            ("/api/socket", None),
        ]
    )
    data = b"" if body is None else json.dumps(body).encode()
    lines = [
        f"{'GET' if body is None else 'POST'} {path} HTTP/1.1",
        "host: soak",
        f"x-forwarded-for: 10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(256)}",
        f"cookie: projectl={secrets.token_urlsafe(36)}",
    ]
    if path == "/api/socket":
        lines += ["upgrade: websocket", "connection: upgrade", "sec-websocket-version: 13"]
        lines.append("sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==")
    if body is not None:
        lines += ["content-type: application/json", f"content-length: {len(data)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


class Strangers:
    """All of them."""

    def __init__(self, server: Server, requests: int) -> None:
        self.server = server
        self.left = requests
        self.done = 0
        self.answers: Counter[int] = Counter()
        self.seen: dict[int, float] = {}  # requests so far: memory

    async def run(self, every: int) -> None:
        """All requests; the memory now and then."""
        lines = [asyncio.create_task(self._line(random.Random(n))) for n in range(LINES)]
        while not all(line.done() for line in lines):
            await asyncio.wait(lines, timeout=0.05)
            if (self.done >= FIRST and not self.seen) or (self.seen and self.done - max(self.seen) >= every):
                self.seen[self.done] = memory(self.server.process.pid)
        await asyncio.gather(*lines)
        self.seen[self.done] = memory(self.server.process.pid)

    async def _line(self, dice: random.Random) -> None:
        reader: asyncio.StreamReader | None = None
        writer: asyncio.StreamWriter | None = None
        while self.left > 0:
            self.left -= 1
            if writer is None or reader is None:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            writer.write(request(dice))
            status, again = await _answer(reader)
            self.answers[status] += 1
            self.done += 1
            if not again:
                writer.close()
                writer = None


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bool]:
    """The status, and whether the connection can be used again."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split(" ", 2)[1])
    if status == 101:
        return status, False
    length = next((line.split(":")[1] for line in head.split("\r\n") if line.startswith("content-length:")), None)
    if length is None:
        return status, False
    await reader.readexactly(int(length))
    return status, "connection: close" not in head


def main() -> None:
    """Ask, look, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)).start() as server:
        strangers = Strangers(server, options.requests)
        asyncio.run(strangers.run(max(1, options.requests // 5)))
        server.stop()
    table = Table("requests", "memory", title=f"{options.requests} requests of strangers")
    for number, used in strangers.seen.items():
        table.add_row(str(number), f"{used:.0f} MB")
    Console().print(table)
    print("answers:", ", ".join(f"{status}: {count}" for status, count in sorted(strangers.answers.items())))
    first, *_, last = strangers.seen.values()
    print(f"after the first {FIRST}: {first:.1f} MB, at the end: {last:.1f} MB ({last / first - 1:+.1%})")
    if last > first * MOST:
        sys.exit(1)


if __name__ == "__main__":
    main()
