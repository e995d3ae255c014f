"""The end of the game: what triggers it, how long it goes on, black cards in the last rounds."""

import pytest

from projectl import Game
from projectl.core.view import view
from tests.table import go, idle, listed, part, player, refused, seen, supply, table

EDITIONS = ("2019", "2020", "2023")

# Twelve black cards of one cell each, so that places are soon free again. In two rounds both
# players complete three of them; two are left in the deck when seat 1 begins round 3.
CARDS = "\n".join(f"card: K{n:02} B 1 I3 .#### ##### ##### ##### #####" for n in range(1, 13))
NAMES = " ".join(f"K{n:02}" for n in range(1, 13))
TWO_ROUNDS = """1 take B1|1 place 1:a1|1 take B1
    2 take B1|2 place 1:a1|2 take B1
    1 place 1:a1|1 take B1|1 place 1:a1
    2 place 1:a1|2 take B1|2 place 1:a1"""


def near_end(edition: str = "2023", options: str = "") -> Game:
    game = table(f"edition: {edition}\nplayers: 2\noptions: {options}\n{CARDS}\nblack: {NAMES}", TWO_ROUNDS)
    assert (part(game, "decks")["B"], seen(game, "to_act"), seen(game, "round")) == (2, [1], 3)
    return game


def when(game: Game) -> tuple[object, object, object]:
    return seen(game, "phase"), seen(game, "round"), seen(game, "to_act")


# The trigger


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_end_is_triggered_the_moment_the_black_deck_is_empty(edition: str) -> None:
    game = go(near_end(edition), "1 take B1")
    assert seen(game, "end_triggered") is False
    go(game, "1 take B1")
    assert (part(game, "decks")["B"], seen(game, "end_triggered")) == (0, True)
    assert part(game, "rows")["B"] == ["K12", "K02", "K03", "K04"]


def test_a_take_from_the_top_of_the_deck_triggers_it_too() -> None:
    game = go(near_end(), "1 take B|1 take B")
    assert seen(game, "end_triggered") is True
    assert part(game, "rows")["B"] == ["K10", "K02", "K03", "K04"]


def test_taking_from_an_empty_row_slot_or_deck_afterwards() -> None:
    """Black cards taken now are not replaced."""
    game = go(near_end(), "1 take B1|1 take B1|1 take B1")
    assert part(game, "rows")["B"] == [None, "K02", "K03", "K04"]
    assert refused(game, "2 take B1") == "no-card"
    assert refused(game, "2 take B") == "no-card"


def test_the_trigger_is_for_good() -> None:
    """The deck cannot be filled again: its row is not recycled any more (R2)."""
    game = go(near_end(), "1 take B1|1 take B1")
    assert refused(game, "1 recycle B") == "deck-empty"
    go(game, "1 recycle W", idle(2))
    assert seen(game, "end_triggered") is True


@pytest.mark.parametrize(("players", "cards"), [(2, 12), (3, 14), (4, 16), (5, 20)])
def test_as_many_black_cards_as_the_deck_has_must_be_taken(players: int, cards: int) -> None:
    """Four lie open at the start, so the deck is empty after all but four."""
    game = table(f"edition: 2019\nplayers: {players}")
    for taken in range(cards - 4):
        assert seen(game, "end_triggered") is False
        seats = seen(game, "to_act")
        assert isinstance(seats, list)
        go(game, f"{seats[0]} take B1", f"{seats[0]} pass" if taken < cards - 5 else "")
    assert seen(game, "end_triggered") is True


# The last rounds


@pytest.mark.parametrize("edition", EDITIONS)
def test_triggered_by_the_first_player(edition: str) -> None:
    """The round is finished, one more is played, then come the touches."""
    game = near_end(edition)
    assert "last_round" not in view(game.state)
    go(game, "1 take B1|1 take B1|1 gain O1")
    assert (when(game), seen(game, "last_round")) == (("play", 3, [2]), 4)
    go(game, idle(2))
    assert when(game) == ("play", 4, [1])
    go(game, idle(1))
    assert when(game) == ("play", 4, [2])
    go(game, idle(2))
    assert when(game) == ("touches", 4, [1, 2])


