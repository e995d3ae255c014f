"""What each Finesse tile of the sets A, B and C pays (docs/rules.md, Finesse)."""

from itertools import combinations

import pytest

from projectl import Game
from tests.table import go, idle, player, seen, table

LEVEL_4 = ("I4", "L4", "S4", "T4", "O4")
SMALL = ("O1", "I2", "I3", "L3")
GHOSTS = ("P5", "U5", "L5")
SET_A = {f"FA{n:02}": shapes for n, shapes in enumerate(combinations(LEVEL_4, 3), 1)}
SET_B = {f"FB{n:02}": shapes for n, shapes in enumerate(combinations(LEVEL_4, 2), 1)}

# Each shape in the upper left corner of an empty card.
CORNER = {
    "O1": "a1",
    "I2": "a1b1",
    "I3": "a1b1c1",
    "L3": "a1a2b2",
    "I4": "a1b1c1d1",
    "L4": "a1a2b2c2",
    "S4": "b1c1a2b2",
    "T4": "a1b1c1b2",
    "O4": "a1b1a2b2",
    "P5": "a1b1a2b2a3",
    "U5": "a1c1a2b2c2",
    "L5": "a1b1c1d1a2",
}

# Nothing below pays for taking cards or for three idle Upgrades, once FC01 and FC04 lie face down.
QUIET_TILES = ("FA01", "FA02", "FB01", "FB02", "FC02", "FC03", "FC06", "FC08", "FC01", "FC04")
IDLE = "upgrade I2 L3|upgrade L3 I3|upgrade I3 I2"
GET = "take W1|place 1:a1|take W2"  # complete the one-cell card, take the empty one


def tiles(*wanted: str) -> str:
    """Ten tiles, the wanted ones from round 3 on."""
    left = {"A": 2, "B": 2, "C": 6}
    for tile in wanted:
        left[tile[1]] -= 1
    spare: list[str] = []
    for tile in QUIET_TILES:
        if tile not in wanted and left[tile[1]] > 0:
            spare.append(tile)
            left[tile[1]] -= 1
    return f"finesse: {' '.join([*spare[-2:], *wanted, *spare[:-2]])}"


def own_cards(names: str) -> str:
    """Cards by name: `Z` (or `Y`) and a reward is a one-cell card that gives it, `E1` an empty 5x5."""
    rows: list[str] = []
    for name in names.split():
        if name[0] in "ZY":
            rows.append(f"card: {name} W 0 {name[1:]} .#### ##### ##### ##### #####")
        elif name[0] == "E":
            rows.append(f"card: {name} W 0 O1 ..... ..... ..... ..... .....")
    return "\n".join(rows)


def turn(seat: int, actions: str) -> str:
    """A seat's actions as lines."""
    return "\n".join(f"{seat} {action}" for action in actions.split("|"))


def round_3(tile: str, white: str = "", first: str = IDLE, second: str = IDLE, modules: str = "") -> Game:
    """Seat 1 is to begin round 3, where `tile` counts; it played `first` and `second` in rounds 1 and 2."""
    pack = "finesse_ambassador" if tile.startswith("X") else ""
    header = f"players: 2\nmodules: finesse {pack} {modules}\n{tiles(tile)}\n{own_cards(white)}\nwhite: {white}"
    return table(header, turn(1, first), idle(2), turn(1, second), idle(2))


def credits(game: Game, seat: int = 1) -> tuple[int, int]:
    """A seat's active and inactive credits."""
    found = player(game, seat)["credits"]
    assert isinstance(found, dict)
    return found["active"], found["inactive"]


def bank(game: Game) -> int:
    """The credits in the bank."""
    found = seen(game, "finesse")
    assert isinstance(found, dict)
    count = found["bank"]
    assert isinstance(count, int)
    return count


# Set A: now, 1 for each of three level-4 shapes placed


