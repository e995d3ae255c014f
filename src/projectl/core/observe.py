"""Observations and masks: what a seat may know and may decide, as numbers in arrays that the caller owns.

The layout is in `features.py`. An observation is written eight bytes at a time into numbers that lie in memory as the
bytes do, least first, and reaches the caller's array in one go.
"""

from array import array
from functools import lru_cache
from typing import Final, cast

from projectl.core import actions
from projectl.core.cards import AMBASSADOR_REWARD, TILE_KINDS
from projectl.core.features import (
    CONFIGURATION,
    DUE,
    MARKET,
    MARKET_CARD,
    MASK_SIZE,
    PIECES,
    PUZZLE,
    PUZZLE_WORDS,
    SEAT,
    SEAT_WORDS,
    SHIPPED,
    SOLO_TABLE,
    TILE_WORDS,
    TILES,
    TOP,
    TURN,
    UNSEEN,
    WORD,
    WORDS,
)
from projectl.core.finesse import FACE_DOWN
from projectl.core.legal import legal, may_act
from projectl.core.native import Buffer, append, i64, u8, vec
from projectl.core.pieces import CELLS, PLACEMENT_SHAPE, SHAPES
from projectl.core.rules import (
    DIFFICULTIES,
    EDITIONS,
    FINESSE_ROUNDS,
    MODULES,
    SOLO,
    Rules,
    option_named,
)
from projectl.core.score import result
from projectl.core.setup import cards_in_play
from projectl.core.state import (
    EMPTY,
    OVER,
    PLACES,
    PLACING,
    TOUCHES,
    State,
    laid_placement,
    laid_spot,
    pile_card,
    pile_seat,
    reward_card,
    reward_place,
    spot,
    spot_place,
    spot_seat,
)

# One in each byte of a word, and a word without that byte.
BYTE: Final = vec[i64]([256**n for n in range(WORD)])
_BUT: Final = vec[i64]([2**63 - 1 - 255 * 256**n if n < 7 else 2**56 - 1 for n in range(WORD)])
_HALF: Final[i64] = 4294967296  # 2^32

# The bits of a byte, one in each byte of a word.
_SPREAD: Final = vec[i64]([sum(256**bit for bit in range(8) if n & 2**bit) for n in range(256)])

