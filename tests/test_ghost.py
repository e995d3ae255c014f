"""Ghost Piece: the three level-5 pieces and the action that breaks one up."""

import pytest

from projectl import Game
from tests.table import go, idle, listed, part, player, refused, seen, supply, table, unreadable

EDITIONS = ["2019", "2023"]
GHOSTS = ["P5", "U5", "L5"]
CELL = ".#### ##### ##### ##### #####"

# Every set of smaller pieces that tiles a ghost. The U is a bent row of five: its straight part has three cells,
# so no I4 comes out of it, and what is left beside an I3 are two single cells.
TILINGS = {
    "P5": [
        *("O1 L4", "O1 S4", "O1 T4", "O1 O4", "I2 I3", "I2 L3"),
        *("O1 O1 I3", "O1 O1 L3", "O1 I2 I2", "O1 O1 O1 I2", "O1 O1 O1 O1 O1"),
    ],
    "U5": ["O1 L4", "I2 L3", "O1 O1 I3", "O1 O1 L3", "O1 I2 I2", "O1 O1 O1 I2", "O1 O1 O1 O1 O1"],
    "L5": [
        *("O1 I4", "O1 L4", "I2 I3", "I2 L3"),
        *("O1 O1 I3", "O1 O1 L3", "O1 I2 I2", "O1 O1 O1 I2", "O1 O1 O1 O1 O1"),
    ],
}


def ghosts(edition: str = "2023", white: str = "ZU ZP ZL", options: str = "exchange_down=any") -> str:
    """A header with a one-cell card for each ghost."""
    cards = "\n".join(f"card: Z{ghost[0]} W 0 {ghost} {CELL}" for ghost in GHOSTS)
    return f"edition: {edition}\nplayers: 2\nmodules: ghost\noptions: {options}\n{cards}\nwhite: {white}"


def breakable(game: Game) -> list[str]:
    """What the listed Ghost actions of seat 1 take, placements aside."""
    lines = [line.removeprefix("1 ghost ") for line in listed(game) if line.startswith("1 ghost ") and ":" not in line]
    return [line.split(" ", 1)[1] for line in lines]


# The module


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_module_brings_ten_of_each_ghost_and_its_cards(edition: str) -> None:
    game = table(f"edition: {edition}\nplayers: 2\nmodules: ghost")
    assert {name: part(game, "reserve")[name] for name in GHOSTS} == {"P5": 10, "U5": 10, "L5": 10}
    assert part(game, "decks") == {"W": 32 + 12 - 4, "B": 12 - 4}
    assert not set(GHOSTS) & set(part(table(f"edition: {edition}\nplayers: 2"), "reserve"))


def test_the_box_of_2020_has_no_ghosts() -> None:
    assert unreadable("edition: 2020\nplayers: 2\nmodules: ghost") == ("module-edition", 3)


@pytest.mark.parametrize("reward", [*GHOSTS, "LEVELUP1", "LEVELUP2"])
def test_ghost_rewards_need_the_module(reward: str) -> None:
    assert unreadable(f"players: 2\ncard: Z1 B 3 {reward} {CELL}") == ("card-ghost", 2)


def test_without_the_module_nothing_is_a_ghost() -> None:
    """W14 is a U of five cells."""
    game = table("players: 2\nwhite: W14", "1 take W1")
    assert refused(game, "1 ghost U5 O1 L4") == "ghost-module"
    assert refused(game, "1 place 1:b3d3b4c4d4") == "ghost-module"


# How ghosts come and go


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("slot", "ghost"), [("W1", "U5"), ("W2", "P5"), ("W3", "L5")])
def test_a_ghost_is_a_reward(edition: str, slot: str, ghost: str) -> None:
    game = table(ghosts(edition), f"1 take {slot}|1 place 1:a1")
    assert supply(game, 1) == {"O1": 1, "I2": 1, ghost: 1}
    assert part(game, "reserve")[ghost] == 9


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_ghost_is_placed_like_any_piece(edition: str) -> None:
    """W14 (1 point, L3) is filled by the U alone, which comes back."""
    game = table(ghosts(edition, "ZU W14"))
    go(game, "1 take W2")
    assert refused(game, "1 place 1:b3d3b4c4d4") == "not-owned"
    go(game, "1 take W1|1 place 2:a1", idle(2), "1 place 1:b3d3b4c4d4")
    assert player(game, 1)["completed"] == ["ZU", "W14"]
    assert supply(game, 1) == {"O1": 1, "I2": 1, "L3": 1, "U5": 1}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("skip", ["next", "two", "substitution"])
