"""Records: header keys and what is wrong with them, comments, canonical printing (docs/notation.md)."""

import pytest

from projectl import Game, Header, Rules, Unreadable, replay
from projectl.record import decode
from tests.table import go, idle, seen, table, unreadable

CELL = ".#### ##### ##### ##### #####"
TILES = "FA01 FA02 FB01 FB02 FC01 FC02 FC03 FC04 FC05 FC06"

# The line with the mistake is always the last one.
HEADER_ERRORS = [
    # keys
    ("players: 2\nplayers: 3", "key-twice"),
    ("players: 2\nseed: a\nseed: a", "key-twice"),
    ("players: 2\ncolour: red", "key"),
    ("players: 2\nPlayers: 2", "key"),
    ("players: 2\nwhat is this", "line"),
    ("players: 2\nformat: 2", "format"),
    ("players: 2\nformat:", "format"),
    ("players: 2\nedition: 2021", "edition"),
    ("edition: 2020\nplayers:", "players"),
    ("edition: 2020\nplayers: two", "players"),
    ("edition: 2020\nplayers: 0", "players"),
    ("edition: 2020\nplayers: -2", "players"),
    ("edition: 2020\nplayers: 2.0", "players"),
    ("edition: 2020\nplayers: 5", "players"),
    ("edition: 2020\nplayers: 99999999999", "players"),
    # modules, options, names
    ("players: 2\nmodules: chess", "module"),
    ("players: 2\nmodules: ghost ghost", "module-twice"),
    ("edition: 2019\nplayers: 2\nmodules: finesse", "module-edition"),
    ("players: 2\noptions: speed=fast", "option"),
    ("players: 2\noptions: known_points", "option"),
    ("players: 2\noptions: known_points=", "option-value"),
    ("players: 2\noptions: known_points=maybe", "option-value"),
    ("players: 2\noptions: known_points=yes known_points=no", "option-twice"),
    ("players: 2\noptions: upgrade_skip=three", "option-value"),
    ("players: 2\noptions: exchange_down=two", "option-value"),
    ("players: 2\noptions: max_rounds=0", "option-value"),
    ("players: 2\noptions: max_rounds=-1", "option-value"),
    ("players: 2\noptions: max_rounds=ten", "option-value"),
    ("players: 2\noptions: max_rounds=3 max_rounds=3", "option-twice"),
    ("players: 2\noptions: difficulty=hard", "difficulty-solo"),
    ("players: 2\noptions: difficulty=normal", "difficulty-solo"),
    ("players: 1\noptions: difficulty=easy", "option-value"),
    ("players: 2\nnames: Ana", "names"),
    ("players: 2\nnames: Ana | Bo | Cy", "names"),
    ("players: 1\nnames: Ana | Mastermind", "names"),
    # named cards
    ("players: 2\nwhite: W33", "card-unknown"),
    ("players: 2\nwhite: w09", "card-unknown"),
    ("players: 2\nwhite: W09 W10 W09", "card-twice"),
    ("players: 2\nwhite: W09 B01", "card-not-in-play"),
    ("players: 2\nblack: W09", "card-not-in-play"),
    ("players: 2\nwhite: GW01", "card-not-in-play"),
    ("players: 2\nblack: PB01", "card-not-in-play"),
    ("players: 2\nblack: B01 B02 B03 B04 B05 B06 B07 B08 B09 B10 B11 B12 B13", "cards-too-many"),
    ("players: 2\ndeck: W09", "deck-solo"),
    ("players: 1\nwhite: W09", "deck-solo"),
    ("players: 1\nblack: B09", "deck-solo"),
    ("players: 1\ndeck: W09 B01 W10", "deck-order"),
    ("players: 1\ndeck: W09 X99", "card-unknown"),
    ("players: 1\ndeck: B01 B01", "card-twice"),
    ("players: 1\ndeck: " + " ".join(f"W{n:02}" for n in range(1, 17)), "cards-too-many"),
    ("players: 1\ndeck: " + " ".join(f"B{n:02}" for n in range(1, 12)), "cards-too-many"),
    # tiles
    (f"players: 2\nfinesse: {TILES}", "finesse-missing"),
    ("players: 2\nmodules: finesse\nfinesse:", "tiles"),
    (f"players: 2\nmodules: finesse\nfinesse: {TILES[5:]}", "tiles"),
    (f"players: 2\nmodules: finesse\nfinesse: {TILES} FC07", "tiles"),
    (f"players: 2\nmodules: finesse\nfinesse: {TILES.replace('FA02', 'FB03')}", "tiles"),
    (f"players: 2\nmodules: finesse\nfinesse: {TILES.replace('FC06', 'FA03')}", "tiles"),
    (f"players: 2\nmodules: finesse\nfinesse: {TILES.replace('FC06', 'FC05')}", "tile-twice"),
    (f"players: 2\nmodules: finesse\nfinesse: {TILES.replace('FC06', 'FC11')}", "tile-unknown"),
    (f"players: 2\nmodules: finesse\nfinesse: {TILES.replace('FC06', 'W09')}", "tile-unknown"),
    (f"players: 2\nmodules: finesse\nfinesse: {TILES.replace('FC06', 'XC1')}", "tile-not-in-play"),
    # own cards
    (f"players: 2\ncard: Z1 W 0 {CELL}", "card-form"),
    (f"players: 2\ncard: Z1 W 0 O1 {CELL} #####", "card-form"),
    ("players: 2\ncard:", "card-form"),
    (f"players: 2\ncard: Z-1 W 0 O1 {CELL}", "card-id"),
    (f"players: 2\ncard: Z1 R 0 O1 {CELL}", "card-colour"),
    (f"players: 2\ncard: Z1 W -1 O1 {CELL}", "card-points"),
    (f"players: 2\ncard: Z1 W many O1 {CELL}", "card-points"),
    (f"players: 2\ncard: Z1 W 0 O2 {CELL}", "card-reward"),
    (f"players: 2\ncard: Z1 W 0 LEVELUP3 {CELL}", "card-reward"),
    ("players: 2\ncard: Z1 W 0 O1 .### ##### ##### ##### #####", "card-rows"),
    ("players: 2\ncard: Z1 W 0 O1 .###x ##### ##### ##### #####", "card-rows"),
    ("players: 2\ncard: Z1 W 0 O1 ##### ##### ##### ##### #####", "card-recess"),
    (f"players: 2\ncard: W01 W 0 O1 {CELL}", "card-id-taken"),
    (f"players: 2\ncard: GW01 W 0 O1 {CELL}", "card-id-taken"),
    (f"players: 2\ncard: Z1 W 0 O1 {CELL}\ncard: Z1 B 0 O1 {CELL}", "card-id-taken"),
    (f"players: 2\ncard: Z1 W 0 O1 {CELL}\ncard: Z2 W 0 U5 {CELL}", "card-ghost"),
    (f"players: 2\ncard: Z1 B 0 LEVELUP1 {CELL}", "card-ghost"),
    (f"players: 2\nmodules: ambassador\ncard: Z1 B 0 LEVELUP2 {CELL}", "card-ghost"),
    (f"players: 2\nmodules: ghost\ncard: Z1 B 0 M {CELL}", "card-ambassador"),
    # after the first action
    ("players: 2\n1 gain O1\nseed: a", "key-late"),
    (f"players: 2\n1 gain O1\ncard: Z1 W 0 O1 {CELL}", "key-late"),
    ("players: 2\n1 gain O1\ncolour: red", "key-late"),
]


