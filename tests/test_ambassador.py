"""Ambassador Pack: the card that gives an action instead of a piece."""

import pytest

from projectl import Game
from tests.table import go, idle, listed, part, player, refused, seen, supply, table, unreadable

EDITIONS = ["2019", "2023"]
CELL = ".#### ##### ##### ##### #####"
KEEP = "1 upgrade I2 L3|1 upgrade L3 I2"


def pack(edition: str, white: str = "W15 M1 M2 W22", options: str = "exchange_down=any") -> str:
    """A header with two one-cell cards for an M: M1 for 1 point, M2 for 2."""
    return f"""edition: {edition}
    players: 2
    modules: ambassador
    options: {options}
    card: M1 W 1 M {CELL}
    card: M2 W 2 M {CELL}
    white: {white}"""


def waiting(edition: str) -> Game:
    """Seat 1 has just completed M1 with the first action of a turn; W15 (a3 to e3) lies on place 1; O1 O1 I2."""
    return table(pack(edition), "1 take W1|1 take W2|1 gain O1", idle(2), "1 place 2:a1")


def armed(edition: str, *slots: str) -> Game:
    """Seat 1 begins a turn with two M actions and the cards of these slots; with two cards, five O1 and an I2."""
    game = table(pack(edition), "1 take W2|1 take W3|1 gain O1", idle(2), "1 master 1:a1 2:a1|1 gain O1|1 gain O1")
    go(game, idle(2), *[f"1 take {slot}" for slot in slots], *["1 gain O1"] * (3 - len(slots)), idle(2))
    return game


# The module


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_pack_adds_one_white_card(edition: str) -> None:
    game = table(f"edition: {edition}\nplayers: 2\nmodules: ambassador")
    assert part(game, "decks") == {"W": 32 + 1 - 4, "B": 12 - 4}
    assert player(game, 1)["ambassador"] == 0


def test_the_pack_is_needed() -> None:
    game = table("players: 2", "1 take W1")
    assert refused(game, "1 ambassador 1:b2c2") == "ambassador-module"
    assert "ambassador" not in player(game, 1)
    assert unreadable(f"players: 2\ncard: M1 W 1 M {CELL}") == ("card-ambassador", 2)


def test_the_box_of_2020_has_no_pack() -> None:
    assert unreadable("edition: 2020\nplayers: 2\nmodules: ambassador") == ("module-edition", 3)


# Getting the action


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_card_gives_an_action_and_no_piece(edition: str) -> None:
    game = waiting(edition)
    assert supply(game, 1) == {"O1": 2, "I2": 1}
    assert (player(game, 1)["ambassador"], player(game, 1)["completed"]) == (1, ["M1"])
    assert seen(game, "phase") == "play"


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_is_no_action_without_the_card(edition: str) -> None:
    game = table(pack(edition), "1 take W1")
    assert refused(game, "1 ambassador 1:a3") == "no-ambassador"


def test_2019_uses_it_from_the_next_action_on() -> None:
    game = waiting("2019")
    assert "1 ambassador 1:a3b3" in listed(game)
    go(game, "1 ambassador 1:a3b3")
    assert player(game, 1)["ambassador"] == 0
    assert refused(game, "1 ambassador 1:c3") == "no-ambassador"


def test_2023_uses_it_from_the_next_turn_on() -> None:
    """R14: not in the turn that completed the card, however many actions are left."""
    game = waiting("2023")
    assert refused(game, "1 ambassador 1:a3b3") == "no-ambassador"
    go(game, "1 gain O1")
    assert refused(game, "1 ambassador 1:a3b3") == "no-ambassador"
    go(game, "1 gain O1", idle(2))
    assert "1 ambassador 1:a3b3" in listed(game)
    assert player(go(game, "1 ambassador 1:a3b3"), 1)["ambassador"] == 0


def test_2023_counts_the_next_turn_after_a_last_action_too() -> None:
    game = table(pack("2023"), "1 take W1|1 take W2|1 place 2:a1")
    assert seen(game, "to_act") == [2]
    go(game, idle(2), "1 ambassador 1:a3")
    assert seen(game, "actions_left") == 2


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_keeps_for_any_later_turn(edition: str) -> None:
    game = waiting(edition)
    go(game, KEEP, idle(2), *[idle(1), idle(2)] * 3, "1 ambassador 1:a3")
    assert player(game, 1)["ambassador"] == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_cards_at_once_give_two_actions(edition: str) -> None:
    game = table(pack(edition), "1 take W2|1 take W3|1 gain O1", idle(2), "1 master 1:a1 2:a1")
    assert (player(game, 1)["ambassador"], player(game, 1)["completed"]) == (2, ["M1", "M2"])


