"""A game at one keyboard: turns, bots, taking back, keeping, and what typed lines do."""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from projectl import Game, Illegal, Unreadable, replay
from projectl.bots import BotError, Look, register
from projectl.bots.action import bot_action
from projectl.core import actions
from projectl.core.notation import lines, parse
from projectl.core.pieces import multiset
from projectl.core.state import PLAY
from projectl.core.view import SPECTATOR
from projectl.terminal.commands import Reply, Then, completions, invitation, obey, welcome
from projectl.terminal.completion import completed, continuations, nearest, tidy
from projectl.terminal.draw import MARKS
from projectl.terminal.saved import SavedGame
from projectl.terminal.seats import read_seat
from projectl.terminal.session import Session
from tests.table import idle, table

GOLDEN = Path(__file__).parent.parent / "golden"
MULTIPLE = ("master", "ambassador", "ghost")
TURN = "1 gain O1|1 gain O1|1 gain O1"


class Scripted:
    """A bot that plays the decisions it was given."""

    def __init__(self, *decisions: int) -> None:
        self.decisions = list(decisions)

    def decide(self, look: Look) -> int:
        return self.decisions.pop(0)


class Broken:
    """A bot that falls over."""

    def decide(self, look: Look) -> int:
        raise ZeroDivisionError("no idea")


class Advice(NamedTuple):
    """A stand-in for the adviser's answer."""

    lines: list[str]
    why: str
    value: float


def sit(game: Game, *seats: str, path: Path | None = None) -> Session:
    """A table whose game is kept in a file, or nowhere."""
    store = SavedGame(path or Path("/dev/null/none"))
    return Session(game, tuple(read_seat(seat) for seat in seats), store)


# --- bots ---------------------------------------------------------------------------------------


def test_the_decisions_of_one_action_are_one_line() -> None:
    game = table("players: 2\nwhite: W09 W22", "1 take W1|1 take W1", idle())
    decisions = parse("master 1:c3 2:c3c4")
    assert bot_action(Scripted(*decisions), game.state.clone(), 0) == "master 1:c3 2:c3c4"
    order = parse("recycle W 4 3 2 1")
    assert bot_action(Scripted(*order), game.state.clone(), 0) == "recycle W 4 3 2 1"


def test_a_bot_stops_being_asked_when_the_action_is_whole() -> None:
    game = table("players: 2\nwhite: W22", "1 take W1")
    bot = Scripted(*parse("place 1:c3c4"), *parse("gain O1"))
    assert bot_action(bot, game.state.clone(), 0) == "place 1:c3c4"
    assert len(bot.decisions) == 1


def test_an_inserted_action_is_one_line_and_its_reward_another() -> None:
    game = table("players: 2\nmodules: finesse\nwhite: W22", "1 take W1")
    game.state.players[0].active += 2
    game.state.reserve = multiset(["O1", "I3"])  # the I2 of the reward is gone: the player chooses
    bot = Scripted(*parse("insert place 1:c3c4"), *parse("reward 1 I3"))
    assert bot_action(bot, game.state.clone(), 0) == "insert place 1:c3c4"
    game.play_line("1 insert place 1:c3c4")
    assert bot_action(bot, game.state.clone(), 0) == "reward 1 I3"


def test_a_touch_paid_with_a_credit_is_one_line() -> None:
    game = table("players: 2\nmodules: finesse\nwhite: W22\noptions: max_rounds=1", "1 take W1|1 gain O1|1 gain O1")
    for line in ("2 gain O1", "2 gain O1", "2 gain O1"):
        game.play_line(line)
    game.state.players[0].active += 1
    bot = Scripted(*parse("touch 1:c3 credit"))
    assert bot_action(bot, game.state.clone(), 0) == "touch 1:c3 credit"


