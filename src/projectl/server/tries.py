"""Actions that somebody only thinks about: whether they could be played, why not, what may be added."""

from typing import NamedTuple

from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.errors import ProjectLError
from projectl.core.legal import legal
from projectl.core.lines import Decisions, legal_decisions
from projectl.core.pieces import PLACEMENTS
from projectl.core.state import State


class Answer(NamedTuple):
    """No code: it could be played."""

    code: str
    sentence: str
    more: list[str]  # placements that may be added to it


def tried(state: State, seat: int, action: str) -> Answer:
    """What would happen if a seat (from 0) played this now."""
    try:
        decisions = legal_decisions(state, seat, action)
    except ProjectLError as error:
        return Answer(error.code, error.sentence, [])
    return Answer("", "", _more(state, seat, decisions))


def _more(state: State, seat: int, decisions: Decisions) -> list[str]:
    """Placements that can be added to a Master, Ambassador or Ghost action, on any place that has none yet."""
    if decisions[-1] != actions.STOP:
        return []
    placed = [decision for decision in decisions if decision < actions.TAKE]
    opened = state.clone()
    for decision in decisions:
        if decision >= actions.TAKE and decision != actions.STOP:
            apply(opened, decision, seat)
    options = [int(option) for option in legal(opened, seat) if option < actions.TAKE]
    return [actions.placement_text(option) for option in options if _joins(opened, seat, placed, option)]


def _joins(opened: State, seat: int, placed: list[int], option: int) -> bool:
    """Whether a placement can stand beside the others; inside the engine places ascend."""
    if option // PLACEMENTS in {decision // PLACEMENTS for decision in placed}:
        return False
    after = opened.clone()
    for decision in sorted([option, *placed]):
        if decision not in legal(after, seat):
            return False
        apply(after, decision, seat)
    return True
