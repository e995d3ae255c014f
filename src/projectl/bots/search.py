"""`search`: the learned player with a look ahead. A tree of decisions grows for as long as there is time."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final

from projectl.bots.classic import ClassicSearch
from projectl.bots.neural import WEIGHTS, NetworkJudge, learned
from projectl.bots.protocol import Line, Look
from projectl.bots.rollout import turn_after
from projectl.bots.touches import best_touches
from projectl.core.dice import Dice
from projectl.core.engine import apply
from projectl.core.legal import legal
from projectl.core.state import TOUCHES, State

if TYPE_CHECKING:
    from projectl.bots.network import Weights
    from projectl.bots.tree import Manner, Node, Tree

USUAL_SECONDS: Final = 1.0
_SPARE: Final = 0.97  # of the time is used
_DEALS: Final = 64  # that a turn is judged in
_OFTEN: Final = 10  # tries that a decision's worth is told from
_SURER: Final = 1.4  # power of the odds between two players: fitted to 700 games of `benchmarks/chances.py`


class SearchBot:
    """Keeps its tree from one decision to the next as far as things came as imagined."""

    def __init__(self, seconds: float | None, seed: int, weights: "Weights", manner: "Manner | None" = None) -> None:
        from projectl.bots.tree import USUAL

        self.manner = USUAL if manner is None else manner
        self.seconds = USUAL_SECONDS if seconds is None else seconds
        self.weights = weights
        self.dice = Dice(seed)
        self.judge: NetworkJudge | None = None
        self.last: tuple[Node, int] | None = None

    def decide(self, look: Look) -> int:
        if len(look.legal) == 1:
            return look.legal[0]
        state = look.imagine(self.dice)
        if state.phase == TOUCHES:
            return best_touches(state, look.seat)[0]
        _, root = self.think(look, state, min(self.seconds, look.seconds))
        decision = root.decisions[root.best()]
        self.last = root, decision
        return decision

    def think(self, look: Look, state: State, seconds: float) -> "tuple[Tree, Node]":
        """The tree and its root after the time given."""
        from projectl.bots.tree import Tree

        begin = perf_counter()
        if self.judge is None:
            self.judge = NetworkJudge(self.weights, look.rules, self.manner.batch, watched=look.known.watched)
        tree = Tree(self.judge, look.rules, look.known, self.dice, self.manner)
        root = self._kept(look, state) or tree.root()
        tree.grow(root, seconds * _SPARE - (perf_counter() - begin))
        return tree, root

    def _kept(self, look: Look, state: State) -> "Node | None":
        """What the last search knows of this position, if it foresaw it."""
        from projectl.bots.tree import child_after

        if self.last is None:
            return None
        node = child_after(*self.last, state)
        self.last = None
        return node if node and node.seat == look.seat and set(node.decisions) <= set(look.legal) else None

    def line(self, look: Look, seconds: float) -> Line:
        """The best rest of the turn: along the tree as far as it is known, then by the first thought."""
        from projectl.bots.tree import child_after

        state, seat = look.imagine(self.dice), look.seat
        _, root = self.think(look, state, seconds)
        now, decisions = state.round, list[int]()
        node: Node | None = root
        while state.phase < TOUCHES and state.round == now and (choices := legal(state, seat)):
            decision = choices[0]
            if len(choices) > 1:
                decision = self._best(node, state, seat, list(choices))
            apply(state, decision, seat)
            decisions.append(decision)
            if len(choices) > 1 and node is not None:
                node = child_after(node, decision, state)
        second, players = _second(root), int(look.rules.players)
        return Line(decisions, told(root.mean, players), None if second is None else told(second, players), root.tried)

    def worth(self, look: Look, decisions: list[int], seed: int) -> float:
        """The chance of winning after a turn, by what the network says of it in many deals."""
        from projectl.bots.tree import worth

        dice = Dice(seed)
        ends = [turn_after(decisions, look.imagine(dice), look.seat) for _ in range(_DEALS)]
        judge = NetworkJudge(self.weights, look.rules, _DEALS, watched=look.known.watched)
        return worth(judge, ends, look.seat)

    def _best(self, node: "Node | None", state: State, seat: int, choices: list[int]) -> int:
        """What most walks of the tree took, or the first thought beyond it."""
        if node is not None and node.tried and (found := node.decisions[node.best()]) in choices:
            return found
        assert self.judge is not None
        return self.judge.first_thought(state, seat, choices)


def told(worth: float, players: int) -> float:
    """What a tree found as a chance of winning. Its walks try bad decisions too, so it lies too near to one half."""
    worth = min(1.0, max(0.0, worth))
    if players != 2:  # not measured
        return worth
    won: float = worth**_SURER
    lost: float = (1 - worth) ** _SURER
    return won / (won + lost)


def _second(root: "Node") -> float | None:
    """What the best other decision promises, if it was tried often enough to say."""
    best = root.best()
    means = [
        float(worth / visits)
        for n, (worth, visits) in enumerate(zip(root.worth, root.visits, strict=True))
        if n != best and visits >= _OFTEN
    ]
    return min(max(means), root.mean) if means else None


def search(seconds: float | None, seed: int, path: Path = WEIGHTS) -> SearchBot | ClassicSearch:
    """The learned search, or the classic one where there are no weights."""
    weights = learned(path)
    return ClassicSearch(seconds, seed) if weights is None else SearchBot(seconds, seed, weights)
