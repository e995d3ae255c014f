"""The learned search: its tree counts what it should, keeps what it foresaw and stops in time."""

from time import perf_counter

import pytest

from projectl import Rules, legal, play, to_act
from projectl.bots import look_at
from projectl.bots.neural import NetworkJudge, learned
from projectl.bots.search import SearchBot, told
from projectl.bots.tree import USUAL, WIDEST, Node, Tree, child_after
from projectl.core.dice import Dice
from projectl.core.engine import apply
from projectl.core.state import TOUCHES, State
from tests.golden import golden_rules
from tests.test_bots import middle_of

RULES = [Rules(2), Rules(1, difficulty="unbeatable"), Rules(4, modules=("finesse", "ghost"))]


def tree_of(state: State, seed: int = 1) -> Tree:
    weights = learned()
    assert weights is not None
    look = look_at(state, to_act(state)[0], 1.0)
    return Tree(NetworkJudge(weights, look.rules, USUAL.batch), look.rules, look.known, Dice(seed))


def grown(state: State, walks: int, seed: int = 1) -> Node:
    tree = tree_of(state, seed)
    root = tree.root()
    tree.grow(root, 60.0, walks)
    return root


def every(node: Node) -> list[Node]:
    return [node, *(found for child in node.children.values() if child for found in every(child))]


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_every_walk_is_counted_once(rules: Rules) -> None:
    root = grown(middle_of(rules, "counted", 20), 200)
    assert root.tried == 200
    for node in every(root):
        assert node.tried == int(node.visits.sum())
        assert len(node.decisions) == len(set(node.decisions)) <= WIDEST
        assert float(node.prior.sum()) == pytest.approx(1.0, abs=1e-4)
        assert all(
            -0.03 * visits <= worth <= 1.03 * visits for worth, visits in zip(node.worth, node.visits, strict=True)
        )
        below = sum(child.tried for child in node.children.values() if child)
        assert below + len(node.children) >= node.tried - sum(child is None for child in node.children.values()) - ends(
            node
        )


def ends(node: Node) -> int:
    """Walks that came to the end of the game from here leave no child."""
    reached = {seen[0] for seen in node.children}
    return int(sum(visits for n, visits in enumerate(node.visits) if n not in reached))


def test_the_same_seed_grows_the_same_tree() -> None:
    state = middle_of(Rules(2), "same", 24)
    one, other = grown(state, 96), grown(state, 96)
    assert one.decisions == other.decisions
    assert one.visits.tolist() == other.visits.tolist()


@pytest.mark.parametrize("name", sorted(golden_rules())[::7])
def test_the_tree_decides_what_is_legal(name: str) -> None:
    rules = golden_rules()[name]
    state = middle_of(rules, "legal", 30)
    if state.phase >= TOUCHES:
        pytest.skip("it was over by then")
    root = grown(state, 48)
    assert set(root.decisions) <= set(legal(state, to_act(state)[0]))
    assert root.tried == 48 or len(root.decisions) == 1


def test_what_came_as_foreseen_is_kept() -> None:
    weights = learned()
    assert weights is not None
    bot, kept = SearchBot(0.05, 3, weights), 0
    state = middle_of(Rules(2), "kept", 20)
    for _ in range(12):
        seat = to_act(state)[0]
        look = look_at(state, seat, 1.0)
        last = bot.last
        foreseen = child_after(*last, state) if last else None
        decision = bot.decide(look)
        if foreseen is not None and foreseen.seat == seat and len(look.legal) > 1:
            assert bot.last is not None
            assert bot.last[0] is foreseen
            kept += 1
        apply(state, decision, seat)
    assert kept


def test_it_thinks_no_longer_than_it_may() -> None:
    """Many times the time of one question, so that a busy machine does not decide the test."""
    weights = learned()
    assert weights is not None
    state = middle_of(Rules(2), "time", 20)
    begin = perf_counter()
    SearchBot(0.3, 1, weights).decide(look_at(state, to_act(state)[0], 10.0))
    assert perf_counter() - begin < 3.0


def test_what_a_tree_found_is_told_with_more_certainty_between_two() -> None:
    """0.2 against 0.8 is one to four, and four to the power of 1.4 is nearly seven."""
    assert told(0.8, 2) == pytest.approx(4**1.4 / (4**1.4 + 1))
    assert told(0.2, 2) == pytest.approx(1 - told(0.8, 2))
    assert [told(worth, 2) for worth in (-0.01, 0.0, 0.5, 1.0, 1.02)] == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert [told(worth, 3) for worth in (-0.01, 0.3, 1.02)] == [0.0, 0.3, 1.0]


def test_a_line_is_a_turn_that_can_be_played() -> None:
    weights = learned()
    assert weights is not None
    state = middle_of(Rules(2), "line", 24)
    seat = to_act(state)[0]
    line = SearchBot(0.1, 1, weights).line(look_at(state, seat, 1.0), 0.1)
    assert line.decisions
    assert line.decisions[0] in legal(state, seat)
    play(state, line.decisions[0])