@pytest.mark.parametrize(("text", "code"), HEADER_ERRORS)
def test_a_header_mistake_is_unreadable_and_reported_for_its_line(text: str, code: str) -> None:
    """Comments and blank lines count as lines."""
    line = text.count("\n") + 1
    assert unreadable(text) == (code, line)
    assert unreadable(f"# a game\n\n{text}\n# end") == (code, line + 2)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing", "format: 1\nedition: 2023\nnames: Ana | Bo", "1 take W1"])
def test_a_missing_players_is_reported_for_line_1(text: str) -> None:
    assert unreadable(text) == ("players-missing", 1)


def test_only_players_is_required() -> None:
    game = table("players: 2")
    assert (seen(game, "edition"), game.header.text()) == ("2023", "format: 1\nedition: 2023\nplayers: 2\n")


def test_the_order_of_the_keys_does_not_matter() -> None:
    game = table(f"white: Z1\ncard: Z1 W 0 O1 {CELL}\nmodules: ghost\nplayers: 3\nedition: 2019\nformat: 1")
    assert game.header.text() == (
        f"format: 1\nedition: 2019\nplayers: 3\nmodules: ghost\ncard: Z1 W 0 O1 {CELL}\nwhite: Z1\n"
    )


def test_own_cards_may_have_any_other_id_of_letters_and_digits() -> None:
    game = table(f"players: 2\ncard: 7 W 0 O1 {CELL}\ncard: abcXYZ09 B 12 T4 {CELL}\nwhite: 7\nblack: abcXYZ09")
    rows = seen(game, "rows")
    assert isinstance(rows, dict)
    assert (rows["W"][0], rows["B"][0]) == ("7", "abcXYZ09")


