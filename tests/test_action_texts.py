"""Every kind of action text: what cannot be read in any game, and what can be read but not played now."""

import pytest

from projectl import Game, Illegal, Unreadable
from tests.table import go, idle, listed, refused, seen, table, unreadable
from tests.test_record import CELL

HEAD = """players: 2
card: E1 W 0 O1 ..... ..... ..... ..... .....
card: E2 W 0 O1 ..... ..... ..... ..... .....
white: E1 E2"""

UNREADABLE = [
    # no such word
    ("fly W1", "verb"),
    ("Take W1", "verb"),
    ("placing 1:a1", "verb"),
    ("1 take W1", "verb"),
    ("stop", "verb"),
    ("credit", "verb"),
    # take
    ("take", "form"),
    ("take W1 W2", "form"),
    ("take W5", "slot"),
    ("take W0", "slot"),
    ("take B5", "slot"),
    ("take w1", "slot"),
    ("take R1", "slot"),
    ("take G0", "slot"),
    ("take G10", "slot"),
    ("take WL4", "slot"),
    ("take BR0", "slot"),
    ("take WL", "slot"),
    ("take E1", "slot"),
    # recycle
    ("recycle", "row"),
    ("recycle R", "row"),
    ("recycle W1", "row"),
    ("recycle W a b c d", "order"),
    ("recycle W 1 2 3 -4", "order"),
    # gain, upgrade
    ("gain", "form"),
    ("gain O1 O1", "form"),
    ("gain O2", "piece"),
    ("gain o1", "piece"),
    ("upgrade I2", "form"),
    ("upgrade I2 L3 I3", "form"),
    ("upgrade I2 X9", "piece"),
    ("upgrade M L3", "piece"),
    # placements
    ("place", "form"),
    ("place 1", "placement"),
    ("place 1:", "placement"),
    ("place a1", "placement"),
    ("place 0:a1", "placement"),
    ("place 5:a1", "placement"),
    ("place 1:f1", "placement"),
    ("place 1:a0", "placement"),
    ("place 1:a6", "placement"),
    ("place 1:A1", "placement"),
    ("place 1:a1b", "placement"),
    ("place 1:a1,b1", "placement"),
    ("place 1:O1", "placement"),
    ("place 1:a1a1", "cell-twice"),
    ("place 1:a1b1a1", "cell-twice"),
    ("place 1:a1c1", "no-such-piece"),
    ("place 1:a1b2", "no-such-piece"),
    ("place 1:a1b1c1d1e1", "no-such-piece"),  # five in a line
    ("place 1:b1a2b2c2b3", "no-such-piece"),  # a plus
    ("place 1:a1b1c1a2b2c2", "no-such-piece"),  # six cells
    ("master", "form"),
    ("master 1", "placement"),
    ("master 1:a1 2:a9", "placement"),
    ("master 1:a1 2:a1a1", "cell-twice"),
    ("master 1:a1 2:a1c1", "no-such-piece"),
    ("ambassador", "form"),
    ("ambassador 5:a1", "placement"),
    # ghost
    ("ghost", "form"),
    ("ghost U6 I2 L3", "piece"),
    ("ghost U5 I2 L9", "piece"),
    ("ghost U5 I2 L3 5:a1a2", "placement"),
    ("ghost U5 I2 L3 1:a1a1", "cell-twice"),
    # insert
    ("insert", "insert"),
    ("insert insert take W1", "insert"),
    ("insert reward 1 S4", "insert"),
    ("insert levelup none", "insert"),
    ("insert pass", "insert"),
    ("insert touch 1:a1", "insert"),
    ("insert done", "insert"),
    ("insert fly", "verb"),
    ("insert take W5", "slot"),
    # reward, levelup
    ("reward", "form"),
    ("reward S4", "form"),
    ("reward 1", "form"),
    ("reward 5 S4", "place"),
    ("reward 0 S4", "place"),
    ("reward 1 X4", "piece"),
    ("levelup", "form"),
    ("levelup I2", "form"),
    ("levelup I2 none", "piece"),
    ("levelup none none", "piece"),
    # words that stand alone
    ("pass now", "form"),
    ("done 1", "form"),
    ("touch", "form"),
    ("touch 1:a1 point", "form"),
    ("touch 1:a1 credit credit", "form"),
    ("touch credit", "placement"),
    ("touch 1:a1c1 credit", "no-such-piece"),
]


