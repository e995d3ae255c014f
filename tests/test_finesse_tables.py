"""Finesse at the two other tables: solo against the mastermind, and Line Clear (docs/rules.md)."""

import pytest

from projectl import Game
from projectl.core.state import EMPTY
from tests.table import go, idle, listed, part, refused, seen, table, unreadable
from tests.test_finesse_tiles import bank, credits, tiles, turn

SOLO = f"players: 1\nmodules: finesse\n{tiles()}"


def ids(prefix: str, n: int) -> str:
    """The first n ids with a prefix."""
    return " ".join(f"{prefix}{i:02}" for i in range(1, n + 1))


def grid(game: Game) -> str:
    """The nine cards of the grid; `-` is a gap."""
    found = part(game, "solo")["grid"]
    assert isinstance(found, list)
    return " ".join(card or "-" for card in found)


# Solo


def test_solo_setup_has_35_cards() -> None:
    """20 white and 15 black cards, nine of them face up."""
    game = table(SOLO)
    solo = part(game, "solo")
    assert (solo["deck"], solo["locks"], solo["supply"]) == (26, [1, 2, 1], 6)
    assert grid(game) == ids("W", 9)
    assert (part(game, "finesse")["bank"], credits(game)) == (35, (0, 0))


def test_solo_uses_20_white_and_15_black_cards() -> None:
    table(f"{SOLO}\ndeck: {ids('W', 20)} {ids('B', 15)}")
    assert unreadable(f"{SOLO}\ndeck: {ids('W', 21)}") == ("cards-too-many", 4)
    assert unreadable(f"{SOLO}\ndeck: {ids('B', 16)}") == ("cards-too-many", 4)


TWO_CARDS = f"""{SOLO}
card: T3 W 3 O1 .#### ##### ##### ##### #####
deck: W01 W22 W09  T3 W23 W02  W10 W24 W03  W11 W12 W13 W14"""


def test_the_mastermind_takes_the_best_card_and_the_least_of_its_column() -> None:
    """Round 1 unlocks the outer columns. Then T3 (3 points) and, below it, W10 (1) against W01 (2)."""
    game = table(TWO_CARDS, idle(1), idle(1))
    solo = part(game, "solo")
    assert (solo["completed"], solo["points"]) == (["T3", "W10"], 4)


def test_both_gaps_are_refilled_after_both_cards_the_upper_one_first() -> None:
    """In round 3 the first card is W02 below, the second W09 above it: W13 goes up, W14 down."""
    game = table(TWO_CARDS, idle(1), idle(1))
    assert grid(game) == "W01 W22 W09 W11 W23 W02 W12 W24 W03"
    go(game, idle(1))
    assert part(game, "solo")["completed"] == ["T3", "W10", "W02", "W09"]
    assert grid(game) == "W01 W22 W13 W11 W23 W14 W12 W24 W03"


def test_locks_move_once_after_both_cards() -> None:
    """R43: the supply of 6 and one lock go to column 1; in round 3 one of these seven to column 3."""
    game = table(TWO_CARDS, idle(1))
    assert (part(game, "solo")["locks"], part(game, "solo")["supply"]) == ([0, 1, 0], 6)
    go(game, idle(1))
    assert (part(game, "solo")["locks"], part(game, "solo")["supply"]) == ([7, 0, 0], 0)
    go(game, idle(1))
    assert part(game, "solo")["locks"] == [6, 0, 1]


def test_the_upper_card_on_a_tie_for_the_least() -> None:
    """W01 (2 points) is first; W04 and W07 below it have 2 as well."""
    game = table(SOLO, idle(1), idle(1))
    assert part(game, "solo")["completed"] == ["W01", "W04"]


