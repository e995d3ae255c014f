"""The examples of docs/training.md do what they say, in a short form."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from projectl import Rules, apply, new_game, score
from projectl.arena import arena_match
from projectl.bots import make
from projectl.bots.protocol import look_at
from projectl.core.state import OVER

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"


def example(name: str) -> ModuleType:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_random_agent_plays_a_game() -> None:
    first = example("random_agent").play(3, 1)
    assert set(first) == {"player_0", "player_1", "player_2"}
    assert first == example("random_agent").play(3, 1)


def test_mcts_is_better_than_chance() -> None:
    """Alone against the mastermind: more points than random decisions get on the same deals."""
    example("mcts")
    rules = Rules(1, max_rounds=60)
    points = {"mcts": 0, "random": 0}
    for name in points:
        for deal in range(3):
            state, bot = new_game(rules, f"mcts/{deal}"), make(name, deal)
            if name == "mcts":
                bot.games = 40  # type: ignore[attr-defined]
            while state.phase != OVER:
                apply(state, bot.decide(look_at(state, 0, 1.0)))
            points[name] += score(state, 0)
    assert points["mcts"] > points["random"]


def test_mcts_plays_a_match() -> None:
    assert 0 <= example("mcts").play(games=2, seed="short", rounds=1) <= 2


def test_the_new_bot_plays_a_tournament() -> None:
    won = example("tournament").play(2, "short")
    assert set(won) == {"placer", "greedy", "random"}
    assert sum(won.values()) >= 6
    assert arena_match(Rules(2), ["placer", "random"], 2, "x").bots == ("placer", "random")


def test_open_spiels_searchers_play_a_game() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not for this system")
    found = example("open_spiel_search").play("players=2,max_rounds=1", 2, 1)
    assert sum(found) == pytest.approx(0.0)
    found = example("open_spiel_search").play("players=2,modules=finesse,max_rounds=1", 2, 1)
    assert sum(found) == pytest.approx(0.0)


def test_ppo_learns(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="what it learns with is not installed (the extra `train`)")
    curve = example("train_ppo").train(steps=4096, out=tmp_path, games=4, rounds=2)
    assert [point[0] for point in curve] == [0, 2048, 4096]
    assert (tmp_path / "model.zip").exists()
    assert (tmp_path / "curve.csv").read_text().splitlines()[0] == "decisions,score,won"


def test_the_notebook_runs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells, one after the other, as a person runs them; it learns for fewer rounds."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as it does itself: so that nothing of it stays
    notebook = json.loads((EXAMPLES / "learn.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert "GAMES, ROUNDS = 32, 100" in cells[0]
    words = "".join(line for cell in notebook["cells"] for line in cell["source"] if cell["cell_type"] == "markdown")
    assert set(re.findall(r"(\d+) games", words)) == {"32"}
    names: dict[str, object] = {}
    for number, source in enumerate(cells):
        short = source.replace("GAMES, ROUNDS = 32, 100", "GAMES, ROUNDS = 8, 6")
        exec(compile(short, f"cell {number}", "exec"), names)
    said = capsys.readouterr().out
    assert "points at first" in said
    assert "points against the mastermind's" in said
    assert len(names["curve"]) == 6  # type: ignore[arg-type]