@pytest.mark.parametrize(("action", "code"), UNREADABLE)
def test_unreadable(action: str, code: str) -> None:
    """In every phase and from any seat: reading comes before the rules."""
    assert unreadable(HEAD, "1 take W1", f"1 {action}") == (code, 6)
    assert unreadable(HEAD, "1 take W1", f"2 {action}") == (code, 6)


def in_play() -> Game:
    """Seat 1 has E1 on place 1 with an O1 at a1, and an O1 and an I2 in the supply."""
    return table(HEAD, "1 gain O1|1 take W1|1 place 1:a1", idle(2))


ILLEGAL = [
    # another kind of game
    ("take WL1", "other-table"),
    ("take BR3", "other-table"),
    ("take G1", "other-table"),
    ("take G", "other-table"),
    ("recycle WL", "other-table"),
    ("recycle BL 3 2 1", "other-table"),
    # modules that are not in play
    ("ghost U5 I2 L3", "ghost-module"),
    ("place 1:a1b1a2b2a3", "ghost-module"),
    ("ambassador 1:b1", "ambassador-module"),
    ("insert gain O1", "finesse-module"),
    ("upgrade O1 U5", "ghost"),
    ("upgrade U5 O1", "not-owned"),
    # Recycle orders
    ("recycle W 1 2 3", "order"),
    ("recycle W 1 2 3 3", "order"),
    ("recycle W 1 2 3 5", "order"),
    ("recycle W 1 2 3 4 1", "order"),
    ("recycle B 0 1 2 3", "order"),
    # pieces
    ("gain I2", "gain"),
    ("gain L5", "ghost"),
    ("upgrade L3 I3", "not-owned"),
    ("upgrade I2 I2", "same-shape"),
    ("upgrade O1 I3", "level"),
    ("upgrade I2 T4", "level"),
    # placements
    ("place 2:a1", "no-puzzle"),
    ("place 1:b1c1d1", "not-owned"),
    ("place 1:a1", "overlap"),
    ("place 1:a1b1", "overlap"),
    ("master 1:a1", "overlap"),
    ("master 1:b1 1:c1", "place-twice"),
    ("master 1:b1 2:b1", "no-puzzle"),
    ("ambassador 1:b1 1:c1", "place-twice"),
    ("ghost U5 I2 L3 1:b1c1 1:d1", "place-twice"),
    # tilings
    ("ghost U5 I2 I2", "tiling"),
    ("ghost U5 I2 L3 O1", "tiling"),
    ("ghost I3 O1 I2", "tiling"),
    ("ghost U5 P5", "tiling"),
    # not the time for it
    ("pass", "must-act"),
    ("reward 1 S4", "nothing-open"),
    ("levelup none", "nothing-open"),
    ("levelup I2 L3", "nothing-open"),
    ("touch 1:b1", "phase"),
    ("touch 1:b1 credit", "phase"),
    ("done", "phase"),
]


@pytest.mark.parametrize(("action", "code"), ILLEGAL)
def test_illegal(action: str, code: str) -> None:
    assert refused(in_play(), f"1 {action}") == code


@pytest.mark.parametrize(("action", "code"), ILLEGAL)
def test_an_illegal_action_in_a_record_has_its_line(action: str, code: str) -> None:
    text = "\n".join([in_play().text().rstrip(), "# and now", f"1 {action}", "1 gain O1"])
    with pytest.raises(Illegal) as caught:
        table(text)
    assert (caught.value.code, caught.value.line) == (code, text.count("\n"))


@pytest.mark.parametrize("seat", [0, 2, 3, 7, 10, 99999999999999999999])
def test_a_seat_out_of_turn_or_absent_is_illegal(seat: int) -> None:
    assert refused(in_play(), f"{seat} gain O1") == "seat"


@pytest.mark.parametrize("action", ["take W1", "gain O1", "touch 1:a1", "done", "pass"])
def test_everything_is_illegal_after_the_end(action: str) -> None:
    game = table("players: 2\noptions: max_rounds=1", idle(1, 2), "1 done|2 done")
    assert (seen(game, "phase"), listed(game)) == ("over", [])
    assert refused(game, f"1 {action}") == "seat"


