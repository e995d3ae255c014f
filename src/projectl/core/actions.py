"""Every decision the engine knows: one number each, in contiguous ranges by kind.

A decision is small. A whole action, as people and records write it, is one decision or a short
sequence of them: `master 1:c3c4 3:a1` is MASTER, two placements and STOP. `lines.py` converts.
"""

from itertools import permutations
from typing import Final

from projectl.core import pieces
from projectl.core.ints import i64, vec

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


def placement_text(decision: int) -> str:
    """`1:c3c4`."""
    place, placement = divmod(decision, pieces.PLACEMENTS)
    return f"{place + 1}:{pieces.PLACEMENT_TEXT[placement]}"


def _pair_text(pair: int) -> str:
    returned, taken = divmod(pair, pieces.SHAPES)
    return f"{pieces.NAMES[returned]} {pieces.NAMES[taken]}"


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
    if decision < TAKE:
        return f"place {placement_text(decision)}"
    if decision < RECYCLE:
        return f"take {TAKE_NAMES[decision - TAKE]}"
    if decision < ORDER_OF_FOUR:
        return f"recycle {RECYCLE_NAMES[decision - RECYCLE]}"
    if decision < GAIN:
        return "order " + " ".join(str(slot + 1) for slot in ORDERS[decision - ORDER_OF_FOUR])
    if decision < UPGRADE:
        return f"gain {pieces.NAMES[decision - GAIN]}"
    if decision < LEVELUP:
        return f"upgrade {_pair_text(decision - UPGRADE)}"
    if decision < LEVELUP_NONE:
        return f"levelup {_pair_text(decision - LEVELUP)}"
    if REWARD <= decision < GHOST:
        place, shape = divmod(decision - REWARD, pieces.SHAPES)
        return f"reward {place + 1} {pieces.NAMES[shape]}"
    if GHOST <= decision < MASTER:
        ghost, parts = DECOMPOSITIONS[decision - GHOST]
        return " ".join(["ghost", pieces.NAMES[ghost], *pieces.names_in(parts)])
    return _WORDS[decision]
