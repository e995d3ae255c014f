"""Upgrade: what a piece may be exchanged for, in every edition and with both options."""

import pytest

from projectl import Game
from tests.table import go, idle, listed, part, player, refused, supply, table, unreadable
from tests.test_substitution import hoard

LEVEL_3 = ("I3", "L3")
LEVEL_4 = ("I4", "L4", "S4", "T4", "O4")
BASE = ("O1", "I2", *LEVEL_3, *LEVEL_4)
EDITIONS = ("2019", "2020", "2023")


def targets(game: Game, piece: str) -> set[str]:
    """What seat 1 may take for a piece."""
    start = f"1 upgrade {piece} "
    return {line.removeprefix(start) for line in listed(game) if line.startswith(start)}


def owning(piece: str, header: str) -> Game:
    """Seat 1 begins its second turn with the piece, reached through I3 where it is of level 4."""
    game = table(header)
    if piece in LEVEL_3:
        go(game, f"1 upgrade I2 {piece}|1 gain O1|1 gain O1")
    elif piece in LEVEL_4:
        go(game, f"1 upgrade I2 I3|1 upgrade I3 {piece}|1 gain O1")
    else:
        go(game, idle(1))
    return go(game, idle(2))


def two_players(edition: str, options: str = "") -> str:
    return f"edition: {edition}\nplayers: 2\noptions: {options}"


# The table


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("piece", "reached"),
    [
        ("O1", {"I2"}),
        ("I2", {"O1", "I3", "L3"}),
        ("I3", {"O1", "I2", "L3", *LEVEL_4}),
        ("L3", {"O1", "I2", "I3", *LEVEL_4}),
        ("I4", {"O1", "I2", "I3", "L3", "L4", "S4", "T4", "O4"}),
        ("L4", {"O1", "I2", "I3", "L3", "I4", "S4", "T4", "O4"}),
        ("S4", {"O1", "I2", "I3", "L3", "I4", "L4", "T4", "O4"}),
        ("T4", {"O1", "I2", "I3", "L3", "I4", "L4", "S4", "O4"}),
        ("O4", {"O1", "I2", "I3", "L3", "I4", "L4", "S4", "T4"}),
    ],
)
def test_same_level_any_lower_level_or_one_level_higher(edition: str, piece: str, reached: set[str]) -> None:
    """And never the shape just returned (R3)."""
    assert targets(owning(piece, two_players(edition)), piece) == reached


def test_the_piece_goes_back_and_the_other_comes_from_the_reserve() -> None:
    game = table("players: 2", "1 upgrade I2 L3")
    assert supply(game, 1) == {"O1": 1, "L3": 1}
    assert (part(game, "reserve")["I2"], part(game, "reserve")["L3"]) == (14, 14)


@pytest.mark.parametrize("piece", ["O1", "I2"])
def test_the_same_shape_again_is_refused(piece: str) -> None:
    """R3."""
    assert refused(table("players: 2"), f"1 upgrade {piece} {piece}") == "same-shape"


@pytest.mark.parametrize(("piece", "taken"), [("O1", "I3"), ("O1", "L3"), ("O1", "S4"), ("I2", "T4")])
def test_two_levels_higher_are_refused_while_the_next_is_there(piece: str, taken: str) -> None:
    for edition in EDITIONS:
        assert refused(table(two_players(edition)), f"1 upgrade {piece} {taken}") == "level"


def test_only_a_piece_of_the_supply_can_be_returned() -> None:
    """A piece that lies on a puzzle is not in the supply."""
    game = table("players: 2\nwhite: W01", "1 take W1|1 place 1:c3c4")
    assert refused(game, "1 upgrade L3 I3") == "not-owned"
    assert refused(game, "1 upgrade I2 I3") == "not-owned"


def test_an_upgrade_with_a_word_missing_cannot_be_read() -> None:
    assert unreadable("players: 2", "1 upgrade I2") == ("form", 2)
    assert unreadable("players: 2", "1 upgrade I2 X9") == ("piece", 2)


