"""Laws that hold in every game, checked while Hypothesis plays any configuration at random."""

import itertools
import json
import os
import pickle
import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from projectl import Illegal, State, apply, legal, lines, new_game, play, replay, result, to_act, view
from projectl.core import actions, mastermind
from projectl.core.dice import Dice
from projectl.core.finesse import FACE_DOWN
from projectl.core.knowledge import Known, imagine, known
from projectl.core.notation import legal_decisions
from projectl.core.pieces import NAMES, PLACEMENT_SHAPE, count
from projectl.core.rules import CREDITS, GHOST_COPIES, LINE_CLEAR, SOLO
from projectl.core.setup import cards_in_play, tiles_in_play
from projectl.core.state import OVER, TOUCHES, dump, laid_placement, load, pile_card
from projectl.core.view import SPECTATOR
from projectl.game import Game
from projectl.header import Header
from tests.configurations import random_rules


def pieces_everywhere(s: State) -> list[int]:
    """How many there are of each shape: reserve, supplies, puzzles, real solo locks."""
    totals = [int(count(s.reserve, shape)) for shape in range(len(NAMES))]
    for player in s.players:
        for shape in range(len(NAMES)):
            totals[shape] += int(count(player.supply, shape))
    for entry in s.laid:
        totals[int(PLACEMENT_SHAPE[laid_placement(int(entry))])] += 1
    if s.rules.kind == SOLO and s.rules.real_locks:
        totals[0] += sum(int(lock) for lock in s.locks[: mastermind.HEAPS])
        totals[1] += sum(int(lock) for lock in s.locks[mastermind.HEAPS :])
    return totals


def cards_everywhere(s: State) -> list[int]:
    """Every card's number, wherever it is."""
    found = [int(card) for card in s.row if card >= 0] + [int(card) for card in s.board if card >= 0]
    found += [int(card) for card in s.white[int(s.white_top) :]] + [int(card) for card in s.black[int(s.black_top) :]]
    return sorted(found + [int(pile_card(int(entry))) for entry in s.finished])


def unseen_reordered(s: State, dice: random.Random) -> State:
    """The same position with everything changed that nobody can have seen.

    The cards of a deck but for those that were recycled lie in another order, black ones change places with those
    that left the game, and face-down tiles with tiles that nobody drew.
    """
    other = s.clone()
    white, black, under = _decks(s)
    aside = [card for card in cards_in_play(s.rules, False) if card not in cards_everywhere(s)]
    if s.rules.kind == SOLO:  # one deck, white on black
        whites = [card for card in white if s.cards.cards[card].white]
        aside += white[len(whites) :]
        dice.shuffle(whites)
        dice.shuffle(aside)
        white = [*whites, *aside[: len(white) - len(whites)]]
    else:
        aside += black
        dice.shuffle(white)
        dice.shuffle(aside)
        black = aside[: len(black)]
    other.set_decks(white + under[0], black + under[1], *map(len, under))
    row = [int(tile) for tile in s.tiles]
    if s.rules.finesse and s.phase < TOUCHES:
        rest = [tile for tile_set in "ABC" for tile in tiles_in_play(s.rules, tile_set) if tile not in row]
        for n in range(int(s.round) - 1, FACE_DOWN):
            row[n] = rest.pop(dice.randrange(len(rest)))
    other.set_tiles(row)
    return other


def _decks(s: State) -> tuple[list[int], list[int], tuple[list[int], list[int]]]:
    """White and black without the recycled cards at the bottom, and those."""
    under = s.white_bottom(), s.black_bottom()
    white = [int(card) for card in s.white[int(s.white_top) : len(s.white) - len(under[0])]]
    black = [int(card) for card in s.black[int(s.black_top) : len(s.black) - len(under[1])]]
    return white, black, under


