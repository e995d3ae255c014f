"""What an observation is made of: one table for every edition, module and number of players.

An observation is SIZE bytes, each a whole number from 0 to 255, nothing but what one seat may know. Seats are counted
from the observer (0 is oneself, 1 the next clockwise); what a game does not have is 0. Numbers above a feature's
highest value are written as that value.
"""

from typing import Final, NamedTuple

from projectl.core.actions import COUNT
from projectl.core.cards import REWARDS, TILE_KINDS
from projectl.core.pieces import CELLS, NAMES, SHAPES
from projectl.core.rules import DIFFICULTIES, EDITIONS, FINESSE_ROUNDS, MODULES, option_named

SEATS: Final = 6
SLOTS: Final = 12  # of the market, at most
SHIPPED: Final = 86  # cards

# Observations are filled eight bytes at a time: where each part begins and how long one of several is, in such words.
WORD: Final = 8
CONFIGURATION: Final = 0
TURN: Final = 4
PIECES: Final = 8
DUE: Final = 11
SOLO_TABLE: Final = 19
UNSEEN: Final = 21
MARKET: Final = 32
MARKET_CARD: Final = 6
SEAT: Final = 104
SEAT_WORDS: Final = 48
PUZZLE: Final = 4  # from the beginning of its seat
PUZZLE_WORDS: Final = 11
TILES: Final = 392
TILE_WORDS: Final = 4
WORDS: Final = 432
SIZE: Final = 3456

# Without Finesse an observation is all 0 behind the last seat.
TWO_PLAYERS: Final = (SEAT + 2 * SEAT_WORDS) * WORD
FOUR_PLAYERS: Final = (SEAT + 4 * SEAT_WORDS) * WORD

MASK_SIZE: Final = COUNT

TOP: Final = 255


class Feature(NamedTuple):
    """One named part of an observation."""

    name: str
    offset: int  # of its first number
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # how far apart the entries of each dimension lie
    highest: int
    meaning: str

    def indexes(self) -> list[int]:
        """Where its numbers lie, in the order of its shape."""
        found = [self.offset]
        for count, stride in zip(self.shape, self.strides, strict=True):
            found = [start + n * stride for start in found for n in range(count)]
        return found


class _Part:
    """Features that lie one behind the other, in each of several equal blocks."""

    def __init__(self, name: str, word: int, shape: tuple[int, ...] = (), words: tuple[int, ...] = ()) -> None:
        self.name = name
        self.next = word * WORD
        self.shape = shape
        self.strides = tuple(n * WORD for n in words)
        self.features: list[Feature] = []

    def add(self, name: str, shape: tuple[int, ...], highest: int, meaning: str) -> "_Part":
        size = 1
        strides: tuple[int, ...] = ()
        for count in reversed(shape):
            strides = (size, *strides)
            size *= count
        full = f"{self.name}.{name}"
        self.features.append(Feature(full, self.next, self.shape + shape, self.strides + strides, highest, meaning))
        self.next += size
        return self

    def skip(self, unused: int) -> "_Part":
        """Numbers that are always 0."""
        self.next += unused
        return self


def _configuration() -> _Part:
    part = _Part("configuration", CONFIGURATION)
    part.add("edition", (3,), 1, f"one-hot: {', '.join(EDITIONS)}")
    part.add("players", (6,), 1, "one-hot: 1 (solo) to 6")
    part.add("modules", (7,), 1, f"those in play: {', '.join(MODULES)}")
    part.add("upgrade_skip", (3,), 1, "one-hot: " + ", ".join(option_named("upgrade_skip").values))
    part.add("exchange_down", (2,), 1, "one-hot: " + ", ".join(option_named("exchange_down").values))
    part.add("known_points", (), 1, "piles are open")
    part.add("difficulty", (3,), 1, f"solo, one-hot: {', '.join(DIFFICULTIES)}")
    return part.add("max_rounds", (), TOP, "the limit of rounds, 0 without one (R19)")


def _turn() -> _Part:
    part = _Part("turn", TURN)
    part.add("round", (), TOP, "from 1")
    part.add("last_round", (), TOP, "the last round once the end is triggered, else 0")
    part.add("in_last_round", (), 1, "the end was triggered, and the round is `last_round` or a later one")
    part.add("end_triggered", (), 1, "the deck that decides has run out")
    part.add("quiet_round", (), 1, "every turn that ended in this round was only Recycle and pass (R18)")
    part.add("white_left", (), TOP, "cards in the white deck; in solo, in the only one")
    part.add("black_left", (), TOP, "cards in the black deck")
    part.add("bank", (), 35, "credits in the bank")
    part.add("phase", (7,), 1, "one-hot: play, order of a recycled row, placing, reward, Level Up, touches, over")
    part.add("inserting", (), 1, "an inserted action is being played")
    part.add("action", (5,), 1, "under way, one-hot: Recycle white, Recycle black, Ghost, Master, Ambassador")
    part.add("credit", (), 1, "the next touch is paid with a credit")
    part.add("placed", (), 4, "pieces placed so far in this action")
    part.add("arrows", (), 2, "Level Ups still open")
    part.add("open_places", (4,), 1, "places of the acting player that this action may still use")
    part.add("passed_white", (), 1, "Line Clear: the first player got the white marker since the end was triggered")
    return part.add("passed_black", (), 1, "the same for the black marker")


