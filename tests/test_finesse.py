"""Finesse: the row of tiles, credits coming and going, Insert, the end, touches and ties (docs/rules.md)."""

import pytest

from projectl import Game
from projectl.core import finesse
from tests.table import go, idle, listed, part, player, refused, seen, supply, table
from tests.test_finesse_tiles import IDLE, bank, credits, own_cards, round_3, tiles, turn


def round_4(first: str, *row: str, white: str = "", modules: str = "", options: str = "") -> Game:
    """Seat 1 is to begin round 4; in round 3, where the first tile of `row` counts, it played `first`."""
    header = f"players: 2\nmodules: finesse finesse_ambassador {modules}\n{tiles(*row)}\n{own_cards(white)}"
    return table(f"{header}\n{options}\nwhite: {white}", idle(1, 2), idle(1, 2), turn(1, first), idle(2))


def with_credits(n: int, white: str = "", modules: str = "") -> Game:
    """Seat 1 has n active credits (0 to 3, one for each Take in round 3) at the beginning of round 4."""
    first = "|".join(["take W1"] * n + ["gain O1"] * (3 - n))
    game = round_4(first, "FC04", white=white, modules=modules)
    assert (credits(game), bank(game)) == ((n, 0), 35 - n)
    return game


# The row


def test_setup_two_tiles_face_down_and_35_credits() -> None:
    """Without a seed the ten lie in id order: 2 of A, 2 of B, 6 of C."""
    game = table("players: 2\nmodules: finesse")
    assert part(game, "finesse") == {
        "tiles": [None, None, "FB01", "FB02", "FC01", "FC02", "FC03", "FC04", "FC05", "FC06"],
        "bank": 35,
    }
    assert [credits(game, seat) for seat in (1, 2)] == [(0, 0), (0, 0)]


def test_nothing_counts_in_rounds_1_and_2() -> None:
    """Two tiles that would pay for every Take and every Gain lie first, face down."""
    header = "players: 2\nmodules: finesse\nfinesse: FC04 FC09 FA01 FA02 FB01 FB02 FC02 FC03 FC06 FC08"
    game = table(header, turn(1, "take W1|take B|gain O1"), idle(2), turn(1, "take W1|gain O1|gain O1"), idle(2))
    assert (seen(game, "round"), credits(game), bank(game)) == (3, (0, 0), 35)


def test_a_tile_counts_for_everybody_in_its_round_and_no_longer() -> None:
    game = go(round_3("FC04"), turn(1, "take W1|gain O1|gain O1"), turn(2, "take W1|take W1|gain O1"))
    assert (seen(game, "round"), credits(game, 1), credits(game, 2)) == (4, (1, 0), (2, 0))
    go(game, "1 take W1")
    assert (credits(game, 1), bank(game)) == ((1, 0), 32)


def test_the_tenth_tile_counts_in_round_10() -> None:
    header = "players: 2\nmodules: finesse\nfinesse: FC01 FC05 FA01 FA02 FB01 FB02 FC02 FC03 FC06 FC04"
    game = table(header, *[idle(1, 2)] * 8)
    assert credits(go(game, idle(1, 2), "1 take W1")) == (0, 1)


# Credits


def test_credits_are_inactive_until_the_turn_ends() -> None:
    """Two credits of this turn cannot be spent in it."""
    game = go(round_3("FC04"), "1 take W1|1 take W1")
    assert credits(game) == (0, 2)
    assert refused(game, "1 insert gain O1") == "credits"
    assert credits(go(game, "1 gain O1")) == (2, 0)


def test_three_credits_of_this_turn_do_not_make_it_wait() -> None:
    """R21: only active credits could be inserted."""
    game = go(round_3("FC04"), "1 take W1|1 take W1|1 take W1")
    assert (seen(game, "to_act"), credits(game)) == ([2], (3, 0))


