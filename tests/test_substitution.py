"""What is taken when the reserve lacks it: Gain and rewards (Upgrade has its own file)."""

from collections import Counter

import pytest

from projectl import Game
from tests.table import go, listed, part, player, refused, seen, supply, table, unreadable

LEVEL_3 = ("I3", "L3")
LEVEL_4 = ("I4", "L4", "S4", "T4", "O4")
BASE = ("O1", "I2", *LEVEL_3, *LEVEL_4)
EDITIONS = ("2019", "2020", "2023")
LADDER = ("O1", "I2", "I3")
ONE_CELL = ".#### ##### ##### ##### #####"
TWO_CELLS = "..### ##### ##### ##### #####"


def count(game: Game, shape: str) -> int:
    found = part(game, "reserve")[shape]
    assert isinstance(found, int)
    return found


def toward(game: Game, seat: int, shape: str) -> str:
    """The action that brings a seat nearer to a shape: Gain an O1, or Upgrade one level up."""
    steps = (*LADDER[: int(shape[1]) - 1], shape)
    owned = [n for n, step in enumerate(steps[:-1]) if step in supply(game, seat)]
    return f"upgrade {steps[owned[-1]]} {steps[owned[-1] + 1]}" if owned else "gain O1"


def hoard(game: Game, *shapes: str) -> Game:
    """Play on until the reserve has none of the shapes left and seat 1 begins a turn.

    The shapes must be given from the highest level down, so that the lower steps are still there.
    """
    for shape in shapes:
        while count(game, shape):
            go(game, f"{acting(game)} {toward(game, acting(game), shape)}")
    while (acting(game), seen(game, "actions_left")) != (1, 3):
        go(game, f"{acting(game)} {'recycle B' if seen(game, 'edition') == '2023' else 'pass'}")
    return game


def acting(game: Game) -> int:
    seats = seen(game, "to_act")
    assert isinstance(seats, list)
    return int(seats[0])


def options(game: Game, verb: str) -> list[str]:
    """What may follow `1 verb`."""
    return [line.removeprefix(f"1 {verb} ") for line in listed(game) if line.startswith(f"1 {verb} ")]


