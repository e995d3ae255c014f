"""The cards of the base game, and what a card may give."""

from collections import Counter

import pytest

from projectl.core.cards import REWARDS, Card, shipped
from tests.table import go, player, table, unreadable

WHITE = [card for card in shipped("base").cards if card.white]
BLACK = [card for card in shipped("base").cards if not card.white]


def points(cards: list[Card]) -> dict[int, int]:
    return dict(Counter(card.points for card in cards))


def rewards(cards: list[Card]) -> dict[str, int]:
    return dict(Counter(REWARDS[card.reward] for card in cards))


def cells(cards: list[Card]) -> int:
    return sum(card.recess.bit_count() for card in cards)


def test_the_base_game_has_32_white_and_20_black_cards() -> None:
    assert [card.id for card in WHITE] == [f"W{n:02}" for n in range(1, 33)]
    assert [card.id for card in BLACK] == [f"B{n:02}" for n in range(1, 21)]


def test_their_points() -> None:
    assert points(WHITE) == {2: 8, 1: 13, 0: 11}
    assert points(BLACK) == {5: 5, 4: 7, 3: 8}


def test_their_rewards_are_pieces() -> None:
    """Counted on the printed sheets."""
    assert rewards(WHITE) == {"O1": 1, "I2": 6, "I3": 5, "L3": 5, "I4": 3, "L4": 3, "S4": 3, "T4": 3, "O4": 3}
    assert rewards(BLACK) == {"O1": 6, "I2": 3, "I3": 3, "L3": 3, "I4": 1, "L4": 1, "S4": 1, "T4": 1, "O4": 1}


def test_their_recesses_have_as_many_cells_as_printed() -> None:
    assert (cells(WHITE), cells(BLACK)) == (158, 248)


@pytest.mark.parametrize(
    ("card", "recess"),
    [
        ("W01", "b2 c2 d2 c3 c4"),
        ("W08", "a2 b2 a3 b3 c3 d3 c4 d4"),
        ("W20", "b2 b3 b4 b5 c5 d5"),
        ("W32", "c3 b4 c4 d4"),
        ("B06", "c1 c2 d2 b3 c3 d3 b4 c4 d4 b5 c5 d5"),
        ("B13", "a4 b4 c4 a5 b5 c5 d5 e5"),
    ],
)
def test_recesses_cell_by_cell(card: str, recess: str) -> None:
    name, colour = ("white", "W") if card.startswith("W") else ("black", "B")
    game = go(table(f"players: 2\n{name}: {card}"), f"1 take {colour}1")
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    assert puzzles[0]["empty"] == recess.split()


# Rewards that an expansion brings


@pytest.mark.parametrize(
    ("reward", "module", "code"),
    [
        ("P5", "ghost", "card-ghost"),
        ("U5", "ghost", "card-ghost"),
        ("L5", "ghost", "card-ghost"),
        ("LEVELUP1", "ghost", "card-ghost"),
        ("LEVELUP2", "ghost", "card-ghost"),
        ("M", "ambassador", "card-ambassador"),
    ],
)
def test_a_reward_of_an_expansion_needs_its_module(reward: str, module: str, code: str) -> None:
    card = f"card: Z01 W 0 {reward} .#### ##### ##### ##### #####"
    assert unreadable(f"players: 2\n{card}") == (code, 2)
    assert table(f"players: 2\nmodules: {module}\n{card}\nwhite: Z01").header.rules.own[0].id == "Z01"


@pytest.mark.parametrize("reward", ["X1", "LEVELUP3", "o1", "-"])
def test_there_are_no_other_rewards(reward: str) -> None:
    assert unreadable(f"players: 2\ncard: Z01 W 0 {reward} .#### ##### ##### ##### #####") == ("card-reward", 2)
