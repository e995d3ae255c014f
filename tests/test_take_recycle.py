"""Take and Recycle: cards from the rows and the decks."""

import pytest

from projectl import Game
from tests.table import go, idle, listed, part, player, refused, seen, table, unreadable

EDITIONS = ("2019", "2020", "2023")

# Five players empty the white deck: 28 cards leave it, 9 of them are completed, 19 are kept.
# Seats 1, 2, 3 and 5 then have four unfinished puzzles; seat 4 has three and is to act.
LITTLE = "white: W09 W01 W02 W03 W22 W23 W10 W25 W27 W24 W26 W11"
WHITE_OUT = """
    1 take W1|1 place 1:c3c4|1 gain O1
    2 take W1|2 place 1:c3c4|2 gain O1
    3 take W1|3 place 1:c3c4|3 gain O1
    4 take W1|4 place 1:c2c3|4 place 1:c4
    5 take W1|5 place 1:c2c3|5 place 1:c4
    1 take W1|1 place 1:b3c3|1 place 1:d3
    2 take W1|2 place 1:b3b4|2 place 1:c4
    3 take W1|3 place 1:b3c3|3 place 1:c4
    4 take W1|4 place 1:c4d4|4 place 1:d3
    5 take W1|5 take W1|5 take W1
    1 take W1|1 take W1|1 take W1
    2 take W1|2 take W1|2 take W1
    3 take W1|3 take W1|3 take W1
    4 take W1|4 take W1|4 take W1
    5 take W1|5 upgrade I2 L3|5 upgrade L3 I2
    1 take W1|1 upgrade I2 L3|1 upgrade L3 I2
    2 take W1|2 upgrade I2 L3|2 upgrade L3 I2
    3 take W1|3 upgrade I2 L3|3 upgrade L3 I2""".strip()


def row(game: Game, colour: str) -> list[str | None]:
    found = part(game, "rows")[colour]
    assert isinstance(found, list)
    return found


def places(game: Game, seat: int) -> dict[int, str]:
    """The unfinished puzzles by place."""
    puzzles = player(game, seat)["puzzles"]
    assert isinstance(puzzles, list)
    return {puzzle["place"]: puzzle["card"] for puzzle in puzzles}


# Take from a row


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("slot", [1, 2, 3, 4])
@pytest.mark.parametrize("colour", ["W", "B"])
def test_a_card_of_a_row_is_taken_and_the_gap_refilled_from_its_deck(edition: str, slot: int, colour: str) -> None:
    game = table(f"edition: {edition}\nplayers: 2")
    deck = part(game, "decks")[colour]
    assert isinstance(deck, int)
    cards = row(game, colour)
    go(game, f"1 take {colour}{slot}")
    assert places(game, 1) == {1: f"{colour}0{slot}"}
    assert row(game, colour) == [*cards[: slot - 1], f"{colour}05", *cards[slot:]]
    assert part(game, "decks")[colour] == deck - 1
    assert seen(game, "actions_left") == 2


