"""Search against greedy in every kind of game for two or more players, and the longest time a decision took.

    python -m benchmarks.modules --games 20 --bot search:100ms

The kinds are those of the golden games: each edition, each of its modules, each number of players. The
bots sit as in the arena: A B A B ..., then the other way round on the same deal. A win of several seats
of one bot counts once; equal scores are shared.
"""

import argparse
import sys

from rich.progress import Progress

from projectl import Rules
from projectl.arena import play_game
from projectl.core.rules import SOLO
from tests.golden import golden_rules

TIMED = ("greedy", "planner")


def kinds() -> dict[str, Rules]:
    """The golden configurations with opponents, with the arena's limit of rounds."""
    return {
        name: Rules(int(rules.players), rules.edition, rules.modules, max_rounds=60)
        for name, rules in golden_rules().items()
        if rules.kind != SOLO
    }


def specs_of(bot: str, players: int, game: int) -> list[str]:
    """Who sits where: the bot and greedy in turn, the other way round in every second game."""
    return [bot if (seat + game) % 2 == 0 else "greedy" for seat in range(players)]


def one_kind(name: str, rules: Rules, bot: str, games: int, worst: dict[str, float]) -> tuple[float, float]:
    """Games won by the bot, and its longest decision; the longest of the others go into `worst`."""
    won, slowest = 0.0, 0.0
    for game in range(games):
        specs = specs_of(bot, int(rules.players), game)
        end = play_game(rules, specs, seed=f"modules {name} {game // 2}", seconds=10.0)
        if end.forfeit:
            raise SystemExit(f"{name}: {end.forfeit}")
        won += sum(specs[seat] == bot for seat in end.winners) / len(end.winners)
        for seat, spec in enumerate(specs):
            if spec == bot:
                slowest = max(slowest, end.times[seat].work)
            else:
                worst[spec] = max(worst.get(spec, 0.0), end.times[seat].work)
    return won, slowest


def planner_time(name: str, rules: Rules, worst: dict[str, float]) -> None:
    """Some rounds of planners, for their longest decision."""
    short = Rules(int(rules.players), rules.edition, rules.modules, max_rounds=6)
    end = play_game(short, ["planner"] * int(rules.players), seed=f"modules {name}", seconds=10.0)
    worst["planner"] = max(worst.get("planner", 0.0), *(times.work for times in end.times))


def main() -> None:
    """Play every kind and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--bot", default="search:100ms")
    parser.add_argument("--only", default="", help="kinds whose name has this in it")
    options = parser.parse_args()
    chosen = {name: rules for name, rules in kinds().items() if options.only in name}
    worst: dict[str, float] = {}
    low, total = 1.0, 0.0
    with Progress(disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("kinds", total=len(chosen))
        for name, rules in chosen.items():
            planner_time(name, rules, worst)
            won, slowest = one_kind(name, rules, options.bot, options.games, worst)
            low, total = min(low, won / options.games), total + won
            rate = won / options.games
            print(f"{name:28} {won:5.1f} of {options.games}  {rate:5.0%}  {slowest * 1000:5.0f} ms", flush=True)
            progress.advance(task)
    print(f"{len(chosen)} kinds, {options.bot}: {total / len(chosen) / options.games:.1%} in all, the lowest {low:.0%}")
    print("longest decisions, processor time: " + ", ".join(f"{who} {worst[who] * 1000:.1f} ms" for who in TIMED))


if __name__ == "__main__":
    main()