def _pieces() -> _Part:
    part = _Part("pieces", PIECES)
    part.add("reserve", (SHAPES,), 15, f"{' '.join(NAMES)}")
    return part.add("hand", (SHAPES,), 5, "what a Ghost action took and may still place")


def _due() -> _Part:
    part = _Part("due", DUE)
    part.add("rewards", (4, len(REWARDS)), 1, f"to settle, the next one first, each one-hot: {' '.join(REWARDS)}")
    return part.add("place", (4,), 1, "one-hot: the place whose reward is next")


def _solo() -> _Part:
    part = _Part("solo", SOLO_TABLE)
    part.add("locks", (2, 4), 31, "of level 1, of level 2: above the three columns, in the mastermind's supply")
    part.add("points", (), TOP, "of the mastermind's pile")
    return part.add("cards", (), TOP, "on the mastermind's pile")


def _unseen() -> _Part:
    part = _Part("unseen", UNSEEN)
    part.add(
        "cards",
        (SHIPPED,),
        1,
        "each shipped card, in the order of the catalogue: it may be in play, and lies nowhere in sight",
    )
    return part.add("own", (2,), 99, "how many own cards of the table lie nowhere in sight, white and black")


def _card(part: _Part) -> None:
    part.add("present", (), 1, "there is a card")
    part.add("colour", (2,), 1, "one-hot: white, black")
    part.add("points", (), 99, "of the card")


def _market() -> _Part:
    part = _Part("market", MARKET, (SLOTS,), (MARKET_CARD,))
    part.add("recess", (CELLS,), 1, "cells of the recess, row by row")
    _card(part)
    return part.skip(4).add("reward", (len(REWARDS),), 1, "one-hot")


def _seats() -> _Part:
    part = _Part("seats", SEAT, (SEATS,), (SEAT_WORDS,))
    part.add("present", (), 1, "there is such a seat")
    part.add("may_act", (), 1, "has a decision to make")
    part.add("acts", (), 1, "acts, or acts next where several may")
    part.add("first", (), 1, "the first player of the round")
    part.add("actions", (), 3, "left in this turn")
    part.add("master", (), 1, "used in this turn")
    part.add("black", (), TOP, "black cards taken in this turn since the end was triggered")
    part.add("quiet", (), 1, "nothing but Recycle and pass in this turn (R18)")
    part.add("done", (), 1, "the turn is over, or the touches are")
    part.add("pile_open", (), 1, "the observer knows this pile")
    part.add("points", (), TOP, "of the pile, 0 where it is hidden")
    part.add("completed", (), TOP, "puzzles, those noted by Endless White included")
    part.add("cards", (), TOP, "on the pile")
    part.add("touches", (), TOP, "that cost a point")
    part.add("credits", (2,), 35, "active, inactive")
    part.add("ambassadors", (2,), TOP, "usable now, from the next turn on")
    part.add("markers", (2,), 1, "Line Clear: holds the white one, the black one")
    return part.add("supply", (SHAPES,), 15, "pieces")


def _puzzles() -> _Part:
    part = _Part("puzzles", SEAT + PUZZLE, (SEATS, 4), (SEAT_WORDS, PUZZLE_WORDS))
    part.add("empty", (CELLS,), 1, "cells of the recess still to cover, row by row")
    _card(part)
    part.skip(3).add("covered", (CELLS,), 1, "cells that pieces lie on")
    part.add("reward", (len(REWARDS),), 1, "one-hot")
    return part.add("laid", (SHAPES,), CELLS, "pieces on the puzzle")


def _tiles() -> _Part:
    part = _Part("tiles", TILES, (FINESSE_ROUNDS,), (TILE_WORDS,))
    part.add("counts", (), 1, "this entry is a tile that counts: of this round, of the next round, and so on")
    part.add("credits", (), 9, "that it pays each time")
    part.add("kind", (len(TILE_KINDS),), 1, f"one-hot: {', '.join(TILE_KINDS)}")
    return part.add("shapes", (SHAPES,), 1, "that it is about")


FEATURES: Final[tuple[Feature, ...]] = tuple(
    feature
    for part in (
        _configuration(),
        _turn(),
        _pieces(),
        _due(),
        _solo(),
        _unseen(),
        _market(),
        _seats(),
        _puzzles(),
        _tiles(),
    )
    for feature in part.features
)
FEATURE: Final[dict[str, Feature]] = {feature.name: feature for feature in FEATURES}
