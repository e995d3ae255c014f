"""Three server processes on PostgreSQL and Valkey (or Redis) behind nginx, while one thing after another goes wrong.

    python benchmarks/fleet.py --sockets 10000 --games 3000 --rate 1000 --seconds 60
    python benchmarks/fleet.py --calm                # nothing goes wrong: how much is possible?

Two people play each game, at pages of their own, and others watch, all through the proxy. In the middle each server is
restarted in turn, then the database is away, then the bus. A page comes back as the real one does, and says again what
was not answered; it does not ask for signs of life. What was acknowledged is looked for in the database afterwards: all
of it, each once. Servers, database, bus, proxy and all pages share this machine. The program ends with status 1 if
anything was lost or doubled, or if a page did not come back by itself.
"""

import argparse
import asyncio
import gc
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import uvloop
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("PROJECTL_PATIENCE", "180")  # seconds; before the programs are loaded, which ask for it

from benchmarks.light_page import HOSTS, Acted, Game, Page
from benchmarks.load import ask
from tests.server.client import prefer
from tests.server.processes import Postgres, Program, Redis, Server, free_port, wait_for

SERVERS: Final = 3
BEHIND: Final = 0.2  # seconds of actions that are caught up with when they could not be said in time
BACK: Final = 120.0  # seconds in which every page has to be back
_CONFIG = """
daemon off; worker_processes 2; worker_rlimit_nofile {files};
pid {folder}/nginx.pid; error_log {folder}/nginx-error.log;
events {{ worker_connections {connections}; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
  upstream fleet {{ {servers} }}
  server {{
    {listen}
    location / {{
      proxy_pass http://fleet; proxy_http_version 1.1; proxy_connect_timeout 2s; proxy_read_timeout 1h;
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

    def __init__(self, folder: Path, servers: list[Server], sockets: int) -> None:
        super().__init__(folder / "nginx.log")
        self.port = free_port()
        rows = " ".join(f"server 127.0.0.1:{server.port} max_fails=0;" for server in servers)
        listen = " ".join(f"listen 127.0.0.{n}:{self.port} reuseport backlog=4096;" for n in range(1, HOSTS + 1))
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        connections = min(files, 4 * sockets + 1000)
        self._config = folder / "nginx.conf"
        self._config.write_text(
            _CONFIG.format(folder=folder, servers=rows, listen=listen, files=files, connections=connections)
        )
        self._folder = folder

    def __enter__(self) -> "Proxy":
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self._start([program, "-p", str(self._folder), "-c", str(self._config)])
        wait_for("nginx", lambda: self.process.poll() is None and (self._folder / "nginx.pid").exists())
        return self


class Fleet:
    """Everybody who plays and watches."""

    def __init__(self, proxy: Proxy, servers: list[Server]) -> None:
        self.proxy = proxy
        self.servers = servers
        self.phase = "before"
        self.acted: list[Acted] = []
        self.games: list[Game] = []
        self.pages: list[Page] = []
        self.ready: deque[Game] = deque()
        self.states = 0
        self.gaps = 0
        self.ended: Counter[int] = Counter()  # connections, by closing code
        self.playing = True
        self.leaving = False
        self._dice = random.Random(1)
        self._number = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Any) -> None:
        """Something that runs by itself."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _table(self, number: int) -> Game:
        """A table with two people, each with a key of their own."""
        port = self.servers[number % SERVERS].port
        keys = [str(ask(port, "/api/keys", {}, "", number)["key"]) for _ in (1, 2)]
        made = ask(port, "/api/tables", {"players": 2, "seats": [{"kind": "me"}]}, keys[0], number)
        ask(port, f"/api/tables/{made['game']}/join", {"invite": made["invites"]["2"]}, keys[1], number)
        return Game(made["game"], keys, number)

    async def arrive(self, games: int, sockets: int) -> None:
        """Tables are made, pages opened."""
        with ThreadPoolExecutor(4) as people:
            self.games = list(
                await asyncio.gather(
                    *(
                        asyncio.get_running_loop().run_in_executor(people, self._table, number)
                        for number in range(games)
                    )
                )
            )
        seats = [1, 2] + [0] * (sockets // games)
        places = [(game, seat) for seat in seats for game in self.games][:sockets]
        self.pages = [Page(self, game, seat, number) for number, (game, seat) in enumerate(places)]
        for begin in range(0, sockets, 50):
            some = self.pages[begin : begin + 50]
            await asyncio.gather(*(page.connect() for page in some))
            await self.until(some)

    async def until(self, pages: list[Page], patience: float = BACK) -> int:
        """Wait for pages to be there; how many are not."""
        deadline = time.perf_counter() + patience
        while (missing := sum(not page.there for page in pages)) and time.perf_counter() < deadline:
            await asyncio.sleep(0.02)
        return missing

    async def play(self, rate: float) -> None:
        """So many actions a second, whatever becomes of them; who could not be asked in time is left out."""
        before = looked = time.perf_counter()
        owed = 0.0
        while self.playing:
            await asyncio.sleep(0.002)
            now = time.perf_counter()
            owed = min(owed + (now - before) * rate, BEHIND * rate)
            before = now
            while owed >= 1 and self.ready:
                self._act(self.ready.popleft())
                owed -= 1
            if now - looked > 1:
                looked = now
                for page in self.pages:
                    page.look(now)

    def _act(self, game: Game) -> None:
        assert game.mover is not None
        self._number += 1
        game.mover.act(str(self._number), prefer(game.legal, self._dice))

    async def back(self, store: str) -> int:
        """Until every page has everything, by itself; how many do not."""
        deadline = time.perf_counter() + BACK
        while any(page.waiting for page in self.pages) and time.perf_counter() < deadline:
            await asyncio.sleep(0.1)
            for page in self.pages:
                page.look(time.perf_counter())
        newest = dict(rows(store, "SELECT game, max(version) FROM events GROUP BY game"))
        while (missing := self._lacking(newest)) and time.perf_counter() < deadline:
            await asyncio.sleep(0.1)
        return missing

    def _lacking(self, newest: dict[str, int]) -> int:
        return sum(not self._has_all(page, newest) for page in self.pages)

    def _has_all(self, page: Page, newest: dict[str, int]) -> bool:
        return page.there and not page.waiting and page.version == newest[page.game.name]

    def leave(self) -> None:
        """Pages are closed."""
        self.leaving = True
        for page in self.pages:
            if page.socket:
                page.socket.transport.abort()


class Checked(NamedTuple):
    """What the database has of what was acknowledged."""

    acknowledged: int
    lost: int
    doubled: int
    refused_and_done: int


def rows(store: str, question: str) -> list[Any]:
    """What the database says."""
    with psycopg.connect(store) as database:
        return database.execute(question).fetchall()


def check(games: list[Game], store: str) -> Checked:
    """Every acknowledged action, in the database, once."""
    there: dict[str, dict[str, int]] = {game.name: {} for game in games}
    doubled = 0
    for game, message, version in rows(store, "SELECT game, message, version FROM events WHERE message <> ''"):
        doubled += message in there[game]
        there[game][message] = version
    lost = sum(there[game.name].get(name) != version for game in games for name, version in game.done.items())
    again = sum(name in there[game.name] for game in games for name in game.refused)
    return Checked(sum(len(game.done) for game in games), lost, doubled, again)


# --- the machine ------------------------------------------------------------------------------


class Used(NamedTuple):
    """What programs have used so far."""

    at: float
    seconds: dict[str, float]  # of processor time
    memory: dict[str, float]  # MB


def used(programs: dict[str, list[Program]]) -> Used:
    """By all processes of each program; `pages` is this process, what stands under no name is not of this."""
    names = {each.process.pid: name for name, some in programs.items() for each in some} | {os.getpid(): "pages"}
    stats: dict[int, list[str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            stats[int(folder.name)] = (folder / "stat").read_text().rsplit(")", 1)[1].split()
    seconds: dict[str, float] = defaultdict(float)
    memory: dict[str, float] = defaultdict(float)
    for pid, fields in stats.items():
        name = next((names[one] for one in _line(pid, stats) if one in names), "")
        seconds[name] += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        memory[name] += int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return Used(time.perf_counter(), seconds, memory)


def _line(pid: int, stats: dict[int, list[str]]) -> Iterator[int]:
    """A process, and those it comes from."""
    while pid in stats:
        yield pid
        pid = int(stats[pid][1])


class Troubles:
    """One after the other, with quiet in between."""

    def __init__(self, fleet: Fleet, postgres: Postgres, redis: Redis, options: argparse.Namespace) -> None:
        self.fleet = fleet
        self.postgres = postgres
        self.redis = redis
        self.seconds: float = options.seconds
        self.away: float = options.away
        self.calm: bool = options.calm
        self.programs: dict[str, list[Program]] = {
            "servers": [*fleet.servers],
            "database": [postgres],
            "bus": [redis],
            "proxy": [fleet.proxy],
        }
        self.took: dict[str, float] = {}  # seconds, by phase
        self.shares: dict[str, dict[str, float]] = {}  # of a core, by phase and program
        self.memory: dict[str, float] = {}
        self.states = 0.0  # a second, before

    async def run(self) -> None:
        """All of them, then nobody plays any more."""
        await self._quiet("before")
        self.states = self.fleet.states / self.took["before"]
        if not self.calm:
            await self._phase("servers restarted one by one", self._restart())
            await self._phase(
                f"database away for {self.away:.0f} s", self._without(self.postgres.stop, self.postgres.start)
            )
            await self._phase(f"bus away for {self.away:.0f} s", self._without(self.redis.kill, self.redis.start))
            await self._quiet("after")
        self.fleet.playing = False

    async def _phase(self, name: str, work: Any) -> None:
        self.fleet.phase = name
        begin = time.perf_counter()
        await work
        self.took[name] = time.perf_counter() - begin

    async def _quiet(self, name: str) -> None:
        begin = used(self.programs)
        self.fleet.states = 0
        await self._phase(name, asyncio.sleep(self.seconds))
        end = used(self.programs)
        self.memory = end.memory
        self.shares[name] = {
            program: (seconds - begin.seconds[program]) / (end.at - begin.at)
            for program, seconds in end.seconds.items()
        }

    async def _restart(self) -> None:
        for server in self.fleet.servers:
            assert await asyncio.to_thread(server.signal, signal.SIGTERM) == 0, server.said()
            await asyncio.to_thread(server.start)
        await asyncio.sleep(2)

    async def _without(self, stop: Any, start: Any) -> None:
        await asyncio.to_thread(stop)
        await asyncio.sleep(self.away)
        await asyncio.to_thread(start)
        await asyncio.sleep(2)


async def run(fleet: Fleet, troubles: Troubles, store: str, options: argparse.Namespace) -> int:
    """All of it; how many pages did not come back."""
    await fleet.arrive(options.games, options.sockets)
    _, _ = await asyncio.gather(fleet.play(options.rate), troubles.run())
    missing = await fleet.back(store)
    fleet.leave()
    return missing


def row(phase: str, acted: list[Acted], seconds: float) -> list[str]:
    """How many, and how long they took."""
    times = sorted(one.seconds for one in acted if not one.refused)
    cuts = [times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99, 1.0)] if times else []
    codes = Counter(one.refused for one in acted if one.refused)
    refused = ", ".join(f"{code} {count}" for code, count in codes.most_common())
    return [
        phase,
        f"{seconds:.0f} s",
        f"{len(times) / seconds:.0f}",
        *(f"{1000 * cut:.0f}" for cut in cuts or [0, 0, 0]),
        refused or "0",
    ]


def show(fleet: Fleet, troubles: Troubles, options: argparse.Namespace) -> None:
    """What was seen."""
    title = (
        f"{len(fleet.pages)} pages at {len(fleet.games)} games, {options.rate:.0f} actions a second asked for, "
        f"{SERVERS} servers behind nginx; ms to `done`"
    )
    table = Table("phase", "lasted", "actions/s", "p50", "p99", "worst", "refused", title=title)
    for phase, took in troubles.took.items():
        table.add_row(*row(phase, [one for one in fleet.acted if one.phase == phase], took))
    Console(width=160).print(table)
    for phase, shares in troubles.shares.items():
        parts = ", ".join(f"{name or 'everything else here'} {share:.0%}" for name, share in shares.items())
        print(f"of a core, {phase}: {parts}")
    print("MB in the end:", ", ".join(f"{name} {much:.0f}" for name, much in troubles.memory.items() if name))
    ended = ", ".join(f"{code or 'without a word'}: {count}" for code, count in sorted(fleet.ended.items()))
    print(f"states a second, before: {troubles.states:.0f}; connections ended ({ended or 'none'}), gaps {fleet.gaps}")


def main() -> None:
    """Start everything, let it go wrong, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, default=2000, help="players and watchers together")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--rate", type=float, default=200, help="actions a second")
    parser.add_argument("--seconds", type=float, default=60, help="of quiet before and after")
    parser.add_argument("--away", type=float, default=20, help="seconds without a database, and without a bus")
    parser.add_argument("--calm", action="store_true", help="nothing goes wrong")
    options = parser.parse_args()
    gc.disable()  # pauses of the pages here are not the servers'
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"{time.strftime('%d %B %Y, %H:%M')}, load average {os.getloadavg()[0]:.1f}", flush=True)
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        redis = running.enter_context(Redis(folder))
        postgres = running.enter_context(Postgres(durable=True))
        store = postgres.database()
        more = ["--log-level", "warning"]
        servers = [
            running.enter_context(Server(folder, store, bus=redis.url, more=more)).start() for _ in range(SERVERS)
        ]
        fleet = Fleet(running.enter_context(Proxy(folder, servers, options.sockets)), servers)
        troubles = Troubles(fleet, postgres, redis, options)
        missing = uvloop.run(run(fleet, troubles, store, options))
        found = check(fleet.games, store)
        said = Counter(json.loads(line)["message"][:70] for server in servers for line in server.complaints())
    show(fleet, troubles, options)
    print(
        "in the servers' logs:",
        ", ".join(f"{count} x `{line}`" for line, count in said.most_common(8)) or "nothing",
    )
    print(f"pages that did not come back with everything: {missing} of {len(fleet.pages)}")
    print(
        f"acknowledged: {found.acknowledged}, lost: {found.lost}, doubled: {found.doubled}; "
        f"refused, and done all the same: {found.refused_and_done}"
    )
    if found.lost or found.doubled or missing:
        sys.exit(1)


if __name__ == "__main__":
    main()
