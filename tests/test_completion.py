"""The shell completes commands, options and their values: asked as Bash, Zsh and fish ask, and by Bash itself."""

import io
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from projectl.bots import names
from projectl.cli import main
from projectl.cli.completion import whole_words
from projectl.core.rules import EDITIONS, MODULES, option_named

LINES: dict[str, list[str]] = {
    "projectl tour": ["tournament"],
    "projectl arena --gam": ["--games"],
    "projectl arena pl": ["planner"],
    "projectl arena planner gr": ["greedy"],
    "projectl new --edition 20": list(EDITIONS),
    "projectl new --modules fin": ["finesse", "finesse_ambassador"],
    "projectl new --modules ghost,": [f"ghost,{name}" for name in MODULES if name != "ghost"],
    "projectl table --seat m": ["me"],
    "projectl serve --log-level w": ["warning"],
}
VALUED: dict[str, list[str]] = {
    "projectl new --option dif": [f"difficulty={value}" for value in option_named("difficulty").values],
    "projectl new --option difficulty=h": ["difficulty=hard"],
    "projectl arena search:": ["search:50ms", "search:200ms", "search:1s", "search:4s"],
}


BOTS = "projectl arena "  # which there are is asked in the test: other tests bring some of their own


def wanted_after(line: str) -> list[str]:
    """Every word that can stand next."""
    return [*names(), "program:"] if line == BOTS else {**LINES, **VALUED}[line]


def answered(monkeypatch: pytest.MonkeyPatch, **variables: str) -> str:
    """What the command says to a shell that asks."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["projectl"])
    said = io.StringIO()
    with redirect_stdout(said), pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    return said.getvalue()


@pytest.mark.parametrize("line", [*LINES, *VALUED, BOTS])
def test_zsh_and_fish_are_told_how_a_line_can_go_on(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = wanted_after(line)
    said = answered(
        monkeypatch,
        _PROJECTL_COMPLETE="complete_fish",
        _TYPER_COMPLETE_ARGS=line,
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )
    assert sorted(row.split("\t")[0] for row in said.splitlines()) == sorted(wanted)
    said = answered(monkeypatch, _PROJECTL_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS=line)
    assert [word for word in wanted if f'"{word}"' not in said.replace("\\", "")] == []


@pytest.mark.parametrize(
    ("shell", "words"), [("bash", "complete -o default"), ("zsh", "#compdef"), ("fish", "--command")]
)
def test_the_script_for_each_shell(shell: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert words in answered(monkeypatch, _PROJECTL_COMPLETE=f"source_{shell}")


def test_words_that_bash_broke_are_put_together() -> None:
    assert whole_words(["projectl", "new", "--option", "a", "=", "b"], 5) == (["projectl", "new", "--option", "a=b"], 3)
    assert whole_words(["projectl", "new", "--option", "a", "="], 4) == (["projectl", "new", "--option", "a="], 3)
    assert whole_words(["projectl", "arena", "x", ":", "1", "g"], 5) == (["projectl", "arena", "x:1", "g"], 3)


ASK = """
eval "$(_PROJECTL_COMPLETE=source_bash projectl)"
COMP_WORDS=({words}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_projectl_completion projectl
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
BROKEN: dict[str, list[str]] = {  # the words as Bash breaks them, and what it is to put behind the last break
    "projectl new --option difficulty = h": ["hard"],
    "projectl new --option difficulty =": ["hard", "normal", "unbeatable"],
    "projectl new --option = known": ["known_points=no", "known_points=yes"],
    "projectl arena search : 5": ["50ms"],
    "projectl new --modules gh": ["ghost"],
    "projectl tou": ["tournament"],
}


@pytest.mark.parametrize("words", BROKEN)
def test_bash_itself_completes(words: str, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no Bash here")
    command = tmp_path / "projectl"
    command.write_text(f"#!{sys.executable}\nfrom projectl.cli import main\nmain()\n")
    command.chmod(0o755)
    ours = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": ":".join(entry for entry in sys.path if entry)}
    quoted = " ".join(f"'{word}'" for word in words.split())
    done = subprocess.run(
        [bash, "--norc", "-c", ASK.format(words=quoted)],
        env={**os.environ, **ours},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (sorted(done.stdout.split()), done.stderr) == (BROKEN[words], "")
