"""Networks that learn to decide as other bots do."""

from pathlib import Path

import pytest

pytest.importorskip("jax")

import numpy as np

from projectl.accel import imitate
from projectl.accel.imitate import GameOfBots
from projectl.accel.self_play import TABLES, rules_of
from projectl.bots import network
from projectl.bots.neural import WEIGHTS
from projectl.core.features import SIZE
from projectl.core.legal import legal, to_act
from projectl.core.observe import observe
from projectl.core.setup import new_game


def test_a_games_number_says_who_plays_what_and_both_come_up() -> None:
    dealt = [imitate.seats_of(number, ["greedy", "random"]) for number in range(3000)]
    assert dealt[7] == imitate.seats_of(7, ["greedy", "random"])
    assert all(len(seats) == TABLES[kind][1] for kind, seats in dealt)
    assert len({kind for kind, _ in dealt}) == len(TABLES)
    learned = sum("neural" in seats for _, seats in dealt) / len(dealt)
    assert abs(learned - imitate.WITH_LEARNED) < 0.05
    assert all(seats.count("neural") <= 1 for _, seats in dealt)


def test_games_are_kept_and_read_again(tmp_path: Path) -> None:
    games = [GameOfBots(3, [1, 2800, 5]), GameOfBots(4, []), GameOfBots(10**9, [7])]
    imitate.write(tmp_path / "games.npz", games)
    assert imitate.read(tmp_path / "games.npz") == games


def test_an_example_is_what_the_bot_saw_and_decided_where_it_had_a_choice() -> None:
    bots = ["greedy"]
    number = next(number for number in range(99) if imitate.seats_of(number, bots)[1] == ["greedy", "neural"])
    game = imitate.played(bots, number)
    shown = imitate.examples([game], bots, "greedy")
    state = new_game(rules_of(TABLES[imitate.seats_of(number, bots)[0]]), str(number))
    first = bytearray(SIZE)
    observe(state, 0, first)
    assert to_act(state)[0] == 0
    assert shown.seen[0].tobytes() == bytes(first)
    assert np.flatnonzero(shown.legal[0]).tolist() == sorted(legal(state, 0))
    assert shown.decided[0] == game.decisions[0]
    assert shown.legal[np.arange(len(shown.decided)), shown.decided].all()
    assert (shown.legal.sum(axis=1) > 1).all()
    assert not imitate.examples([game], bots, "random").decided.size


def test_an_imitation_foretells_better_than_the_network_it_began_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imitate, "BATCH", 128)
    words = ["--out", str(tmp_path), "--bots", "greedy", "--seconds", "120", "--most", "32", "--jobs", "1"]
    imitate.main([*words, "--first", "12", "--epochs", "3"])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "32 games"
    before, *_, now = (float(word.strip("%,")) for word in told[1].split() if "%" in word)
    assert now > before + 3
    made, known = network.playable(tmp_path / "greedy.npz"), network.playable(WEIGHTS)
    assert not np.allclose(made["place_out.w"], known["place_out.w"])
