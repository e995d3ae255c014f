"""Place and Master: pieces onto puzzles."""

import pytest

from projectl import Game
from tests.table import go, idle, listed, player, refused, seen, supply, table, unreadable

EDITIONS = ("2019", "2020", "2023")

# Recesses: one cell a1 (three cards), two cells a1b1, three in a row, a 2x2 square.
CARDS = """
    card: ONE W 1 I3 .#### ##### ##### ##### #####
    card: ALSO W 1 L3 .#### ##### ##### ##### #####
    card: MORE W 1 I4 .#### ##### ##### ##### #####
    card: TWO W 1 S4 ..### ##### ##### ##### #####
    card: THREE W 1 T4 ...## ##### ##### ##### #####
    card: SQUARE W 1 O4 ..### ..### ##### ##### #####"""


def holding(*cards: str, edition: str = "2023") -> Game:
    """Seat 1 begins its second turn with O1, I2 and up to three cards on places 1, 2 and 3."""
    game = table(f"edition: {edition}\nplayers: 2{CARDS}\nwhite: {' '.join(cards)}")
    for slot in range(1, len(cards) + 1):
        go(game, f"1 take W{slot}")
    while seen(game, "to_act") == [1]:
        go(game, "1 recycle B" if edition == "2023" else "1 pass")
    return go(game, idle(2))


def puzzle(game: Game, place: int) -> dict[str, object]:
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    found = {entry["place"]: entry for entry in puzzles}[place]
    assert isinstance(found, dict)
    return found


# Place


@pytest.mark.parametrize("edition", EDITIONS)
def test_one_piece_of_the_supply_goes_into_a_recess(edition: str) -> None:
    game = go(holding("SQUARE", edition=edition), "1 place 1:b1b2")
    assert supply(game, 1) == {"O1": 1}
    assert puzzle(game, 1)["pieces"] == [{"piece": "I2", "cells": ["b1", "b2"]}]
    assert puzzle(game, 1)["empty"] == ["a1", "a2"]
    assert seen(game, "actions_left") == 2


def test_a_placed_piece_stays_where_it_is() -> None:
    """It is in the supply no more, no action lifts it, and it lies there in the next turn."""
    game = go(holding("SQUARE"), "1 place 1:b1b2|1 recycle B|1 recycle B", idle(2))
    assert puzzle(game, 1)["pieces"] == [{"piece": "I2", "cells": ["b1", "b2"]}]
    assert refused(game, "1 place 1:a1a2") == "not-owned"
    assert refused(game, "1 upgrade I2 O1") == "not-owned"
    verbs = {line.split()[1] for line in listed(game)}
    assert verbs == {"gain", "master", "place", "recycle", "take", "upgrade"}


def test_a_piece_must_lie_wholly_in_the_recess() -> None:
    game = holding("TWO", "ONE")
    assert refused(game, "1 place 1:b1c1") == "outside"
    assert refused(game, "1 place 1:a2") == "outside"
    assert refused(game, "1 place 2:a1b1") == "outside"


def test_pieces_do_not_overlap() -> None:
    game = go(holding("THREE"), "1 place 1:a1b1")
    assert refused(game, "1 place 1:b1") == "overlap"
    go(game, "1 gain O1|1 place 1:c1")
    assert player(game, 1)["completed"] == ["THREE"]


def test_a_piece_must_be_in_the_supply() -> None:
    game = holding("THREE", "SQUARE")
    assert refused(game, "1 place 1:a1b1c1") == "not-owned"
    assert refused(game, "1 place 2:a1b1a2b2") == "not-owned"


def test_a_ghost_is_not_placed_without_its_module() -> None:
    game = holding("SQUARE")
    assert refused(game, "1 place 1:a1b1a2b2a3") == "ghost-module"


def test_only_ones_own_puzzles_are_filled() -> None:
    """Seat 1 has a card on place 1, seat 2 has none."""
    game = table(f"players: 2{CARDS}\nwhite: ONE", "1 take W1|1 gain O1|1 gain O1")
    assert refused(game, "2 place 1:a1") == "no-puzzle"
    assert refused(go(game, idle(2)), "1 place 2:a1") == "no-puzzle"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("place", "form"),
        ("place 1:a1 2:a1", "form"),
        ("place 5:a1", "placement"),
        ("place 0:a1", "placement"),
        ("place 1:f1", "placement"),
        ("place 1:a6", "placement"),
        ("place a1", "placement"),
        ("place 1:", "placement"),
        ("place 1:a1a1", "cell-twice"),
        ("place 1:a1c1", "no-such-piece"),
    ],
)
def test_a_placement_that_cannot_be_read(text: str, code: str) -> None:
    assert unreadable("players: 2", f"1 {text}") == (code, 2)


# Master


