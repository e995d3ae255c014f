"""The lessons that ship with the package (lessons.jsonl), and trying actions on one."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projectl.core.legal import to_act
from projectl.core.state import State
from projectl.game import Game
from projectl.record import replay

FILE: Final = Path(__file__).parent / "lessons.jsonl"


class Lesson(Struct, frozen=True):
    """A position, who is to act there, and the actions that show the rule."""

    id: str
    record: str  # of the game so far
    seat: int  # from 1
    play: list[str]


@cache
def lessons() -> Mapping[str, Lesson]:
    """All of them by their names."""
    decode = msgspec.json.Decoder(Lesson).decode
    found = [decode(line) for line in FILE.read_bytes().splitlines()]
    return {lesson.id: lesson for lesson in found}


@cache
def begun(lesson: str) -> Game:
    """The game of a lesson, where it stands. It is shared: copy it."""
    return replay(lessons()[lesson].record)


def follow(lesson: Lesson, actions: Sequence[str]) -> Game:
    """Play actions of the lesson's seat, checked; an error says what is wrong with the first that cannot be."""
    game = begun(lesson.id).copy()
    for action in actions:
        game.play(game.check(lesson.seat - 1, action))
    return game


def ended(lesson: Lesson, state: State) -> bool:
    """Whether the lesson's seat can do no more."""
    return lesson.seat - 1 not in to_act(state)
