"""Line Clear: four rows, two markers, two players at a time."""

import pytest

from projectl import Game, to_act, view
from tests.table import go, idle, listed, part, player, refused, seen, supply, table, unreadable

CELL = ".#### ##### ##### ##### #####"


def line_clear(edition: str, players: int, *more: str, modules: str = "") -> str:
    return "\n".join([f"edition: {edition}", f"players: {players}", f"modules: line_clear {modules}", *more])


FOUR = line_clear("2019", 4)
FIVE = line_clear("2023", 5)


def markers(game: Game) -> tuple[object, object]:
    return part(game, "markers")["white"], part(game, "markers")["black"]


def row(game: Game, name: str) -> object:
    return part(game, "rows")[name]


# Setup


@pytest.mark.parametrize(
    ("edition", "players", "modules", "black_marker", "white_deck", "black_deck"),
    [
        ("2019", 4, "", 3, 32 - 6, 16 - 6),
        ("2019", 5, "", 3, 32 - 6, 20 - 6),
        ("2019", 6, "ghost", 4, 44 - 6, 24 - 6),
        ("2023", 5, "", 3, 32 - 6, 20 - 6),
        ("2023", 6, "ghost", 4, 44 - 6, 24 - 6),
        ("2023", 6, "phoenix", 4, 32 - 6, 24 - 6),
    ],
)
def test_rows_decks_and_markers(
    edition: str, players: int, modules: str, black_marker: int, white_deck: int, black_deck: int
) -> None:
    game = table(line_clear(edition, players, modules=modules))
    assert part(game, "rows") == {
        "WL": ["W01", "W02", "W03"],
        "WR": ["W04", "W05", "W06"],
        "BL": ["B01", "B02", "B03"],
        "BR": ["B04", "B05", "B06"],
    }
    assert part(game, "decks") == {"W": white_deck, "B": black_deck}
    assert markers(game) == (1, black_marker)
    assert seen(game, "to_act") == [1, black_marker]
    assert part(game, "actions_left") == {"1": 3, str(black_marker): 3}
    assert [supply(game, seat) for seat in range(1, players + 1)] == [{"O1": 1, "I2": 1}] * players


def test_named_cards_fill_the_left_row_then_the_right_row_then_the_deck() -> None:
    game = table(line_clear("2023", 5, "white: W32 W31 W30 W29 W28 W27 W26", "black: B20 B19 B18 B17"))
    assert (row(game, "WL"), row(game, "WR")) == (["W32", "W31", "W30"], ["W29", "W28", "W27"])
    assert (row(game, "BL"), row(game, "BR")) == (["B20", "B19", "B18"], ["B17", "B01", "B02"])
    assert row(go(game, "1 take WL2"), "WL") == ["W32", "W26", "W30"]


@pytest.mark.parametrize(
    ("edition", "players", "modules", "code", "line"),
    [
        ("2019", 1, "", "line-clear-players", 2),
        ("2019", 2, "", "line-clear-players", 2),
        ("2019", 3, "", "line-clear-players", 2),
        ("2023", 1, "", "line-clear-players", 2),
        ("2023", 4, "", "line-clear-players", 2),
        ("2019", 6, "", "six-players", 2),
        ("2023", 6, "", "six-players", 2),
        ("2020", 4, "", "module-edition", 3),
    ],
)
def test_how_many_may_play(edition: str, players: int, modules: str, code: str, line: int) -> None:
    assert unreadable(line_clear(edition, players, modules=modules)) == (code, line)


# Rows and decks of the two holders


@pytest.mark.parametrize("header", [FOUR, FIVE])
@pytest.mark.parametrize(("seat", "own", "other"), [(1, "L", "R"), (3, "R", "L")])
def test_a_holder_takes_from_the_rows_of_the_marker(header: str, seat: int, own: str, other: str) -> None:
    game = table(header)
    for colour in "WB":
        for slot in (1, 2, 3):
            assert f"{seat} take {colour}{own}{slot}" in listed(game)
            assert refused(game, f"{seat} take {colour}{other}{slot}") == "other-side"


