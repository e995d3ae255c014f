"""Line Clear: the end, the limit on black cards, stalemate and turns without an action."""

import re

import pytest

from projectl import Game
from tests.table import go, idle, listed, part, player, refused, seen, supply, table

CELL = ".#### ##### ##### ##### #####"
FIVE = {edition: f"edition: {edition}\nplayers: 5\nmodules: line_clear" for edition in ("2019", "2023")}
FOUR = "edition: 2019\nplayers: 4\nmodules: line_clear"


def thrice(seat: int, action: str) -> str:
    return "|".join([f"{seat} {action}"] * 3)


def once(seat: int, action: str) -> str:
    """One action, and two Upgrades that change nothing."""
    return f"{seat} {action}|{seat} upgrade I2 L3|{seat} upgrade L3 I2"


# Five players, until seat 2 holds white and seat 4 black for the second time: two black cards are left in the deck,
# and neither of them has a puzzle yet.
TWO_LEFT = [
    *(thrice(1, "take BL1"), thrice(3, "take BR1")),
    idle(2, 4),
    *(once(3, "take BL1"), thrice(5, "take BR1")),
    *(idle(4), once(1, "take BR1")),
    *(once(5, "take BL1"), idle(2)),
    idle(1, 3),
]


def markers(game: Game) -> tuple[object, object]:
    return part(game, "markers")["white"], part(game, "markers")["black"]


def where(game: Game) -> tuple[object, object, object]:
    return seen(game, "phase"), part(game, "markers")["white"], part(game, "markers")["black"]


# The end


@pytest.mark.parametrize("edition", ["2019", "2023"])
def test_the_printed_example_of_five(edition: str) -> None:
    """Vicky (2) and David (4) empty the deck. Two passes later Paul (1) has black, two more and he has white.

    Nobody has completed anything; in 2023 the black cards that lie about cost their points.
    """
    game = table(FIVE[edition], *TWO_LEFT)
    assert (markers(game), part(game, "decks")["B"], seen(game, "end_triggered")) == ((2, 4), 2, False)
    go(game, once(2, "take BL1"), "4 take BR1")
    assert (part(game, "decks")["B"], seen(game, "end_triggered")) == (0, True)
    go(game, "4 upgrade I2 L3|4 upgrade L3 I2")
    assert where(game) == ("play", 3, 5)
    assert where(go(game, idle(3, 5))) == ("play", 4, 1)
    assert where(go(game, idle(4, 1))) == ("play", 5, 2)
    go(game, idle(2), "5 upgrade I2 L3|5 upgrade L3 I3")
    assert seen(game, "phase") == "play"
    go(game, "5 upgrade I3 I2")
    assert (seen(game, "phase"), seen(game, "to_act")) == ("touches", [1, 2, 3, 4, 5])
    go(game, "3 done|1 done|5 done|2 done|4 done")
    unfinished = [-(5 + 4 + 4 + 3), -3, -(5 + 4 + 4 + 4), -3, -(4 + 3 + 3 + 3)]
    assert seen(game, "phase") == "over"
    assert part(game, "result")["scores"] == ([0] * 5 if edition == "2019" else unfinished)
    assert part(game, "result")["winners"] == ([1, 2, 3, 4, 5] if edition == "2019" else [2, 4])


@pytest.mark.parametrize(("edition", "module"), [("2019", "ghost"), ("2023", "ghost"), ("2023", "phoenix")])
def test_six_players(edition: str, module: str) -> None:
    """Seats 3 and 6 take the last of 24 cards: the next pass brings black to seat 1, three more bring white."""
    own = [f"card: Y{n} B 3 O1 {CELL}" for n in range(1, 5)]
    names = " ".join([f"B{n:02}" for n in range(1, 21)] + ["Y1", "Y2", "Y3", "Y4"])
    header = "\n".join(
        [f"edition: {edition}", "players: 6", f"modules: line_clear {module}", *own, f"black: {names}"],
    )
    game = table(header)
    for white, black in ((1, 4), (2, 5), (3, 6)):
        assert (markers(game), seen(game, "end_triggered")) == ((white, black), False)
        go(game, thrice(white, "take BL1"), thrice(black, "take BR1"))
    assert (seen(game, "end_triggered"), where(game)) == (True, ("play", 4, 1))
    assert where(go(game, idle(4, 1))) == ("play", 5, 2)
    assert where(go(game, idle(5, 2))) == ("play", 6, 3)
    assert seen(go(game, idle(6, 3)), "phase") == "touches"