@pytest.mark.parametrize("tile", SET_A)
@pytest.mark.parametrize("shape", LEVEL_4)
def test_set_a_pays_for_placing_one_of_its_three_shapes(tile: str, shape: str) -> None:
    """The ten tiles are the ten ways to choose three of the five."""
    game = round_3(tile, f"Z{shape} E1", GET)
    go(game, f"1 place 1:{CORNER[shape]}")
    paid = int(shape in SET_A[tile])
    assert (credits(game), bank(game)) == ((0, paid), 35 - paid)


@pytest.mark.parametrize("shape", SMALL)
def test_set_a_pays_nothing_for_smaller_pieces(shape: str) -> None:
    game = round_3("FA03", f"Z{shape} E1", GET)
    assert credits(go(game, f"1 place 1:{CORNER[shape]}")) == (0, 0)


def test_set_a_printed_example_two_pieces_with_one_master() -> None:
    """Master that places two of the depicted pieces: 2 credits (FA03 has I4, L4 and O4)."""
    game = round_3("FA03", "ZI4 ZL4 E1 E2", "take W1|place 1:a1|take W2", "place 1:a1|take W3|take W4")
    go(game, f"1 master 1:{CORNER['I4']} 2:{CORNER['L4']}")
    assert (credits(game), bank(game)) == ((0, 2), 33)


def test_set_a_pays_in_a_ghost_action() -> None:
    """A piece placed by the Ghost action is placed."""
    game = round_3("FA01", "ZL5 E1", GET, modules="ghost")
    assert credits(go(game, "1 ghost L5 O1 I4 1:a1b1c1d1")) == (0, 1)


def test_set_a_pays_nothing_for_owning() -> None:
    game = round_3("FA01", "ZI4 E1", GET)
    assert credits(go(game, idle(1))) == (0, 0)


# Set B: at the end of the turn, 1 for each piece owned of two level-4 shapes


@pytest.mark.parametrize("tile", SET_B)
@pytest.mark.parametrize("shape", LEVEL_4)
def test_set_b_pays_for_each_of_its_two_shapes_in_the_supply(tile: str, shape: str) -> None:
    """The ten tiles are the ten ways to choose two of the five."""
    game = go(round_3(tile, f"Z{shape} E1", GET), idle(1))
    assert credits(game) == (int(shape in SET_B[tile]), 0)


@pytest.mark.parametrize("tile", SET_B)
@pytest.mark.parametrize("shape", LEVEL_4)
def test_set_b_pays_for_each_of_its_two_shapes_on_a_puzzle(tile: str, shape: str) -> None:
    game = go(round_3(tile, f"Z{shape} E1", GET), f"1 place 1:{CORNER[shape]}")
    assert credits(game) == (0, 0)  # not before the turn ends
    go(game, "1 gain O1|1 gain O1")
    assert credits(game) == (int(shape in SET_B[tile]), 0)


def test_set_b_printed_example() -> None:
    """Two S4 in the supply and one L4 on a puzzle, with the tile of L4 and S4: 3 credits."""
    game = round_3("FB05", "ZS4 YS4 ZL4 E1", "take W1|place 1:a1|take W2", "place 1:a1|take W3|place 1:a1")
    go(game, f"1 take W4|1 place 1:{CORNER['L4']}|1 gain O1")
    assert (credits(game), bank(game)) == ((3, 0), 32)


def test_set_b_pays_nothing_for_smaller_pieces() -> None:
    game = round_3("FB01", "ZI3 ZL3", "take W1|place 1:a1|take W2", "place 1:a1|gain O1|gain O1")
    assert credits(go(game, idle(1))) == (0, 0)


def test_set_b_looks_at_the_turn_end_after_the_last_actions_reward() -> None:
    """R33: the L4 that the third action brings is there when the tile is looked at."""
    game = round_3("FB01", "ZL4")
    go(game, "1 gain O1|1 take W1|1 place 1:a1")
    assert credits(game) == (1, 0)


