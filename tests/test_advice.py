"""Hints and analysis: legal turns with a reason, and a report that finds a blunder."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from projectl import Game, replay
from projectl.bots import Look, advice, look_at
from projectl.bots.advice import analyse, hint, turns_of
from projectl.bots.beam import Plan
from projectl.bots.search import SearchBot, Trial
from projectl.core.state import State
from tests.golden import FOLDER
from tests.table import go, table
from tests.test_cli import Run, run

__all__ = ["run"]  # a fixture


def half(name: str) -> Game:
    """The first half of a golden game."""
    header, actions = (FOLDER / f"{name}.pln").read_text(encoding="utf-8").split("\n\n")
    rows = actions.split("\n")
    return replay(header + "\n\n" + "\n".join(rows[: len(rows) // 2]) + "\n")


@pytest.mark.parametrize("name", ["2023-base-2", "2019-ghost-3", "2023-finesse-2", "2023-line_clear-5", "2023-base-1"])
def test_a_hint_is_a_legal_turn_with_a_reason(name: str) -> None:
    game = half(name)
    seat = int(game.state.seat)
    found = hint(look_at(game.state, seat, 1.0), 0.05)
    assert found.lines
    assert found.why.endswith(".")
    assert 0.0 <= found.value <= 1.0
    game.play(game.check(seat, found.lines[0]))  # what follows may depend on a card that comes up


def test_a_hint_finishes_what_can_be_finished() -> None:
    """One cell is free, an O1 is there: W01 for 2 points."""
    game = table("players: 2\nedition: 2019\nwhite: W10", "1 take W1|1 place 1:c2c3|1 pass|2 gain O1|2 pass")
    found = hint(look_at(game.state, 0, 1.0), 0.05)
    assert any("1:c4" in line for line in found.lines)
    assert "completes the puzzle on place 1 (1 point, I2)" in found.why


class Few(SearchBot):
    """Stops after some imagined games."""

    games = 0

    def trials(self, look: Look, state: State, seconds: float, also: Plan | None = None) -> list[Trial]:
        found = super().trials(look, state, seconds, also)
        for trial in found:
            trial.games = self.games
        return found


@pytest.mark.parametrize(("games", "told"), [(0, False), (19, False), (20, True)])
def test_a_chance_is_told_from_twenty_games_on(games: int, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "SearchBot", Few)
    monkeypatch.setattr(Few, "games", games)
    found = hint(look_at(table("players: 2").state, 0, 1.0), 0.05)
    assert (f"in {games} imagined games" in found.why, "%" in found.why) == (told, told)


def test_a_hint_names_what_is_taken_by_its_slot() -> None:
    game = table("players: 2\nseed: tuesday")
    found = hint(look_at(game.state, 0, 1.0), 0.05)
    slots = [line.split()[1] for line in found.lines if line.startswith("take ")]
    assert slots
    assert all(slot in found.why for slot in slots)
    assert not [card.id for card in game.state.cards.cards if card.id in found.why]


def test_a_hint_for_the_touches() -> None:
    game = table("players: 2\nedition: 2019\nwhite: W01\noptions: max_rounds=1", "1 take W1|1 gain O1|1 pass|2 pass")
    assert hint(look_at(game.state, 0, 1.0), 0.05).lines == ["done"]


def test_turns_are_whole() -> None:
    game = replay((FOLDER / "2023-base-2.pln").read_text(encoding="utf-8"))
    turns = list(turns_of(game))
    assert [move for _, _, moves in turns for move in moves] == game.moves
    assert all(len({move.seat for move in moves}) == 1 for _, _, moves in turns)


def test_the_analysis_finds_a_blunder() -> None:
    """Passing with a puzzle that one piece finishes gives something away."""
    start = "players: 2\nedition: 2019\nwhite: W10\noptions: max_rounds=3"
    opening = "1 take W1|1 place 1:c2c3|1 gain O1|2 gain O1|2 upgrade O1 I2|2 pass"
    bad = analyse(go(table(start, opening), "1 pass"), 0.1)[-1]
    assert bad.played == ["pass"]
    assert bad.loss > 0.02
    assert any("1:c4" in line for line in bad.best)


def test_the_commands(run: Run, tmp_path: Path) -> None:
    game = half("2023-base-2")
    record = tmp_path / "game.pln"
    record.write_text("\n".join(game.text().split("\n")[:20]) + "\n", encoding="utf-8")
    ran = run("hint", str(record), "--seconds", "0.05")
    assert ran.status == 0
    assert ran.out.splitlines()[-1].startswith("It ")
    picture = tmp_path / "value.svg"
    ran = run("analyse", str(record), "--seconds", "0.02", "--json", "--svg", str(picture))
    reports = json.loads(ran.out)
    assert reports
    assert {"action", "seat", "round", "played", "best", "value_before", "value_after", "loss", "why"} == set(
        reports[0]
    )
    assert ElementTree.fromstring(picture.read_text(encoding="utf-8")).tag.endswith("svg")
    assert "largest swings" in run("analyse", str(record), "--seconds", "0.02").out