class Watcher:
    """Somebody who writes down what lies on the table after each decision, as the printed rules let anybody.

    It knows nothing of the engine's own counting: piles from the boards that they came from, recycled cards from the
    row that went under the deck.
    """

    def __init__(self, s: State) -> None:
        self.piles: list[list[int]] = [[] for _ in s.players]
        self.under: dict[bool, list[int]] = {True: [], False: []}

    def see(self, before: State, after: State, decision: int) -> None:
        """A decision was carried out before everybody's eyes."""
        for seat, pile in enumerate(self.piles):
            boards = [[card for _, card in s.puzzles(seat)] for s in (before, after)]
            pile += [card for card in boards[0] if card not in boards[1]]
        if actions.is_order(decision):
            row = (int(before.pending) - actions.RECYCLE) % 2
            order = actions.ORDERS[decision - actions.ORDER_OF_FOUR]
            first = row * (6 if before.rules.kind == LINE_CLEAR else 4)
            self.under[row == 0] += [int(before.row[first + slot]) for slot in order]
        if after.reshuffles != before.reshuffles:
            self.under[True] = []
            self.piles = [[card for card in pile if not after.cards.cards[card].white] for pile in self.piles]
        for white, left in ((True, after.white_left()), (False, after.black_left())):
            self.under[white] = self.under[white][max(0, len(self.under[white]) - left) :]


SHORT = bool(os.environ.get("PROJECTL_SHORT"))