def test_set_b_looks_at_the_turn_end_after_a_level_up() -> None:
    """R33: a Level Up of the last action is settled before the tile is looked at."""
    game = round_3("FB01", "ZI3 YLEVELUP1", "take W1|place 1:a1|take W2", modules="ghost")
    go(game, "1 gain O1|1 gain O1|1 place 1:a1")
    assert (seen(game, "phase"), credits(game)) == ("reward", (0, 0))
    go(game, "1 levelup I3 L4")
    assert (seen(game, "to_act"), credits(game)) == ([2], (1, 0))


# Set C


def test_fc01_printed_example_four_unfinished_puzzles() -> None:
    """At the end of the turn 1 for each unfinished puzzle: four give 4."""
    game = round_3("FC01", "", "take W1|take W1|take W1", "take W1|upgrade I2 L3|upgrade L3 I2")
    assert credits(go(game, "1 upgrade I2 L3|1 upgrade L3 I3")) == (0, 0)
    assert credits(go(game, "1 upgrade I3 I2")) == (4, 0)


def test_fc01_does_not_count_completed_puzzles() -> None:
    game = round_3("FC01", "ZO1 E1", "take W1|take W2|gain O1")
    assert credits(go(game, "1 place 1:a1|1 gain O1|1 gain O1")) == (1, 0)


def test_fc02_printed_example_three_pieces_by_master() -> None:
    """Each piece that a Master places pays 1, whatever it is."""
    game = round_3("FC02", "E1 E2 E3", "take W1|take W2|take W3", "gain O1|upgrade I2 L3|upgrade L3 I2")
    go(game, "1 master 1:a1 2:a1b1 3:a1")
    assert (credits(game), bank(game)) == ((0, 3), 32)


def test_fc02_pays_for_an_ambassador_action_too() -> None:
    game = round_3("FC02", "ZM E1 E2", GET, "take W3|gain O1|gain O1", modules="ambassador")
    assert credits(go(game, "1 ambassador 1:a1 2:a1b1")) == (0, 2)


def test_fc02_pays_nothing_for_place_and_ghost() -> None:
    game = round_3("FC02", "ZU5 E1", GET, modules="ghost")
    assert credits(go(game, "1 place 1:a5")) == (0, 0)
    assert credits(go(game, "1 ghost U5 I2 L3 1:a1b1")) == (0, 0)


def test_fc03_pays_for_a_completed_puzzle() -> None:
    game = round_3("FC03", "ZO1 E1", "take W1|take W2|gain O1")
    assert credits(go(game, "1 place 2:a1")) == (0, 0)
    assert credits(go(game, "1 place 1:a1")) == (0, 1)


def test_fc03_pays_for_each_of_two_completed_at_once() -> None:
    game = round_3("FC03", "ZO1 YO1", "take W1|take W2|gain O1")
    assert credits(go(game, "1 master 1:a1 2:a1")) == (0, 2)


@pytest.mark.parametrize("slot", ["W1", "B4", "W", "B"])
def test_fc04_pays_for_each_take_from_a_row_or_a_deck(slot: str) -> None:
    game = round_3("FC04")
    assert credits(go(game, f"1 take {slot}")) == (0, 1)
    assert credits(go(game, f"1 take {slot}")) == (0, 2)


@pytest.mark.parametrize("action", ["recycle W", "gain O1", "upgrade I2 L3"])
def test_fc04_pays_for_nothing_else(action: str) -> None:
    assert credits(go(round_3("FC04"), f"1 {action}")) == (0, 0)


def test_fc05_printed_example_two_small_shapes() -> None:
    """Three O1 and two I2 are two different shapes: 2 credits."""
    game = round_3("FC05", "", "gain O1|gain O1|gain O1", "upgrade O1 I2|upgrade I2 L3|upgrade L3 I2")
    go(game, idle(1))
    assert player(game, 1)["supply"] == {"O1": 3, "I2": 2}
    assert credits(game) == (2, 0)


