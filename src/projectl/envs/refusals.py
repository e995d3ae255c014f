"""What an environment says of an action that cannot be: what was found, why not, and what is legal."""

import operator
from typing import Final

from gymnasium.error import InvalidAction

from projectl.core.actions import COUNT, decision_text
from projectl.core.legal import legal
from projectl.core.reasons import why_not
from projectl.core.state import State

_LISTED: Final = 400  # decisions that a sentence lists


def decision_of(action: object, highest: int = COUNT - 1) -> int:
    """An action as a number: of Python, of NumPy, or an array that holds just one."""
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidAction(f"an action is a whole number from 0 to {highest}, found {_shown(action)}") from None
    if not 0 <= number <= highest:
        raise InvalidAction(f"an action is a whole number from 0 to {highest}, found {number}")
    return number


def _shown(action: object) -> str:
    shape = getattr(action, "shape", None)
    kind = f"{getattr(action, 'dtype', '')} of shape {shape}" if shape is not None else repr(action)[:60]
    return kind.strip()


def illegal(state: State, seat: int, decision: int) -> InvalidAction:
    """Why a seat may not do this now, and what it may do."""
    options = [int(option) for option in legal(state, seat)]
    listed = ", ".join(str(option) for option in options[:_LISTED]) or "none"
    more = f" and {len(options) - _LISTED} more" if len(options) > _LISTED else ""
    why = why_not(state, seat, decision)[1]
    what = f"{decision} ({decision_text(decision)}) is not legal for player_{seat} now: {why}"
    return InvalidAction(f"{what}; legal are {listed}{more}")