@pytest.mark.parametrize(("bot", "code"), [(Scripted(actions.PASS), "bot-illegal"), (Broken(), "bot-crash")])
def test_a_bot_that_goes_wrong_is_a_coded_error(bot: Scripted | Broken, code: str) -> None:
    with pytest.raises(BotError) as caught:
        bot_action(bot, table("players: 2").state, 0)
    assert caught.value.code == code


# --- whose turn ---------------------------------------------------------------------------------


def test_people_and_bots_take_turns() -> None:
    sitting = sit(table("players: 3"), "Ana", "random", "Bo")
    assert (sitting.people_to_act(), sitting.bot_to_act(), sitting.viewer) == ([0], None, 0)
    for _ in range(3):
        sitting.play(0, "gain O1")
    assert (sitting.people_to_act(), sitting.bot_to_act(), sitting.next_viewer()) == ([], 1, 0)
    for _ in range(3):
        sitting.play(1, "gain O1")
    assert (sitting.people_to_act(), sitting.bot_to_act(), sitting.next_viewer()) == ([2], None, 2)


def test_without_people_there_are_only_spectators() -> None:
    sitting = sit(table("players: 2"), "random", "random")
    assert sitting.viewer == SPECTATOR
    assert obey(sitting, "gain O1").text.startswith("random (1) is to act now.")


def test_a_view_hides_something_once_a_hidden_pile_has_a_card() -> None:
    game = table("players: 2\nwhite: W22", "1 take W1")
    sitting = sit(game, "Ana", "Bo")
    assert not sitting.hides(0)
    sitting.play(0, "place 1:c3c4")
    assert sitting.hides(0)
    assert not sitting.hides(1)


def test_open_piles_and_single_people_hide_nothing() -> None:
    played = "1 take W1|1 place 1:c3c4"
    assert not sit(table("players: 2\nwhite: W22", played), "Ana", "random").hides(0)
    assert not sit(table("players: 2\nwhite: W22\noptions: known_points=yes", played), "Ana", "Bo").hides(0)


def test_in_line_clear_two_people_say_their_seat() -> None:
    sitting = sit(table("players: 5\nmodules: line_clear"), "A", "B", "C", "D", "E")
    refused = obey(sitting, "gain O1")
    assert refused.refused
    assert refused.text.startswith("seats 1 and 3 may act: put the seat number first, as `1 gain O1`.")
    assert obey(sitting, "3 gain O1").then == Then.ADVANCE
    assert sitting.game.moves[-1].line() == "3 gain O1"
    assert "seat 2 is not to act now" in obey(sitting, "2 gain O1").text


def test_in_line_clear_one_person_needs_no_seat() -> None:
    sitting = sit(table("players: 5\nmodules: line_clear"), "A", "random", "random", "D", "E")
    assert obey(sitting, "gain O1").then == Then.ADVANCE
    assert sitting.game.moves[-1].line() == "1 gain O1"
    assert "seat 3 is random (3), a bot" in obey(sitting, "3 gain O1").text


def test_touches_are_for_whoever_looks() -> None:
    header = "players: 2\noptions: max_rounds=1"
    sitting = sit(table(header, TURN, "2 gain O1|2 gain O1|2 gain O1"), "Ana", "Bo")
    sitting.viewer = 1
    assert obey(sitting, "done").then == Then.ADVANCE
    assert sitting.game.moves[-1].line() == "2 done"
    assert sitting.next_viewer() == 0


# --- taking back --------------------------------------------------------------------------------


def test_undo_goes_back_to_what_revealed_something() -> None:
    sitting = sit(table("players: 2"), "Ana", "random")
    for line in ("take W1", "gain O1"):
        obey(sitting, line)
    key = replay(sitting.game.text().replace("1 gain O1\n", "")).state.key()
    assert obey(sitting, "undo") == Reply("Taken back: gain O1.", Then.ADVANCE)
    assert sitting.state.key() == key
    assert [entry.line for entry in sitting.entries] == ["1 take W1"]
    refused = obey(sitting, "undo")
    assert refused.text == "take W1 cannot be taken back: it turned a card up."
    assert len(sitting.game.moves) == 1