def test_fc05_counts_shapes_in_the_supply_and_on_puzzles_once() -> None:
    """O1 in both, I2 in the supply, I3 on a puzzle, and an S4 that does not count: 3."""
    game = round_3("FC05", "ZI3 ZS4 E1", "take W1|place 1:a1|take W2", "place 1:a1|take W3|gain O1")
    go(game, f"1 place 1:{CORNER['I3']}|1 place 1:a5|1 gain O1")
    assert credits(game) == (3, 0)


def test_fc05_pays_four_for_all_four_small_shapes() -> None:
    game = round_3("FC05", "ZI3 ZL3", "take W1|place 1:a1|take W2", "place 1:a1|gain O1|gain O1")
    assert credits(go(game, idle(1))) == (4, 0)


def test_fc06_counts_different_level_4_shapes() -> None:
    """Two S4 in the supply, an L4 on a puzzle: 2; smaller pieces do not count."""
    game = round_3("FC06", "ZS4 YS4 ZL4 E1", "take W1|place 1:a1|take W2", "place 1:a1|take W3|place 1:a1")
    go(game, f"1 take W4|1 place 1:{CORNER['L4']}|1 gain O1")
    assert credits(game) == (2, 0)


@pytest.mark.parametrize("shape", CORNER)
@pytest.mark.parametrize(("tile", "paying"), [("FC07", SMALL), ("FC08", LEVEL_4)])
def test_fc07_and_fc08_pay_for_placing_small_or_level_4_pieces(tile: str, paying: tuple[str, ...], shape: str) -> None:
    """Printed example of FC07: a Place of a depicted piece is 1 credit. Ghosts are on neither tile."""
    game = round_3(tile, f"Z{shape} E1", GET, modules="ghost" if shape in GHOSTS else "")
    assert credits(go(game, f"1 place 1:{CORNER[shape]}")) == (0, int(shape in paying))


def test_fc07_pays_in_a_ghost_action_and_in_a_master() -> None:
    game = round_3("FC07", "ZU5 E1 E2", GET, "take W3|gain O1|gain O1", modules="ghost")
    assert credits(go(game, "1 ghost U5 I2 L3 1:a1b1 2:a1a2b2")) == (0, 2)
    assert credits(go(game, "1 master 1:a5 2:a5b5")) == (0, 4)


@pytest.mark.parametrize("tile", ["FC09", "FC10"])
def test_fc09_and_fc10_pay_for_upgrade_and_gain(tile: str) -> None:
    """Gain is one of the two options of Upgrade; up, sideways and down all count."""
    game = go(round_3(tile), "1 gain O1|1 upgrade I2 L3")
    assert credits(game) == (0, 2)
    assert credits(go(game, "1 upgrade L3 I3")) == (3, 0)


@pytest.mark.parametrize("action", ["take W1", "recycle B", "place 1:a1", "master 1:a1", "ghost U5 I2 L3"])
def test_fc09_pays_for_nothing_else(action: str) -> None:
    game = round_3("FC09", "ZU5 E1", GET, modules="ghost")
    assert credits(go(game, f"1 {action}")) == (0, 0)


@pytest.mark.parametrize("tile", ["FC09", "FC10"])
@pytest.mark.parametrize("arrows", [1, 2])
@pytest.mark.parametrize("use", ["levelup none", "levelup O1 I2"])
def test_fc09_pays_for_each_level_up_arrow_received_used_or_not(tile: str, arrows: int, use: str) -> None:
    """R32: the credits come with the arrows, before they are used or declined."""
    game = round_3(tile, f"ZLEVELUP{arrows}", "take W1|gain O1|gain O1", modules="ghost")
    assert credits(go(game, "1 place 1:a1")) == (0, arrows)
    for _ in range(arrows):
        go(game, f"1 {use}")
    assert (seen(game, "phase"), credits(game)) == ("play", (0, arrows))


def test_a_reward_piece_is_no_upgrade() -> None:
    game = round_3("FC09", "ZI3", "take W1|gain O1|gain O1")
    assert credits(go(game, "1 place 1:a1")) == (0, 0)
