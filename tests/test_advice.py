"""Hints and analysis: legal turns with a reason, and a report that finds a blunder."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from projectl import Game, actions, replay
from projectl.bots import Look, advice, look_at
from projectl.bots.advice import analyse, hint, turns_of
from projectl.bots.classic import ClassicSearch
from projectl.bots.protocol import Adviser, Line
from projectl.bots.search import search
from projectl.core.actions import PASS
from projectl.core.score import score
from projectl.core.state import TOUCHES
from tests.golden import FOLDER
from tests.table import go, table
from tests.test_cli import Run, run

__all__ = ["run"]  # a fixture


# Seat 1 has four puzzles, one of them but for one cell.
FULL = "1 take W1|1 take W1|1 take W1|2 gain O1|2 pass|1 take W1|1 place 1:c2c3|1 pass|2 gain O1|2 pass"


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
    """One cell is free, an O1 is there, and no place for another puzzle."""
    game = table("players: 2\nedition: 2019\nwhite: W10", FULL)
    found = hint(look_at(game.state, 0, 1.0), 0.05)
    assert any("1:c4" in line for line in found.lines)
    assert "completes the puzzle on place 1 (1 point, I2)" in found.why


def test_an_unseen_card_is_named_by_its_deck() -> None:
    take = [actions.TAKE + actions.TAKE_NAMES.index(slot) for slot in ("W2", "W")]
    assert advice._done(table("players: 2").state, 0, take) == ["takes W2 and the top card of deck W"]


class Few:
    """Takes what is first, after some imagined games."""

    def __init__(self, games: int) -> None:
        self.games = games

    def line(self, look: Look, seconds: float) -> Line:
        return Line([look.legal[0]], 0.625, 0.5, self.games)

    def worth(self, look: Look, decisions: list[int], seed: int) -> float:
        return 0.5


@pytest.mark.parametrize(("games", "told"), [(0, False), (19, False), (20, True)])
def test_a_chance_is_told_from_twenty_games_on(games: int, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "search", lambda seconds, seed: Few(games))
    found = hint(look_at(table("players: 2").state, 0, 1.0), 0.05)
    assert (f"in {games} imagined games" in found.why, "62%, the next best turn 50%" in found.why) == (told, told)


@pytest.mark.parametrize("adviser", [search, ClassicSearch])
def test_what_wins_is_worth_more(adviser: Callable[[float, int], Adviser]) -> None:
    """With the last action: finish the puzzle for a point, or leave it."""
    start = "players: 2\nedition: 2019\nwhite: W10\noptions: max_rounds=2"
    game = table(start, "1 take W1|1 place 1:c2c3|1 pass|2 take W1|2 pass|1 gain O1")
    look = look_at(game.state, 0, 1.0)
    finishing = list(game.check(0, "place 1:c4").decisions)
    who = adviser(0.05, 0)
    assert who.worth(look, finishing, 1) > who.worth(look, [PASS], 1) + 0.05
    line = who.line(look, 0.1)
    assert line.decisions[0] in look.legal
    assert 0.0 <= line.chance <= 1.0


def test_the_chance_in_the_touches_is_the_result() -> None:
    """Piles are open in 2019: nothing is left to doubt. One point ahead wins, seen from either seat."""
    start = "players: 2\nedition: 2019\nwhite: W10\noptions: max_rounds=2"
    moves = "1 take W1|1 place 1:c2c3|1 pass|2 gain O1|2 pass|1 gain O1|1 place 1:c4|1 pass|2 pass"
    game = table(start, moves)
    assert [hint(look_at(game.state, seat, 1.0), 0.05).value for seat in (0, 1)] == [1.0, 0.0]


def test_the_chance_in_the_touches_is_the_result_where_piles_lie_face_down() -> None:
    """2023: both saw which puzzle was finished, so nothing is left to doubt."""
    start = "players: 2\nwhite: W10\noptions: max_rounds=2"
    moves = "1 take W1|1 place 1:c2c3|1 gain O1|2 gain O1|2 gain O1|2 gain O1|1 place 1:c4|1 gain O1|1 gain O1"
    game = table(start, f"{moves}|2 take W1|2 gain O1|2 gain O1")
    assert game.state.phase == TOUCHES
    assert [hint(look_at(game.state, seat, 1.0), 0.05).value for seat in (0, 1)] == [1.0, 0.0]
    assert game.state.players[0].points == 1


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


def test_the_chance_of_touches_agrees_with_the_score() -> None:
    """An unfinished puzzle costs its points: whoever has one loses, the other wins."""
    moves = "1 take B1|1 gain O1|1 gain O1|2 gain O1|2 gain O1|2 gain O1"
    game = table("players: 2\nblack: B13\noptions: max_rounds=1", moves)
    points = [score(game.state, seat) for seat in (0, 1)]
    assert points[0] < points[1]
    assert [hint(look_at(game.state, seat, 1.0), 0.05).value for seat in (0, 1)] == [0.0, 1.0]


def test_turns_are_whole() -> None:
    game = replay((FOLDER / "2023-base-2.pln").read_text(encoding="utf-8"))
    turns = list(turns_of(game))
    assert [move for _, _, moves in turns for move in moves] == game.moves
    assert all(len({move.seat for move in moves}) == 1 for _, _, moves in turns)


def test_the_analysis_finds_a_blunder() -> None:
    """Passing with a puzzle that one piece finishes gives something away."""
    bad = analyse(go(table("players: 2\nedition: 2019\nwhite: W10", FULL), "1 pass"), 0.1)[-1]
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
