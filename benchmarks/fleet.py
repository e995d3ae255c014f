"""Three server processes on PostgreSQL and Redis behind nginx, while one thing after another goes wrong.

    python benchmarks/fleet.py --players 200 --sockets 2000 --rate 300 --seconds 60

People play and others watch, all through the proxy. In the middle each server is restarted in turn, then the database
is away, then the bus. What was acknowledged is looked for in the database afterwards: all of it, each once. Servers,
database, bus, proxy and all clients share this machine. The program ends with status 1 if anything was lost or doubled,
or if a page did not come back by itself.
"""

import argparse
import asyncio
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import psycopg
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("PROJECTL_PATIENCE", "180")  # seconds; before the clients are loaded, which ask for it

from tests.server.client import Client
from tests.server.processes import ME, Postgres, Program, Redis, Server, free_port, wait_for

SERVERS = 3
_CONFIG = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
events {{ worker_connections 20000; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  upstream fleet {{ {servers} }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
      proxy_pass http://fleet; proxy_http_version 1.1; proxy_read_timeout 1h;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
    }}
  }}
}}
"""


class Proxy(Program):
    """nginx before several servers."""

    def __init__(self, folder: Path, servers: list[Server]) -> None:
        super().__init__(folder / "nginx.log")
        self.port = free_port()
        rows = " ".join(f"server 127.0.0.1:{server.port} max_fails=1 fail_timeout=1s;" for server in servers)
        self._config = folder / "nginx.conf"
        self._config.write_text(_CONFIG.format(folder=folder, servers=rows, port=self.port))
        self._folder = folder

    @property
    def socket_url(self) -> str:
        """Where its socket is."""
        return f"ws://127.0.0.1:{self.port}/api/socket"

    def __enter__(self) -> "Proxy":
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self._start([program, "-p", str(self._folder), "-c", str(self._config)])
        wait_for("nginx", lambda: self.process.poll() is None and (self._folder / "nginx.pid").exists())
        return self


class Acted(NamedTuple):
    """One action: in which phase it was said, and the seconds until it was acknowledged; None: it was refused."""

    phase: str
    seconds: float | None


class Fleet:
    """Everybody who plays and watches."""

    def __init__(self, proxy: Proxy, servers: list[Server]) -> None:
        self.proxy = proxy
        self.servers = servers
        self.phase = "before"
        self.acted: list[Acted] = []
        self.players: list[Client] = []  # at all tables so far
        self.watchers: list[Client] = []
        self.playing = True

    def _page(self, game: str, key: str, number: int) -> Client:
        found = Client(self.servers[0], game, key, f"p{number}")
        found.server = self.proxy  # type: ignore[assignment]  # all that a page needs of it is its address
        found.address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        return found

    async def arrive(self, players: int, sockets: int) -> None:
        """Tables are made, pages opened."""
        for number in range(players):
            await self._table(number)
        for number in range(players, sockets):
            game = self.players[number % players].seat.game
            self.watchers.append(await self._page(game, "", number).__aenter__())

    async def _table(self, number: int) -> Client:
        """A new table with one person on both seats, made as soon as a server can."""
        while True:
            server = self.servers[len(self.players) % SERVERS]
            try:
                key = await asyncio.to_thread(server.new_key)
                made = await asyncio.to_thread(server.table, key, ME, ME, undo=False)
                break
            except (OSError, AssertionError):  # it is away just now, or its database is
                await asyncio.sleep(0.5)
        client = await self._page(made["game"], key, number).__aenter__()
        self.players.append(client)
        return client

    async def play(self, rate: float) -> None:
        """Every player acts, at a pace that makes so many actions a second of them all."""
        pause = len(self.players) / rate
        await asyncio.gather(*(self._play(n, client, pause) for n, client in enumerate(list(self.players))))

    async def _play(self, number: int, client: Client, pause: float) -> None:
        dice = random.Random(number)
        await asyncio.sleep(dice.uniform(0, pause))
        while self.playing:
            if client.seat.over:
                client = await self._table(number)
            phase, begin = self.phase, time.perf_counter()
            answer = await client.play(dice)
            took = time.perf_counter() - begin
            self.acted.append(Acted(phase, took if isinstance(answer, int) else None))
            await asyncio.sleep(max(0.0, pause - took))

    async def back(self) -> None:
        """Until every page has everything: by itself."""
        for client in self.players:
            await client.until(lambda client=client: not client.seat.waiting)  # type: ignore[misc]
        newest = {client.seat.game: client.seat.version for client in self.players}
        for client in self.watchers:
            await client.at(newest[client.seat.game])

    def check(self, store: str) -> tuple[int, int, int]:
        """Acknowledged actions; how many of them the database lacks; how many it has twice."""
        acknowledged = lost = doubled = 0
        with psycopg.connect(store) as database:
            for client in self.players:
                wanted = "SELECT message, version FROM events WHERE game = %s AND message <> ''"
                rows = database.execute(wanted, (client.seat.game,)).fetchall()
                there: dict[str, int] = dict(rows)
                acknowledged += len(client.seat.done)
                lost += sum(there.get(name) != version for name, version in client.seat.done.items())
                doubled += len(rows) - len(there)
        return acknowledged, lost, doubled


async def troubles(fleet: Fleet, postgres: Postgres, redis: Redis, seconds: float, away: float) -> None:
    """One after the other, with quiet in between."""
    await asyncio.sleep(seconds)
    fleet.phase = "servers restarted one by one"
    for server in fleet.servers:
        await asyncio.to_thread(server.stop)
        await asyncio.to_thread(server.start)
    await asyncio.sleep(2)
    fleet.phase = f"database away for {away:.0f} s"
    await asyncio.to_thread(postgres.stop)
    await asyncio.sleep(away)
    await asyncio.to_thread(postgres.start)
    await asyncio.sleep(2)
    fleet.phase = f"bus away for {away:.0f} s"
    await asyncio.to_thread(redis.kill)
    await asyncio.sleep(away)
    await asyncio.to_thread(redis.start)
    await asyncio.sleep(2)
    fleet.phase = "after"
    await asyncio.sleep(seconds)
    fleet.playing = False


async def run(fleet: Fleet, postgres: Postgres, redis: Redis, options: argparse.Namespace) -> None:
    """All of it."""
    await fleet.arrive(options.players, options.sockets)
    trouble = asyncio.create_task(troubles(fleet, postgres, redis, options.seconds, options.away))
    await fleet.play(options.rate)
    await trouble
    await fleet.back()
    for client in (*fleet.players, *fleet.watchers):
        await client.leave()


def row(phase: str, acted: list[Acted]) -> list[str]:
    """How many, and how long they took."""
    times = sorted(one.seconds for one in acted if one.seconds is not None)
    cuts = [times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99, 1.0)] if times else []
    refused = sum(one.seconds is None for one in acted)
    return [phase, str(len(times)), *(f"{1000 * cut:.0f}" for cut in cuts or [0, 0, 0]), str(refused)]


def main() -> None:
    """Start everything, let it go wrong, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--sockets", type=int, default=2000, help="players and watchers together")
    parser.add_argument("--rate", type=float, default=300, help="actions a second")
    parser.add_argument("--seconds", type=float, default=60, help="of quiet before and after")
    parser.add_argument("--away", type=float, default=20, help="seconds without a database, and without a bus")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * options.sockets + 1000)), hard))
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        redis = running.enter_context(Redis(folder))
        postgres = running.enter_context(Postgres(durable=True))
        store = postgres.database()
        servers = [running.enter_context(Server(folder, store, bus=redis.url)).start() for _ in range(SERVERS)]
        fleet = Fleet(running.enter_context(Proxy(folder, servers)), servers)
        asyncio.run(run(fleet, postgres, redis, options))
        acknowledged, lost, doubled = fleet.check(store)
    phases = list(dict.fromkeys(one.phase for one in fleet.acted))
    title = f"{options.players} players, {len(fleet.watchers)} watchers, {SERVERS} servers behind nginx; ms to `done`"
    table = Table("phase", "actions", "p50", "p99", "worst", "refused", title=title)
    for phase in phases:
        table.add_row(*row(phase, [one for one in fleet.acted if one.phase == phase]))
    Console().print(table)
    lines = sum(len(client.closed) for client in (*fleet.players, *fleet.watchers))
    print(f"connections ended {lines} times; every page came back by itself and has its game's last version")
    print(f"acknowledged: {acknowledged}, lost: {lost}, doubled: {doubled}")
    if lost or doubled:
        sys.exit(1)


if __name__ == "__main__":
    main()
