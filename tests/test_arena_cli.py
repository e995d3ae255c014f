"""The commands `arena` and `tournament`, as somebody types them."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from projectl import ProjectLError, replay
from projectl.arena.folder import Folder
from projectl.arena.match import Match
from projectl.arena.run import Where
from projectl.cli import app, arena

SHORT = ["--option", "max_rounds=4", "--seed", "s"]


def projectl(*words: str) -> Result:
    """Run the command; errors that `main` would print are raised."""
    found = CliRunner().invoke(app, words)
    if isinstance(found.exception, ProjectLError):
        raise found.exception
    return found


def row(output: str, bot: str, nth: int = 0) -> list[str]:
    """The words of a bot's line in one of the tables."""
    return [line.split() for line in output.splitlines() if line.split()[:1] == [bot]][nth]


def test_an_arena_prints_both_tables_and_saves_every_game(tmp_path: Path) -> None:
    out = tmp_path / "match"
    done = projectl("arena", "random", "random:1s", "--games", "6", "--out", str(out), *SHORT)
    assert done.exit_code == 0
    assert done.output.startswith("2 players, edition 2023, max_rounds=4; 10 s for a decision; seed s")
    lines = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    won = sum((1 / len(line["winners"])) for line in lines for seat in line["winners"] if line["bots"][seat - 1] == 1)
    assert row(done.output, "random")[1:4] == ["6", f"{won / 6 * 100:.1f}", "%"]
    assert row(done.output, "random", 1)[-3:] == ["100.0", "%", "0"]  # all reach the limit, none forfeits
    assert f"6 games in {out}." in done.output.replace("\n", "")
    assert len(list(out.glob("*.pln"))) == 6
    assert replay((out / "0002.pln").read_text()).header.names == ("random:1s", "random")


def test_matches_are_limited_to_60_rounds_r19(tmp_path: Path) -> None:
    projectl("arena", "random", "--games", "1", "--players", "1", "--seed", "s", "--out", str(tmp_path / "m"))
    assert json.loads((tmp_path / "m" / "match.json").read_text())["options"] == {"max_rounds": "60"}


def test_the_table_and_the_rules_can_be_chosen(tmp_path: Path) -> None:
    words = ["--games", "2", "--players", "3", "--edition", "2019", "--modules", "ghost,ambassador", "--time", "2s"]
    projectl(
        "arena", "random", "random:1s", *words, "--option", "known_points=no", "--out", str(tmp_path / "m"), *SHORT
    )
    header = replay((tmp_path / "m" / "0001.pln").read_text()).header
    assert (header.rules.edition, header.rules.modules) == ("2019", ("ghost", "ambassador"))
    assert header.rules.options() == {"known_points": "no", "max_rounds": "4"}
    assert header.names == ("random", "random:1s", "random")
    assert json.loads((tmp_path / "m" / "match.json").read_text())["seconds"] == 2.0


def test_without_out_a_match_gets_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    projectl("arena", "random", "random:50ms", "--games", "2", *SHORT)
    assert (tmp_path / "matches" / "random-random-50ms-s" / "0002.pln").exists()


def test_a_bot_alone_plays_itself_for_its_score(tmp_path: Path) -> None:
    done = projectl("arena", "random", "--games", "2", "--players", "4", "--out", str(tmp_path / "m"), *SHORT)
    words = row(done.output, "random")
    assert words[1:5] == ["2", "-", "-", "-"]
    float(words[5])
    assert words[6:] == ["-", "-"]


def test_a_tournament_prints_a_cross_table_and_ratings_and_draws_them(tmp_path: Path) -> None:
    svg = tmp_path / "t.svg"
    bots = ["random", "random:1s", "random:2s"]
    done = projectl("tournament", *bots, "--games", "2", "--out", str(tmp_path / "m"), "--svg", str(svg), *SHORT)
    assert done.exit_code == 0
    rows = [line.split() for line in done.output.splitlines()]
    first = next(words for words in rows if words[:2] == ["1", "random"] and "±" not in words[2])
    assert (first[2], len(first)) == ("-", 7)
    ranking = [words[1] for words in rows if len(words) > 2 and words[0] in "123" and "±" in words[2]]
    assert sorted(ranking) == bots
    text = svg.read_text()
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert "Tournament of 3 bots, 6 games" in text
    assert len(list((tmp_path / "m").glob("*.pln"))) == 6


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["arena", "nobody"], "there is no bot 'nobody'; there are"),
        (["arena", "random:fast"], "a bot's time is as 50ms or 4s, found 'fast'"),
        (["arena", "random", "--time", "0s"], "a bot's time is as 50ms or 4s, found '0s'"),
        (["arena", "random", "--jobs", "0"], "jobs are a number from 1 to 256, found 0"),
        (["arena", "random", "--games", "0"], "games are a number from 1 to 1000000, found 0"),
        (["arena", "random", "--players", "7"], "edition 2023 is for 1 to 6 players, found 7"),
        (["arena", "random", "--modules", "chess"], "unknown module 'chess'"),
        (["arena", "random", "--option", "max_rounds=0"], "max_rounds is a number from 1, found '0'"),
        (["arena", "random", "--resume"], "--resume needs --out DIR, the folder of the match"),
        (["tournament", "random"], "a tournament at a table for 2 needs 2 bots or more"),
        (["tournament", "random", "random:1s", "--svg", "no/such/x.svg"], "there is no folder no/such for the picture"),
    ],
)
def test_what_cannot_be_played_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProjectLError) as found:
        projectl(*words)
    assert sentence in found.value.sentence
    assert list(tmp_path.iterdir()) == []


