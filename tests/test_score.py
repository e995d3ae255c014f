"""The score, who wins and why, and who sees whose pile."""

import pytest

from projectl import Game
from tests.table import go, idle, player, seen, supply, table

EDITIONS = ("2019", "2020", "2023")
ROWS = {1: ".#### ##### ##### ##### #####", 2: "..### ##### ##### ##### #####"}


def cards(*values: str) -> str:
    """Header lines for white cards Z1, Z2 … with one cell (`3`) or two (`3x2`) and these points."""
    lines = []
    for n, value in enumerate(values, 1):
        points, _, cells = value.partition("x")
        lines.append(f"card: Z{n} W {points} O1 {ROWS[int(cells or 1)]}")
    return "\n".join([*lines, f"white: {' '.join(f'Z{n}' for n in range(1, len(values) + 1))}"])


def ended(edition: str, players: int, values: str, *turns: str, touches: str = "", rounds: int = 1) -> Game:
    """A game that ends after some rounds; touches, then everybody is done."""
    head = f"edition: {edition}\nplayers: {players}\noptions: max_rounds={rounds}\n{cards(*values.split())}"
    game = go(table(head, *turns), touches)
    return go(game, *(f"{seat} done" for seat in range(1, players + 1)))


def result(game: Game) -> dict[str, object]:
    found = seen(game, "result")
    assert isinstance(found, dict)
    return found


# Points


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_points_of_the_pile(edition: str) -> None:
    game = ended(
        edition,
        2,
        "3 5",
        "1 take W1|1 place 1:a1|1 take W2",
        idle(2),
        "1 place 1:a1|1 gain O1|1 gain O1",
        idle(2),
        rounds=2,
    )
    assert result(game) == {"scores": [8, 0], "winners": [1], "reason": "points"}


@pytest.mark.parametrize(("edition", "score"), [("2019", 0), ("2020", 0), ("2023", -7)])
def test_unfinished_puzzles_cost_their_points_in_2023_only(edition: str, score: int) -> None:
    """A puzzle filled in part costs as much as an empty one."""
    game = ended(edition, 2, "3x2 4x2", "1 take W1|1 take W2|1 place 1:a1", idle(2))
    assert result(game)["scores"] == [score, 0]


@pytest.mark.parametrize(("edition", "score"), [("2019", 4), ("2020", 4), ("2023", 1)])
def test_pile_less_touches_less_unfinished_puzzles(edition: str, score: int) -> None:
    """Z1 (5) is completed by a touch; Z2 (3) is not: 5 - 1, and in 2023 another 3 less."""
    game = ended(edition, 2, "5 3x2", "1 take W1|1 take W2|1 upgrade I2 L3", idle(2), touches="1 touch 1:a1")
    assert result(game)["scores"] == [score, 0]


