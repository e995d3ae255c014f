"""The smallest agent: any allowed decision, in PettingZoo's environment. `pip install "projectl[rl]"`."""

import argparse

from projectl.envs import projectl_v0


def play(players: int, seed: int) -> dict[str, float]:
    """A whole game; what it brought everybody."""
    env = projectl_v0.env(players)
    env.reset(seed=seed)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agents:
        env.action_space(agent).seed(seed)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        env.step(None if terminated or truncated else env.action_space(agent).sample(seen["action_mask"]))
    return total


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for agent, points in play(asked.players, asked.seed).items():
        print(f"{agent}: {points:.0f} points")
