"""The learned player's network: an observation in, a score for every decision and everybody's chances out.

One source for NumPy, which plays, and JAX, which trains: `Arrays` names the one that counts. Cards are seen by their
planes, so that any card works; one encoder serves all puzzles, another all cards of the market.
"""

import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from projectl.bots.protocol import BotError
from projectl.core import actions, pieces
from projectl.core.features import (
    CONFIGURATION,
    FEATURE,
    FEATURES,
    MARKET,
    MARKET_CARD,
    PUZZLE,
    PUZZLE_WORDS,
    SEAT,
    SEAT_WORDS,
    SEATS,
    SIZE,
    SLOTS,
    TILE_WORDS,
    TILES,
    WORD,
)
from projectl.core.rules import FINESSE_ROUNDS
from projectl.core.state import PLACES

Array = Any  # NumPy's or JAX's
Weights = dict[str, Array]


class Arrays(NamedTuple):
    """Who counts: the module, and its product of a batch with a matrix, also as coarse as is enough between layers."""

    module: Any
    dot: Callable[[Array, Array], Array]
    coarse_dot: Callable[[Array, Array], Array]


NUMPY: Final = Arrays(np, np.matmul, np.matmul)

ROUNDS: Final = 40  # the limit in training, so that aimless games end

# Numbers above 1 are brought near 1; what is not named here and can be more than 1 is divided by its highest value.
_USUAL: Final[dict[str, float]] = {
    "configuration.max_rounds": 60.0,
    "turn.round": 10.0,
    "turn.last_round": 10.0,
    "turn.white_left": 20.0,
    "turn.black_left": 8.0,
    "pieces.reserve": 8.0,
    "pieces.hand": 2.0,
    "solo.locks": 4.0,
    "solo.points": 20.0,
    "solo.cards": 10.0,
    "unseen.own": 10.0,
    "market.points": 3.0,
    "seats.actions": 3.0,
    "seats.black": 1.0,
    "seats.points": 20.0,
    "seats.completed": 10.0,
    "seats.cards": 10.0,
    "seats.touches": 3.0,
    "seats.credits": 4.0,
    "seats.ambassadors": 1.0,
    "seats.supply": 3.0,
    "puzzles.points": 3.0,
    "puzzles.laid": 2.0,
    "tiles.credits": 2.0,
}


def _scales() -> npt.NDArray[np.float32]:
    found = np.zeros(SIZE, np.float32)
    for feature in FEATURES:
        found[feature.indexes()] = 1 / _USUAL.get(feature.name, float(feature.highest))
    return found


SCALES: Final = _scales()

# Which cells each placement covers, and which shape it is.
_MASKS: Final = np.array([int(mask) for mask in pieces.PLACEMENT_MASK], np.int64)
COVERS: Final[npt.NDArray[np.float32]] = ((_MASKS >> np.arange(pieces.CELLS)[:, None]) & 1).astype(np.float32)
CELLS_OF: Final[npt.NDArray[np.float32]] = COVERS.sum(0)
SHAPE_OF: Final[npt.NDArray[np.float32]] = np.eye(pieces.SHAPES, dtype=np.float32)[
    [int(shape) for shape in pieces.PLACEMENT_SHAPE]
]

# Decisions that neither place nor take a card from a slot; an exchange counts the same in Upgrade and Level Up.
_TOPS: Final = actions.RECYCLE - actions.TAKE_TOP_WHITE
_BEFORE_UPGRADE: Final = actions.UPGRADE - actions.RECYCLE
_PAIRS: Final = pieces.SHAPES * pieces.SHAPES
_AFTER_REWARD: Final = actions.COUNT - actions.GHOST
OTHER: Final = _TOPS + _BEFORE_UPGRADE + _PAIRS + 1 + pieces.SHAPES + _AFTER_REWARD
GRID_SLOTS: Final = actions.TAKE_TOP_WHITE - actions.TAKE_GRID
ROW_SLOTS: Final = actions.TAKE_LINE_CLEAR - actions.TAKE

# How wide the layers are.
PUZZLE_WIDTH: Final = 192
OTHER_WIDTH: Final = 64
CARD_WIDTH: Final = 64
TILE_WIDTH: Final = 48
TRUNK: Final = 512
BLOCKS: Final = 2
PLACE_WIDTH: Final = 160
TAKE_WIDTH: Final = 96
VALUE_WIDTH: Final = 128

_SEAT_HEAD: Final = PUZZLE * WORD
_PUZZLE_BYTES: Final = PUZZLE_WORDS * WORD
_COMMON: Final = MARKET * WORD  # configuration, turn, pieces, due, solo, unseen
_SUPPLY: Final = slice(
    FEATURE["seats.supply"].offset - SEAT * WORD, FEATURE["seats.supply"].offset - SEAT * WORD + pieces.SHAPES
)
_OPEN: Final = slice(FEATURE["turn.open_places"].offset, FEATURE["turn.open_places"].offset + PLACES)
_OWNED: Final = 3 * pieces.SHAPES

