"""Endless White Deck: an empty white deck is made anew of the finished white cards (docs/rules.md)."""

import pytest

from projectl import Game, Unreadable
from tests.table import go, idle, part, player, refused, seen, table
from tests.test_seeds import VECTORS, ids, reference

# Six players have 24 places, and the white deck has 28 cards: four must be completed before it is
# empty. Everybody takes from W1, so the cards are taken in this order; the seats 1 and 2 get puzzles
# worth nothing, the others get those that cost points.
TAKEN = (
    "W22 W24  W25 W26 W27  W09 W01  W23 W02  W10  W03 W04 W05 "
    "W28 W29 W30  W31  W06 W07 W08  W11 W12 W13  W14 W15 W16  W17  W18"
)
IN_THE_ROW = "W19 W20 W21"
ROUNDS_1_2 = (
    "1 take W1|1 place 1:c3c4|1 take W1",
    "2 take W1|2 take W1|2 take W1",
    "3 take W1|3 place 1:c3c4|3 take W1",
    "4 take W1|4 place 1:c3c4|4 take W1",
    "5 take W1|5 place 1:c2|5 place 1:c3c4",
    "6 take W1|6 take W1|6 take W1",
    "1 take W1|1 take W1|1 take W1",
    "2 take W1|2 upgrade I2 L3|2 upgrade L3 I2",
    "3 take W1|3 take W1|3 take W1",
    "4 take W1|4 take W1|4 take W1",
    "5 take W1|5 take W1|5 take W1",
    "6 take W1|6 upgrade I2 L3|6 upgrade L3 I2",
)
COMPLETED = ["W09", "W10", "W22", "W23"]


def header(variant: str = "endless_white", more: str = "") -> str:
    """The first card lies at W1, three stay in the row, the rest is the deck; W32 is its last card."""
    white = TAKEN.replace("W22", f"W22 {IN_THE_ROW}")
    return f"players: 6\nmodules: phoenix {variant}\noptions: max_rounds=3\nwhite: {white} W32\n{more}"


def one_card_left(variant: str = "endless_white", more: str = "") -> Game:
    """Seat 5 is to begin; one card is left in the white deck."""
    game = table(header(variant, more), *ROUNDS_1_2, idle(1, 2, 3, 4))
    assert (part(game, "decks")["W"], seen(game, "to_act"), piles(game)) == (1, [5], ["W22", "", "W09", "W23", "W10"])
    return game


def piles(game: Game) -> list[str]:
    """The completed cards of the seats 1 to 5."""
    found: list[str] = []
    for seat in range(1, 6):
        cards = player(game, seat)["completed"]
        assert isinstance(cards, list)
        found.append(" ".join(cards))
    return found


def points(game: Game) -> list[object]:
    return [player(game, seat)["points"] for seat in range(1, 7)]


@pytest.mark.parametrize("last", ["take W1", "take W"])
def test_the_deck_is_made_anew_when_its_last_card_goes(last: str) -> None:
    """As a refill or from the top. The cards leave the piles, their points stay."""
    game = go(one_card_left(), f"5 {last}")
    assert part(game, "decks")["W"] == 4
    assert piles(game) == [""] * 5
    assert points(game) == [0, 0, 1, 0, 1, 0]


@pytest.mark.parametrize("seed", VECTORS)
def test_the_returned_cards_are_shuffled_by_the_seed_and_the_label_endless_1(seed: str) -> None:
    """A Recycle turns the new deck over."""
    game = go(one_card_left(more=f"seed: {seed}"), "5 take W1|5 recycle W")
    assert part(game, "rows")["W"] == VECTORS[seed]["endless"].split() == reference(COMPLETED, seed, "endless-1")


def test_without_a_seed_the_empty_seed_shuffles() -> None:
    """A shuffle is unavoidable here, whatever the header says."""
    game = go(one_card_left(), "5 take W1|5 recycle W")
    assert part(game, "rows")["W"] == VECTORS[""]["endless"].split()


def test_without_the_variant_the_white_deck_just_runs_out() -> None:
    game = go(one_card_left(""), "5 take W1")
    assert (part(game, "decks")["W"], piles(game)) == (0, ["W22", "", "W09", "W23", "W10"])
    assert (seen(game, "end_triggered"), seen(game, "phase")) == (False, "play")
    assert refused(game, "5 recycle W") == "deck-empty"


def test_noted_cards_count_as_completed_puzzles_for_ties() -> None:
    """Seats 1 and 2 have no points and no unfinished ones; W22 of seat 1 is noted and decides."""
    game = go(one_card_left(), "5 take W1|5 gain O1|5 gain O1", idle(6))
    go(game, *[f"{seat} done" for seat in range(1, 7)])
    result = part(game, "result")
    assert (result["winners"], result["reason"]) == ([1], "puzzles")
    # Pile, less the unfinished: seat 3 has W01 W06 W07 W08, seat 4 W02 W11 W12 W13, and so on.
    assert result["scores"] == [0, 0, 1 - 8, 0 - 5, 1 - 4, -7]


