"""Setting a game up: the only place that shuffles, but for Endless White's reshuffles."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from projectl.core import mastermind
from projectl.core.cards import Card, all_tiles, catalogue, shipped
from projectl.core.errors import Unreadable
from projectl.core.native import i16, i32, i64, vec
from projectl.core.pieces import BASE_SHAPES, I2, O1, SHAPES, UNIT
from projectl.core.rules import BLACK_CARDS, CREDITS, DIFFICULTIES, GHOST_COPIES, LINE_CLEAR, SOLO, Rules, card_sets
from projectl.core.shuffle import shuffled
from projectl.core.state import EMPTY, PLACES, Player, State
from projectl.core.turn import settle_turns, start_turn

TILES_DRAWN: dict[str, int] = {"A": 2, "B": 2, "C": 6}


class Named(NamedTuple):
    """Cards and tiles that a record names, top first; what is not named follows."""

    white: Sequence[str] = ()
    black: Sequence[str] = ()
    deck: Sequence[str] = ()  # solo: white names, then black ones
    finesse: Sequence[str] = ()


def new_game(rules: Rules, seed: str | None = None, named: Named = Named()) -> State:
    """The first position of a game. Without a seed the cards lie in id order."""
    if rules.kind == SOLO:
        white, black = _solo_deck(rules, seed, named), list[int]()
    else:
        white, black = _two_decks(rules, seed, named)
    n = int(rules.players)
    s = State(
        rules,
        seed or "",
        [Player() for _ in range(n)],
        vec[i64]([]),
        vec[i16]([i16(card) for card in white]),
        vec[i16]([i16(card) for card in black]),
        vec[i64]([EMPTY] * (PLACES * n)),
        vec[i64]([0] * (PLACES * n)),
        vec[i16]([]),
        vec[i32]([]),
        vec[i32]([]),
        vec[i16]([]),
        vec[i16]([i16(tile) for tile in _tiles(rules, seed, named)]),
    )
    _reveal(s)
    _hand_out(s)
    if rules.finesse:
        s.bank = CREDITS
    _first_turns(s)
    return s


def _first_turns(s: State) -> None:
    start_turn(s, 0)
    if s.rules.kind == LINE_CLEAR:
        s.white_holder = 0
        s.black_holder = 3 if s.rules.players == 6 else 2
        start_turn(s, s.black_holder)
    settle_turns(s)


def _reveal(s: State) -> None:
    """Lay the face-up cards out."""
    if s.rules.kind == SOLO:
        white, black = mastermind.GRID, 0
    else:
        white = black = 6 if s.rules.kind == LINE_CLEAR else 4
    face_up = [int(card) for card in s.white[:white]] + [int(card) for card in s.black[:black]]
    s.row = vec[i64](face_up)
    s.white_top = white
    s.black_top = black


def _hand_out(s: State) -> None:
    """The reserve, everybody's first two pieces, and in solo the locks."""
    for shape in range(SHAPES):
        if shape < BASE_SHAPES:
            s.reserve += UNIT[shape] * s.rules.copies
        elif s.rules.ghost:
            s.reserve += UNIT[shape] * GHOST_COPIES
    for player in s.players:
        player.supply = UNIT[O1] + UNIT[I2]
        s.reserve -= player.supply
    if s.rules.kind == SOLO:
        mastermind.new_locks(s, DIFFICULTIES[s.rules.difficulty])


# --- decks ------------------------------------------------------------------------------------


def cards_in_play(rules: Rules, white: bool) -> list[int]:
    """The numbers of all cards of a colour that the game may use, in id order."""
    return list(_cards_of_colour(card_sets(rules), rules.own, rules.replaced, white))


@lru_cache(maxsize=64)
def _cards_of_colour(
    sets: tuple[str, ...], own: tuple[Card, ...], replaced: tuple[Card, ...], white: bool
) -> tuple[int, ...]:
    tables = catalogue(own, replaced)
    ids = [card.id for name in sets for card in shipped(name).cards] + [card.id for card in own]
    numbers = [tables.number[card_id] for card_id in ids]
    return tuple(number for number in numbers if tables.cards[number].white == white)


