"""A table to play at in tests: a header, actions as text, and what can be seen afterwards."""

import pytest

from projectl import Game, Illegal, Unreadable, lines, replay, view
from projectl.core.view import EVERYTHING


def table(header: str, *actions: str) -> Game:
    """A game after some actions. Header and actions are texts, one entry a line or `|`."""
    rows = [part.strip() for text in actions for line in text.split("\n") for part in line.split("|")]
    head = "\n".join(row.strip() for row in header.split("\n"))
    return replay("\n".join([head, *rows]) + "\n")


def go(game: Game, *actions: str) -> Game:
    """Play on."""
    for text in actions:
        for line in text.split("\n"):
            for part in line.split("|"):
                if part.strip():
                    game.play_line(part)
    return game


def idle(*seats: int) -> str:
    """A whole 2023 turn for each seat that changes nothing and is not quiet (three Upgrades)."""
    return "\n".join(f"{s} upgrade I2 L3|{s} upgrade L3 I3|{s} upgrade I3 I2" for s in seats)


def listed(game: Game, every: bool = False) -> list[str]:
    """All legal actions as lines."""
    return [f"{seat + 1} {text}" for seat, text, _ in lines(game.state, every)]


def supply(game: Game, seat: int) -> dict[str, int]:
    """The supply of a seat (from 1)."""
    found = player(game, seat)["supply"]
    assert isinstance(found, dict)
    return found


def seen(game: Game, key: str, seat: int | None = None) -> object:
    """One key of the position's JSON, as the referee or a seat (from 1) sees it."""
    return dict(view(game.state, EVERYTHING if seat is None else seat - 1))[key]


def part(game: Game, key: str) -> dict[str, object]:
    """A key of the position that holds an object."""
    found = seen(game, key)
    assert isinstance(found, dict)
    return found


def player(game: Game, seat: int, viewer: int | None = None) -> dict[str, object]:
    """A player's part of the position."""
    players = seen(game, "players", viewer)
    assert isinstance(players, list)
    found = players[seat - 1]
    assert isinstance(found, dict)
    return found


def refused(game: Game, line: str) -> str:
    """The code with which an action is refused as illegal; the game stays as it was."""
    before, moves = game.state.key(), len(game.moves)
    with pytest.raises(Illegal) as caught:
        game.play_line(line)
    assert (game.state.key(), len(game.moves)) == (before, moves)
    assert line.split(" ", 1)[1] not in [text.split(" ", 1)[1] for text in listed(game) if text.startswith(line[:2])]
    return caught.value.code


def unreadable(header: str, *actions: str) -> tuple[str, int]:
    """The code and the line with which a record is refused as unreadable."""
    with pytest.raises(Unreadable) as caught:
        table(header, *actions)
    return caught.value.code, caught.value.line
