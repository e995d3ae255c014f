"""What the bots did foolishly once: each test is a position or a game in which one of them was caught."""

import itertools

import pytest

from projectl import Rules, legal, new_game, play, result, to_act
from projectl.bots import Bot, look_at, make
from projectl.bots.beam import Beam
from projectl.bots.covers import shared_covers
from projectl.bots.human import BEGINNER, CASUAL, HumanBot, Slips
from projectl.bots.neural import NetworkJudge as NeuralJudge
from projectl.bots.neural import learned
from projectl.bots.touches import finished, touch_gain
from projectl.bots.tree import USUAL, Tree
from projectl.bots.value import HASTY, PATIENT, Judge, Weights
from projectl.core import actions
from projectl.core.dice import Dice
from projectl.core.engine import apply
from projectl.core.pieces import PLACEMENT_MASK
from projectl.core.state import PLAY, TOUCHES, State, spot
from tests.table import table
from tests.test_bots import play_out

# Both take O1 and I2; whoever has O1, O1 and I2 can finish one of them by touches, not both.
TWINS = """
    card: ANGLE W 4 O1 ..### .#### ##### ##### #####
    card: LINE B 4 O1 ...## ##### ##### ##### #####"""
PLANNERS = ("greedy", "planner:2s")  # search looks further: here it takes the card that the other would win with


def last_action(edition: str = "2023") -> State:
    """Seat 1 has ANGLE, O1, O1 and I2, one action of the game left, and LINE before its eyes."""
    head = f"edition: {edition}\nplayers: 2\noptions: max_rounds=1{TWINS}\nwhite: ANGLE\nblack: LINE"
    return table(head, "1 take W1|1 gain O1").state


@pytest.mark.parametrize("spec", PLANNERS)
@pytest.mark.parametrize("edition", ["2019", "2020", "2023"])
def test_the_last_action_takes_no_card_for_pieces_that_finish_another(edition: str, spec: str) -> None:
    state = last_action(edition)
    look = look_at(state, 0, 5.0)
    decision = make(spec, 1).decide(look)
    assert not actions.is_take(decision)
    after = state.clone()
    apply(after, decision, 0)
    while after.phase == PLAY:
        apply(after, legal(after, int(after.seat))[0], int(after.seat))
    assert finished(after).scores[0] == 3, "one piece laid now, one as a touch"


def test_no_piece_is_counted_for_two_puzzles() -> None:
    state = table(
        f"players: 2\noptions: max_rounds=1{TWINS}\nwhite: ANGLE\nblack: LINE", "1 take W1|1 gain O1|1 take B1"
    )
    assert worth_at_the_end(state.state, 0) == pytest.approx(-2, abs=0.1)
    judge = Judge(False, Weights(list(PATIENT)))
    assert judge.alone(state.state, 0) == pytest.approx(-2, abs=0.1), "4 for one, less its two touches and the other"


@pytest.mark.parametrize("modules", [(), ("ghost",), ("finesse",), ("ambassador",)])
@pytest.mark.parametrize("edition", ["2019", "2023"])
def test_after_the_last_turn_a_position_is_worth_its_score(edition: str, modules: tuple[str, ...]) -> None:
    """Whatever lies there and whatever is left: the touches of everybody are solved, so the worth is no guess."""
    if edition == "2019" and "finesse" in modules:
        pytest.skip("Finesse is a box of 2023")
    checked = 0
    for seed in range(6):
        rules = Rules(2, edition, modules, max_rounds=4)
        state = new_game(rules, f"worth {seed}")
        bots = [make("casual", seed), make("random", seed)]
        while state.phase < TOUCHES:
            seat = to_act(state)[0]
            apply(state, bots[seat].decide(look_at(state, seat, 1.0)), seat)
        judge = Judge(rules.ghost, Weights(list(HASTY)))
        judge.look(state)
        worth = [judge.alone(state, seat) for seat in (0, 1)]
        found = finished(state)
        for seat in (0, 1):
            assert worth[seat] == pytest.approx(found.scores[seat], abs=0.5)
            checked += 1
    assert checked == 12


def test_ties_go_to_what_decides_them_not_to_a_card() -> None:
    """2019: an unfinished puzzle costs nothing, so the last Take seems free; a piece more decides a tie."""
    card = "card: LARGE B 1 O1 ..... ..... ..... ##### #####"
    head = f"edition: 2019\nplayers: 2\noptions: max_rounds=1\n{card}\nblack: LARGE"
    state = table(head, "1 upgrade I2 L3|1 upgrade L3 I2").state
    for spec in PLANNERS:
        decision = make(spec, 1).decide(look_at(state, 0, 5.0))
        assert actions.is_gain(decision), spec