SHAPES: Final[dict[str, tuple[int, int]]] = {
    "puzzle1": (_PUZZLE_BYTES + 1 + 4 * pieces.SHAPES + _OWNED, PUZZLE_WIDTH),
    "puzzle2": (PUZZLE_WIDTH, PUZZLE_WIDTH),
    "other1": (_PUZZLE_BYTES + pieces.SHAPES, OTHER_WIDTH),
    "seat1": (OTHER_WIDTH + _SEAT_HEAD + pieces.SHAPES, OTHER_WIDTH),
    "card1": (MARKET_CARD * WORD + _OWNED, 96),
    "card2": (96, CARD_WIDTH),
    "tile1": (FINESSE_ROUNDS * TILE_WORDS * WORD, TILE_WIDTH),
    "trunk": (
        PUZZLE_WIDTH + (SEATS - 1) * OTHER_WIDTH + 2 * CARD_WIDTH + TILE_WIDTH + _COMMON + _SEAT_HEAD + _OWNED,
        TRUNK,
    ),
    **{f"block{n}{half}": (TRUNK, TRUNK) for n in range(BLOCKS) for half in "ab"},
    "place_puzzle": (PUZZLE_WIDTH, PLACE_WIDTH),
    "place_trunk": (TRUNK, PLACE_WIDTH),
    "place_out": (PLACE_WIDTH, pieces.PLACEMENTS),
    "finish": (TRUNK, 1),
    "take_card": (CARD_WIDTH, TAKE_WIDTH),
    "take_trunk": (TRUNK, TAKE_WIDTH),
    "take_out": (TAKE_WIDTH, 1),
    "other_out": (TRUNK, OTHER),
    "value1": (TRUNK, VALUE_WIDTH),
    "value_out": (VALUE_WIDTH, 2 * SEATS),
}


PARTS: Final[dict[str, tuple[int, ...]]] = {
    f"{name}.{kind}": shape
    for name, (rows, columns) in SHAPES.items()
    for kind, shape in (("w", (rows, columns)), ("b", (columns,)))
}

# --- files ------------------------------------------------------------------------------------

# Weights fit the rules and the numbers that they were trained with: a change of either wants another version.
VERSION: Final = 1
FORMAT: Final = (VERSION, SIZE, actions.COUNT)


def write(path: Path, arrays: Weights) -> None:
    """Write named arrays with the version; what was there is replaced at once or not at all."""
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez(file, allow_pickle=False, format=np.array(FORMAT), **arrays)
    unfinished.replace(path)


def read(path: Path) -> Weights:
    """What `write` wrote, by any program of this version."""
    try:
        with path.open("rb") as file:  # NumPy would leave one that is cut short open
            arrays = np.load(file, allow_pickle=False)
            found = {name: arrays[name] for name in arrays.files}
    except FileNotFoundError:
        raise refused(path, "is missing") from None
    except (OSError, ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile, zlib.error):
        raise refused(path, "is damaged or no file of weights") from None
    version = found.pop("format", None)
    if version is None or version.tolist() != list(FORMAT):
        raise refused(path, "is for another version of the rules or of the network")
    return found


def checked(path: Path, weights: Weights) -> Weights:
    """The weights, if they are all there and fit."""
    if {name: part.shape for name, part in weights.items()} != PARTS:
        raise refused(path, "is for another version of the rules or of the network")
    return weights


def playable(path: Path) -> Weights:
    """Weights to play with."""
    found = checked(path, read(path))
    return {name: part.astype(np.float32) for name, part in found.items()}


def refused(path: Path, why: str) -> BotError:
    """Why a file cannot be used."""
    return BotError("neural-weights", f"{path.name} {why}")


# --- judging ----------------------------------------------------------------------------------


class Output(NamedTuple):
    """What the network says of a position, seats counted from the observer."""

    scores: Array  # of all decisions, legal or not
    chances: Array  # logarithms of the chances to win, up to a constant; absent seats count for nothing
    leads: Array  # expected share of the points, seat by seat


