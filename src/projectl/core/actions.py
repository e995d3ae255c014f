"""Every decision the engine knows: one number each, in contiguous ranges by kind.

A decision is small. A whole action, as people and records write it, is one decision or a short
sequence of them: `master 1:c3c4 3:a1` is MASTER, two placements and STOP. `notation.py` converts.

How a number is made of its parts, and taken apart again, is written here and nowhere else.
"""

from itertools import permutations
from typing import Final

from projectl.core import pieces
from projectl.core.errors import Unreadable
from projectl.core.native import i64, vec

# A piece onto a place: place * 595 + placement. Also inside Master, Ambassador and Ghost, and for
# a touch.
PLACE: Final = 0

# A card: W1-W4 B1-B4, then Line Clear's rows, then the solo grid; then the top of a deck.
TAKE: Final = 2380
TAKE_LINE_CLEAR: Final = 2388
TAKE_GRID: Final = 2400
TAKE_TOP_WHITE: Final = 2409
TAKE_TOP_BLACK: Final = 2410
TAKE_TOP_GRID: Final = 2411
TAKE_NAMES: Final[tuple[str, ...]] = (
    *(f"{row}{n}" for row in ("W", "B") for n in (1, 2, 3, 4)),
    *(f"{row}{n}" for row in ("WL", "WR", "BL", "BR") for n in (1, 2, 3)),
    *(f"G{n}" for n in range(1, 10)),
    "W",
    "B",
    "G",
)

RECYCLE: Final = 2412
RECYCLE_NAMES: Final[tuple[str, ...]] = ("W", "B", "WL", "BL")

ORDER_OF_FOUR: Final = 2416  # 24 orders
ORDER_OF_THREE: Final = 2440  # 6 orders
ORDERS: Final[tuple[tuple[int, ...], ...]] = (*permutations(range(4)), *permutations(range(3)))

GAIN: Final = 2446  # + shape
UPGRADE: Final = 2455  # + returned * 12 + taken
LEVELUP: Final = 2599  # + returned * 12 + taken
LEVELUP_NONE: Final = 2743
REWARD: Final = 2744  # + place * 12 + shape
GHOST: Final = 2792  # + index into DECOMPOSITIONS

# (ghost, the multiset of pieces taken for it)
DECOMPOSITIONS: Final[list[tuple[int, int]]] = [
    (ghost, parts)
    for ghost in range(pieces.BASE_SHAPES, pieces.SHAPES)
    for parts in pieces.decompositions(pieces.NAMES[ghost])
]
DECOMPOSITION_COUNT: Final = 27
DECOMPOSED: Final = vec[i64]([ghost for ghost, _ in DECOMPOSITIONS])
PARTS: Final = vec[i64]([parts for _, parts in DECOMPOSITIONS])

MASTER: Final = 2819
AMBASSADOR: Final = 2820
INSERT: Final = 2821
PASS: Final = 2822
CREDIT: Final = 2823  # the next touch is paid with a credit
STOP: Final = 2824  # no more placements in this action
DONE: Final = 2825  # no more touches
COUNT: Final = 2826


# What the loops of `legal` add a placement or a taken shape to, without a call for each.
FIRST_ON_PLACE: Final = vec[i64]([PLACE + place * pieces.PLACEMENTS for place in range(4)])
PAIRS_OF: Final = vec[i64]([shape * pieces.SHAPES for shape in range(pieces.SHAPES)])


def placing(place: i64, placement: i64) -> i64:
    """The decision that lays a placement onto a place."""
    return PLACE + place * pieces.PLACEMENTS + placement


def is_placement(decision: i64) -> bool:
    """Whether a decision lays a piece down."""
    return decision < TAKE


def place_of(decision: i64) -> i64:
    """The place (from 0) that a placement names."""
    return decision // pieces.PLACEMENTS


def placement_of(decision: i64) -> i64:
    """Which of the 595 placements it is."""
    return decision % pieces.PLACEMENTS


def shape_placed(decision: i64) -> i64:
    """The shape that a placement lays down."""
    return pieces.PLACEMENT_SHAPE[decision % pieces.PLACEMENTS]


def is_take(decision: i64) -> bool:
    """Whether a decision takes a card."""
    return decision >= TAKE and decision < RECYCLE


def takes_face_up(decision: i64) -> bool:
    """Whether a decision takes a card that lies in a row or the grid, not one from a deck."""
    return decision >= TAKE and decision < TAKE_TOP_WHITE


def takes_from_deck(decision: i64) -> bool:
    """Whether a decision takes the top card of a deck."""
    return decision >= TAKE_TOP_WHITE and decision < RECYCLE


def takes_in_line_clear(decision: i64) -> bool:
    """Whether a decision takes a face-up card of one of Line Clear's four rows."""
    return decision >= TAKE_LINE_CLEAR and decision < TAKE_GRID


def takes_in_solo(decision: i64) -> bool:
    """Whether a decision takes a card of the solo grid or of the only deck."""
    return (decision >= TAKE_GRID and decision < TAKE_TOP_WHITE) or decision == TAKE_TOP_GRID