def test_cards_go_to_the_lowest_empty_place() -> None:
    game = table("players: 2\nwhite: W09 W22", "1 take B1|1 take W1|1 take W2", idle(2))
    assert places(game, 1) == {1: "B01", 2: "W09", 3: "W22"}
    go(game, "1 place 2:c3c4")
    assert places(game, 1) == {1: "B01", 3: "W22"}
    go(game, "1 take B2")
    assert places(game, 1) == {1: "B01", 2: "B02", 3: "W22"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_four_unfinished_puzzles_are_the_most(edition: str) -> None:
    game = table(f"edition: {edition}\nplayers: 2", "1 take W1|1 take W1|1 take B1", idle(2), "1 take B1")
    for slot in ("W1", "W4", "B1", "B4", "W", "B"):
        assert refused(game, f"1 take {slot}") == "four-puzzles"
    assert not [line for line in listed(game) if "take" in line]


def test_a_freed_place_can_be_used_by_the_next_action() -> None:
    game = table(
        "players: 2\nwhite: W09", "1 take W1|1 take W1|1 take B1", idle(2), "1 take B1|1 place 1:c3c4|1 take B1"
    )
    assert sorted(places(game, 1)) == [1, 2, 3, 4]


@pytest.mark.parametrize("slot", ["W5", "W0", "B5", "X1", "WL4", "G10", ""])
def test_slots_of_no_game_cannot_be_read(slot: str) -> None:
    assert unreadable("players: 2", f"1 take {slot}")[0] == ("slot" if slot else "form")


@pytest.mark.parametrize("slot", ["WL1", "BR3", "G1", "G9", "G"])
def test_slots_of_another_kind_of_game_are_refused(slot: str) -> None:
    assert refused(table("players: 2"), f"1 take {slot}") == "other-table"


# Take from a deck


@pytest.mark.parametrize("colour", ["W", "B"])
def test_2023_takes_the_top_of_either_deck(colour: str) -> None:
    game = table("players: 2")
    cards, deck = row(game, colour), part(game, "decks")[colour]
    assert isinstance(deck, int)
    go(game, f"1 take {colour}")
    assert places(game, 1) == {1: f"{colour}05"}
    assert row(game, colour) == cards
    assert part(game, "decks")[colour] == deck - 1


def test_nobody_sees_the_top_card_before() -> None:
    game = table("players: 2")
    for viewer in (1, 2):
        assert seen(game, "decks", viewer) == {"W": 28, "B": 8}
        assert "W05" not in str(seen(game, "rows", viewer)) + str(seen(game, "players", viewer))


@pytest.mark.parametrize("edition", ["2019", "2020"])
@pytest.mark.parametrize("colour", ["W", "B"])
def test_before_2023_no_card_is_taken_from_a_deck(edition: str, colour: str) -> None:
    assert refused(table(f"edition: {edition}\nplayers: 2"), f"1 take {colour}") == "no-deck-take"


# An empty white deck


@pytest.mark.parametrize("edition", ["2019", "2023"])
def test_an_empty_white_deck_ends_nothing_and_gaps_stay(edition: str) -> None:
    game = table(f"edition: {edition}\nplayers: 5\n{LITTLE}", WHITE_OUT)
    assert part(game, "decks")["W"] == 0
    assert row(game, "W") == ["W32", "W01", "W02", "W03"]
    go(game, "4 take W1")
    assert row(game, "W") == [None, "W01", "W02", "W03"]
    assert (seen(game, "phase"), seen(game, "end_triggered")) == ("play", False)
    go(game, "4 upgrade I2 L3|4 upgrade L3 I2", idle(5, 1, 2, 3, 4, 5))
    assert (seen(game, "phase"), seen(game, "round"), seen(game, "end_triggered")) == ("play", 6, False)


def test_there_is_nothing_to_take_from_an_empty_deck_or_a_gap() -> None:
    """Seat 4 takes the last card of slot 1 (W32) and fills it a round later, to have room again."""
    game = table(f"players: 5\n{LITTLE}", WHITE_OUT)
    assert refused(game, "4 take W") == "no-card"
    go(game, "4 take W1|4 upgrade I2 L3|4 upgrade L3 T4", idle(5, 1, 2, 3), "4 place 4:c3b4c4d4")
    assert refused(game, "4 take W1") == "no-card"


def test_a_row_cannot_be_recycled_while_its_deck_is_empty() -> None:
    """R2. The other row can."""
    game = table(f"players: 5\n{LITTLE}", WHITE_OUT)
    assert refused(game, "4 recycle W") == "deck-empty"
    assert refused(game, "4 recycle W 4 3 2 1") == "deck-empty"
    go(game, "4 recycle B")


# Recycle


def test_a_recycled_row_goes_under_its_deck_and_new_cards_come() -> None:
    game = table("players: 2", "1 recycle B")
    assert row(game, "B") == ["B05", "B06", "B07", "B08"]
    assert row(game, "W") == ["W01", "W02", "W03", "W04"]
    assert part(game, "decks") == {"W": 28, "B": 8}
    assert seen(game, "actions_left") == 2
    go(game, "1 recycle B")
    assert row(game, "B") == ["B09", "B10", "B11", "B12"]


def test_the_first_card_put_under_comes_back_first() -> None:
    game = table("players: 2", "1 recycle B|1 recycle B|1 recycle B")
    assert row(game, "B") == ["B01", "B02", "B03", "B04"]


def test_the_order_is_the_players_choice() -> None:
    game = table("players: 2", "1 recycle B 3 1 4 2|1 recycle B|1 recycle B")
    assert row(game, "B") == ["B03", "B01", "B04", "B02"]


def test_all_24_orders_of_a_row_are_offered() -> None:
    game = table("players: 2")
    for colour in ("W", "B"):
        orders = [line for line in listed(game) if line.startswith(f"1 recycle {colour}")]
        assert len(set(orders)) == 24


def test_a_deck_of_two_gives_two_of_the_recycled_cards_back() -> None:
    """The deck is B11 B12, the row B10 B02 B03 B04."""
    game = table("players: 2", "1 take B1|1 take B1|1 take B1|2 take B1|2 take B1|2 take B1")
    go(game, "1 recycle B 4 1 3 2")
    assert row(game, "B") == ["B11", "B12", "B04", "B10"]
    assert part(game, "decks")["B"] == 2
    assert seen(game, "end_triggered") is False
    go(game, "1 take B")
    assert places(game, 1)[4] == "B03"


@pytest.mark.parametrize(("left", "seat"), [(3, 2), (2, 1), (1, 1)])
def test_recycling_a_short_black_deck_is_not_the_end(left: int, seat: int) -> None:
    """The row goes under the deck before it is dealt anew, so the deck is never empty."""
    takes = [f"{taker} take B1" for taker in (1, 1, 1, 2, 2, 2, 1)]
    game = table("players: 2", *takes[: 8 - left])
    assert part(game, "decks")["B"] == left
    go(game, f"{seat} recycle B")
    assert (part(game, "decks")["B"], seen(game, "end_triggered")) == (left, False)
    assert None not in row(game, "B")


@pytest.mark.parametrize("edition", ["2019", "2020"])
@pytest.mark.parametrize("colour", ["W", "B"])
def test_there_is_no_recycle_before_2023(edition: str, colour: str) -> None:
    assert refused(table(f"edition: {edition}\nplayers: 2"), f"1 recycle {colour}") == "no-recycle"


@pytest.mark.parametrize("order", ["1 2 3", "1 1 2 3", "5 1 2 3", "0 1 2 3", "1 2 3 4 1"])
def test_an_order_names_each_card_once(order: str) -> None:
    assert refused(table("players: 2"), f"1 recycle W {order}") == "order"


@pytest.mark.parametrize(("words", "code"), [("", "row"), ("X", "row"), ("W a b c d", "order")])
def test_a_recycle_that_cannot_be_read(words: str, code: str) -> None:
    assert unreadable("players: 2", f"1 recycle {words}") == (code, 2)


@pytest.mark.parametrize(("name", "code"), [("WL", "other-table"), ("BL", "other-table"), ("WR", "row"), ("BR", "row")])
def test_rows_of_line_clear_are_refused(name: str, code: str) -> None:
    assert refused(table("players: 2"), f"1 recycle {name}") == code