def five_players() -> Game:
    """Everybody got 4 credits in round 3 (XC1); the bank has 15, and XC5 gives 4 more each in round 4."""
    modules = "modules: finesse finesse_ambassador"
    game = table(f"players: 5\n{modules}\n{tiles('XC1', 'XC5', 'FC04')}", *[idle(1, 2, 3, 4, 5)] * 3)
    assert ([credits(game, seat) for seat in range(1, 6)], bank(game)) == ([(4, 0)] * 5, 15)
    return game


def test_an_empty_bank_takes_one_from_each_of_the_richest() -> None:
    """R36: seat 4 gets three of the bank; for its fourth, the seats 1 to 3 with eight return one each."""
    game = go(five_players(), *[f"{idle(seat)}|{seat} pass" for seat in (1, 2, 3)])
    assert ([credits(game, seat)[0] for seat in range(1, 6)], bank(game)) == ([8, 8, 8, 4, 4], 3)
    go(game, f"{idle(4)}|4 pass")
    assert ([credits(game, seat) for seat in range(1, 6)], bank(game)) == ([(7, 0)] * 3 + [(8, 0), (4, 0)], 2)


def test_credits_are_paid_one_at_a_time_and_the_gainer_may_return_one() -> None:
    """R36: two of the bank; then seat 4, alone the richest, returns; then all five have seven and return."""
    game = go(five_players(), *[f"{idle(seat)}|{seat} pass" for seat in (1, 2, 3, 4, 5)])
    assert ([credits(game, seat) for seat in range(1, 6)], bank(game)) == ([(6, 0)] * 4 + [(7, 0)], 4)


def test_who_must_return_a_credit_gives_an_inactive_one_first() -> None:
    """R36: with eight each, seat 1 and the taker return; the taker keeps all six active ones."""
    game = go(five_players(), *[f"{idle(seat)}|{seat} pass" for seat in (1, 2, 3, 4, 5)])
    go(game, "1 take W1|1 take W1|1 take W1|1 pass|2 take W1")
    assert (credits(game, 1), credits(game, 2), bank(game)) == ((9, 0), (6, 1), 0)
    go(game, "2 take W1")
    assert (credits(game, 1), credits(game, 2), bank(game)) == ((8, 0), (6, 2), 0)
    go(game, "2 take W1")
    assert (credits(game, 1), credits(game, 2), bank(game)) == ((7, 0), (6, 2), 1)


def test_inactive_credits_count_when_the_richest_is_looked_for() -> None:
    """R36: four players with eight each, three in the bank, four due: seat 1 returns one and takes it back."""
    modules = "modules: finesse finesse_ambassador"
    game = table(f"players: 4\n{modules}\n{tiles('XC1', 'XC5', 'FC01')}", *[idle(1, 2, 3, 4)] * 3)
    go(game, "1 take W1|1 upgrade I2 L3|1 upgrade L3 I2|1 pass", *[f"{idle(seat)}|{seat} pass" for seat in (2, 3, 4)])
    assert ([credits(game, seat) for seat in range(1, 5)], bank(game)) == ([(8, 0)] * 4, 3)
    go(game, "1 take W1|1 take W1|1 take W1|1 pass")
    assert ([credits(game, seat) for seat in range(1, 5)], bank(game)) == ([(11, 0)] + [(8, 0)] * 3, 0)


def test_no_credit_is_taken_where_nobody_can_return_one() -> None:
    """R15. With 35 credits somebody always can, so the bank is emptied by hand here."""
    game = round_3("FC04")
    game.state.bank = 0
    finesse.pay(game.state, 0, 2)
    go(game, "1 take W1")
    assert (credits(game), bank(game)) == ((0, 0), 0)


# Insert


