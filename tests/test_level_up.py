"""Level Up: the reward that changes pieces, on the way up to a ghost."""

import pytest

from projectl import Game
from tests.table import go, idle, listed, part, player, refused, seen, supply, table

EDITIONS = ["2019", "2023"]
CELL = ".#### ##### ##### ##### #####"
LEVEL_4 = ["I4", "L4", "S4", "T4", "O4"]
GHOSTS = ["P5", "U5", "L5"]


def arrows(edition: str, count: int, options: str = "exchange_down=any", recess: str = CELL, players: int = 2) -> str:
    """A header: A on top of the black row gives the arrows, ZT and ZU on top of the white one a T4 and a U5."""
    return f"""edition: {edition}
    players: {players}
    modules: ghost
    options: {options}
    card: A B 3 LEVELUP{count} {recess}
    card: ZT W 0 T4 {CELL}
    card: ZU W 0 U5 {CELL}
    white: ZT ZU
    black: A"""


def offered(game: Game) -> set[str]:
    """The exchanges of the open Level Up, as `I2 L3`; it may always be declined."""
    assert (seen(game, "phase"), seen(game, "to_act")) == ("reward", [1])
    lines = [line.removeprefix("1 levelup ") for line in listed(game)]
    assert "none" in lines
    return set(lines) - {"none"}


def to(piece: str, *targets: str) -> set[str]:
    return {f"{piece} {target}" for target in targets}


TAKE_AND_FILL = "1 take B1|1 place 1:a1"
WITH_LEVEL_3 = "1 upgrade I2 L3|1 take B1|1 place 1:a1"
WITH_LEVEL_4 = f"1 upgrade I2 I3|1 upgrade I3 I4|1 take B1\n{idle(2)}\n1 place 1:a1"


# 2023: each arrow is an Upgrade


@pytest.mark.parametrize("count", [1, 2])
def test_an_arrow_of_2023_is_an_upgrade_of_any_piece(count: int) -> None:
    """R13: up, sideways and down."""
    game = table(arrows("2023", count), TAKE_AND_FILL)
    assert offered(game) == to("O1", "I2") | to("I2", "O1", "I3", "L3")
    game = table(arrows("2023", count), WITH_LEVEL_3)
    assert offered(game) == to("O1", "I2") | to("L3", "O1", "I2", "I3", *LEVEL_4)


@pytest.mark.parametrize("count", [1, 2])
def test_an_arrow_of_2023_takes_level_four_to_a_ghost(count: int) -> None:
    game = table(arrows("2023", count), WITH_LEVEL_4)
    others = ["O1", "I2", "I3", "L3", "L4", "S4", "T4", "O4"]
    assert offered(game) == to("O1", "I2") | to("I4", *others, *GHOSTS)
    go(game, "1 levelup I4 L5")
    assert (supply(game, 1), part(game, "reserve")["L5"]) == ({"O1": 1, "L5": 1}, 9)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("O1 L3", "level"),
        ("I2 T4", "level"),
        ("I2 I2", "same-shape"),
        ("O1 U5", "ghost"),
        ("L3 I3", "not-owned"),
    ],
)
def test_one_arrow_is_no_more_than_one_upgrade(line: str, code: str) -> None:
    game = table(arrows("2023", 2), TAKE_AND_FILL)
    assert refused(game, f"1 levelup {line}") == code


def test_two_arrows_may_go_to_the_same_piece() -> None:
    game = table(arrows("2023", 2), WITH_LEVEL_3, "1 levelup L3 S4")
    assert "L3 U5" not in offered(game)
    assert "S4 U5" in offered(game)
    go(game, "1 levelup S4 U5")
    assert (seen(game, "phase"), supply(game, 1)) == ("play", {"O1": 1, "U5": 1})


def test_two_arrows_may_go_to_two_pieces() -> None:
    game = table(arrows("2023", 2), TAKE_AND_FILL, "1 levelup I2 L3|1 levelup O1 I2")
    assert (seen(game, "phase"), supply(game, 1)) == ("play", {"I2": 1, "L3": 1})


@pytest.mark.parametrize(
    ("answers", "pieces"),
    [
        ("1 levelup none|1 levelup none", {"O1": 1, "I2": 1}),
        ("1 levelup none|1 levelup O1 I2", {"I2": 2}),
        ("1 levelup O1 I2|1 levelup none", {"I2": 2}),
        ("1 levelup I2 O1|1 levelup none", {"O1": 2}),
    ],
)
def test_each_arrow_of_2023_may_be_declined(answers: str, pieces: dict[str, int]) -> None:
    """R13. Declining the first leaves the second open."""
    game = table(arrows("2023", 2), TAKE_AND_FILL)
    first, second = answers.split("|")
    assert seen(go(game, first), "phase") == "reward"
    assert seen(go(game, second), "phase") == "play"
    assert supply(game, 1) == pieces


