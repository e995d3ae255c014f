"""The JSON of a position: which keys are there, what they mean, what a seat may know (docs/notation.md)."""

import json
import random

import pytest

from projectl import EVERYTHING, SPECTATOR, Game, Header, lines, view
from projectl.core.market import end_if_deck_empty, renew_white
from projectl.core.rules import FINESSE_ROUNDS
from projectl.core.state import OVER
from projectl.core.view import Can
from tests.configurations import random_rules
from tests.players import choose
from tests.table import go, idle, part, player, refused, seen, supply, table
from tests.test_record import CELL

ALWAYS = {"edition", "phase", "round", "to_act", "actions_left", "master_used", "end_triggered", "reserve"}
ALWAYS |= {"players", "result"}
OF_A_TABLE = {"rows", "decks", "solo", "finesse", "markers"}
OF_A_PLAYER = {"seat", "supply", "puzzles", "completed", "points", "touches"}
PIECES = ("O1", "I2", "I3", "L3", "I4", "L4", "S4", "T4", "O4")
TILES = "finesse: FC04 FC01 FA01 FA02 FB01 FB02 FC02 FC03 FC06 FC08"


@pytest.mark.parametrize(
    ("head", "there"),
    [
        ("players: 2", {"rows", "decks"}),
        ("edition: 2019\nplayers: 2\nmodules: ghost ambassador", {"rows", "decks"}),
        ("players: 2\nmodules: phoenix endless_white", {"rows", "decks"}),
        ("players: 2\nmodules: finesse", {"rows", "decks", "finesse"}),
        ("edition: 2020\nplayers: 1", {"solo"}),
        ("players: 1\nmodules: finesse finesse_ambassador", {"solo", "finesse"}),
        ("players: 5\nmodules: line_clear", {"rows", "decks", "markers"}),
        ("players: 5\nmodules: line_clear finesse", {"rows", "decks", "markers", "finesse"}),
    ],
)
def test_keys_of_modules_not_in_play_are_absent(head: str, there: set[str]) -> None:
    game = table(head)
    keys = set(view(game.state))
    assert keys >= ALWAYS
    assert keys & OF_A_TABLE == there
    own = set(player(game, 1))
    assert own >= OF_A_PLAYER
    assert ("credits" in own, "ambassador" in own) == ("finesse" in head, " ambassador" in head)


def test_the_first_position_of_two_players() -> None:
    found = view(table("players: 2").state)
    score = {"pile": 0, "noted": 0, "touches": 0, "unfinished": [], "total": 0}
    start = {"supply": {"O1": 1, "I2": 1}, "puzzles": [], "completed": [], "points": 0, "touches": 0, "score": score}
    players: list[object] = [{"seat": n, **start} for n in (1, 2)]
    expected = {
        "edition": "2023",
        "phase": "play",
        "round": 1,
        "to_act": [1],
        "actions_left": 3,
        "master_used": False,
        "end_triggered": False,
        "rows": {"W": ["W01", "W02", "W03", "W04"], "B": ["B01", "B02", "B03", "B04"]},
        "decks": {"W": 28, "B": 8},
        "reserve": {name: 13 if name in ("O1", "I2") else 15 for name in PIECES},
        "players": players,
        "result": None,
    }
    assert {key: part for key, part in found.items() if key in expected} == expected


def test_every_view_is_json() -> None:
    game = table("players: 5\nmodules: ghost ambassador finesse line_clear", "1 take W")
    for viewer in (EVERYTHING, SPECTATOR, 0, 4):
        assert json.loads(json.dumps(view(game.state, viewer))) == view(game.state, viewer)


@pytest.mark.parametrize("modules", ["", "ghost"])
def test_ghosts_are_in_the_reserve_only_with_their_module(modules: str) -> None:
    reserve = part(table(f"players: 2\nmodules: {modules}"), "reserve")
    assert [name for name in reserve if name.endswith("5")] == (["P5", "U5", "L5"] if modules else [])
    assert all(reserve[name] == 10 for name in reserve if name.endswith("5"))


def test_a_puzzle_shows_its_pieces_as_placed_and_its_empty_cells() -> None:
    """W16 is b3 c3 / b4 c4 d4."""
    game = table("players: 2\nwhite: W01 W16", "1 take W2|1 place 1:d4|1 place 1:c3b3")
    assert player(game, 1)["puzzles"] == [
        {
            "place": 1,
            "card": "W16",
            "pieces": [{"piece": "O1", "cells": ["d4"]}, {"piece": "I2", "cells": ["b3", "c3"]}],
            "empty": ["b4", "c4"],
        }
    ]
    assert supply(game, 1) == {}  # counts of zero are absent


