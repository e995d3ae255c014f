"""OpenSpiel's own MCTS and IS-MCTS bots play a game. `pip install "projectl[openspiel]"`."""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import projectl.envs.open_spiel  # noqa: F401  # registers the game


def play(parameters: str, simulations: int, seed: int) -> list[float]:
    """A whole game: MCTS sits first, IS-MCTS second; what it brought each."""
    game = pyspiel.load_game(f"python_projectl({parameters})")
    dice = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, dice)
    bots = [
        mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=dice),
        ismcts.ISMCTSBot(game, evaluator, 1.4, simulations, random_state=dice),
    ]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(dice.choice(outcomes, p=shares)))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return list(state.returns())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--parameters", default="players=2,max_rounds=10")
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name, result in zip(("MCTS", "IS-MCTS"), play(asked.parameters, asked.simulations, asked.seed), strict=True):
        print(f"{name}: {result:+.0f}")