# exchange_down


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("piece", "reached"),
    [
        ("O1", {"I2"}),
        ("I2", {"O1", "I3", "L3"}),
        ("I3", {"I2", "L3", *LEVEL_4}),
        ("O4", {"I3", "L3", "I4", "L4", "S4", "T4"}),
    ],
)
def test_exchange_down_one_goes_one_level_down_only(edition: str, piece: str, reached: set[str]) -> None:
    assert targets(owning(piece, two_players(edition, "exchange_down=one")), piece) == reached


def test_exchange_down_one_refuses_two_levels_down() -> None:
    game = owning("I3", two_players("2019", "exchange_down=one"))
    assert refused(game, "1 upgrade I3 O1") == "level"


def test_exchange_down_one_does_not_skip_a_level_that_is_gone() -> None:
    """The Czech text: a lower level is the one below, and no other."""
    game = hoard(table(two_players("2019", "exchange_down=one")), "I3", "I2")
    assert targets(game, "I3") == {"L3", *LEVEL_4}


def test_exchange_down_any_is_what_every_edition_has_by_itself() -> None:
    for edition in EDITIONS:
        plain, said = (table(two_players(edition, option), "1 upgrade I2 L3") for option in ("", "exchange_down=any"))
        assert targets(plain, "L3") == targets(said, "L3") == {"O1", "I2", "I3", *LEVEL_4}


# upgrade_skip: the next level is wholly gone


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_level_with_one_shape_left_is_not_skipped(edition: str) -> None:
    game = hoard(table(two_players(edition)), "I3")
    fetch_i2(game)
    assert targets(game, "I2") == {"O1", "L3"}
    assert refused(game, "1 upgrade I2 I3") == "reserve"
    assert refused(game, "1 upgrade I2 S4") == "level"


def fetch_i2(game: Game) -> None:
    """Seat 1 comes by an I2 if it has none."""
    if "O1" not in supply(game, 1):
        go(game, "1 gain O1")
    if "I2" not in supply(game, 1):
        go(game, "1 upgrade O1 I2")


@pytest.mark.parametrize(
    ("edition", "options"),
    [(edition, "") for edition in EDITIONS] + [("2019", f"upgrade_skip={s}") for s in ("next", "two", "substitution")],
)
def test_one_level_that_is_gone_is_skipped(edition: str, options: str) -> None:
    """Every text agrees as long as the level above the missing one has a piece (R25)."""
    game = hoard(table(two_players(edition, options)), "I2")
    if "O1" not in supply(game, 1):
        go(game, "1 gain O1")
    assert targets(game, "O1") == set(LEVEL_3)
    assert refused(game, "1 upgrade O1 S4") == "level"


@pytest.mark.parametrize("options", ["", "upgrade_skip=two"])
def test_from_level_2_over_a_missing_level_3(options: str) -> None:
    game = hoard(table(two_players("2019", options)), *LEVEL_3)
    fetch_i2(game)
    assert targets(game, "I2") == {"O1", *LEVEL_4}


@pytest.mark.parametrize(
    ("edition", "options", "reached"),
    [
        ("2019", "", set(LEVEL_4)),
        ("2020", "", set(LEVEL_4)),
        ("2023", "", set(LEVEL_4)),
        ("2019", "upgrade_skip=next", set(LEVEL_4)),
        ("2023", "upgrade_skip=next", set(LEVEL_4)),
        ("2019", "upgrade_skip=substitution", set(LEVEL_4)),
        ("2019", "upgrade_skip=two", set()),
        ("2020", "upgrade_skip=two", set()),
        ("2023", "upgrade_skip=two", set()),
    ],
)
def test_two_levels_that_are_gone(edition: str, options: str, reached: set[str]) -> None:
    """O1 with levels 2 and 3 gone: on to level 4, unless only the level two higher will do."""
    game = hoard(table(two_players(edition, options)), *LEVEL_3, "I2")
    if "O1" not in supply(game, 1):
        go(game, "1 gain O1")
    assert targets(game, "O1") == reached


