"""The designed cards keep to what the box says about them, and the scale that accepts them is right."""

from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from projectl import weigh
from projectl.core import pieces
from projectl.core.cards import REWARDS, Card, parse_card, shipped, shipped_cards

GHOSTS = {"P5", "U5", "L5"}
ARROWS = {"LEVELUP1", "LEVELUP2"}
BASE = set(pieces.NAMES) - GHOSTS


def rewards(cards: list[Card]) -> set[str]:
    return {REWARDS[card.reward] for card in cards}


def colours(name: str) -> tuple[list[Card], list[Card]]:
    cards = shipped(name).cards
    return [card for card in cards if card.white], [card for card in cards if not card.white]


def judged(text: str) -> weigh.Weight:
    return weigh.weigh([parse_card(text)])[0]


# The designed cards


@pytest.mark.parametrize("name", ["ghost", "ambassador", "phoenix"])
def test_every_designed_card_says_so_and_is_accepted(name: str) -> None:
    ids = [card.id for card in shipped(name).cards]
    weights = [w for w in weigh.weigh(shipped_cards()) if w.card.id in ids]
    assert [w.card.id for w in weights] == ids
    assert {w.card.source for w in weights} == {"designed"}
    assert [(w.card.id, w.reasons) for w in weights if not w.ok] == []


def test_the_base_cards_are_printed_and_not_judged() -> None:
    weights = weigh.weigh(shipped("base").cards)
    assert len(weights) == 52
    assert {w.card.source for w in weights} == {"printed"}
    assert all(w.ok for w in weights)


def test_ghost_has_twelve_of_each_colour() -> None:
    white, black = colours("ghost")
    assert [card.id for card in white] == [f"GW{n:02}" for n in range(1, 13)]
    assert [card.id for card in black] == [f"GB{n:02}" for n in range(1, 13)]


def test_ghost_rewards_are_pieces_ghosts_and_arrows_on_some_black_cards() -> None:
    white, black = colours("ghost")
    assert GHOSTS < rewards(white) <= BASE | GHOSTS
    assert GHOSTS | ARROWS < rewards(black) <= BASE | GHOSTS | ARROWS


def test_white_ghost_rewards_ask_for_about_five_seven_and_nine_cells() -> None:
    white, _ = colours("ghost")
    for card in white:
        if REWARDS[card.reward] in GHOSTS:
            assert abs(card.recess.bit_count() - (5 + 2 * card.points)) <= 1, card.id


def test_ambassador_is_one_white_and_two_black_for_an_m() -> None:
    white, black = colours("ambassador")
    assert [card.id for card in white] == ["AW01"]
    assert [card.id for card in black] == ["AB01", "AB02"]
    assert rewards(white + black) == {"M"}


def test_phoenix_is_seven_black_cards_of_six_points() -> None:
    white, black = colours("phoenix")
    assert white == []
    assert [card.id for card in black] == [f"PB{n:02}" for n in range(1, 8)]
    assert {card.points for card in black} == {6}
    assert rewards(black) <= {"O1", "I2", "I3", "L3"}
    assert all(18 <= card.recess.bit_count() <= 20 for card in black)


def test_points_go_with_the_colour() -> None:
    for card in shipped_cards():
        assert (card.points <= 2) == card.white, card.id


# The tiles of the Finesse Ambassador Pack


def test_the_pictured_tiles_are_the_six_of_set_c() -> None:
    tiles = shipped("finesse_ambassador").tiles
    assert [(tile.id, tile.set, tile.what, tile.credits) for tile in tiles] == [
        ("XC1", "C", "no-unfinished-puzzle", 4),
        ("XC2", "C", "recycle", 2),
        ("XC3", "C", "every-level-owned", 4),
        ("XC4", "C", "insert", 1),
        ("XC5", "C", "no-duplicate-owned", 4),
        ("XC6", "C", "no-level-1-or-2-owned", 3),
    ]
    assert {tile.source for tile in tiles} == {"printed"}


def test_the_designed_tiles_are_like_a_and_b_and_new() -> None:
    tiles = shipped("finesse_designed").tiles
    assert [(tile.id, tile.set, tile.what, len(set(tile.shapes)), tile.credits) for tile in tiles] == [
        ("XA1", "A", "place", 3, 1),
        ("XA2", "A", "place", 3, 1),
        ("XB1", "B", "each-owned", 2, 1),
        ("XB2", "B", "each-owned", 2, 1),
    ]
    assert {tile.source for tile in tiles} == {"designed"}
    known = {(tile.what, frozenset(tile.shapes)) for tile in shipped("finesse").tiles}
    assert not known & {(tile.what, frozenset(tile.shapes)) for tile in tiles}


# Cost


@pytest.mark.parametrize(
    ("rows", "actions"),
    [
        ("##### ##### ##.## ##### #####", 1),  # place O1
        ("##### ##### ##.## ##.## #####", 1),  # place I2
        ("##### ##### ##.## ##..# #####", 2),  # I2 to L3, place it
        ("##### ##### ..... ##### #####", 4),  # I2 to I3 to I4, place it, place O1
        ("##### ##### ##### ...## .....", 7),  # I2 up twice, O1 up three times, place both
        ("##### #...# ..... ..... #...#", 17),  # those five, twice an O1 gained and raised to level 4, place four
    ],
)
def test_cost_by_hand(rows: str, actions: int) -> None:
    assert weigh.cost(parse_card(f"X W 0 O1 {rows}").recess) == actions


