"""Decks and tiles: named ones first, then id order or the portable shuffle (docs/notation.md, Decks)."""

import hashlib
import hmac
from collections.abc import Iterator

import pytest

from projectl import Game
from projectl.core.cards import all_tiles
from projectl.core.shuffle import Stream, shuffled
from tests.table import go, part, player, seen, table

# What four seeds give in the base game of 2023: the first numbers of the stream `white`, ten of the 32
# white cards, the black cards of two players, the solo deck, the Finesse row, and `endless-1` on
# W09 W10 W22 W23.
VECTORS: dict[str, dict[str, str]] = {
    "": {
        "numbers": "49625828fe7be780 625ecdecbccae2e7 73a3f64204e7e68a 4cbd0a0bccd82bef",
        "white": "W06 W13 W29 W30 W21 W11 W23 W25 W14 W15",
        "black": "B01 B07 B03 B11 B06 B05 B20 B15 B14 B10 B12 B16",
        "solo": "W17 W28 W08 W05 W07 W10 W11 W19 W32 W29 W13 W22 W12 W15 W09 B01 B11 B17 B19 B04 B07 B12 B05 B08 B20",
        "finesse": "FC10 FC06 FB06 FC07 FA09 FC08 FA02 FB09 FC02 FC09",
        "endless": "W10 W23 W22 W09",
    },
    "a": {
        "numbers": "5799f4dd6052bea6 11d23497059fe654 c259d303dd057287 d46189d6a0984c25",
        "white": "W10 W25 W03 W06 W04 W22 W29 W27 W19 W08",
        "black": "B04 B05 B10 B12 B09 B06 B01 B20 B08 B14 B15 B11",
        "solo": "W07 W03 W08 W01 W25 W13 W15 W30 W32 W12 W31 W11 W02 W23 W24 B20 B02 B08 B05 B07 B06 B11 B13 B19 B18",
        "finesse": "FC04 FA02 FC05 FB09 FC01 FC08 FB02 FC03 FC07 FA08",
        "endless": "W23 W22 W10 W09",
    },
    "7f3a": {
        "numbers": "7b43355101eae12b a0bb928fc7f547b5 51bea7a47735cbcb 23d61ae9f503b046",
        "white": "W28 W17 W16 W21 W31 W13 W23 W25 W15 W09",
        "black": "B20 B09 B03 B04 B17 B19 B07 B16 B01 B18 B05 B11",
        "solo": "W29 W08 W01 W28 W03 W09 W23 W14 W05 W07 W25 W30 W18 W31 W12 B15 B10 B08 B01 B05 B06 B13 B07 B11 B04",
        "finesse": "FC10 FC01 FC02 FB10 FA10 FC03 FC08 FA04 FC04 FB01",
        "endless": "W22 W23 W10 W09",
    },
    "Žluťoučký": {
        "numbers": "4dce68d2f74eee0d 8ae6ca4f6916e064 5a1c89f23c9f6c5c a793786d8b7a6ce0",
        "white": "W29 W04 W23 W30 W03 W08 W07 W24 W32 W22",
        "black": "B11 B15 B18 B02 B16 B19 B07 B20 B04 B03 B01 B13",
        "solo": "W16 W10 W03 W02 W01 W05 W19 W22 W20 W13 W17 W18 W08 W27 W23 B13 B18 B10 B17 B15 B19 B02 B08 B16 B12",
        "finesse": "FC02 FB05 FA02 FB06 FC04 FA04 FC08 FC09 FC05 FC03",
        "endless": "W09 W10 W23 W22",
    },
}


def reference(items: list[str], seed: str, label: str) -> list[str]:
    """The portable shuffle, written a second time."""

    def stream() -> Iterator[int]:
        for i in range(10**6):
            block = hmac.new(seed.encode("utf-8"), f"projectl/1/{label}/{i}".encode(), hashlib.sha256).digest()
            yield from (int.from_bytes(block[at : at + 8], "big") for at in (0, 8, 16, 24))

    source, found = stream(), list(items)
    for last in range(len(found) - 1, 0, -1):
        n = last + 1
        fair = next(number for number in source if number < 2**64 - 2**64 % n)
        found[last], found[fair % n] = found[fair % n], found[last]
    return found


def ids(prefix: str, n: int) -> list[str]:
    """Ids in their order."""
    return [f"{prefix}{i:02}" for i in range(1, n + 1)]