@pytest.mark.parametrize("ghost", GHOSTS)
def test_the_upgrade_action_never_reaches_level_five(edition: str, skip: str, ghost: str) -> None:
    game = table(ghosts(edition, options=f"upgrade_skip={skip}"), "1 upgrade I2 I3|1 upgrade I3 I4")
    assert refused(game, f"1 upgrade I4 {ghost}") == "ghost"
    assert "1 upgrade I4 O4" in listed(game)
    assert refused(game, f"1 gain {ghost}") == "ghost"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_ghost_may_be_exchanged_for_any_lower_piece(edition: str) -> None:
    """R26: but not for another ghost."""
    game = table(ghosts(edition), "1 take W1|1 place 1:a1")
    lower = ["O1", "I2", "I3", "L3", "I4", "L4", "S4", "T4", "O4"]
    upgrades = [line for line in listed(game) if line.startswith("1 upgrade U5 ")]
    assert sorted(upgrades) == sorted(f"1 upgrade U5 {name}" for name in lower)
    assert refused(game, "1 upgrade U5 P5") == "ghost"
    assert refused(game, "1 upgrade U5 U5") == "same-shape"
    go(game, "1 upgrade U5 S4")
    assert supply(game, 1) == {"O1": 1, "I2": 1, "S4": 1}
    assert part(game, "reserve")["U5"] == 10


def test_one_level_down_is_level_four_for_a_ghost() -> None:
    game = table(ghosts(options="exchange_down=one"), "1 take W1|1 place 1:a1")
    assert refused(game, "1 upgrade U5 L3") == "level"
    assert supply(go(game, "1 upgrade U5 I4"), 1) == {"O1": 1, "I2": 1, "I4": 1}


# Breaking one up


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("slot", "ghost"), [("W1", "U5"), ("W2", "P5"), ("W3", "L5")])
def test_all_sets_of_pieces_that_tile_the_ghost(edition: str, slot: str, ghost: str) -> None:
    game = table(ghosts(edition), f"1 take {slot}|1 place 1:a1")
    assert sorted(breakable(game)) == sorted(TILINGS[ghost])
    for pieces in TILINGS[ghost]:
        after = table(ghosts(edition), f"1 take {slot}|1 place 1:a1|1 ghost {ghost} {pieces}")
        names = ["O1", "I2", *pieces.split()]
        assert supply(after, 1) == {name: names.count(name) for name in names}
        assert part(after, "reserve")[ghost] == 10


@pytest.mark.parametrize(
    ("slot", "action"),
    [
        ("W1", "ghost U5 I2 I3"),  # five cells, but not the U
        ("W1", "ghost U5 O1 I4"),
        ("W1", "ghost U5 O1 T4"),
        ("W1", "ghost U5 I2 I2"),  # too few cells
        ("W1", "ghost U5 O1 O1 L4"),  # too many
        ("W1", "ghost U5 U5"),  # two pieces at least, of levels 1 to 4
        ("W1", "ghost I2 O1 O1"),  # no ghost
        ("W2", "ghost P5 O1 I4"),
        ("W3", "ghost L5 O1 S4"),
        ("W3", "ghost L5 O1 O4"),
    ],
)
def test_pieces_that_do_not_tile_the_ghost_are_refused(slot: str, action: str) -> None:
    game = table(ghosts(), f"1 take {slot}|1 place 1:a1")
    assert refused(game, f"1 {action}") == "tiling"


@pytest.mark.parametrize("action", ["ghost", "ghost U5", "ghost U5 1:a1"])
def test_a_ghost_action_names_what_it_takes(action: str) -> None:
    assert unreadable(ghosts(), "1 take W1", "1 place 1:a1", f"1 {action}") == ("form", 11)


def test_only_a_ghost_of_the_supply_is_broken_up() -> None:
    game = table(ghosts(), "1 take W1|1 place 1:a1")
    assert refused(game, "1 ghost P5 I2 L3") == "not-owned"
    go(game, "1 take W4", idle(2))
    assert refused(go(game, "1 ghost U5 I2 L3"), "1 ghost U5 I2 L3") == "not-owned"


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_pieces_must_be_in_the_reserve(edition: str) -> None:
    """R12: nothing is substituted, not even in 2023. Thirteen O1 go one by one; I2, I3, L3 and L4 stay."""
    game = table(ghosts(edition), "1 take W1|1 place 1:a1|1 gain O1")
    for seat in (2, 1, 2):
        go(game, *[f"{seat} gain O1"] * 3)
    with_three = ["I2 L3", "O1 I2 I2", "O1 L4", "O1 O1 I3", "O1 O1 L3", "O1 O1 O1 I2"]
    assert sorted(breakable(game)) == with_three
    assert refused(game, "1 ghost U5 O1 O1 O1 O1 O1") == "reserve"
    assert sorted(breakable(go(game, "1 gain O1"))) == with_three[:5]
    assert refused(game, "1 ghost U5 O1 O1 O1 I2") == "reserve"
    assert sorted(breakable(go(game, "1 gain O1"))) == with_three[:3]
    go(game, "1 gain O1", idle(2))
    assert breakable(game) == ["I2 L3"]
    assert refused(game, "1 ghost U5 O1 L4") == "reserve"


