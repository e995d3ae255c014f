"""Solo: how the game ends and who has won."""

import pytest

from projectl import Game
from tests.table import go, idle, part, player, refused, seen, supply, table

EDITIONS = ["2019", "2020", "2023"]
CELL = ".#### ##### ##### ##### #####"

# Twenty-five cards of one cell and one point, each for an O1.
NAMES = [f"S{n:02}" for n in range(1, 16)] + [f"D{n:02}" for n in range(1, 11)]
CARDS = [f"card: {name} {'W' if name[0] == 'S' else 'B'} 1 O1 {CELL}" for name in NAMES]
SMALL = "\n".join(["players: 1", *CARDS, f"deck: {' '.join(NAMES)}"])
# Six rounds of 2023: twelve cards completed, four for the mastermind, the deck just empty.
SIX_ROUNDS = (
    "1 take G|1 place 1:a1|1 take G",  # all locked: 0 1 0
    "1 take G|1 master 1:a1 2:a1|1 take G",  # G1: 7 0 0
    "1 take G|1 take G|1 master 1:a1 2:a1 3:a1",  # G2: 6 1 0
    "1 take G|1 take G|1 master 1:a1 2:a1",  # G3: 5 0 2
    "1 take G|1 take G|1 master 1:a1 2:a1",  # G2: 4 2 1
    "1 take G|1 take G1|1 master 1:a1 2:a1",  # a lock of column 1 to the supply; all locked: 2 1 0
)


def result(game: Game) -> tuple[object, object]:
    found = part(game, "result")
    assert found["reason"] == "points"
    return found["scores"], found["winners"]


# When it ends


@pytest.mark.parametrize("edition", ["2019", "2020"])
def test_the_round_in_which_the_deck_runs_out_is_followed_by_one_more(edition: str) -> None:
    """One refill a turn from the second on empties the deck in round 17. R42: the last turn may be passed too.

    R22: seventeen rounds of nothing but `pass` are no stalemate in solo.
    """
    game = table(f"edition: {edition}\nplayers: 1\noptions: difficulty=unbeatable", *["1 pass"] * 16)
    assert (seen(game, "end_triggered"), part(game, "solo")["deck"]) == (False, 1)
    go(game, "1 pass")
    assert (seen(game, "end_triggered"), part(game, "solo")["deck"]) == (True, 0)
    assert (seen(game, "phase"), seen(game, "round")) == ("play", 18)
    go(game, "1 pass")
    assert (seen(game, "phase"), seen(game, "to_act"), seen(game, "round")) == ("touches", [1], 18)


def test_the_mastermind_has_the_last_turn_of_the_game() -> None:
    """Seventeen cards: W01-W08 for 2 points, B01-B05 for 5, B06-B09 for 4. The last gap stays."""
    game = table("edition: 2019\nplayers: 1\noptions: difficulty=unbeatable", *["1 pass"] * 18, "1 done")
    found = part(game, "solo")
    assert found["completed"] == [f"W{n:02}" for n in range(1, 9)] + [f"B{n:02}" for n in range(1, 10)]
    assert found["grid"] == ["W10", "W11", "W12", "W13", "W14", "W15", None, "B10", "W09"]
    assert found["points"] == 8 * 2 + 5 * 5 + 4 * 4
    assert result(game) == ([0, 57], [2])


def test_a_take_of_the_player_can_empty_the_deck() -> None:
    game = table(SMALL, *SIX_ROUNDS[:5], "1 take G")
    assert (seen(game, "end_triggered"), part(game, "solo")["deck"]) == (False, 1)
    go(game, "1 take G1")
    assert (seen(game, "end_triggered"), part(game, "solo")["deck"], seen(game, "round")) == (True, 0, 6)
    go(game, "1 master 1:a1 2:a1")
    assert (seen(game, "phase"), seen(game, "round")) == ("play", 7)
    assert part(game, "solo")["grid"] == ["D10", "D08", "D05", "S04", "S05", "S06", "S07", "S08", "S09"]
    assert part(game, "solo")["completed"] == ["S01", "S02", "S03", "D02"]


def test_black_cards_are_not_limited_in_the_last_rounds() -> None:
    game = table(SMALL, *SIX_ROUNDS, "1 take G1|1 take G2|1 take G3")
    found = part(game, "solo")
    assert seen(game, "phase") == "touches"
    assert found["completed"] == ["S01", "S02", "S03", "D02", "S05"]  # columns 2 and 3 were open
    assert (found["locks"], found["supply"]) == ([0, 4, 0], 0)
    assert found["grid"] == [None, None, None, "S04", None, "S06", "S07", "S08", "S09"]


