"""The bots: they play every game there is, see only what they may, and solve what can be solved."""

import gc
import itertools
import random
from time import perf_counter

import pytest

from projectl import Rules, new_game, play, result, to_act
from projectl.bots import BotError, Look, look_at, make, names
from projectl.bots.beam import Beam
from projectl.bots.classic import answers, candidates
from projectl.bots.covers import fetch_cost, missing, shared_covers
from projectl.bots.planner import PlannerBot
from projectl.bots.rollout import outcome, play_on
from projectl.bots.touches import best_touches
from projectl.bots.value import HASTY, NAMES, PATIENT, Judge, Weights, changed
from projectl.core import actions
from projectl.core.dice import Dice
from projectl.core.engine import apply
from projectl.core.legal import legal
from projectl.core.pieces import PLACEMENT_MASK, PLACEMENT_SHAPE, PLACEMENTS, UNIT, multiset, names_in
from projectl.core.score import score
from projectl.core.state import TOUCHES, State, spot
from tests.golden import golden_rules
from tests.table import go, table
from tests.test_random_games import unseen_reordered

QUICK = ("random", "greedy", "planner:1ms", "search-classic:5ms", "search:5ms", "neural")


def play_out(rules: Rules, specs: list[str], seed: str) -> State:
    """A whole game; `play` checks every decision."""
    bots = [make(spec, seat) for seat, spec in enumerate(specs)]
    state = new_game(rules, seed)
    while not result(state):
        seat = to_act(state)[0]
        play(state, bots[seat].decide(look_at(state, seat, 1.0)), seat)
    return state


@pytest.mark.parametrize("name", sorted(golden_rules()))
def test_every_bot_plays_every_kind_of_game(name: str) -> None:
    golden = golden_rules()[name]
    rules = Rules(int(golden.players), golden.edition, golden.modules, max_rounds=6)
    players = int(rules.players)
    for first in range(0, len(QUICK), max(1, min(players, len(QUICK)))):
        specs = [QUICK[(first + seat) % len(QUICK)] for seat in range(players)]
        assert result(play_out(rules, specs, name)) is not None


def middle_of(rules: Rules, seed: str, decisions: int) -> State:
    """A position after some decisions of greedy bots."""
    bots = [make("greedy", seat) for seat in range(int(rules.players))]
    state = new_game(rules, seed)
    for _ in range(decisions):
        seat = to_act(state)[0]
        play(state, bots[seat].decide(look_at(state, seat, 1.0)), seat)
    return state


@pytest.mark.parametrize("modules", [(), ("ghost", "finesse"), ("endless_white",)])
def test_a_bot_is_shown_the_same_whatever_lies_hidden(modules: tuple[str, ...]) -> None:
    """Two games that differ only in unseen cards look the same, so a bot cannot play them differently."""
    for number in range(5):
        state = middle_of(Rules(3, modules=modules), str(number), 40)
        other = unseen_reordered(state, random.Random(number))
        seat = to_act(state)[0]
        one, two = look_at(state, seat, 1.0), look_at(other, seat, 1.0)
        assert one == two
        for spec in ("random", "greedy"):
            assert make(spec, 7).decide(one) == make(spec, 7).decide(two)


def test_planner_beats_greedy_and_greedy_beats_random() -> None:
    """A small sample of what the arena measures; the margins are wide."""
    for stronger, weaker in (("planner:5ms", "greedy"), ("greedy", "random")):
        won = 0
        for seed, specs in itertools.product(range(4), ([stronger, weaker], [weaker, stronger])):
            end = result(play_out(Rules(2, max_rounds=60), specs, str(seed)))
            assert end is not None
            won += specs[end.winners[0]] == stronger
        assert won >= 6


def test_planners_leave_little_on_the_table() -> None:
    """Two of them share about 75 points; they recycle rows that hold none, and end the game before the limit."""
    scores: list[int] = []
    for seed in range(3):
        state = play_out(Rules(2, max_rounds=60), ["planner:2ms", "planner:2ms"], str(seed))
        end = result(state)
        assert end is not None
        assert state.round < 60
        scores += end.scores
    assert sum(scores) / len(scores) > 28


def test_both_sets_of_weights_differ_by_name() -> None:
    weights = dict(zip(NAMES, PATIENT, strict=True))
    assert weights["others"] == 0.0
    assert {name for name, one, two in zip(NAMES, HASTY, PATIENT, strict=True) if one != two} == {
        "others",
        "round_black",
        "round_more",
        "round_last",
    }
    assert changed(HASTY) == HASTY


@pytest.mark.parametrize(("edition", "recycles"), [("2023", 2), ("2019", 0)])
def test_a_turn_may_recycle_either_row(edition: str, recycles: int) -> None:
    state = new_game(Rules(2, edition), seed="recycle")
    wholes = Beam(Judge(False, Weights(list(HASTY))), state, 0, 2, 1).wholes(state)
    assert sum(actions.RECYCLE <= whole[0] < actions.ORDER_OF_FOUR for whole in wholes) == recycles


