"""Turns in which nothing can be done at all are skipped (R1, R20).

It takes long to get there: in 2023 the reserve must be empty, and nothing may be left to recycle.
"""

from projectl import Game
from tests.table import go, idle, listed, part, seen, supply, table
from tests.test_substitution import acting, count, toward

BASE = ("I4", "L4", "S4", "T4", "O4", "I3", "L3", "I2", "O1")

# Cards that nine different pieces fill, one or two pieces each: 24 of the 32 white ones.
FILL = {
    "W09": "c3c4",
    "W10": "c2c3c4",
    "W11": "d3c4d4",
    "W12": "b3c3d3c4",
    "W13": "b2c2 c3d3d4",
    "W14": "b3b4 d3c4d4",
    "W15": "a3b3c3d3 e3",
    "W16": "b3c3b4c4 d4",
    "W17": "a4b4c4d4 b3c3",
    "W18": "b2b3b4 d3c4d4",
    "W19": "b2b3b4 c3c4d4",
    "W20": "b2b3b4b5 c5d5",
    "W21": "d2d3 b3c3b4c4",
    "W22": "c3c4",
    "W23": "c3c4",
    "W24": "b3b4c4",
    "W25": "c2c3c4",
    "W26": "b3c3c4",
    "W27": "b3c3d3",
    "W28": "b3c3c4d4",
    "W29": "b2b3b4b5",
    "W30": "b2b3b4c4",
    "W31": "b3c3b4c4",
    "W32": "c3b4c4d4",
}


def empty_the_reserve(game: Game) -> None:
    """Seats 1 to 4 take every piece; seat 5 only recycles."""
    for shape in BASE:
        while count(game, shape):
            seat = acting(game)
            go(game, f"{seat} {'recycle B' if seat == 5 else toward(game, seat, shape)}")


def complete_white_cards(game: Game) -> None:
    """Seats 1 to 4 fill 24 white cards; what remains is four in the row and four in the deck."""
    todo = {seat: list[str]() for seat in (1, 2, 3, 4)}
    while part(game, "decks")["W"] != 4 or any(todo.values()) or (acting(game), seen(game, "actions_left")) != (1, 3):
        seat = acting(game)
        row = part(game, "rows")["W"]
        assert isinstance(row, list)
        slots = [slot for slot, card in enumerate(row, 1) if card in FILL]
        if seat == 5 or not (todo[seat] or slots):
            go(game, f"{seat} recycle B")
        elif todo[seat]:
            go(game, f"{seat} place 1:{todo[seat].pop(0)}")
        else:
            todo[seat] = FILL[row[slots[0] - 1]].split()
            go(game, f"{seat} take W{slots[0]}")


def place_anything(game: Game, seat: int) -> None:
    """A whole turn of Place, whatever fits."""
    for _ in range(3):
        go(game, next(line for line in listed(game) if line.startswith(f"{seat} place")))


def test_a_player_who_can_do_nothing_at_all_is_skipped() -> None:
    """R1, R20. Seat 5 has laid its two pieces on its puzzles; then the reserve and the decks run out."""
    rest = [f"W{n:02}" for n in range(1, 9)]
    game = table(f"players: 5\nwhite: {' '.join([*FILL, *rest])}\nblack: B01 B02 B03 B04 B13 B14")
    go(game, idle(1, 2, 3, 4), "5 take B1|5 take B1|5 take B1")
    go(game, idle(1, 2, 3, 4), "5 place 2:a4b4|5 place 3:b3|5 recycle B")
    assert supply(game, 5) == {}
    empty_the_reserve(game)
    complete_white_cards(game)
    assert sum(count(game, shape) for shape in BASE) == 0

    go(game, "1 take W1|1 take W2|1 take W3")
    for seat in (2, 3, 4):
        go(game, *[f"{seat} take B1"] * 3)
    go(game, "5 recycle B|5 recycle B|5 recycle B", "1 take W4|1 recycle B|1 recycle B")
    for seat in (2, 3, 4):
        go(game, f"{seat} take B1|{seat} recycle B|{seat} recycle B")
    assert part(game, "decks") == {"W": 0, "B": 1}
    before = seen(game, "round")
    assert isinstance(before, int)

    # The Take empties the black deck and fills seat 5's last place: two actions are left and lost.
    go(game, "5 take B1")
    assert seen(game, "end_triggered") is True
    assert (seen(game, "to_act"), seen(game, "round")) == ([1], before + 1)

    # Its last turn is skipped from the start.
    for seat in (1, 2, 3, 4):
        assert seen(game, "to_act") == [seat]
        place_anything(game, seat)
    assert (seen(game, "phase"), seen(game, "round")) == ("touches", before + 1)


