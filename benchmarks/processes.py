"""Two server processes behind PostgreSQL and Redis: from an action at one to the new state at the other.

    python benchmarks/processes.py --actions 500

PostgreSQL syncs to disk as it does in service; clients, servers and store share this machine.
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.client import Client
from tests.server.processes import ME, Postgres, Redis, Server

PAUSE = 0.04  # seconds between actions: one client may say 30 things a second


async def measure(one: Server, two: Server, actions: int) -> tuple[list[float], list[float]]:
    """Seconds until the sender's `done`, and until the other process's client has the state."""
    dice = random.Random(1)
    done: list[float] = []
    seen: list[float] = []
    while len(seen) < actions:
        key = one.new_key()
        game = one.table(key, ME, ME)["game"]
        async with Client(one, game, key, "one") as sender, Client(two, game, key, "two") as receiver:
            while not sender.seat.over and len(seen) < actions:
                begin = time.perf_counter()
                answer = await sender.answer(sender.seat.act_somehow(dice))
                done.append(time.perf_counter() - begin)
                assert isinstance(answer, int), answer
                await receiver.at(answer)
                seen.append(time.perf_counter() - begin)
                await sender.at(answer)
                await asyncio.sleep(PAUSE)
    return done, seen


def row(name: str, seconds: list[float]) -> list[str]:
    """p50, p99 and the worst, in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    return [name, *(f"{1000 * found:.1f}" for found in (cuts[49], cuts[98], max(seconds)))]


def main() -> None:
    """Start everything, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actions", type=int, default=500)
    actions = parser.parse_args().actions
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        redis = running.enter_context(Redis(folder))
        store = running.enter_context(Postgres(durable=True)).database()
        one, two = (running.enter_context(Server(folder, store, bus=redis.url)).start() for _ in range(2))
        done, seen = asyncio.run(measure(one, two, actions))
    table = Table("milliseconds", "p50", "p99", "worst", title=f"{actions} actions, two processes, PostgreSQL, Redis")
    table.add_row(*row("act to done, same process", done))
    table.add_row(*row("act to state, other process", seen))
    Console().print(table)


if __name__ == "__main__":
    main()