def test_what_a_recycle_brings_is_not_looked_at() -> None:
    """Two imagined decks in another order: the plan is worth the same."""
    values: list[float] = []
    for turned in (False, True):
        state = new_game(Rules(2), seed="recycle")
        white = [int(card) for card in state.white[int(state.white_top) :]]
        black = [int(card) for card in state.black[int(state.black_top) :]]
        state.set_decks(white[::-1] if turned else white, black)
        judge = Judge(False, Weights(list(HASTY)))
        judge.look(state)
        apply(state, actions.RECYCLE, 0)
        apply(state, actions.ORDER_OF_FOUR, 0)
        values.append(judge.value(state, 0))
    assert values[0] == pytest.approx(values[1])


def test_more_time_is_for_a_wider_tree() -> None:
    widths = [answers(seconds) for seconds in (0.01, 0.1, 0.25, 1.0, 4.0, 60.0)]
    assert widths == sorted(widths)
    assert (widths[0], widths[-1] > widths[3] > 1) == (1, True)


def test_whoever_plays_next_chooses_what_is_best_for_themselves() -> None:
    better = 0
    for seed in range(6):
        state = middle_of(Rules(2, "2023"), f"tree {seed}", 60)
        judge = Judge(False, Weights(list(HASTY)))
        seat = int(state.seat)
        narrow, wide = (
            outcome(judge, play_on(judge, state.clone(), tries, perf_counter() + 30.0), seat) for tries in (1, 5)
        )
        better += wide > narrow
    assert better > 0


def test_more_time_is_for_more_turns() -> None:
    assert 4 <= candidates(0.001) < candidates(0.05) < candidates(1.0) < candidates(4.0) <= candidates(60.0) <= 30


def come_to(state: State, seat: int) -> tuple[object, ...]:
    """What a seat has made of a turn, however its pieces lie and in whatever places."""
    puzzles = []
    for place in range(4):
        at = int(spot(seat, place))
        laid = sorted(int(PLACEMENT_SHAPE[placement]) for placement in state.laid_on(at))
        puzzles.append((int(state.board[at]), laid))
    me = state.players[seat]
    return (str(sorted(puzzles)), int(me.supply), int(me.points), sorted(map(int, state.row)), state.white_left())


@pytest.mark.parametrize("modules", [(), ("ghost",), ("ambassador",)])
def test_turns_that_come_to_the_same_are_one(modules: tuple[str, ...]) -> None:
    for seed in range(4):
        state = middle_of(Rules(2, "2023", modules), f"same {seed}", 60)
        seat = to_act(state)[0]
        judge = Judge(state.rules.ghost, Weights(list(HASTY)))
        found = [come_to(plan.state, seat) for plan in Beam(judge, state, seat, 12, 3).turns()]
        assert len(found) > 1
        assert len({str(one) for one in found}) == len(found)


def test_nothing_is_collected_while_a_bot_thinks() -> None:
    class Watching(PlannerBot):
        collected: list[bool]

        def think(self, look: Look, state: State, seconds: float) -> list[int]:
            self.collected.append(gc.isenabled())
            raise BotError("broken", "it cannot think")

    state = new_game(Rules(2, "2023"), "quiet")
    bot = Watching(0.01, 1)
    bot.collected = []
    with pytest.raises(BotError):
        bot.decide(look_at(state, to_act(state)[0], 1.0))
    assert bot.collected == [False]
    assert gc.isenabled()


def test_unknown_bots_and_times_are_refused() -> None:
    assert {"random", "greedy", "neural", "planner", "search", "search-classic"} <= set(names())
    for spec, code in (("nobody", "bot-unknown"), ("search:soon", "bot-time"), ("search:0s", "bot-time")):
        with pytest.raises(BotError) as caught:
            make(spec)
        assert caught.value.code == code
    with pytest.raises(BotError, match=", ".join(names())):  # whatever other tests have brought
        make("nobody")


# Covers


def tilings(mask: int, shapes: int) -> set[int]:
    """The multisets of an independent, plain enumeration: any placement first."""
    if mask == 0:
        return {0}
    cell = mask.bit_length() - 1  # the highest cell, where the bots take the lowest
    found: set[int] = set()
    for p in range(PLACEMENTS):
        piece, shape = int(PLACEMENT_MASK[p]), int(PLACEMENT_SHAPE[p])
        if shape < shapes and piece >> cell & 1 and piece & mask == piece:
            found |= {rest + int(UNIT[shape]) for rest in tilings(mask & ~piece, shapes)}
    return found