@pytest.mark.parametrize(
    "action",
    [
        "take W1",
        "take B",
        "recycle W",
        "gain O1",
        "upgrade I2 L3",
        "place 1:a1",
        "master 1:a1",
        "master 1:a1 2:a1b1",
        "ghost U5 I2 L3",
        "ghost U5 I2 L3 1:a1b1",
        "ambassador 1:a1 2:a1b1",
    ],
)
def test_insert_pays_two_active_credits_for_any_action(action: str) -> None:
    """R34: before the first action; the three actions of the turn remain."""
    header = f"players: 2\nmodules: finesse ghost ambassador\n{tiles('FC04')}\n{own_cards('ZU5 ZM E1 E2')}"
    game = table(f"{header}\nwhite: ZU5 ZM E1 E2", turn(1, "take W1|place 1:a1|take W2"), idle(2))
    go(game, turn(1, "place 1:a1|gain O1|gain O1"), idle(2), turn(1, "take W3|take W4|gain O1"), idle(2))
    assert (credits(game), bank(game), seen(game, "actions_left")) == ((2, 0), 33, 3)
    assert f"1 insert {action}" in listed(game, every=True)
    go(game, f"1 insert {action}")
    assert (credits(game), bank(game), seen(game, "actions_left")) == ((0, 0), 35, 3)
    assert seen(game, "to_act") == [1]


def test_insert_between_two_actions() -> None:
    game = go(with_credits(2), "1 gain O1|1 insert gain O1")
    assert (credits(game), seen(game, "actions_left"), supply(game, 1)["O1"]) == ((0, 0), 2, 4)


def test_a_turn_with_two_active_credits_waits_after_its_last_action() -> None:
    """R21, R34: only an Insert or pass is possible then."""
    game = go(with_credits(2), idle(1))
    assert (seen(game, "to_act"), seen(game, "actions_left")) == ([1], 0)
    assert refused(game, "1 gain O1") == "no-actions"
    assert refused(game, "1 take W1") == "no-actions"
    assert {line.split()[1] for line in listed(game)} == {"insert", "pass"}
    go(game, "1 pass")
    assert (seen(game, "to_act"), credits(game)) == ([2], (2, 0))


def test_the_turn_ends_by_itself_once_nothing_can_be_inserted() -> None:
    game = go(with_credits(2), idle(1), "1 insert gain O1")
    assert (seen(game, "to_act"), credits(game)) == ([2], (0, 0))


def test_insert_any_number_of_times() -> None:
    """Four credits (XC1 in round 3) are two Inserts."""
    game = go(round_4(IDLE, "XC1"), idle(1), "1 insert gain O1")
    assert (seen(game, "to_act"), credits(game)) == ([1], (2, 0))
    go(game, "1 insert gain O1")
    assert (seen(game, "to_act"), credits(game), supply(game, 1)["O1"]) == ([2], (0, 0), 3)


@pytest.mark.parametrize("n", [0, 1])
def test_with_fewer_than_two_active_credits_there_is_no_insert_and_no_waiting(n: int) -> None:
    game = with_credits(n)
    assert refused(game, "1 insert gain O1") == "credits"
    go(game, idle(1))
    assert seen(game, "to_act") == [2]


@pytest.mark.parametrize("n", [0, 2])
def test_pass_before_the_last_action_is_refused(n: int) -> None:
    """R21: credits change nothing about the three actions of a 2023 turn."""
    game = with_credits(n)
    assert refused(game, "1 pass") == "must-act"
    go(game, "1 gain O1|1 gain O1")
    assert refused(game, "1 pass") == "must-act"


def test_insert_only_in_ones_own_turn() -> None:
    game = go(round_4(IDLE, "XC1"))
    assert credits(game, 2) == (4, 0)
    assert refused(game, "2 insert gain O1") == "seat"


@pytest.mark.parametrize(("first", "second"), [("master", "insert master"), ("insert master", "master")])
def test_master_stays_once_a_turn(first: str, second: str) -> None:
    game = with_credits(3, "E1 E2 E3")
    game = go(game, f"1 {first} 1:a1")
    assert seen(game, "master_used") is True
    assert refused(game, f"1 {second} 1:a2b2") == "master-used"


def test_insert_needs_the_module() -> None:
    assert refused(table("players: 2"), "1 insert gain O1") == "finesse-module"


