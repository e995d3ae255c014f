"""Every fenced block of the documentation is run, or checked in the way that fits it; what nobody checks fails.

Elsewhere: Python with prompts is a doctest (test_docs.py), records and what follows them are replayed
(test_rules_page.py, test_notation_page.py), what operators are told is done (server/test_operating.py).
"""

import doctest
import io
import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
from rich.console import Console

from projectl import Rules, Unreadable, look_at, new_game, parse_pack
from projectl.arena import arena_match, standings
from projectl.arena.report import report
from projectl.arena.result import PlayedGame
from projectl.bots import program
from projectl.cli import app
from projectl.cli.settings import server_settings
from projectl.core.mastermind import COLUMNS
from projectl.server.http.forms import TableForm
from tests.commands import environment
from tests.commands_page import commands as commands_by_words
from tests.examples import KINDS, Block, blocks

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [(page, block) for page in PAGES for block in blocks(page.read_text(encoding="utf-8"))]
REPLAYED = {"rules.md", "notation.md"}  # where a record may stand, and what is said about it
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def of(*kinds: str) -> list[object]:
    """The blocks of some kinds, with the pages they stand on."""
    found = [(page, block) for page, block in BLOCKS if block.kind in kinds]
    return [pytest.param(page, block, id=f"{page.name}:{block.line}") for page, block in found]