# Placing what was taken


def ready(edition: str = "2023") -> Game:
    """Seat 1 has O1, I2 and U5, W22 (c3 c4, for an I2) on place 1, W15 (a3 to e3) on place 2, two actions."""
    game = table(ghosts(edition, "ZU W22 W15"), "1 take W1|1 place 1:a1|1 take W2", idle(2), "1 take W3")
    assert supply(game, 1) == {"O1": 1, "I2": 1, "U5": 1}
    return game


def empty_cells(game: Game) -> list[tuple[object, object]]:
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    return [(puzzle["place"], puzzle["empty"]) for puzzle in puzzles]


@pytest.mark.parametrize("edition", EDITIONS)
def test_placing_is_never_compulsory(edition: str) -> None:
    """R29: the I2 would fit on both puzzles."""
    game = go(ready(edition), "1 ghost U5 I2 L3")
    assert empty_cells(game) == [(1, ["c3", "c4"]), (2, ["a3", "b3", "c3", "d3", "e3"])]
    assert supply(game, 1) == {"O1": 1, "I2": 2, "L3": 1}
    assert (seen(game, "actions_left"), seen(game, "to_act")) == (1, [1])


@pytest.mark.parametrize("edition", EDITIONS)
def test_some_are_placed_and_the_rest_goes_to_the_supply(edition: str) -> None:
    game = ready(edition)
    assert "1 ghost U5 I2 L3 2:a3b3" in listed(game)
    go(game, "1 ghost U5 I2 L3 2:a3b3")
    assert empty_cells(game) == [(1, ["c3", "c4"]), (2, ["c3", "d3", "e3"])]
    assert supply(game, 1) == {"O1": 1, "I2": 1, "L3": 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_piece_on_each_puzzle_and_full_puzzles_complete_afterwards(edition: str) -> None:
    """Two I2 and an O1 are taken; W22 gives its I2 back and another one. It is one action and no Master."""
    game = go(ready(edition), "1 ghost U5 O1 I2 I2 1:c3c4 2:a3b3")
    assert player(game, 1)["completed"] == ["ZU", "W22"]
    assert empty_cells(game) == [(2, ["c3", "d3", "e3"])]
    assert supply(game, 1) == {"O1": 2, "I2": 3}
    assert (seen(game, "actions_left"), seen(game, "master_used")) == (1, False)
    assert "1 master 2:c3" in listed(game)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("ghost U5 O1 I2 I2 2:a3b3 2:c3d3", "place-twice"),
        ("ghost U5 O1 L4 1:c3c4", "not-taken"),  # the I2 was in the supply before
        ("ghost U5 I2 L3 2:a3", "not-taken"),  # and so was the O1
        ("ghost U5 I2 L3 1:c3c4 2:a3b3", "not-taken"),  # only one of the two I2 was taken now
        ("ghost U5 I2 L3 1:c3d3", "outside"),
        ("ghost U5 I2 L3 3:c3c4", "no-puzzle"),
    ],
)
def test_only_pieces_just_taken_are_placed_one_a_puzzle(edition: str, action: str, code: str) -> None:
    assert refused(ready(edition), f"1 {action}") == code


def test_all_combinations_are_listed_on_demand() -> None:
    game = ready()
    both = "1 ghost U5 O1 I2 I2 1:c3c4 2:a3b3"
    assert both in listed(game, every=True)
    assert both not in listed(game)
    assert not [line for line in listed(game, every=True) if line.startswith("1 ghost U5 I2 L3 1:c3c4 2:")]
    assert not [line for line in listed(game, every=True) if line.count(" 1:") > 1 or line.count(" 2:") > 1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_ghosts_may_be_broken_up_in_one_turn(edition: str) -> None:
    game = table(ghosts(edition), "1 take W1|1 take W2|1 place 1:a1", idle(2), "1 place 2:a1")
    go(game, "1 ghost U5 O1 L4|1 ghost P5 O1 S4")
    assert supply(game, 1) == {"O1": 3, "I2": 1, "L4": 1, "S4": 1}
    assert seen(game, "to_act") == [2]


@pytest.mark.parametrize("edition", EDITIONS)
def test_ghosts_stay_whole_in_the_touches(edition: str) -> None:
    """A whole one may still be placed: 1 point for W14, 1 lost."""
    game = table(ghosts(edition, "ZU W14", "max_rounds=1"), "1 take W1|1 place 1:a1|1 take W2", idle(2))
    assert refused(game, "1 ghost U5 I2 L3") == "phase"
    go(game, "1 touch 1:b3d3b4c4d4|1 done|2 done")
    assert part(game, "result")["scores"] == [0, 0]
    assert part(game, "result")["winners"] == [1]
