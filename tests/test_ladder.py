"""The command `ladder`: ratings of bots over time, run by run, in a folder."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from projectl import replay
from projectl.cli import ladder
from tests.test_cli import Run, run

__all__ = ["run"]  # a fixture

SHORT = ["--option", "max_rounds=4", "--seed", "s"]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Where there is no ladder yet."""
    return str(tmp_path / "ratings")


def rows(printed: str) -> dict[str, list[str]]:
    """The table's lines by bot."""
    found = [line.split() for line in printed.splitlines()]
    return {words[1]: words for words in found if len(words) > 2 and "±" in words[2]}


def test_every_run_adds_games_and_the_bots_that_are_named(run: Run, folder: str) -> None:
    first = run("ladder", folder, "random", "greedy", "--games", "4", *SHORT)
    assert (first.status, first.err) == (0, "")
    assert {name: words[-1] for name, words in rows(first.out).items()} == {"random": "4", "greedy": "4"}
    second = run("ladder", folder, "beginner", "--games", "4")
    games = {name: int(words[-1]) for name, words in rows(second.out).items()}
    assert (games["beginner"], sum(games.values())) == (4, 16)
    assert f"8 games in {folder}; the picture is {folder}/ladder.svg." in second.out
    assert rows(run("ladder", folder, "--games", "0").out) == rows(second.out)


def test_the_folder_holds_every_game_and_the_picture(run: Run, folder: str) -> None:
    run("ladder", folder, "random", "greedy", "--games", "4", *SHORT)
    lines = [json.loads(line) for line in Path(folder, "games.jsonl").read_text().splitlines()]
    assert [line["game"] for line in lines] == [1, 2, 3, 4]
    for line in lines:
        assert len(replay(Path(folder, f"{line['game']:04}.pln").read_text()).moves) > 20
    picture = ElementTree.fromstring(Path(folder, "ladder.svg").read_text())
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert {"random", "greedy"} <= {word for text in picture.itertext() for word in text.split()}


def test_a_ladder_without_games_has_no_table(run: Run, folder: str) -> None:
    shown = run("ladder", folder, "random", "greedy", "--games", "0", *SHORT).out
    assert shown.splitlines()[0].endswith("seed s")
    assert shown.splitlines()[1:] == [f"0 games in {folder}; the picture is {folder}/ladder.svg."]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seed", "a #b"], "a seed is one line without blanks at its ends"),
        (["--option", "max_rounds=3", "--option", "max_rounds=4"], "option max_rounds stands twice"),
        (["--option", "max_rounds"], "max_rounds"),
        (["--edition", "2020", "--modules", "ghost"], "edition 2020 has no ghost"),
    ],
)
def test_a_ladder_of_no_such_games_is_not_begun(run: Run, folder: str, words: list[str], sentence: str) -> None:
    ran = run("ladder", folder, "random", "greedy", "--games", "2", *words)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert sentence in ran.err
    assert not Path(folder).exists()


def test_what_it_was_begun_with_may_be_said_again(run: Run, folder: str) -> None:
    run("ladder", folder, "random", "greedy", "--games", "0", *SHORT)
    for words in (["--edition", "2023"], ["--players", "2"], ["--option", "max_rounds=4"], SHORT):
        assert run("ladder", folder, "--games", "0", *words).status == 0
    assert run("ladder", folder, "--games", "0", "--option", "known_points=no").status == 0, "the edition's own"
    assert "was begun with --option known_points=no" in run("ladder", folder, "--option", "known_points=yes").err


def test_what_goes_on_with_it_can_be_typed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "climb", lambda *climbing: False)
    folder = str(tmp_path / "my ratings")
    ran = run("ladder", folder, "random", "greedy", "--games", "2", *SHORT)
    assert ran.status == 130
    assert f"everything is kept, and `projectl ladder '{folder}'` goes on.\n" in ran.out