class AnyGame(RuleBasedStateMachine):
    """Random play, decision by decision, with everything that must hold at each step."""

    @initialize(number=st.integers(0, 2**32))
    def deal(self, number: int) -> None:
        self.dice = random.Random(number)
        self.header = Header(random_rules(self.dice), str(number))
        self.game = Game(self.header)
        self.watcher = Watcher(self.game.state)
        self.pieces = pieces_everywhere(self.game.state)
        self.cards = cards_everywhere(self.game.state)

    @precondition(lambda self: self.game.state.phase != OVER)
    @rule(number=st.integers(0, 2**16))
    def a_listed_action_is_played(self, number: int) -> None:
        s = self.game.state
        listed = list(lines(s))
        assert listed
        assert [f"{seat} {text}" for seat, text, _ in listed] == sorted(f"{seat} {text}" for seat, text, _ in listed)
        seat, text, decisions = listed[number % len(listed)]
        assert legal_decisions(s, seat, text) == decisions
        steps = [s.clone() for _ in range(len(decisions) + 1)]
        for done, step in enumerate(steps):
            for decision in decisions[:done]:
                apply(step, decision, seat)
        for decision, (before, after) in zip(decisions, itertools.pairwise(steps), strict=True):
            self.watcher.see(before, after, decision)
        assert self.game.play(self.game.check(seat, text)).text == text

    @precondition(lambda self: self.game.state.phase != OVER)
    @rule(number=st.integers(0, actions.COUNT - 1))
    def an_unlisted_decision_is_refused(self, number: int) -> None:
        s = self.game.state
        before = s.key()
        for seat in range(len(s.players)):
            if number not in legal(s, seat):
                with pytest.raises(Illegal):
                    play(s, number, seat)
        assert s.key() == before

    @precondition(lambda self: self.game.state.phase != OVER)
    @rule(number=st.integers(0, 2**16))
    def a_clone_goes_its_own_way(self, number: int) -> None:
        s = self.game.state
        before = dump(s)
        other = s.clone()
        assert (dump(other), other.key()) == (before, s.key())
        seat = to_act(other)[0]
        options = legal(other, seat)
        apply(other, options[number % len(options)], seat)
        assert dump(s) == before

    @rule()
    def texts_json_and_pickles_come_back(self) -> None:
        s = self.game.state
        again = replay(self.game.text())
        assert again.text() == self.game.text()
        assert dump(again.state) == dump(s)
        assert json.loads(json.dumps(view(s))) == view(s)
        kept = json.loads(json.dumps(dump(s)))
        assert dump(load(s.rules, s.seed, kept)) == dump(s)
        assert dump(pickle.loads(pickle.dumps(s))) == dump(s)

    @rule(number=st.integers(0, 2**16))
    def nobody_sees_the_order_of_hidden_cards(self, number: int) -> None:
        s = self.game.state
        other = unseen_reordered(s, random.Random(number))
        for seat in (*range(len(s.players)), SPECTATOR):
            assert view(other, seat) == view(s, seat)
            for watched in (True, False):
                given = [json.dumps(known(either, seat, watched=watched)).encode() for either in (other, s)]
                assert given[0] == given[1]

    @rule(number=st.integers(0, 2**16))
    def an_imagined_game_looks_like_the_real_one(self, number: int) -> None:
        s = self.game.state
        for seat, watched in itertools.product((*range(len(s.players)), SPECTATOR), (True, False)):
            what = Known(*json.loads(json.dumps(known(s, seat, watched=watched))))
            other = imagine(s.rules, what, Dice(number))
            assert view(other, seat) == view(s, seat)
            assert [legal(other, actor) for actor in to_act(s)] == [legal(s, actor) for actor in to_act(s)]
            assert sorted(cards_everywhere(other)) == sorted(set(cards_everywhere(other)))
            if watched:
                assert [view(other)["players"], result(other)] == [view(s)["players"], result(s)]
                assert known(other, seat) == known(s, seat)

    @invariant()
    def what_is_known_was_seen(self) -> None:
        s, seen = self.game.state, self.watcher
        under = {True: s.white_bottom(), False: s.black_bottom()}
        assert under == seen.under
        for white, deck in ((True, s.white), (False, s.black)):
            assert [int(card) for card in deck][len(deck) - len(under[white]) :] == under[white]
        assert [sorted(s.pile(seat)) for seat in range(len(s.players))] == [sorted(pile) for pile in seen.piles]

    @invariant()
    def nothing_is_lost(self) -> None:
        s = self.game.state
        assert pieces_everywhere(s) == self.pieces
        copies = [int(s.rules.copies)] * 9 + ([GHOST_COPIES] * 3 if s.rules.ghost else [0] * 3)
        if not (s.rules.kind == SOLO and s.rules.real_locks):
            assert self.pieces == copies
        if not s.reshuffles:
            assert cards_everywhere(s) == self.cards
        assert len(set(cards_everywhere(s))) == len(self.cards)
        for seat, player in enumerate(s.players):  # R45
            assert len(s.unused_ambassadors(seat)) == player.ambassadors + player.new_ambassadors
        if s.rules.finesse:
            held = [int(player.active) + int(player.inactive) for player in s.players]
            assert int(s.bank) + sum(held) == CREDITS

    @invariant()
    def somebody_can_act_until_the_end(self) -> None:
        s = self.game.state
        assert bool(to_act(s)) == (s.phase != OVER)
        assert (result(s) is not None) == (s.phase == OVER)
        for seat in to_act(s):
            assert len(set(legal(s, seat))) == len(legal(s, seat)) > 0
        if s.phase == TOUCHES:
            assert all(player.inactive == 0 for player in s.players)


AnyGame.TestCase.settings = settings(
    max_examples=15 if SHORT else 150, stateful_step_count=80, deadline=None, suppress_health_check=list(HealthCheck)
)
test_any_game = AnyGame.TestCase


@pytest.mark.parametrize("number", range(40))
def test_the_game_ends_and_the_same_seed_is_the_same_game(number: int) -> None:
    """Random play reaches the end of every kind of game; dealt and played again it is the same."""
    keys: list[list[int]] = []
    for _ in range(2):
        dice = random.Random(number)
        state = new_game(random_rules(dice), str(number))
        trail: list[int] = []
        while state.phase != OVER:
            seat = dice.choice(to_act(state))
            apply(state, dice.choice(legal(state, seat)), seat)
            trail.append(state.key())
            assert len(trail) < 20_000
        keys.append(trail)
    assert keys[0] == keys[1]