def _numbers(rules: Rules, names: Sequence[str], white: bool, most: int, field: str) -> list[int]:
    """Named cards as numbers, checked."""
    if not names:
        return []
    allowed = set(cards_in_play(rules, white))
    colour = "white" if white else "black"
    found: dict[int, None] = {}
    for name in names:
        number = rules.cards.number.get(name)
        if number is None:
            raise Unreadable("card-unknown", f"there is no card {name[:20]!r}", field=field, about=name[:20])
        if number not in allowed:
            raise Unreadable(
                "card-not-in-play", f"{name} is not one of this game's {colour} cards", field=field, about=name
            )
        if number in found:
            raise Unreadable("card-twice", f"card {name} is named twice", field=field, about=name)
        found[number] = None
    if len(found) > most:
        raise Unreadable(
            "cards-too-many",
            f"{len(found)} {colour} cards are named, the game uses {most}",
            field=field,
            about=str(most),
        )
    return list(found)


def _completed(rules: Rules, seed: str | None, named: list[int], white: bool, label: str) -> list[int]:
    """Named cards first, then the rest: in id order, or shuffled by the seed."""
    first = set(named)
    rest = [number for number in cards_in_play(rules, white) if number not in first]
    return named + (rest if seed is None else shuffled(rest, seed, label))


def _two_decks(rules: Rules, seed: str | None, named: Named) -> tuple[list[int], list[int]]:
    if named.deck:
        raise Unreadable("deck-solo", "deck: is for solo; this game has white: and black:", field="deck")
    use = BLACK_CARDS[int(rules.players)]
    white_names = _numbers(rules, named.white, True, len(cards_in_play(rules, True)), "white")
    black_names = _numbers(rules, named.black, False, use, "black")
    white = _completed(rules, seed, white_names, True, "white")
    return white, _completed(rules, seed, black_names, False, "black")[:use]


def solo_cards(rules: Rules) -> tuple[int, int]:
    """White and black cards of the solo deck."""
    return (20, 15) if rules.finesse else (15, 10)


def _solo_deck(rules: Rules, seed: str | None, named: Named) -> list[int]:
    for field, names in (("white", named.white), ("black", named.black)):
        if names:
            raise Unreadable("deck-solo", f"{field}: is not for solo, which has deck:", field=field)
    whites, blacks = solo_cards(rules)
    tables = rules.cards
    colours = [name not in tables.number or tables.cards[tables.number[name]].white for name in named.deck]
    split = colours.index(False) if False in colours else len(colours)
    if True in colours[split:]:
        raise Unreadable("deck-order", "deck: names white cards first, then black ones", field="deck")
    white_names = _numbers(rules, named.deck[:split], True, whites, "deck")
    black_names = _numbers(rules, named.deck[split:], False, blacks, "deck")
    white = _completed(rules, seed, white_names, True, "solo-white")[:whites]
    return white + _completed(rules, seed, black_names, False, "solo-black")[:blacks]


# --- Finesse tiles ----------------------------------------------------------------------------


def tiles_in_play(rules: Rules, tile_set: str) -> list[int]:
    """The numbers of a set's tiles that may be drawn. The Recycle tile is not for solo."""
    return [
        number
        for number, tile in enumerate(all_tiles())
        if tile.set == tile_set
        and (rules.finesse_ambassador or tile.id.startswith("F"))
        and not (rules.kind == SOLO and tile.what == "recycle")
    ]


def _tiles(rules: Rules, seed: str | None, named: Named) -> list[int]:
    if not rules.finesse:
        if named.finesse:
            raise Unreadable("finesse-missing", "finesse: needs the module finesse", field="finesse")
        return []
    if named.finesse:
        return _named_tiles(rules, named.finesse)
    row: list[int] = []
    for tile_set, drawn in TILES_DRAWN.items():
        pool = tiles_in_play(rules, tile_set)
        row += (pool if seed is None else shuffled(pool, seed, f"finesse-{tile_set}"))[:drawn]
    return row if seed is None else shuffled(row, seed, "finesse-row")


def _named_tiles(rules: Rules, names: Sequence[str]) -> list[int]:
    numbers = {tile.id: number for number, tile in enumerate(all_tiles())}
    allowed = {number for tile_set in TILES_DRAWN for number in tiles_in_play(rules, tile_set)}
    found: list[int] = []
    for name in names:
        if name not in numbers:
            raise Unreadable("tile-unknown", f"there is no tile {name[:20]!r}", field="finesse", about=name[:20])
        if numbers[name] not in allowed:
            raise Unreadable("tile-not-in-play", f"tile {name} is not for this game", field="finesse", about=name)
        if numbers[name] in found:
            raise Unreadable("tile-twice", f"tile {name} is named twice", field="finesse", about=name)
        found.append(numbers[name])
    sets = [all_tiles()[number].set for number in found]
    if any(sets.count(tile_set) != drawn for tile_set, drawn in TILES_DRAWN.items()):
        raise Unreadable("tiles", "finesse: names ten tiles: 2 of set A, 2 of B and 6 of C", field="finesse")
    return found
