"""Decisions per second of random play, on one core, against named references in the same run.

    make bench

A decision is: the legal list, a random choice from it, carrying it out. Each engine plays whole
games one after the other for the same time, in turns, and the best of its turns counts. Project L
is the 2023 base game for two, 60 rounds at most.
"""

import json
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

SECONDS = 1.0
TURNS = 5
ROOT = Path(__file__).resolve().parent.parent

Rate = Callable[[float], float]


def project_l(seconds: float) -> float:
    """This engine, the loop in its own module."""
    from projectl.core.dice import Dice
    from projectl.core.playout import random_play
    from projectl.core.rules import Rules
    from projectl.core.setup import new_game

    rules = Rules(2, max_rounds=60)
    starts = [new_game(rules, str(n)) for n in range(50)]
    dice, made, game = Dice(1), 0, 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        made += random_play(starts[game % 50].clone(), dice, 100_000)
        game += 1
    return made / (time.perf_counter() - begin)


def project_l_from_python(seconds: float) -> float:
    """This engine, the loop in plain Python as a bot author writes it."""
    from projectl import Rules, apply, legal, new_game
    from projectl.core.state import OVER

    rules = Rules(2, max_rounds=60)
    starts = [new_game(rules, str(n)) for n in range(50)]
    made, game = 0, 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        state = starts[game % 50].clone()
        game += 1
        while state.phase != OVER:
            apply(state, random.choice(legal(state)))
            made += 1
    return made / (time.perf_counter() - begin)


def python_chess(seconds: float) -> float:
    """python-chess. A game ends without legal moves or by the fifty-move counter."""
    import chess

    made = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        board = chess.Board()
        while board.halfmove_clock < 100:
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(random.choice(moves))
            made += 1
    return made / (time.perf_counter() - begin)


def open_spiel_chess(seconds: float) -> float:
    """OpenSpiel's chess: a C++ engine called from Python."""
    import pyspiel

    game = pyspiel.load_game("chess")
    made = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            made += 1
    return made / (time.perf_counter() - begin)


def in_subprocess(name: str, source: str) -> float:
    """Run one of the functions above in a fresh interpreter, with the package from `source`."""
    environment = dict(os.environ, PYTHONPATH=source) if source else dict(os.environ)
    command = [sys.executable, __file__, "--one", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def clone_nanoseconds() -> dict[str, float]:
    """The time of State.clone() in the middle of a game."""
    from projectl.core.dice import Dice
    from projectl.core.playout import random_play
    from projectl.core.rules import Rules
    from projectl.core.setup import new_game

    found = {}
    everything = ("ghost", "ambassador", "phoenix", "finesse", "line_clear")
    for name, rules in (("2 players", Rules(2)), ("6 players, all modules", Rules(6, modules=everything))):
        state = new_game(rules, "clone")
        random_play(state, Dice(1), 200)
        rounds = []
        for _ in range(7):
            begin = time.perf_counter()
            for _ in range(20_000):
                state.clone()
            rounds.append((time.perf_counter() - begin) / 20_000 * 1e9)
        found[name] = min(rounds)
    return found


def bytes_per_state() -> dict[str, int]:
    """What one more clone of a state costs, by the allocator's own count (decks are shared)."""
    import tracemalloc

    from projectl.core.dice import Dice
    from projectl.core.playout import random_play
    from projectl.core.rules import Rules
    from projectl.core.setup import new_game

    found = {}
    everything = ("ghost", "ambassador", "phoenix", "finesse", "line_clear")
    for name, rules in (("2 players", Rules(2)), ("6 players, all modules", Rules(6, modules=everything))):
        state = new_game(rules, "size")
        random_play(state, Dice(1), 200)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        kept = [state.clone() for _ in range(1000)]
        found[name] = (tracemalloc.get_traced_memory()[0] - before) // len(kept)
        tracemalloc.stop()
    return found


def import_milliseconds(source: str = "") -> float:
    """`import projectl` in a fresh interpreter, the interpreter's own start taken off."""
    environment = dict(os.environ, PYTHONPATH=source) if source else dict(os.environ)

    def start(code: str) -> float:
        times = []
        for _ in range(9):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], env=environment, check=True)
            times.append(time.perf_counter() - begin)
        return statistics.median(times) * 1000

    return start("import projectl") - start("pass")


def measure() -> dict[str, float]:
    """All rates, engine after engine, several turns, the best turn of each."""
    with TemporaryDirectory() as folder:
        pure = shutil.copytree(
            ROOT / "src" / "projectl", Path(folder) / "projectl", ignore=shutil.ignore_patterns("*.so")
        )
        jobs: dict[str, tuple[str, str]] = {
            "Project L, compiled": ("project_l", ""),
            "Project L, interpreted": ("project_l", str(pure.parent)),
            "Project L, compiled, loop in Python": ("project_l_from_python", ""),
            "python-chess": ("python_chess", ""),
            "OpenSpiel chess (C++)": ("open_spiel_chess", ""),
        }
        best = dict.fromkeys(jobs, 0.0)
        for turn in range(TURNS):
            for name, (function, source) in jobs.items():
                print(f"\r  turn {turn + 1}/{TURNS}: {name:<40}", end="", file=sys.stderr, flush=True)
                best[name] = max(best[name], in_subprocess(function, source))
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
        best["import, compiled"] = import_milliseconds()
        best["import, interpreted"] = import_milliseconds(str(pure.parent))
    return best


def main() -> None:
    """Print the table."""
    import projectl

    print(f"{date.today()}, {platform.machine()}, Python {platform.python_version()}, one core")
    if not projectl.compiled():
        print("The installed engine is not compiled: the rows that say so are interpreted too.")
    rates = measure()
    reference = rates["python-chess"]
    print(f"{'random play':<38}{'decisions/s':>14}{'x python-chess':>16}")
    for name, rate in rates.items():
        if not name.startswith("import"):
            print(f"{name:<38}{rate:>14,.0f}{rate / reference:>16.1f}")
    for name, nanoseconds in clone_nanoseconds().items():
        print(f"{'clone, ' + name:<38}{nanoseconds:>11,.0f} ns")
    for name, size in bytes_per_state().items():
        print(f"{'state, ' + name:<38}{size:>11,} bytes")
    for name in ("import, compiled", "import, interpreted"):
        print(f"{name:<38}{rates[name]:>11,.0f} ms")
    print(json.dumps({"date": str(date.today()), "rates": {k: round(v) for k, v in rates.items()}}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        chosen: Rate = {f.__name__: f for f in (project_l, project_l_from_python, python_chess, open_spiel_chess)}[
            sys.argv[2]
        ]
        print(chosen(SECONDS))
    else:
        main()
