"""Solo: what lies on the table at the start, and what the player may do in a turn."""

import pytest

from projectl import view
from tests.table import go, idle, part, player, refused, seen, supply, table, unreadable

EDITIONS = ["2019", "2020", "2023"]


def solo(edition: str, *more: str, options: str = "difficulty=normal") -> str:
    """The header of a solo game, by default with its cards in id order."""
    return "\n".join([f"edition: {edition}", "players: 1", f"options: {options}", *more])


def ids(letter: str, first: int, last: int) -> list[str]:
    return [f"{letter}{n:02}" for n in range(first, last + 1)]


# Setup


@pytest.mark.parametrize("edition", EDITIONS)
def test_nine_cards_lie_face_up_and_sixteen_in_one_deck(edition: str) -> None:
    """`normal` is the difficulty unless another one is named."""
    game = table(f"edition: {edition}\nplayers: 1")
    assert part(game, "solo") == {
        "grid": ids("W", 1, 9),
        "deck": 16,
        "locks": [1, 2, 1],
        "supply": 6,
        "completed": [],
        "points": 0,
    }
    assert not {"rows", "decks"} & set(view(game.state))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_player_starts_with_two_pieces_and_the_first_turn(edition: str) -> None:
    game = table(solo(edition))
    assert supply(game, 1) == {"O1": 1, "I2": 1}
    assert (seen(game, "to_act"), seen(game, "actions_left"), seen(game, "round")) == ([1], 3, 1)


def test_fifteen_white_cards_lie_on_the_black_ones() -> None:
    """One card a turn from the second on, W01 to W07: the seventh gap is the first to see a black card."""
    game = table(solo("2019", options="difficulty=unbeatable"), *["1 pass"] * 8)
    assert part(game, "solo")["grid"] == [*ids("W", 10, 15), "B01", "W08", "W09"]
    assert part(game, "solo")["deck"] == 9


@pytest.mark.parametrize("names", [ids("W", 1, 16), ids("B", 1, 11)])
def test_the_deck_has_no_more_than_fifteen_white_and_ten_black(names: list[str]) -> None:
    assert unreadable(f"players: 1\ndeck: {' '.join(names)}") == ("cards-too-many", 2)
    assert part(table(f"players: 1\ndeck: {' '.join(names[:-1])}"), "solo")["deck"] == 16


def test_named_cards_come_first_each_colour_by_itself() -> None:
    game = table("players: 1\ndeck: W30 W20 B20")
    assert part(game, "solo")["grid"] == ["W30", "W20", *ids("W", 1, 7)]
    header = solo("2019", f"deck: {' '.join(ids('W', 1, 15))} B20", options="difficulty=unbeatable")
    grid = part(table(header, *["1 pass"] * 8), "solo")["grid"]
    assert grid == [*ids("W", 10, 15), "B20", "W08", "W09"]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("players: 1\ndeck: W01 B01 W02", "deck-order"),
        ("players: 1\nwhite: W01", "deck-solo"),
        ("players: 1\nblack: B01", "deck-solo"),
        ("players: 2\ndeck: W01", "deck-solo"),
        ("players: 1\noptions: difficulty=easy", "option-value"),
        ("players: 2\noptions: difficulty=hard", "difficulty-solo"),
    ],
)
def test_headers_that_make_no_solo_game(header: str, code: str) -> None:
    assert unreadable(header) == (code, 2)


@pytest.mark.parametrize(
    ("difficulty", "locks_in_supply", "left_of_15", "left_of_10"),
    [("normal", 6, (4, 14), (0, 8)), ("hard", 3, (7, 14), (2, 9)), ("unbeatable", 0, (10, 14), (5, 9))],
)
def test_three_difficulties(
    difficulty: str, locks_in_supply: int, left_of_15: tuple[int, int], left_of_10: tuple[int, int]
) -> None:
    """2019, 2020: locks are pieces of the reserve. R10: 1 O1 of ten for the player, 4 locks, then 5 and an I2."""
    for edition, left in (("2019", left_of_15), ("2020", left_of_10), ("2023", (14, 14))):
        game = table(solo(edition, options=f"difficulty={difficulty}"))
        reserve = part(game, "reserve")
        assert part(game, "solo")["supply"] == locks_in_supply
        assert part(game, "solo")["locks"] == [1, 2, 1]
        assert (reserve["O1"], reserve["I2"]) == left, edition
        assert supply(game, 1) == {"O1": 1, "I2": 1}