def test_two_levels_only_means_no_further() -> None:
    game = hoard(table(two_players("2019", "upgrade_skip=two")), *LEVEL_3, "I2", "O1")
    assert refused(game, "1 upgrade O1 S4") == "level"


@pytest.mark.parametrize("edition", EDITIONS)
def test_above_level_4_there_is_nothing(edition: str) -> None:
    """R25: up to 4. From I3 with level 4 gone, the same level and the lower ones remain."""
    game = hoard(table(two_players(edition)), *LEVEL_4, "I3")
    assert targets(game, "I3") == {"O1", "I2", "L3"}
    assert targets(game, "I4") == {"O1", "I2", "L3"}


def test_nothing_can_be_exchanged_with_an_empty_reserve() -> None:
    game = hoard(table("players: 2"), *LEVEL_4, *LEVEL_3, "I2", "O1")
    assert [line for line in listed(game) if "upgrade" in line] == []
    assert refused(game, "1 upgrade I2 O1") == "reserve"


@pytest.mark.parametrize("option", ["upgrade_skip=three", "upgrade_skip=", "exchange_down=two", "exchange_down=none"])
def test_options_have_no_other_values(option: str) -> None:
    assert unreadable(f"players: 2\noptions: {option}") == ("option-value", 2)


# Ghosts


def with_ghost(edition: str, options: str = "") -> Game:
    """Seat 1 has O1, I2 and P5 and two actions left."""
    card = "card: Z01 W 0 P5 .#### ##### ##### ##### #####\nwhite: Z01"
    return table(
        f"edition: {edition}\nplayers: 2\nmodules: ghost\noptions: {options}\n{card}", "1 take W1|1 place 1:a1"
    )


@pytest.mark.parametrize("edition", ["2019", "2023"])
def test_a_ghost_may_be_returned_for_any_lower_piece(edition: str) -> None:
    """But not for another ghost (R26)."""
    game = with_ghost(edition)
    assert targets(game, "P5") == set(BASE)
    assert refused(game, "1 upgrade P5 U5") == "ghost"
    go(game, "1 upgrade P5 S4")
    assert supply(game, 1) == {"O1": 1, "I2": 1, "S4": 1}
    assert part(game, "reserve")["P5"] == 10


def test_a_ghost_with_exchange_down_one() -> None:
    assert targets(with_ghost("2019", "exchange_down=one"), "P5") == set(LEVEL_4)


@pytest.mark.parametrize(("edition", "modules"), [("2019", ""), ("2019", "ghost"), ("2023", ""), ("2023", "ghost")])
def test_the_upgrade_action_never_reaches_a_ghost(edition: str, modules: str) -> None:
    game = owning("O4", f"edition: {edition}\nplayers: 2\nmodules: {modules}")
    for ghost in ("P5", "U5", "L5"):
        assert refused(game, f"1 upgrade O4 {ghost}") == "ghost"


def test_not_even_when_level_4_is_gone() -> None:
    """R5: no substitution hands out a ghost."""
    game = hoard(table("players: 2\nmodules: ghost"), *LEVEL_4, "I3")
    assert targets(game, "I3") == {"O1", "I2", "L3"}


# Finesse


@pytest.mark.parametrize("action", ["gain O1", "upgrade I2 L3"])
def test_gain_and_upgrade_are_the_same_action_for_finesse(action: str) -> None:
    """In 2023 Gain is one of the two ways to Upgrade, so the tile of round 3 pays for it."""
    tiles = "finesse: FA01 FA02 FC09 FC03 FC01 FC02 FB02 FB01 FC06 FC07"
    game = table(f"players: 2\nmodules: finesse\n{tiles}", idle(1, 2, 1, 2), f"1 {action}")
    assert player(game, 1)["credits"] == {"active": 0, "inactive": 1}