def test_rewards_that_need_a_module_with_their_module() -> None:
    rewards = ("P5", "U5", "L5", "LEVELUP1", "LEVELUP2", "M")
    own = "\n".join(f"card: Z{n} B 0 {reward} {CELL}" for n, reward in enumerate(rewards))
    game = table(f"players: 2\nmodules: ghost ambassador\n{own}\nblack: Z0 Z1 Z2 Z3 Z4 Z5")
    rows = seen(game, "rows")
    assert isinstance(rows, dict)
    assert rows["B"] == ["Z0", "Z1", "Z2", "Z3"]


# Comments and blanks


def test_comments_and_blanks_do_not_matter() -> None:
    plain = table("players: 2\nseed: a", "1 take W1\n1 gain O1")
    text = """# A game.
       players:   2     # two of us

    #names: Ana | Bo
    seed: a # a letter
    \t
    1   take   W1\t# the first
      # then
    1 gain O1     """
    assert replay(text).text() == plain.text()


def test_a_hash_without_a_space_before_it_is_no_comment() -> None:
    game = table("players: 2\nnames: Ana#1 | Bo#2")
    assert game.header.names == ("Ana#1", "Bo#2")


def test_the_rows_of_a_card_are_no_comment() -> None:
    game = table(f"players: 2\n   card: Z1 W 0 O1 {CELL}\nwhite: Z1 # mine")
    assert game.header.rules.own[0].text() == f"Z1 W 0 O1 {CELL}"


def test_windows_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    text = decode(b"\xef\xbb\xbfformat: 1\r\nplayers: 2\r\n\r\n1 take W1\r\n")
    assert replay(text).text() == table("players: 2", "1 take W1").text()


def test_bytes_that_are_no_utf_8_are_reported_for_their_line() -> None:
    with pytest.raises(Unreadable) as caught:
        decode(b"players: 2\nnames: Ana | B\xff\n")
    assert (caught.value.code, caught.value.line) == ("encoding", 2)


# Printing


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("1 place 1:c4c3", "1 place 1:c3c4"),
        ("1 place 1:b3c3b2c2", "1 place 1:b2c2b3c3"),
        ("1 place   2:a5", "1 place 2:a5"),
        ("1 master 2:e1e2 1:a1", "1 master 1:a1 2:e1e2"),
        ("1 ambassador 2:a1 1:b1a1", "1 ambassador 1:a1b1 2:a1"),
        ("1 ghost U5 L3 I2", "1 ghost U5 I2 L3"),
        ("1 ghost U5 O1 I3 O1 2:a1 1:c1b1a1", "1 ghost U5 O1 O1 I3 1:a1b1c1 2:a1"),
        ("1 recycle W 1 2 3 4", "1 recycle W"),
        ("1 recycle  B  4 3 2 1", "1 recycle B 4 3 2 1"),
        ("1 insert  recycle B 1 2 3 4", "1 insert recycle B"),
        ("1 insert master 2:b1a1 1:a1", "1 insert master 1:a1 2:a1b1"),
    ],
)
def test_printing_is_canonical(written: str, canonical: str) -> None:
    """Cells by row then column, places ascending, pieces in the order of the table, no order left to right."""
    game = well_supplied()
    move = game.play_line(written)
    assert move.line() == canonical
    assert game.text().endswith(f"\n{canonical}\n")
    assert replay(game.text()).state.key() == game.state.key()


