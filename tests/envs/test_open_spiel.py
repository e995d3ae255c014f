"""OpenSpiel's own checks pass, chance deals as the rules deal, and players know what they may know."""

import os
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not for this system")

from open_spiel.python.algorithms import generate_playthrough  # noqa: E402

import projectl.envs.open_spiel  # noqa: E402, F401  # registers the game
from projectl import State, legal  # noqa: E402
from projectl.core.features import SIZE  # noqa: E402
from projectl.core.observe import returns  # noqa: E402
from projectl.core.rules import LINE_CLEAR, SOLO  # noqa: E402
from projectl.core.setup import cards_in_play, solo_cards  # noqa: E402
from projectl.core.state import OVER, pile_card  # noqa: E402
from tests.configurations import configurations  # noqa: E402

PLAYTHROUGH = Path(__file__).parent / "playthrough.txt"
EVERYTHING = "ghost+ambassador+phoenix+finesse+finesse_ambassador+line_clear+endless_white"
GAMES = (
    "",
    "players=1,max_rounds=12,difficulty=hard",
    "players=1,modules=finesse,max_rounds=12",
    "players=3,edition=2019,modules=ghost+ambassador",
    "players=4,edition=2020,max_rounds=8",
    f"players=6,modules={EVERYTHING},max_rounds=6",
    "players=2,modules=finesse+endless_white,known_points=yes",
)


def game(parameters: str = "") -> Any:
    return pyspiel.load_game(f"python_projectl({parameters})")


@pytest.mark.parametrize("parameters", GAMES)
def test_random_simulation(parameters: str) -> None:
    short = parameters if "max_rounds" in parameters else f"{parameters},max_rounds=5".strip(",")
    pyspiel.random_sim_test(game(short), num_sims=1, serialize=True, verbose=False)


def test_playthrough() -> None:
    """As it was written; PROJECTL_GOLDEN=1 writes it anew."""
    found = generate_playthrough.playthrough("python_projectl(players=1,max_rounds=1)", None, seed=7) + "\n"
    if os.environ.get("PROJECTL_GOLDEN"):
        PLAYTHROUGH.write_text(found, encoding="utf-8")
    assert found == PLAYTHROUGH.read_text(encoding="utf-8")


def play(state: Any, dice: random.Random) -> None:
    """One random step."""
    if state.is_chance_node():
        outcomes, shares = zip(*state.chance_outcomes(), strict=True)
        assert sum(shares) == pytest.approx(1.0)
        state.apply_action(dice.choices(outcomes, shares)[0])
    else:
        assert state.legal_actions() == sorted(legal(state.deal.state))
        state.apply_action(dice.choice(state.legal_actions()))


def cards_everywhere(s: State) -> list[int]:
    """Every card of the game, wherever it lies."""
    placed = [int(card) for card in (*s.row, *s.board) if card >= 0]
    decks = [int(card) for card in s.white][s.white_top :] + [int(card) for card in s.black][s.black_top :]
    return placed + decks + [int(pile_card(int(entry))) for entry in s.finished]


@pytest.mark.parametrize("number", range(16))
def test_every_kind_of_game_keeps_its_cards(number: int) -> None:
    dice = random.Random(number)
    players, edition, modules = dice.choice(configurations())
    state = game(f"players={players},edition={edition},modules={'+'.join(modules)},max_rounds=4").new_initial_state()
    while not state.is_terminal():
        play(state, dice)
        s = state.deal.state
        cards = cards_everywhere(s)
        assert len(set(cards)) == len(cards)
        white = sum(bool(s.cards.cards[card].white) for card in cards)
        if s.rules.kind == SOLO:
            assert (white, len(cards) - white) == solo_cards(s.rules)
        elif not s.rules.endless_white:
            assert white == len(cards_in_play(s.rules, True))
    assert state.deal.state.phase == OVER
    assert state.returns() == returns(state.deal.state)


def test_the_deal_is_as_likely_as_a_shuffle_makes_it() -> None:
    """Of 20 black cards a game for two uses 12: the first one to come up is any of those nobody has seen."""
    state = game().new_initial_state()
    rows = [state.chance_outcomes()]
    dice = random.Random(1)
    while state.is_chance_node():
        play(state, dice)
        rows.append(state.chance_outcomes() if state.is_chance_node() else [])
    assert [len(row) for row in rows] == [32, 31, 30, 29, 20, 19, 18, 17, 0]
    state.apply_action(2384)  # take B1: the gap is filled
    assert state.is_chance_node()
    shares = state.chance_outcomes()
    assert len(shares) == 16
    assert {share for _, share in shares} == {1 / 16}
    seen = {int(card) for card in state.deal.state.row}
    assert not seen & {card for card, _ in shares}
    state.apply_action(shares[-1][0])
    assert int(state.deal.state.row[4]) == shares[-1][0]