def test_an_arrow_keeps_to_the_exchange_down_option() -> None:
    """R13: it is an Upgrade by the same table."""
    game = table(arrows("2023", 1, "exchange_down=one"), WITH_LEVEL_4)
    assert offered(game) == to("O1", "I2") | to("I4", "I3", "L3", "L4", "S4", "T4", "O4", *GHOSTS)


def test_an_arrow_of_2023_changes_a_ghost_for_another() -> None:
    """R26; the Upgrade action may not."""
    game = table(arrows("2023", 1), "1 take W2|1 place 1:a1|1 take B1", idle(2))
    assert refused(game, "1 upgrade U5 P5") == "ghost"
    go(game, "1 place 1:a1")
    assert to("U5", "P5", "L5", "O1", "O4") <= offered(game)
    assert "U5 U5" not in offered(game)
    go(game, "1 levelup U5 P5")
    assert supply(game, 1) == {"O1": 1, "I2": 1, "P5": 1}


# 2019: exactly so many levels


def test_one_arrow_of_2019_is_exactly_one_level() -> None:
    """R27: not sideways, not down."""
    assert offered(table(arrows("2019", 1), TAKE_AND_FILL)) == to("O1", "I2") | to("I2", "I3", "L3")
    assert offered(table(arrows("2019", 1), WITH_LEVEL_3)) == to("O1", "I2") | to("L3", *LEVEL_4)
    assert offered(table(arrows("2019", 1), WITH_LEVEL_4)) == to("O1", "I2") | to("I4", *GHOSTS)


def test_two_arrows_of_2019_are_exactly_two_levels() -> None:
    """R27: level 4 has no level two higher."""
    assert offered(table(arrows("2019", 2), TAKE_AND_FILL)) == to("O1", "I3", "L3") | to("I2", *LEVEL_4)
    assert offered(table(arrows("2019", 2), WITH_LEVEL_3)) == to("O1", "I3", "L3") | to("L3", *GHOSTS)
    assert offered(table(arrows("2019", 2), WITH_LEVEL_4)) == to("O1", "I3", "L3")


@pytest.mark.parametrize(
    ("count", "line"),
    [(1, "I2 O1"), (1, "O1 L3"), (1, "I2 T4"), (2, "O1 I2"), (2, "I2 L3"), (2, "I2 O1"), (2, "I2 U5")],
)
def test_2019_refuses_other_steps(count: int, line: str) -> None:
    assert refused(table(arrows("2019", count), TAKE_AND_FILL), f"1 levelup {line}") == "level"


@pytest.mark.parametrize(
    ("count", "answer", "pieces"),
    [
        (1, "O1 I2", {"I2": 2}),
        (1, "I2 L3", {"O1": 1, "L3": 1}),
        (2, "O1 L3", {"I2": 1, "L3": 1}),
        (2, "I2 T4", {"O1": 1, "T4": 1}),
        (1, "none", {"O1": 1, "I2": 1}),
        (2, "none", {"O1": 1, "I2": 1}),
    ],
)
def test_2019_changes_one_piece_or_none(count: int, answer: str, pieces: dict[str, int]) -> None:
    """One answer settles the card, double arrow or not."""
    game = table(arrows("2019", count), TAKE_AND_FILL, f"1 levelup {answer}")
    assert (seen(game, "phase"), supply(game, 1)) == ("play", pieces)


def test_2019_never_changes_a_ghost() -> None:
    """R27 leaves nothing above level 5 and nothing beside it."""
    game = table(arrows("2019", 1), "1 take W2|1 place 1:a1|1 take B1", idle(2), "1 place 1:a1")
    assert offered(game) == to("O1", "I2") | to("I2", "I3", "L3")


# A level that is gone


@pytest.mark.parametrize(
    ("edition", "count", "found"),
    [
        ("2019", 1, to("I2", "I3", "L3")),
        ("2019", 2, to("O1", "I3", "L3") | to("I2", *LEVEL_4)),
        ("2023", 1, to("O1", "I3", "L3") | to("I2", "O1", "I3", "L3")),
    ],
)
def test_a_level_up_of_2019_skips_no_level(edition: str, count: int, found: set[str]) -> None:
    """R27. Five players hold all fifteen I2; the Upgrade action skips level 2 then, and so does 2023's arrow."""
    round_1 = [f"{seat} upgrade O1 I2|{seat} gain O1|{seat} upgrade O1 I2" for seat in range(1, 6)]
    game = table(arrows(edition, count, players=5), *round_1, "1 take B1|1 gain O1")
    assert part(game, "reserve")["I2"] == 0
    assert {"1 upgrade O1 I3", "1 upgrade O1 L3"} <= set(listed(game))
    go(game, "1 place 1:a1")
    assert offered(game) == found


