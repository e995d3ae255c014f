"""The log in words, what can be taken back, and the score explained."""

import re
from pathlib import Path

import pytest

from projectl import Game, replay, result
from projectl.core.cards import all_tiles
from projectl.core.pieces import multiset
from projectl.core.score import score
from projectl.terminal.log import Entry, entry, history
from projectl.terminal.score import explanation
from projectl.terminal.words import tile_words
from tests.table import table

GAMES = Path(__file__).parent.parent / "golden"
GOLDEN = sorted(GAMES.glob("*.pln"))
TWO = "players: 2\nwhite: W09 W22 W24 W25 W26\nblack: B13 B14 B15 B16 B17"


def told(game: Game) -> list[Entry]:
    return history(game, [f"P{seat + 1}" for seat in range(len(game.state.players))])


def last(header: str, *actions: str) -> Entry:
    return told(table(header, *actions))[-1]


def barriers(header: str, *actions: str) -> list[str]:
    """Why each action cannot be taken back."""
    return [move.barrier for move in table(header, *actions).moves]


def test_a_take_tells_the_card_its_place_and_what_came_up() -> None:
    found = last(TWO, "1 take W2")
    assert found.line == "1 take W2"
    assert found.text.startswith("P1 took the card at W2 (W22: ")
    assert "It lies on place 1." in found.text
    assert "Now at W2: W26: " in found.text
    assert barriers(TWO, "1 take W2") == ["it turned a card up"]


def test_a_card_from_the_deck_is_told_by_its_place() -> None:
    found = last(TWO, "1 take W")
    assert "took the top card of the white deck. It lies on place 1 (W26: " in found.text
    assert barriers(TWO, "1 take W") == ["it turned a card up"]


def test_actions_that_reveal_nothing_can_be_taken_back() -> None:
    played = "1 gain O1|1 upgrade I2 L3|1 gain O1"
    assert barriers(TWO, played) == ["", "", ""]
    assert told(table(TWO, played))[1].text == "P1 exchanged I2 for L3."


def test_a_recycle_cannot_be_taken_back() -> None:
    found = last(TWO, "1 recycle W 4 3 2 1")
    assert found.text.startswith("P1 recycled the row W. Now there are W26, ")
    assert barriers(TWO, "1 recycle W 4 3 2 1") == ["it turned a card up"]


def test_a_completed_puzzle_is_told_with_points_and_reward() -> None:
    found = last("players: 2\nwhite: W22", "1 take W1|1 place 1:c3c4")
    assert found.text == "P1 placed I2 on place 1. Place 1 is complete (W22): 0 points. The reward is I2."


def test_credits_and_the_tile_of_the_next_round_are_told() -> None:
    texts = [entry.text for entry in told(replay((GAMES / "2023-finesse-2.pln").read_text(encoding="utf-8")))]
    assert any(re.search(r"P[12] got \d credits?\.", text) for text in texts)
    assert any(re.search(r"Round 3 begins. Its tile pays \d credit", text) for text in texts)


def test_the_mastermind_is_told_after_the_turn_and_ends_taking_back() -> None:
    game = table("players: 1\ndeck: W09 W22 W24 W25 W26", "1 take G1|1 gain O1|1 gain O1")
    first, second, third = told(game)
    assert "A lock of column 1 went to the mastermind." in first.text
    assert second.mastermind == ""
    assert third.mastermind.startswith("The mastermind took ")
    assert re.search(r"\(G[147]\) for \d points?\. Locks now \d \d \d, its supply 0\.", third.mastermind)
    assert third.mastermind in third.text
    assert game.moves[-1].barrier == "the mastermind has acted since"


def test_a_mastermind_before_locked_columns_takes_nothing() -> None:
    game = table("players: 1\ndeck: W09", "1 gain O1|1 gain O1|1 gain O1")
    assert told(game)[-1].mastermind == (
        "The mastermind took nothing: every column was locked, so one lock of each is gone. "
        "Locks now 0 1 0, its supply 6."
    )