def test_a_white_marker_held_when_the_deck_empties_must_come_round_again() -> None:
    """R41: seat 1 takes the last card with the white marker. Black arrives after two passes, white after four."""
    game = table(FOUR, thrice(1, "take BL1"), thrice(3, "take BR1"), thrice(2, "take BL1"), idle(4), idle(3, 1))
    go(game, idle(4, 2), once(1, "take BL1"))
    assert (seen(game, "end_triggered"), markers(game)) == (True, (1, 3))
    assert where(go(game, idle(3))) == ("play", 2, 4)
    assert where(go(game, idle(2, 4))) == ("play", 3, 1)
    assert where(go(game, idle(3, 1))) == ("play", 4, 2)
    assert seen(go(game, idle(4, 2)), "phase") == "touches"


def test_a_black_marker_held_when_the_deck_empties_must_come_round_again() -> None:
    """R41 with the other marker: white arrives first, then black."""
    game = table(FOUR, thrice(1, "take BL1"), thrice(3, "take BR1"), thrice(2, "take BL1"), idle(4))
    go(game, once(1, "take BR1"))
    assert (seen(game, "end_triggered"), markers(game)) == (True, (3, 1))
    assert where(go(game, idle(3))) == ("play", 4, 2)
    assert where(go(game, idle(4, 2))) == ("play", 1, 3)
    assert where(go(game, idle(1, 3))) == ("play", 2, 4)
    assert seen(go(game, idle(2, 4)), "phase") == "touches"


# One black card a turn


@pytest.mark.parametrize("last", ["BL1", "B"])
def test_the_limit_meets_the_other_holder_in_mid_turn(last: str) -> None:
    """R39, 2023: neither the Take that empties the deck nor one before it counts; each may take one more."""
    game = table(FIVE["2023"], *TWO_LEFT, "4 take BR1", f"2 take {last}")
    assert (seen(game, "end_triggered"), part(game, "decks")["B"]) == (True, 0)
    go(game, "4 take BR2|2 take BL2")
    assert refused(game, "4 take BR1") == "black-limit"
    assert refused(game, "2 take BL3") == "black-limit"
    go(game, "4 take WR1|2 take WL1")
    assert markers(game) == (3, 5)


def test_the_limit_starts_anew_with_each_turn() -> None:
    """Seat 4 has white two steps later and takes one from the left rows, and no more."""
    game = table(FIVE["2023"], *TWO_LEFT, once(2, "take BL1"), "4 take BR1|4 take BR1|4 gain O1", idle(3, 5))
    go(game, "4 take BL1")
    assert refused(game, "4 take BL2") == "black-limit"


def test_gaps_in_the_black_rows_stay() -> None:
    game = table(FIVE["2023"], *TWO_LEFT, "4 take BR1|2 take BL1|2 take BL2")
    rows = part(game, "rows")["BL"]
    assert isinstance(rows, list)
    assert [card is None for card in rows] == [False, True, False]
    assert refused(game, "2 recycle BL") == "deck-empty"


def test_2019_knows_no_limit() -> None:
    game = table(FIVE["2019"], *TWO_LEFT, "4 take BR1|2 take BL1|2 take BL2|2 take BL3|4 take BR2|4 take BR3")
    assert (seen(game, "end_triggered"), markers(game)) == (True, (3, 5))


# Stalemate and the limit of rounds


PASSES = [f"{seat} pass" for seat in (1, 3, 2, 4, 3, 1, 4, 2)]


def test_a_round_of_nothing_but_passes_ends_the_game() -> None:
    """R18, R22: the round is the white marker's, so everybody has passed twice. It triggers nothing."""
    game = table(FOUR, *PASSES[:-1])
    assert seen(game, "phase") == "play"
    go(game, PASSES[-1])
    assert (seen(game, "phase"), seen(game, "round"), seen(game, "end_triggered")) == ("touches", 1, False)


@pytest.mark.parametrize("busy", range(8))
def test_one_action_of_either_holder_keeps_the_game_going(busy: int) -> None:
    """R22, whichever of the eight turns it is in. The quiet round that follows ends the game then."""
    game = table(FOUR, *PASSES[:busy], f"{PASSES[busy][0]} gain O1", *PASSES[busy:])
    assert (seen(game, "phase"), seen(game, "round")) == ("play", 2)
    go(game, *PASSES)
    assert (seen(game, "phase"), seen(game, "round")) == ("touches", 2)


