"""Does any card win games by itself? Planners play with the expansion cards, and the winners' piles are counted.

    python benchmarks/balance.py --games 600

For every card: how often it was completed, and how many of those who completed it won. A designed card
is accepted when that share lies within what the printed cards of its colour show, chance allowed for.
"""

import argparse
import math
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from projectl import Rules, new_game, play, result, to_act
from projectl.bots import look_at, make
from projectl.core.cards import shipped_cards
from projectl.core.state import State, pile_card, pile_seat

MODULES = ("ghost", "ambassador", "phoenix")
FEWEST = 30  # completions, below which nothing is said

Found = tuple[list[str], list[str]]  # ids completed, and those completed by winners


def one_game(job: tuple[int, int, str]) -> Found:
    """Play one game; who won and what lay on the piles."""
    seed, players, spec = job
    state = new_game(Rules(players, modules=MODULES, max_rounds=60), f"balance {seed}")
    bots = [make(spec, seed * 10 + seat) for seat in range(players)]
    while not (end := result(state)):
        seat = to_act(state)[0]
        play(state, bots[seat].decide(look_at(state, seat, 1.0)), seat)
    return _piles(state, end.winners)


def _piles(state: State, winners: tuple[int, ...]) -> Found:
    entries = [(pile_seat(int(entry)), state.cards.cards[pile_card(int(entry))].id) for entry in state.finished]
    return [card for _, card in entries], [card for seat, card in entries if seat in winners]


def main() -> None:
    """Play, count, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--bot", default="planner:2ms")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    done: Counter[str] = Counter()
    won: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = [(seed, options.players, options.bot) for seed in range(options.games)]
        for completed, by_winners in pool.map(one_game, jobs, chunksize=4):
            done.update(completed)
            won.update(by_winners)
    print(f"{options.games} games, {options.players} players, {options.bot}, 2023 with {', '.join(MODULES)}")
    for white in (True, False):
        judged = [card.id for card in shipped_cards() if card.white == white and card.source == "printed"]
        printed = [won[card] / done[card] for card in judged if enough(card, done)]
        if not printed:
            print("too few games to say anything")
            return
        low, high = min(printed), max(printed)
        print(f"{'white' if white else 'black'}: the printed cards' completers won {low:.0%} to {high:.0%}")
        for card in shipped_cards():
            if card.source == "designed" and card.white == white:
                print("  " + verdict(card.id, done[card.id], won[card.id], low, high))


def enough(card: str, done: Counter[str]) -> bool:
    """Whether a card was completed often enough to be judged."""
    return done[card] >= FEWEST


def verdict(card: str, done: int, won: int, low: float, high: float) -> str:
    """One designed card's line."""
    if done < FEWEST:
        return f"{card}: completed {done} times, too few to say"
    share = won / done
    error = 1.96 * math.sqrt(share * (1 - share) / done)
    inside = share + error >= low and share - error <= high
    return f"{card}: completed {done} times, {share:.0%} +- {error:.0%} won: {'inside' if inside else 'OUTSIDE'}"


if __name__ == "__main__":
    main()
