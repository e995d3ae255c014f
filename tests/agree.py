"""Compiled and interpreted engine side by side on random games, decision by decision.

make agree          10,000 games
"""

import hashlib
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from projectl.core.state import State

ROOT = Path(__file__).resolve().parent.parent


def trace_digests(first: int, count: int) -> list[str]:
    """A digest of each random game in this interpreter: decisions, position keys, now and then what a seat observes."""
    from projectl.core.dice import Dice
    from projectl.core.playout import random_trace
    from projectl.core.setup import new_game
    from tests.configurations import random_rules

    found: list[str] = []
    for number in range(first, first + count):
        dice = random.Random(number)
        state = new_game(random_rules(dice), str(number))
        digest = hashlib.sha256()
        moves = Dice(number)
        for _ in range(8):
            digest.update(repr((random_trace(state, moves, 50), state.key())).encode())
            for content in observations(state):
                digest.update(content)
        found.append(digest.hexdigest())
    return found


def observations(state: "State") -> list[bytearray]:
    """What every seat observes and may decide."""
    from projectl.core.features import MASK_SIZE, SIZE
    from projectl.core.observe import mask, observe

    found: list[bytearray] = []
    for seat in range(len(state.players)):
        observation, marks = bytearray(SIZE), bytearray(MASK_SIZE)
        observe(state, seat, observation)
        mask(state, seat, marks)
        found += [observation, marks]
    return found


def _run(source: Path | None, first: int, count: int) -> tuple[bool, list[str]]:
    """The digests in a fresh interpreter: with the package of `source`, else the installed one."""
    path = os.pathsep.join([str(source), str(ROOT)] if source else [str(ROOT)])
    command = [sys.executable, "-m", "tests.agree", "--trace", str(first), str(count)]
    environment = dict(os.environ, PYTHONPATH=path)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    compiled, *digests = done.stdout.split()
    return compiled == "True", digests


def disagreements(count: int, first: int = 0, step: int = 500) -> tuple[bool, list[int]]:
    """Whether the installed engine is compiled, and the games in which the two differ."""
    wrong: list[int] = []
    compiled = False
    with TemporaryDirectory() as folder:
        pure = shutil.copytree(
            ROOT / "src" / "projectl", Path(folder) / "projectl", ignore=shutil.ignore_patterns("*.so")
        )
        for start in range(first, first + count, step):
            size = min(step, first + count - start)
            compiled, one = _run(None, start, size)
            pure_compiled, other = _run(pure.parent, start, size)
            assert not pure_compiled
            assert len(one) == len(other) == size
            wrong += [start + n for n in range(size) if one[n] != other[n]]
            print(f"\r{start + size - first}/{count} games, {len(wrong)} differ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return compiled, wrong


def main() -> None:
    """Compare, or print the digests of one interpreter."""
    if sys.argv[1] == "--trace":
        import projectl

        print(projectl.compiled(), *trace_digests(int(sys.argv[2]), int(sys.argv[3])))
        return
    compiled, wrong = disagreements(int(sys.argv[1]))
    print(f"{'compiled' if compiled else 'NOT compiled'} against interpreted, {sys.argv[1]} games: {len(wrong)} differ")
    sys.exit(1 if wrong or not compiled else 0)


if __name__ == "__main__":
    main()