def test_undo_does_not_touch_another_players_action() -> None:
    sitting = sit(table("players: 2", TURN), "Ana", "random")
    sitting.play(1, "gain O1")
    assert obey(sitting, "undo").text == "the last action is random's, and only your own can be taken back."


def test_the_last_action_of_a_turn_can_be_taken_back_until_somebody_acts() -> None:
    sitting = sit(table("players: 2", TURN), "Ana", "random")
    assert obey(sitting, "undo").then == Then.ADVANCE
    assert sitting.people_to_act() == [0]


def test_nothing_to_undo_is_said() -> None:
    assert obey(sit(table("players: 2"), "Ana", "random"), "undo").text == "nothing has been played yet."


# --- keeping ------------------------------------------------------------------------------------


def test_every_action_is_kept_at_once_and_resumes(tmp_path: Path) -> None:
    path = tmp_path / "game.pln"
    sitting = sit(table("players: 2"), "me", "random", path=path)
    for line in ("take W1", "gain O1"):
        obey(sitting, line)
        assert path.read_text(encoding="utf-8") == sitting.game.text()
    obey(sitting, "undo")
    kept = replay(path.read_text(encoding="utf-8"))
    assert kept.header.names == ("me", "random")
    assert kept.state.key() == sitting.state.key()


def test_save_writes_where_it_is_told_and_again_to_the_same_file(tmp_path: Path) -> None:
    sitting = sit(table("players: 2"), "me", "random")
    assert obey(sitting, "save").refused
    file = tmp_path / "my game.pln"
    assert obey(sitting, f"save {file}").text == f"Saved in {file}."
    obey(sitting, "gain O1")
    assert not obey(sitting, "save").refused
    assert file.read_text(encoding="utf-8") == sitting.game.text()
    (tmp_path / "letter").write_text("Dear Ana", encoding="utf-8")
    assert "is no game" in obey(sitting, f"save {tmp_path / 'letter'}").text
    assert "cannot be written" in obey(sitting, f"save {tmp_path}").text


# --- typed lines --------------------------------------------------------------------------------


def test_a_wrong_action_gets_the_engines_sentence_and_the_nearest() -> None:
    sitting = sit(table("players: 2\nwhite: W22", "1 take W1"), "me", "random")
    key = sitting.state.key()
    reply = obey(sitting, "place 1:b3c3")
    assert reply.text.startswith("b3c3 does not lie in the recess of W22. Nearest: place 1:c3c4, ")
    assert obey(sitting, "take W9").text.startswith("no game has a card at 'W9'. Nearest: take W")
    assert obey(sitting, "pass").text.startswith("in this edition a turn is exactly three actions. Possible now: gain")
    assert obey(sitting, "tale W1").text == "there is no action 'tale'. Nearest: take."
    assert obey(sitting, "zz").text == "there is no action 'zz'. `help` lists what can be typed."
    assert sitting.state.key() == key


def test_case_does_not_matter() -> None:
    assert tidy("Take w1") == "take W1"
    assert tidy("MASTER 1:C3C4 2:A1") == "master 1:c3c4 2:a1"
    assert tidy("insert Upgrade i2 l3") == "insert upgrade I2 L3"
    assert tidy("levelup NONE") == "levelup none"
    assert tidy("touch 1:c3 Credit") == "touch 1:c3 credit"
    sitting = sit(table("players: 2"), "me", "random")
    assert obey(sitting, "TAKE w2").then == Then.ADVANCE


def test_help_lists_what_this_game_has() -> None:
    plain = obey(sit(table("players: 2"), "me", "random"), "help").text
    assert "recycle W 3 1 4 2" in plain
    assert "ghost" not in plain
    assert "insert" not in plain
    ghosts = obey(sit(table("players: 2\nedition: 2019\nmodules: ghost"), "me", "random"), "help").text
    assert "ghost U5" in ghosts
    assert "recycle" not in ghosts


