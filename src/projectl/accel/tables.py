"""Everything that the array code takes from core: numbers of decisions, pieces, cards, tiles, editions."""

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from projectl.core import actions, cards, features, finesse, mastermind, pieces, rules, setup, state
from projectl.core import observe as observations
from projectl.core.errors import Unreadable
from projectl.core.rules import Rules

Words: TypeAlias = npt.NDArray[np.uint32]

PLACES: Final = state.PLACES
ACTIONS: Final = state.ACTIONS
SHAPES: Final = pieces.SHAPES
BASE_SHAPES: Final = pieces.BASE_SHAPES
TOP_LEVEL: Final = pieces.TOP_LEVEL
GHOST_LEVEL: Final = TOP_LEVEL + 1
CELLS: Final = pieces.CELLS
PLACEMENTS: Final = pieces.PLACEMENTS
O1: Final = pieces.O1
I2: Final = pieces.I2
GRID: Final = mastermind.GRID
COLUMNS: Final = mastermind.COLUMNS
FINESSE_ROUNDS: Final = rules.FINESSE_ROUNDS
FACE_DOWN: Final = finesse.FACE_DOWN
TILES_DRAWN: Final = setup.TILES_DRAWN

# The kinds of open decision, and the numbers of decisions.
PLAY, ORDER, PLACING, REWARD_PHASE = state.PLAY, state.ORDER, state.PLACING, state.REWARD
LEVEL_UP, TOUCHES, OVER = state.LEVEL_UP, state.TOUCHES, state.OVER
PLACE, TAKE, TAKE_GRID = actions.PLACE, actions.TAKE, actions.TAKE_GRID
TAKE_TOP_WHITE, TAKE_TOP_BLACK, TAKE_TOP_GRID = (
    actions.TAKE_TOP_WHITE,
    actions.TAKE_TOP_BLACK,
    actions.TAKE_TOP_GRID,
)
RECYCLE, ORDER_OF_FOUR, ORDER_OF_THREE = actions.RECYCLE, actions.ORDER_OF_FOUR, actions.ORDER_OF_THREE
GAIN, UPGRADE, LEVELUP, LEVELUP_NONE = actions.GAIN, actions.UPGRADE, actions.LEVELUP, actions.LEVELUP_NONE
REWARD, GHOST, MASTER, AMBASSADOR = actions.REWARD, actions.GHOST, actions.MASTER, actions.AMBASSADOR
INSERT, PASS, CREDIT, STOP, DONE = actions.INSERT, actions.PASS, actions.CREDIT, actions.STOP, actions.DONE
DECISIONS: Final = actions.COUNT
DECOMPOSITIONS: Final = actions.DECOMPOSITION_COUNT

LEVEL_UP_1, LEVEL_UP_2, AMBASSADOR_REWARD = cards.LEVEL_UP_1, cards.LEVEL_UP_2, cards.AMBASSADOR_REWARD
TILE: Final[dict[str, int]] = {name: number for number, name in enumerate(cards.TILE_KINDS)}

# --- pieces -----------------------------------------------------------------------------------

LEVEL: Final[tuple[int, ...]] = tuple(int(level) for level in pieces.LEVEL)
OF_LEVEL: Final[tuple[int, ...]] = tuple(
    sum(1 << shape for shape in range(SHAPES) if LEVEL[shape] == level) for level in range(GHOST_LEVEL + 1)
)  # a set of shapes is a mask of 12 bits
ALL_SHAPES: Final = (1 << SHAPES) - 1
BASE_SET: Final = (1 << BASE_SHAPES) - 1

COUNT_BITS: Final = 5  # a multiset of pieces is core's, cut into two words of six shapes
SHAPES_A_WORD: Final = 6
LOW_WORD: Final = (1 << (COUNT_BITS * SHAPES_A_WORD)) - 1


def two_words(multiset: int) -> tuple[int, int]:
    """Core's multiset of pieces as two words."""
    return multiset & LOW_WORD, multiset >> (COUNT_BITS * SHAPES_A_WORD)


TwoWords: TypeAlias = tuple[Words, Words]


def multiset_table(multisets: Iterable[int]) -> TwoWords:
    """A table of multisets."""
    low, high = np.array([two_words(each) for each in multisets], np.uint32).T
    return low.copy(), high.copy()


def levels(lowest: int, highest: int) -> int:
    """The set of shapes of some levels."""
    return sum(OF_LEVEL[level] for level in range(lowest, highest + 1))


# For each reward that is a piece the shapes of its level and, above them, those of lower levels.
SAME_AND_LOWER: Final[Words] = np.array(
    [levels(level, level) | levels(1, level - 1) << SHAPES for level in LEVEL] + [0] * (len(cards.REWARDS) - SHAPES),
    np.uint32,
)

# --- placements -------------------------------------------------------------------------------


class Orientation(NamedTuple):
    """One way to turn a shape: where its cells are, counted from its first, and where that one may be."""

    shape: int
    offsets: tuple[int, ...]
    anchors: int


