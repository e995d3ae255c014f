"""Finishing touches: after the last round, one point for each piece."""

import pytest

from projectl import Game
from tests.table import go, idle, listed, player, refused, seen, supply, table, unreadable

EDITIONS = ("2019", "2020", "2023")
CARDS = """
    card: ONE W 2 I3 .#### ##### ##### ##### #####
    card: ALSO W 1 L3 .#### ##### ##### ##### #####
    card: THREE W 4 T4 ...## ##### ##### ##### #####"""


def last_touches(edition: str = "2023", options: str = "max_rounds=1") -> Game:
    """Seat 1 has ONE, ALSO and THREE, both players have O1 and I2, and all turns are over."""
    head = f"edition: {edition}\nplayers: 2\noptions: {options}{CARDS}\nwhite: ONE ALSO THREE"
    return table(head, "1 take W1|1 take W2|1 take W3", idle(2))


def result(game: Game) -> dict[str, object]:
    found = seen(game, "result")
    assert isinstance(found, dict)
    return found


def places(game: Game, seat: int) -> list[int]:
    puzzles = player(game, seat)["puzzles"]
    assert isinstance(puzzles, list)
    return [puzzle["place"] for puzzle in puzzles]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_touches_belong_to_no_turn(edition: str) -> None:
    game = last_touches(edition)
    assert (seen(game, "phase"), seen(game, "to_act"), seen(game, "actions_left")) == ("touches", [1, 2], 0)
    assert listed(game) == [
        *("1 done", "1 touch 1:a1", "1 touch 2:a1"),
        *("1 touch 3:a1", "1 touch 3:a1b1", "1 touch 3:b1", "1 touch 3:b1c1", "1 touch 3:c1"),
        "2 done",
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_touch_costs_one_point_whatever_the_piece(edition: str) -> None:
    game = go(last_touches(edition), "1 touch 3:a1b1|1 touch 3:c1")
    assert player(game, 1)["touches"] == 2
    assert supply(game, 1) == {}
    go(game, "1 done")
    assert (player(game, 1)["completed"], player(game, 1)["points"], player(game, 1)["touches"]) == (["THREE"], 4, 2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_puzzles_completed_now_give_no_reward(edition: str) -> None:
    game = go(last_touches(edition), "1 touch 1:a1|1 done")
    assert supply(game, 1) == {"O1": 1, "I2": 1}
    assert (player(game, 1)["completed"], player(game, 1)["points"]) == (["ONE"], 2)


def test_no_piece_of_a_filled_puzzle_serves_for_another_touch() -> None:
    """All touches come first: ONE is full, but its O1 lies there until seat 1 is done."""
    game = go(last_touches(), "1 touch 1:a1")
    assert (places(game, 1), player(game, 1)["completed"]) == ([1, 2, 3], [])
    assert supply(game, 1) == {"I2": 1}
    assert refused(game, "1 touch 2:a1") == "not-owned"
    go(game, "1 done")
    assert (places(game, 1), player(game, 1)["completed"]) == ([2, 3], ["ONE"])


def test_everybody_touches_at_once_in_any_order() -> None:
    """R40. Seat 2 has ALSO; the two take turns as they like and each says when done."""
    head = f"players: 2\noptions: max_rounds=1{CARDS}\nwhite: ONE ALSO THREE"
    game = table(head, "1 take W1|1 take W3|1 gain O1", "2 take W2|2 gain O1|2 gain O1")
    go(game, "2 touch 1:a1|1 touch 2:a1b1")
    assert seen(game, "to_act") == [1, 2]
    go(game, "2 done")
    assert (seen(game, "to_act"), player(game, 2)["completed"]) == ([1], ["ALSO"])
    assert player(game, 1)["completed"] == []
    go(game, "1 touch 1:a1|1 touch 2:c1|1 done")
    assert player(game, 1)["completed"] == ["ONE", "THREE"]
    assert seen(game, "phase") == "over"


def test_whoever_is_done_is_done() -> None:
    """R40."""
    game = go(last_touches(), "1 done")
    assert refused(game, "1 touch 1:a1") == "seat"
    assert refused(game, "1 done") == "seat"
    assert seen(game, "phase") == "touches"
    go(game, "2 done")
    assert (seen(game, "phase"), seen(game, "to_act")) == ("over", [])


def test_nothing_follows_the_end() -> None:
    game = go(last_touches(), "1 done|2 done")
    assert listed(game) == []
    for line in ("1 touch 1:a1", "1 done", "2 gain O1"):
        assert refused(game, line) == "seat"


def test_touches_may_be_left_alone() -> None:
    game = go(last_touches("2019"), "1 done|2 done")
    assert result(game)["scores"] == [0, 0]
    assert [player(game, seat)["touches"] for seat in (1, 2)] == [0, 0]


def test_a_touch_that_completes_nothing_costs_its_point() -> None:
    game = go(last_touches("2019"), "1 touch 3:a1|1 done|2 done")
    assert result(game)["scores"] == [-1, 0]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1 touch 1:b1", "outside"),
        ("1 touch 3:a1b1c1", "not-owned"),
        ("1 touch 4:a1", "no-puzzle"),
        ("2 touch 1:a1", "no-puzzle"),
        ("1 touch 1:a1 credit", "finesse-module"),
    ],
)
def test_a_touch_follows_the_rules_of_place(line: str, code: str) -> None:
    assert refused(last_touches(), line) == code


