"""Small helpers of the public API that belong to no part of the rules."""

from projectl.core import engine
from projectl.core.legal import legal as legal_vector
from projectl.core.state import State


def legal(state: State, seat: int = -1) -> list[int]:
    """The legal decisions of a seat (from 0; without one, of the seat that acts next)."""
    return [int(decision) for decision in legal_vector(state, seat)]


def compiled() -> bool:
    """Whether the engine runs as compiled code."""
    return not str(engine.__file__).endswith(".py")
