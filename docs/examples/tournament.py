"""A new bot in a tournament with those that there are."""

import argparse

from projectl import Look, Rules, register_bot
from projectl.arena import tournament_match
from projectl.bots import make


class Placer:
    """Lays the largest piece that it can; else what `random` does."""

    def __init__(self, seed: int) -> None:
        self.otherwise = make("random", seed)

    def decide(self, look: Look) -> int:
        from projectl import actions, pieces

        placing = [decision for decision in look.legal if actions.is_placement(decision)]
        if placing:
            return max(placing, key=lambda decision: pieces.LEVEL[actions.shape_placed(decision)])
        return self.otherwise.decide(look)


register_bot("placer", lambda seconds, seed: Placer(seed), replace=True)


def play(games: int, seed: str) -> dict[str, int]:
    """Every pair plays so many games; the games that each bot won."""
    match = tournament_match(Rules(2, max_rounds=60), ["placer", "greedy", "random"], games, seed)
    won = dict.fromkeys(match.bots, 0)
    for pairing in match.pairings():
        for seat in match.play(pairing).winners:
            won[match.bots[pairing.seats[seat]]] += 1
    return won


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="tuesday")
    asked = parser.parse_args()
    for name, wins in sorted(play(asked.games, asked.seed).items(), key=lambda row: -row[1]):
        print(f"{name}: won {wins} of {2 * asked.games}")
