"""Small helpers of the public API that belong to no part of the rules."""

from enum import Enum

from projectl.core import engine, setup
from projectl.core.legal import check_seat
from projectl.core.legal import legal as legal_vector
from projectl.core.rules import Rules
from projectl.core.setup import Named
from projectl.core.state import State


class Order(Enum):
    """How cards lie that nobody has shuffled."""

    BY_ID = "by id"


#: In place of a seed: the cards lie in the order of their ids, as a record without a seed is dealt.
ORDERED = Order.BY_ID


def new_game(rules: Rules, seed: str | int | Order | None = None, named: Named = Named()) -> State:
    """The first position of a game, shuffled by the seed or by a new one of its own (`state.seed`)."""
    if isinstance(seed, Order):
        return setup.new_game(rules, None, named)
    if seed is None:
        import secrets  # brings more along than all other games need

        seed = secrets.token_hex(8)
    return setup.new_game(rules, str(seed), named)


def legal(state: State, seat: int | None = None) -> list[int]:
    """The legal decisions of a seat (from 0; without one, of the seat that acts next)."""
    if seat is None:
        return [int(decision) for decision in legal_vector(state)]
    check_seat(state, seat)
    return [int(decision) for decision in legal_vector(state, seat)]


def compiled() -> bool:
    """Whether the engine runs as compiled code."""
    return not str(engine.__file__).endswith(".py")
