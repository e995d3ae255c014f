"""One client floods the server: how long until it is cut off, and what the players beside it notice.

    python benchmarks/flood.py --players 60 --seconds 30

A client that is cut off comes back at once, again and again. It runs in a process of its own, on this machine.
"""

import argparse
import asyncio
import multiprocessing
import random
import statistics
import sys
import tempfile
import time
from multiprocessing.queues import Queue
from pathlib import Path

from rich.console import Console
from rich.table import Table
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.client import Client
from tests.server.processes import ME, Server

PAUSE = 0.2  # seconds between the actions of one player

Cut = tuple[float, int, int]  # seconds until it was cut off, messages sent until then, the closing code


def flood(address: str, seconds: float, cuts: "Queue[Cut]") -> None:
    """As many messages as the line takes, for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begin, sent = time.perf_counter(), 0
        try:
            with connect(address, compression=None, proxy=None, max_queue=None) as socket:
                begin = time.perf_counter()
                while time.monotonic() < end:
                    socket.send('{"type":"ping","id":"flood"}')
                    sent += 1
        except ConnectionClosed:
            cuts.put((time.perf_counter() - begin, sent, socket.close_code or 0))
        except (InvalidHandshake, OSError):  # it is not let in again so soon
            cuts.put((time.perf_counter() - begin, 0, 0))


async def play(client: Client, seconds: float, dice: random.Random) -> list[float]:
    """Seconds from each action to its `done`."""
    found: list[float] = []
    end = time.monotonic() + seconds
    await asyncio.sleep(dice.uniform(0, PAUSE))
    while time.monotonic() < end and not client.seat.over:
        begin = time.perf_counter()
        answer = await client.answer(client.seat.act_somehow(dice))
        found.append(time.perf_counter() - begin)
        assert isinstance(answer, int), answer
        await client.at(answer)
        await asyncio.sleep(PAUSE)
    return found


async def measure(server: Server, players: int, seconds: float) -> list[float]:
    """All players' seconds from an action to its `done`."""
    clients: list[Client] = []
    for _ in range(players):
        key = server.new_key()
        clients.append(await Client(server, server.table(key, ME, ME)["game"], key).__aenter__())
    found = await asyncio.gather(*(play(client, seconds, random.Random(n)) for n, client in enumerate(clients)))
    for client in clients:
        assert not client.closed, "a player lost the connection"
        await client.leave()
    return [second for each in found for second in each]


def row(name: str, seconds: list[float]) -> list[str]:
    """How many, p50, p99 and the worst in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    return [name, str(len(seconds)), *(f"{1000 * found:.1f}" for found in (cuts[49], cuts[98], max(seconds)))]


def main() -> None:
    """Measure without and with the flooding client, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    cuts: Queue[Cut] = context.Queue()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)).start() as server:
        asyncio.run(measure(server, options.players, 1.0))
        alone = asyncio.run(measure(server, options.players, options.seconds))
        flooding = context.Process(target=flood, args=(server.socket_url, options.seconds + 2, cuts))
        flooding.start()
        first = cuts.get(timeout=60)
        beside = asyncio.run(measure(server, options.players, options.seconds))
        found = [first]
        while flooding.is_alive() or not cuts.empty():
            if not cuts.empty():
                found.append(cuts.get())
            flooding.join(0.001)
    table = Table("milliseconds", "actions", "p50", "p99", "worst", title=f"{options.players} players, act to done")
    table.add_row(*row("alone", alone))
    table.add_row(*row("beside the flood", beside))
    Console().print(table)
    times = sorted(cut[0] for cut in found if cut[2] == 4429)
    middle = 1000 * statistics.median(times)
    print(
        f"cut off with 4429: {len(times)} times, after {middle:.1f} ms at the median, {1000 * times[-1]:.1f} ms at most"
    )
    sent = [cut[1] for cut in found if cut[2] == 4429]
    print(
        f"messages until then: {statistics.median(sent):.0f} at the median; {len(found) - len(times)} times not let in"
    )


if __name__ == "__main__":
    main()