def test_an_insert_that_is_not_possible_costs_nothing() -> None:
    game = with_credits(2)
    assert refused(game, "1 insert upgrade O1 I4") == "level"
    assert (credits(game), bank(game)) == ((2, 0), 33)


def test_an_inserted_take_pays_by_the_tile_like_any_other() -> None:
    """XC1 gave four in round 3; round 4 pays for each Take. The two that were paid are in the bank."""
    game = go(round_4(IDLE, "XC1", "FC04"), "1 insert take W1")
    assert (credits(game), bank(game)) == ((2, 1), 35 - 8 + 2 - 1)


def test_end_of_turn_tiles_are_looked_at_after_the_pass() -> None:
    """R33: a card inserted after the third action is there when FC01 is looked at."""
    game = go(round_4(IDLE, "XC1", "FC01"), idle(1), "1 insert take W1")
    assert credits(game) == (2, 0)
    assert credits(go(game, "1 pass")) == (3, 0)


@pytest.mark.parametrize(("inserted", "phase"), [("recycle W", "touches"), ("gain O1", "play")])
def test_an_inserted_recycle_is_quiet(inserted: str, phase: str) -> None:
    """R22: a round of nothing but Recycle ends the game, inserted ones included."""
    game = go(with_credits(2), "1 recycle W|1 recycle W|1 recycle W", f"1 insert {inserted}")
    go(game, "2 recycle W|2 recycle W|2 recycle W")
    assert seen(game, "phase") == phase


# The end


def test_no_extra_round_after_round_10() -> None:
    """The black deck is not empty, so this is no trigger of the end (R22)."""
    game = table(f"players: 2\nmodules: finesse\n{tiles()}", *[idle(1, 2)] * 9, idle(1))
    assert (seen(game, "phase"), seen(game, "round")) == ("play", 10)
    go(game, idle(2))
    assert (seen(game, "phase"), seen(game, "round"), seen(game, "to_act")) == ("touches", 10, [1, 2])
    assert seen(game, "end_triggered") is False


@pytest.mark.parametrize(("start", "last"), [(1, 3), (5, 7), (8, 10), (9, 10)])
def test_the_black_deck_or_round_10_whichever_comes_first(start: int, last: int) -> None:
    """Eight black cards are drawn from round `start` on, the last one in the round after it."""
    game = table(f"players: 2\nmodules: finesse\n{tiles()}", *[idle(1, 2)] * (start - 1))
    go(game, turn(1, "take B|take B|take B"), turn(2, "take B|take B|take B"))
    go(game, turn(1, "take B|upgrade I2 L3|upgrade L3 I2"), "2 take B")
    assert (seen(game, "end_triggered"), seen(game, "round"), seen(game, "phase")) == (True, start + 1, "play")
    go(game, "2 upgrade I2 L3|2 upgrade L3 I2")
    for _ in range(last - start - 1):
        assert seen(game, "phase") == "play"
        go(game, idle(1, 2))
    assert (seen(game, "phase"), seen(game, "round")) == ("touches", last)


# Touches and ties


def ended(first: str, second: str = IDLE, row: str = "FC04") -> Game:
    """The touches after round 3, in which the seats played `first` and `second`."""
    own = "card: V2 W 2 O1 ..### .#### ##### ##### #####\ncard: N1 W 0 O1 .#### ##### ##### ##### #####"
    more = "card: N2 W 0 O1 ..### ##### ##### ##### #####\ncard: V1 W 1 O1 .#### ##### ##### ##### #####"
    header = f"players: 2\nmodules: finesse\noptions: max_rounds=3\n{tiles(row)}\n{own}\n{more}"
    game = table(f"{header}\nwhite: V2 N1 N2 V1", idle(1, 2), idle(1, 2), turn(1, first), turn(2, second))
    assert seen(game, "phase") == "touches"
    return game


def test_all_credits_are_active_in_the_touches() -> None:
    assert credits(ended("take W1|upgrade I2 L3|upgrade L3 I2")) == (1, 0)


