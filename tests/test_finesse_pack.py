"""The six tiles of set C in the Finesse Ambassador Pack (docs/rules.md)."""

import pytest

from projectl import Game
from tests.table import go, idle, refused, seen, supply, table, unreadable
from tests.test_finesse_tiles import CORNER, GET, IDLE, bank, credits, own_cards, round_3, tiles, turn

GET_TWO = ("take W1|place 1:a1|take W2", "place 1:a1|gain O1|gain O1")  # two one-cell cards


def round_4(third: str, fourth: str, first: str, white: str = "", modules: str = "") -> Game:
    """Round 4 after a round 3 in which seat 1 played `first`."""
    header = f"players: 2\nmodules: finesse finesse_ambassador {modules}\n{tiles(third, fourth)}"
    game = table(f"{header}\n{own_cards(white)}\nwhite: {white}", idle(1, 2), idle(1, 2))
    return go(game, turn(1, first), idle(2))


# XC1


def test_xc1_pays_four_for_an_empty_board_at_the_turn_end() -> None:
    game = go(round_3("XC1"), idle(1))
    assert (credits(game), bank(game)) == ((4, 0), 31)


def test_xc1_pays_nothing_with_an_unfinished_puzzle() -> None:
    game = round_3("XC1", "", "take W1|gain O1|gain O1")
    assert credits(go(game, idle(1))) == (0, 0)


def test_xc1_counts_what_the_last_action_completed() -> None:
    game = round_3("XC1", "ZO1", "take W1|gain O1|gain O1")
    assert credits(go(game, "1 gain O1|1 gain O1|1 place 1:a1")) == (4, 0)


# XC2


def test_xc2_pays_two_for_each_recycle_of_either_row() -> None:
    game = round_3("XC2")
    assert (credits(go(game, "1 recycle W")), bank(game)) == ((0, 2), 33)
    assert (credits(go(game, "1 recycle B 4 3 2 1")), bank(game)) == ((0, 4), 31)


@pytest.mark.parametrize("action", ["take W1", "gain O1", "upgrade I2 L3"])
def test_xc2_pays_for_nothing_else(action: str) -> None:
    assert credits(go(round_3("XC2"), f"1 {action}")) == (0, 0)


def test_xc2_cannot_be_named_in_solo() -> None:
    """There is no Recycle in solo, so the tile is left out."""
    assert unreadable(f"players: 1\nmodules: finesse finesse_ambassador\n{tiles('XC2')}") == ("tile-not-in-play", 3)


@pytest.mark.parametrize("seed", range(40))
def test_xc2_is_never_drawn_in_solo(seed: int) -> None:
    """Six of 15 tiles of set C are drawn; were it among 16, some 15 of these 40 seeds would draw it."""
    header = f"players: 1\nmodules: finesse finesse_ambassador\noptions: max_rounds=1\nseed: {seed}"
    game = table(header, turn(1, "gain O1|gain O1|gain O1"), "1 done")
    found = seen(game, "finesse")
    assert isinstance(found, dict)
    row = found["tiles"]
    assert "XC2" not in row
    assert [sum(tile[1] == letter for tile in row) for letter in "ABC"] == [2, 2, 6]


# XC3


def test_xc3_pays_four_for_a_piece_of_every_level() -> None:
    """O1, I2, I3 and T4 in the supply."""
    game = round_3("XC3", "ZI3 ZT4", *GET_TWO)
    assert (credits(go(game, idle(1))), bank(game)) == ((4, 0), 31)


def test_xc3_counts_pieces_on_unfinished_puzzles() -> None:
    """The only O1 and the only S4 lie on a puzzle."""
    game = round_3("XC3", "ZI3 ZS4 E1", "take W1|place 1:a1|take W2", "place 1:a1|take W3|place 1:a5")
    go(game, f"1 place 1:{CORNER['S4']}|1 upgrade I2 L3|1 upgrade L3 I2")
    assert supply(game, 1) == {"I2": 1, "I3": 1}
    assert credits(game) == (4, 0)


@pytest.mark.parametrize("missing", ["O1", "I2", "I3", "T4"])
def test_xc3_pays_nothing_with_a_level_missing(missing: str) -> None:
    """The piece of that level is exchanged in the third action."""
    game = round_3("XC3", "ZI3 ZT4", "take W1|place 1:a1|take W2", "place 1:a1|upgrade I3 L3|upgrade L3 I3")
    exchange = {"O1": "upgrade O1 I2", "I2": "upgrade I2 O1", "I3": "upgrade I3 I2", "T4": "upgrade T4 I2"}
    go(game, f"1 upgrade I3 L3|1 upgrade L3 I3|1 {exchange[missing]}")
    assert missing not in supply(game, 1)
    assert credits(game) == (0, 0)


def test_xc3_takes_no_ghost_for_a_level() -> None:
    """R37: every level is 1 to 4; a level-5 piece neither helps nor is needed."""
    game = round_3("XC3", "ZI3 ZU5", *GET_TWO, modules="ghost")
    assert credits(go(game, idle(1))) == (0, 0)


# XC4


def test_xc4_pays_one_after_each_insert() -> None:
    """XC1 gave four credits in round 3; two Inserts in round 4 give one each."""
    game = round_4("XC1", "XC4", "gain O1|gain O1|gain O1")
    assert credits(game) == (4, 0)
    assert (credits(go(game, "1 insert gain O1")), bank(game)) == ((2, 1), 32 - 4)
    assert (credits(go(game, "1 insert gain O1")), bank(game)) == ((0, 2), 33 - 4)
    assert refused(game, "1 insert gain O1") == "credits"  # those of this turn are inactive


