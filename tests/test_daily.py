"""The daily puzzles: the same for everybody from the date alone, each with one turn that is clearly best."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from projectl.cli import app
from projectl.cli import daily as command
from projectl.core.errors import Illegal, Unreadable
from projectl.daily import check as checking
from projectl.daily import make as making
from projectl.daily.check import check
from projectl.daily.grade import begun, ended, follow, grade, stars, turn_of
from projectl.daily.make import play, stands_out
from projectl.daily.puzzle import (
    FIRST,
    GOOD,
    MARGIN,
    Puzzle,
    in_order,
    last_day,
    number_of,
    of_day,
    read,
    shipped,
    write,
)
from projectl.daily.worth import Search, Weigher, Worth

SHORT = Search(width=3, ways=1, tried=3, deals=1, answers=1)
TODAY = date(2026, 11, 18)
RUNNER = CliRunner()


def test_every_puzzle_has_one_good_turn() -> None:
    puzzles = shipped()
    assert len(puzzles) >= 365  # a year of days
    for puzzle in puzzles:
        assert puzzle.good == 1, puzzle
        assert puzzle.chance - puzzle.second >= MARGIN - 0.001, puzzle  # both are rounded
    assert len({puzzle.record for puzzle in puzzles}) == len(puzzles)
    assert puzzles == in_order(puzzles)


def test_best_turns_can_be_played_and_are_whole() -> None:
    for puzzle in shipped()[::9]:
        start = begun(puzzle)
        assert start.state.seat == puzzle.seat - 1
        assert not ended(puzzle, start.state)
        game = follow(puzzle, puzzle.best)
        assert [move.text for move in turn_of(puzzle, game)] == puzzle.best
        assert ended(puzzle, game.state)
        assert len(game.header.rules.modules) <= 1
        assert begun(puzzle).moves == start.moves, "trying a turn leaves the puzzle as it was"


def test_the_date_alone_says_which_puzzle_it_is() -> None:
    assert number_of(FIRST) == 1
    assert of_day(FIRST) == shipped()[0]
    assert of_day(TODAY) == of_day(TODAY + timedelta(len(shipped())))  # after the last they begin anew
    assert of_day(TODAY) != of_day(TODAY + timedelta(1))


def test_a_day_begins_where_on_earth_it_begins_first() -> None:
    midnight = 1_795_046_400  # 2026-11-19 00:00 UTC
    assert last_day(midnight - 14 * 3600 - 1) == date(2026, 11, 18)
    assert last_day(midnight - 14 * 3600) == date(2026, 11, 19)


def test_turns_are_graded_by_what_they_give_away() -> None:
    puzzle = of_day(TODAY)
    best = grade(puzzle, puzzle.best)
    assert best == (puzzle.chance, puzzle.chance, 3)
    poor = grade(puzzle, ["gain O1", "gain O1", "gain O1"])
    assert poor == grade(puzzle, ["gain O1", "gain O1", "gain O1"])
    assert poor.chance < best.chance
    assert poor.stars < 3
    assert [stars(loss) for loss in (-0.1, GOOD, 0.05, 0.15, 0.5)] == [3, 3, 2, 1, 0]


def test_what_is_no_whole_turn_is_not_graded() -> None:
    puzzle = of_day(TODAY)
    with pytest.raises(Illegal, match="not over yet"):
        grade(puzzle, puzzle.best[:1])
    with pytest.raises(Illegal, match="is over"):
        follow(puzzle, [*puzzle.best, "gain O1"])
    with pytest.raises(Illegal):
        follow(puzzle, ["done"])


def test_games_between_bots_are_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "LONGEST", 40)
    found = play(0, SHORT)
    assert [one.record for one in found] == [one.record for one in play(0, SHORT)]


def test_a_turn_stands_out_from_several_in_an_open_game() -> None:
    puzzle = of_day(TODAY)
    start = begun(puzzle).state
    plan = Weigher(start.rules.ghost).turns(start, puzzle.seat - 1, SHORT)[0]

    def worths(*chances: float) -> list[Worth]:
        return [Worth(plan, one) for one in chances]

    assert stands_out(worths(0.6, 0.5, 0.4, 0.4, 0.4, 0.4), 0.05)
    assert not stands_out(worths(0.6, 0.58, 0.4, 0.4, 0.4, 0.4), 0.05)
    assert not stands_out(worths(0.6, 0.5), 0.05)
    assert not stands_out(worths(0.99, 0.5, 0.4, 0.4, 0.4, 0.4), 0.05)


def test_a_longer_search_finds_a_puzzle_whose_best_turn_is_not() -> None:
    puzzle = of_day(TODAY)
    search = Search(width=8, ways=2, tried=5, deals=4, answers=1)
    assert check(puzzle, search).whole
    worse = Puzzle(puzzle.record, puzzle.seat, ["gain O1"] * 3, 0.9, 0.1, 9, 1, 0)
    assert not check(worse, search).holds
    assert "leaves" in check(worse, search).sentence()
    cut = Puzzle(puzzle.record, puzzle.seat, puzzle.best[:1], 0.9, 0.1, 9, 1, 0)
    assert check(cut, search).sentence() == "its best turn is no whole turn"


def test_puzzles_are_added_to_a_file_until_there_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "puzzles.jsonl"
    some = shipped()[:4]

    def puzzles_of(number: int) -> list[Puzzle]:
        return [] if number == 0 else [some[number]]

    monkeypatch.setattr(command, "puzzles_of", puzzles_of)
    found = RUNNER.invoke(app, ["daily", "make", str(file), "--puzzles", "2"])
    assert found.exit_code == 0
    assert found.output.splitlines()[-1] == "game 2: 1 puzzles, 2 in all"
    assert sorted(read(file), key=lambda one: one.record) == sorted(some[1:3], key=lambda one: one.record)


def test_the_command_says_in_how_many_the_best_turn_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "puzzles.jsonl"
    puzzle = of_day(TODAY)
    worse = Puzzle(puzzle.record, puzzle.seat, ["gain O1"] * 3, 0.9, 0.1, 9, 1, puzzle.game + 1)
    write([puzzle, worse], file)
    monkeypatch.setattr(checking.check, "__defaults__", (Search(width=8, ways=2, tried=5, deals=4, answers=1),))
    found = RUNNER.invoke(app, ["daily", "check", str(file)])
    assert found.exit_code == 1
    assert "puzzle 2: its best turn leaves" in found.output
    assert "of 2 puzzles hold" in found.output


def test_a_file_that_holds_no_puzzles_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_text("{}\n")
    with pytest.raises(Unreadable) as refused:
        read(file)
    assert refused.value.line == 1
    file.write_text("")
    found = RUNNER.invoke(app, ["daily", "check", str(file)])
    assert isinstance(found.exception, Unreadable)
