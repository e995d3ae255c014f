"""The solo opponent: which card it takes, and where the locks go."""

import pytest

from projectl import Game
from tests.table import go, idle, part, supply, table

EDITIONS = ["2019", "2020", "2023"]


def worth(points: str, edition: str = "2019") -> str:
    """A solo header: nine face-up cards K1-K9 with these points, then W01, W02 and so on."""
    cards = [f"card: K{n} W {p} O1 .#### ##### ##### ##### #####" for n, p in enumerate(points, 1)]
    deck = " ".join(f"K{n}" for n in range(1, 10))
    return "\n".join([f"edition: {edition}", "players: 1", *cards, f"deck: {deck}"])


def plain(edition: str, difficulty: str = "normal") -> str:
    return f"edition: {edition}\nplayers: 1\noptions: difficulty={difficulty}"


def locks(game: Game) -> tuple[list[int], int]:
    """Above the columns, and in the mastermind's supply."""
    found = part(game, "solo")
    columns, heap = found["locks"], found["supply"]
    assert isinstance(columns, list)
    assert isinstance(heap, int)
    return columns, heap


def left(game: Game) -> tuple[object, object]:
    """O1 and I2 in the reserve."""
    return part(game, "reserve")["O1"], part(game, "reserve")["I2"]


# All columns locked


@pytest.mark.parametrize(("edition", "o1"), [("2019", 7), ("2020", 3), ("2023", 14)])
def test_three_locked_columns_lose_a_lock_each_and_keep_their_cards(edition: str, o1: int) -> None:
    """Real locks return to the reserve, tokens go away; the mastermind's supply stays."""
    game = table(plain(edition), idle(1))
    assert locks(game) == ([0, 1, 0], 6)
    assert (part(game, "solo")["completed"], part(game, "solo")["deck"]) == ([], 16)
    assert part(game, "reserve")["O1"] == o1


# Which card


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_takes_the_best_card_of_the_open_columns(edition: str) -> None:
    """The nines are in column 2, which still has a lock: seven points in column 3 are the most."""
    game = table(worth("194297395", edition), idle(1), idle(1))
    found = part(game, "solo")
    assert (found["completed"], found["points"]) == (["K6"], 7)
    assert found["grid"] == ["K1", "K2", "K3", "K4", "K5", "W01", "K7", "K8", "K9"]
    assert found["deck"] == 15


@pytest.mark.parametrize(
    ("points", "taken"),
    [
        ("500000500", "K1"),
        ("005500000", "K3"),  # row by row, not column by column
        ("000500005", "K4"),
        ("000000505", "K7"),
        ("090090090", "K1"),  # worthless cards are taken too
    ],
)
def test_on_a_tie_it_takes_the_lowest_grid_number(points: str, taken: str) -> None:
    game = table(worth(points), "1 pass|1 pass")
    assert part(game, "solo")["completed"] == [taken]


def test_black_cards_are_taken_for_their_points_too() -> None:
    """B01 (5) turns up in column 1 in round 8 and is locked for one more turn, in which W08 (2) goes."""
    game = table(plain("2019", "unbeatable"), *["1 pass"] * 10)
    found = part(game, "solo")
    assert found["completed"] == [f"W0{n}" for n in range(1, 9)] + ["B01"]
    assert found["points"] == 8 * 2 + 5


def test_its_cards_are_scored_at_once_and_give_no_piece() -> None:
    game = table(worth("900000000"), "1 pass")
    reserve = part(game, "reserve")
    go(game, "1 pass")
    assert part(game, "solo")["points"] == 9
    assert part(game, "reserve") == reserve


# Where the locks go


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("difficulty", "held"), [("normal", 6), ("hard", 3), ("unbeatable", 0)])
def test_its_supply_and_one_lock_of_each_other_column_move_to_its_column(
    edition: str, difficulty: str, held: int
) -> None:
    """The player opens column 1: one lock joins the supply, then one comes from column 2 (of 2) and from 3 (of 1)."""
    game = table(plain(edition, difficulty), "1 take G1|1 upgrade I2 L3|1 upgrade L3 I2")
    assert locks(game) == ([held + 3, 1, 0], 0)


def test_a_column_without_locks_gives_none() -> None:
    """Open are 1 and 3; it takes from 1, column 2 gives its lock, column 3 has none to give."""
    assert locks(table(worth("900000000"), "1 pass|1 pass")) == ([7, 0, 0], 0)


def test_an_emptied_middle_column_gets_all_ten_locks() -> None:
    """Both locks of column 2 went into the supply (8); W01 and W02 lie there for 2 points each, W01 is higher up."""
    game = table(worth("100010001"), "1 take G2|1 take G5|1 pass")
    assert part(game, "solo")["completed"] == ["W01"]
    assert part(game, "solo")["grid"] == ["K1", "W03", "K3", "K4", "W02", "K6", "K7", "K8", "K9"]
    assert locks(game) == ([0, 10, 0], 0)


def test_locks_over_a_whole_idle_game() -> None:
    """Cards W01-W08 for 2 points each go first; where all columns are locked, three locks are lost."""
    game, found = table(plain("2019")), []
    for _ in range(9):
        found.append(locks(go(game, "1 pass")))
    assert found == [
        ([0, 1, 0], 6),
        ([7, 0, 0], 0),  # G1
        ([6, 1, 0], 0),  # G2
        ([5, 0, 2], 0),  # G3
        ([4, 2, 1], 0),  # G5
        ([3, 1, 0], 0),
        ([2, 0, 2], 0),  # G6
        ([1, 2, 1], 0),  # G8
        ([0, 1, 0], 0),
    ]
    assert part(game, "solo")["completed"] == ["W01", "W02", "W03", "W05", "W06", "W08"]


# Real pieces


@pytest.mark.parametrize(("edition", "total"), [("2019", 9 * 15), ("2020", 9 * 10)])
def test_real_locks_are_never_lost(edition: str, total: int) -> None:
    game = table(plain(edition))
    for takes in ("1 take G2", "", "1 take G1|1 take G5", "", "", "1 take G3", "", "", ""):
        go(game, takes, "1 pass")
        columns, heap = locks(game)
        reserve = sum(int(str(n)) for n in part(game, "reserve").values())
        assert reserve + sum(supply(game, 1).values()) + sum(columns) + heap == total


def test_tokens_leave_the_reserve_alone() -> None:
    game = table(plain("2023"))
    for _ in range(10):
        go(game, idle(1))
        assert left(game) == (14, 14)
    assert sum(locks(game)[0]) < 10


def test_level_one_locks_move_before_the_level_two_lock() -> None:
    """R30, 2020: the I2 in the supply (R10) lies at the bottom of column 1 until it is the last lock there."""
    game, found = table(plain("2020")), []
    for _ in range(9):
        found.append(left(go(game, "1 pass")))
    assert found == [(3, 8)] * 5 + [(6, 8)] * 3 + [(8, 9)]


def test_a_take_moves_a_level_one_lock_first() -> None:
    """R30: column 1 gets six O1 and the I2. Four takes and two turns of the mastermind lift the six O1."""
    game = table(plain("2020"), "1 pass|1 pass")
    assert locks(game) == ([7, 0, 0], 0)
    go(game, "1 take G1|1 take G1|1 take G1")
    assert locks(game) == ([3, 4, 0], 0)
    go(game, "1 take G1|1 pass")
    assert locks(game) == ([1, 3, 3], 0)
    assert left(game) == (3, 8)
    go(game, "1 pass")  # all locked: the I2 of column 1 and two O1 come back
    assert locks(game) == ([0, 2, 2], 0)
    assert left(game) == (5, 9)