def test_xc4_pays_nothing_for_ordinary_actions() -> None:
    game = round_4("XC1", "XC4", "gain O1|gain O1|gain O1")
    assert credits(go(game, "1 gain O1|1 take W1")) == (4, 0)


def test_xc4_pays_after_the_inserted_action_and_its_rewards() -> None:
    """R35: while the Level Up of the inserted action is open, nothing is paid yet."""
    game = round_4("XC1", "XC4", IDLE, "ZLEVELUP1", "ghost")
    go(game, "1 take W1|1 insert place 1:a1")
    assert (seen(game, "phase"), credits(game), bank(game)) == ("reward", (2, 0), 29)
    assert refused(game, "1 insert gain O1") == "levelup-open"
    go(game, "1 levelup none")
    assert (seen(game, "phase"), credits(game), bank(game)) == ("play", (2, 1), 28)


# XC5


def test_xc5_pays_four_without_duplicates() -> None:
    game = go(round_3("XC5"), idle(1))
    assert (supply(game, 1), credits(game)) == ({"O1": 1, "I2": 1}, (4, 0))


def test_xc5_pays_nothing_with_two_of_a_shape_in_the_supply() -> None:
    assert credits(go(round_3("XC5"), "1 upgrade I2 L3|1 upgrade L3 I2|1 gain O1")) == (0, 0)


def test_xc5_sees_one_in_the_supply_and_one_on_a_puzzle() -> None:
    game = round_3("XC5", "E1", "take W1|place 1:a1|upgrade I2 I3", "upgrade I3 I2|upgrade I2 I3|upgrade I3 I2")
    assert credits(go(game, "1 upgrade I2 L3|1 upgrade L3 I2|1 gain O1")) == (0, 0)


def test_xc5_allows_two_shapes_of_one_level() -> None:
    game = round_3("XC5", "ZI3 ZL3", "take W1|place 1:a1|take W2", "place 1:a1|upgrade I2 O1|upgrade O1 I2")
    go(game, "1 upgrade I2 O1|1 upgrade O1 I2|1 recycle W")
    assert supply(game, 1) == {"O1": 1, "I2": 1, "I3": 1, "L3": 1}
    assert credits(game) == (4, 0)


@pytest.mark.parametrize(("second", "paid"), [("U5", 0), ("P5", 4)])
def test_xc5_counts_equal_ghosts_as_duplicates(second: str, paid: int) -> None:
    """R37."""
    game = round_3("XC5", f"ZU5 Y{second}", GET, "place 1:a1|upgrade I2 O1|upgrade O1 I2", modules="ghost")
    assert credits(go(game, idle(1))) == (paid, 0)


# XC6


def test_xc6_pays_three_without_small_pieces() -> None:
    """O1 and I2 both went up to level 3."""
    game = round_3("XC6", "", "upgrade I2 I3|upgrade O1 I2|upgrade I2 L3", "upgrade I3 O4|upgrade O4 I3|recycle W")
    go(game, "1 recycle W|1 recycle W|1 recycle W")
    assert (supply(game, 1), credits(game), bank(game)) == ({"I3": 1, "L3": 1}, (3, 0), 32)


@pytest.mark.parametrize("last", ["upgrade L3 I2", "upgrade L3 O1"])
def test_xc6_pays_nothing_with_a_level_1_or_2_piece(last: str) -> None:
    game = round_3("XC6", "", "upgrade I2 I3|upgrade O1 I2|upgrade I2 L3", "upgrade I3 O4|upgrade O4 I3|recycle W")
    assert credits(go(game, f"1 recycle W|1 recycle W|1 {last}")) == (0, 0)


def test_xc6_sees_small_pieces_on_puzzles() -> None:
    game = round_3("XC6", "E1", "take W1|place 1:a1|upgrade I2 I3", "upgrade I3 L3|upgrade L3 I3|recycle W")
    go(game, "1 recycle W|1 recycle W|1 recycle W")
    assert (supply(game, 1), credits(game)) == ({"I3": 1}, (0, 0))


@pytest.mark.parametrize(("tile", "paid"), [("XC3", 0), ("XC5", 4), ("XC6", 3)])
def test_owning_nothing_has_no_duplicate_and_no_small_piece(tile: str, paid: int) -> None:
    """R37. Nobody ever loses the last piece, so the supply is emptied by hand here."""
    game = round_3(tile)
    game.state.players[0].supply = 0
    go(game, "1 recycle W|1 recycle W|1 recycle W")
    assert (supply(game, 1), credits(game)) == ({}, (paid, 0))


# The pack


def test_the_pack_adds_its_tiles_to_the_sets() -> None:
    """Without the pack its tiles cannot lie in the row; with it any of the sets' tiles can."""
    assert unreadable(f"players: 2\nmodules: finesse\n{tiles('XC1')}") == ("tile-not-in-play", 3)
    row = tiles("XC1", "XC2", "XC3", "XC4", "XC5", "XC6")
    found = seen(table(f"players: 2\nmodules: finesse finesse_ambassador\n{row}"), "finesse")
    assert isinstance(found, dict)
    assert found["tiles"][2:8] == ["XC1", "XC2", "XC3", "XC4", "XC5", "XC6"]