# Line Clear: only the white holder may Recycle, so the black holder can be stuck


SPOTS = [f"S{n:02}" for n in range(1, 27)]


def holder(game: Game, marker: str) -> int:
    found = part(game, "markers")[marker]
    assert isinstance(found, int)
    return found


def with_o1(game: Game) -> list[int]:
    return [seat for seat in range(1, 6) if "O1" in supply(game, seat)]


def only_o1_left() -> Game:
    """Five players have four cards each on which only O1 fit; all other pieces are in the supplies."""
    cards = [f"card: {name} W 0 I2 .#.#. ##### .#.#. ##### #####" for name in SPOTS]
    game = table("\n".join(["players: 5\nmodules: line_clear", *cards, f"white: {' '.join(SPOTS)}"]))
    taken = dict.fromkeys(range(1, 6), 0)
    while min(taken.values()) < 4:
        seat = acting(game)
        side = "L" if seat == holder(game, "white") else "R"
        go(game, f"{seat} take W{side}1" if taken[seat] < 4 else f"{seat} {toward(game, seat, 'I4')}")
        taken[seat] += 1
    for shape in BASE[:-1]:
        while count(game, shape):
            go(game, f"{acting(game)} {toward(game, acting(game), shape)}")
    return game


def bide(game: Game) -> None:
    """An O1 onto a card; without one, Recycle for the white holder and Gain for the black one."""
    seat = acting(game)
    if seat in with_o1(game):
        go(game, next(line for line in listed(game) if line.startswith(f"{seat} place")))
    else:
        go(game, f"{seat} {'recycle WL' if seat == holder(game, 'white') else 'gain O1'}")


def test_line_clear_looks_for_a_stuck_holder_after_every_action_and_at_every_step() -> None:
    """R20; and a skipped turn is quiet (R22)."""
    game = only_o1_left()
    while (
        seen(game, "actions_left") != {str(holder(game, "white")): 3, str(holder(game, "black")): 3}
        or count(game, "O1") > 2
        or holder(game, "black") in with_o1(game)
    ):
        bide(game)

    # The white holder gains the last O1: the black one, who has none, cannot do anything any more.
    assert count(game, "O1") in (1, 2)
    first, second = holder(game, "white"), holder(game, "black")
    for left in range(count(game, "O1") - 1, -1, -1):
        assert seen(game, "to_act") == [first, second]
        go(game, f"{first} gain O1")
        assert count(game, "O1") == left
    assert seen(game, "to_act") == [first]

    # From now on the black holder acts only to place an O1, and is skipped at once without one.
    while with_o1(game):
        last = seen(game, "round")
        bide(game)
        seats = seen(game, "to_act")
        assert isinstance(seats, list)
        assert set(seats) <= {holder(game, "white"), *with_o1(game)}

    # Then white holders recycle and black ones are skipped. A whole round of that is a stalemate.
    assert isinstance(last, int)
    while seen(game, "phase") == "play":
        assert seen(game, "to_act") == [holder(game, "white")]
        assert seen(game, "round") in (last, last + 1)
        bide(game)
    assert (seen(game, "round"), seen(game, "end_triggered")) == (last + 1, False)
