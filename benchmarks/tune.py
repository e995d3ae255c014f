"""Tune the weights by self-play.

    python benchmarks/tune.py --generations 20 --out weights.json

Every generation plays a few variants of the best weights so far against those, on the same deals
with the seats swapped, and moves towards the variants that did better (a small evolution strategy).
The result is printed as the tuple `HASTY` of `projectl/bots/value.py`.
"""

import argparse
import json
import math
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from projectl import Rules, new_game, play, result, to_act
from projectl.bots import look_at
from projectl.bots.planner import PlannerBot
from projectl.bots.value import HASTY, NAMES

Vector = list[float]


def margin(job: tuple[Vector, Vector, int, int, str, tuple[str, ...], float]) -> float:
    """How the first weights do against the second on one deal, both ways round: -1 to 1."""
    one, other, seed, players, edition, modules, seconds = job
    rules = Rules(players, edition, modules, max_rounds=60)
    total = 0.0
    for swapped in (False, True):
        mine = [(seat % 2 == 0) != swapped for seat in range(players)]
        bots = [PlannerBot(seconds, seed, one if is_mine else other) for is_mine in mine]
        state = new_game(rules, f"tune {seed}")
        while not (end := result(state)):
            seat = to_act(state)[0]
            play(state, bots[seat].decide(look_at(state, seat, 1.0)), seat)
        ours = [score for score, is_mine in zip(end.scores, mine, strict=False) if is_mine]
        theirs = [score for score, is_mine in zip(end.scores, mine, strict=False) if not is_mine]
        total += math.tanh((sum(ours) / len(ours) - sum(theirs) / len(theirs)) / 12) / 2
    return total


def varied(weights: Vector, step: float, dice: random.Random) -> Vector:
    """Every weight a little larger or smaller."""
    return [weight * math.exp(step * dice.gauss(0, 1)) for weight in weights]


def moved(weights: Vector, variants: list[Vector], fitness: list[float]) -> Vector:
    """Towards the better half of the variants, the best most."""
    ranked = sorted(range(len(variants)), key=lambda n: -fitness[n])[: len(variants) // 2]
    shares = [math.log(len(ranked) + 0.5) - math.log(place + 1) for place in range(len(ranked))]
    return [
        math.exp(sum(share * math.log(variants[n][i]) for share, n in zip(shares, ranked, strict=True)) / sum(shares))
        for i in range(len(weights))
    ]


def main() -> None:
    """Run the evolution and print where it stands after every generation."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--generations", type=int, default=20)
    parser.add_argument("--variants", type=int, default=8)
    parser.add_argument("--deals", type=int, default=12)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--edition", default="2023")
    parser.add_argument("--modules", default="")
    parser.add_argument("--step", type=float, default=0.15)
    parser.add_argument("--seconds", type=float, default=0.001, help="for a decision; less is a narrower beam")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--out", type=Path, default=Path("weights.json"))
    options = parser.parse_args()
    dice = random.Random(options.seed)
    best: Vector = json.loads(options.start.read_text()) if options.start else list(HASTY)
    modules = tuple(options.modules.replace(",", " ").split())
    with ProcessPoolExecutor(options.jobs) as pool:
        for generation in range(options.generations):
            variants = [varied(best, options.step, dice) for _ in range(options.variants)]
            deals = [dice.randrange(10**9) for _ in range(options.deals)]
            jobs = [
                (variant, best, deal, options.players, options.edition, modules, options.seconds)
                for variant in variants
                for deal in deals
            ]
            margins = list(pool.map(margin, jobs))
            size = len(deals)
            fitness = [sum(margins[n * size : (n + 1) * size]) / size for n in range(len(variants))]
            best = moved(best, variants, fitness)
            options.out.write_text(json.dumps(best))
            told = ", ".join(f"{name} {weight:.3g}" for name, weight in zip(NAMES, best, strict=True))
            print(f"generation {generation + 1}: best variant {max(fitness):+.3f}; {told}", flush=True)
    print("HASTY =", tuple(round(weight, 4) for weight in best))


if __name__ == "__main__":
    main()