@pytest.mark.parametrize("header", [FOUR, FIVE])
def test_both_sides_are_refilled_from_the_same_decks(header: str) -> None:
    game = table(header, "3 take WR2|1 take WL3|1 take BL1|3 take BR3")
    assert (row(game, "WR"), row(game, "WL")) == (["W04", "W07", "W06"], ["W01", "W02", "W08"])
    assert (row(game, "BL"), row(game, "BR")) == (["B07", "B02", "B03"], ["B04", "B05", "B08"])


@pytest.mark.parametrize("slot", ["W1", "B4", "G1", "G"])
def test_rows_of_other_games_are_not_there(slot: str) -> None:
    assert refused(table(FIVE), f"1 take {slot}") == "other-table"
    assert refused(table("players: 5"), "1 take WL1") == "other-table"


def test_only_the_white_holder_of_2023_takes_from_a_deck() -> None:
    game = table(FIVE)
    assert (refused(game, "3 take W"), refused(game, "3 take B")) == ("other-side", "other-side")
    go(game, "1 take W|1 take B")
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    assert [puzzle["card"] for puzzle in puzzles] == ["W07", "B07"]
    assert part(game, "decks") == {"W": 25, "B": 13}
    go(game, "1 gain O1", idle(3))
    assert {"2 take W", "2 take B"} <= set(listed(game))
    assert refused(game, "4 take W") == "other-side"


@pytest.mark.parametrize("players", [4, 5])
def test_2019_has_neither_deck_takes_nor_recycle(players: int) -> None:
    game = table(line_clear("2019", players))
    assert (refused(game, "1 take W"), refused(game, "1 take B")) == ("no-deck-take", "no-deck-take")
    assert (refused(game, "1 recycle WL"), refused(game, "3 recycle BL")) == ("no-recycle", "no-recycle")


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("3 recycle WL", "other-side"),
        ("3 recycle BL", "other-side"),
        ("1 recycle WR", "row"),
        ("1 recycle BR", "row"),
        ("3 recycle WR", "row"),
        ("1 recycle W", "other-table"),
        ("1 recycle WL 1 2", "order"),
        ("1 recycle WL 1 2 3 4", "order"),
        ("1 recycle WL 1 1 2", "order"),
    ],
)
def test_only_the_white_holder_recycles_and_only_the_left_rows(action: str, code: str) -> None:
    assert refused(table(FIVE), action) == code


def test_a_left_row_is_recycled_in_the_chosen_order() -> None:
    """W03 W01 W02 go under W07-W32. Eight more Recycles bring W31 W32 and the first of them, one more the rest."""
    game = table(FIVE)
    assert len([line for line in listed(game) if line.startswith("1 recycle WL")]) == 6
    go(game, "1 recycle WL 3 1 2")
    assert (row(game, "WL"), part(game, "decks")["W"]) == (["W07", "W08", "W09"], 26)
    go(game, "1 recycle WL|1 recycle WL", idle(3), *["2 recycle WL"] * 3, idle(4), *["3 recycle WL"] * 3, idle(5))
    assert row(game, "WL") == ["W31", "W32", "W03"]
    assert row(go(game, "4 recycle WL"), "WL") == ["W01", "W02", "W07"]
    assert row(game, "WR") == ["W04", "W05", "W06"]


def test_a_black_row_is_recycled_too() -> None:
    game = table(FIVE, "1 recycle BL")
    assert (row(game, "BL"), row(game, "BR")) == (["B07", "B08", "B09"], ["B04", "B05", "B06"])
    assert part(game, "decks")["B"] == 14


# Two turns at the same time


def test_the_holders_act_in_any_order() -> None:
    """R16: what does not meet on the table comes to the same whoever goes first."""
    white = ["1 gain O1", "1 upgrade I2 L3", "1 gain O1"]
    black = ["3 gain O1", "3 gain O1", "3 upgrade I2 I3"]
    mixed = [white[0], black[0], black[1], white[1], black[2], white[2]]
    found = [view(table(FIVE, *order).state) for order in (white + black, black + white, mixed)]
    assert found[0] == found[1] == found[2]
    assert found[0]["markers"] == {"white": 2, "black": 4}