def test_every_block_says_what_it_is() -> None:
    """So that it is among those below: a fence without a language would be none of them."""
    for page in PAGES:
        fences = re.findall(r"^```(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(fences) == 2 * sum(1 for where, _ in BLOCKS if where == page), page
    known = {"python", "sh", "bash", "console", "toml", "json", "text"}
    replayed = {"record", "refused", "shuffle", *KINDS}
    for page, block in BLOCKS:
        assert block.kind in known or (page.name in REPLAYED and block.kind in replayed), f"{page.name}, {block}"


# --- Python ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "block"), of("python"))
def test_python(page: Path, block: Block, tmp_path: Path) -> None:
    """Without prompts it is a file: a program that plays, or a module that makes a bot."""
    if block.rows[0].startswith(">>> "):
        assert block.rows[-1] == "", f"{block}: a doctest's last output ends with an empty line"
        return
    source = "\n".join(block.rows)
    look = look_at(new_game(Rules(2), seed="blocks"), 0, 5.0)
    if "sys.stdin" in source:
        (tmp_path / "bot.py").write_text(source, encoding="utf-8")
        bot = program.ProgramBot(f"{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'bot.py'))}")
        assert bot.decide(look) in look.legal
        bot.close()
        return
    names = after_the_examples(page)
    exec(compile(source, f"{page.name}, {block}", "exec"), names)
    assert names["make"](None, 1).decide(look) in look.legal  # type: ignore[operator]


def after_the_examples(page: Path) -> dict[str, object]:
    """The names that a page's examples with prompts have made."""
    names: dict[str, object] = {}
    for example in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8")):
        if re.match(r"(from|import|class|def) ", example.source):
            exec(compile(example.source, page.name, "single"), names)
    return names


# --- commands -------------------------------------------------------------------------------


def commands(block: Block) -> list[str]:
    """The command lines of a block, without their prompts."""
    text = "\n".join(block.rows).replace("\\\n", " ")
    rows = text.splitlines()
    return [row.removeprefix("$ ") for row in rows if row.strip() and (block.kind != "console" or row.startswith("$ "))]


@pytest.mark.parametrize(("page", "block"), of("sh", "bash", "console"))
def test_commands(page: Path, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell can read them; what they call is there, and takes these options."""
    lines = commands(block)
    assert lines
    subprocess.run(["bash", "-n"], input="\n".join(lines), text=True, check=True)
    monkeypatch.chdir(tmp_path)
    for line in lines:
        for words in calls(line):
            check_call(words)


def calls(line: str) -> list[list[str]]:
    """The words of each command of a line, what goes into files left out."""
    words = shlex.split(re.sub(r"\s>+\s*\S+", "", line), comments=True)
    found: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            found.append([])
        else:
            found[-1].append(word)
    return found


def check_call(words: list[str]) -> None:
    """One command of ours, or of whatever machine it is for."""
    name, rest = Path(words[0]).name, words[1:]
    if name == "projectl":
        parse(rest)
    elif name == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert [word for word in rest if "=" not in word and word not in targets] == []
    elif name in ("python", "python3") and rest[0] == "-m":
        assert find_spec(rest[1]), rest[1]
    elif name in ("python", "python3"):
        assert (ROOT / rest[0]).is_file(), rest[0]
    for extras in re.findall(r"projectl[^\s\[\]]*\[([\w,]+)\]", " ".join(words)):
        assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    for path in re.findall(r"\bdocs/[\w./-]+", " ".join(words)):
        assert (ROOT / path).exists(), path


def parse(arguments: list[str]) -> None:
    """Read the arguments of `projectl` as it does, and carry nothing out."""
    context = typer.main.get_command(app).make_context("projectl", list(arguments))
    while isinstance(context.command, typer.core.TyperGroup):
        rest = [*context._protected_args, *context.args]
        name, command, rest = context.command.resolve_command(context, rest)
        assert command is not None
        context = command.make_context(name, rest, parent=context)


def test_commands_within_sentences() -> None:
    """They exist, and have the options that stand beside them; what they are about may be left out."""
    options = {words: {name for part in command.params for name in part.opts} for words, command in commands_by_words()}
    found = 0
    for page in PAGES:
        text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for span in re.findall(r"`(projectl [a-z][^`]*)`", text):
            known = max((words for words in options if f"{' '.join(span.split())} ".startswith(f"{words} ")), key=len)
            assert known != "projectl", f"{page.name}: {span}"
            assert set(re.findall(r"--[\w-]+", span)) <= options[known] | {"--help"}, f"{page.name}: {span}"
            found += 1
    assert found > 50


def test_the_readmes_first_commands_run(tmp_path: Path) -> None:
    """One after the other, as a person types them: a game, where it stands, what is legal, cards, a random game."""
    (tmp_path / "projectl").write_text(f'#!/bin/sh\nexec {sys.executable} -m projectl "$@"\n')
    (tmp_path / "projectl").chmod(0o755)
    lines = [line for page, block in BLOCKS if page.name == "README.md" for line in commands(block)]
    quick = [line for line in lines if re.match(r"projectl (new|replay|moves|perft|cards|demo) ", line)]
    assert len(quick) == 6
    script = "set -e\n" + "\n".join(quick)
    path = f"{tmp_path}:/usr/bin:/bin"
    subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment(PATH=path), check=True, capture_output=True, timeout=300
    )
    assert (tmp_path / "game.pln").read_text().startswith("format: 1\n")
    assert (tmp_path / "cards.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(("page", "block"), of("console"))
def test_what_a_command_prints(page: Path, block: Block) -> None:
    """Where a block shows it, it is so."""
    printed = [row for row in block.rows if not row.startswith("$ ")]
    if printed:
        script = "\n".join(commands(block))
        run = subprocess.run(["bash", "-ec", script], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
        assert run.stdout.splitlines() == printed


# --- data -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "block"), of("toml"))
def test_toml(page: Path, block: Block) -> None:
    """A card pack, a server's settings, or a package that brings a bot."""
    text = "\n".join(block.rows)
    found = tomllib.loads(text)
    if "cards" in found:
        assert parse_pack(text, "my.toml").cards
    elif "project" in found:
        [(name, place)] = found["project"]["entry-points"]["projectl.bots"].items()
        module, made = place.split(":")
        assert f"`{module}.py`" in page.read_text(encoding="utf-8")
        assert re.fullmatch(r"[\w-]+", name)
        assert any(f"def {made}(" in "\n".join(other.rows) for where, other in BLOCKS if where == page)
    else:
        assert found
        assert [name for name in found if name not in server_settings()] == []


@pytest.mark.parametrize(("page", "block"), of("json"))
def test_json(page: Path, block: Block) -> None:
    """A table to be made, or a message of the protocol of programs with the keys that are really sent."""
    if page.name == "notation.md":
        return  # tests/test_notation_page.py
    found = json.loads("\n".join(block.rows))
    if "seats" in found:
        TableForm.model_validate(found)
    elif found.get("type") == "hello" and "name" in found:
        assert set(found) == {"type", "protocol", "name"}  # what a program greets with; bot.py does, and is run
    else:
        assert same_keys(found, messages()[found.get("type", "answer")]) == []


def messages() -> dict[str, object]:
    """One message of each kind, as a program gets or gives it."""
    look = look_at(new_game(Rules(2), seed="blocks"), 0, 1.0)
    hello, decide = program._hello(look), program._request(look, 1, 1.0)
    return {
        "hello": json.loads(json.dumps(hello)),
        "decide": json.loads(json.dumps(decide)),
        "answer": {"id": 1, "decision": 1},
        "goodbye": {"type": "goodbye"},
    }


def same_keys(said: object, sent: object, where: str = "") -> list[str]:
    """Where the keys of an example and of what is really sent differ; lists may be cut short."""
    if isinstance(said, dict) and isinstance(sent, dict):
        if where.endswith((".supply", ".reserve")):
            return []
        differ = [f"{where}.{key}" for key in set(said) ^ set(sent)]
        return differ + [
            row for key in set(said) & set(sent) for row in same_keys(said[key], sent[key], f"{where}.{key}")
        ]
    if isinstance(said, list) and isinstance(sent, list) and said and sent:
        return same_keys(said[0], sent[0], f"{where}[]")
    return []


# --- what is printed ------------------------------------------------------------------------


def text_of(page: str, part: str) -> list[str]:
    """The rows of the one block of a page in which something stands."""
    [found] = [block.rows for where, block in BLOCKS if where.name == page and part in "\n".join(block.rows)]
    return found


def test_every_printed_text_is_looked_at() -> None:
    looked_at = {"accel.md": 1, "arena.md": 1, "cards.md": 1, "rules.md": 1}
    looked_at |= {"speed.md": 3, "terminal.md": 1, "CONTRIBUTING.md": 1}
    found = [page.name for page, block in BLOCKS if block.kind == "text"]
    assert {name: found.count(name) for name in found} == looked_at


def test_the_proof_of_the_array_engine_adds_up() -> None:
    *groups, total = text_of("accel.md", "games differ")
    numbers = [re.match(r" *(\d+) games, +(\d+) decisions: (.*)", row) for row in groups]
    games, decisions, names = zip(*(number.groups() for number in numbers if number), strict=True)
    assert total.startswith(f"{sum(map(int, games))} games, {sum(map(int, decisions))} decisions in ")
    assert total.endswith(": 0 games differ")
    assert {"every standard game", "every solo game"} < set(names)


def test_the_arenas_tables() -> None:
    match = arena_match(Rules(2, max_rounds=3), ["greedy", "random"], games=2, seed="blocks")
    games = [PlayedGame(one.number, one.deal, one.seats, match.play(one)) for one in match.pairings()]
    out = io.StringIO()
    Console(file=out, width=100).print(report(standings(match, games)))
    heads = {tuple(re.split(r" {2,}", row.strip())) for row in out.getvalue().splitlines()}
    said = {tuple(re.split(r" {2,}", row.strip())) for row in text_of("arena.md", "win rate")}
    assert {head for head in said if head[0] == "bot"} <= heads


def test_the_benchmarks_rows() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "benchmarks").glob("*.py"))
    rows = [row for page, block in BLOCKS if (page.name, block.kind) == ("speed.md", "text") for row in block.rows]
    labels = [re.split(r" {2,}", row)[0] for row in rows]
    assert len(labels) > 30
    for label in labels:
        assert [word for word in re.findall(r"[\w+]+", label) if word not in source] == [], label


