"""A server that is killed thousands of times under load: what was acknowledged stands, once, and every game goes on.

    nice -n 15 python benchmarks/kills.py --kills 10000 --at-once 4

Several servers at once, each on a store of its own, which is a new one after so many kills. Servers are forked from a
process that has loaded the program already. After each kill the store is held against what its clients were told. The
program ends at the first thing that was lost, done twice or not as it was told.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.kills import Tally, kill_again_and_again
from tests.server.processes import WarmServer


async def portion(seed: int, kills: int) -> Tally:
    """So many kills on one store."""
    with tempfile.TemporaryDirectory() as folder:
        server = WarmServer(Path(folder))
        with await asyncio.to_thread(server.start):
            tally = await kill_again_and_again(server, Path(folder) / "games.db", kills, random.Random(seed))
            assert server.complaints() == []
    return tally


class Kills:
    """All of them."""

    def __init__(self, wanted: int, each: int, seed: int) -> None:
        self._left = wanted
        self._each = each
        self._seed = seed
        self._began = time.monotonic()
        self._seen = Tally(0, 0)

    async def line(self) -> None:
        """One server after another."""
        while self._left > 0:
            kills = min(self._each, self._left)
            self._left -= kills
            self._seed += 1
            found = await portion(self._seed, kills)
            self._seen = Tally(*map(sum, zip(self._seen, found, strict=True)))
            took = time.monotonic() - self._began
            print(
                f"{self._seen.kills} kills, {self._seen.acknowledged} acknowledged actions, none lost, "
                f"none doubled; {took:.0f} s, {took / self._seen.kills:.2f} s a kill",
                flush=True,
            )


async def run(options: argparse.Namespace) -> None:
    """Several at once."""
    kills = Kills(options.kills, options.each, options.seed)
    await asyncio.gather(*(kills.line() for _ in range(options.at_once)))


def main() -> None:
    """Kill, look, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=2, help="servers")
    parser.add_argument("--each", type=int, default=100, help="kills of a server on one store")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