# Using it


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_places_one_piece_on_each_puzzle_like_master(edition: str) -> None:
    """W15 gets the I2, W22 (c3 c4) an O1: one action of the three, and Master is still to be had."""
    game = armed(edition, "W1", "W4")
    go(game, "1 ambassador 1:a3b3 2:c3")
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    assert [puzzle["empty"] for puzzle in puzzles] == [["c3", "d3", "e3"], ["c4"]]
    assert (seen(game, "actions_left"), seen(game, "master_used")) == (2, False)
    assert player(game, 1)["ambassador"] == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_puzzles_it_fills_are_completed(edition: str) -> None:
    """W22 gives its I2 back and one more."""
    game = go(armed(edition, "W1", "W4"), "1 ambassador 1:a3 2:c3c4")
    assert player(game, 1)["completed"] == ["M1", "M2", "W22"]
    assert supply(game, 1) == {"O1": 4, "I2": 2}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    "actions",
    [
        "master 1:a3 2:c3|ambassador 1:b3|ambassador 1:c3",
        "ambassador 1:b3 2:c3|master 1:a3|ambassador 1:c3",
        "ambassador 1:b3|ambassador 1:c3|master 1:a3 2:c3",
    ],
)
def test_it_knows_no_once_a_turn_but_is_once_a_card(edition: str, actions: str) -> None:
    game = armed(edition, "W1", "W4")
    go(game, *[f"1 {action}" for action in actions.split("|")])
    assert (seen(game, "to_act"), player(game, 1)["ambassador"]) == ([2], 0)
    go(game, idle(2))
    assert refused(game, "1 ambassador 1:d3") == "no-ambassador"


def test_master_stays_once_a_turn_beside_it() -> None:
    game = go(armed("2023", "W1", "W4"), "1 master 1:a3|1 ambassador 1:b3")
    assert refused(game, "1 master 1:c3") == "master-used"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("ambassador 1:a3 1:b3", "place-twice"),
        ("ambassador 1:a3 3:a1", "no-puzzle"),
        ("ambassador 1:a3b3 2:c3c4", "not-owned"),  # one I2 for two
        ("ambassador 1:a3b3c3", "not-owned"),
        ("ambassador 1:a1", "outside"),
    ],
)
def test_its_placements_are_those_of_master(edition: str, action: str, code: str) -> None:
    assert refused(armed(edition, "W1", "W4"), f"1 {action}") == code


def test_all_combinations_are_listed_on_demand() -> None:
    """One I2 and any number of O1 onto W15 and W22, never two pieces on one of them."""
    game = armed("2023", "W1", "W4")
    every = [line for line in listed(game, every=True) if line.startswith("1 ambassador")]
    assert {"1 ambassador 1:a3b3 2:c3", "1 ambassador 1:e3 2:c3c4", "1 ambassador 2:c4"} <= set(every)
    assert len(every) == len(set(every)) == (5 + 4) + (2 + 1) + 5 * 2 + 5 * 1 + 4 * 2
    assert not [line for line in listed(game) if line.startswith("1 ambassador") and line.count(":") > 1]


def test_pieces_that_come_back_are_too_late_for_it() -> None:
    """The I2 that fills W22 is back only when the action is over."""
    game = armed("2023", "W4", "W1")
    assert refused(game, "1 ambassador 1:c3c4 2:a3b3") == "not-owned"


def test_it_places_at_least_one_piece() -> None:
    """R4. With nothing to place it on it is not possible at all."""
    game = armed("2023")
    assert refused(game, "1 ambassador 1:a3") == "no-placement"
    assert unreadable(pack("2023"), "1 take W1", "1 ambassador") == ("form", 9)


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_may_complete_another_such_card(edition: str) -> None:
    """The new action follows the edition's rule again: at once in 2019, a turn later in 2023 (R14)."""
    game = waiting(edition)
    go(game, KEEP, idle(2), "1 take W3|1 ambassador 2:a1")
    assert (player(game, 1)["ambassador"], player(game, 1)["completed"]) == (1, ["M1", "M2"])
    if edition == "2019":
        assert player(go(game, "1 ambassador 1:a3"), 1)["ambassador"] == 0
    else:
        assert refused(game, "1 ambassador 1:a3") == "no-ambassador"
        assert player(go(game, "1 gain O1", idle(2), "1 ambassador 1:a3"), 1)["ambassador"] == 0


# Points


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_points_count_used_or_not(edition: str) -> None:
    game = armed(edition, "W1", "W4")
    assert player(game, 1)["points"] == 3
    assert player(go(game, "1 ambassador 1:a3"), 1)["points"] == 3


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_unused_action_does_not_touch_the_score(edition: str) -> None:
    game = table(pack(edition, options="max_rounds=1"), "1 take W2|1 place 1:a1|1 gain O1", idle(2), "1 done|2 done")
    assert part(game, "result")["scores"] == [1, 0]
    assert player(game, 1)["ambassador"] == 1


@pytest.mark.parametrize("edition", EDITIONS)
def test_touches_bring_no_action_and_allow_none(edition: str) -> None:
    """M2 (2 points) is completed by a touch, which costs a point; the action of M1 is left over."""
    header = pack(edition, "M1 M2", options="max_rounds=2")
    game = table(header, "1 take W1|1 take W2|1 place 1:a1", idle(2), idle(1), idle(2))
    assert refused(game, "1 ambassador 2:a1") == "phase"
    go(game, "1 touch 2:a1|1 done|2 done")
    assert (player(game, 1)["ambassador"], player(game, 1)["points"]) == (1, 3)
    assert part(game, "result")["scores"] == [2, 0]