def test_what_is_wrong_with_a_pack() -> None:
    text = "\n".join(text_of("cards.md", 'name = "My cards"')).replace(" I3 ", " I7 ")
    with pytest.raises(Unreadable) as caught:
        parse_pack(text, "my.toml")
    assert [f"my.toml:{caught.value.line}: {caught.value}"] == text_of("cards.md", "my.toml:3")


def test_the_solo_grid() -> None:
    rows = [row.split() for row in text_of("rules.md", "4 5 6")]
    assert [[str(row * COLUMNS + column + 1) for column in range(COLUMNS)] for row in range(3)] == rows


def test_the_plain_table(tmp_path: Path) -> None:
    rows = text_of("terminal.md", "> take W1")
    (tmp_path / "game.pln").write_text("players: 2\nwhite: W10 W01 W02 W03 W26\n\n")
    typed = "\n".join(row.removeprefix("> ") for row in rows if row.startswith("> "))
    command = [sys.executable, "-m", "projectl", "table", "game.pln", "--plain", "--seat", "me", "--seat", "greedy"]
    variables = environment(XDG_STATE_HOME=str(tmp_path))
    done = subprocess.run(
        command, input=typed, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=120
    )
    assert [row for row in rows if not row.startswith("> ") and row not in done.stdout] == [], done.stdout


def test_the_map_names_what_is_there() -> None:
    rows = text_of("CONTRIBUTING.md", "src/projectl/core/")
    names = {path.name for path in (ROOT / "src").rglob("*.py")}
    assert [name for name in re.findall(r"\b\w+\.py\b", "\n".join(rows)) if name not in names] == []