def test_a_skipped_turn_is_quiet_too() -> None:
    """R22: five white holders recycle, five black holders can do nothing, and the round ends the game.

    Everybody has four unfinished puzzles; that no piece is within reach is set by hand.
    """
    game = table(FIVE["2023"], thrice(1, "take WL1"), thrice(3, "take WR1"), thrice(2, "take WL1"))
    go(game, thrice(4, "take WR1"), once(3, "take WL1"), thrice(5, "take WR1"), once(4, "take WL1"))
    go(game, once(1, "take WR1"), once(5, "take WL1"), once(2, "take WR1"))
    assert (seen(game, "round"), markers(game)) == (2, (1, 3))
    game.state.reserve = 0
    for owner in game.state.players:
        owner.supply = 0
    for seat in (1, 2, 3, 4, 5):
        assert (seen(game, "phase"), part(game, "markers")["white"]) == ("play", seat)
        go(game, thrice(seat, "recycle WL"))
    assert (seen(game, "phase"), seen(game, "round"), seen(game, "end_triggered")) == ("touches", 2, False)


@pytest.mark.parametrize(("header", "players"), [(FOUR, 4), (FIVE["2023"], 5)])
def test_a_limit_of_rounds_holds_in_line_clear(header: str, players: int) -> None:
    """R23: at the end of the white marker's round; R22: without triggering the end."""
    game = table(f"{header}\noptions: max_rounds=1")
    for seat in range(players):
        assert seen(game, "phase") == "play"
        go(game, idle(seat + 1, (seat + 2) % players + 1))
    assert (seen(game, "phase"), seen(game, "end_triggered")) == ("touches", False)


# A turn with nothing to do


def any_gain(game: Game, seat: int) -> str:
    return next(line for line in listed(game) if line.startswith(f"{seat} gain"))


def exchange(game: Game, seat: int) -> str:
    """One level-4 piece for another."""
    return next(line for line in listed(game) if re.match(rf"{seat} upgrade .4 .4", line))


def last_five_pieces() -> Game:
    """Round 6 begins, five pieces are in the reserve, and seat 3 has four one-cell puzzles and two large pieces.

    Everybody else gains three pieces in each turn: 24 a round, 120 of the 125.
    """
    cards = "\n".join(f"card: Z{n} W 0 O1 {CELL}" for n in range(1, 5))
    game = table(f"{FIVE['2023']}\n{cards}\nwhite: Z4 W01 W02 Z1 Z2 Z3")
    own = {0: "3 take WR1|3 take WR2|3 take WR3", 2: "3 take WL1|3 upgrade O1 I2|3 upgrade I2 L3"}
    own[5] = "3 upgrade I2 L3|3 upgrade L3 T4|3 upgrade L3 T4"
    for step in range(25):
        for seat in (step % 5 + 1, (step + 2) % 5 + 1):
            if seat == 3 and step in own:
                go(game, own[step])
                continue
            for _ in range(3):
                go(game, exchange(game, 3) if seat == 3 else any_gain(game, seat))
    return game


def test_a_holder_with_no_action_left_to_take_is_skipped() -> None:
    """R20: after an action of the other holder, and at the start of a step.

    Seat 3 has no room for a card, no piece that fits, and may not Recycle; what remains is to gain. When seat 1
    takes the last piece, the turn of seat 3 is over with an action left.
    """
    game = last_five_pieces()
    assert (markers(game), sum(int(str(n)) for n in part(game, "reserve").values())) == ((1, 3), 5)
    go(game, any_gain(game, 3))
    go(game, any_gain(game, 3))
    go(game, any_gain(game, 1))
    go(game, any_gain(game, 1))
    assert (seen(game, "to_act"), part(game, "actions_left")) == ([1, 3], {"1": 1, "3": 1})
    go(game, any_gain(game, 1))
    assert (markers(game), seen(game, "to_act")) == ((2, 4), [2, 4])
    for white, black in ((2, 4), (3, 5), (4, 1), (5, 2)):
        go(game, thrice(white, "recycle WL"), thrice(black, "take WR1"))
    assert (markers(game), seen(game, "to_act")) == ((1, 3), [1])
    assert part(game, "actions_left") == {"1": 3, "3": 0}
    assert sum(supply(game, 3).values()) == 4
    puzzles = player(game, 3)["puzzles"]
    assert isinstance(puzzles, list)
    assert len(puzzles) == 4
    go(game, thrice(1, "recycle WL"))
    assert markers(game) == (2, 4)