def test_black_cards_stay_in_the_pile() -> None:
    own = "card: Z W 0 O1 .#### ##### ##### ##### #####\ncard: K B 3 O1 .#### ##### ##### ##### #####"
    game = table(f"players: 2\nmodules: endless_white\n{own}\nwhite: Z\nblack: K", "1 take W1|1 take B1")
    empty_the_white_deck(game)
    go(game, "1 place 2:a1", idle(2), "1 place 1:a1")
    assert (player(game, 1)["completed"], player(game, 1)["points"], part(game, "decks")["W"]) == (["K"], 3, 1)


# Ambassador actions


def test_an_unused_ambassador_action_is_noted_and_stays_usable() -> None:
    """With two white cards more, six must be completed; seat 2's gives M."""
    white = (
        "W22 AW01 W20 W21  W24  ZM W25  W09 W01  W23 W02  W10  W11 "
        "W26 W27 W28  W29 W30 W31  W03 W04 W05  W06 W07 W08  W12 W13 W14  W15 W16 W17  W18  W32 W19"
    )
    own = "card: ZM W 1 M .#### ##### ##### ##### #####"
    head = f"players: 6\nmodules: phoenix ambassador endless_white\n{own}\nwhite: {white}"
    game = table(
        head,
        "1 take W1|1 place 1:c3c4|1 take W1",
        "2 take W1|2 place 1:a1|2 take W1",
        "3 take W1|3 place 1:c3c4|3 take W1",
        "4 take W1|4 place 1:c3c4|4 take W1",
        "5 take W1|5 place 1:c2|5 place 1:c3c4",
        "6 take W1|6 place 1:d3|6 place 1:c4d4",
        *[f"{seat} take W1|{seat} take W1|{seat} take W1" for seat in range(1, 7)],
        idle(1, 2, 3, 4),
        "5 take W1|5 upgrade I2 L3|5 upgrade L3 I2",
    )
    assert (player(game, 2)["completed"], player(game, 2)["ambassador"], part(game, "decks")["W"]) == (["ZM"], 1, 1)
    go(game, "6 take W1|6 upgrade I2 L3|6 upgrade L3 I2")
    assert (player(game, 2)["completed"], player(game, 2)["points"], part(game, "decks")["W"]) == ([], 1, 6)
    assert player(game, 2)["ambassador"] == 1
    go(game, idle(1), "2 ambassador 1:c2")  # W25 is three cells in column c
    assert player(game, 2)["ambassador"] == 0
    assert refused(game, "2 ambassador 1:c3") == "no-ambassador"


# R17. With 32 white cards and 24 places some white card is always finished when the deck runs out, so
# the deck is emptied by hand here.


def empty_the_white_deck(game: Game) -> None:
    game.state.white_top = len(game.state.white)


def small_cards(n: int, seed: str) -> Game:
    own = "\n".join(f"card: Z{i} W {i} O1 .#### ##### ##### ##### #####" for i in range(1, n + 1))
    names = " ".join(f"Z{i}" for i in range(1, n + 1))
    game = table(f"players: 2\nmodules: endless_white\n{own}\nwhite: {names}\nseed: {seed}")
    empty_the_white_deck(game)
    return game


def test_with_no_finished_white_card_it_waits_for_one() -> None:
    """R17: the gap stays for now; the first finished card is the new deck."""
    game = go(small_cards(4, ""), "1 take W4")
    assert (part(game, "decks")["W"], part(game, "rows")["W"]) == (0, ["Z1", "Z2", "Z3", None])
    go(game, "1 place 1:a1")
    assert (part(game, "decks")["W"], player(game, 1)["completed"], player(game, 1)["points"]) == (1, [], 4)


def test_each_reshuffle_has_a_label_of_its_own() -> None:
    """The second new deck is Z1 to Z3, in the order of `endless-2` (not that of `endless-1`)."""
    cards, seed = ["Z1", "Z2", "Z3"], "g"
    assert reference(cards, seed, "endless-2") != reference(cards, seed, "endless-1")
    game = go(small_cards(4, seed), "1 take W4|1 place 1:a1|1 take W")  # Z4, endless-1, Z4 again
    go(game, idle(2), "1 take W1|1 take W2|1 take W3", idle(2))
    assert part(game, "decks")["W"] == 0
    go(game, "1 gain O1|1 master 2:a1 3:a1 4:a1")
    assert (part(game, "decks")["W"], player(game, 1)["completed"], player(game, 1)["points"]) == (3, [], 10)
    go(game, "1 take W", "2 take W|2 take W")
    drawn = [card["card"] for seat in (1, 2) for card in puzzles(game, seat)]
    assert drawn == ["Z4", *reference(cards, seed, "endless-2")]


def puzzles(game: Game, seat: int) -> list[dict[str, object]]:
    found = player(game, seat)["puzzles"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(("edition", "players"), [("2019", 2), ("2020", 2)])
def test_the_variant_is_of_2023(edition: str, players: int) -> None:
    with pytest.raises(Unreadable, match=f"edition {edition} has no endless_white"):
        table(f"edition: {edition}\nplayers: {players}\nmodules: endless_white")


def test_the_taken_cards_are_all_there() -> None:
    """A check of this file's own table."""
    assert sorted(f"{TAKEN} {IN_THE_ROW} W32".split()) == ids("W", 32)