@pytest.mark.parametrize(("count", "phase", "seat"), [(1, "reward", 1), (2, "play", 2)])
def test_a_level_up_that_changes_nothing_is_passed_over(count: int, phase: str, seat: int) -> None:
    """R28, 2019: the supply is one I4, which goes up one level, but not two. The turn is over then."""
    header = arrows("2019", count, recess="....# ##### ##### ##### #####")
    game = table(header.replace("white: ZT ZU", "white: W09"), "1 upgrade I2 I3|1 upgrade I3 I4|1 take B1", idle(2))
    go(game, "1 take W1|1 place 2:c3|1 place 1:a1b1c1d1")
    assert supply(game, 1) == {"I4": 1}
    assert (seen(game, "phase"), seen(game, "to_act")) == (phase, [seat])


# Settling rewards


@pytest.mark.parametrize("edition", EDITIONS)
def test_pieces_just_returned_may_go_up(edition: str) -> None:
    """The only I2 lay on the completed card."""
    game = table(arrows(edition, 1, recess="..### ##### ##### ##### #####"), "1 take B1|1 place 1:a1b1")
    assert "I2 L3" in offered(game)
    assert supply(go(game, "1 levelup I2 L3"), 1) == {"O1": 1, "L3": 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_level_up_is_no_action(edition: str) -> None:
    game = table(arrows(edition, 1), TAKE_AND_FILL)
    assert seen(game, "actions_left") == 1
    go(game, "1 levelup O1 I2")
    assert (seen(game, "actions_left"), seen(game, "to_act")) == (1, [1])
    assert refused(game, "1 levelup I2 L3") == "nothing-open"
    assert refused(game, "1 levelup none") == "nothing-open"


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_turn_ends_only_when_the_level_up_is_settled(edition: str) -> None:
    game = table(arrows(edition, 1), WITH_LEVEL_3)
    assert (seen(game, "actions_left"), seen(game, "to_act")) == (0, [1])
    assert seen(go(game, "1 levelup none"), "to_act") == [2]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("action", ["gain O1", "upgrade I2 L3", "take B1", "pass", "insert gain O1", "reward 1 I2"])
def test_nothing_else_happens_while_a_level_up_is_open(edition: str, action: str) -> None:
    """R31: neither the player nor anybody else acts, and nothing is inserted."""
    game = table(arrows(edition, 1), TAKE_AND_FILL)
    assert refused(game, f"1 {action}") == "levelup-open"
    assert refused(game, f"2 {action}") == "seat"
    assert (player(game, 1)["completed"], player(game, 1)["points"]) == (["A"], 3)
    assert player(game, 1)["puzzles"] == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_rewards_are_settled_in_the_order_of_the_places(edition: str) -> None:
    """R31: the arrow on place 1 comes before the T4 of place 2, which cannot go up yet."""
    game = table(arrows(edition, 1), "1 take B1|1 take W1|1 gain O1", idle(2), "1 master 1:a1 2:a1")
    assert player(game, 1)["completed"] == ["A", "ZT"]
    assert supply(game, 1) == {"O1": 2, "I2": 1}
    go(game, "1 levelup O1 I2")
    assert supply(game, 1) == {"O1": 1, "I2": 2, "T4": 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_earlier_reward_may_go_up(edition: str) -> None:
    """R31 the other way round: the T4 of place 1 is there when the arrow of place 2 is settled."""
    game = table(arrows(edition, 1), "1 take W1|1 take B1|1 gain O1", idle(2), "1 master 1:a1 2:a1")
    assert supply(game, 1) == {"O1": 2, "I2": 1, "T4": 1}
    assert to("T4", *GHOSTS) <= offered(game)
    assert supply(go(game, "1 levelup T4 P5"), 1) == {"O1": 2, "I2": 1, "P5": 1}


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_cards_with_arrows_are_settled_one_after_the_other(edition: str) -> None:
    """R31. Each card asks once in 2019; with one arrow each it is the same in 2023."""
    header = arrows(edition, 1).replace("black: A", f"card: A2 B 4 LEVELUP1 {CELL}\nblack: A A2")
    game = table(header, "1 take B1|1 take B2|1 gain O1", idle(2), "1 master 1:a1 2:a1")
    assert seen(go(game, "1 levelup I2 L3"), "phase") == "reward"
    assert seen(go(game, "1 levelup L3 T4"), "phase") == "play"
    assert supply(game, 1) == {"O1": 2, "T4": 1}
    assert player(game, 1)["points"] == 7