def test_real_locks_are_missing_from_the_reserve_and_tokens_are_not() -> None:
    """2020: ten O1 are all in use (R10), so none can be gained until locks come back."""
    game = table(solo("2020"))
    assert refused(game, "1 gain O1") == "reserve"
    assert supply(go(game, "1 pass|1 gain O1"), 1) == {"O1": 2, "I2": 1}
    assert supply(table(solo("2023"), "1 gain O1"), 1) == {"O1": 2, "I2": 1}


# The player's turn


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_card_from_a_column_moves_one_of_its_locks(edition: str) -> None:
    game = table(solo(edition))
    reserve = part(game, "reserve")
    go(game, "1 take G2")
    assert (part(game, "solo")["locks"], part(game, "solo")["supply"]) == ([1, 1, 1], 7)
    go(game, "1 take G5")
    assert (part(game, "solo")["locks"], part(game, "solo")["supply"]) == ([1, 0, 1], 8)
    assert part(game, "reserve") == reserve


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_lock_moves_where_there_is_none(edition: str) -> None:
    game = table(solo(edition), "1 take G1|1 take G4")
    assert (part(game, "solo")["locks"], part(game, "solo")["supply"]) == ([0, 2, 1], 7)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_gap_is_refilled_at_once(edition: str) -> None:
    game = table(solo(edition), "1 take G5")
    assert part(game, "solo")["grid"] == [*ids("W", 1, 4), "W10", *ids("W", 6, 9)]
    assert part(game, "solo")["deck"] == 15
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    assert [(puzzle["place"], puzzle["card"]) for puzzle in puzzles] == [(1, "W05")]


def test_the_top_of_the_deck_moves_no_lock() -> None:
    """2023 only."""
    game = table(solo("2023"), "1 take G")
    found = part(game, "solo")
    assert (found["grid"], found["deck"]) == (ids("W", 1, 9), 15)
    assert (found["locks"], found["supply"]) == ([1, 2, 1], 6)
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    assert puzzles[0]["card"] == "W10"


@pytest.mark.parametrize("edition", ["2019", "2020"])
def test_older_editions_take_from_the_grid_alone(edition: str) -> None:
    assert refused(table(solo(edition)), "1 take G") == "no-deck-take"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("row", ["W", "B", "WL"])
def test_there_is_no_recycle(edition: str, row: str) -> None:
    assert refused(table(solo(edition)), f"1 recycle {row}") == "no-recycle"


@pytest.mark.parametrize("slot", ["W1", "B4", "WL1", "BR3", "W", "B"])
def test_the_rows_of_other_games_are_not_there(slot: str) -> None:
    assert refused(table(solo("2023")), f"1 take {slot}") == "other-table"


def test_the_grid_is_only_there_in_solo() -> None:
    assert refused(table("players: 2"), "1 take G1") == "other-table"
    assert refused(table("players: 2"), "1 take G") == "other-table"


@pytest.mark.parametrize("slot", ["G1", "G"])
def test_never_more_than_four_unfinished_puzzles(slot: str) -> None:
    game = table(solo("2023"), "1 take G1|1 take G2|1 take G3|1 take G4")
    assert refused(game, f"1 take {slot}") == "four-puzzles"


def test_a_turn_of_2023_is_exactly_three_actions() -> None:
    game = table(solo("2023"))
    assert refused(game, "1 pass") == "must-act"
    go(game, "1 gain O1|1 gain O1")
    assert (refused(game, "1 pass"), seen(game, "round")) == ("must-act", 1)
    assert seen(go(game, "1 gain O1"), "round") == 2


@pytest.mark.parametrize("edition", ["2019", "2020"])
@pytest.mark.parametrize("actions", ["", "1 take G1", "1 take G1|1 take G2"])
def test_an_older_turn_may_stop_early(edition: str, actions: str) -> None:
    game = go(table(solo(edition)), actions, "1 pass")
    assert (seen(game, "round"), seen(game, "actions_left")) == (2, 3)


@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_else_has_a_seat(edition: str) -> None:
    game = table(solo(edition), idle(1))
    assert (seen(game, "to_act"), seen(game, "round")) == ([1], 2)
    assert refused(game, "2 gain O1") == "seat"


def test_the_mastermind_waits_until_the_turn_is_over() -> None:
    game = table(solo("2023"), "1 take G1|1 gain O1")
    assert part(game, "solo")["completed"] == []
    assert part(go(game, "1 gain O1"), "solo")["completed"] == ["W04"]