def test_cost_uses_the_supply_it_is_given() -> None:
    corner, pair = parse_card("X W 0 O1 ..### .#### ##### ##### #####").recess, 3
    straight = (pieces.NAMES.index("I3"),)
    assert weigh.cost(corner, ()) == 4  # gain, upgrade twice, place
    assert weigh.cost(corner, straight) == 2  # exchange, place
    assert weigh.cost(pair, straight) == 2  # a lower level is one exchange too


@cache
def fewest_pieces(mask: int) -> int:
    """How many base pieces a recess needs, found without the code under test."""
    if mask == 0:
        return 0
    first = mask & -mask
    counts = [
        1 + fewest_pieces(mask - piece)
        for piece, placement in pieces.PLACEMENT_OF_MASK.items()
        if piece & first and piece & mask == piece and pieces.PLACEMENT_SHAPE[placement] < pieces.BASE_SHAPES
    ]
    return min(counts)


def test_cost_is_cells_and_pieces_less_what_the_start_gives() -> None:
    for w in weigh.weigh(shipped_cards()):
        count = fewest_pieces(w.card.recess)
        held = 3 if count > 1 else 2  # levels in hand that a tiling can use: O1 and I2, or I2 alone
        assert w.cost == w.cells + count - held, w.card.id


# Yield and line


@pytest.mark.parametrize(
    ("reward", "value"),
    [("O1", 0.25), ("I2", 0.5), ("L3", 0.75), ("T4", 1.0), ("U5", 1.5), ("LEVELUP1", 0.375), ("LEVELUP2", 0.75)],
)
def test_reward_values(reward: str, value: float) -> None:
    assert weigh.reward_value(REWARDS.index(reward)) == value


def test_yield_is_points_and_reward() -> None:
    assert weigh.yield_of(parse_card("X W 2 M ##### ##### ##.## ##### #####")) == 2.5


def test_the_line_balances_the_printed_cards_and_the_spread_holds_them() -> None:
    line = weigh.printed_line()
    weights = weigh.weigh(shipped("base").cards)
    assert sum(w.residual for w in weights) == pytest.approx(0)
    assert sum(w.residual * w.cost for w in weights) == pytest.approx(0)
    assert (line.low, line.high) == (min(w.residual for w in weights), max(w.residual for w in weights))


# Refusals


def test_a_fair_card_of_the_table_is_accepted() -> None:
    assert judged("X1 W 2 I3 ##### #.#.# #...# #.#.# #####").ok


def test_a_disconnected_recess_is_refused() -> None:
    weight = judged("X1 W 1 O1 ##### ##.## ###.# ##### #####")
    assert weight.reasons == ("the recess is not one connected area",)


def test_the_recess_of_a_printed_card_turned_and_flipped_is_refused() -> None:
    weight = judged("X1 W 1 I4 ##### ##### ##... ####. ###..")  # W18
    assert weight.reasons == ("the recess is that of W18",)


def test_two_equal_cards_are_both_refused() -> None:
    rows = "##### #.#.# #...# #.#.# #####"
    weights = weigh.weigh([parse_card(f"X1 W 2 I3 {rows}"), parse_card(f"X2 W 2 L3 {rows}")])
    assert [w.reasons for w in weights] == [("the recess is that of X2",), ("the recess is that of X1",)]


def test_a_card_that_yields_too_much_is_refused() -> None:
    weight = judged("X1 B 5 O4 ##### #.#.# #...# #.#.# #####")
    assert not weight.ok
    assert "yields too much: +3.63" in weight.reasons[0]


def test_a_card_that_yields_too_little_is_refused() -> None:
    weight = judged("X1 B 6 O1 ..... ..... ..... ..... .....")
    assert not weight.ok
    assert "yields too little: -2.98" in weight.reasons[0]


# Table and picture


def test_the_table_has_a_line_for_each_card_and_the_reasons() -> None:
    bad = parse_card("X1 W 1 O1 ##### ##.## ###.# ##### #####")
    lines = weigh.table(weigh.weigh([*shipped_cards(), bad])).splitlines()
    assert [line.split()[0] for line in lines[1:88]] == [*(card.id for card in shipped_cards()), "X1"]
    assert lines[1].split()[-1] == "-"
    assert lines[86].endswith("accepted")
    assert lines[87].endswith("refused: the recess is not one connected area")


def test_the_picture_is_xml_and_names_every_card() -> None:
    bad = parse_card("X1 W 1 O1 ##### ##.## ###.# ##### #####", source="<own & only>")
    cards = [*shipped_cards(), bad]
    root = ElementTree.fromstring(weigh.picture(weigh.weigh(cards)))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {card.id for card in cards} <= set(words)
    assert "refused (1 cards)" in words


def test_the_picture_grows_with_a_card_beyond_its_axes() -> None:
    weight = judged("X1 B 30 O1 ..... ..... ..... ..... .....")
    words = {element.text for element in ElementTree.fromstring(weigh.picture([weight])).iter()}
    assert {"X1", "30"} <= words


def test_main_prints_the_table_and_draws_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cards.svg"
    weigh.main([])
    assert not file.exists()
    weigh.main([str(file)])
    assert capsys.readouterr().out == 2 * weigh.table(weigh.weigh(shipped_cards()))
    assert file.read_text(encoding="utf-8") == weigh.picture(weigh.weigh(shipped_cards()))
