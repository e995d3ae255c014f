"""A tree of decisions in imagined deals, grown where the learned player sees promise.

Every walk down the tree deals the hidden cards anew, so that nobody in it plans with cards that nobody
has seen: where a decision uncovers something, the tree goes on from what lies there now. Several walks
end before the network is asked about all their positions at once.
"""

from math import sqrt, tanh
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from projectl.bots.touches import finished
from projectl.core.engine import apply
from projectl.core.knowledge import Known, imagine
from projectl.core.legal import legal
from projectl.core.rules import Rules
from projectl.core.score import Result
from projectl.core.state import TOUCHES, State

if TYPE_CHECKING:
    from projectl.bots.neural import NetworkJudge
    from projectl.core.dice import Dice

WIDEST: Final = 24  # decisions of a position that are looked at
_FIRST: Final = 0.05  # a decision never tried counts as so much worse than the position
_LEAD: Final = 0.02  # what the lead in points adds, so that a won game is still played well
_TEN_POINTS: Final = 0.1

Floats = npt.NDArray[np.float32]
Seen = tuple[int, ...]
Values = list[float]  # by seat


class Manner(NamedTuple):
    """How a tree grows."""

    explores: float = 1.2  # how much a decision that was tried little is worth another try
    doubt: float = 4.0  # the network is surer of its choice than it should be
    daring: float = 0.1  # of the prior is the same for all
    batch: int = 16  # positions that the network is asked about at once: many make it quicker, few the tree better


USUAL: Final = Manner()


class Node:
    """A position where somebody decides: what may be decided, and how each decision has done."""

    __slots__ = ("children", "decisions", "prior", "seat", "tried", "value", "visits", "worth")

    def __init__(self, seat: int, decisions: list[int], prior: Floats, value: float) -> None:
        self.seat = seat
        self.decisions = decisions
        self.prior = prior
        self.value = value  # what the network says of it, for the seat
        self.visits = np.zeros(len(decisions), np.float32)
        self.worth = np.zeros(len(decisions), np.float32)
        self.tried = 0
        self.children: dict[Seen, Node | None] = {}  # None while the network has not been asked

    def choice(self, explores: float) -> int:
        """Where the next walk goes: the decision that may be the best for all that is known."""
        visits = self.visits
        usual = self.value if not self.tried else (self.value + float(self.worth.sum())) / (1 + self.tried)
        mean = np.where(visits > 0, self.worth / np.maximum(visits, 1), usual - _FIRST)
        return int((mean + explores * sqrt(self.tried + 1) * self.prior / (1 + visits)).argmax())

    def best(self) -> int:
        """The decision that was found best: the one most walks took."""
        return int((self.visits + 0.001 * self.prior).argmax())

    @property
    def mean(self) -> float:
        """What the position is worth to whoever decides, by its best decision."""
        best = self.best()
        return float(self.worth[best] / self.visits[best]) if self.visits[best] else self.value


Path = list[tuple[Node, int]]


