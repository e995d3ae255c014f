"""Every view of every kind of game is what `View` says, with nothing missing and nothing more."""

import json
import random
from collections.abc import Iterator

import msgspec
import pytest

from projectl import EVERYTHING, SPECTATOR, Game, Header, Rules, State, view
from projectl.core.state import OVER
from projectl.core.view import View
from projectl.facts import Facts
from tests.configurations import configurations, random_rules
from tests.players import choose
from tests.server.harness import examples

_strict = msgspec.json.Decoder(View, strict=True)


def views(state: State) -> Iterator[View]:
    """What every seat, a spectator and the referee see."""
    for seat in (*range(len(state.players)), SPECTATOR, EVERYTHING):
        yield view(state, seat)


def check(state: State) -> None:
    """Strictly of the type, and nothing is lost on the way."""
    for found in views(state):
        data = msgspec.json.encode(found)
        assert json.loads(msgspec.json.encode(_strict.decode(data))) == json.loads(data)
        assert msgspec.convert(found, View, strict=True) == found


@pytest.mark.parametrize("number", range(examples(25, 2000)))
def test_views_of_random_games(number: int) -> None:
    dice = random.Random(number)
    game = Game(Header(random_rules(dice), str(number)))
    check(game.state)
    for step in range(examples(150, 1000)):
        if game.state.phase == OVER:
            break
        seat, text, _ = choose(game.state, dice)
        move = game.play(game.check(seat, text))
        assert msgspec.json.decode(msgspec.json.encode(move.did), type=Facts) == move.did
        if step % 7 == 0 or game.state.phase >= OVER:
            check(game.state)
    check(game.state)


def test_first_views_of_every_configuration() -> None:
    for players, edition, modules in configurations():
        check(Game(Header(Rules(players, edition, modules), "x")).state)


def test_a_view_that_is_not_as_it_should_be_is_found_out() -> None:
    found = view(Game(Header(Rules(2))).state)
    for wrong in (
        {**found, "round": "1"},
        {**found, "players": None},
        {k: v for k, v in found.items() if k != "phase"},
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, View, strict=True)