def test_a_touch_is_paid_with_a_credit_or_a_point() -> None:
    """V2 is filled with I2 and O1, one credit and one point; it scores 2 - 1."""
    game = ended("take W1|upgrade I2 L3|upgrade L3 I2")
    assert "1 touch 1:a1b1" in listed(game)
    assert "1 touch 1:a1b1 credit" in listed(game)
    go(game, "1 touch 1:a1b1 credit")
    assert (credits(game), bank(game), player(game, 1)["touches"]) == ((0, 0), 35, 0)
    assert refused(game, "1 touch 1:a2 credit") == "credits"
    go(game, "1 touch 1:a2|1 done|2 done")
    assert player(game, 1)["touches"] == 1
    assert part(game, "result") == {"scores": [1, 0], "winners": [1], "reason": "points"}


def test_a_touch_may_cost_a_point_although_there_is_a_credit() -> None:
    game = go(ended("take W1|upgrade I2 L3|upgrade L3 I2"), "1 touch 1:a1b1|1 touch 1:a2|1 done|2 done")
    assert (credits(game), part(game, "result")["scores"]) == ((1, 0), [0, 0])


def test_without_finesse_a_touch_cannot_be_paid_with_a_credit() -> None:
    header = "players: 2\noptions: max_rounds=1\ncard: Z W 0 O1 .#### ##### ##### ##### #####\nwhite: Z"
    game = table(header, "1 take W1|1 gain O1|1 gain O1", idle(2))
    assert refused(game, "1 touch 1:a1 credit") == "finesse-module"


def test_touches_earn_nothing() -> None:
    """The tile of the last round (1 for each small piece placed) is gone."""
    game = ended("take W2|upgrade I2 L3|upgrade L3 I2", row="FC07")
    assert credits(go(game, "1 touch 1:a1|1 done")) == (0, 0)


@pytest.mark.parametrize(
    ("second", "touches", "winner", "reason"),
    [
        ("take W3|recycle W|recycle W", "", 2, "credits"),  # one against a puzzle and a piece more
        ("recycle W|recycle W|recycle W", "", 1, "puzzles"),  # none each
        ("take W3|recycle W|recycle W", "2 touch 1:a1b1 credit", 1, "pieces"),  # spent: one puzzle each
    ],
)
def test_ties_credits_then_puzzles_then_pieces(second: str, touches: str, winner: int, reason: str) -> None:
    """Seat 1 completes N1 in round 2 and has O1, O1, I2; the credits of seat 2 come from FC04 in round 3."""
    own = "card: N1 W 0 O1 .#### ##### ##### ##### #####\ncard: N2 W 0 O1 ..### ##### ##### ##### #####"
    header = f"players: 2\nmodules: finesse\noptions: max_rounds=3\n{tiles('FC04')}\n{own}\nwhite: N1 W01 N2"
    game = table(header, idle(1, 2), turn(1, "take W1|place 1:a1|recycle B"), idle(2), idle(1), turn(2, second))
    go(game, touches, "1 done|2 done")
    assert part(game, "result") == {"scores": [0, 0], "winners": [winner], "reason": reason}


def test_equal_credits_leave_the_tie_to_the_puzzles() -> None:
    game = ended("take W2|place 1:a1|gain O1", "take W3|gain O1|gain O1")
    assert (credits(game, 1), credits(game, 2)) == ((1, 0), (1, 0))
    go(game, "1 done|2 done")
    assert part(game, "result") == {"scores": [0, 0], "winners": [1], "reason": "puzzles"}


def test_points_come_before_credits() -> None:
    """Seat 2 has a credit more and a point less."""
    game = ended("take W4|place 1:a1|gain O1", "take W2|take W3|gain O1")
    assert (credits(game, 1), credits(game, 2)) == ((1, 0), (2, 0))
    go(game, "1 done|2 done")
    assert part(game, "result") == {"scores": [1, 0], "winners": [1], "reason": "points"}
