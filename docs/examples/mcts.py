"""Monte Carlo tree search in forty lines, on the engine itself: as a bot for the terminal, the arena and the server."""

import argparse
import math

from projectl import Dice, Look, Rules, State, apply, legal, register_bot, returns
from projectl.arena import arena_match
from projectl.core.playout import random_play
from projectl.core.state import OVER


class Node:
    """What is known of a position: its decisions, how often each was tried and what it brought whoever made it."""

    def __init__(self, state: State) -> None:
        self.untried = legal(state)
        self.children: dict[int, Node] = {}
        self.visits, self.value = 0, 0.0

    def best(self) -> int:
        """The decision to try next: what has done well, or was seldom tried."""
        log = math.log(self.visits)
        return max(self.children, key=lambda d: self.children[d].mean() + math.sqrt(log / self.children[d].visits))

    def mean(self) -> float:
        return self.value / self.visits


class Mcts:
    """Thinks in games that its seat cannot tell from the real one."""

    def __init__(self, seed: int, games: int = 200) -> None:
        self.dice, self.games = Dice(seed), games

    def decide(self, look: Look) -> int:
        root = Node(look.imagine(self.dice))
        for _ in range(self.games):
            state, node, path = look.imagine(self.dice), root, list[tuple[int, Node]]()
            options = set(legal(state))
            while state.phase != OVER and node.visits and not node.untried and options & node.children.keys():
                decision, seat = node.best(), int(state.seat)
                if decision not in options:
                    break
                apply(state, decision)
                node, options = node.children[decision], set(legal(state))
                path.append((seat, node))
            allowed = [decision for decision in node.untried if decision in options]
            if allowed:
                decision, seat = allowed[self.dice.below(len(allowed))], int(state.seat)
                node.untried.remove(decision)
                apply(state, decision)
                node.children[decision] = Node(state)
                path.append((seat, node.children[decision]))
            random_play(state, self.dice, 100_000)
            won = returns(state)
            root.visits += 1
            for seat, visited in path:
                visited.visits += 1
                visited.value += won[seat]
        return max(root.children, key=lambda decision: root.children[decision].visits)


register_bot("mcts", lambda seconds, seed: Mcts(seed), replace=True)


def play(games: int, seed: str, rounds: int) -> int:
    """Games against `random`; those that it won."""
    match = arena_match(Rules(2, max_rounds=rounds), ["mcts", "random"], games, seed)
    return sum(match.bots[one.seats[seat]] == "mcts" for one in match.pairings() for seat in match.play(one).winners)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", default="tuesday")
    parser.add_argument("--rounds", type=int, default=20)
    asked = parser.parse_args()
    print(f"mcts: won {play(asked.games, asked.seed, asked.rounds)} of {asked.games} against random")
