"""What it is worth to have watched: one bot knows what its seat saw, the same bot in all other seats only the position.

    python benchmarks/watched.py --bot neural --players 3 --games 80

Each deal is played once for every seat that the watcher can have.
"""

import argparse
from collections.abc import Sequence

from projectl import Rules, legal, new_game, play, result, to_act
from projectl.arena import Share
from projectl.bots import Look, make
from projectl.core.knowledge import known

SECONDS = 10.0  # for a decision; bots with a time of their own use less


def watchers_share(rules: Rules, bot: str, seed: str, watcher: int) -> float:
    """What one game brings the seat that watched."""
    state = new_game(rules, seed)
    bots = [make(bot, seat) for seat in range(int(rules.players))]
    while not (end := result(state)):
        seat = to_act(state)[0]
        look = Look(rules, known(state, seat, watched=seat == watcher), legal(state, seat), SECONDS)
        play(state, bots[seat].decide(look), seat)
    return 1 / len(end.winners) if watcher in end.winners else 0.0


def main(words: Sequence[str] | None = None) -> None:
    """Play, and say how often the watcher won."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bot", default="neural")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--edition", default="2023")
    parser.add_argument("--modules", nargs="*", default=[])
    parser.add_argument("--games", type=int, default=100, help="deals")
    asked = parser.parse_args(words)
    rules = Rules(asked.players, asked.edition, tuple(asked.modules), max_rounds=60)
    seats = range(asked.players)
    won = [watchers_share(rules, asked.bot, f"watched {deal}", seat) for deal in range(asked.games) for seat in seats]
    found = Share(sum(won), len(won))
    low, high = found.interval()
    print(
        f"{asked.bot}, {asked.players} players{''.join(f', {name}' for name in asked.modules)}: who watched won "
        f"{found.rate:.1%} ({low:.1%} to {high:.1%}) of {found.games} games, par {1 / asked.players:.0%}"
    )


if __name__ == "__main__":
    main()
