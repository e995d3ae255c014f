"""Win rates against the mastermind: every edition, every difficulty, and the longest time a decision took.

    python benchmarks/solo.py --games 200 --bot search:50ms

`projectl arena search:50ms --players 1 --option difficulty=hard --games 200` plays one of these lines.
"""

import argparse
import sys
from typing import NamedTuple

from rich.progress import Progress

from projectl import Rules
from projectl.arena import Share, play_game
from projectl.core.rules import DIFFICULTIES, EDITIONS


class Line(NamedTuple):
    """What came out of the games of one edition at one difficulty."""

    wins: Share
    score: float
    mastermind: float
    rounds: float
    longest: float  # seconds of processor time


def line(rules: Rules, bot: str, games: int, tell: Progress) -> Line:
    """Play the games."""
    task = tell.add_task(f"{rules.edition} {rules.difficulty}", total=games)
    won = score = mastermind = rounds = 0
    longest = 0.0
    for game in range(games):
        end = play_game(rules, [bot], seed=f"solo {rules.edition} {game}", seconds=10.0)
        if end.forfeit:
            raise SystemExit(f"{rules.edition} {rules.difficulty}: {end.forfeit}")
        won += 0 in end.winners
        score += end.scores[0]
        mastermind += end.scores[1]
        rounds += end.rounds
        longest = max(longest, end.times[0].work)
        tell.advance(task)
    return Line(Share(won, games), score / games, mastermind / games, rounds / games, longest)


def main() -> None:
    """Print a line for each edition and difficulty."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--bot", default="search:50ms")
    options = parser.parse_args()
    print(f"solo, {options.bot}, {options.games} games each")
    with Progress(disable=not sys.stderr.isatty()) as progress:
        for edition in EDITIONS:
            for difficulty in DIFFICULTIES:
                rules = Rules(1, edition, difficulty=difficulty, max_rounds=60)
                found = line(rules, options.bot, options.games, progress)
                low, high = found.wins.interval()
                print(
                    f"{edition} {difficulty:10}  won {found.wins.rate:6.1%} ({low:.0%} to {high:.0%})  "
                    f"{found.score:.1f} to {found.mastermind:.1f} points, {found.rounds:.1f} rounds, "
                    f"longest {found.longest * 1000:.0f} ms",
                    flush=True,
                )


if __name__ == "__main__":
    main()
