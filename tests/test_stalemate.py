"""Games that end without the black deck running out: stalemate and a limit of rounds."""

import pytest

from projectl import Game
from tests.table import go, idle, seen, table, unreadable

FINESSE = "modules: finesse\nfinesse: FA01 FA02 FC04 FC03 FC01 FC02 FB02 FB01 FC06 FC07"


def recycle(*seats: int) -> str:
    """A whole turn of Recycle for each seat."""
    return "\n".join(f"{seat} recycle W|{seat} recycle B|{seat} recycle W 4 3 2 1" for seat in seats)


def where(game: Game) -> tuple[object, object]:
    return seen(game, "phase"), seen(game, "round")


# Stalemate (R18)


@pytest.mark.parametrize("players", [2, 3])
def test_a_round_of_nothing_but_recycle_ends_the_game(players: int) -> None:
    """R18: touches follow, for everybody, and then the score."""
    seats = list(range(1, players + 1))
    game = table(f"players: {players}", recycle(*seats[:-1]))
    assert where(game) == ("play", 1)
    go(game, recycle(seats[-1]))
    assert where(game) == ("touches", 1)
    assert seen(game, "to_act") == seats
    go(game, *(f"{seat} done" for seat in seats))
    assert seen(game, "result") == {"scores": [0] * players, "winners": seats, "reason": "shared"}


@pytest.mark.parametrize("edition", ["2019", "2020"])
def test_a_round_of_nothing_but_pass_ends_the_game(edition: str) -> None:
    game = table(f"edition: {edition}\nplayers: 2", "1 pass")
    assert where(game) == ("play", 1)
    assert where(go(game, "2 pass")) == ("touches", 1)


@pytest.mark.parametrize("turn", ["1 gain O1|1 pass", "1 take W1|1 pass", "1 upgrade I2 L3|1 upgrade L3 I2|1 pass"])
def test_a_single_action_of_anybody_keeps_the_game_alive(turn: str) -> None:
    """Even one that was undone by the next: what counts is what was played."""
    assert where(table("edition: 2019\nplayers: 2", turn, "2 pass")) == ("play", 2)


@pytest.mark.parametrize("last", ["gain O1", "take W1", "upgrade I2 O1"])
def test_one_other_action_among_recycles_is_enough(last: str) -> None:
    game = table("players: 2", recycle(1), f"2 recycle W|2 recycle W|2 {last}")
    assert where(game) == ("play", 2)


def test_a_place_and_a_master_are_not_quiet() -> None:
    for action in ("place 1:c2", "master 1:c2"):
        game = table("edition: 2019\nplayers: 2\nwhite: W10", "1 take W1|1 pass|2 pass", f"1 {action}|1 pass|2 pass")
        assert where(game) == ("play", 3)


def test_the_quiet_turns_must_make_up_one_round() -> None:
    """Seat 2 and then seat 1 recycle, but in two rounds."""
    game = table("players: 2", idle(1), recycle(2), recycle(1), idle(2))
    assert where(game) == ("play", 3)
    assert where(go(game, recycle(1, 2))) == ("touches", 3)


def test_stalemate_is_not_the_trigger_of_the_end() -> None:
    """R22: there is no extra round, and nothing says that the black deck ran out."""
    game = table("players: 2", recycle(1, 2))
    assert (seen(game, "phase"), seen(game, "end_triggered")) == ("touches", False)


def test_solo_knows_no_stalemate() -> None:
    """R22: the mastermind moves the game on."""
    assert where(table("edition: 2019\nplayers: 1", "1 pass|1 pass|1 pass")) == ("play", 4)


def test_a_round_of_line_clear_is_that_of_the_white_marker() -> None:
    """R22. Four players of 2019: the fourth time that both holders pass, white comes back to seat 1."""
    game = table("edition: 2019\nplayers: 4\nmodules: line_clear", "1 pass|3 pass|2 pass|4 pass|3 pass|1 pass")
    assert where(game) == ("play", 1)
    go(game, "4 pass|2 pass")
    assert (where(game), seen(game, "end_triggered")) == (("touches", 1), False)