@pytest.mark.parametrize("action", ["fly", "take W5", "touch", "place 1:a1a1"])
def test_what_cannot_be_read_is_unreadable_after_the_end_too(action: str) -> None:
    game = table("players: 2\noptions: max_rounds=1", idle(1, 2), "1 done|2 done")
    with pytest.raises(Unreadable):
        game.play_line(f"1 {action}")


@pytest.mark.parametrize("action", ["take W1", "gain O1", "place 1:a1", "pass", "levelup none", "reward 1 S4"])
def test_in_the_touches_only_touch_and_done_are_legal(action: str) -> None:
    game = table(f"players: 2\noptions: max_rounds=1\ncard: Z W 0 O1 {CELL}\nwhite: Z", "1 take W1")
    go(game, "1 gain O1|1 gain O1", idle(2))
    assert refused(game, f"1 {action}") == "phase"


def test_rows_of_the_standard_table_are_illegal_in_solo_and_line_clear() -> None:
    solo = table("players: 1")
    assert [refused(solo, f"1 take {slot}") for slot in ("W1", "B4", "W", "WL1")] == ["other-table"] * 4
    assert refused(solo, "1 recycle W") == "no-recycle"
    line_clear = table("players: 5\nmodules: line_clear")
    assert [refused(line_clear, f"1 take {slot}") for slot in ("W1", "G1", "G")] == ["other-table"] * 3
    assert refused(line_clear, "1 recycle W") == "other-table"


def test_a_line_clear_recycle_names_three_cards() -> None:
    game = table("players: 5\nmodules: line_clear")
    assert refused(game, "1 recycle WL 1 2 3 4") == "order"
    assert refused(game, "1 recycle WL 1 1 2") == "order"
    go(game, "1 recycle WL 3 1 2")


def test_a_refused_action_changes_nothing_and_play_goes_on() -> None:
    game = in_play()
    before = game.text()
    refused(game, "1 master 1:b1 2:b1")
    assert game.text() == before
    go(game, "1 master 1:b1")


# What is open comes first


def open_level_up() -> Game:
    head = f"players: 2\nmodules: ghost\ncard: Z W 0 LEVELUP2 {CELL}\nwhite: Z"
    return table(head, "1 take W1|1 place 1:a1")


@pytest.mark.parametrize("action", ["gain O1", "take W1", "pass", "reward 1 S4"])
def test_while_a_level_up_is_open_nothing_else_is_legal(action: str) -> None:
    assert refused(open_level_up(), f"1 {action}") == "levelup-open"


@pytest.mark.parametrize(("action", "code"), [("levelup O1 I3", "level"), ("levelup S4 T4", "not-owned")])
def test_a_level_up_that_cannot_be_says_why(action: str, code: str) -> None:
    assert refused(open_level_up(), f"1 {action}") == code


def test_a_level_up_is_said_once_for_each_arrow() -> None:
    game = go(open_level_up(), "1 levelup O1 I2")
    assert seen(game, "phase") == "reward"
    go(game, "1 levelup none")
    assert seen(game, "phase") == "play"
    assert refused(game, "1 levelup none") == "nothing-open"


def open_reward() -> Game:
    """Ten I2 are out in 2020, so the reward I2 of Z must be replaced: by an O1, an I3 or an L3."""
    head = f"edition: 2020\nplayers: 4\ncard: Z W 0 I2 {CELL}\nwhite: Z"
    game = table(head, *[f"{s} gain O1|{s} upgrade O1 I2|{s} pass" for s in (1, 2, 3, 4)])
    go(game, "1 gain O1|1 upgrade O1 I2|1 pass", "2 gain O1|2 upgrade O1 I2|2 pass", "3 pass", "4 pass")
    return go(game, "1 take W1|1 place 1:a1")


def test_a_reward_names_the_place_and_the_substitute() -> None:
    game = open_reward()
    assert listed(game) == ["1 reward 1 I3", "1 reward 1 L3", "1 reward 1 O1"]
    codes = [refused(game, f"1 {text}") for text in ("reward 2 I3", "reward 1 I2", "gain O1", "pass")]
    assert codes == ["reward", "reward", "reward-open", "reward-open"]
    go(game, "1 reward 1 L3")
    assert seen(game, "phase") == "play"