@pytest.mark.parametrize("card", ["W01", "W09", "W14", "W15", "W31", "W06", "B13"])
@pytest.mark.parametrize("ghosts", [False, True])
def test_covers_are_all_and_only_the_tilings(card: str, ghosts: bool) -> None:
    catalogue = Rules(2).cards
    mask = int(catalogue.recess[catalogue.number[card]])
    covers = [int(pieces) for pieces in shared_covers(ghosts).of(mask)]
    assert set(covers) == tilings(mask, 12 if ghosts else 9)
    assert [len(names_in(pieces)) for pieces in covers] == sorted(len(names_in(pieces)) for pieces in covers)


def test_a_tiling_is_one() -> None:
    catalogue = Rules(2).cards
    mask = int(catalogue.recess[catalogue.number["B05"]])
    for pieces in list(shared_covers(False).of(mask))[::7]:
        placements = [int(p) for p in shared_covers(False).tiling(mask, pieces)]
        masks = [int(PLACEMENT_MASK[p]) for p in placements]
        assert sum(masks) == mask
        assert sum(int(UNIT[PLACEMENT_SHAPE[p]]) for p in placements) == int(pieces)


@pytest.mark.parametrize(
    ("needs", "has", "actions_"),
    [
        (["O1"], ["O1"], 0),
        (["O1"], [], 1),
        (["I2"], ["O1"], 1),
        (["L4"], [], 4),
        (["L4"], ["I3"], 1),
        (["L4"], ["T4"], 1),
        (["L4", "L4"], ["I3"], 5),
        (["L4"], ["O1"], 3),
        (["I3"], ["O4"], 1),
        (["I2", "L4"], ["I2", "I2"], 2),
    ],
)
def test_the_cost_of_fetching_pieces(needs: list[str], has: list[str], actions_: int) -> None:
    """Gains and Upgrades, a level an action; a spare piece is turned into a missing one."""
    pieces, supply = multiset(needs), multiset(has)
    assert missing(pieces, supply) == (actions_ > 0)
    assert fetch_cost(pieces, supply) == actions_


# Touches


def best_by_force(state: State, seat: int) -> int | None:
    """The best score over every sequence of touches of one seat; None where there are too many."""
    best = -1000
    stack, seen = [state], set[int]()
    while stack:
        s = stack.pop()
        if s.key() in seen:
            continue
        seen.add(s.key())
        if len(seen) > 3000:
            return None
        for option in legal(s, seat):
            after = s.clone()
            apply(after, option, seat)
            if option == actions.DONE:
                best = max(best, score(after, seat))
            else:
                stack.append(after)
    return best


@pytest.mark.parametrize("modules", ["", "modules: finesse"])
def test_touches_are_solved_exactly(modules: str) -> None:
    """Against every sequence of touches there is."""
    checked = 0
    for seed in range(80):
        game = table(f"players: 2\n{modules}\nseed: {seed}\noptions: max_rounds=4\n")
        dice = Dice(seed)
        bots = [make("greedy", 0), make("greedy", 1)]
        s = game.state
        while s.phase != TOUCHES:
            seat = to_act(s)[0]
            options = legal(s, seat)
            chance = dice.below(4) == 0
            decision = options[dice.below(len(options))] if chance else bots[seat].decide(look_at(s, seat, 1.0))
            apply(s, decision, seat)
        for seat in (0, 1):
            after = s.clone()
            decisions = best_touches(after, seat)
            for decision in decisions:
                play(after, decision, seat)
            best = best_by_force(s, seat)
            assert best is None or score(after, seat) == best
            checked += best is not None and len(decisions) > 1
    assert checked > 3


def test_credits_pay_before_points() -> None:
    game = table(
        "players: 2\nmodules: finesse\nwhite: W22\noptions: max_rounds=3\n"
        "finesse: FA01 FA02 FC04 FB01 FB02 FC01 FC02 FC03 FC06 FC08"
    )
    turn = "{0} upgrade I2 L3|{0} upgrade L3 I3|{0} upgrade I3 I2"
    go(game, *(turn.format(seat) for seat in (1, 2, 1, 2)))
    go(game, "1 take W1|1 upgrade I2 L3|1 upgrade L3 I2", turn.format(2))
    assert best_touches(game.state, 0)[0] == actions.CREDIT


def test_a_bot_that_is_asked_in_the_middle_of_an_action_goes_on_with_it() -> None:
    """Nothing remembered: a fresh bot, after MASTER, after INSERT, after RECYCLE."""
    for spec in QUICK:
        game = table("players: 2\nwhite: W15 W18", "1 take W1|1 take W2")
        for opener in (actions.MASTER, actions.RECYCLE):
            state = game.state.clone()
            apply(state, opener, 0)
            look: Look = look_at(state, 0, 1.0)
            assert make(spec, 1).decide(look) in look.legal
