"""Completing puzzles: what comes back, what is won, and several at once."""

import pytest

from projectl import Game
from tests.table import go, idle, listed, part, player, refused, seen, supply, table
from tests.test_substitution import hoard

EDITIONS = ("2019", "2020", "2023")


def test_pieces_return_a_reward_comes_and_the_card_goes_to_the_pile() -> None:
    """W19 is worth one point and an L4; an I2, an O1 and an I3 fill it."""
    game = table("players: 2\nwhite: W19", "1 take W1|1 place 1:b2b3|1 place 1:c3", idle(2))
    go(game, "1 gain O1|1 upgrade O1 I2|1 upgrade I2 I3", idle(2))
    assert supply(game, 1) == {"I3": 1}
    go(game, "1 place 1:b4c4d4")
    assert supply(game, 1) == {"O1": 1, "I2": 1, "I3": 1, "L4": 1}
    assert part(game, "reserve")["L4"] == 14
    assert player(game, 1)["puzzles"] == []
    assert (player(game, 1)["completed"], player(game, 1)["points"]) == (["W19"], 1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_turn_goes_on_after_a_puzzle_is_completed(edition: str) -> None:
    """The piece that came back and the one that was won can be used at once."""
    game = table(f"edition: {edition}\nplayers: 2\nwhite: W09 W22", "1 take W1|1 place 1:c3c4")
    assert (seen(game, "to_act"), seen(game, "actions_left")) == ([1], 1)
    go(game, "1 take W2", idle(2), "1 place 1:c3c4")
    assert player(game, 1)["completed"] == ["W09", "W22"]
    assert supply(game, 1) == {"O1": 2, "I2": 2}


@pytest.mark.parametrize("reward", ["O1", "I2", "I3", "L3", "I4", "L4", "S4", "T4", "O4"])
def test_the_reward_is_the_piece_on_the_card(reward: str) -> None:
    card = f"card: Z01 W 4 {reward} .#### ##### ##### ##### #####\nwhite: Z01"
    game = table(f"players: 2\n{card}")
    had = part(game, "reserve")[reward]
    assert isinstance(had, int)
    go(game, "1 take W1|1 place 1:a1")
    expected = {"O1": 1, "I2": 1}
    expected[reward] = expected.get(reward, 0) + 1
    assert supply(game, 1) == expected
    assert part(game, "reserve")[reward] == had - 1
    assert player(game, 1)["points"] == 4


def test_only_a_full_recess_is_complete() -> None:
    game = table("players: 2\nwhite: W10", "1 take W1|1 place 1:c2c3")
    assert (player(game, 1)["completed"], supply(game, 1)) == ([], {"O1": 1})
    go(game, "1 place 1:c4")
    assert (player(game, 1)["completed"], supply(game, 1)) == (["W10"], {"O1": 1, "I2": 2})


def test_the_pile_is_in_the_order_completed() -> None:
    game = table("players: 2\nwhite: W22 W09", "1 take W1|1 take W2|1 place 2:c3c4", idle(2), "1 place 1:c3c4")
    assert player(game, 1)["completed"] == ["W09", "W22"]


# Several at once


def pair(first: str, second: str, modules: str = "", edition: str = "2023") -> Game:
    """Seat 1 has a one-cell card and a two-cell card with these rewards and takes a Master next."""
    cards = f"card: Z01 W 1 {first} .#### ##### ##### ##### #####\ncard: Z02 W 2 {second} ..### ##### ##### ##### #####"
    return table(f"edition: {edition}\nplayers: 2\nmodules: {modules}\n{cards}\nwhite: Z01 Z02", "1 take W1|1 take W2")


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_master_completes_several_puzzles(edition: str) -> None:
    game = go(pair("I3", "S4", edition=edition), "1 master 1:a1 2:a1b1")
    assert supply(game, 1) == {"O1": 1, "I2": 1, "I3": 1, "S4": 1}
    assert (player(game, 1)["completed"], player(game, 1)["points"]) == (["Z01", "Z02"], 3)
    assert player(game, 1)["puzzles"] == []


def test_all_pieces_are_back_before_the_first_reward() -> None:
    """R8. The Level Up of place 1 may use the I2 that lay on place 2; the O1 of place 2 comes later."""
    game = go(pair("LEVELUP1", "O1", "ghost"), "1 master 1:a1 2:a1b1")
    assert (seen(game, "phase"), seen(game, "to_act")) == ("reward", [1])
    assert supply(game, 1) == {"O1": 1, "I2": 1}
    assert player(game, 1)["completed"] == ["Z01", "Z02"]
    go(game, "1 levelup I2 L3")
    assert supply(game, 1) == {"O1": 2, "L3": 1}


def test_rewards_come_in_the_order_of_the_places() -> None:
    """R8. The other way round the L3 of place 1 is already there for the Level Up of place 2."""
    game = go(pair("L3", "LEVELUP1", "ghost"), "1 master 1:a1 2:a1b1")
    assert supply(game, 1) == {"O1": 1, "I2": 1, "L3": 1}
    assert "1 levelup L3 S4" in listed(game)


def two_of_level_2(edition: str) -> Game:
    """The I2 are gone. Seat 1 begins a turn with two two-cell cards that give an I2 each."""
    cards = "\n".join(f"card: Z0{n} W {n} I2 ..### ##### ##### ##### #####" for n in (1, 2))
    game = table(f"edition: {edition}\nplayers: 2\n{cards}\nwhite: Z01 Z02", "1 take W1|1 take W2")
    return hoard(game, "I2")


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_first_place_gets_the_last_piece(edition: str) -> None:
    """R8. One I2 is returned to the reserve: place 1 has it, place 2 must be content with another."""
    game = go(two_of_level_2(edition), "1 upgrade I2 L3")
    before = supply(game, 1)
    go(game, "1 master 1:a1b1 2:a1b1")
    assert supply(game, 1)["I2"] == before["I2"] + 1
    assert listed(game) == ["1 reward 2 I3", "1 reward 2 L3", "1 reward 2 O1"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_choices_are_made_one_by_one(edition: str) -> None:
    """R31: in the order of the places, and nobody acts in between."""
    game = go(two_of_level_2(edition), "1 master 1:a1b1 2:a1b1")
    assert listed(game) == ["1 reward 1 I3", "1 reward 1 L3", "1 reward 1 O1"]
    assert refused(game, "1 reward 2 L3") == "reward"
    go(game, "1 reward 1 L3")
    assert (seen(game, "phase"), seen(game, "to_act")) == ("reward", [1])
    assert listed(game) == ["1 reward 2 I3", "1 reward 2 L3", "1 reward 2 O1"]
    assert refused(game, "2 gain O1") == "seat"
    assert refused(game, "1 gain O1") == "reward-open"
    go(game, "1 reward 2 I3")
    assert (seen(game, "phase"), seen(game, "actions_left")) == ("play", 2)


def test_the_turn_passes_on_only_when_the_rewards_are_settled() -> None:
    """The third action leaves a choice open: seat 2 waits."""
    game = go(two_of_level_2("2023"), "1 recycle B|1 recycle B|1 place 1:a1b1")
    assert (seen(game, "to_act"), seen(game, "actions_left")) == ([1], 0)
    assert refused(game, "2 recycle B") == "seat"
    go(game, "1 reward 1 O1")
    assert (seen(game, "to_act"), seen(game, "actions_left")) == ([2], 3)