def gained(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    return dict(Counter(after) - Counter(before))


def rewarding(edition: str, reward: str, *shapes: str, cells: str = TWO_CELLS, modules: str = "") -> Game:
    """Some shapes are gone. Seat 1 begins a turn with a card on place 1 that gives `reward`."""
    head = f"edition: {edition}\nplayers: 2\nmodules: {modules}\ncard: Z01 W 3 {reward} {cells}\nwhite: Z01"
    return hoard(table(head, "1 take W1"), *shapes)


# Gain


@pytest.mark.parametrize("edition", EDITIONS)
def test_gain_takes_an_o1(edition: str) -> None:
    game = table(f"edition: {edition}\nplayers: 2")
    had = count(game, "O1")
    assert options(game, "gain") == ["O1"]
    go(game, "1 gain O1")
    assert supply(game, 1) == {"O1": 2, "I2": 1}
    assert count(game, "O1") == had - 1


@pytest.mark.parametrize("shape", BASE[1:])
def test_gain_takes_nothing_else_while_there_is_an_o1(shape: str) -> None:
    assert refused(table("players: 2"), f"1 gain {shape}") == "gain"


@pytest.mark.parametrize(
    ("gone", "choices"),
    [
        (("O1",), ["I2"]),
        (("I2", "O1"), ["I3", "L3"]),
        (("I3", "I2", "O1"), ["L3"]),
        (("I3", "L3", "I2", "O1"), ["I4", "L4", "O4", "S4", "T4"]),
        (("T4", "O4", "I3", "L3", "I2", "O1"), ["I4", "L4", "S4"]),
        ((*LEVEL_4, *LEVEL_3, "I2", "O1"), []),
    ],
)
def test_rulebook_example_no_level_1_then_level_2_then_level_3(gone: tuple[str, ...], choices: list[str]) -> None:
    """2023: the nearest higher level that has a piece stands in for the O1."""
    game = hoard(table("players: 2"), *gone)
    assert options(game, "gain") == choices


def test_a_substitute_for_gain_is_named_and_chosen() -> None:
    """R7. Levels 1 and 2 are gone, so the player says which of level 3."""
    game = hoard(table("players: 2"), "I2", "O1")
    before = supply(game, 1)
    assert refused(game, "1 gain O1") == "gain"
    assert refused(game, "1 gain S4") == "gain"
    go(game, "1 gain L3")
    assert gained(before, supply(game, 1)) == {"L3": 1}


@pytest.mark.parametrize("edition", ["2019", "2020"])
def test_gain_is_not_possible_without_an_o1_before_2023(edition: str) -> None:
    game = hoard(table(f"edition: {edition}\nplayers: 2"), "O1")
    assert options(game, "gain") == []
    assert refused(game, "1 gain O1") == "reserve"
    assert refused(game, "1 gain I2") == "gain"


def test_gain_never_hands_out_a_ghost() -> None:
    """R5. All nine shapes are gone and ghosts are left: nothing can be gained."""
    game = hoard(table("players: 2\nmodules: ghost"), *LEVEL_4, *LEVEL_3, "I2", "O1")
    assert count(game, "P5") == 10
    assert options(game, "gain") == []
    assert refused(game, "1 gain P5") == "ghost"


# Rewards


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("reward", "gone", "substitute"), [("O1", "O1", "I2"), ("I3", "I3", "L3"), ("L3", "L3", "I3")])
def test_the_only_substitute_is_taken_without_asking(edition: str, reward: str, gone: str, substitute: str) -> None:
    """R6, R7: in every edition."""
    game = rewarding(edition, reward, gone, cells=ONE_CELL)
    before = fetch_o1(game)
    go(game, "1 place 1:a1")
    assert gained(before, supply(game, 1)) == {substitute: 1}
    assert seen(game, "phase") == "play"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("reward", "gone", "choices"),
    [
        ("S4", ("S4",), ["I4", "L4", "O4", "T4"]),  # other shapes of the level
        ("S4", ("S4", "I4", "O4"), ["L4", "T4"]),
        ("S4", LEVEL_4, ["I2", "I3", "L3", "O1"]),  # any lower level; there is none higher
        ("I2", ("I2",), ["I3", "L3", "O1"]),  # any lower level, or the next
        ("I3", LEVEL_3, ["I2", "I4", "L4", "O1", "O4", "S4", "T4"]),
        ("I2", (*LEVEL_3, "I2"), ["I4", "L4", "O1", "O4", "S4", "T4"]),  # the nearest higher that is there
        ("O1", ("I2", "O1"), ["I3", "L3"]),
    ],
)
def test_the_player_chooses_among_substitutes(
    edition: str, reward: str, gone: tuple[str, ...], choices: list[str]
) -> None:
    """R6: a reward that is gone is replaced in the same way in every edition."""
    game = rewarding(edition, reward, *gone, cells=ONE_CELL)
    fetch_o1(game)
    go(game, "1 place 1:a1")
    assert listed(game) == [f"1 reward 1 {choice}" for choice in choices]