def forward(weights: Weights, observation: Array, arrays: Arrays = NUMPY, seats_used: int = SEATS) -> Output:
    """Judge observations: the last dimension is one of them, what stands before it is a batch.

    No game of the batch may have more seats than `seats_used`: what the others would add is known to be 0.
    """
    xp, batch = arrays.module, observation.shape[:-1]

    def layer(name: str, values: Array) -> Array:
        return arrays.dot(values, weights[f"{name}.w"]) + weights[f"{name}.b"]

    def coarse(name: str, values: Array) -> Array:
        found = arrays.coarse_dot(values, weights[f"{name}.w"])
        return found + weights[f"{name}.b"].astype(found.dtype, copy=False)

    def relu(values: Array) -> Array:
        return xp.maximum(values, 0)

    def inner(name: str, values: Array) -> Array:
        return relu(coarse(name, values))

    def beside(values: Array, count: int) -> Array:
        return xp.broadcast_to(values[..., None, :], (*batch, count, values.shape[-1]))

    def rows(first: int, count: int, width: int) -> Array:
        return seen[..., first * WORD : (first + count * width) * WORD].reshape(*batch, count, width * WORD)

    seen = observation.astype(np.float32) * SCALES
    seats = rows(SEAT, SEATS, SEAT_WORDS)
    heads = seats[..., :_SEAT_HEAD]
    puzzles = seats[..., _SEAT_HEAD : _SEAT_HEAD + PLACES * _PUZZLE_BYTES].reshape(*batch, SEATS, PLACES, _PUZZLE_BYTES)
    supplies = observation[..., SEAT * WORD :][..., : SEATS * SEAT_WORDS * WORD]
    supplies = supplies.reshape(*batch, SEATS, SEAT_WORDS * WORD)[..., _SUPPLY]
    mine = supplies[..., 0, :]
    owned = xp.concatenate([mine > 0, mine > 1, mine > 2], -1).astype(np.float32)

    fits, finishes = _fits(arrays, puzzles[..., 0, :, :])
    can = xp.minimum(arrays.dot(fits, SHAPE_OF), 1)
    ends = xp.minimum(arrays.dot(finishes, SHAPE_OF), 1)
    have = (mine > 0).astype(np.float32)[..., None, :]
    own = xp.concatenate(
        [puzzles[..., 0, :, :], seen[..., _OPEN, None], can, ends, can * have, ends * have, beside(owned, PLACES)], -1
    )
    own = inner("puzzle2", inner("puzzle1", own))

    theirs = (supplies[..., 1:seats_used, :] > 0).astype(np.float32)
    wide = xp.broadcast_to(theirs[..., None, :], (*batch, seats_used - 1, PLACES, pieces.SHAPES))
    others = inner("other1", xp.concatenate([puzzles[..., 1:seats_used, :, :], wide], -1)).sum(-2)
    others = inner("seat1", xp.concatenate([others, heads[..., 1:seats_used, :], theirs], -1))
    others = (others * heads[..., 1:seats_used, :1]).reshape(*batch, (seats_used - 1) * OTHER_WIDTH)
    nobody = xp.zeros((*batch, (SEATS - seats_used) * OTHER_WIDTH), others.dtype)

    market = rows(MARKET, SLOTS, MARKET_CARD)
    cards = inner("card2", inner("card1", xp.concatenate([market, beside(owned, SLOTS)], -1)))
    lying = cards * (market.sum(-1, keepdims=True) > 0)
    tiles = inner("tile1", seen[..., TILES * WORD : (TILES + FINESSE_ROUNDS * TILE_WORDS) * WORD])

    parts = [own.sum(-2), others, nobody, lying.sum(-2), lying.max(-2), tiles]
    parts += [seen[..., CONFIGURATION * WORD : _COMMON], heads[..., 0, :], owned]
    trunk = relu(layer("trunk", xp.concatenate(parts, -1)))
    for n in range(BLOCKS):
        trunk = trunk + layer(f"block{n}b", inner(f"block{n}a", _even(xp, trunk)))
    trunk = _even(xp, trunk)

    place = relu(coarse("place_puzzle", own) + coarse("place_trunk", trunk)[..., None, :])
    place = layer("place_out", place) + finishes * layer("finish", trunk)[..., None, :]
    take = relu(coarse("take_card", cards) + coarse("take_trunk", trunk)[..., None, :])
    scores = _joined(xp, place, layer("take_out", take)[..., 0], layer("other_out", trunk))
    values = layer("value_out", inner("value1", trunk))
    return Output(scores, values[..., :SEATS], values[..., SEATS:])


def _fits(arrays: Arrays, puzzles: Array) -> tuple[Array, Array]:
    """Which placements fit on each puzzle, and which of them finish it."""
    empty = puzzles[..., : pieces.CELLS]
    fits = arrays.dot(empty, COVERS) >= CELLS_OF - 0.5
    left = empty.sum(-1, keepdims=True)
    return fits.astype(np.float32), (fits & (left < CELLS_OF + 0.5)).astype(np.float32)


def _even(xp: Any, values: Array) -> Array:
    """Brought to the same length."""
    return values / xp.sqrt((values * values).mean(-1, keepdims=True) + 1e-6)


def _joined(xp: Any, place: Array, take: Array, other: Array) -> Array:
    """The scores in the order of the decisions."""
    batch = take.shape[:-1]
    tops, rest = other[..., :_TOPS], other[..., _TOPS:]
    before, rest = rest[..., :_BEFORE_UPGRADE], rest[..., _BEFORE_UPGRADE:]
    pairs, rest = rest[..., :_PAIRS], rest[..., _PAIRS:]
    none, rewards, last = rest[..., :1], rest[..., 1 : 1 + pieces.SHAPES], rest[..., 1 + pieces.SHAPES :]
    return xp.concatenate(
        [
            place.reshape(*batch, PLACES * pieces.PLACEMENTS),
            take[..., :ROW_SLOTS],
            take,
            take[..., :GRID_SLOTS],
            tops,
            before,
            pairs,
            pairs,
            none,
            *[rewards] * PLACES,
            last,
        ],
        -1,
    )