def whites(game: Game) -> list[str]:
    """All white cards (in solo all cards) as dealt at the beginning, top first."""
    return [game.state.cards.cards[card].id for card in game.state.white]


def blacks(game: Game) -> list[str]:
    return [game.state.cards.cards[card].id for card in game.state.black]


def row(game: Game) -> list[str]:
    """All ten tiles, the hidden ones too."""
    return [all_tiles()[tile].id for tile in game.state.tiles]


# The four seeds


@pytest.mark.parametrize("seed", VECTORS)
def test_the_stream_of_a_seed(seed: str) -> None:
    stream = Stream(seed, "white")
    found: list[str] = []
    for _ in range(4):
        stream.advance()
        found.append(f"{stream.high:08x}{stream.low:08x}")
    assert found == VECTORS[seed]["numbers"].split()


@pytest.mark.parametrize("seed", VECTORS)
def test_a_seed_shuffles_white_and_black(seed: str) -> None:
    game = table(f"players: 2\nseed: {seed}")
    white, black = VECTORS[seed]["white"].split(), VECTORS[seed]["black"].split()
    assert (whites(game)[:10], blacks(game)) == (white, black)
    assert part(game, "rows") == {"W": white[:4], "B": black[:4]}
    go(game, "1 take W|1 take B")
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    assert [puzzle["card"] for puzzle in puzzles] == [white[4], black[4]]


@pytest.mark.parametrize("seed", VECTORS)
def test_a_seed_deals_the_solo_deck(seed: str) -> None:
    game = table(f"players: 1\nseed: {seed}")
    assert whites(game) == VECTORS[seed]["solo"].split()
    assert part(game, "solo")["grid"] == VECTORS[seed]["solo"].split()[:9]


@pytest.mark.parametrize("seed", VECTORS)
def test_a_seed_draws_the_finesse_tiles(seed: str) -> None:
    game = table(f"players: 2\nmodules: finesse\nseed: {seed}")
    tiles = VECTORS[seed]["finesse"].split()
    assert row(game) == tiles
    assert part(game, "finesse")["tiles"] == [None, None, *tiles[2:]]


@pytest.mark.parametrize("seed", VECTORS)
def test_a_seed_reshuffles_for_endless_white(seed: str) -> None:
    cards = ["W09", "W10", "W22", "W23"]
    found = [cards[n] for n in shuffled([0, 1, 2, 3], seed, "endless-1")]
    assert found == VECTORS[seed]["endless"].split() == reference(cards, seed, "endless-1")


# Lists longer and shorter than the base game's


@pytest.mark.parametrize("seed", ["", "b", "seven words are a seed as well"])
def test_expansion_cards_and_own_cards_follow_in_id_order_before_the_shuffle(seed: str) -> None:
    """Base, Ghost Piece, Ambassador, Phoenix, then the own cards in the order of their lines."""
    own = "card: Q2 W 0 O1 .#### ##### ##### ##### #####\ncard: A1 W 0 O1 .#### ##### ##### ##### #####\n"
    own += "card: Q1 B 0 O1 .#### ##### ##### ##### #####"
    game = table(f"players: 6\nmodules: ghost ambassador phoenix\n{own}\nseed: {seed}")
    assert whites(game) == reference([*ids("W", 32), *ids("GW", 12), "AW01", "Q2", "A1"], seed, "white")
    pool = [*ids("B", 20), *ids("GB", 12), "AB01", "AB02", *ids("PB", 7), "Q1"]
    assert blacks(game) == reference(pool, seed, "black")[:24]


@pytest.mark.parametrize("seed", ["", "b"])
def test_named_cards_are_taken_out_before_the_rest_is_shuffled(seed: str) -> None:
    game = table(f"players: 3\nwhite: W09 W22\nblack: B20\nseed: {seed}")
    rest = [card for card in ids("W", 32) if card not in ("W09", "W22")]
    assert whites(game) == ["W09", "W22", *reference(rest, seed, "white")]
    assert blacks(game) == ["B20", *reference(ids("B", 19), seed, "black")[:13]]


