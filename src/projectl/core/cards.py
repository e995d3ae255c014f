"""Puzzle cards and Finesse tiles: the data, the checks, and the tables that the engine reads.

The printed and designed cards are in `data/*.toml`; a user's own card packs have the same form.
A card is written as in a record: id, colour, points, reward, five rows (`.` is recess).
"""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final, NamedTuple

from projectl.core import pieces
from projectl.core.errors import Unreadable
from projectl.core.native import append, i64, vec

LEVEL_UP_1: Final = 12  # rewards below 12 are pieces
LEVEL_UP_2: Final = 13
AMBASSADOR_REWARD: Final = 14
REWARDS: Final[tuple[str, ...]] = (*pieces.NAMES, "LEVELUP1", "LEVELUP2", "M")

# The data files with cards and with tiles, in id order.
SETS: Final[tuple[str, ...]] = ("base", "ghost", "ambassador", "phoenix")
TILE_SETS: Final[tuple[str, ...]] = ("finesse", "finesse_designed", "finesse_ambassador")

_ID: Final = re.compile(r"[A-Za-z0-9]{1,16}")
_ROW: Final = re.compile(r"[#.]{5}")
_POINTS: Final = re.compile(r"[0-9]{1,2}")


class Card(NamedTuple):
    """One puzzle card."""

    id: str
    white: bool
    points: int
    reward: int
    recess: int
    source: str = "own"

    def text(self) -> str:
        """The card as a record writes it."""
        rows = " ".join(
            "".join("." if self.recess >> (row * 5 + column) & 1 else "#" for column in range(5)) for row in range(5)
        )
        return f"{self.id} {'W' if self.white else 'B'} {self.points} {REWARDS[self.reward]} {rows}"


class Tile(NamedTuple):
    """One Finesse tile. `when` is `now` or `end`; `shapes` are the pieces drawn on it."""

    id: str
    set: str
    when: str
    what: str
    shapes: tuple[int, ...]
    credits: int
    source: str = "own"


def parse_card(text: str, source: str = "own") -> Card:
    """Read `X01 B 4 LEVELUP2 ##### ##.## ..... ..... #...#`."""
    words = text.split()
    if len(words) != 9:
        raise Unreadable("card-form", f"a card is id, colour, points, reward and five rows, found {len(words)} words")
    card_id, colour, points, reward, *rows = words
    if not _ID.fullmatch(card_id):
        raise Unreadable(
            "card-id", f"a card id is up to 16 letters and digits, found {card_id[:20]!r}", about=card_id[:20]
        )
    if colour not in ("W", "B"):
        raise Unreadable("card-colour", f"a card's colour is W or B, found {colour[:20]!r}", about=colour[:20])
    if not _POINTS.fullmatch(points):
        raise Unreadable(
            "card-points", f"a card's points are a number from 0 to 99, found {points[:20]!r}", about=points[:20]
        )
    if reward not in REWARDS:
        raise Unreadable(
            "card-reward", f"a reward is one of {' '.join(REWARDS)}, found {reward[:20]!r}", about=reward[:20]
        )
    for row in rows:
        if not _ROW.fullmatch(row):
            raise Unreadable("card-rows", f"a row is five of '#' and '.', found {row[:20]!r}", about=row[:20])
    recess = sum(2**cell for cell, mark in enumerate("".join(rows)) if mark == ".")
    if recess == 0:
        raise Unreadable("card-recess", "a card needs at least one cell of recess ('.')")
    return Card(card_id, colour == "W", int(points), REWARDS.index(reward), recess, source)


_TILE_WORDS: Final[dict[str, str]] = {
    "place": "now",
    "placed-by-master-or-ambassador": "now",
    "puzzle-completed": "now",
    "take": "now",
    "upgrade": "now",
    "recycle": "now",
    "insert": "now",
    "each-owned": "end",
    "each-unfinished-puzzle": "end",
    "each-shape-owned": "end",
    "no-unfinished-puzzle": "end",
    "every-level-owned": "end",
    "no-duplicate-owned": "end",
    "no-level-1-or-2-owned": "end",
}
TILE_KINDS: Final[tuple[str, ...]] = tuple(_TILE_WORDS)