def test_touches_do_not_overlap() -> None:
    assert refused(go(last_touches(), "1 touch 3:a1b1"), "1 touch 3:b1") == "overlap"


@pytest.mark.parametrize(
    "line", ["1 place 1:a1", "1 master 1:a1", "1 gain O1", "1 take W1", "1 upgrade I2 L3", "1 pass"]
)
def test_only_touch_and_done_are_possible_now(line: str) -> None:
    assert refused(last_touches(), line) == "phase"


@pytest.mark.parametrize("line", ["1 touch 1:a1", "1 done"])
def test_touch_and_done_are_not_possible_before(line: str) -> None:
    assert refused(table("players: 2"), line) == "phase"


@pytest.mark.parametrize("words", ["touch", "touch 1:a1 2:a1", "done now"])
def test_touches_that_cannot_be_read(words: str) -> None:
    assert unreadable("players: 2", f"1 {words}")[0] == "form"


@pytest.mark.parametrize("edition", ["2019", "2023"])
def test_ghosts_are_placed_whole_and_not_broken_up(edition: str) -> None:
    """Seat 1 wins a U5 and has a card that an U5 fills, or an I3 and two O1."""
    cards = "card: Z01 W 0 U5 .#### ##### ##### ##### #####\ncard: Z02 W 6 O1 ...## .#.## ##### ##### #####"
    head = f"edition: {edition}\nplayers: 2\nmodules: ghost\noptions: max_rounds=1\n{cards}\nwhite: Z02 Z01"
    game = table(head, "1 take W1|1 take W2|1 place 2:a1", idle(2))
    assert supply(game, 1)["U5"] == 1
    assert refused(game, "1 ghost U5 I3 O1 O1") == "phase"
    go(game, "1 touch 1:a1b1c1a2c2|1 done|2 done")
    assert result(game)["scores"] == [6 - 1, 0]


def test_rulebook_example_three_touches() -> None:
    """Paul completes a card of 5 with a level-2 and a level-3 piece and another with a level-1 piece.

    With them his pile is worth 24 points; three touches leave 21.
    """
    cards = """
        card: BIG B 5 O1 ..### ...## ##### ##### #####
        card: SMALL W 1 O1 .#### ##### ##### ##### #####
        card: NINE W 9 L3 .#### ##### ##### ##### #####
        card: MORE W 9 O1 .#### ##### ##### ##### #####"""
    head = f"players: 2\noptions: max_rounds=2\nnames: Paul | Vicky{cards}\nwhite: NINE MORE SMALL\nblack: BIG"
    game = table(head, "1 take W1|1 place 1:a1|1 take W2", idle(2), "1 place 1:a1|1 take B1|1 take W3", idle(2))
    assert (player(game, 1)["points"], supply(game, 1)) == (18, {"O1": 2, "I2": 1, "L3": 1})
    go(game, "1 touch 1:b2c2|1 touch 1:a1b1a2|1 touch 2:a1|1 done|2 done")
    assert (player(game, 1)["points"], player(game, 1)["touches"]) == (24, 3)
    assert result(game) == {"scores": [21, 0], "winners": [1], "reason": "points"}
