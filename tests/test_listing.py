"""What `moves` lists, with and without `--all` (docs/notation.md, Commands)."""

import random
from collections.abc import Iterator
from itertools import islice, permutations

import pytest

from projectl import Game, apply, lines
from projectl.core import actions
from projectl.core.legal import legal, to_act
from projectl.core.setup import new_game
from projectl.core.state import OVER, PLACING
from tests.configurations import random_rules
from tests.table import go, idle, listed, table
from tests.test_record import CELL, well_supplied


def orders(row: str, n: int) -> list[str]:
    """A Recycle in every order; left to right has no numbers."""
    every = permutations(range(1, n + 1))
    next(every)
    return [f"recycle {row}", *(f"recycle {row} {' '.join(map(str, order))}" for order in every)]


def slots(*names: str) -> list[str]:
    return [f"take {name}" for name in names]


PIECES = ["gain O1", "upgrade O1 I2", "upgrade I2 O1", "upgrade I2 I3", "upgrade I2 L3"]
FACE_UP = slots("W1", "W2", "W3", "W4", "B1", "B2", "B3", "B4")
LEFT, RIGHT = slots("WL1", "WL2", "WL3", "BL1", "BL2", "BL3"), slots("WR1", "WR2", "WR3", "BR1", "BR2", "BR3")

OPENINGS: dict[str, dict[int, list[str]]] = {
    "edition: 2019\nplayers: 2": {1: [*FACE_UP, *PIECES, "pass"]},
    "edition: 2020\nplayers: 4": {1: [*FACE_UP, *PIECES, "pass"]},
    "edition: 2023\nplayers: 2": {1: [*FACE_UP, *slots("W", "B"), *PIECES, *orders("W", 4), *orders("B", 4)]},
    "edition: 2019\nplayers: 1": {1: [*slots(*(f"G{n}" for n in range(1, 10))), *PIECES, "pass"]},
    "edition: 2023\nplayers: 1": {1: [*slots("G", *(f"G{n}" for n in range(1, 10))), *PIECES]},
    "edition: 2019\nplayers: 4\nmodules: line_clear": {
        1: [*LEFT, *PIECES, "pass"],
        3: [*RIGHT, *PIECES, "pass"],
    },
    "edition: 2023\nplayers: 6\nmodules: line_clear ghost": {
        1: [*LEFT, *slots("W", "B"), *PIECES, *orders("WL", 3), *orders("BL", 3)],
        4: [*RIGHT, *PIECES],
    },
}


@pytest.mark.parametrize("head", OPENINGS)
@pytest.mark.parametrize("every", [False, True])
def test_the_legal_actions_of_an_opening(head: str, every: bool) -> None:
    """With their seat, sorted as text."""
    expected = sorted(f"{seat} {action}" for seat, actions in OPENINGS[head].items() for action in actions)
    assert listed(table(head), every) == expected


def small_puzzles(ones: int) -> Game:
    """Seat 1 has three one-cell puzzles and so many O1 in round 3."""
    own = "\n".join(f"card: Z{i} W 0 O1 {CELL}" for i in (1, 2, 3))
    game = table(f"players: 2\n{own}\nwhite: Z1 Z2 Z3", "1 take W1|1 take W2|1 take W3", idle(2))
    return go(game, *["1 gain O1"] * (ones - 1), *["1 recycle B"] * (4 - ones), idle(2))


def masters(game: Game, every: bool) -> list[str]:
    return [line[9:] for line in listed(game, every) if line.startswith("1 master")]


@pytest.mark.parametrize(
    ("ones", "combined"),
    [
        (1, ["1:a1", "2:a1", "3:a1"]),
        (2, ["1:a1", "1:a1 2:a1", "1:a1 3:a1", "2:a1", "2:a1 3:a1", "3:a1"]),
        (3, ["1:a1", "1:a1 2:a1", "1:a1 2:a1 3:a1", "1:a1 3:a1", "2:a1", "2:a1 3:a1", "3:a1"]),
    ],
)
def test_master_is_listed_with_one_placement_or_with_all_combinations(ones: int, combined: list[str]) -> None:
    """As many puzzles at once as there are pieces in the supply."""
    game = small_puzzles(ones)
    assert masters(game, False) == ["1:a1", "2:a1", "3:a1"]
    assert masters(game, True) == combined


def test_ambassador_is_listed_like_master() -> None:
    head = f"players: 2\nmodules: ambassador\ncard: ZM W 0 M {CELL}\ncard: Z1 W 0 O1 {CELL}\ncard: Z2 W 0 O1 {CELL}"
    game = table(f"{head}\nwhite: ZM Z1 Z2", "1 take W1|1 place 1:a1|1 gain O1", idle(2))
    go(game, "1 take W2|1 take W3|1 gain O1", idle(2))
    every = [line for line in listed(game, True) if "ambassador" in line]
    assert every == ["1 ambassador 1:a1", "1 ambassador 1:a1 2:a1", "1 ambassador 2:a1"]
    assert [line for line in listed(game) if "ambassador" in line] == [every[0], every[2]]