def parse_tile(text: str, source: str = "own") -> Tile:
    """Read `FA01 A now place I4 L4 S4` or `XC1 C end no-unfinished-puzzle 4`."""
    words = text.split()
    if len(words) < 4:
        raise Unreadable("tile-form", f"a tile is id, set, when and what, found {len(words)} words")
    tile_id, tile_set, when, what, *rest = words
    if not _ID.fullmatch(tile_id):
        raise Unreadable("tile-id", f"a tile id is up to 16 letters and digits, found {tile_id[:20]!r}")
    if tile_set not in ("A", "B", "C"):
        raise Unreadable("tile-set", f"a tile's set is A, B or C, found {tile_set[:20]!r}")
    if what not in _TILE_WORDS or _TILE_WORDS[what] != when:
        raise Unreadable("tile-what", f"no tile says {when[:20]!r} {what[:40]!r}")
    amount = int(rest.pop()) if rest and re.fullmatch("[1-9]", rest[-1]) else 1
    for name in rest:
        if name not in pieces.NAMES:
            raise Unreadable("tile-piece", f"a piece is one of {' '.join(pieces.NAMES)}, found {name[:20]!r}")
    return Tile(tile_id, tile_set, when, what, tuple(pieces.NAMES.index(name) for name in rest), amount, source)


def tile_text(tile: Tile) -> str:
    """A tile as the data files write it."""
    words = [tile.id, tile.set, tile.when, tile.what, *[pieces.NAMES[shape] for shape in tile.shapes]]
    return " ".join(words if tile.credits == 1 else [*words, str(tile.credits)])


class Pack(NamedTuple):
    """The cards and tiles of one data file."""

    name: str
    cards: tuple[Card, ...]
    tiles: tuple[Tile, ...]


def _rows_of(table: dict[str, object], key: str) -> list[str]:
    rows = table.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise Unreadable("pack-form", f"{key} must be a list of texts", field=key)
    return [str(row) for row in rows]


def _line_of(text: str, row: str, nth: int) -> int:
    """The line of a data file that holds a row for the nth time, 1 where it cannot be told."""
    found = list(re.finditer(rf"""(["']){re.escape(row)}\1""", text))
    return text.count("\n", 0, found[min(nth, len(found) - 1)].start()) + 1 if found else 1


def _line_of_key(text: str, key: str) -> int:
    return next((n for n, row in enumerate(text.split("\n"), 1) if row.lstrip().startswith(key)), 1)


def _toml(text: str) -> dict[str, object]:
    import tomllib  # takes a while to load: with the first cards that are read

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise Unreadable("pack-toml", f"not TOML: {error}", line=line) from None
    except RecursionError:
        raise Unreadable("pack-toml", "lists inside lists, too deep to read", line=1) from None


def _parse(text: str, own: bool) -> Pack:
    table = _toml(text)
    for key in table:
        if key not in ("name", "source", "cards", "tiles"):
            sentence = f"unknown key {key[:20]!r}, expected name, source, cards or tiles"
            raise Unreadable("pack-key", sentence, line=_line_of_key(text, key))
    source = str(table.get("source", "own"))
    try:
        card_rows, tile_rows = _rows_of(table, "cards"), _rows_of(table, "tiles")
    except Unreadable as error:
        error.line = _line_of_key(text, error.field)
        raise
    cards: dict[str, Card] = {}
    tiles: dict[str, Tile] = {}
    for n, row in enumerate(card_rows + tile_rows):
        try:
            if n < len(card_rows):
                card = parse_card(row, source)
                _check_new(card.id, cards)
                _check_replacement(card, own)
                cards[card.id] = card
            else:
                tile = parse_tile(row, source)
                _check_new(tile.id, tiles)
                _check_tile(tile, own)
                tiles[tile.id] = tile
        except Unreadable as error:
            error.line = _line_of(text, row, (card_rows + tile_rows)[:n].count(row))
            raise
    return Pack(str(table.get("name", "")), tuple(cards.values()), tuple(tiles.values()))


def _check_new(name: str, known: Collection[str]) -> None:
    if name in known:
        raise Unreadable("pack-twice", f"{name} is there twice")


def _check_replacement(card: Card, own: bool) -> None:
    """A pack may replace a designed card by one of its colour, with a reward that its box has."""
    box = next((name for name in SETS if any(card.id == other.id for other in shipped(name).cards)), "") if own else ""
    if not box:
        return
    if box == "base":
        raise Unreadable("card-id-taken", f"{card.id} is a printed card and cannot be replaced", about=card.id)
    old = next(other for other in shipped(box).cards if other.id == card.id)
    if old.white != card.white:
        raise Unreadable(
            "card-colour",
            f"{card.id} is {'white' if old.white else 'black'}, and what replaces it must be",
            about=card.id,
        )
    allowed = {"ghost": LEVEL_UP_2, "phoenix": pieces.BASE_SHAPES - 1}.get(box, pieces.BASE_SHAPES - 1)
    if card.reward > allowed and not (box == "ambassador" and card.reward == AMBASSADOR_REWARD):
        raise Unreadable(
            "card-reward", f"the box of {card.id} does not give {REWARDS[card.reward]}", about=REWARDS[card.reward]
        )


