"""The lessons that ship with the package (lessons.jsonl), and trying actions on one."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from projectl.core.engine import apply
from projectl.core.legal import to_act
from projectl.core.notation import legal_decisions, text
from projectl.core.state import TOUCHES, State
from projectl.daily.grade import Step, Tries
from projectl.header import Header
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
def begun(lesson: str) -> tuple[Header, State]:
    """The game of a lesson, and where it stands. The state is shared: clone it."""
    game = replay(lessons()[lesson].record)
    return game.header, game.state


def follow(lesson: Lesson, actions: Sequence[str]) -> Tries:
    """Play actions of the lesson's seat, checked; an error says what is wrong with the first that cannot be."""
    state, seat = begun(lesson.id)[1].clone(), lesson.seat - 1
    steps: list[Step] = []
    for action in actions:
        decisions = legal_decisions(state, seat, action)
        steps.append(Step(text(decisions, state.phase == TOUCHES), decisions, state.clone()))
        for decision in decisions:
            apply(state, decision, seat)
    return Tries(steps, state)


def ended(lesson: Lesson, state: State) -> bool:
    """Whether the lesson's seat can do no more."""
    return lesson.seat - 1 not in to_act(state)