def test_a_card_stays_on_its_place_and_the_lowest_empty_one_is_used() -> None:
    own = f"card: Z1 W 0 O1 {CELL}\ncard: Z2 W 0 O1 {CELL}"
    game = table(f"players: 2\n{own}\nwhite: Z1 Z2 W09", "1 take W1|1 take W2|1 place 1:a1", idle(2))
    assert places(game) == [(2, "Z2")]
    assert places(go(game, "1 take W3")) == [(1, "W09"), (2, "Z2")]


def places(game: Game) -> list[tuple[int, str]]:
    puzzles = player(game, 1)["puzzles"]
    assert isinstance(puzzles, list)
    return [(puzzle["place"], puzzle["card"]) for puzzle in puzzles]


def test_a_gap_of_a_row_is_null() -> None:
    """Eight cards empty the black deck; the ninth is taken from B2 and leaves a gap."""
    game = table(f"players: 2\ncard: K B 0 O1 {CELL}\nblack: K", "1 take B1|1 place 1:a1|1 take B1")
    go(game, "2 take B1|2 take B1|2 take B1", "1 take B1|1 take B1|1 take B1")
    assert (part(game, "rows")["B"], part(game, "decks")["B"]) == (["B11", "B01", "B02", "B03"], 0)
    go(game, "2 take B2")
    assert part(game, "rows")["B"] == ["B11", None, "B02", "B03"]


def test_master_used_and_actions_left() -> None:
    game = table(f"players: 2\ncard: Z W 0 O1 {CELL}\nwhite: Z", "1 take W1|1 master 1:a1")
    assert (seen(game, "actions_left"), seen(game, "master_used")) == (1, True)
    go(game, "1 gain O1")
    assert (seen(game, "actions_left"), seen(game, "master_used")) == (3, False)


# Line Clear


def test_line_clear_shows_both_holders() -> None:
    """The holders whose turn is not over act, white first; counts are objects by seat."""
    head = f"players: 5\nmodules: line_clear\ncard: Z W 0 O1 {CELL}\nwhite: W01 W02 W03 Z"
    game = table(head, "3 take WR1|3 master 1:a1|1 take WL1")
    assert seen(game, "to_act") == [1, 3]
    assert (seen(game, "actions_left"), seen(game, "master_used")) == ({"1": 2, "3": 1}, {"1": False, "3": True})
    assert list(part(game, "rows")) == ["WL", "WR", "BL", "BR"]
    go(game, "1 gain O1|1 gain O1")
    assert (seen(game, "to_act"), seen(game, "markers")) == ([3], {"white": 1, "black": 3})


def test_the_white_holder_stands_first_in_to_act() -> None:
    """Step 4 of five players: white is with seat 4, black with seat 1."""
    game = table("players: 5\nmodules: line_clear", *[idle(k + 1, (k + 2) % 5 + 1) for k in range(3)])
    assert (seen(game, "markers"), seen(game, "to_act")) == ({"white": 4, "black": 1}, [4, 1])


# An open reward


def test_while_a_level_up_is_open_only_that_seat_acts() -> None:
    """R31: the card is on the pile, its place empty, the other Line Clear holder waits."""
    head = f"players: 5\nmodules: line_clear ghost\ncard: Z W 2 LEVELUP1 {CELL}\nwhite: W01 W02 W03 Z"
    game = table(head, "3 take WR1|3 place 1:a1")
    assert (seen(game, "phase"), seen(game, "to_act")) == ("reward", [3])
    assert (player(game, 3)["completed"], player(game, 3)["points"], player(game, 3)["puzzles"]) == (["Z"], 2, [])
    assert supply(game, 3) == {"O1": 1, "I2": 1}
    assert refused(game, "1 gain O1") == "seat"
    assert seen(go(game, "3 levelup none"), "to_act") == [1, 3]


def test_ambassador_counts_all_unused_ones() -> None:
    """Those of this turn, which cannot be used yet, and earlier ones."""
    own = "\n".join(f"card: Z{n} W 0 M {CELL}" for n in (1, 2))
    head = f"players: 2\nmodules: ambassador\n{own}\nwhite: Z1 Z2 W01"
    game = table(head, "1 take W1|1 place 1:a1|1 take W2", idle(2), "1 place 1:a1")
    assert player(game, 1)["ambassador"] == 2
    go(game, "1 take W3|1 ambassador 1:c3")
    assert player(game, 1)["ambassador"] == 1