@pytest.mark.parametrize("seed", range(3))
def test_no_card_taken_with_a_last_action_costs_points(seed: int) -> None:
    state = new_game(Rules(2, max_rounds=60), f"hoard {seed}")
    bots = [make("planner:2ms", 1), make("search-classic:5ms", 2)]
    while state.phase < TOUCHES:
        seat = to_act(state)[0]
        decision = bots[seat].decide(look_at(state, seat, 1.0))
        ends = state.phase == PLAY and state.end_triggered and state.round == state.last_round
        if ends and state.players[seat].actions == 1 and actions.is_take(decision):
            without = worth_at_the_end(state, seat)
            apply(state, decision, seat)
            assert worth_at_the_end(state, seat) >= without
        else:
            apply(state, decision, seat)


def worth_at_the_end(state: State, seat: int) -> float:
    """What a seat's puzzles come to by its touches."""
    return touch_gain(state, seat) - sum(int(state.cards.points[card]) for _, card in state.puzzles(seat))


def test_planners_hold_no_cards_that_cost_them_points_at_the_end() -> None:
    """Two planners end the game themselves, so they know when; they leave nothing that is worth a point."""
    lost = 0
    for seed in range(3):
        state = play_out(Rules(2, max_rounds=60), ["planner:2ms", "planner:2ms"], f"keep {seed}")
        lost += sum(int(state.cards.points[card]) for seat in (0, 1) for _, card in state.puzzles(seat))
    assert lost <= 2


@pytest.mark.parametrize("weights", [PATIENT, HASTY], ids=["patient", "hasty"])
def test_no_turn_is_nothing_but_recycles(weights: tuple[float, ...]) -> None:
    """Whole rounds of these end the game (R18), and a third Recycle brings what the first two did not."""
    for seed in range(5):
        state = new_game(Rules(2), f"recycle {seed}")
        for _ in range(2):
            apply(state, actions.RECYCLE, 0)
            apply(state, actions.ORDER_OF_FOUR, 0)
        assert any(actions.is_recycle(option) for option in legal(state, 0))
        beam = Beam(Judge(False, Weights(list(weights))), state, 0, 5, 2)
        assert not any(actions.is_recycle(plan.decisions[0]) for plan in beam.turns())


@pytest.mark.parametrize("spec", ["greedy", "planner:5ms", "search-classic:10ms"])
def test_a_row_that_brought_nothing_is_not_recycled_for_rounds(spec: str) -> None:
    """The hardest case: nine worthless white cards on top, black ones that nobody dares to take."""
    cards = "\n".join(f"card: N{n} W 0 O1 ..... ..... ..... ..... ...##" for n in range(9))
    white = " ".join(f"N{n}" for n in range(9))
    state = table(f"players: 2\noptions: max_rounds=14\n{cards}\nwhite: {white}").state
    bots = [make(spec, 1), make(spec, 2)]
    since: dict[tuple[int, int], int] = {}  # by seat and row: the round in which it was recycled, since the last Take
    while state.phase < TOUCHES:
        seat = to_act(state)[0]
        decision = bots[seat].decide(look_at(state, seat, 1.0))
        if actions.is_take(decision):
            since = {key: when for key, when in since.items() if key[0] != seat}
        if actions.is_recycle(decision):
            assert since.setdefault((seat, decision), int(state.round)) == state.round
        apply(state, decision, seat)


def test_a_recycle_of_a_row_that_comes_back_is_worth_nothing() -> None:
    """One card in the deck, the best of all: the row would be that card and three of the four that lie there."""
    state = new_game(Rules(2), "comes back")
    best = max(map(int, state.black), key=lambda card: int(state.cards.points[card]))
    state.set_decks([int(card) for card in state.white[int(state.white_top) :]], [best])
    judge = Judge(False, Weights(list(PATIENT)))
    judge.look(state)
    row = [int(state.cards.points[card]) for card in state.row if not state.cards.white[card]]
    assert judge.black_mean == pytest.approx((sum(row) + int(state.cards.points[best])) / (len(row) + 1))


def test_bots_that_want_the_end_still_finish_puzzles() -> None:
    """Games of classic search once ended -1 to -1: neither had finished anything, and somebody had won."""
    for seed in range(4):
        end = result(play_out(Rules(2, max_rounds=60), ["search-classic:5ms"] * 2, f"low {seed}"))
        assert end is not None
        assert max(end.scores) >= 5


def test_greedy_uses_master_and_finishes_its_puzzles() -> None:
    masters, left = 0, 0
    for seed in range(3):
        state = new_game(Rules(2, max_rounds=60), f"master {seed}")
        bots = [make("greedy", 1), make("greedy", 2)]
        while state.phase < TOUCHES:
            seat = to_act(state)[0]
            decision = bots[seat].decide(look_at(state, seat, 1.0))
            masters += decision == actions.MASTER
            play(state, decision, seat)
        assert min(finished(state).scores) >= 15
        left += sum(len(state.puzzles(seat)) for seat in (0, 1))
    assert masters >= 24
    assert left <= 2


# A card whose cells touch nowhere: it takes thirteen O1, more pieces than a way to fill a card was thought to have.
APART = "card: APART W 5 O1 .#.#. #.#.# .#.#. #.#.# .#.#."