def slot_of(decision: i64) -> i64:
    """The market slot that a Take names, not one from a deck."""
    if decision >= TAKE_GRID:
        return decision - TAKE_GRID
    if decision >= TAKE_LINE_CLEAR:
        return decision - TAKE_LINE_CLEAR
    return decision - TAKE


def is_recycle(decision: i64) -> bool:
    """Whether a decision recycles a row."""
    return decision >= RECYCLE and decision < ORDER_OF_FOUR


def first_order(recycling: i64) -> i64:
    """The order from left to right of the row that a Recycle names: of four cards, in Line Clear of three."""
    return ORDER_OF_FOUR if recycling < RECYCLE + 2 else ORDER_OF_THREE


def is_order(decision: i64) -> bool:
    """Whether a decision is the order of a recycled row."""
    return decision >= ORDER_OF_FOUR and decision < GAIN


def is_gain(decision: i64) -> bool:
    """Whether a decision gains a piece."""
    return decision >= GAIN and decision < UPGRADE


def exchange(kind: i64, returned: i64, taken: i64) -> i64:
    """UPGRADE or LEVELUP with its two shapes."""
    return kind + returned * pieces.SHAPES + taken


def is_upgrade(decision: i64) -> bool:
    """Whether a decision is an Upgrade."""
    return decision >= UPGRADE and decision < LEVELUP


def is_levelup(decision: i64) -> bool:
    """Whether a decision is a Level Up that changes something."""
    return decision >= LEVELUP and decision < LEVELUP_NONE


def returned_of(decision: i64) -> i64:
    """The shape that an Upgrade or a Level Up gives back."""
    return (decision - (UPGRADE if decision < LEVELUP else LEVELUP)) // pieces.SHAPES


def taken_of(decision: i64) -> i64:
    """The shape that an Upgrade or a Level Up takes."""
    return (decision - (UPGRADE if decision < LEVELUP else LEVELUP)) % pieces.SHAPES


def rewarding(place: i64, shape: i64) -> i64:
    """The choice of a shape as the reward of a place."""
    return REWARD + place * pieces.SHAPES + shape


def is_reward(decision: i64) -> bool:
    """Whether a decision chooses a reward."""
    return decision >= REWARD and decision < GHOST


def reward_place(decision: i64) -> i64:
    """The place (from 0) whose reward is chosen."""
    return (decision - REWARD) // pieces.SHAPES


def reward_shape(decision: i64) -> i64:
    """The shape that is chosen."""
    return (decision - REWARD) % pieces.SHAPES


def is_ghost(decision: i64) -> bool:
    """Whether a decision breaks a ghost up."""
    return decision >= GHOST and decision < MASTER


def opens_placements(decision: i64) -> bool:
    """Whether placements and STOP follow: Ghost, Master or Ambassador."""
    return decision >= GHOST and decision <= AMBASSADOR


def opens(decision: i64) -> bool:
    """Whether more decisions of the same whole action follow."""
    return is_recycle(decision) or (decision >= GHOST and decision <= INSERT) or decision == CREDIT


def placement_text(decision: int) -> str:
    """`1:c3c4`."""
    return f"{place_of(decision) + 1}:{pieces.PLACEMENT_TEXT[placement_of(decision)]}"


def _exchange_text(decision: int) -> str:
    return f"{pieces.NAMES[returned_of(decision)]} {pieces.NAMES[taken_of(decision)]}"


def order_text(decision: int) -> str:
    """`3 1 4 2`; empty for left to right."""
    order = ORDERS[decision - ORDER_OF_FOUR]
    return "" if list(order) == sorted(order) else " ".join(str(slot + 1) for slot in order)


_WORDS: Final[dict[int, str]] = {
    LEVELUP_NONE: "levelup none",
    MASTER: "master",
    AMBASSADOR: "ambassador",
    INSERT: "insert",
    PASS: "pass",
    CREDIT: "credit",
    STOP: "stop",
    DONE: "done",
}


def decision_text(decision: int) -> str:
    """One decision by itself, for logs and for bot authors."""
    if not 0 <= decision < COUNT:
        raise Unreadable("decision", f"decisions are numbers from 0 to {COUNT - 1}, found {decision}")
    if is_placement(decision):
        return f"place {placement_text(decision)}"
    if is_take(decision):
        return f"take {TAKE_NAMES[decision - TAKE]}"
    if is_recycle(decision):
        return f"recycle {RECYCLE_NAMES[decision - RECYCLE]}"
    if is_order(decision):
        return "order " + " ".join(str(slot + 1) for slot in ORDERS[decision - ORDER_OF_FOUR])
    if is_gain(decision):
        return f"gain {pieces.NAMES[decision - GAIN]}"
    if is_upgrade(decision):
        return f"upgrade {_exchange_text(decision)}"
    if is_levelup(decision):
        return f"levelup {_exchange_text(decision)}"
    if is_reward(decision):
        return f"reward {reward_place(decision) + 1} {pieces.NAMES[reward_shape(decision)]}"
    if is_ghost(decision):
        ghost, parts = DECOMPOSITIONS[decision - GHOST]
        return " ".join(["ghost", pieces.NAMES[ghost], *pieces.names_in(parts)])
    return _WORDS[decision]