PLACEMENT_MASK: Final[Words] = np.array([int(mask) for mask in pieces.PLACEMENT_MASK], np.uint32)
PLACEMENT_SHAPE: Final[Words] = np.array([int(shape) for shape in pieces.PLACEMENT_SHAPE], np.uint32)


def _orientations() -> tuple[tuple[Orientation, ...], Words]:
    """The orientations, and the placement of each on each first cell."""
    found: dict[tuple[int, int], dict[int, int]] = {}
    for placement, (mask, shape) in enumerate(zip(PLACEMENT_MASK, PLACEMENT_SHAPE, strict=True)):
        anchor = (int(mask) & -int(mask)).bit_length() - 1
        found.setdefault((int(shape), int(mask) >> anchor), {})[anchor] = placement
    numbers = np.zeros((len(found), CELLS), np.uint32)
    turned: list[Orientation] = []
    for n, ((shape, cells), by_anchor) in enumerate(sorted(found.items())):
        offsets = tuple(cell for cell in range(1, CELLS) if cells >> cell & 1)
        turned.append(Orientation(shape, offsets, sum(1 << anchor for anchor in by_anchor)))
        for anchor, placement in by_anchor.items():
            numbers[n, anchor] = placement
    return tuple(turned), numbers.reshape(-1)


ORIENTATIONS, PLACEMENT_AT = _orientations()

SIZE: Final = pieces.SIZE
RIGHT_COLUMN: Final = sum(1 << cell for cell in range(SIZE - 1, CELLS, SIZE))

# In which order a recycled row of four goes under its deck: the slot of each card, a byte each.
ORDERS: Final[Words] = np.array(
    [sum(slot << (8 * n) for n, slot in enumerate(order)) for order in actions.ORDERS if len(order) == PLACES],
    np.uint32,
)

DECOMPOSED: Final[Words] = np.array([int(ghost) for ghost in actions.DECOMPOSED], np.uint32)
PARTS: Final[tuple[int, ...]] = tuple(int(parts) for parts in actions.PARTS)
PARTS_TAKEN: Final[TwoWords] = multiset_table(PARTS)

# --- cards ------------------------------------------------------------------------------------

RECESS_BITS: Final = CELLS  # the card stands above the cells of its puzzle
RECESS: Final = (1 << RECESS_BITS) - 1
MOST_CARDS: Final = (1 << (32 - RECESS_BITS)) - 1


class Cards(NamedTuple):
    """The cards as tables. A card is its number in core plus one: 0 is none."""

    puzzle: Words  # the puzzle as it lies on a place, all cells empty
    points: Words
    reward: Words


@cache
def card_tables(own: tuple[cards.Card, ...] = ()) -> Cards:
    """The tables of the shipped cards and a table's own."""
    found = cards.catalogue(own).cards
    if len(found) > MOST_CARDS:
        raise Unreadable("cards-too-many", f"at most {MOST_CARDS} cards, found {len(found)}", field="own")
    return Cards(
        np.array([0] + [n << RECESS_BITS | card.recess for n, card in enumerate(found, 1)], np.uint32),
        np.array([0] + [card.points for card in found], np.uint32),
        np.array([0] + [card.reward for card in found], np.uint32),
    )


class Tiles(NamedTuple):
    """The Finesse tiles as tables."""

    kind: Words
    credits: Words
    shapes: TwoWords  # the fields of the pieces that the tile shows


def _tile_tables() -> Tiles:
    table = cards.tile_table()
    return Tiles(
        np.array([int(kind) for kind in table.kind], np.uint32),
        np.array([int(credit) for credit in table.credits], np.uint32),
        multiset_table(int(fields) for fields in table.shapes),
    )


TILES: Final = _tile_tables()

# Every table that is the same in all games.
TABLES: Final[tuple[Words, ...]] = (
    PLACEMENT_MASK,
    PLACEMENT_SHAPE,
    PLACEMENT_AT,
    ORDERS,
    DECOMPOSED,
    *PARTS_TAKEN,
    SAME_AND_LOWER,
    TILES.kind,
    TILES.credits,
    *TILES.shapes,
)

# --- rules ------------------------------------------------------------------------------------


class Numbers(NamedTuple):
    """The rules as numbers that the array code reads: fixed for an environment, or one set for each game."""

    players: np.uint32
    black_limit: np.uint32
    max_rounds: np.uint32
    must_use_all_actions: np.bool_
    takes_from_deck: np.bool_
    recycles: np.bool_
    gain_substitutes: np.bool_
    unfinished_cost_points: np.bool_
    ambassador_next_turn: np.bool_
    level_up_is_upgrade: np.bool_
    real_locks: np.bool_
    skips_two_only: np.bool_
    one_level_down: np.bool_
    finesse: np.bool_


def numbers_of(game: Rules) -> Numbers:
    """The numbers of core's rules, field by field."""
    kinds = Numbers.__annotations__
    found = Numbers(*(kinds[name](int(getattr(game, name))) for name in Numbers._fields))
    # Without substitutes for Gain, whether a turn can go on would need Upgrade's whole table (turn.any_action).
    assert found.gain_substitutes or not (found.must_use_all_actions or found.finesse)
    return found