# Ctrl-C, in a process of its own

# Plays at random; but from some saved games on it waits until it may go on.
WAITING = """
import os, sys, time
from pathlib import Path
from projectl.bots.registry import register
from projectl.bots.simple import RandomBot

GAMES, GO, MANY = Path(os.environ["WAITING_GAMES"]), Path(os.environ["WAITING_GO"]), 3


class Waiting(RandomBot):
    def decide(self, look):
        while not GO.exists() and GAMES.exists() and GAMES.read_bytes().count(b"\\n") >= MANY:
            time.sleep(0.05)
        return super().decide(look)


def waiting(seconds, seed):
    return Waiting(seed)
"""
COMMAND = [sys.executable, "-c", "from projectl.cli import main; main()", "arena", "random", "waiting", "--games", "10"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_saves_and_prints_what_was_played_and_resume_goes_on(tmp_path: Path, jobs: str) -> None:
    info = tmp_path / "waiting_bot-1.dist-info"
    info.mkdir()
    (tmp_path / "waiting_bot.py").write_text(WAITING)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: waiting-bot\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[projectl.bots]\nwaiting = waiting_bot:waiting\n")
    out, go = tmp_path / "cut", tmp_path / "go"
    path = ":".join([str(tmp_path), *(str(Path(entry).resolve()) for entry in sys.path if entry)])
    ours = {"PYTHONPATH": path, "WAITING_GAMES": str(out / "games.jsonl"), "WAITING_GO": str(go)}
    environment = {**os.environ, **ours}
    command = [*COMMAND, *SHORT, "--time", "600s", "--jobs", jobs, "--out"]

    with subprocess.Popen([*command, str(out)], env=environment, stdout=subprocess.PIPE, text=True) as match:
        while not (out / "games.jsonl").exists() or (out / "games.jsonl").read_bytes().count(b"\n") < 3:
            assert match.poll() is None
            time.sleep(0.05)
        match.send_signal(signal.SIGINT)
        try:
            printed, _ = match.communicate(timeout=60)
        finally:
            match.kill()
    assert match.returncode == 130
    saved = len((out / "games.jsonl").read_text().splitlines())
    assert 3 <= saved <= 4
    assert row(printed, "random")[1] == str(saved)
    assert f"Interrupted with {10 - saved} games left; this goes on:" in printed
    name, *again = shlex.split(printed.splitlines()[-1])
    assert name == "projectl"

    go.touch()
    for words in ([*COMMAND[:3], *again], [*command, str(tmp_path / "whole")]):
        subprocess.run(words, env=environment, check=True, capture_output=True, timeout=120)
    for number in range(1, 11):
        name = f"{number:04}.pln"
        assert (out / name).read_text() == (tmp_path / "whole" / name).read_text()
    assert len((out / "games.jsonl").read_text().splitlines()) == 10


def test_the_command_that_goes_on_draws_the_picture_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(match: Match, folder: Folder, where: Where) -> bool:
        folder.close()
        return False

    monkeypatch.setattr(arena, "_played", interrupted)
    svg, out = str(tmp_path / "a picture.svg"), str(tmp_path / "m")
    words = ["tournament", "random", "random:1s", "--games", "2", "--out", out, "--modules", "ghost", *SHORT]
    done = projectl(*words, "--svg", svg)
    assert done.exit_code == 130
    again = next(line for line in done.output.splitlines() if " --resume " in line)
    assert shlex.split(again)[-2:] == ["--svg", svg]
    monkeypatch.undo()
    assert projectl(*shlex.split(again)[1:]).exit_code == 0
    assert "Tournament of 2 bots, 2 games" in Path(svg).read_text()


def test_an_unknown_bot_ends_the_command_with_status_2(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from projectl.cli import main; main()", "arena", "random", "nobody"]
    path = ":".join(str(Path(entry).resolve()) for entry in sys.path if entry)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bot: there is no bot 'nobody'; there are ")
    assert done.stderr.count("\n") == 1


def test_the_document_shows_what_is_printed(tmp_path: Path) -> None:
    """All of it but the times."""
    page = (Path(__file__).resolve().parent.parent / "docs" / "arena.md").read_text(encoding="utf-8")
    command, shown = page.split("For example, from `projectl ")[1].split("```")[:2]
    done = projectl(*command.split("`")[0].split(), "--out", str(tmp_path / "m"))
    shown = shown.removeprefix("text\n")
    assert shown.splitlines()[0] in done.output
    for bot in ("random", "greedy"):
        assert row(shown, bot) == row(done.output, bot), "results"
        documented, measured = row(shown, bot, 1), row(done.output, bot, 1)
        assert (documented[1], documented[-3:]) == (measured[1], measured[-3:]), "decisions"