def test_the_end_opens_hidden_piles_and_cannot_be_taken_back() -> None:
    hidden = "players: 2\noptions: max_rounds=1"
    turn = "1 gain O1|1 gain O1|1 gain O1|2 gain O1|2 gain O1|2 gain O1"
    entries = told(table(hidden, turn, "1 done|2 done"))
    assert entries[5].text.endswith("Now come the finishing touches.")
    assert barriers(hidden, turn, "1 done|2 done")[5:] == ["", "", "it opened the hidden piles"]
    assert barriers(hidden + " known_points=yes", turn, "1 done|2 done")[-1] == ""


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_golden_game_can_be_told(path: Path) -> None:
    game = replay(path.read_text(encoding="utf-8"))
    entries = told(game)
    assert [entry.line for entry in entries] == [move.line() for move in game.moves]
    for move, found in zip(game.moves, entries, strict=True):
        assert found.text.startswith(f"P{move.seat + 1} ")
        assert found.text.endswith(".")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_an_explained_score_adds_up(path: Path) -> None:
    game = replay(path.read_text(encoding="utf-8"))
    names = [f"P{seat + 1}" for seat in range(len(game.state.players))]
    rows = explanation(game.state, names)
    if result(game.state) is None:
        assert rows == []
        return
    for seat, name in enumerate(names):
        at = next(n for n, row in enumerate(rows) if row.startswith(f"{name}: "))
        sums = []
        for row in rows[at + 1 :]:
            if not row:
                break
            sums.append(int(row.split()[0]))
        assert sum(sums) == score(game.state, seat)
        assert rows[at].split()[1] == str(score(game.state, seat))


def test_some_golden_games_are_over() -> None:
    assert sum(result(replay(path.read_text(encoding="utf-8")).state) is not None for path in GOLDEN) > 10


def test_a_tie_is_explained_by_what_broke_it() -> None:
    start = "players: 2\noptions: max_rounds=1\nwhite: W22"
    game = table(start, "1 take W1|1 place 1:c3c4|1 gain O1|2 gain O1|2 gain O1|2 gain O1|1 done|2 done")
    assert explanation(game.state, ["Ana", "Bo"])[0] == (
        "Ana and Bo have 0 points each. Ana won by completed puzzles, 1 to 0."
    )


def test_a_shared_victory_is_told() -> None:
    turn = "1 gain O1|1 gain O1|1 gain O1|2 gain O1|2 gain O1|2 gain O1|1 done|2 done"
    game = table("players: 2\noptions: max_rounds=1", turn)
    assert explanation(game.state, ["Ana", "Bo"])[0].endswith("nothing tells them apart: the victory is shared.")


def test_a_solo_tie_is_the_masterminds() -> None:
    turn = "1 gain O1|1 gain O1|1 gain O1|1 done"
    game = table("players: 1\noptions: max_rounds=1\ndeck: W09", turn)
    assert explanation(game.state, ["Ana"])[0] == (
        "The mastermind won: 0 against the mastermind's 0, and a tie is the mastermind's."
    )


def test_every_tile_says_what_it_pays() -> None:
    words = {tile.id: tile_words(tile) for tile in all_tiles()}
    assert words["FA01"] == "1 credit for each I4, L4 or S4 you place"
    assert words["XC1"] == "4 credits if no puzzle is unfinished at the end of your turn"
    assert len(set(words.values())) == len(words) - 1  # the Upgrade tile is there twice


def test_a_substituted_reward_is_told_as_what_it_was() -> None:
    """R7: with no I2 left and O1 the only piece in the reserve, the O1 comes without a question."""
    game = table("players: 2\nwhite: W22", "1 take W1")
    game.state.reserve = multiset(["O1", "O1"])
    before = game.state.clone()
    move = game.play_line("1 place 1:c3c4")
    assert entry(before, move, game.state, ["P1", "P2"]).text.endswith("The reward is O1.")


def test_a_reward_with_a_choice_is_announced() -> None:
    game = table("players: 2\nwhite: W22", "1 take W1")
    game.state.reserve = multiset(["O1", "I3"])
    before = game.state.clone()
    move = game.play_line("1 place 1:c3c4")
    assert entry(before, move, game.state, ["P1", "P2"]).text.endswith("A reward is to be chosen.")
    before = game.state.clone()
    move = game.play_line("1 reward 1 I3")
    assert entry(before, move, game.state, ["P1", "P2"]).text == "P1 chose I3 as the reward."
