"""Masked PPO learns the solo game at normal: `pip install "projectl[rl,train]"`, then `python train_ppo.py`."""

import argparse
import csv
from pathlib import Path

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from projectl.envs.solo import SoloEnv

EVALUATED = 50  # games


def measure(model: MaskablePPO, games: int) -> tuple[float, float]:
    """The mean score, and the share of games won against the mastermind, on games that are never trained on."""
    points, wins = 0.0, 0
    for game in range(games):
        env = SoloEnv(reward="difference")
        seen, info = env.reset(seed=1_000_000 + game)
        over, ahead = False, 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=info["action_mask"])
            seen, ahead, over, _, info = env.step(int(action))
        wins += ahead > 0
        points += env.final_scores()[0]
    return points / games, wins / games


def train(steps: int, out: Path, games: int = EVALUATED, rounds: int = 8) -> list[tuple[int, float, float]]:
    """Learn for so many decisions; the curve: decisions, mean score, share of games won."""
    envs = DummyVecEnv([lambda: SoloEnv(reward="shaped") for _ in range(16)])
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=64,
        batch_size=256,
        n_epochs=3,
        learning_rate=7e-4,
        gamma=0.995,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 64]},
        device="cpu",  # so small a network gains nothing from anything else
        seed=1,
    )
    out.mkdir(parents=True, exist_ok=True)
    curve = [(0, *measure(model, games))]
    print(_row(curve[-1]), flush=True)
    while model.num_timesteps < steps:
        model.learn(max(1, steps // rounds), reset_num_timesteps=False)
        curve.append((model.num_timesteps, *measure(model, games)))
        print(_row(curve[-1]), flush=True)
        with (out / "curve.csv").open("w", newline="") as file:
            csv.writer(file).writerows([("decisions", "score", "won"), *curve])
        model.save(out / "model.zip")
    return curve


def _row(point: tuple[int, float, float]) -> str:
    decisions, score, won = point
    return f"{decisions:>9,} decisions: {score:6.1f} points, {won:4.0%} won"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=80_000)
    parser.add_argument("--games", type=int, default=EVALUATED)
    parser.add_argument("--out", type=Path, default=Path("ppo"))
    asked = parser.parse_args()
    train(asked.steps, asked.out, asked.games)
