"""Weights that were trained: `neural` with them against a bot, or against other weights, in all other seats.

    python benchmarks/weights.py FOLDER/weights.npz --against planner --games 300
    python benchmarks/weights.py FOLDER/weights.npz --against src/projectl/bots/data/neural.npz --players 3

Each deal is played once from every seat.
"""

import argparse
import multiprocessing
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from projectl.arena import Share
from projectl.arena.bot_game import play_game
from projectl.bots import register
from projectl.bots.neural import neural
from projectl.core.rules import Rules

SECONDS = 60.0  # for a decision: the machine may be busy


def bot_for(who: str, name: str) -> str:
    """A bot's name as it is, or the name under which weights play from now on."""
    if not who.endswith(".npz"):
        return who
    register(name, partial(neural, path=Path(who)), replace=True)
    return name


def share(rules: Rules, who: str, against: str, game: int) -> tuple[float, int, float]:
    """What one game brings the weights: the share of the win, their points, the mean of the others' points."""
    deal, seat = divmod(game, int(rules.players))
    specs = [bot_for(against, "others")] * int(rules.players)
    specs[seat] = bot_for(who, "weights")
    found = play_game(rules, specs, f"weights {deal}", SECONDS)
    if found.forfeit:
        raise SystemExit(f"{against}: {found.forfeit.sentence}")
    others = [points for n, points in enumerate(found.scores) if n != seat]
    won = 1 / len(found.winners) if seat in found.winners else 0.0
    return won, found.scores[seat], sum(others) / len(others)


def main(words: Sequence[str] | None = None) -> None:
    """Play, and say how often the weights won."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("weights")
    parser.add_argument("--against", default="planner", help="a bot, or a file of weights")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--edition", default="2023")
    parser.add_argument("--modules", nargs="*", default=[])
    parser.add_argument("--difficulty", default="", help="of the mastermind, for one player")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    asked = parser.parse_args(words)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    rules = Rules(asked.players, asked.edition, tuple(asked.modules), max_rounds=60, difficulty=asked.difficulty)
    with multiprocessing.get_context("spawn").Pool(asked.jobs) as pool:
        one = partial(share, rules, asked.weights, asked.against)
        won, mine, theirs = zip(*pool.imap_unordered(one, range(asked.games)), strict=True)
    found = Share(sum(won), len(won))
    low, high = found.interval()
    print(
        f"{asked.weights} against {asked.against}, {asked.players} players"
        f"{''.join(f', {name}' for name in asked.modules)}: won {found.rate:.1%} ({low:.1%} to {high:.1%}) of "
        f"{found.games} games, {sum(mine) / len(mine):.1f} to {sum(theirs) / len(theirs):.1f} points"
    )


if __name__ == "__main__":
    main()