# U5 is a bent path of five cells; cutting it gives these seven sets of pieces.
TILINGS = ["I2 L3", "O1 I2 I2", "O1 L4", "O1 O1 I3", "O1 O1 L3", "O1 O1 O1 I2", "O1 O1 O1 O1 O1"]


def test_ghost_is_listed_with_none_and_one_placement_or_with_all() -> None:
    """Only the pieces just taken are placed: O1 on one of two one-cell puzzles, or two O1 on both."""
    own = "\n".join(f"card: Z{n} W 0 {reward} {CELL}" for n, reward in enumerate(("U5", "O1", "O1")))
    game = table(f"players: 2\nmodules: ghost\n{own}\nwhite: Z0 Z1 Z2", "1 take W1|1 place 1:a1|1 take W2", idle(2))
    go(game, "1 take W3")
    few: list[str] = []
    every: list[str] = []
    for tiling in TILINGS:
        placed = ["", " 1:a1", " 2:a1"] if "O1" in tiling else [""]
        few += [f"1 ghost U5 {tiling}{placement}" for placement in placed]
        both = [" 1:a1 2:a1"] if tiling.count("O1") > 1 else []
        every += [f"1 ghost U5 {tiling}{placement}" for placement in placed + both]
    assert [line for line in listed(game) if "ghost" in line] == sorted(few)
    assert [line for line in listed(game, True) if "ghost" in line] == sorted(every)


@pytest.mark.parametrize("every", [False, True])
def test_every_ordinary_action_can_be_inserted(every: bool) -> None:
    """With two active credits each line is there a second time, after the word `insert`."""
    own = "\n".join(f"card: Z{i} W 0 O1 {CELL}" for i in (1, 2))
    tiles = "finesse: FC01 FC02 FC04 FA01 FA02 FB01 FB02 FC03 FC06 FC08"
    game = table(f"players: 2\nmodules: finesse\n{own}\nwhite: Z1 Z2\n{tiles}", *[idle(1, 2)] * 2)
    go(game, "1 take W1|1 take W2|1 gain O1", idle(2))
    found = listed(game, every)
    plain = [line[2:] for line in found if not line.startswith("1 insert")]
    assert sorted(found) == sorted([f"1 {text}" for text in plain] + [f"1 insert {text}" for text in plain])
    assert ("1 insert master 1:a1 2:a1" in found) is every


def test_touches_are_listed_with_a_point_and_with_a_credit() -> None:
    """Sorted as text, although the payment stands last."""
    tiles = "finesse: FC01 FC02 FC04 FA01 FA02 FB01 FB02 FC03 FC06 FC08"
    own = "card: Z1 W 0 O1 ..### ##### ##### ##### #####\nwhite: Z1\noptions: max_rounds=3"
    game = table(f"players: 2\nmodules: finesse\n{own}\n{tiles}", *[idle(1, 2)] * 2, "1 take W1|1 gain O1|1 gain O1")
    go(game, idle(2))
    expected = ["1 done"]
    for cells in ("a1", "a1b1", "b1"):
        expected += [f"1 touch 1:{cells}", f"1 touch 1:{cells} credit"]
    assert listed(game) == [*expected, "2 done"] == sorted([*expected, "2 done"])


def test_a_large_position_is_listed_one_by_one() -> None:
    """There can be millions; the first ones come at once, and they come sorted."""
    found = lines(well_supplied().state, True)
    assert isinstance(found, Iterator)
    first = [text for _, text, _ in islice(found, 2000)]
    assert first == sorted(first)
    assert first[0] == "ambassador 1:a1"


def test_listings_are_sorted_as_text() -> None:
    for game in (well_supplied(), small_puzzles(3), table("players: 5\nmodules: line_clear")):
        found = listed(game)
        assert found == sorted(found)
        assert len(found) == len(set(found))


@pytest.mark.parametrize("number", range(20))
def test_a_decision_says_by_its_number_whether_it_leaves_an_action_open(number: int) -> None:
    """Placements inside a Master, Ambassador or Ghost action aside: another one may follow, or nothing."""
    dice = random.Random(f"open {number}")
    state = new_game(random_rules(dice), f"open {number}")
    for _ in range(250):
        if state.phase == OVER:
            break
        seat = dice.choice(to_act(state))
        options = [int(option) for option in legal(state, seat)]
        for option in dice.sample(options, min(8, len(options))):
            after = state.clone()
            apply(after, option, seat)
            if state.phase != PLACING or not actions.is_placement(option):
                assert actions.opens(option) == after.action_open(), actions.decision_text(option)
        apply(state, dice.choice(options), seat)
