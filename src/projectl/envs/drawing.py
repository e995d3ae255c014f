"""The table as a picture: rows of pixels. What everybody at it may see, hidden piles as a number of cards."""

import struct
import zlib
from typing import Final

import numpy as np

from projectl.core.cards import REWARDS
from projectl.core.mastermind import COLUMNS, SUPPLY, locks
from projectl.core.pieces import CELLS, NAMES, PLACEMENT_CELLS, PLACEMENT_SHAPE, SHAPES, count
from projectl.core.rules import LINE_CLEAR, SOLO
from projectl.core.score import mastermind_points
from projectl.core.state import EMPTY, PLACES, State, spot
from projectl.core.view import SPECTATOR, pile_open
from projectl.envs.spaces import Bytes

Colour = tuple[int, int, int]

_CELL: Final = 8
_GAP: Final = 6
_HEAD: Final = 14  # above a card: points and reward
_CARD: Final = 5 * _CELL + 4
_PAPER: Final[Colour] = (251, 251, 250)
_INK: Final[Colour] = (34, 40, 49)
_FAINT: Final[Colour] = (213, 217, 222)
_WHITE: Final[Colour] = (255, 255, 255)
_BLACK: Final[Colour] = (70, 74, 84)
_ACTING: Final[Colour] = (255, 196, 0)
_PIECES: Final[dict[str, Colour]] = {  # as they are printed; ghosts are white
    "O1": (250, 210, 60),
    "I2": (80, 170, 80),
    "I3": (60, 110, 200),
    "L3": (235, 160, 40),
    "I4": (140, 80, 170),
    "L4": (60, 190, 210),
    "S4": (235, 90, 50),
    "T4": (240, 130, 180),
    "O4": (190, 30, 60),
    "P5": (235, 235, 235),
    "U5": (215, 220, 230),
    "L5": (225, 230, 215),
}
_DIGITS: Final[dict[str, str]] = {  # three columns, five rows
    "0": "####.##.##.####",
    "1": ".#.##..#..#.###",
    "2": "###..#####..###",
    "3": "###..####..####",
    "4": "#.##.####..#..#",
    "5": "####..###..####",
    "6": "####..####.####",
    "7": "###..#..#..#..#",
    "8": "####.#####.####",
    "9": "####.####..####",
    "-": "......###......",
    "?": "###..#.#.....#.",
}


def picture(s: State) -> Bytes:
    """The table, as an array of height, width and three colours; of one size for one game's rules."""
    rows, columns = (2, 6) if s.rules.kind == LINE_CLEAR else (3, 3) if s.rules.kind == SOLO else (2, 4)
    card_height = _HEAD + _CARD + _GAP
    supply = 2 * SHAPES * (_CELL + 2)
    width = max(columns, PLACES) * (_CARD + _GAP) + supply + 5 * _GAP
    height = rows * card_height + len(s.players) * (card_height + _GAP) + 3 * _GAP
    canvas = _Canvas(width, height)
    _market(canvas, s, columns, card_height)
    top = rows * card_height + 2 * _GAP
    for seat in range(len(s.players)):
        _player(canvas, s, seat, top, card_height)
        top += card_height + _GAP
    return canvas.pixels


def png(pixels: Bytes) -> bytes:
    """A picture as a file."""
    height, width, _ = pixels.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(kind, content) for kind, content in parts)


