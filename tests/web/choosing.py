"""What a person who wants to see everything would do next: finish what can be finished, then what was done least."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, TypeAlias

from tests.web.pieces import Placement, cells_of

State: TypeAlias = dict[str, Any]

# How soon a kind of action is wanted again; the smaller the sooner.
_WANTED: Final = {
    "place": 0.5,
    "take": 1.0,
    "ambassador": 0.6,
    "ghost": 0.6,
    "gain": 1.0,
    "upgrade": 1.0,
    "master": 0.9,
    "insert": 1.0,
    "deck": 1.6,
    "recycle": 2.5,
    "pass": 50.0,
}


def kind(action: str) -> str:
    """The first word; taking from a deck is a kind of its own."""
    words = action.split()
    return "deck" if words[0] == "take" and words[1] in "WBG" else words[0]


def player(view: State, seat: int) -> State:
    """One player of a view."""
    found: State = next(each for each in view["players"] if each["seat"] == seat)
    return found


def fills(view: State, seat: int, placement: Placement) -> bool:
    """Whether it completes the puzzle."""
    puzzle = next(each for each in player(view, seat)["puzzles"] if each["place"] == placement.place)
    return cells_of("".join(puzzle["empty"])) == placement.cells


def choose(state: State, seat: int, done: Counter[str]) -> str:
    """The next action of a seat that may act."""
    view, legal = state["view"], state["legal"][str(seat)]
    by: dict[str, list[str]] = {}
    for action in legal:
        by.setdefault(kind(action), []).append(action)
    if "touch" in by or "done" in by:
        paid = [text for text in by.get("touch", []) if not text.endswith("credit")]
        good = [text for text in paid if fills(view, seat, Placement.read(text.split()[1]))]
        return (good or ([] if done["touch"] else paid) or ["done"])[0]
    for open_choice in ("reward", "levelup"):
        if open_choice in by:
            return by[open_choice][0]
    for text in by.get("place", []):
        if fills(view, seat, Placement.read(text.split()[1])):
            return text
    puzzles = len(player(view, seat)["puzzles"])
    if puzzles == 0 and "take" in by:
        return by["take"][0]
    if puzzles > 2 and len(by) > 2:
        by.pop("take", None)
        by.pop("deck", None)
    if puzzles < 2:
        by.pop("master", None)
    if all(name in ("insert", "pass") for name in by):
        first = "insert" if "insert" in by and not done["insert"] else "pass"
    else:
        first = min(by, key=lambda name: (done[name] + 1) * _WANTED[name])
    return _whole(view, seat, by[first], done)


def _whole(view: State, seat: int, listed: list[str], done: Counter[str]) -> str:
    """The best of one kind; Master and Ambassador with a piece on every puzzle where they go."""
    verb = listed[0].split()[0]
    if verb in ("place", "ghost"):
        return max(listed, key=len)
    if verb == "upgrade":
        return max(listed, key=lambda text: (int(text[-1]) - int(text[-4]), text))
    if verb == "insert":
        simple = [text for text in listed if text.split()[1] in ("gain", "take")]
        return (simple or listed)[0]
    if verb == "recycle":
        return listed[min(len(listed) - 1, 5 * done["recycle"])]
    if verb not in ("master", "ambassador"):
        return listed[0]
    supply: Counter[str] = Counter(player(view, seat)["supply"])
    chosen: dict[int, str] = {}
    for text in sorted(listed, key=len, reverse=True):
        word = text.split()[1]
        placement = Placement.read(word)
        if placement.place not in chosen and supply[placement.piece] > 0:
            supply[placement.piece] -= 1
            chosen[placement.place] = word
    return " ".join([verb, *(chosen[place] for place in sorted(chosen))])