def test_no_second_card_where_the_column_has_none() -> None:
    """The two lower cards of column 1 are taken away by hand."""
    game = table(SOLO, idle(1))
    game.state.row[3] = game.state.row[6] = EMPTY
    go(game, idle(1))
    solo = part(game, "solo")
    assert (solo["completed"], solo["locks"], solo["deck"]) == (["W01"], [7, 0, 0], 25)
    assert grid(game) == "W10 W02 W03 - W05 W06 - W08 W09"


def test_without_finesse_the_mastermind_takes_one_card() -> None:
    game = table("players: 1", idle(1), idle(1))
    assert part(game, "solo")["completed"] == ["W01"]


def test_the_mastermind_gains_no_credits() -> None:
    """It takes two cards in round 3, where each Take of the player pays one."""
    game = table(f"players: 1\nmodules: finesse\n{tiles('FC04')}", idle(1), idle(1), turn(1, "take G|gain O1|gain O1"))
    assert len(game.state.finished) == 4
    assert (credits(game), bank(game)) == ((1, 0), 34)


def test_the_mastermind_waits_until_the_player_passes() -> None:
    """R21 in solo: two active credits hold the turn open."""
    game = table(f"players: 1\nmodules: finesse\n{tiles('FC04')}", idle(1), idle(1), turn(1, "take G|take G|gain O1"))
    before = part(game, "solo")
    go(game, idle(1))
    assert (seen(game, "round"), seen(game, "actions_left"), part(game, "solo")) == (4, 0, before)
    go(game, "1 insert take G1")
    assert (seen(game, "round"), credits(game)) == (5, (0, 0))
    assert part(game, "solo")["completed"] != before["completed"]


def test_solo_ends_after_round_10() -> None:
    game = table(SOLO, *[idle(1)] * 9)
    assert (seen(game, "phase"), seen(game, "round")) == ("play", 10)
    go(game, idle(1))
    assert (seen(game, "phase"), seen(game, "end_triggered")) == ("touches", False)


def take_white(game: Game, n: int) -> None:
    """Take n of the one-cell cards that lie in the grid."""
    for _ in range(n):
        slot = next(slot for slot, card in enumerate(grid(game).split(), 1) if card.startswith("Z"))
        go(game, f"1 take G{slot}")


def test_solo_ends_a_round_after_the_deck_ran_out() -> None:
    """Many small cards, taken fast: the deck is out in round 7, and round 8 is the last one."""
    own = "\n".join(f"card: Z{n:02} W 0 O1 .#### ##### ##### ##### #####" for n in range(1, 21))
    header = f"players: 1\nmodules: finesse\noptions: difficulty=unbeatable\n{tiles()}\n{own}\ndeck: {ids('Z', 20)}"
    game = table(header, "1 take G|1 take G|1 take G", "1 place 1:a1|1 master 2:a1 3:a1|1 take G")
    go(game, "1 take G|1 take G|1 take G", "1 master 1:a1 2:a1 3:a1 4:a1")
    take_white(game, 4)
    go(game, "1 master 1:a1 2:a1 3:a1 4:a1")
    assert (seen(game, "round"), part(game, "solo")["deck"]) == (6, 26 - 11 - 8)
    take_white(game, 3)
    assert (seen(game, "round"), part(game, "solo")["deck"], seen(game, "end_triggered")) == (7, 2, False)
    go(game, "1 gain O1|1 gain O1|1 gain O1")
    assert (seen(game, "round"), part(game, "solo")["deck"], seen(game, "end_triggered")) == (8, 0, True)
    go(game, idle(1))
    assert (seen(game, "phase"), seen(game, "round")) == ("touches", 8)


# Line Clear, five players: in step k the white marker is with seat k + 1, the black one two further.


def steps(first: int, end: int) -> str:
    """Idle steps from `first` on."""
    return "\n".join(idle(k % 5 + 1, (k + 2) % 5 + 1) for k in range(first, end))


def line_clear(tile: str, n: int) -> Game:
    """After n idle steps; `tile` counts in round 3."""
    return table(f"players: 5\nmodules: finesse line_clear\n{tiles(tile)}", steps(0, n))