def test_where_an_order_is_needed_the_white_holder_goes_first() -> None:
    """R16: the seat that acts next when nobody says otherwise."""
    game = table(FIVE)
    assert (int(game.state.seat), to_act(game.state)) == (0, [0, 2])
    go(game, "3 gain O1")
    assert (int(game.state.seat), to_act(game.state)) == (0, [0, 2])
    go(game, "1 gain O1|1 gain O1|1 gain O1")
    assert (int(game.state.seat), to_act(game.state)) == (2, [2])
    go(game, "3 gain O1|3 gain O1", idle(2, 4), idle(3, 5))
    assert (seen(game, "to_act"), markers(game)) == ([4, 1], (4, 1))


def test_markers_pass_when_both_turns_are_over() -> None:
    game = table(FIVE, idle(3))
    assert (markers(game), seen(game, "to_act")) == ((1, 3), [1])
    assert part(game, "actions_left") == {"1": 3, "3": 0}
    assert (refused(game, "3 gain O1"), refused(game, "2 gain O1")) == ("seat", "seat")
    go(game, "1 gain O1|1 gain O1")
    assert markers(game) == (1, 3)
    go(game, "1 gain O1")
    assert (markers(game), part(game, "actions_left")) == ((2, 4), {"2": 3, "4": 3})
    assert refused(game, "1 gain O1") == "seat"


def test_2019_holders_may_stop_early_each_by_themselves() -> None:
    game = table(FOUR, "1 gain O1|1 pass")
    assert (seen(game, "to_act"), markers(game)) == ([3], (1, 3))
    assert (seen(go(game, "3 pass"), "to_act"), markers(game)) == ([2, 4], (2, 4))


@pytest.mark.parametrize("seat", [1, 3])
def test_2023_holders_use_all_actions(seat: int) -> None:
    assert refused(table(FIVE), f"{seat} pass") == "must-act"


def test_each_holder_has_a_master_of_their_own() -> None:
    game = table(FIVE, "1 take WL1|3 take WR1|1 master 1:b2c2")
    assert part(game, "master_used") == {"1": True, "3": False}
    assert refused(game, "1 master 1:d2") == "master-used"
    go(game, "3 master 1:c2")
    assert part(game, "master_used") == {"1": True, "3": True}


@pytest.mark.parametrize(
    ("players", "edition", "modules", "path"),
    [
        (4, "2019", "", [(1, 3), (2, 4), (3, 1), (4, 2), (1, 3)]),
        (5, "2023", "", [(1, 3), (2, 4), (3, 5), (4, 1), (5, 2), (1, 3)]),
        (6, "2023", "phoenix", [(1, 4), (2, 5), (3, 6), (4, 1), (5, 2), (6, 3), (1, 4)]),
        (6, "2019", "ghost", [(1, 4), (2, 5), (3, 6), (4, 1), (5, 2), (6, 3), (1, 4)]),
    ],
)
def test_markers_go_clockwise_and_the_round_is_that_of_the_white_one(
    players: int, edition: str, modules: str, path: list[tuple[int, int]]
) -> None:
    """R22, R38: the round changes when the first player gets the white marker, not the black one."""
    game = table(line_clear(edition, players, modules=modules))
    for white, black in path[:-1]:
        assert (markers(game), seen(game, "round")) == ((white, black), 1)
        go(game, idle(white, black))
    assert (markers(game), seen(game, "round")) == (path[-1], 2)


@pytest.mark.parametrize(("edition", "players"), [("2019", 4), ("2023", 5)])
def test_nobody_acts_while_a_level_up_is_open(edition: str, players: int) -> None:
    """R31: the other holder waits as well."""
    header = line_clear(edition, players, f"card: A B 3 LEVELUP1 {CELL}", "black: A", modules="ghost")
    game = table(header, "1 take BL1|3 gain O1|1 place 1:a1")
    assert (seen(game, "phase"), seen(game, "to_act")) == ("reward", [1])
    assert refused(game, "3 gain O1") == "seat"
    go(game, "1 levelup none")
    assert (seen(game, "phase"), seen(game, "to_act")) == ("play", [1, 3])
    assert part(game, "actions_left") == {"1": 1, "3": 2}