def _part(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


class _Canvas:
    def __init__(self, width: int, height: int) -> None:
        self.pixels: Bytes = np.empty((height, width, 3), np.uint8)
        self.pixels[:] = _PAPER

    def rect(self, x: int, y: int, width: int, height: int, colour: Colour) -> None:
        self.pixels[y : y + height, x : x + width] = colour

    def number(self, x: int, y: int, words: str, colour: Colour = _INK) -> int:
        """Digits, two pixels for each of theirs; where they end."""
        for sign in words:
            for at, mark in enumerate(_DIGITS[sign]):
                if mark == "#":
                    self.rect(x + at % 3 * 2, y + at // 3 * 2, 2, 2, colour)
            x += 8
        return x

    def reward(self, x: int, y: int, name: str) -> None:
        """The reward's piece in small; what is none as a dark square."""
        if name not in _PIECES:
            self.rect(x, y, 10, 10, _INK)
            return
        first = next(cells for n, cells in enumerate(PLACEMENT_CELLS) if NAMES[PLACEMENT_SHAPE[n]] == name)
        for cell in first:
            self.rect(x + cell % 5 * 4, y + cell // 5 * 4, 4, 4, _INK)
            self.rect(x + cell % 5 * 4, y + cell // 5 * 4, 3, 3, _PIECES[name])

    def card(self, s: State, card: int, x: int, y: int) -> None:
        """A card: points, reward, recess."""
        printed = s.cards.cards[card]
        self.number(x + 2, y + 2, str(printed.points))
        self.reward(x + _CARD - 20, y + 2, REWARDS[printed.reward])
        y += _HEAD
        self.rect(x, y, _CARD, _CARD, _INK)
        self.rect(x + 1, y + 1, _CARD - 2, _CARD - 2, _WHITE if printed.white else _BLACK)
        for cell in range(CELLS):
            if printed.recess >> cell & 1:
                self.cell(x, y, cell, _FAINT)

    def cell(self, x: int, y: int, cell: int, colour: Colour) -> None:
        """A cell of a card whose frame begins there."""
        self.rect(x + 2 + cell % 5 * _CELL, y + 2 + cell // 5 * _CELL, _CELL - 1, _CELL - 1, colour)


def _market(canvas: _Canvas, s: State, columns: int, card_height: int) -> None:
    for slot in range(len(s.row)):  # Line Clear: white left, white right; black left, black right
        x, y = _GAP + slot % columns * (_CARD + _GAP), _GAP + slot // columns * card_height
        if s.row[slot] != EMPTY:
            canvas.card(s, int(s.row[slot]), x, y)
    right = 3 * _GAP + max(columns, PLACES) * (_CARD + _GAP)
    canvas.number(right, _GAP, str(s.white_left()))
    if s.rules.kind == SOLO:
        for column in range(COLUMNS):
            canvas.number(right + column * 24, _GAP + 20, str(int(locks(s, column))))
        canvas.number(right + 96, _GAP + 20, str(int(locks(s, SUPPLY))))
        canvas.number(right, _GAP + 40, str(mastermind_points(s)))
    else:
        canvas.number(right, _GAP + card_height, str(s.black_left()))
    _supply(canvas, s.reserve, right + 40, _GAP)


def _supply(canvas: _Canvas, pieces: int, x: int, y: int) -> None:
    """How many there are of each shape."""
    for shape, name in enumerate(NAMES):
        n = int(count(pieces, shape))
        if n:
            canvas.rect(x, y, 16, 4, _PIECES[name])
            canvas.rect(x, y + 4, 16, 1, _INK)
            canvas.number(x, y + 6, str(n))
        x += 18


def _player(canvas: _Canvas, s: State, seat: int, top: int, card_height: int) -> None:
    if seat == s.seat:
        canvas.rect(0, top, 4, card_height, _ACTING)
    for place, card in s.puzzles(seat):
        x = _GAP + place * (_CARD + _GAP)
        canvas.card(s, card, x, top)
        for placement in s.laid_on(int(spot(seat, place))):
            for cell in PLACEMENT_CELLS[placement]:
                canvas.cell(x, top + _HEAD, cell, _PIECES[NAMES[PLACEMENT_SHAPE[placement]]])
    player = s.players[seat]
    right = 3 * _GAP + PLACES * (_CARD + _GAP)
    points = str(int(player.points)) if pile_open(s, seat, SPECTATOR) else "?"
    canvas.number(right, top + 2, points)
    canvas.number(right, top + 18, str(int(player.pile)))
    _supply(canvas, player.supply, right + 40, top + 2)
