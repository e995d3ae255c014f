"""What an action did beside its text, over random games of every kind."""

import random

import pytest

from projectl.core import actions
from projectl.core.state import OVER, State, spot
from projectl.facts import barrier, completed_places, received, taken_places, turned_up
from projectl.game import Game
from projectl.header import Header
from tests.configurations import random_rules
from tests.players import choose


def left(state: State) -> tuple[int, int]:
    """The cards in the decks."""
    return state.white_left(), state.black_left()


@pytest.mark.parametrize("number", range(60))
def test_facts_agree_with_the_positions_around_an_action(number: int) -> None:
    dice = random.Random(number)
    game = Game(Header(random_rules(dice), f"facts {number}"))
    for _ in range(150):
        if game.state.phase == OVER:
            break
        seat, text, decisions = choose(game.state, dice)
        before = game.state.clone()
        game.play(game.check(seat, text))
        after = game.state
        first = decisions[1] if decisions[0] == actions.INSERT else decisions[0]
        assert len(taken_places(before, seat, after)) == actions.is_take(first)
        done = completed_places(before, seat, after)
        points = sum(before.cards.cards[before.board[spot(seat, place)]].points for place in done)
        assert after.players[seat].points - before.players[seat].points == points
        assert len(received(before, seat, decisions, after)) <= len(done)
        if left(after) != left(before) and after.reshuffles == before.reshuffles:
            assert turned_up(before, after)
        if not barrier(before, after):
            assert left(after) == left(before), "what can be taken back drew no card"
            assert after.row[:] == before.row[:]
