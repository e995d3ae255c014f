"""Turns: three actions, and stopping early."""

import pytest

from tests.table import go, idle, listed, refused, seen, table

EARLY = ("2019", "2020")
EDITIONS = (*EARLY, "2023")


# Three actions


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_turn_ends_by_itself_after_three_actions(edition: str) -> None:
    game = table(f"edition: {edition}\nplayers: 2")
    for left in (3, 2, 1):
        assert (seen(game, "to_act"), seen(game, "actions_left")) == ([1], left)
        go(game, "1 gain O1")
    assert (seen(game, "to_act"), seen(game, "actions_left"), seen(game, "round")) == ([2], 3, 1)


@pytest.mark.parametrize("turn", ["1 take W1|1 take B1|1 take W1", "1 gain O1|1 take W1|1 gain O1"])
def test_actions_in_any_order_and_any_number_of_times(turn: str) -> None:
    assert seen(table("players: 2", turn), "to_act") == [2]


def test_a_round_is_one_turn_each() -> None:
    game = table("players: 3", idle(1, 2))
    assert seen(game, "round") == 1
    go(game, idle(3))
    assert (seen(game, "round"), seen(game, "to_act")) == (2, [1])


def test_nobody_acts_out_of_turn() -> None:
    game = table("players: 3", "1 gain O1")
    assert [refused(game, f"{seat} gain O1") for seat in (2, 3)] == ["seat", "seat"]
    assert {line.split()[0] for line in listed(game)} == {"1"}


@pytest.mark.parametrize("seat", [0, 4, 99])
def test_a_seat_that_is_not_there_does_not_act(seat: int) -> None:
    assert refused(table("players: 3"), f"{seat} gain O1") == "seat"


# Stopping early


def test_a_turn_of_2023_is_exactly_three_actions() -> None:
    """R21: no `pass`, before the first action or between."""
    game = table("players: 2")
    for _ in range(3):
        assert refused(game, "1 pass") == "must-act"
        go(game, "1 gain O1")


@pytest.mark.parametrize("edition", EARLY)
@pytest.mark.parametrize("used", [0, 1, 2])
def test_before_2023_a_player_may_stop_at_any_point(edition: str, used: int) -> None:
    """R21: even before the first action."""
    game = table(f"edition: {edition}\nplayers: 2", *["1 gain O1"] * used)
    assert "1 pass" in listed(game)
    go(game, "1 pass")
    assert (seen(game, "to_act"), seen(game, "actions_left")) == ([2], 3)


def test_in_2023_only_a_turn_that_could_still_insert_waits_for_its_end() -> None:
    """R21. Round 3 pays for each Take; in round 4 seat 1 has two active credits."""
    tiles = "finesse: FA01 FA02 FC04 FC03 FC01 FC02 FB02 FB01 FC06 FC07"
    game = table(f"players: 2\nmodules: finesse\n{tiles}", idle(1, 2, 1, 2), "1 take W1|1 take W1")
    assert refused(game, "1 pass") == "must-act"
    go(game, "1 gain O1", idle(2))
    assert refused(game, "1 pass") == "must-act"
    go(game, idle(1))
    assert (seen(game, "to_act"), seen(game, "actions_left")) == ([1], 0)
    assert refused(game, "1 gain O1") == "no-actions"
    assert refused(game, "2 gain O1") == "seat"
    go(game, "1 pass")
    assert seen(game, "to_act") == [2]
