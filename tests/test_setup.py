"""Setting up the standard game, for every edition and number of players."""

import pytest

from projectl import Game
from tests.table import go, idle, part, seen, supply, table, unreadable

EVERY = [("2019", n) for n in (2, 3, 4, 5)] + [("2020", n) for n in (2, 3, 4)] + [("2023", n) for n in (2, 3, 4, 5)]
BLACK = {2: 12, 3: 14, 4: 16, 5: 20, 6: 24}


def row(game: Game, colour: str) -> list[str]:
    found = part(game, "rows")[colour]
    assert isinstance(found, list)
    return found


# Who may play


@pytest.mark.parametrize(("edition", "players"), EVERY)
def test_players_that_an_edition_allows(edition: str, players: int) -> None:
    assert seen(table(f"edition: {edition}\nplayers: {players}"), "phase") == "play"


@pytest.mark.parametrize(("edition", "players"), [("2020", 5), ("2020", 6), ("2019", 7), ("2023", 7), ("2023", 0)])
def test_players_that_an_edition_refuses(edition: str, players: int) -> None:
    assert unreadable(f"edition: {edition}\nplayers: {players}") == ("players", 2)


@pytest.mark.parametrize(
    ("edition", "modules"), [("2019", ""), ("2019", "ambassador"), ("2023", ""), ("2023", "finesse")]
)
def test_six_players_need_a_box_that_brings_cards_for_them(edition: str, modules: str) -> None:
    assert unreadable(f"edition: {edition}\nplayers: 6\nmodules: {modules}") == ("six-players", 2)


@pytest.mark.parametrize(("edition", "modules"), [("2019", "ghost"), ("2023", "ghost"), ("2023", "phoenix")])
def test_six_players_with_ghost_piece_and_in_2023_also_with_phoenix(edition: str, modules: str) -> None:
    game = table(f"edition: {edition}\nplayers: 6\nmodules: {modules}")
    assert part(game, "decks")["B"] == 24 - 4
    assert supply(game, 6) == {"O1": 1, "I2": 1}


def test_phoenix_does_not_exist_in_2019() -> None:
    assert unreadable("edition: 2019\nplayers: 6\nmodules: phoenix") == ("module-edition", 3)


def test_the_edition_is_2023_unless_said() -> None:
    assert seen(table("players: 2"), "edition") == "2023"


# Cards


@pytest.mark.parametrize(("edition", "players"), EVERY)
def test_four_cards_of_each_colour_lie_open_and_the_rest_are_decks(edition: str, players: int) -> None:
    """All 32 white cards are used; of the black ones 12, 14, 16 or 20 by the number of players."""
    game = table(f"edition: {edition}\nplayers: {players}")
    assert part(game, "rows") == {"W": ["W01", "W02", "W03", "W04"], "B": ["B01", "B02", "B03", "B04"]}
    assert part(game, "decks") == {"W": 32 - 4, "B": BLACK[players] - 4}


def test_black_cards_left_over_are_out_of_the_game() -> None:
    """Two players, no shuffle: B01 to B12 are used. Turning the row over and over shows no other."""
    game = table("players: 2")
    met = set(row(game, "B"))
    for _ in range(3):
        go(game, "1 recycle B|1 gain O1|1 gain O1")
        met |= set(row(game, "B"))
        go(game, idle(2))
    assert met == {f"B{n:02}" for n in range(1, 13)}


def test_own_cards_are_shuffled_in() -> None:
    game = table("players: 2\ncard: Z01 W 0 O1 .#### ##### ##### ##### #####\nwhite: Z01")
    assert row(game, "W") == ["Z01", "W01", "W02", "W03"]
    assert part(game, "decks")["W"] == 33 - 4


def test_an_own_black_card_takes_the_room_of_another() -> None:
    """The number of black cards is that of the table, however many there are to draw from."""
    game = table("players: 2\ncard: Z01 B 0 O1 .#### ##### ##### ##### #####\nblack: Z01")
    assert row(game, "B") == ["Z01", "B01", "B02", "B03"]
    assert part(game, "decks")["B"] == 12 - 4


def test_more_black_cards_than_the_game_uses_cannot_be_named() -> None:
    names = " ".join(f"B{n:02}" for n in range(1, 14))
    assert unreadable(f"players: 2\nblack: {names}") == ("cards-too-many", 2)


@pytest.mark.parametrize(
    ("seed", "white", "black"),
    [
        ("", "W06 W13 W29 W30", "B01 B07 B03 B11"),
        ("a", "W10 W25 W03 W06", "B04 B05 B10 B12"),
        ("7f3a", "W28 W17 W16 W21", "B20 B09 B03 B04"),
    ],
)
def test_a_seed_shuffles_both_decks(seed: str, white: str, black: str) -> None:
    """The shuffle of the record format, worked out by an independent program."""
    game = table(f"players: 2\nseed: {seed}")
    assert (row(game, "W"), row(game, "B")) == (white.split(), black.split())


def test_shuffled_black_cards_are_drawn_from_all_twenty() -> None:
    """With the seed 7f3a twelve are kept, and B20 and B17 are among them."""
    game = table("players: 2\nseed: 7f3a", "1 recycle B")
    assert row(game, "B") == ["B17", "B19", "B07", "B16"]


# Pieces


@pytest.mark.parametrize(("edition", "players"), EVERY)
def test_everybody_starts_with_one_o1_and_one_i2_of_the_reserve(edition: str, players: int) -> None:
    game = table(f"edition: {edition}\nplayers: {players}")
    copies = 10 if edition == "2020" else 15
    others = ("I3", "L3", "I4", "L4", "S4", "T4", "O4")
    assert [supply(game, seat) for seat in range(1, players + 1)] == [{"O1": 1, "I2": 1}] * players
    started = {"O1": copies - players, "I2": copies - players}
    assert part(game, "reserve") == started | dict.fromkeys(others, copies)


# The first turn


@pytest.mark.parametrize(("edition", "players"), EVERY)
def test_seat_one_begins_and_turns_go_clockwise(edition: str, players: int) -> None:
    game = table(f"edition: {edition}\nplayers: {players}")
    for turn in range(2 * players):
        assert seen(game, "to_act") == [turn % players + 1]
        assert seen(game, "round") == turn // players + 1
        go(game, idle(turn % players + 1))


def test_nothing_is_owned_or_scored_yet() -> None:
    game = table("players: 3")
    assert seen(game, "end_triggered") is False
    assert seen(game, "result") is None
    score = {"pile": 0, "noted": 0, "touches": 0, "unfinished": [], "total": 0}
    start = {"supply": {"O1": 1, "I2": 1}, "puzzles": [], "completed": [], "points": 0, "touches": 0, "score": score}
    assert seen(game, "players") == [{"seat": n, **start} for n in (1, 2, 3)]