@pytest.mark.parametrize("edition", ["2019", "2023"])
@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_unused_ambassador_cards_lie_face_up_for_everybody(edition: str, viewer: int | None) -> None:
    """R45: an Ambassador action turns the oldest over; of a hidden pile the rest stays hidden."""
    own = "\n".join(f"card: Z{n} W {n} {gives} {CELL}" for n, gives in ((1, "M"), (2, "M"), (3, "O1")))
    head = f"edition: {edition}\nplayers: 2\nmodules: ambassador\n{own}\nwhite: Z1 Z2 Z3 W01"
    game = table(head, "1 take W1|1 place 1:a1|1 take W2", stop(2, edition), "1 place 1:a1|1 take W3|1 place 1:a1")
    assert face_up(game, viewer) == ["Z1", "Z2"]
    go(game, stop(2, edition), "1 take W4|1 ambassador 1:c3")
    assert face_up(game, viewer) == ["Z2"]
    assert shown(game, 2)[0] == (None if edition == "2023" else ["Z1", "Z2", "Z3"])


def stop(seat: int, edition: str) -> str:
    return idle(seat) if edition == "2023" else f"{seat} pass"


def face_up(game: Game, viewer: int | None) -> list[str]:
    found = view(game.state, EVERYTHING if viewer is None else viewer - 1)["players"]
    assert found[1]["ambassador_cards"] == []
    assert len(found[0]["ambassador_cards"]) == found[0]["ambassador"]
    return found[0]["ambassador_cards"]


def test_a_card_that_endless_white_took_back_stays_listed_while_its_action_is_unused() -> None:
    game = table("players: 2\nmodules: ambassador endless_white", "1 gain O1")
    state, card = game.state.clone(), game.state.cards.number["AW01"]
    state.lay_ambassador(0, card)
    state.put_on_pile(0, card)
    state.set_decks([], [])
    renew_white(state)
    assert (state.white_left(), state.pile(0)) == (1, [])
    assert view(state, 1)["players"][0]["ambassador_cards"] == ["AW01"]


# What the seats that are to act may do


def can(game: Game, seat: int) -> Can:
    return next(found for found in view(game.state)["can"] if found["seat"] == seat)


def test_what_a_seat_may_do_at_the_start_of_its_turn() -> None:
    expected: Can = {
        "seat": 1,
        "decision": "action",
        "decks": ["W", "B"],
        "recycle": ["W", "B"],
        "ends": "action",
    }
    start = table("players: 2").state
    assert view(start)["can"] == view(start, 0)["can"] == view(start, 1)["can"] == [expected]
    assert view(start, SPECTATOR)["can"] == []
    older = can(table("edition: 2019\nplayers: 2"), 1)
    assert older == {"seat": 1, "decision": "action", "may_pass": True, "ends": "action"}


@pytest.mark.parametrize(
    ("head", "last"),
    [
        ("players: 2", 2),
        ("players: 2\noptions: max_rounds=1", 1),
        ("players: 1", 2),
        ("players: 2\nmodules: finesse", 2),
    ],
)
def test_the_last_round_is_known_once_the_end_is_triggered(head: str, last: int) -> None:
    game = table(head)
    assert "last_round" not in view(game.state)
    end_if_deck_empty(game.state, 0)
    assert view(game.state)["last_round"] == last


def test_after_round_ten_of_finesse_there_is_no_further_round() -> None:
    game = table("players: 2\nmodules: finesse")
    game.state.round = FINESSE_ROUNDS
    end_if_deck_empty(game.state, 0)
    assert view(game.state)["last_round"] == FINESSE_ROUNDS


def test_in_line_clear_the_markers_decide_which_round_is_the_last() -> None:
    game = table("players: 5\nmodules: line_clear")
    end_if_deck_empty(game.state, 0)
    assert (game.state.end_triggered, "last_round" in view(game.state)) == (True, False)


def test_in_line_clear_the_black_holder_has_no_decks_and_no_recycle() -> None:
    game = table("players: 5\nmodules: line_clear")
    assert (can(game, 1)["decks"], can(game, 1)["recycle"]) == (["W", "B"], ["WL", "BL"])
    assert not can(game, 3).keys() & {"decks", "recycle"}


def test_what_is_open_is_named() -> None:
    game = table(f"players: 2\nmodules: ghost\ncard: Z W 0 LEVELUP1 {CELL}\nwhite: Z", "1 take W1|1 place 1:a1")
    assert (can(game, 1)["decision"], "place" in can(game, 1)) == ("levelup", False)