def test_the_round_changes_when_the_first_player_gets_the_white_marker() -> None:
    """The black marker comes to seat 1 after three steps and changes nothing."""
    game = line_clear("FC04", 3)
    assert (seen(game, "markers"), seen(game, "round")) == ({"white": 4, "black": 1}, 1)
    go(game, steps(3, 5))
    assert (seen(game, "markers"), seen(game, "round")) == ({"white": 1, "black": 3}, 2)


def test_the_tile_of_round_3_counts_from_the_eleventh_step_to_the_fifteenth() -> None:
    game = go(line_clear("FC04", 9), "5 take WL1|2 take WR1")
    assert (seen(game, "round"), credits(game, 5), credits(game, 2)) == (2, (0, 0), (0, 0))
    game = go(line_clear("FC04", 14), "5 take WL1|2 take WR1")
    assert (seen(game, "round"), credits(game, 5), credits(game, 2)) == (3, (0, 1), (0, 1))
    game = go(line_clear("FC04", 15), "1 take WL1|3 take WR1")
    assert (seen(game, "round"), credits(game, 1), credits(game, 3)) == (4, (0, 0), (0, 0))


def test_each_holders_credits_become_active_at_their_own_end() -> None:
    """R33: seat 1 is done, seat 3 is still at it."""
    game = go(line_clear("FC04", 10), "3 take BR1|1 take WL1|1 take WL2")
    assert (credits(game, 1), credits(game, 3)) == ((0, 2), (0, 1))
    go(game, "1 take BL1")
    assert (seen(game, "to_act"), credits(game, 1), credits(game, 3)) == ([3], (3, 0), (0, 1))
    go(game, "3 gain O1|3 gain O1")
    assert (credits(game, 3), seen(game, "markers")) == ((1, 0), {"white": 2, "black": 4})


def test_end_of_turn_tiles_are_looked_at_at_each_holders_own_end() -> None:
    """R33: one unfinished puzzle of seat 3 pays when seat 3 is done, before seat 1 is."""
    game = go(line_clear("FC01", 10), "3 take BR1|3 gain O1|3 gain O1")
    assert (seen(game, "to_act"), credits(game, 3)) == ([1], (1, 0))


def test_a_holder_may_insert_and_the_markers_wait() -> None:
    """Seat 1 earned three as the white holder; three steps later it holds the black marker."""
    game = go(line_clear("FC04", 10), "1 take WL1|1 take WL1|1 take WL1", idle(3), steps(11, 13), idle(4))
    assert (seen(game, "to_act"), credits(game, 1)) == ([1], (3, 0))
    assert refused(game, "1 insert take WL1") == "other-side"
    go(game, idle(1))
    assert (seen(game, "to_act"), seen(game, "markers")) == ([1], {"white": 4, "black": 1})
    assert {line.split()[1] for line in listed(game)} == {"insert", "pass"}
    go(game, "1 insert take BR1")
    assert (seen(game, "markers"), credits(game, 1)) == ({"white": 5, "black": 2}, (2, 0))


@pytest.mark.parametrize("first", ["white", "black"])
def test_round_10_ends_when_the_white_marker_arrives_at_the_first_player(first: str) -> None:
    """R38: fifty steps, whoever finishes the last of them."""
    game = line_clear("FC04", 49)
    assert (seen(game, "phase"), seen(game, "round")) == ("play", 10)
    holders = (5, 2) if first == "white" else (2, 5)
    go(game, idle(holders[0]))
    assert seen(game, "phase") == "play"
    go(game, idle(holders[1]))
    assert (seen(game, "phase"), seen(game, "round"), seen(game, "to_act")) == ("touches", 10, [1, 2, 3, 4, 5])
    assert (seen(game, "markers"), seen(game, "end_triggered")) == ({"white": 1, "black": 3}, False)