def test_a_card_of_single_cells_is_judged_by_its_own_numbers() -> None:
    state = table(f"players: 2\n{APART}\nwhite: W01 APART", "1 take W1").state
    catalogue = state.cards
    apart = int(catalogue.recess[catalogue.number["APART"]])
    supply = int(state.players[0].supply)
    for before in ("W01", "B13", "B05"):
        judge = Judge(False, Weights(list(PATIENT)))
        judge.cheapest(int(catalogue.recess[catalogue.number[before]]), supply)
        judge.cheapest(apart, supply)
        assert (judge.cost.placements, judge.cost.fetches) == (13, 12)
    assert make("planner:2s", 1).decide(look_at(state, 0, 5.0)) != actions.TAKE + 1


@pytest.mark.parametrize("ghosts", [False, True])
def test_every_region_can_be_covered(ghosts: bool) -> None:
    """A person lays pieces anyhow: what is left may be cells that lie apart, many of them."""
    covers = shared_covers(ghosts)
    for cells in itertools.islice(itertools.combinations(range(0, 25, 2), 10), 0, None, 17):
        mask = sum(2**cell for cell in cells)
        found = covers.of(mask)
        assert len(found) > 0
        assert len(covers.tiling(mask, found[0])) > 0


# Mistakes of people


def game_of(bots: list[Bot], seed: str) -> tuple[State, list[int]]:
    state, made = new_game(Rules(2, max_rounds=60), seed), list[int]()
    while not result(state):
        seat = to_act(state)[0]
        made.append(bots[seat].decide(look_at(state, seat, 1.0)))
        play(state, made[-1], seat)
    return state, made


def test_without_slips_a_person_plays_as_greedy_does() -> None:
    none = Slips(0, 0, 0.0, 0.0)
    _, one = game_of([HumanBot(1, none), HumanBot(2, none)], "no slips")
    _, other = game_of([make("greedy", 1), make("greedy", 2)], "no slips")
    assert one == other


def test_whoever_forgets_master_never_uses_it() -> None:
    always = Slips(0, 100, 0.0, 0.0)
    _, made = game_of([HumanBot(1, always), HumanBot(2, always)], "forgets")
    assert actions.MASTER not in made


def test_whoever_is_tempted_takes_the_card_with_the_most_points() -> None:
    state = table("players: 2\nwhite: W01 W22 W26 W23\nblack: B16 B04 B17 B20").state
    tempted = HumanBot(1, Slips(0, 0, 20.0, 0.0)).decide(look_at(state, 0, 1.0))
    assert actions.is_take(tempted)
    points = [int(state.cards.points[card]) for card in state.row]
    assert points[actions.slot_of(tempted)] == max(points)


@pytest.mark.parametrize("slips", [BEGINNER, CASUAL], ids=["beginner", "casual"])
def test_the_same_person_plays_the_same_and_lays_no_piece_in_vain(slips: Slips) -> None:
    """No slip is a move at random: every piece laid belongs to a way to finish that costs little more."""
    _, one = game_of([HumanBot(1, slips), HumanBot(2, slips)], "same")
    state, other = game_of([HumanBot(1, slips), HumanBot(2, slips)], "same")
    assert one == other
    state = new_game(Rules(2, max_rounds=60), "same")
    judge = Judge(False, Weights(list(PATIENT)))
    for decision in one:
        seat = to_act(state)[0]
        if state.phase < TOUCHES and actions.is_placement(decision):
            at = spot(seat, actions.place_of(decision))
            mask = int(state.cards.recess[state.board[at]] & ~state.filled[at])
            before = judge.cheapest(mask, int(state.players[seat].supply))
            placed = int(PLACEMENT_MASK[actions.placement_of(decision)])
            assert judge.cheapest(mask & ~placed, int(state.players[seat].supply)) <= before + 3
        play(state, decision, seat)


def test_from_level_to_level_more_games_are_won() -> None:
    """A small sample of what the ladder measures."""
    for weaker, stronger in (("random", "beginner"), ("beginner", "greedy")):
        won = 0.0
        for seed, turned in itertools.product(range(3), (False, True)):
            specs = [weaker, stronger] if turned else [stronger, weaker]
            end = result(play_out(Rules(2, max_rounds=60), specs, f"level {seed}"))
            assert end is not None
            won += sum(specs[seat] == stronger for seat in end.winners) / len(end.winners)
        assert won >= 4


# Taking from decks


def test_the_learned_search_thinks_of_what_a_deck_may_bring() -> None:
    """A Take from a deck is one of its decisions, and each card that may come up is a position of its own."""
    weights = learned()
    assert weights is not None
    state = new_game(Rules(2), "deck")
    look = look_at(state, 0, 1.0)
    tree = Tree(NeuralJudge(weights, look.rules, USUAL.batch), look.rules, look.known, Dice(1))
    root = tree.root()
    tops = [n for n, decision in enumerate(root.decisions) if decision == actions.TAKE_TOP_WHITE]
    assert len(tops) == 1
    root.prior[:] = 0.0
    root.prior[tops[0]] = 1.0  # so that every walk begins there
    tree.grow(root, 60.0, 64)
    places = {seen[1 + len(state.row)] for seen in root.children if seen[0] == tops[0]}
    assert len(places) > 10