def test_a_puzzle_completed_by_touches_costs_nothing_but_the_touches() -> None:
    game = ended("2023", 2, "5", "1 take W1|1 gain O1|1 gain O1", idle(2), touches="1 touch 1:a1")
    assert result(game)["scores"] == [4, 0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_solo_unfinished_puzzles_cost_points_in_every_edition(edition: str) -> None:
    """W01 is worth two points."""
    rest = "1 gain O1|1 gain O1" if edition == "2023" else "1 pass"
    game = table(f"edition: {edition}\nplayers: 1\noptions: max_rounds=1\ndeck: W01", "1 take G1", rest, "1 done")
    scores = result(game)["scores"]
    assert isinstance(scores, list)
    assert scores[0] == -2


def test_there_is_no_result_before_the_end() -> None:
    game = table("players: 2\noptions: max_rounds=1", idle(1, 2))
    assert seen(game, "result") is None
    go(game, "1 done")
    assert seen(game, "result") is None
    go(game, "2 done")
    assert result(game)["scores"] == [0, 0]


# Who wins


def test_the_most_points_win() -> None:
    """However many puzzles and pieces the others have."""
    turns = ("1 take W1|1 place 1:a1|1 gain O1", "2 take W2|2 place 1:a1|2 take W3")
    more = ("1 upgrade O1 I2|1 upgrade I2 O1|1 upgrade O1 I2", "2 place 1:a1|2 gain O1|2 gain O1")
    game = ended("2023", 2, "3 1 1", *turns, *more, rounds=2)
    assert result(game) == {"scores": [3, 2], "winners": [1], "reason": "points"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_on_equal_points_more_completed_puzzles_win(edition: str) -> None:
    """Seat 1 has 2 and 0 points on two cards, seat 2 has 2 on one card, and more pieces."""
    turns = ("1 take W1|1 place 1:a1|1 take W2", "2 take W3|2 place 1:a1|2 gain O1")
    game = ended(
        edition, 2, "2 0 2", *turns, "1 place 1:a1", there_and_back(1), "2 gain O1|2 gain O1|2 gain O1", rounds=2
    )
    assert sum(supply(game, 2).values()) > sum(supply(game, 1).values())
    assert result(game) == {"scores": [2, 2], "winners": [1], "reason": "puzzles"}


def there_and_back(seat: int) -> str:
    """Two actions that leave everything as it was."""
    return f"{seat} upgrade I2 L3|{seat} upgrade L3 I2"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_puzzle_completed_by_a_touch_counts_for_the_tie(edition: str) -> None:
    """Z1 is worth one point and costs one: no points gained, but a puzzle."""
    game = ended(edition, 2, "1", f"1 take W1|{there_and_back(1)}", idle(2), touches="1 touch 1:a1")
    assert result(game) == {"scores": [0, 0], "winners": [1], "reason": "puzzles"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_then_more_pieces_in_the_supply_win(edition: str) -> None:
    game = ended(edition, 2, "1", idle(1), "2 gain O1|2 upgrade O1 I2|2 upgrade I2 O1")
    assert result(game) == {"scores": [0, 0], "winners": [2], "reason": "pieces"}


def test_pieces_are_counted_whatever_their_level() -> None:
    """Two pieces of level 1 and 4 are no more than two of level 1 and 2."""
    game = ended("2023", 2, "1", "1 upgrade I2 I3|1 upgrade I3 S4|1 upgrade S4 T4", idle(2))
    assert result(game) == {"scores": [0, 0], "winners": [1, 2], "reason": "shared"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_pieces_of_puzzles_completed_by_touches_are_back_when_counted(edition: str) -> None:
    """R9. Seat 1: 2 points less a touch, one puzzle, O1 O1 O1 I2. Seat 2: 1 point, one puzzle, three pieces."""
    turns = ("1 take W1|1 gain O1|1 gain O1", "2 take W2|2 place 1:a1|2 upgrade I2 L3")
    game = ended(edition, 2, "2 1", *turns, touches="1 touch 1:a1")
    assert (supply(game, 1), supply(game, 2)) == ({"O1": 3, "I2": 1}, {"O1": 2, "L3": 1})
    assert result(game) == {"scores": [1, 1], "winners": [1], "reason": "pieces"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_pieces_on_unfinished_puzzles_do_not_count(edition: str) -> None:
    """R9. Seat 1 owns three pieces, but one lies on a card of no points; both have two in the supply."""
    game = ended(edition, 2, "0x2", "1 take W1|1 place 1:a1|1 gain O1", idle(2))
    assert result(game) == {"scores": [0, 0], "winners": [1, 2], "reason": "shared"}


def test_in_the_end_the_victory_is_shared() -> None:
    game = ended("2023", 3, "1", idle(1, 2, 3))
    assert result(game) == {"scores": [0, 0, 0], "winners": [1, 2, 3], "reason": "shared"}


def test_only_those_who_tie_are_compared() -> None:
    """Seat 3 has the most puzzles and pieces, but fewer points than seats 1 and 2."""
    turns = [f"{seat} take W{seat}|{seat} place 1:a1|{seat} upgrade I2 L3" for seat in (1, 2)]
    more = (*turns, "3 take W3|3 place 1:a1|3 take W4", idle_l3(1), idle_l3(2), "3 place 1:a1|3 gain O1|3 gain O1")
    game = ended("2023", 3, "1 1 0 0", *more, rounds=2)
    assert result(game) == {"scores": [1, 1, 0], "winners": [1, 2], "reason": "shared"}


def idle_l3(seat: int) -> str:
    return f"{seat} upgrade L3 I3|{seat} upgrade I3 I2|{seat} upgrade I2 L3"


def test_a_tie_break_may_leave_two_of_three() -> None:
    """Points are equal, seat 2 has a puzzle less, seats 1 and 3 share what follows."""
    turns = [f"{seat} take W{n}|{seat} place 1:a1|{seat} upgrade I2 L3" for seat, n in ((1, 1), (3, 2))]
    game = ended("2023", 3, "0 0", turns[0], idle(2), turns[1])
    assert result(game) == {"scores": [0, 0, 0], "winners": [1, 3], "reason": "shared"}


# Piles


def piled(edition: str, options: str = "") -> Game:
    """Seat 1 has completed W09, which is worth one point."""
    return table(
        f"edition: {edition}\nplayers: 2\noptions: {options}\nwhite: W09", "1 take W1|1 place 1:c3c4|1 gain O1"
    )


def seen_pile(game: Game, viewer: int) -> tuple[object, object]:
    found = player(game, 1, viewer)
    return found["completed"], found["points"]


@pytest.mark.parametrize(
    ("edition", "options"),
    [("2019", ""), ("2020", ""), ("2023", "known_points=yes"), ("2019", "known_points=yes")],
)
def test_open_piles_are_seen_by_all(edition: str, options: str) -> None:
    game = piled(edition, options)
    assert [seen_pile(game, viewer) for viewer in (1, 2)] == [(["W09"], 1)] * 2


@pytest.mark.parametrize(
    ("edition", "options"),
    [("2023", ""), ("2023", "known_points=no"), ("2019", "known_points=no"), ("2020", "known_points=no")],
)
def test_hidden_piles_are_seen_by_their_owner_only(edition: str, options: str) -> None:
    """R44: the others see how many cards there are, and neither which nor what they are worth."""
    game = piled(edition, options)
    assert seen_pile(game, 1) == (["W09"], 1)
    assert seen_pile(game, 2) == (None, None)
    assert player(game, 1, 2)["completed_count"] == 1
    assert player(game, 2, 1)["completed_count"] == 0


def test_all_is_open_once_the_game_is_over() -> None:
    """R44: and not before, so the touches are made without knowing."""
    game = go(piled("2023", "max_rounds=1"), idle(2), "1 done")
    assert seen(game, "phase") == "touches"
    assert seen_pile(game, 2) == (None, None)
    go(game, "2 done")
    assert seen_pile(game, 2) == (["W09"], 1)


def test_what_lies_on_the_table_is_never_hidden() -> None:
    game = piled("2023")
    mine, theirs = player(game, 1, 1), player(game, 1, 2)
    assert [mine[key] for key in ("supply", "puzzles", "touches")] == [
        theirs[key] for key in ("supply", "puzzles", "touches")
    ]