@pytest.mark.parametrize("modules", ["", "finesse"])
def test_solo_completes_each_colour_by_itself(modules: str) -> None:
    game = table(f"players: 1\nmodules: {modules}\ndeck: W32 B20 B19\nseed: c")
    white, black = (20, 15) if modules else (15, 10)
    expected = ["W32", *reference(ids("W", 31), "c", "solo-white")[: white - 1], "B20", "B19"]
    assert whites(game) == expected + reference(ids("B", 18), "c", "solo-black")[: black - 2]


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("pack", ["", "finesse_ambassador"])
def test_tiles_are_drawn_set_by_set_and_then_shuffled(players: int, pack: str) -> None:
    """The pack's tiles come after the others of their set; its Recycle tile is left out in solo."""
    game = table(f"players: {players}\nmodules: finesse {pack}\nseed: d")
    sets = {letter: ids(f"F{letter}", 10) for letter in "ABC"}
    if pack:
        sets["A"] += ["XA1", "XA2"]
        sets["B"] += ["XB1", "XB2"]
        sets["C"] += [f"XC{n}" for n in range(1, 7) if players > 1 or n != 2]
    drawn = [tile for letter, n in (("A", 2), ("B", 2), ("C", 6)) for tile in draw(sets, letter)[:n]]
    assert row(game) == reference(drawn, "d", "finesse-row")


def draw(sets: dict[str, list[str]], letter: str) -> list[str]:
    return reference(sets[letter], "d", f"finesse-{letter}")


# Without a seed


def test_without_a_seed_cards_follow_in_id_order() -> None:
    game = table("players: 2\nwhite: W09 W01\nblack: B20")
    assert whites(game)[:5] == ["W09", "W01", "W02", "W03", "W04"]
    assert blacks(game) == ["B20", *ids("B", 11)]
    assert len(whites(game)) == 32


def test_line_clear_deals_the_left_rows_then_the_right_rows_then_the_decks() -> None:
    game = go(table("players: 5\nmodules: line_clear\nwhite: W32\nblack: B20"), "1 take W|1 take B")
    rows = {"WL": ["W32", "W01", "W02"], "WR": ["W03", "W04", "W05"]}
    assert seen(game, "rows") == rows | {"BL": ["B20", "B01", "B02"], "BR": ["B03", "B04", "B05"]}
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    assert [puzzle["card"] for puzzle in puzzles] == ["W06", "B06"]


def test_solo_without_a_seed() -> None:
    game = table("players: 1\ndeck: W32 B20")
    assert whites(game) == ["W32", *ids("W", 14), "B20", *ids("B", 9)]


def test_named_tiles_lie_as_named() -> None:
    names = "FC10 FB03 FC09 FA07 FC01 FC02 FB10 FC03 FA01 FC04"
    assert row(table(f"players: 2\nmodules: finesse\nfinesse: {names}\nseed: e")) == names.split()


@pytest.mark.parametrize("line", ["seed:", "seed:   ", "seed: # nothing"])
def test_an_empty_seed_is_a_seed(line: str) -> None:
    """It shuffles by the empty text; no `seed:` line at all leaves the id order."""
    assert whites(table(f"players: 2\n{line}"))[:10] == VECTORS[""]["white"].split()


def test_the_seed_counts_without_the_blanks_at_its_ends() -> None:
    assert whites(table("players: 2\nseed:    a   ")) == whites(table("players: 2\nseed: a"))
    assert whites(table("players: 2\nseed: a  b")) == reference(ids("W", 32), "a  b", "white")
    assert whites(table("players: 2\nseed: a#b")) == reference(ids("W", 32), "a#b", "white")


# How many cards are used


@pytest.mark.parametrize(("players", "used"), [(2, 12), (3, 14), (4, 16), (5, 20), (6, 24)])
@pytest.mark.parametrize("modules", ["phoenix", "ghost phoenix"])
def test_phoenix_does_not_change_how_many_black_cards_are_used(players: int, used: int, modules: str) -> None:
    """Seven more to choose from; the deck is what the row leaves."""
    game = table(f"players: {players}\nmodules: {modules}\nseed: f")
    pool = ids("B", 20) + (ids("GB", 12) if "ghost" in modules else []) + ids("PB", 7)
    assert blacks(game) == reference(pool, "f", "black")[:used]
    assert part(game, "decks")["B"] == used - 4


def test_phoenix_cards_are_worth_six_points_and_black() -> None:
    game = table("players: 2\nmodules: phoenix")
    cards = [card for card in game.state.cards.cards if card.id.startswith("PB")]
    assert [(card.id, card.points, card.white) for card in cards] == [(name, 6, False) for name in ids("PB", 7)]