# Where a piece laid by a placement is counted: which word of its puzzle, which byte of that.
_LAID: Final = 9
_LAID_WORD: Final = vec[i64]([_LAID + int(shape) // WORD for shape in PLACEMENT_SHAPE])
_LAID_BYTE: Final = vec[i64]([256 ** (int(shape) % WORD) for shape in PLACEMENT_SHAPE])

# What the tables hold of a card: the words of a market card, then word 3 of a puzzle without its cells.
_CARD_WORDS: Final = 7
_PUZZLE_TAIL: Final = 6
_REWARD: Final = 4
_MOST_OWN: Final[i64] = 99


def zero_words(count: int) -> vec[i64]:
    """So many words of 0 that lie in memory one behind the other, in plain Python too."""
    words = vec[i64]([0] * count)
    boxed: object = words
    return cast("vec[i64]", array("q", boxed)) if isinstance(boxed, list) else words


def zero_bytes(count: int) -> vec[u8]:
    """So many bytes of 0."""
    marks = vec[u8]([0] * count)
    boxed: object = marks
    return cast("vec[u8]", array("B", boxed)) if isinstance(boxed, list) else marks


class _Page:
    """Room for one observation, and its bytes."""

    __slots__ = ("content", "words")

    def __init__(self) -> None:
        self.words: vec[i64] = zero_words(WORDS)
        self.content: memoryview = memoryview(self.words).cast("B")


class _Marks:
    """Room for one mask, all 0 while nobody uses it."""

    __slots__ = ("content", "marks")

    def __init__(self) -> None:
        self.marks: vec[u8] = zero_bytes(MASK_SIZE)
        self.content: memoryview = memoryview(self.marks)


# Used again and again: making room takes longer than filling it. Whoever works with one has taken it out of the list,
# so that threads do not meet.
_MARKS: Final[list[_Marks]] = []


class Tables:
    """What observations of one game's rules always say, ready to be copied."""

    __slots__ = ("cards", "configuration", "own_black", "own_white", "pages", "rules", "tiles", "unseen")

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.pages: list[_Page] = []
        self.configuration: vec[i64] = _words(configuration(rules))
        in_play = cards_in_play(rules, True) + cards_in_play(rules, False)
        self.unseen: vec[i64] = _words([int(card in in_play) for card in range(SHIPPED)])
        self.own_white: i64 = sum(1 for card in cards_in_play(rules, True) if card >= SHIPPED)
        self.own_black: i64 = sum(1 for card in cards_in_play(rules, False) if card >= SHIPPED)
        self.cards: vec[i64] = vec[i64]([])
        for card in range(len(rules.cards.cards)):
            for word in _words(_card(rules, card)):
                self.cards = append(self.cards, word)
        self.tiles: vec[i64] = vec[i64]([])
        for tile in range(len(rules.tiles.tiles)):
            for word in _words(tile_numbers(rules, tile)):
                self.tiles = append(self.tiles, word)


def _words(numbers: list[int]) -> vec[i64]:
    """Bytes as words; the last one is filled up with 0."""
    found = vec[i64]([])
    for start in range(0, len(numbers), WORD):
        found = append(found, sum(number * 256**n for n, number in enumerate(numbers[start : start + WORD])))
    return found


def _one_hot(names: list[str], name: str) -> list[int]:
    return [int(name == other) for other in names]


def configuration(rules: Rules) -> list[int]:
    """What every observation says of the rules."""
    return [
        *_one_hot(list(EDITIONS), rules.edition),
        *(int(rules.players == n) for n in range(1, 7)),
        *(int(module in rules.modules) for module in MODULES),
        *_one_hot(list(option_named("upgrade_skip").values), rules.upgrade_skip),
        *_one_hot(list(option_named("exchange_down").values), rules.exchange_down),
        int(rules.known_points),
        *_one_hot(list(DIFFICULTIES), rules.difficulty if rules.kind == SOLO else ""),
        min(int(rules.max_rounds), TOP),
        *([0] * 6),
    ]


def _card(rules: Rules, number: int) -> list[int]:
    card = rules.cards.cards[number]
    recess = [int(card.recess & 2**cell != 0) for cell in range(CELLS)]
    about = [1, int(card.white), int(not card.white), card.points]
    reward = [int(card.reward == n) for n in range(AMBASSADOR_REWARD + 1)]
    return [*recess, *about, 0, 0, 0, 0, *reward, *about]


def tile_numbers(rules: Rules, number: int) -> list[int]:
    """What observations say of a Finesse tile."""
    tile = rules.tiles.tiles[number]
    shapes = [int(shape in tile.shapes) for shape in range(SHAPES)]
    return [1, tile.credits, *_one_hot(list(TILE_KINDS), tile.what), *shapes]


@lru_cache(maxsize=64)
def _tables(rules: Rules) -> Tables:
    return Tables(rules)


class _Recent:
    """The tables that were used last: most programs play one kind of game."""

    __slots__ = ("tables",)

    def __init__(self) -> None:
        self.tables: Tables | None = None


_RECENT: Final = _Recent()


def tables_of(rules: Rules) -> Tables:
    """The tables of a game's rules."""
    tables = _RECENT.tables
    if tables is None or tables.rules is not rules:
        tables = _tables(rules)
        _RECENT.tables = tables
    return tables


# --- for the caller ---------------------------------------------------------------------------


def observe(s: State, seat: int, out: Buffer) -> None:
    """Write what a seat (from 0) may know into `out`: SIZE bytes, writable, C-contiguous."""
    _check_seat(s, seat)
    tables = tables_of(s.rules)
    page = tables.pages.pop() if tables.pages else _Page()
    fill(s, seat, tables, page.words, 0)
    _hand_over(page.content, out, "an observation")
    tables.pages.append(page)


def mask(s: State, seat: int, out: Buffer) -> None:
    """Write 1 for every decision that a seat (from 0) may make and 0 for the others: MASK_SIZE bytes."""
    _check_seat(s, seat)
    options = legal(s, seat)
    room = _MARKS.pop() if _MARKS else _Marks()
    marks = room.marks
    for decision in options:
        marks[decision] = 1
    _hand_over(room.content, out, "a mask")
    for decision in options:
        marks[decision] = 0
    _MARKS.append(room)


def returns(s: State) -> list[float]:
    """What the game brought each seat: 1 for the winner, together 0; all 0 until it is over.

    Several winners share, and the mastermind is an opponent: alone one wins 1 or loses 1.
    """
    found = result(s)
    if found is None:
        return [0.0] * len(s.players)
    n = len(found.scores)
    share = 1.0 / len(found.winners)
    return [((share if seat in found.winners else 0.0) * n - 1.0) / (n - 1) for seat in range(len(s.players))]


def _check_seat(s: State, seat: int) -> None:
    """Refuse a seat that the game does not have."""
    if not 0 <= seat < len(s.players):
        raise ValueError(f"seats are numbers from 0 to {len(s.players) - 1}, found {seat}")


def _hand_over(content: memoryview, out: Buffer, what: str) -> None:
    """Copy bytes into an array of the caller."""
    try:
        memoryview(out)[:] = content
    except (NotImplementedError, TypeError, ValueError):
        _hand_over_or_say_why_not(content, out, what)


def _hand_over_or_say_why_not(content: memoryview, out: Buffer, what: str) -> None:
    """The same for an array of several dimensions, or of truth values."""
    expected = f"{what} needs a writable C-contiguous array of uint8 and of shape ({len(content)},)"
    try:
        target = memoryview(out)
    except TypeError:
        raise TypeError(f"{expected}, found {type(out).__name__}") from None
    if target.readonly or not target.c_contiguous or target.itemsize != 1 or target.nbytes != len(content):
        wrong = "read-only " if target.readonly else "" if target.c_contiguous else "scattered "
        raise ValueError(f"{expected}, found {wrong}{target.format!r} of shape {target.shape}")
    target.cast("B")[:] = content


# --- filling ----------------------------------------------------------------------------------


def fill(s: State, seat: i64, tables: Tables, words: vec[i64], at: i64) -> None:
    """Write an observation into the words from `at` on. What no game of these rules has is left as it was: 0."""
    for i in range(i64(TURN)):
        words[at + CONFIGURATION + i] = tables.configuration[i]
    _fill_turn(s, words, at + TURN)
    _fill_due(s, words, at + DUE)
    _fill_market(s, tables, words, at + MARKET)
    _fill_seats(s, seat, tables, words, at + SEAT)
    _fill_piles(s, seat, tables, words, at)
    if s.rules.kind == SOLO:
        _fill_solo(s, words, at + SOLO_TABLE)
    if s.rules.finesse:
        _fill_tiles(s, tables, words, at + TILES)


def _fill_turn(s: State, words: vec[i64], at: i64) -> None:
    number = min(s.round, i64(TOP)) + min(s.last_round, i64(TOP)) * 256
    if s.end_triggered:
        number += 16777216 + (65536 if s.round >= s.last_round else 0)
    if s.quiet_round:
        number += _HALF
    white, black = len(s.white) - s.white_top, len(s.black) - s.black_top
    number += (min(white, i64(TOP)) * 256 + min(black, i64(TOP)) * 65536) * _HALF
    words[at] = number + s.bank * BYTE[7]
    words[at + 1] = BYTE[s.phase] + (BYTE[7] if s.inserting else 0)
    words[at + 2] = _under_way(s) + ((256 if s.credit else 0) + s.placed * 65536 + s.arrows * 16777216) * _HALF
    number = (_HALF if s.got_white else 0) + (256 * _HALF if s.got_black else 0)
    if s.phase == PLACING:
        for place in range(s.next_place, i64(PLACES)):
            number += BYTE[place]
    words[at + 3] = number
    words[at + PIECES - TURN] = _eight(s.reserve)
    words[at + PIECES - TURN + 1] = _four(s.reserve >> 40) + _four(s.hand) * _HALF
    words[at + PIECES - TURN + 2] = _eight(s.hand >> 20)


def _under_way(s: State) -> i64:
    """The action that has begun: one of five."""
    begun = s.pending
    if begun == 0:
        return 0
    if actions.is_recycle(begun):
        return BYTE[(begun - actions.RECYCLE) % 2]
    if actions.is_ghost(begun):
        return BYTE[2]
    return BYTE[3] if begun == actions.MASTER else BYTE[4]


def _eight(pieces: i64) -> i64:
    """The first eight numbers of a multiset, five bits each, in a byte each."""
    spread = (pieces & 0xFFFFF) + ((pieces >> 20) & 0xFFFFF) * _HALF
    spread = (spread & 0x000003FF000003FF) + (spread & 0x000FFC00000FFC00) * 64
    return (spread & 0x001F001F001F001F) + (spread & 0x03E003E003E003E0) * 8


def _four(pieces: i64) -> i64:
    """The first four numbers of a multiset, five bits each, in a byte each."""
    spread = (pieces & 0x3FF) + (pieces & 0xFFC00) * 64
    return (spread & 0x001F001F) + (spread & 0x03E003E0) * 8


def _fill_due(s: State, words: vec[i64], at: i64) -> None:
    """Rewards to settle, 15 numbers each, then the place of the next one."""
    for i in range(i64(SOLO_TABLE - DUE)):
        words[at + i] = 0
    for i in range(i64(len(s.queue))):
        entry = i64(s.queue[i])
        number = i * (AMBASSADOR_REWARD + 1) + s.cards.reward[reward_card(entry)]
        words[at + number // WORD] += BYTE[number % WORD]
        if i == 0:
            words[at + SOLO_TABLE - DUE - 1] += BYTE[4 + reward_place(entry)]


def _fill_market(s: State, tables: Tables, words: vec[i64], at: i64) -> None:
    cards = tables.cards
    for card in s.row:
        if card == EMPTY:
            for i in range(at, at + MARKET_CARD):
                words[i] = 0
        else:
            about = card * _CARD_WORDS
            words[at] = cards[about]
            words[at + 1] = cards[about + 1]
            words[at + 2] = cards[about + 2]
            words[at + 3] = cards[about + 3]
            words[at + 4] = cards[about + 4]
            words[at + 5] = cards[about + 5]
        at += MARKET_CARD


def _fill_seats(s: State, observer: i64, tables: Tables, words: vec[i64], at: i64) -> None:
    n = s.rules.players
    all_open = s.rules.known_points or s.phase == OVER
    for i in range(n):
        seat = observer + i if observer + i < n else observer + i - n
        _fill_seat(s, seat, all_open or i == 0, words, at)
        _fill_puzzles(s, spot(seat, 0), tables, words, at + PUZZLE)
        at += SEAT_WORDS
    _count_laid(s, observer, words, at - n * SEAT_WORDS + PUZZLE)


def _count_laid(s: State, observer: i64, words: vec[i64], at: i64) -> None:
    """Pieces on all the puzzles, by shape."""
    n = s.rules.players
    for entry in s.laid:
        there, placement = laid_spot(i64(entry)), laid_placement(i64(entry))
        i = spot_seat(there) - observer
        if i < 0:
            i += n
        words[at + i * SEAT_WORDS + spot_place(there) * PUZZLE_WORDS + _LAID_WORD[placement]] += _LAID_BYTE[placement]


def _fill_seat(s: State, seat: i64, pile_open: bool, words: vec[i64], at: i64) -> None:
    player = s.players[seat]
    number: i64 = 1 + (256 if may_act(s, seat) else 0) + (65536 if s.seat == seat and s.phase != OVER else 0)
    number += (16777216 if seat == 0 else 0) + i64(player.actions) * _HALF + (256 * _HALF if player.master else 0)
    number += i64(player.black) * BYTE[6] + (BYTE[7] if player.quiet else 0)
    words[at] = number
    number = (1 if player.done else 0) + min(i64(player.pile), i64(TOP)) * 16777216
    if pile_open:
        number += 256 + min(i64(player.points), i64(TOP)) * 65536
    number += i64(player.touches) * BYTE[5] + i64(player.active) * BYTE[6] + i64(player.inactive) * BYTE[7]
    words[at + 1] = number
    number = min(i64(player.ambassadors), i64(TOP)) + min(i64(player.new_ambassadors), i64(TOP)) * 256
    number += (65536 if s.white_holder == seat else 0) + (16777216 if s.black_holder == seat else 0)
    words[at + 2] = number + _four(player.supply) * _HALF
    words[at + 3] = _eight(player.supply >> 20)


def _fill_puzzles(s: State, first: i64, tables: Tables, words: vec[i64], at: i64) -> None:
    """The four places of a seat."""
    spread, cards, recess = _SPREAD, tables.cards, s.cards.recess
    for place in range(first, first + PLACES):
        card = s.board[place]
        if card == EMPTY:
            for i in range(at, at + PUZZLE_WORDS):
                words[i] = 0
        else:
            covered = s.filled[place]
            empty = recess[card] - covered
            about = card * _CARD_WORDS
            words[at] = spread[empty & 255]
            words[at + 1] = spread[(empty >> 8) & 255]
            words[at + 2] = spread[(empty >> 16) & 255]
            words[at + 3] = (empty >> 24) + cards[about + _PUZZLE_TAIL] * 256
            words[at + 4] = spread[covered & 255]
            words[at + 5] = spread[(covered >> 8) & 255]
            words[at + 6] = spread[(covered >> 16) & 255]
            words[at + 7] = (covered >> 24) + cards[about + _REWARD]
            words[at + 8] = cards[about + _REWARD + 1]
            words[at + _LAID] = 0
            words[at + _LAID + 1] = 0
        at += PUZZLE_WORDS


def _fill_piles(s: State, observer: i64, tables: Tables, words: vec[i64], at: i64) -> None:
    """How many cards are on each pile, and which cards lie nowhere in sight."""
    first = at + UNSEEN
    for i in range(i64(MARKET - UNSEEN)):
        words[first + i] = tables.unseen[i]
    for card in s.row:
        _see(card, words, first)
    for card in s.board:
        _see(card, words, first)
    n = s.rules.players
    all_open = s.rules.known_points or s.phase == OVER
    for entry in s.finished:
        owner = pile_seat(i64(entry))
        if owner < n:
            i = owner - observer if owner >= observer else owner - observer + n
            counted = at + SEAT + i * SEAT_WORDS + 1
            if (words[counted] >> 32) & TOP < TOP:
                words[counted] += _HALF
        if owner == observer or owner == n or all_open or _face_up(s, i64(entry)):
            _see(pile_card(i64(entry)), words, first)
    if tables.own_white + tables.own_black > 0:
        words[first + MARKET - UNSEEN - 1] += _own_unseen(s, observer, tables)


def _face_up(s: State, finished: i64) -> bool:
    """Whether a card of a pile lies open for its unused Ambassador action (R45)."""
    for entry in s.ambassador_cards:
        if i64(entry) == finished:
            return True
    return False


def _see(card: i64, words: vec[i64], first: i64) -> None:
    if card >= 0 and card < SHIPPED:
        words[first + (card >> 3)] &= _BUT[card & 7]


def _own_unseen(s: State, observer: i64, tables: Tables) -> i64:
    """The table's own cards that lie nowhere in sight, white and black, in the last two bytes of a word."""
    seen = [int(card) for card in s.row if card >= SHIPPED] + [int(card) for card in s.board if card >= SHIPPED]
    all_open = s.rules.known_points or s.phase == OVER
    for entry in s.finished:
        owner, card = pile_seat(i64(entry)), pile_card(i64(entry))
        if card < SHIPPED:
            continue
        if owner == observer or owner == len(s.players) or all_open or _face_up(s, i64(entry)):
            seen.append(int(card))
    white: i64 = sum(1 for card in seen if s.cards.cards[card].white)
    black: i64 = len(seen) - white
    return min(tables.own_white - white, _MOST_OWN) * BYTE[6] + min(tables.own_black - black, _MOST_OWN) * BYTE[7]


def _fill_solo(s: State, words: vec[i64], at: i64) -> None:
    """Locks, and the mastermind's pile."""
    number: i64 = 0
    for i in range(i64(len(s.locks))):
        number += i64(s.locks[i]) * BYTE[i]
    words[at] = number
    points: i64 = 0
    cards: i64 = 0
    for entry in s.finished:
        if pile_seat(i64(entry)) == 1:
            points += s.cards.points[pile_card(i64(entry))]
            cards += 1
    words[at + 1] = min(points, i64(TOP)) + min(cards, i64(TOP)) * 256


def _fill_tiles(s: State, tables: Tables, words: vec[i64], at: i64) -> None:
    """The tile of this round first; those that never count, and those of rounds that are over, are left out."""
    for i in range(i64(FINESSE_ROUNDS * TILE_WORDS)):
        words[at + i] = 0
    if s.phase == TOUCHES or s.phase == OVER:
        return
    for n in range(max(s.round - 1, i64(FACE_DOWN)), i64(len(s.tiles))):
        start, source = at + (n - s.round + 1) * TILE_WORDS, i64(s.tiles[n]) * TILE_WORDS
        for i in range(i64(TILE_WORDS)):
            words[start + i] = tables.tiles[source + i]
