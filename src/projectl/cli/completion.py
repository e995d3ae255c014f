"""Shell completion: Typer's, but that Bash breaks words at `=` and `:`, which our values have inside."""

import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Final

VARIABLE: Final = "_PROJECTL_COMPLETE"
_BREAKS: Final = ("=", ":")


def asked_by_bash() -> bool:
    """Whether Bash wants to know how a line can go on."""
    return os.environ.get(VARIABLE) == "complete_bash"


def whole_words(words: list[str], at: int) -> tuple[list[str], int]:
    """The words of a line as they were typed, and which of them is being typed."""
    found: list[str] = []
    current = 0
    for n, word in enumerate(words):
        if found and (word in _BREAKS or words[n - 1] in _BREAKS):
            found[-1] += word
        else:
            found.append(word)
        if n <= at:
            current = len(found) - 1
    return found, current


def answer_bash(answer: Callable[[], None]) -> None:
    """Answer for the whole word, and give Bash the part that it is about to replace."""
    words, at = os.environ.get("COMP_WORDS", "").split("\n"), int(os.environ.get("COMP_CWORD", "0"))
    whole, current = whole_words(words, at)
    os.environ.update(COMP_WORDS="\n".join(whole), COMP_CWORD=str(current))
    value = whole[current] if current < len(whole) else ""
    if value.startswith("-"):
        value = value.partition("=")[2]
    cut = max(value.rfind(sign) for sign in _BREAKS) + 1
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            answer()
    finally:
        sys.stdout.write("".join(f"{line[cut:]}\n" for line in said.getvalue().splitlines()))