@pytest.mark.parametrize("busy", ["1 gain O1|1 pass|3 pass", "1 pass|3 gain O1|3 pass"])
def test_either_holder_keeps_line_clear_alive(busy: str) -> None:
    rest = "2 pass|4 pass|3 pass|1 pass|4 pass|2 pass"
    game = table("edition: 2019\nplayers: 4\nmodules: line_clear", busy, rest)
    assert where(game) == ("play", 2)
    assert where(go(game, "1 pass|3 pass", rest)) == ("touches", 2)


def test_an_inserted_recycle_is_quiet_too() -> None:
    """R22. Round 3 pays seat 1 two credits for two Takes; in round 4 it inserts a Recycle."""
    game = table(f"players: 2\n{FINESSE}", idle(1, 2, 1, 2), "1 take W1|1 take W1|1 gain O1", idle(2))
    go(game, "1 insert recycle B", recycle(1))
    assert (where(game), seen(game, "to_act")) == (("play", 4), [2])
    go(game, recycle(2))
    assert (where(game), seen(game, "end_triggered")) == (("touches", 4), False)


def test_an_inserted_gain_is_not_quiet() -> None:
    game = table(f"players: 2\n{FINESSE}", idle(1, 2, 1, 2), "1 take W1|1 take W1|1 gain O1", idle(2))
    go(game, "1 insert gain O1", recycle(1, 2))
    assert where(game) == ("play", 5)


# A limit of rounds (R19)


@pytest.mark.parametrize("edition", ["2019", "2020", "2023"])
@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_a_game_may_be_given_a_limit_of_rounds(edition: str, rounds: int) -> None:
    game = table(f"edition: {edition}\nplayers: 2\noptions: max_rounds={rounds}", *[idle(1, 2)] * (rounds - 1), idle(1))
    assert where(game) == ("play", rounds)
    go(game, idle(2))
    assert (where(game), seen(game, "to_act"), seen(game, "end_triggered")) == (("touches", rounds), [1, 2], False)


def test_there_is_no_limit_unless_asked_for() -> None:
    assert where(table("players: 2", *[idle(1, 2)] * 70)) == ("play", 71)


def test_the_limit_does_not_wait_for_the_extra_round() -> None:
    """The black deck runs out in round 2, so round 3 would be the last one."""
    takes = "|".join(["1 take B1"] * 3 + ["2 take B1"] * 3 + ["1 take B1"] + ["1 gain O1"] * 2 + ["2 take B1"])
    for options, after in (("", ("play", 3)), ("max_rounds=2", ("touches", 2)), ("max_rounds=9", ("play", 3))):
        game = table(f"players: 2\noptions: {options}", takes, "2 gain O1|2 gain O1")
        assert (seen(game, "end_triggered"), where(game)) == (True, after)


def test_a_limit_beyond_the_last_round_changes_nothing() -> None:
    game = table("players: 2\noptions: max_rounds=9", recycle(1, 2))
    assert where(game) == ("touches", 1)


def test_the_limit_holds_in_solo() -> None:
    """R23: the mastermind's turn belongs to the round."""
    game = table("players: 1\noptions: max_rounds=2", idle(1, 1))
    assert (where(game), seen(game, "end_triggered")) == (("touches", 2), False)


def test_the_limit_holds_in_line_clear() -> None:
    """R23. Five players: after five steps the white marker is back at seat 1."""
    game = table("players: 5\nmodules: line_clear\noptions: max_rounds=1", idle(1, 3, 2, 4, 3, 5, 4, 1, 5))
    assert where(game) == ("play", 1)
    go(game, idle(2))
    assert (where(game), seen(game, "end_triggered")) == (("touches", 1), False)


def test_the_limit_holds_with_finesse() -> None:
    """R23: before round 10."""
    game = table(f"players: 2\noptions: max_rounds=2\n{FINESSE}", idle(1, 2, 1, 2))
    assert where(game) == ("touches", 2)


@pytest.mark.parametrize("value", ["0", "-1", "x", ""])
def test_a_limit_is_at_least_one_round(value: str) -> None:
    assert unreadable(f"players: 2\noptions: max_rounds={value}") == ("option-value", 2)