@pytest.mark.parametrize("number", range(25))
def test_capabilities_agree_with_the_legal_actions(number: int) -> None:
    """Every kind that is said to be open has a legal action, and the other way round."""
    dice = random.Random(f"can {number}")
    game = Game(Header(random_rules(dice), str(number)))
    while game.state.phase != OVER:
        found = view(game.state)
        assert [one["seat"] for one in found["can"]] == found["to_act"]
        for one in found["can"]:
            texts = [text for seat, text, _ in lines(game.state) if seat + 1 == one["seat"]]
            _agree(one, texts)
        seat, text, _ = choose(game.state, dice)
        game.play(game.check(seat, text))


def _agree(found: Can, texts: list[str]) -> None:
    verbs = {text.split()[0] for text in texts}
    kinds = {"place", "master", "ambassador", "insert", "may_pass", "recycle"}
    assert found.keys() & kinds == {"may_pass" if verb == "pass" else verb for verb in verbs} & kinds
    assert all(found.values()), "what cannot be is absent"
    assert set(found.get("recycle", [])) == {text.split()[1] for text in texts if text.startswith("recycle")}
    assert set(found.get("decks", [])) == {text.split()[1] for text in texts if text in ("take W", "take B", "take G")}


# What a score is made of


def test_a_score_is_a_sum_that_its_owner_can_follow() -> None:
    own = "card: Z1 W 3 O1 ..### ##### ##### ##### #####\ncard: Z2 W 4 O1 ..### ##### ##### ##### #####"
    head = f"players: 2\noptions: max_rounds=1\n{own}\nwhite: Z1 Z2"
    game = table(head, "1 take W1|1 take W2|1 place 1:a1b1")
    for viewer, shown in ((EVERYTHING, True), (0, False), (SPECTATOR, False)):  # while they play it counts for nobody
        assert {"score" in one for one in view(game.state, viewer)["players"]} == {shown}
    go(game, idle(2))
    puzzle = {"place": 2, "card": "Z2", "left": -4, "finished": 4}
    mine = view(game.state, 0)["players"][0]["score"]
    assert mine == {"pile": 3, "noted": 0, "touches": 0, "unfinished": [puzzle], "total": -1}
    theirs = view(game.state, 1)["players"][0]["score"]
    assert theirs == {"pile": None, "noted": None, "touches": 0, "unfinished": [puzzle], "total": None}
    go(game, "1 touch 2:a1b1|1 done|2 done")
    end = view(game.state, 1)
    assert end["players"][0]["score"] == {"pile": 7, "noted": 0, "touches": -1, "unfinished": [], "total": 6}
    assert end["result"] is not None
    assert end["result"]["scores"] == [player["score"]["total"] for player in end["players"]]


def test_without_a_price_an_unfinished_puzzle_costs_nothing() -> None:
    game = table("edition: 2019\nplayers: 2\nwhite: W01", "1 take W1")
    (puzzle,) = view(game.state)["players"][0]["score"]["unfinished"]
    assert (puzzle["left"], puzzle["finished"]) == (0, 2)


def test_a_game_that_was_given_up_is_over() -> None:
    game = pile("players: 2")
    for viewer in (SPECTATOR, 0, 1):
        found = view(game.state, viewer, resigned_to=(1,))
        assert (found["phase"], found["to_act"], found["can"], found["actions_left"]) == ("over", [], [], 0)
        assert found["result"] == {"scores": [3, 0], "winners": [2], "reason": "resigned"}
        assert found["players"][0]["completed"] == ["Z"]
    assert view(game.state, 1)["phase"] == "play"


# The end


def test_touches_and_the_end() -> None:
    own = "card: Z W 3 O1 ..### ##### ##### ##### #####"
    game = table(f"players: 2\noptions: max_rounds=1\n{own}\nwhite: Z", "1 take W1|1 master 1:a1|1 recycle B", idle(2))
    assert (seen(game, "phase"), seen(game, "to_act"), seen(game, "result")) == ("touches", [1, 2], None)
    assert (seen(game, "actions_left"), seen(game, "master_used")) == (0, False)
    assert refused(game, "1 touch 1:b1") == "not-owned"
    go(game, "2 done")
    assert seen(game, "to_act") == [1]
    go(game, "1 done")
    assert (seen(game, "phase"), seen(game, "to_act")) == ("over", [])
    assert (seen(game, "actions_left"), seen(game, "master_used")) == (0, False)
    assert seen(game, "result") == {"scores": [-3, 0], "winners": [2], "reason": "points"}