def test_help_about_an_action_has_an_example_and_the_ruling() -> None:
    sitting = sit(table("players: 2"), "me", "random")
    master = obey(sitting, "help master").text
    assert "R4: at least one piece is placed." in master
    assert "For example: master 1:c3c4 3:a1. Now it is not possible." in master
    example = obey(sitting, "help gain").text.split("For example: ")[1]
    assert example == "gain O1, which you could play now."
    assert "This game has no ghost." in obey(sitting, "help ghost").text


def test_help_draws_the_pieces_as_they_lie_on_a_puzzle() -> None:
    page = obey(sit(table("players: 2"), "me", "random"), "help pieces")
    rows = [line.rstrip() for line in page.text.split("\n")]
    assert rows[2:5] == [
        "O1 level 1 I2 level 2 I3 level 3 L3 level 3",
        "1          2 2        3 3 3      r r",
        "                                 r",
    ]
    assert rows[6:] == [
        "I4 level 4 L4 level 4 S4 level 4 T4 level 4 O4 level 4",
        "I I I I    L L L        S S      T T T      O O",
        "           L          S S          T        O O",
    ]
    assert page.drawn is not None
    assert {str(span.style) for span in page.drawn.spans} >= {style for mark, style in MARKS.values() if mark in "1LO"}
    ghosts = obey(sit(table("players: 2\nmodules: ghost"), "me", "random"), "help pieces").text
    assert "U U U" in ghosts
    assert "U   U" in ghosts


def test_help_about_something_unknown_says_so() -> None:
    sitting = sit(table("players: 2"), "me", "random")
    assert "there is no help about 'foo'" in obey(sitting, "help foo").text


def test_moves_lists_what_is_legal() -> None:
    sitting = sit(table("players: 2\nwhite: W22", "1 take W1"), "me", "random")
    assert obey(sitting, "moves place").text.split("\n") == ["place 1:c3", "place 1:c3c4", "place 1:c4"]
    assert "more" in obey(sitting, "moves").text
    assert obey(sitting, "moves ghost").text == "Nothing that begins so is legal now."


def test_somebody_else_can_take_a_seat_over() -> None:
    sitting = sit(table("players: 2"), "me", "random")
    assert obey(sitting, "seat 2 Bo").text == "Seat 2 is Bo now."
    assert sitting.people() == [0, 1]
    assert sitting.game.header.names == ("me", "Bo")
    assert obey(sitting, "seat 1 random").then == Then.ADVANCE
    assert (sitting.bot_to_act(), sitting.viewer) == (0, SPECTATOR)
    assert "there is no bot" in obey(sitting, "seat 1 randon").text
    assert "number from 1 to 2" in obey(sitting, "seat 3 me").text


def test_a_bot_keeps_its_view_to_itself() -> None:
    sitting = sit(table("players: 2"), "me", "random")
    assert "keeps its view to itself" in obey(sitting, "view 2").text
    assert obey(sitting, "view 1") == Reply(then=Then.VIEW, seat=0)


def test_the_score_waits_for_the_end() -> None:
    assert obey(sit(table("players: 2"), "me", "random"), "score").text == "the game is not over yet."


# --- hints --------------------------------------------------------------------------------------


def test_a_hint_is_the_rest_of_the_turn_and_the_reason() -> None:
    asked: list[tuple[int, float]] = []

    def adviser(look: Look, seconds: float) -> Advice:
        asked.append((look.seat, seconds))
        return Advice(["gain O1", "take W2"], "Small pieces come first.", 1.5)

    sitting = Session(table("players: 2"), (read_seat("me"), read_seat("random")), SavedGame(), adviser)
    assert obey(sitting, "hint") == Reply(then=Then.HINT, seat=0)
    assert sitting.advise(0, 0.5) == "gain O1\ntake W2\nSmall pieces come first."
    assert asked == [(0, 0.5)]


