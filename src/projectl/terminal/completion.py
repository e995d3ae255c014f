"""Typing made easy: what a line can go on with, and which legal actions are nearest to a wrong one."""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Final

from projectl.core import actions
from projectl.core.errors import ProjectLError
from projectl.core.notation import more_placements, parse
from projectl.core.state import State

_MULTIPLE: Final[tuple[str, ...]] = ("master", "ambassador", "ghost")  # several placements in one action
_LOWER: Final[tuple[str, ...]] = ("credit", "none")
_SEAT: Final = re.compile(r"\d+ +")


def tidy(action: str) -> str:
    """An action with the case that records use: `Take w1` is `take W1`."""
    words = action.split()
    found: list[str] = []
    for n, word in enumerate(words):
        verb = n == 0 or (n == 1 and found[0] == "insert")
        lower = verb or ":" in word or word.lower() in _LOWER
        found.append(word.lower() if lower else word.upper())
    return " ".join(found)


# --- going on ---------------------------------------------------------------------------------


def split_seat(line: str) -> tuple[str, str]:
    """A seat number with its blank, if a line begins with one, and the rest."""
    found = _SEAT.match(line)
    return (found[0], line[found.end() :]) if found else ("", line)


def continuations(typed: str, texts: Sequence[str], state: State, seat: int) -> list[str]:
    """All lines that complete the last word of what was typed, one word at a time."""
    done, partial = _words(typed)
    begun = len(done)
    following: set[str] = set()
    for text in texts:
        words = text.split()
        if len(words) > begun and words[:begun] == done and words[begun].startswith(partial):
            following.add(words[begun])
    following |= {word for word in _more_placements(done, state, seat) if word.startswith(partial)}
    return [" ".join([*done, word]) for word in sorted(following)]


def _words(typed: str) -> tuple[list[str], str]:
    """The finished words, and the one that is being typed."""
    words = typed.split()
    if not words or typed[-1].isspace():
        return words, ""
    return words[:-1], words[-1]


def _more_placements(done: list[str], state: State, seat: int) -> list[str]:
    """The placements that an action with several may go on with, on lower places too: their order is free."""
    verbs = done[1:] if done[:1] == ["insert"] else done
    if not verbs or verbs[0] not in _MULTIPLE or ":" not in verbs[-1]:
        return []
    try:
        decisions = parse(" ".join(done))
    except ProjectLError:
        return []
    return [actions.placement_text(option) for option in more_placements(state, seat, decisions)]


def completed(typed: str, options: Sequence[str]) -> str:
    """What was typed, as far as all options agree; a finished word gets its blank."""
    if not options:
        return typed
    first, last = min(options), max(options)
    agree = next((n for n, letter in enumerate(first) if n >= len(last) or letter != last[n]), len(first))
    common = first[:agree]
    return f"{common} " if len(options) == 1 else common if len(common) > len(typed) else typed


# --- nearest ----------------------------------------------------------------------------------


def nearest(wrong: str, texts: Iterable[str], most: int = 4) -> list[str]:
    """The legal actions that look most like a wrong one: of the same verb if there are any."""
    words = wrong.split()
    verb = words[0] if words else ""
    known = list(texts)
    same = [text for text in known if text.split()[0] == verb]
    placement = next((word for word in words if ":" in word), "")
    weighed = sorted((-_likeness(wrong, placement, text), text) for text in same or known)
    return [text for weight, text in weighed[:most] if same or weight < -0.5]


def _likeness(wrong: str, placement: str, text: str) -> float:
    """How alike two actions are; for placements, above all whether they lie on the same cells."""
    alike = SequenceMatcher(None, wrong, text).ratio()
    mine = next((word for word in text.split() if ":" in word), "")
    if not placement or not mine:
        return alike
    wanted, offered = _cells(placement), _cells(mine)
    overlap = len(wanted & offered) / max(1, len(wanted | offered))
    return alike + 2 * overlap + (placement[0] == mine[0]) + (len(wanted) == len(offered))


def _cells(placement: str) -> set[str]:
    return set(re.findall(r"[a-e][1-5]", placement))