class Tree:
    """One position, searched for the seat that knows it."""

    def __init__(self, judge: "NetworkJudge", rules: Rules, known: Known, dice: "Dice", manner: Manner = USUAL) -> None:
        self.judge = judge
        self.rules = rules
        self.known = known
        self.dice = dice
        self.manner = manner
        self.walks = 0

    def deal(self) -> State:
        """The position with its hidden cards dealt anew."""
        return imagine(self.rules, self.known, self.dice)

    def root(self) -> Node:
        """The position itself."""
        state = self.deal()
        self.judge.see(0, state, self.known.seat)
        scores, chances, leads = self.judge.say(1)
        return self._node(state, self.known.seat, scores[0], self._values(self.known.seat, chances[0], leads[0]))

    def grow(self, root: Node, seconds: float, walks: int = 10**9) -> None:
        """Walk down from the root until the time is up or the best can no longer change."""
        begin = perf_counter()
        deadline = begin + seconds
        done = 0
        while len(root.decisions) > 1 and done < walks:
            began = perf_counter()
            if began >= deadline:
                break
            done += self._together(root, min(self.manner.batch, walks - done))
            now = perf_counter()
            if now + (now - began) * 0.5 > deadline:
                break
            left = (deadline - now) / (now - begin) * done
            first, second = np.sort(root.visits)[-1:-3:-1]
            if done > 64 and first - second > left:
                break
        self.walks += done

    def _together(self, root: Node, number: int) -> int:
        """Several walks, then the network's word on where they end."""
        asked: list[tuple[Path, Seen, State, int]] = []
        done = 0
        for _ in range(number):
            path: Path = []
            found = self._walk(root, path, len(asked), asked)
            if found is None:
                break  # it ends where another of these walks does
            done += 1
            if found:
                _count(path, found)
        if asked:
            scores, chances, leads = self.judge.say(len(asked))
            for n, (path, seen, state, seat) in enumerate(asked):
                values = self._values(seat, chances[n], leads[n])
                parent, _ = path[-1]
                parent.children[seen] = self._node(state, seat, scores[n], values)
                _count(path, values)
        return max(1, done)

    def _walk(self, root: Node, path: Path, row: int, asked: list[tuple[Path, Seen, State, int]]) -> Values | None:
        """Down to a position that is new: the values if it is the end, none (empty) if the network has to be asked."""
        state, node = self.deal(), root
        while True:
            chosen = node.choice(self.manner.explores)
            path.append((node, chosen))
            node.visits[chosen] += 1  # a walk that is not yet over counts as lost, so that the next goes elsewhere
            node.tried += 1
            apply(state, node.decisions[chosen], node.seat)
            pass_forced(state)
            if state.phase >= TOUCHES:
                return self._end(state)
            seen = (chosen, *state.row, *state.board)
            if seen not in node.children:
                node.children[seen] = None
                self.judge.see(row, state, state.seat)
                asked.append((path, seen, state, int(state.seat)))
                return []
            child = node.children[seen]
            if child is None:
                for passed, index in path:
                    passed.visits[index] -= 1
                    passed.tried -= 1
                return None
            node = child

    def _node(self, state: State, seat: int, scores: Floats, values: Values) -> Node:
        decisions = list(legal(state, seat))
        said = scores[decisions]
        if len(decisions) > WIDEST:
            kept = np.argpartition(-said, WIDEST)[:WIDEST]
            decisions, said = [decisions[n] for n in kept], said[kept]
        prior = np.exp((said - said.max()) / self.manner.doubt)
        daring = self.manner.daring
        prior = (1 - daring) * prior / prior.sum() + daring / len(decisions)
        return Node(seat, decisions, prior, values[seat])

    def _values(self, seat: int, chances: Floats, leads: Floats) -> Values:
        """What the network says, seat by seat."""
        players = max(2, int(self.rules.players))
        said = shares(chances[:players]) + _LEAD * np.tanh(leads[:players])
        return [float(said[(other - seat) % players]) for other in range(players)]

    def _end(self, state: State) -> Values:
        """What a game that is over brought everybody; touches are solved."""
        found = finished(state)
        total, others = sum(found.scores), len(found.scores) - 1
        return [
            won + _LEAD * tanh(_TEN_POINTS * (points - (total - points) / others))
            for won, points in zip(shared(found), found.scores, strict=True)
        ]


def shares(chances: Floats) -> Floats:
    """The network's numbers as chances that add up to 1."""
    said: Floats = np.exp(chances - chances.max())
    said /= said.sum()
    return said


def shared(found: Result) -> Values:
    """The win, shared by those who have it."""
    return [1 / len(found.winners) if seat in found.winners else 0.0 for seat in range(len(found.scores))]


def worth(judge: "NetworkJudge", states: list[State], seat: int) -> float:
    """A seat's chance of winning from any of these positions, by what the network says of each at once."""
    found: list[float] = []
    asked: list[int] = []
    for state in states:
        pass_forced(state)
        if state.phase >= TOUCHES:
            found.append(shared(finished(state))[seat])
            continue
        judge.see(len(asked), state, state.seat)
        asked.append(int(state.seat))
    if asked:
        said = judge.say(len(asked)).chances
        players = judge.seats
        found += [float(shares(said[n, :players])[(seat - mover) % players]) for n, mover in enumerate(asked)]
    return sum(found) / len(found)


def pass_forced(state: State) -> None:
    """Carry out what leaves no choice."""
    while state.phase < TOUCHES:
        decisions = legal(state, state.seat)
        if len(decisions) != 1:
            return
        apply(state, decisions[0], state.seat)


def _count(path: Path, values: Values) -> None:
    for node, chosen in path:
        node.worth[chosen] += values[node.seat]


def child_after(node: Node, decision: int, state: State) -> Node | None:
    """Where the tree went on after a decision that led to this position."""
    if decision not in node.decisions:
        return None
    return node.children.get((node.decisions.index(decision), *state.row, *state.board))
