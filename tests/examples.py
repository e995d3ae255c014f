"""Examples in documents: fenced blocks that are replayed, and positions written as lines of text.

    ```record      a whole record; the blocks below it, up to the next record, are about its end
    ```then        more actions of the same game
    ```position    some lines of `position_lines`, each must be there as written
    ```puzzle      one puzzle as a picture, from `picture`
    ```legal X     every legal action that begins with X, and no other
    ```illegal     actions that can be read and not played now
    ```unreadable  actions that cannot be read
    ```canonical   the record as the program prints it
    ```json X      parts of the position's JSON, for the `position` as a whole or one `seat N` (0 is a spectator)

By itself stands

    ```refused LINE KIND    a whole record that is refused, with that line and kind
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from projectl import EVERYTHING, Game, Illegal, ProjectLError, Unreadable, lines, replay, view

_BLOCK = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
KINDS = ("then", "position", "puzzle", "legal", "illegal", "unreadable", "canonical", "json")

Json = dict[str, object]


class Block(NamedTuple):
    """One fenced block of a document."""

    line: int
    kind: str
    about: str  # what stands behind the kind
    rows: list[str]

    def __repr__(self) -> str:
        return f"line {self.line}"


def blocks(page: str) -> Iterator[Block]:
    """All fenced blocks that have a kind."""
    for found in _BLOCK.finditer(page):
        yield Block(page.count("\n", 0, found.start()) + 1, found[1], found[2] or "", found[3].splitlines())


def examples(page: str) -> list[list[Block]]:
    """The records of a document, each with what is said about it."""
    found: list[list[Block]] = []
    for block in blocks(page):
        if block.kind == "record":
            found.append([block])
        elif block.kind in KINDS and (block.kind != "json" or block.about):
            found[-1].append(block)
    return found


def check(example: list[Block]) -> None:
    """Replay a record and compare every block that follows it."""
    game = replay("\n".join(example[0].rows))
    for block in example[1:]:
        _check(game, block)


def _check(game: Game, block: Block) -> None:
    said = [row for row in block.rows if row.strip()]
    assert said, f"{block} says nothing"
    if block.kind == "then":
        for row in said:
            game.play_line(row)
    elif block.kind == "position":
        there = position_lines(game)
        assert [row for row in said if row not in there] == [], f"{block}, but it is\n" + "\n".join(there)
    elif block.kind == "puzzle":
        assert said == picture(game, said[0])
    elif block.kind == "legal":
        listed = [f"{seat + 1} {text}" for seat, text, _ in lines(game.state)]
        assert said == [row for row in listed if row.startswith(block.about)], block
    elif block.kind == "canonical":
        assert "\n".join(block.rows) + "\n" == game.text()
    elif block.kind == "json":
        viewer = EVERYTHING if block.about == "position" else int(block.about.removeprefix("seat ")) - 1
        assert_part(json.loads("\n".join(block.rows)), view(game.state, viewer), str(block))
    else:
        for row in said:
            assert refusal(game, row) == block.kind, f"{block}: {row}"


def assert_part(said: object, found: object, where: str) -> None:
    """Everything that is said is there; lists have their full length."""
    if isinstance(said, dict):
        assert isinstance(found, dict), where
        for key, value in said.items():
            assert key in found, f"{where} has no {key}"
            assert_part(value, found[key], f"{where}, {key}")
    elif isinstance(said, list):
        assert isinstance(found, list), where
        assert len(said) == len(found), where
        for one, other in zip(said, found, strict=True):
            assert_part(one, other, where)
    else:
        assert said == found, where


def check_refused(block: Block) -> None:
    """A record that is refused, with the line and the kind that are said."""
    line, kind = block.about.split()
    with pytest.raises(ProjectLError) as caught:
        replay("\n".join(block.rows))
    assert (caught.value.line, caught.value.kind) == (int(line), kind), f"{block}: {caught.value}"


def refusal(game: Game, row: str) -> str:
    """How an action is refused, empty where it is not; the game stays as it is."""
    before = game.state.key()
    try:
        game.play_line(row)
    except (Illegal, Unreadable) as error:
        assert game.state.key() == before
        return error.kind
    return ""


def _part(found: Json, key: str) -> Json:
    inner = found[key]
    assert isinstance(inner, dict)
    return inner


def _list(found: Json, key: str) -> list[Json]:
    inner = found[key]
    assert isinstance(inner, list)
    return inner


def _names(found: object) -> str:
    assert isinstance(found, list)
    return " ".join(str(name or "-") for name in found) or "nothing"


def _counts(found: Json) -> str:
    return ", ".join(f"{n} {name}" for name, n in found.items()) or "nothing"


def _yes(found: object) -> str:
    return "yes" if found else "no"


def position_lines(game: Game, viewer: int = EVERYTHING) -> list[str]:
    """The JSON of a position as lines for a reader."""
    seen: Json = {**view(game.state, viewer)}
    found = [f"round {seen['round']}, {seen['phase']}, to act: {_names(seen['to_act'])}"]
    if isinstance(seen["actions_left"], int):
        found += [f"actions left: {seen['actions_left']}", f"master used: {_yes(seen['master_used'])}"]
    else:
        left = _part(seen, "actions_left")
        found.append("actions left: " + ", ".join(f"seat {seat} {n}" for seat, n in left.items()))
    found.append(f"end triggered: {_yes(seen['end_triggered'])}")
    found += _market(seen)
    found.append(f"reserve: {_counts(_part(seen, 'reserve'))}")
    if "finesse" in seen:
        finesse = _part(seen, "finesse")
        found += [f"tiles: {_names(finesse['tiles'])}", f"bank: {finesse['bank']}"]
    if "markers" in seen:
        markers = _part(seen, "markers")
        found.append(f"markers: white seat {markers['white']}, black seat {markers['black']}")
    for player in _list(seen, "players"):
        found += _player(player)
    if seen["result"]:
        end = _part(seen, "result")
        found.append(f"scores {_names(end['scores'])}, won by seat {_names(end['winners'])} ({end['reason']})")
    return found


def _market(seen: Json) -> list[str]:
    if "solo" in seen:
        solo = _part(seen, "solo")
        locks = solo["locks"]
        assert isinstance(locks, list)
        return [
            f"grid: {_names(solo['grid'])}",
            f"deck: {solo['deck']}",
            f"locks: {', '.join(map(str, locks))}; the mastermind holds {solo['supply']}",
            f"mastermind: {_names(solo['completed'])}; {solo['points']} points",
        ]
    rows = [f"row {name}: {_names(cards)}" for name, cards in _part(seen, "rows").items()]
    return rows + [f"deck {name}: {n}" for name, n in _part(seen, "decks").items()]


def _player(player: Json) -> list[str]:
    who = f"seat {player['seat']}"
    found = [f"{who} supply: {_counts(_part(player, 'supply'))}"]
    for puzzle in _list(player, "puzzles"):
        laid = "".join(f" {piece['piece']} on {_cells(piece)}," for piece in _list(puzzle, "pieces"))
        empty = puzzle["empty"]
        assert isinstance(empty, list)
        found.append(f"{who} place {puzzle['place']}: {puzzle['card']},{laid} empty {''.join(empty) or 'nothing'}")
    if player["completed"] is None:
        found.append(f"{who} pile: {player['completed_count']} cards face down")
    else:
        found.append(f"{who} pile: {_names(player['completed'])}; points {player['points']}")
    found.append(f"{who} touches: {player['touches']}")
    if "credits" in player:
        credits = _part(player, "credits")
        found.append(f"{who} credits: {credits['active']} active, {credits['inactive']} inactive")
    if "ambassador" in player:
        found.append(f"{who} ambassador actions: {player['ambassador']}")
    return found


def _cells(piece: Json) -> str:
    cells = piece["cells"]
    assert isinstance(cells, list)
    return "".join(cells)


def picture(game: Game, title: str) -> list[str]:
    """A puzzle drawn: `#` card, `.` empty recess, a small letter for each piece in the order placed.

    The title is `seat 1 place 2`, the last row says what the letters are.
    """
    words = title.split()
    players = _list({**view(game.state)}, "players")
    puzzles = _list(players[int(words[1]) - 1], "puzzles")
    puzzle = next(one for one in puzzles if one["place"] == int(words[3]))
    marks = dict.fromkeys(map(str, _list(puzzle, "empty")), ".")
    legend: list[str] = []
    for letter, piece in zip("abcdefgh", _list(puzzle, "pieces"), strict=False):
        legend.append(f"{letter} = {piece['piece']}")
        marks.update(dict.fromkeys(map(str, _list(piece, "cells")), letter))
    rows = [" ".join(marks.get(f"{column}{row}", "#") for column in "abcde") for row in range(1, 6)]
    return [title, *rows, *([", ".join(legend)] if legend else [])]


def section(page: str, heading: str) -> str:
    """What stands below a heading, up to the next one of the same level or higher."""
    level = len(heading) - len(heading.lstrip("#"))
    start = page.index(f"\n{heading}\n") + len(heading) + 2
    rest = page[start:]
    end = re.search(rf"^#{{1,{level}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def tables(text: str) -> list[list[list[str]]]:
    """All tables, as rows of cells, without the rule below the head."""
    found: list[list[list[str]]] = []
    inside = False
    for row in text.splitlines():
        if row.startswith("|"):
            if not inside:
                found.append([])
            if not row.startswith("| ---"):
                cells = re.split(r"(?<!\\)\|", row)[1:-1]
                found[-1].append([cell.strip() for cell in cells])
        inside = row.startswith("|")
    return found


def code_words(text: str) -> list[str]:
    """What stands between backquotes."""
    return re.findall(r"`([^`]+)`", text)