def test_nothing_moves_when_the_open_columns_are_empty() -> None:
    """R11: column 3, the open one, is bought up in the last round. The lock in the supply stays there too."""
    game = table(SMALL, *SIX_ROUNDS)
    assert (part(game, "solo")["locks"], part(game, "solo")["supply"]) == ([2, 1, 0], 1)
    go(game, "1 take G3|1 take G6|1 take G9")
    found = part(game, "solo")
    assert (found["locks"], found["supply"]) == ([2, 1, 0], 1)
    assert found["completed"] == ["S01", "S02", "S03", "D02"]
    assert found["grid"] == ["D10", "D08", None, "S04", "S05", None, "S07", "S08", None]


def test_the_last_turn_of_2023_has_three_actions_too() -> None:
    game = table(SMALL, *SIX_ROUNDS, "1 take G3|1 take G6")
    assert refused(game, "1 pass") == "must-act"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_limit_of_rounds_holds_in_solo(edition: str) -> None:
    """R23; R22: it is not the trigger of the end."""
    game = table(f"edition: {edition}\nplayers: 1\noptions: max_rounds=2", idle(1))
    assert seen(game, "phase") == "play"
    go(game, idle(1))
    assert (seen(game, "phase"), seen(game, "end_triggered")) == ("touches", False)
    assert part(game, "solo")["completed"] == ["W01"]


# Touches and score


@pytest.mark.parametrize(("touches", "score"), [(0, 12 - 3), (1, 13 - 1 - 2), (2, 14 - 2 - 1), (3, 15 - 3)])
def test_score_with_touches_and_unfinished_puzzles(touches: int, score: int) -> None:
    """A pile of twelve and three puzzles of one point, of which some are finished now. No reward for them."""
    game = table(SMALL, *SIX_ROUNDS, "1 take G3|1 take G6|1 take G9")
    assert supply(game, 1) == {"O1": 13, "I2": 1}
    go(game, *[f"1 touch {place}:a1" for place in range(1, touches + 1)], "1 done")
    assert (player(game, 1)["points"], player(game, 1)["touches"]) == (12 + touches, touches)
    assert supply(game, 1) == {"O1": 13, "I2": 1}
    assert result(game) == ([score, 4], [1])


ONE_ROUND = f"""players: 1
options: max_rounds=1
card: Z1 W 3 O1 {CELL}
deck: Z1 W25 W26 W22 W27 W28 W23 W29 W30 W24"""


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("turn", "touch", "score"),
    [
        ("1 place 1:a1|1 upgrade I2 L3", "", 3),
        ("1 upgrade I2 L3|1 upgrade L3 I2", "1 touch 1:a1", 2),
        ("1 upgrade I2 L3|1 upgrade L3 I2", "", -3),
    ],
)
def test_an_unfinished_puzzle_costs_its_points_in_every_edition(
    edition: str, turn: str, touch: str, score: int
) -> None:
    """The card of three points is completed, completed by a touch, or left. The mastermind takes a worthless one."""
    game = go(table(f"edition: {edition}\n{ONE_ROUND}"), "1 take G1", turn, touch, "1 done")
    assert part(game, "solo")["completed"] == ["W24"]
    assert result(game) == ([score, 0], [1 if score > 0 else 2])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("points", "winner"), [(2, 1), (3, 2), (4, 2)])
def test_the_mastermind_wins_a_tie(edition: str, points: int, winner: int) -> None:
    header = ONE_ROUND.replace("W22", "Z2").replace("deck:", f"card: Z2 W {points} O1 {CELL}\ndeck:")
    game = table(f"edition: {edition}\n{header}", "1 take G1|1 place 1:a1|1 upgrade I2 L3|1 done")
    assert part(game, "solo")["completed"] == ["Z2"]
    assert result(game) == ([3, points], [winner])


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_against_nothing_is_lost(edition: str) -> None:
    game = table(f"edition: {edition}\n{ONE_ROUND}", idle(1), "1 done")
    assert result(game) == ([0, 0], [2])
    assert (seen(game, "phase"), seen(game, "to_act")) == ("over", [])