def test_the_adviser_is_the_one_among_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("projectl.bots.advice")
    module.hint = lambda look, seconds: Advice(["take B1"], f"Seat {look.seat}.", 0.0)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "projectl.bots.advice", module)
    assert sit(table("players: 2"), "me", "random").advise(0) == "take B1\nSeat 0."


def test_an_adviser_that_fails_is_a_coded_error() -> None:
    def adviser(look: Look, seconds: float) -> Advice:
        raise KeyError("x")

    sitting = Session(table("players: 2"), (read_seat("me"), read_seat("random")), SavedGame(), adviser)
    with pytest.raises(BotError) as caught:
        sitting.advise(0)
    assert caught.value.code == "hint"


def test_there_is_no_hint_for_a_bots_turn() -> None:
    sitting = sit(table("players: 2", TURN), "me", "random")
    assert obey(sitting, "hint").text == "random is to act now."


# --- completion ---------------------------------------------------------------------------------


def test_completion_comes_from_the_legal_actions() -> None:
    sitting = sit(table("players: 2\nwhite: W22 W09", "1 take W1"), "me", "random")
    assert completions(sitting, "ta") == ["take"]
    assert completions(sitting, "take B") == ["take B", "take B1", "take B2", "take B3", "take B4"]
    assert completions(sitting, "place ") == ["place 1:c3", "place 1:c3c4", "place 1:c4"]
    assert completions(sitting, "place 1:c3c") == ["place 1:c3c4"]
    assert completions(sitting, "sa") == ["save"]
    assert completions(sitting, "help ma") == ["help master"]
    assert completions(sitting, "nonsense") == []


def test_completion_goes_on_through_the_placements_of_a_master() -> None:
    game = table("players: 2\nwhite: W22 W09", "1 take W1|1 take W2")
    state = game.state
    texts = ["master 1:c3", "master 2:c3"]
    assert continuations("master 1:c3 ", texts, state, 0) == ["master 1:c3 2:c3c4"]
    assert continuations("master 1:c3c4 ", texts, state, 0) == ["master 1:c3c4 2:c3", "master 1:c3c4 2:c4"]
    assert continuations("master 2:c3 ", texts, state, 0) == ["master 2:c3 1:c3c4"]
    assert continuations("master 2:c3 1:c3c4 ", texts, state, 0) == []


@pytest.mark.parametrize("name", ["2023-base-2", "2023-ghost-3", "2019-ambassador-2"])
def test_completion_offers_exactly_what_the_rules_allow_to_be_added(name: str) -> None:
    """Every placement that makes a legal action of a longer Master, Ambassador or Ghost, whatever the order."""
    game = replay((GOLDEN / f"{name}.pln").read_text(encoding="utf-8"))
    again = Game(game.header)
    offered = 0
    for n, move in enumerate(game.moves):
        if n % 4 == 0 and again.state.phase == PLAY:
            texts = [text for seat, text, _ in lines(again.state) if seat == move.seat]
            for text in [text for text in texts if text.split()[0] in MULTIPLE and ":" in text][::3]:
                singles = {other.split()[-1] for other in texts if ":" in other}
                allowed = sorted(f"{text} {one}" for one in singles if is_legal(again, move.seat, f"{text} {one}"))
                assert continuations(f"{text} ", texts, again.state, move.seat) == allowed
                offered += len(allowed)
        again.play(move)
    assert offered > 10


def is_legal(game: Game, seat: int, action: str) -> bool:
    try:
        game.check(seat, action)
    except (Illegal, Unreadable):
        return False
    return True


def test_completion_with_a_seat_number() -> None:
    sitting = sit(table("players: 5\nmodules: line_clear"), "A", "B", "C", "D", "E")
    assert completions(sitting, "3 take W") == ["3 take WR1", "3 take WR2", "3 take WR3"]
    assert completions(sitting, "2 take W") == []