@pytest.mark.parametrize("edition", EDITIONS)
def test_triggered_by_the_last_player_of_a_round(edition: str) -> None:
    game = go(near_end(edition), "1 take B1|1 place 1:a1|1 gain O1", "2 take B1|2 place 1:a1|2 gain O1")
    assert when(game) == ("play", 4, [1])
    go(game, idle(1, 2))
    assert when(game) == ("touches", 4, [1, 2])


def test_triggered_in_the_middle_of_a_round_of_three() -> None:
    """Everybody has the same number of turns: seat 3 ends this round and plays another."""
    takes = "1 take B1|1 take B1|1 take B1|2 take B1|2 take B1|2 take B1|3 take B1|3 take B1|3 take B1"
    game = table("players: 3", takes, "1 upgrade I2 L3|1 upgrade L3 I3|1 upgrade I3 I2", "2 take B1")
    assert (seen(game, "end_triggered"), when(game)) == (True, ("play", 2, [2]))
    go(game, "2 gain O1|2 gain O1", idle(3))
    assert when(game) == ("play", 3, [1])
    go(game, idle(1, 2))
    assert when(game) == ("play", 3, [3])
    go(game, idle(3))
    assert when(game) == ("touches", 3, [1, 2, 3])


@pytest.mark.parametrize("edition", ["2019", "2020"])
def test_turns_of_the_last_round_may_be_cut_short_before_2023(edition: str) -> None:
    game = go(near_end(edition), "1 take B1|1 take B1|1 pass|2 pass|1 pass")
    assert when(game) == ("play", 4, [2])
    assert when(go(game, "2 pass")) == ("touches", 4, [1, 2])


# Black cards after the trigger


def test_2023_one_black_card_a_turn_and_the_triggering_one_does_not_count() -> None:
    """R39."""
    game = go(near_end(), "1 take B1|1 place 1:a1|1 gain O1", "2 take B1")
    assert seen(game, "end_triggered") is True
    go(game, "2 take B2")
    assert refused(game, "2 take B3") == "black-limit"
    assert "2 take W1" in listed(game)
    assert "2 take W" in listed(game)


def test_cards_taken_earlier_in_the_turn_do_not_count() -> None:
    """Three black cards in one turn: before, with and after the trigger."""
    game = go(near_end(), "1 take B1|1 take B1|1 take B2")
    taken = player(game, 1)["puzzles"]
    assert isinstance(taken, list)
    assert len(taken) == 3


def test_the_triggering_take_from_the_top_does_not_count_either() -> None:
    """R39."""
    game = go(near_end(), "1 take B|1 place 1:a1|1 gain O1", "2 take B|2 take B1")
    assert refused(game, "2 take B2") == "black-limit"


def test_the_limit_is_for_each_turn() -> None:
    """It binds the others at once, and begins anew in the last round."""
    game = go(near_end(), "1 take B1|1 take B1|1 gain O1", "2 take B2")
    assert refused(game, "2 take B3") == "black-limit"
    go(game, "2 take W1|2 gain O1", "1 take B3")
    assert refused(game, "1 take B4") == "black-limit"
    go(game, "1 take W1|1 place 1:a1", "2 take B4")
    assert part(game, "rows")["B"] == ["K12", None, None, None]


def test_white_cards_are_not_limited() -> None:
    game = go(near_end(), "1 take B1|1 take B1|1 gain O1", "2 take W1|2 take W1|2 take W")
    assert when(game) == ("play", 4, [1])


@pytest.mark.parametrize("edition", ["2019", "2020"])
def test_before_2023_there_is_no_limit_on_black_cards(edition: str) -> None:
    game = go(near_end(edition), "1 take B1|1 take B1|1 gain O1", "2 take B2|2 take B3|2 take B4")
    assert part(game, "rows")["B"] == ["K12", None, None, None]


def test_before_the_trigger_there_is_no_limit() -> None:
    assert seen(table("players: 2", "1 take B1|1 take B1|1 take B"), "to_act") == [2]


def test_a_card_taken_in_the_last_rounds_can_still_be_completed() -> None:
    game = go(near_end(), "1 take B1|1 take B1|1 place 1:a1")
    assert player(game, 1)["points"] == 4
    assert supply(game, 1) == {"O1": 1, "I2": 1, "I3": 4}