def test_recycled_cards_come_back_in_the_order_they_were_laid() -> None:
    """Chance deals a recycled row anew, and nothing once only recycled cards are left."""
    dice = random.Random(5)
    state = game("max_rounds=60").new_initial_state()
    while state.is_chance_node():
        play(state, dice)
    rows, dealt = [], []
    for _ in range(3):
        rows.append([int(card) for card in state.deal.state.row][4:8])
        state.apply_action(2413)  # recycle B
        state.apply_action(2416)  # left to right
        dealt.append(0)
        while state.is_chance_node():
            dealt[-1] += 1
            play(state, dice)
    assert dealt == [4, 4, 0]  # eight cards were in the deck
    assert [int(card) for card in state.deal.state.row][4:8] == rows[0]
    assert state.current_player() == 1


def test_tiles_are_two_two_and_six() -> None:
    dice, found = random.Random(2), Counter[str]()
    for _ in range(20):
        state = game("modules=finesse").new_initial_state()
        while state.is_chance_node():
            play(state, dice)
        ids = [state.deal.rules.tiles.tiles[int(tile)].id for tile in state.deal.state.tiles]
        assert sorted(name[1] for name in ids) == ["A"] * 2 + ["B"] * 2 + ["C"] * 6
        found.update(ids)
    assert len(found) > 25


def test_players_know_all_but_the_tiles_that_lie_face_down() -> None:
    dice = random.Random(3)
    state = game("modules=finesse").new_initial_state()
    while len(state.deal.events) < 60:
        play(state, dice)
    first = len(state.deal.state.row)
    hidden, before = state.deal.events[first : first + 2], state.information_state_string(0)
    assert state.history_str() != ""
    assert not any(name in before.split(" | ") for name in hidden)
    others = set()
    for n in range(40):
        other = state.resample_from_infostate(0, lambda n=n: n / 40)
        others.add(tuple(other.deal.events[first : first + 2]))
        for seat in (0, 1):
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.observation_string(seat) == state.observation_string(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
        assert other.legal_actions() == state.legal_actions()
    assert len(others) > 20


def test_what_happened_tells_information_states_apart() -> None:
    dice, seen = random.Random(4), set()
    state = game("max_rounds=4").new_initial_state()
    steps = 0
    while not state.is_terminal():
        seen.add(state.information_state_string(0))
        play(state, dice)
        steps += 1
    assert len(seen) == steps
    assert state.information_state_string(0) != state.information_state_string(1)


def test_a_clone_goes_its_own_way() -> None:
    dice = random.Random(6)
    state = game().new_initial_state()
    for _ in range(40):
        play(state, dice)
    other, before = state.clone(), str(state)
    for _ in range(40):
        play(other, dice)
    assert str(state) == before
    assert str(other) != before


def test_line_clear_asks_the_white_holder_first() -> None:
    state, dice = game("players=5,modules=line_clear").new_initial_state(), random.Random(1)
    while state.is_chance_node():
        play(state, dice)
    assert state.deal.state.rules.kind == LINE_CLEAR
    assert state.current_player() == state.deal.state.white_holder


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("players=9", "edition 2023 is for 1 to 6 players, found 9"),
        ("modules=gost", "unknown module 'gost'"),
        ("max_rounds=0", "max_rounds is 1 or more"),
        ("colour=red", "Unknown parameter 'colour'. Available parameters are: difficulty, edition"),
        ("known_points=maybe", "known_points is yes or no, found 'maybe'"),
    ],
)
def test_parameters_that_cannot_be(parameters: str, sentence: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=re.escape(sentence)):
        game(parameters)


def test_an_illegal_action_changes_nothing() -> None:
    dice = random.Random(1)
    state = game().new_initial_state()
    with pytest.raises(pyspiel.SpielError, match="chance cannot do 2380 now"):
        state.apply_action(2380)
    while state.is_chance_node():
        play(state, dice)
    before = str(state)
    with pytest.raises(pyspiel.SpielError, match="2825 is not legal now; legal are 2380, 2381"):
        state.apply_action(2825)
    assert str(state) == before
    assert np.array(state.observation_tensor(0)).shape == (SIZE,)