def test_touches_counts_only_those_paid_with_a_point() -> None:
    own = "card: Z W 3 O1 ..### .#### ##### ##### #####"
    game = table(f"players: 2\noptions: max_rounds=1\n{own}\nwhite: Z", "1 take W1|1 recycle W|1 recycle W", idle(2))
    go(game, "1 touch 1:a1b1|1 touch 1:a2")
    assert (player(game, 1)["touches"], player(game, 1)["points"]) == (2, 0)
    go(game, "1 done|2 done")
    assert (player(game, 1)["points"], part(game, "result")["scores"]) == (3, [1, 0])


def test_a_shared_victory_names_all_winners() -> None:
    game = table("players: 3\noptions: max_rounds=1", idle(1, 2, 3), "1 done|2 done|3 done")
    assert part(game, "result") == {"scores": [0, 0, 0], "winners": [1, 2, 3], "reason": "shared"}


def test_in_solo_the_mastermind_is_seat_2_and_wins_a_tie_by_points() -> None:
    game = table("players: 1\noptions: max_rounds=1", idle(1), "1 done")
    assert part(game, "result") == {"scores": [0, 0], "winners": [2], "reason": "points"}
    assert part(game, "solo")["completed"] == []


def test_solo_shows_the_grid_the_deck_and_the_locks() -> None:
    game = go(table("players: 1"), idle(1), idle(1))
    assert part(game, "solo") == {
        "grid": ["W10", *(f"W{n:02}" for n in range(2, 10))],
        "deck": 15,
        "locks": [7, 0, 0],
        "supply": 0,
        "completed": ["W01"],
        "points": 2,
    }


# What a seat may know


def pile(head: str) -> Game:
    """Seat 1 has completed Z, worth 3."""
    return table(f"{head}\ncard: Z W 3 O1 {CELL}\nwhite: Z", "1 take W1|1 place 1:a1")


def shown(game: Game, viewer: int) -> tuple[object, object, object]:
    """Seat 1's pile as a viewer (0: a spectator) sees it."""
    found = view(game.state, viewer - 1 if viewer else SPECTATOR)["players"][0]
    return found["completed"], found["points"], found.get("completed_count")


@pytest.mark.parametrize(("viewer", "expected"), [(1, (["Z"], 3, None)), (2, (None, None, 1)), (0, (None, None, 1))])
def test_a_hidden_pile_shows_the_others_only_how_many_cards_it_holds(
    viewer: int, expected: tuple[object, object, object]
) -> None:
    """R44. 2023; the owner sees their own pile."""
    assert shown(pile("players: 2"), viewer) == expected


@pytest.mark.parametrize(
    "head",
    ["edition: 2019\nplayers: 2", "edition: 2020\nplayers: 2", "edition: 2023\nplayers: 2\noptions: known_points=yes"],
)
@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_open_piles_are_seen_by_all(head: str, viewer: int) -> None:
    assert shown(pile(head), viewer) == (["Z"], 3, None)


def test_a_pile_of_2019_may_be_hidden() -> None:
    assert shown(pile("edition: 2019\nplayers: 2\noptions: known_points=no"), 2) == (None, None, 1)


def test_all_is_open_once_the_game_is_over() -> None:
    """R44."""
    game = go(pile("players: 2\noptions: max_rounds=1"), "1 gain O1", idle(2))
    assert shown(game, 2) == (None, None, 1)  # not in the touches
    go(game, "1 done|2 done")
    assert shown(game, 2) == shown(game, 0) == (["Z"], 3, None)


def test_the_rest_of_the_position_is_the_same_for_all() -> None:
    game = pile("players: 2")
    whole, other = view(game.state), view(game.state, 1)
    assert {key: value for key, value in whole.items() if key != "players"} == {
        key: value for key, value in other.items() if key != "players"
    }


@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_face_down_tiles_are_null_until_their_round_is_over(viewer: int | None) -> None:
    game = table(f"players: 2\nmodules: finesse\n{TILES}")
    for expected in ([None, None, "FA01"], ["FC04", None, "FA01"], ["FC04", "FC01", "FA01"]):
        found = seen(game, "finesse", viewer)
        assert isinstance(found, dict)
        assert (found["tiles"][:3], len(found["tiles"])) == (expected, 10)
        go(game, idle(1, 2))


def test_in_the_touches_the_tile_of_the_last_round_is_gone_and_at_the_end_all_are_shown() -> None:
    game = table(f"players: 2\nmodules: finesse\noptions: max_rounds=1\n{TILES}", idle(1, 2))
    assert (seen(game, "phase"), tiles(game)[:2]) == ("touches", ["FC04", None])
    go(game, "1 done|2 done")
    assert tiles(game)[:2] == ["FC04", "FC01"]


def tiles(game: Game) -> list[object]:
    found = part(game, "finesse")["tiles"]
    assert isinstance(found, list)
    return found
