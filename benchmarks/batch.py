"""Observations, masks and batches: microseconds, decisions a second, bytes a game. Two players, 2023, 60 rounds.

    make bench                              on one core, after the engine's figures
    python benchmarks/batch.py --processes 4     one process against threads and processes, by the clock on the wall

A decision is: a random legal choice, carrying it out, the next seat's observation and mask, the next deal where a game
ended. Times are of the processor, so that other programs on the machine disturb less; the best of several counts.
"""

import argparse
import os
import platform
import resource
import threading
import time
from array import array
from collections.abc import Callable
from datetime import date

from projectl import Rules, compiled, new_game
from projectl.core.batch import Batch
from projectl.core.dice import Dice
from projectl.core.features import MASK_SIZE, SIZE
from projectl.core.observe import mask, observe
from projectl.core.playout import random_play
from projectl.parallel import ParallelBatch

RULES = Rules(2, max_rounds=60)
SIZES = (1, 64, 4096, 65536)
ROUNDS = 7
SECONDS = 3.0
KINDS: dict[str, tuple[bool, bool]] = {  # observations, masks
    "observations, masks": (True, True),
    "masks": (False, True),
    "neither": (False, False),
}


def microseconds(call: Callable[[], None], times: int = 20_000) -> float:
    """Of one call, the best of several rounds."""
    rounds = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(times):
            call()
        rounds.append((time.process_time() - begin) / times * 1e6)
    return min(rounds)


def of_one_position() -> dict[str, float]:
    """Observing, masking and dealing, called from Python with an array of the caller."""
    state = new_game(RULES, "middle")
    random_play(state, Dice(1), 150)
    observation, marks = bytearray(SIZE), bytearray(MASK_SIZE)
    seeds = iter(range(10**9))
    return {
        "observe": microseconds(lambda: observe(state, 0, observation)),
        "mask": microseconds(lambda: mask(state, 0, marks)),
        "new_game": microseconds(lambda: void(new_game(RULES, str(next(seeds)))), 300),
    }


def void(_: object) -> None:
    """Forget it."""


def new_batch(games: int, kept: tuple[bool, bool]) -> Batch:
    """A batch that keeps observations and masks, or does not."""
    return Batch(RULES, games, 1, observations=kept[0], masks=kept[1])


def rate(games: int, kept: tuple[bool, bool]) -> float:
    """Decisions a second of random play in one process."""
    batch, dice = new_batch(games, kept), Dice(1)
    for _ in range(max(2, min(300, 100_000 // games))):
        batch.step(batch.random_decisions(dice))
    rounds = []
    steps = max(1, 60_000 // games)
    for _ in range(ROUNDS):
        begin = time.process_time()
        for _ in range(steps):
            batch.step(batch.random_decisions(dice))
        rounds.append(steps * games / (time.process_time() - begin))
    return max(rounds)


def bytes_per_game(kept: tuple[bool, bool], games: int = 8192) -> int:
    """By how much the process grows, in a process of its own."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        batch, dice = new_batch(games, kept), Dice(1)
        for _ in range(100):
            batch.step(batch.random_decisions(dice))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        os.write(writable, str(grown * 1024 // games).encode())
        os._exit(0)
    os.waitpid(child, 0)
    found = int(os.read(readable, 100))
    os.close(readable)
    os.close(writable)
    return found


# --- several cores, by the clock on the wall --------------------------------------------------


def decisions_played(games: int) -> int:
    """What one thread plays in the time."""
    batch, dice, made = Batch(RULES, games, 1), Dice(1), 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        batch.step(batch.random_decisions(dice))
        made += games
    return made


def with_threads(games: int, threads: int) -> float:
    """Decisions a second of batches in threads of one process."""
    made: list[int] = []
    running = [threading.Thread(target=lambda: made.append(decisions_played(games // threads))) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return sum(made) / SECONDS


def with_processes(games: int, processes: int) -> float:
    """Decisions a second of a ParallelBatch that is told what to play, the choosing taken off the time."""
    model, dice = Batch(RULES, games, 1), Dice(1)
    played = []
    for _ in range(max(10, 400_000 // games)):
        played.append(array("q", model.random_decisions(dice)))
        model.step(played[-1])
    with ParallelBatch(RULES, games, 1, processes=processes) as batch:
        begin = time.perf_counter()
        for decisions in played:
            batch.step(decisions)
        return len(played) * games / (time.perf_counter() - begin)


def compare(processes: int, games: int = 4096) -> None:
    """One process, threads, processes."""
    print(
        f"{games} games, observations and masks, decisions/s by the wall; load of the machine {os.getloadavg()[0]:.1f}"
    )
    print(f"{'one process':<30}{decisions_played(games) / SECONDS:>14,.0f}")
    print(f"{f'{processes} threads':<30}{with_threads(games, processes):>14,.0f}")
    for count in sorted({1, 2, processes}):
        print(f"{f'{count} processes, shared arrays':<30}{with_processes(games, count):>14,.0f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=0)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    asked = parser.parse_args()
    engine = "compiled" if compiled() else "NOT compiled"
    print(f"{date.today()}, {platform.machine()}, Python {platform.python_version()}, {engine}")
    if asked.processes:
        compare(asked.processes)
        return
    for name, found in of_one_position().items():
        print(f"{name:<38}{found:>11,.2f} us")
    sizes = "".join(f"{size:>12,}" for size in asked.sizes)
    print(f"{'batch, decisions/s by games':<28}{sizes}{'bytes/game':>14}")
    grown = {name: bytes_per_game(kept) for name, kept in KINDS.items()}  # first, while this process is small
    for name, kept in KINDS.items():
        rates = "".join(f"{rate(size, kept):>12,.0f}" for size in asked.sizes)
        print(f"{name:<28}{rates}{grown[name]:>14,}")


if __name__ == "__main__":
    main()