def fetch_o1(game: Game) -> dict[str, int]:
    """Seat 1 gains an O1 if it has none; its supply."""
    if "O1" not in supply(game, 1):
        go(game, "1 gain O1")
    return supply(game, 1)


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_open_reward_must_be_settled_first(edition: str) -> None:
    """R24: a substitute must be taken. R31: meanwhile nobody does anything else."""
    game = rewarding(edition, "I2", "I2")
    before = supply(game, 1)
    go(game, "1 place 1:a1b1")
    assert (seen(game, "phase"), seen(game, "to_act"), seen(game, "actions_left")) == ("reward", [1], 2)
    assert (player(game, 1)["completed"], player(game, 1)["puzzles"]) == (["Z01"], [])
    assert supply(game, 1) == before
    for line in ("1 gain O1", "1 take W1", "1 pass"):
        assert refused(game, line) == "reward-open"
    for line in ("1 reward 1 I2", "1 reward 1 S4", "1 reward 2 O1"):
        assert refused(game, line) == "reward"
    assert refused(game, "2 gain O1") == "seat"
    go(game, "1 reward 1 L3")
    assert gained(before, supply(game, 1)) == {"L3": 1}
    assert (seen(game, "phase"), seen(game, "actions_left")) == ("play", 2)


def test_there_is_no_word_for_declining_a_reward() -> None:
    """R24."""
    assert unreadable("players: 2", "1 reward 1 none")[0] == "piece"


def test_a_reward_without_a_completed_card_is_refused() -> None:
    assert refused(table("players: 2"), "1 reward 1 O1") == "nothing-open"


def test_a_reward_that_is_there_is_never_a_choice() -> None:
    game = go(table("players: 2\nwhite: W09"), "1 take W1|1 place 1:c3c4")
    assert seen(game, "phase") == "play"
    assert supply(game, 1) == {"O1": 2, "I2": 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_is_taken_from_an_empty_reserve(edition: str) -> None:
    """All pieces are in the supplies: the puzzle is completed all the same."""
    game = rewarding(edition, "O1", *LEVEL_4, *LEVEL_3, "I2", "O1")
    before = supply(game, 1)
    assert sum(count(game, shape) for shape in BASE) == 0
    go(game, "1 place 1:a1b1")
    assert (supply(game, 1), seen(game, "phase")) == (before, "play")
    assert player(game, 1)["points"] == 3


# Ghosts as rewards


@pytest.mark.parametrize("edition", ["2019", "2023"])
def test_a_ghost_does_not_stand_in_for_a_base_piece(edition: str) -> None:
    """R5: level 4 is gone and level 5 is there, but only lower levels are offered."""
    game = rewarding(edition, "S4", *LEVEL_4, cells=ONE_CELL, modules="ghost")
    fetch_o1(game)
    go(game, "1 place 1:a1")
    assert options(game, "reward 1") == ["I2", "I3", "L3", "O1"]


def ghosts_gone(*ghosts: str) -> Game:
    """All ghosts of some shapes are handed out; seat 1 is about to be due a U5 on place 1."""
    rewards = [ghost for ghost in ghosts for _ in range(10)]
    ids = [f"Z{n:02}" for n in range(len(rewards))]
    cards = [f"card: {name} W 0 {reward} {ONE_CELL}" for name, reward in zip(ids, rewards, strict=True)]
    head = "\n".join(["edition: 2019\nplayers: 2\nmodules: ghost", *cards])
    last = f"card: LAST W 0 U5 {ONE_CELL}"
    # LAST lies in the second slot; the others come one after the other into the first.
    game = table(f"{head}\n{last}\nwhite: {ids[0]} LAST {' '.join(ids[1:])}")
    for slot in ["W1"] * (len(ids) - 2) + ["W3", "W4"]:
        seat = acting(game)
        go(game, f"{seat} take {slot}|{seat} place 1:a1|{seat} pass")
    assert [count(game, ghost) for ghost in ghosts] == [0] * len(ghosts)
    return go(game, "1 take W2|1 place 1:a1")


def test_another_ghost_stands_in_for_a_ghost() -> None:
    """R5: a ghost is what should be taken."""
    assert listed(ghosts_gone("U5")) == ["1 reward 1 L5", "1 reward 1 P5"]


def test_when_all_ghosts_are_gone_any_lower_level_stands_in() -> None:
    assert options(ghosts_gone("U5", "P5", "L5"), "reward 1") == sorted(BASE)