@pytest.mark.parametrize("edition", EDITIONS)
def test_master_places_up_to_one_piece_on_each_puzzle_as_one_action(edition: str) -> None:
    game = go(holding("THREE", "SQUARE", edition=edition), "1 master 1:a1b1 2:a1")
    assert puzzle(game, 1)["pieces"] == [{"piece": "I2", "cells": ["a1", "b1"]}]
    assert puzzle(game, 2)["pieces"] == [{"piece": "O1", "cells": ["a1"]}]
    assert supply(game, 1) == {}
    assert (seen(game, "actions_left"), seen(game, "master_used")) == (2, True)


def test_master_reaches_all_four_puzzles() -> None:
    head = f"players: 2{CARDS}\nwhite: ONE ALSO MORE THREE"
    game = table(head, "1 take W1|1 take W2|1 take W3", idle(2), "1 take W4|1 gain O1|1 gain O1", idle(2))
    go(game, "1 master 1:a1 2:a1 3:a1 4:b1c1")
    assert player(game, 1)["completed"] == ["ONE", "ALSO", "MORE"]
    assert puzzle(game, 4)["empty"] == ["a1"]


def test_master_may_leave_puzzles_out() -> None:
    game = go(holding("ONE", "THREE", "SQUARE"), "1 master 1:a1 3:a1b1")
    assert player(game, 1)["completed"] == ["ONE"]
    assert puzzle(game, 2)["pieces"] == []


def test_the_order_of_the_placements_does_not_matter() -> None:
    first, second = (go(holding("THREE", "SQUARE"), f"1 master {text}") for text in ("1:a1b1 2:a1", "2:a1 1:a1b1"))
    assert first.state.key() == second.state.key()


def test_never_two_pieces_on_one_puzzle() -> None:
    assert refused(holding("THREE", "SQUARE"), "1 master 1:a1b1 1:c1") == "place-twice"


def test_master_needs_at_least_one_piece() -> None:
    """R4."""
    assert unreadable("players: 2", "1 master") == ("form", 2)


def test_master_with_a_single_piece_counts() -> None:
    """R4: one is enough, and the once-a-turn limit is used up."""
    game = go(holding("THREE"), "1 master 1:a1b1")
    assert refused(game, "1 master 1:c1") == "master-used"


@pytest.mark.parametrize("edition", EDITIONS)
def test_master_is_possible_once_a_turn_and_place_still_is(edition: str) -> None:
    game = go(holding("THREE", edition=edition), "1 master 1:a1b1|1 upgrade O1 I2|1 upgrade I2 O1", idle(2))
    assert seen(game, "master_used") is False
    go(game, "1 master 1:c1")
    assert player(game, 1)["completed"] == ["THREE"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_second_master_in_a_turn_is_refused(edition: str) -> None:
    game = go(holding("THREE", "SQUARE", edition=edition), "1 master 1:a1b1")
    assert refused(game, "1 master 2:a1") == "master-used"
    assert "1 place 2:a1" in listed(game)


def test_every_piece_was_in_the_supply_when_the_action_began() -> None:
    """ONE would give its O1 back, but only when the action is over."""
    game = holding("ONE", "ALSO")
    assert refused(game, "1 master 1:a1 2:a1") == "not-owned"
    go(game, "1 gain O1|1 master 1:a1 2:a1")
    assert player(game, 1)["completed"] == ["ONE", "ALSO"]


def test_a_reward_of_the_same_master_cannot_be_placed_by_it() -> None:
    """ONE would bring an I3, which fits on THREE; a later Place may use it."""
    game = holding("ONE", "THREE")
    assert refused(game, "1 master 1:a1 2:a1b1c1") == "not-owned"
    go(game, "1 master 1:a1|1 place 2:a1b1c1")
    assert player(game, 1)["completed"] == ["ONE", "THREE"]


def test_one_piece_is_not_placed_twice() -> None:
    assert refused(holding("THREE", "SQUARE"), "1 master 1:a1b1 2:a1b1") == "not-owned"


@pytest.mark.parametrize(
    ("text", "code"),
    [("1:c1d1", "outside"), ("2:a1 3:b1c1", "outside"), ("1:a1b1c1", "not-owned"), ("4:a1", "no-puzzle")],
)
def test_every_placement_of_a_master_follows_the_rules_of_place(text: str, code: str) -> None:
    assert refused(holding("THREE", "ONE", "TWO"), f"1 master {text}") == code


def test_master_where_nothing_fits() -> None:
    """No puzzle at all; and a puzzle with no room for what is left."""
    assert refused(table("players: 2"), "1 master 1:a1") == "no-placement"
    game = go(holding("THREE"), "1 place 1:a1b1|1 upgrade O1 I2")
    assert refused(game, "1 master 1:c1") == "no-placement"


def test_all_masters_are_listed_on_request() -> None:
    """ONE takes the O1; TWO takes the O1 in two ways or the I2: 3 + 1 alone, and ONE with the I2."""
    masters = [line for line in listed(holding("ONE", "TWO"), every=True) if line.startswith("1 master")]
    assert masters == ["1 master 1:a1", "1 master 1:a1 2:a1b1", "1 master 2:a1", "1 master 2:a1b1", "1 master 2:b1"]