def _check_tile(tile: Tile, own: bool) -> None:
    """A pack's tiles replace designed ones, of the same set."""
    if own:
        old = next((other for other in all_tiles() if other.id == tile.id and other.source == "designed"), None)
        if old is None or old.set != tile.set or old.what != tile.what:
            names = " ".join(
                f"{other.id} ({other.when} {other.what})" for other in all_tiles() if other.source == "designed"
            )
            raise Unreadable("tile-id", f"a pack's tiles replace designed ones of the same kind: {names}")


def parse_pack(text: str, file: str) -> Pack:
    """Read a pack of somebody's own: `name`, `cards` and `tiles`, one card or tile a text."""
    try:
        pack = _parse(text, True)
        return pack if pack.name else pack._replace(name=file)
    except Unreadable as error:
        raise Unreadable(error.code, error.sentence, line=error.line or 1, field="pack", file=file) from None


@cache
def shipped(name: str) -> Pack:
    """A data file of the project: one of SETS or TILE_SETS."""
    import pkgutil  # as above, and it brings less along than importlib.resources

    data = pkgutil.get_data("projectl.core", f"data/{name}.toml")
    assert data is not None
    return _parse(data.decode(), False)


class CardTable:
    """All cards of a game as tables: a card is its number here, in id order."""

    def __init__(self, cards: list[Card]) -> None:
        self.cards = cards
        self.number: dict[str, int] = {card.id: n for n, card in enumerate(cards)}
        self.white: vec[i64] = vec[i64]([int(card.white) for card in cards])
        self.points: vec[i64] = vec[i64]([card.points for card in cards])
        self.reward: vec[i64] = vec[i64]([card.reward for card in cards])
        self.recess: vec[i64] = vec[i64]([card.recess for card in cards])
        # The placements of a shape in a card's recess, and their masks, are the entries
        # fit_start[card * 12 + shape] .. fit_start[card * 12 + shape + 1] - 1.
        self.fit_start: vec[i64] = vec[i64]([0])
        self.fit: vec[i64] = vec[i64]([])
        self.fit_mask: vec[i64] = vec[i64]([])
        masks = [int(mask) for mask in pieces.PLACEMENT_MASK]
        shape_of = [int(shape) for shape in pieces.PLACEMENT_SHAPE]
        by_shape = [[p for p in range(len(masks)) if shape_of[p] == s] for s in range(pieces.SHAPES)]
        for card in cards:
            for placements in by_shape:
                for p in placements:
                    if masks[p] & card.recess == masks[p]:
                        self.fit = append(self.fit, p)
                        self.fit_mask = append(self.fit_mask, masks[p])
                self.fit_start = append(self.fit_start, len(self.fit))

    def __reduce__(self) -> tuple[object, ...]:
        return catalogue, (tuple(self.cards[len(shipped_cards()) :]), tuple(self.cards[: len(shipped_cards())]))


@cache
def shipped_cards() -> tuple[Card, ...]:
    """Every card that is not a table's own, in id order."""
    return tuple(card for name in SETS for card in shipped(name).cards)


@lru_cache(maxsize=32)  # strangers bring cards of their own to a server
def catalogue(own: tuple[Card, ...] = (), replaced: tuple[Card, ...] = ()) -> CardTable:
    """The tables for a game: the shipped cards (or what replaces them), then the table's own."""
    return CardTable([*(replaced or shipped_cards()), *own])


@cache
def all_tiles() -> tuple[Tile, ...]:
    """Every tile in id order; a tile is its number here."""
    return tuple(tile for name in TILE_SETS for tile in shipped(name).tiles)


class TileTable:
    """The tiles as tables."""

    def __init__(self, tiles: tuple[Tile, ...]) -> None:
        self.tiles = tiles
        self.kind: vec[i64] = vec[i64]([TILE_KINDS.index(tile.what) for tile in tiles])
        self.credits: vec[i64] = vec[i64]([tile.credits for tile in tiles])
        self.shapes: vec[i64] = vec[i64]([sum(int(pieces.FIELD[shape]) for shape in tile.shapes) for tile in tiles])


@cache
def tile_table(tiles: tuple[Tile, ...] = ()) -> TileTable:
    """The tables for a game: the shipped tiles, or what replaces them."""
    return TileTable(tiles or all_tiles())