class Layout(NamedTuple):
    """What decides the number of words of a state. A larger layout plays every smaller game as well."""

    seats: int
    solo: bool
    ghost: bool
    ambassador: bool
    finesse: bool
    white_words: int  # of the deck, beyond the cards that lie face up
    black_words: int
    last_card: int  # the highest that can be in the game, counted from 1
    own: tuple[cards.Card, ...] = ()
    shows_pieces: bool = False  # keep where the pieces on a puzzle lie, which no rule asks for

    @property
    def shapes(self) -> int:
        return SHAPES if self.ghost else BASE_SHAPES

    @property
    def cards(self) -> Cards:
        return card_tables(self.own)

    @property
    def pile_words(self) -> int:
        """Words for a set of cards."""
        return -(-self.last_card // 32)

    @property
    def unused_words(self) -> int:
        """Words for the cards of all Ambassador actions."""
        return _words(int((self.cards.reward == AMBASSADOR_REWARD).sum())) if self.ambassador else 0


LEFT_OUT: Final[dict[str, str]] = {
    "line_clear": "the array engine does not play line_clear: two seats act at the same time there",
    "endless_white": "the array engine does not play endless_white: its reshuffles need the portable shuffle",
}
MOST_PLAYERS: Final = 4


def check(game: Rules) -> None:
    """Refuse the few games that only core plays."""
    for module, sentence in LEFT_OUT.items():
        if module in game.modules:
            raise Unreadable("accel-module", sentence, field="modules")
    if game.players > MOST_PLAYERS:
        sentence = f"the array engine is for 1 to {MOST_PLAYERS} players, found {int(game.players)}"
        raise Unreadable("accel-players", sentence, field="players")


def layout_of(game: Rules, shows_pieces: bool = False) -> Layout:
    """The smallest layout for a game."""
    check(game)
    white, black = deck_sizes(game)
    return Layout(
        int(game.players),
        game.kind == rules.SOLO,
        game.ghost,
        game.ambassador,
        game.finesse,
        _words(white),
        _words(black),
        1 + max(setup.cards_in_play(game, True) + setup.cards_in_play(game, False)),
        game.own,
        shows_pieces,
    )


def widest_layout(solo: bool, own: tuple[cards.Card, ...] = (), shows_pieces: bool = False) -> Layout:
    """A layout for all standard games, or for all solo ones, whatever their rules."""
    modules = rules.EDITIONS[rules.DEFAULT_EDITION].modules
    boxes = tuple(module for module in modules if module not in LEFT_OUT)
    return layout_of(Rules(1 if solo else MOST_PLAYERS, modules=boxes, own=own), shows_pieces)


def _words(deck: int) -> int:
    return -(-deck // 4)  # a byte each


def deck_sizes(game: Rules) -> tuple[int, int]:
    """Cards in the white deck (solo: the only one) and the black one, once the face-up cards are dealt."""
    if game.kind == rules.SOLO:
        return sum(setup.solo_cards(game)) - GRID, 0
    return len(setup.cards_in_play(game, True)) - PLACES, rules.BLACK_CARDS[int(game.players)] - PLACES


class Stock(NamedTuple):
    """The cards and tiles that a game draws from."""

    white: Words
    black: Words
    whites: int  # how many of them are used
    blacks: int
    tiles: tuple[tuple[Words, int], ...]  # each set, and how many are drawn
    grid: bool  # solo: the black cards lie under the white ones


def stock_of(game: Rules) -> Stock:
    """The cards of a game, counted from 1, and its tiles."""
    white, black = (np.array(setup.cards_in_play(game, colour), np.uint32) + 1 for colour in (True, False))
    tiles = setup.TILES_DRAWN.items() if game.finesse else ()
    pools = tuple((np.array(setup.tiles_in_play(game, each), np.uint32), drawn) for each, drawn in tiles)
    solo = game.kind == rules.SOLO
    whites, blacks = setup.solo_cards(game) if solo else (len(white), rules.BLACK_CARDS[int(game.players)])
    return Stock(white, black, whites, blacks, pools, solo)


# --- observations -----------------------------------------------------------------------------

CARD_IS_WHITE: Final[Words] = np.array([0] + [int(card.white) for card in cards.shipped_cards()], np.uint32)


def _tile_bytes() -> npt.NDArray[np.uint8]:
    """What observations say of each Finesse tile."""
    game = Rules(2, modules=("finesse",))
    said = [observations.tile_numbers(game, n) for n in range(len(game.tiles.tiles))]
    return np.array([[*one, *[0] * (features.TILE_WORDS * features.WORD - len(one))] for one in said], np.uint8)


TILE_BYTES: Final = _tile_bytes()


def always_seen(game: Rules) -> tuple[list[int], list[int]]:
    """What all observations of a game say alike: its configuration, and the shipped cards that may be in it."""
    in_play = setup.cards_in_play(game, True) + setup.cards_in_play(game, False)
    return observations.configuration(game), [int(card in in_play) for card in range(features.SHIPPED)]