def test_tab_completes_as_far_as_all_options_agree() -> None:
    assert completed("ta", ["take"]) == "take "
    assert completed("place", ["place 1:c3", "place 1:c4"]) == "place 1:c"
    assert completed("take W", ["take W", "take W1"]) == "take W"
    assert completed("foo", []) == "foo"


def test_the_nearest_placement_lies_on_the_same_cells() -> None:
    texts = ["place 1:a1a2", "place 1:c3c4", "place 2:c3d3", "gain O1"]
    assert nearest("place 1:c3d3", texts, 2) == ["place 2:c3d3", "place 1:c3c4"]
    assert nearest("gian O1", texts, 1) == ["gain O1"]


def test_errors_of_the_engine_stay_what_they_are() -> None:
    sitting = sit(table("players: 2"), "me", "random")
    with pytest.raises(Illegal):
        sitting.play(0, "place 1:c3")
    with pytest.raises(Unreadable):
        sitting.play(0, "frobnicate")


def test_a_bot_from_elsewhere_can_sit_down() -> None:
    register("test-taker", lambda seconds, seed: Scripted(actions.TAKE), replace=True)
    sitting = sit(table("players: 2"), "test-taker", "me")
    assert bot_action(sitting.bots[0], sitting.state.clone(), 0) == "take W1"


# --- what is suggested --------------------------------------------------------------------------


def test_only_words_of_this_game_and_table_are_suggested() -> None:
    alone = sit(table("players: 1"), "me")
    assert completions(alone, "v") == []
    assert completions(alone, "sc") == []
    assert completions(alone, "help i") == []
    assert completions(alone, "help re") == ["help reward"]
    assert "view NUMBER" not in obey(alone, "help").text
    together = sit(table("players: 2\nmodules: finesse"), "Ana", "Bo")
    assert completions(together, "v") == ["view"]
    assert completions(together, "view ") == ["view 1", "view 2"]
    assert completions(together, "help i") == ["help insert"]
    assert completions(together, "help re") == ["help recycle", "help reward"]
    assert "no help about 'insert'" not in obey(alone, "help insert").text
    assert "insert" not in obey(alone, "help nonsense").text


def test_a_seat_is_completed_with_bots() -> None:
    sitting = sit(table("players: 2"), "me", "random")
    assert completions(sitting, "seat ") == ["seat 1", "seat 2"]
    assert completions(sitting, "seat 2 gr") == ["seat 2 greedy"]


def test_the_picture_is_a_word_of_tables_without_a_screen() -> None:
    sitting = sit(table("players: 2"), "me", "random")
    assert completions(sitting, "pi") == []
    assert "there is no help about 'picture'" in obey(sitting, "help picture").text
    sitting.plain = True
    assert completions(sitting, "pi") == ["picture"]
    assert "picture" in obey(sitting, "help").text


@pytest.mark.parametrize(
    ("header", "seats", "words"),
    [
        ("players: 2", ("me", "random"), "as take W1 or gain O1"),
        ("players: 1", ("me",), "as take G1 or gain O1"),
        ("players: 5\nmodules: line_clear", ("A", "B", "C", "D", "E"), "as 1 take WL1 or 1 gain O1"),
        ("players: 2", ("random", "random"), "`help` lists what can be typed."),
    ],
)
def test_the_welcome_names_what_can_be_played(header: str, seats: tuple[str, ...], words: str) -> None:
    sitting = sit(table(header), *seats)
    found = welcome(sitting)
    assert words in found
    for example in re.findall(r"(?:as|or) ([^;]+?)(?= or |;|$)", found):
        seat, action = sitting.seat_of(example)
        assert sitting.game.check(seat, action)


def test_the_empty_line_asks_for_what_is_possible() -> None:
    assert invitation(sit(table("players: 2"), "me", "random")) == "an action, or help"
    assert invitation(sit(table("players: 2"), "random", "random")) == "help, or quit"
    over = table("players: 2\noptions: max_rounds=1", idle(1, 2), "1 done|2 done")
    assert invitation(sit(over, "me", "random")) == "score, help or quit"
