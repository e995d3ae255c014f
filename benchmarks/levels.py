"""The ratings of `bots/levels.py`, from the games of a ladder: `python -m benchmarks.levels FOLDER`.

    projectl ladder FOLDER random beginner casual greedy planner neural search:100ms search:1s

plays the games. Every game counts as duels of those who sat at it, a game with several as one; the ratings are the
ones that make what happened likeliest (Bradley and Terry), with `greedy` at 1000 and 400 points for ten games won to
one lost. All bots are thought to be within a few thousand points of each other beforehand, so that one that never won
has a rating too.
"""

import sys
from itertools import combinations
from math import log
from pathlib import Path

import numpy as np

from projectl.arena.ladder import Described, open_ladder
from projectl.arena.standings import places

_POINTS = 400 / log(10)  # of a unit in the exponent
_SPREAD = 1500 / _POINTS  # of all bots beforehand
_ANCHOR, _AT = "greedy", 1000


def fitted(size: int, duels: list[tuple[int, int, float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Strengths, and how sure they are (the inverse of the curvature), by Newton's method."""
    strength = np.zeros(size)
    for _ in range(50):
        slope, curve = -strength / _SPREAD**2, np.eye(size) / _SPREAD**2
        for one, other, won, weight in duels:
            expected = 1 / (1 + np.exp(strength[other] - strength[one]))
            pull, bend = weight * (won - expected), weight * expected * (1 - expected)
            slope[one] += pull
            slope[other] -= pull
            for row, column, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
                curve[row, column] += sign * bend
        strength = strength + np.linalg.solve(curve, slope)
    return strength, np.linalg.inv(curve)


def main(folder: Path) -> None:
    """Print the ladder from the bottom up."""
    ladder = open_ladder(folder, lambda: Described(bots=[], players=2, edition="", modules=[], options={}, seed=""))
    bots = ladder.described.bots
    duels: list[tuple[int, int, float, float]] = []
    for game in ladder.games():
        came = places(game)
        pairs = list(combinations(came, 2))
        duels += [(a, b, 0.5 * (1 + np.sign(came[b] - came[a])), 1 / len(pairs)) for a, b in pairs]
    strength, doubt = fitted(len(bots), duels)
    anchor = bots.index(_ANCHOR)
    print("| bot | rating | 95 % | games |\n| --- | --- | --- | --- |")
    for bot in np.argsort(strength):
        away = doubt[bot, bot] + doubt[anchor, anchor] - 2 * doubt[bot, anchor]
        rating = _AT + _POINTS * (strength[bot] - strength[anchor])
        games = sum(bot in game.seats for game in ladder.games())
        print(f"| `{bots[bot]}` | {rating:.0f} | ± {1.96 * _POINTS * away**0.5:.0f} | {games} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