def well_supplied() -> Game:
    """Seat 1 has two empty puzzles, O1, I2, O4 and U5, an Ambassador action and two credits, in round 4."""
    own = "\n".join(f"card: Z{reward} W 0 {reward} {CELL}" for reward in ("U5", "O4", "M"))
    empty = "\n".join(f"card: {name} W 0 O1 ..... ..... ..... ..... ....." for name in ("E1", "E2"))
    tiles = "FC01 FC02 FC04 FA01 FA02 FB01 FB02 FC03 FC06 FC08"
    head = f"players: 2\nmodules: ghost ambassador finesse\n{own}\n{empty}\nwhite: ZU5 ZO4 ZM E1 E2\nfinesse: {tiles}"
    game = table(head, "1 take W1|1 place 1:a1|1 take W2", idle(2), "1 place 1:a1|1 take W3|1 place 1:a1", idle(2))
    return go(game, "1 take W1|1 take W4|1 upgrade I2 O1", idle(2), "1 upgrade O1 I2")


def test_touches_print_canonically() -> None:
    head = "players: 2\noptions: max_rounds=1\ncard: Z1 W 0 O1 ..### ##### ##### ##### #####\nwhite: Z1"
    game = table(head, "1 take W1|1 gain O1|1 gain O1", idle(2), "1 touch 1:b1a1|1 done")
    assert game.text().endswith("\n1 touch 1:a1b1\n1 done\n")


def test_options_and_modules_print_in_their_own_order_and_defaults_not_at_all() -> None:
    game = table("players: 5\nmodules: line_clear ghost\noptions: max_rounds=9 known_points=no exchange_down=one")
    assert game.header.text() == (
        "format: 1\nedition: 2023\nplayers: 5\nmodules: ghost line_clear\noptions: exchange_down=one max_rounds=9\n"
    )


FULL_HEADERS = [
    "edition: 2019\nplayers: 4\nmodules: ghost ambassador line_clear\noptions: upgrade_skip=two known_points=no",
    "edition: 2020\nplayers: 1\noptions: difficulty=hard\nseed:\ndeck: W09 W10 B20",
    "edition: 2023\nplayers: 1\nmodules: finesse\noptions: difficulty=unbeatable max_rounds=5\nnames: Ana",
    f"players: 6\nmodules: {' '.join(('ghost', 'phoenix', 'finesse', 'line_clear', 'endless_white'))}\nseed: a  b",
    f"players: 2\nmodules: finesse\nnames: Žofie | 李\ncard: Z1 W 3 S4 {CELL}\nwhite: Z1\nfinesse: {TILES}",
]


@pytest.mark.parametrize("head", FULL_HEADERS)
def test_a_printed_header_reads_back_as_the_same_game(head: str) -> None:
    game = table(head)
    again = replay(game.text())
    assert again.header == game.header
    assert (again.text(), again.state.key()) == (game.text(), game.state.key())


def test_a_printed_record_reads_back_and_prints_the_same() -> None:
    actions = "1 take W2|1 place 1:c4c3|1 recycle B 2 1 3 4|2 take B|2 master 1:b2|2 gain O1"
    game = table("players: 2\nwhite: W09 W22\nblack: B13 B14 B15 B16 B01\nnames: Ana | Bo", actions)
    again = replay(game.text())
    assert (again.text(), again.state.key()) == (game.text(), game.state.key())
    assert [move.line() for move in again.moves][1:3] == ["1 place 1:c3c4", "1 recycle B 2 1 3 4"]


def test_a_header_made_in_python_prints_the_same_text() -> None:
    assert Header(Rules(2, modules=("finesse", "ghost")), "").text() == (
        "format: 1\nedition: 2023\nplayers: 2\nmodules: ghost finesse\nseed:\n"
    )


def test_undo_takes_whole_actions_back() -> None:
    game = table("players: 2", "1 take W1")
    before = (game.text(), game.state.key())
    go(game, "1 recycle W 4 3 2 1|1 gain O1")
    game.undo(1)
    assert (game.text(), game.state.key()) == before
    game.undo(0)
    assert game.text() == table("players: 2").text()


@pytest.mark.parametrize("line", ["take W1", "x take W1", "1", "1 ", "one take W1", "1take W1", "@"])
def test_a_line_that_is_no_action_is_unreadable(line: str) -> None:
    assert unreadable("players: 2", "1 gain O1", line) == ("line", 3)
