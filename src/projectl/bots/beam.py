"""Whole turns: the best sequences of actions, found by a beam search over imagined positions.

Only what this seat can know is planned with: a card that comes up during the turn is not taken
in the same plan.
"""

from time import perf_counter

from projectl.bots.covers import missing
from projectl.bots.value import Judge
from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.legal import legal
from projectl.core.mix import Mixer, scattered
from projectl.core.native import append, i64, vec
from projectl.core.pieces import FIELD, PLACEMENT_SHAPE, UNIT, total
from projectl.core.rules import SOLO
from projectl.core.state import (
    EMPTY,
    LEVEL_UP,
    ORDER,
    PLACES,
    PLACING,
    PLAY,
    REWARD,
    TOUCHES,
    State,
    laid_placement,
    laid_seat,
    laid_spot,
    spot,
)


class Plan:
    """A way to go on: decisions, where they lead, what that is worth."""

    __slots__ = ("decisions", "state", "value")

    def __init__(self, state: State, decisions: list[int], value: float) -> None:
        self.state = state
        self.decisions = decisions
        self.value = value


def _worth(plan: Plan) -> float:
    return -plan.value


class Beam:
    """Searches one turn of one seat."""

    def __init__(
        self,
        judge: Judge,
        root: State,
        seat: i64,
        width: int,
        ways: int,
        deadline: float = 0.0,
        vain: list[int] | None = None,
    ) -> None:
        self.judge = judge
        self.root = root
        self.seat = seat
        self.width = width
        self.ways = ways  # placements considered for each puzzle
        self.deadline = deadline  # 0: as long as it takes
        self.vain: list[int] = [] if vain is None else vain  # Recycles that would bring nothing
        self.round = root.round
        self.row: vec[i64] = root.row[:]
        judge.look(root)

    def turns(self) -> list[Plan]:
        """Whole turns, the best first, all different in what they come to; none when time ran out."""
        start = self.root.clone()
        nodes = [Plan(start, [], 0.0)]
        finals: list[Plan] = []
        for _ in range(24):
            children: list[Plan] = []
            for node in nodes:
                if self.deadline > 0.0 and perf_counter() > self.deadline:
                    return []
                self._expand(node, children)
            nodes = []
            going: list[Plan] = []
            for child in children:
                if self.ended(child.state):
                    finals.append(child)
                else:
                    going.append(child)
            nodes = distinct(going, self.seat, self.width)
            if not nodes:
                break
        return distinct(finals, self.seat, 4 * self.width)

    def ended(self, s: State) -> bool:
        """Whether this seat's turn is over."""
        return s.phase >= TOUCHES or s.players[self.seat].done or s.round != self.round

    def _expand(self, node: Plan, children: list[Plan]) -> None:
        for whole in self.wholes(node.state):
            child = node.state.clone()
            path = node.decisions.copy()
            for decision in whole:
                apply(child, decision, self.seat)
                path.append(int(decision))
            self.settle(child, path)
            children.append(Plan(child, path, self.judge.value(child, self.seat)))

    def settle(self, s: State, path: list[int]) -> None:
        """Choose rewards and Level Ups by what they come to."""
        while (s.phase == REWARD or s.phase == LEVEL_UP) and s.seat == self.seat:
            best: i64 = -1
            best_value = 0.0
            for option in legal(s, self.seat):
                after = s.clone()
                apply(after, option, self.seat)
                value = self.judge.value(after, self.seat)
                if best < 0 or value > best_value:
                    best, best_value = option, value
            apply(s, best, self.seat)
            path.append(int(best))

    # --- whole actions --------------------------------------------------------------------

    def wholes(self, s: State) -> list[list[int]]:
        """The whole actions worth thinking about, as decisions."""
        if s.phase != PLAY or s.inserting:
            return self._rest_of_action(s)
        found: list[list[int]] = []
        insert = False
        placed = False
        for option in legal(s, self.seat):
            if actions.is_placement(option):
                placed = True
            elif actions.is_take(option):
                if self._known_card(s, option):
                    found.append([int(option)])
            elif actions.is_recycle(option):
                if not self._idle(s) and int(option) not in self.vain:
                    found.append(_recycled(option))
            elif actions.is_ghost(option):
                self._ghost(s, option, found)
            elif option == actions.MASTER or option == actions.AMBASSADOR:
                self._combinations(s, option, s.players[self.seat].supply, found)
            elif option == actions.INSERT:
                insert = True
            else:
                found.append([int(option)])
        if placed:
            for place in range(i64(PLACES)):
                for placement in self.placements(s, place, s.players[self.seat].supply):
                    found.append([int(placement)])
        if insert and s.players[self.seat].actions == 0:  # an Insert earlier in the turn comes to the same
            self._inserted(s, found)
        if not found:
            self._last_resort(s, found)
        return found

    def _idle(self, s: State) -> bool:
        """Whether one Recycle more would make a turn of nothing else: whole rounds of these end the game (R18)."""
        return s.players[self.seat].quiet and s.players[self.seat].actions == 1

    def _known_card(self, s: State, option: i64) -> bool:
        """Not a card that came up during this plan, nor one from a deck."""
        if not actions.takes_face_up(option):
            return False
        slot = actions.slot_of(option)
        return s.row[slot] == self.row[slot]

    def placements(self, s: State, place: i64, hand: i64) -> vec[i64]:
        """Placements on a puzzle that belong to a cheap way to finish it."""
        found = vec[i64](capacity=8)
        at = spot(self.seat, place)
        card = s.board[at]
        if card == EMPTY:
            return found
        mask = s.cards.recess[card] & ~s.filled[at]
        if mask == 0:
            return found
        judge = self.judge
        supply = s.players[self.seat].supply
        limit = judge.cheapest(mask, supply) + 1.01
        ways = 0
        for pieces in judge.covers.of(mask):
            if float(total(pieces)) > limit or ways >= self.ways:
                break
            if missing(pieces, supply) and judge.cost_of(pieces, supply) > limit:
                continue
            ways += 1
            for placement in judge.covers.tiling(mask, pieces):
                number = actions.placing(place, placement)
                if hand & FIELD[PLACEMENT_SHAPE[placement]] != 0 and not contains(found, number):
                    found = append(found, number)
        return found

    def _combinations(self, s: State, opener: i64, hand: i64, found: list[list[int]]) -> None:
        """Master and Ambassador: one piece of a cheap way on each puzzle, or none on some."""
        partial: list[list[int]] = [[]]
        hands: list[int] = [int(hand)]
        for place in range(i64(PLACES)):
            options = self.placements(s, place, hand)
            if len(options) == 0:
                continue
            more: list[list[int]] = []
            more_hands: list[int] = []
            for n in range(len(partial)):
                left = hands[n]
                taken = 0
                for option in options:
                    shape = actions.shape_placed(option)
                    unit = int(UNIT[shape])
                    if left & int(FIELD[shape]) and taken < self.ways:
                        more.append([*partial[n], int(option)])
                        more_hands.append(left - unit)
                        taken += 1
                more.append(partial[n])
                more_hands.append(left)
            partial, hands = more, more_hands
            if len(partial) > 200:
                partial, hands = partial[:200], hands[:200]
        for chosen in partial:
            if len(chosen) > 1 or (chosen and opener != actions.MASTER):
                found.append([int(opener), *chosen, actions.STOP])

    def _ghost(self, s: State, option: i64, found: list[list[int]]) -> None:
        """Break a ghost up: keep the parts, or place one on each of some puzzles."""
        found.append([int(option), actions.STOP])
        after = s.clone()
        apply(after, option, self.seat)
        self._combinations(after, option, actions.PARTS[option - actions.GHOST], found)

    def _inserted(self, s: State, found: list[list[int]]) -> None:
        after = s.clone()
        apply(after, actions.INSERT, self.seat)
        for whole in self._rest_of_action(after):
            found.append([actions.INSERT, *whole])

    def _rest_of_action(self, s: State) -> list[list[int]]:
        """In the middle of an action: what can follow."""
        if s.phase == PLAY:  # an Insert was paid for
            after = s.clone()
            after.inserting = False
            player = after.players[self.seat]
            active, left = player.active, player.actions
            player.active = 0
            player.actions = 1
            found = [whole for whole in self.wholes(after) if whole[0] != actions.PASS]
            player.active, player.actions = active, left
            return found
        found = []
        options = legal(s, self.seat)
        if s.phase == ORDER:
            return [[int(options[0])]]
        if s.phase == PLACING:
            ghost = actions.is_ghost(s.pending)
            hand = s.hand if ghost else s.players[self.seat].supply
            for place in range(s.next_place, i64(PLACES)):
                for placement in self.placements(s, place, hand):
                    found.append([int(placement)])
            if contains(options, actions.STOP):
                found.append([actions.STOP])
            if found:
                return found
        return [[int(option)] for option in options]

    def _last_resort(self, s: State, found: list[list[int]]) -> None:
        """Nothing sensible is left: whatever is legal, a Recycle from left to right."""
        for option in legal(s, self.seat):
            if actions.is_recycle(option):
                found.append(_recycled(option))
            elif option == actions.MASTER or option == actions.AMBASSADOR or option == actions.INSERT:
                continue
            else:
                found.append([int(option)])


def _recycled(option: i64) -> list[int]:
    """A Recycle from left to right: the order hardly ever matters."""
    return [int(option), int(actions.first_order(option))]


def contains(items: vec[i64], item: i64) -> bool:
    """Whether an item is there."""
    for other in items:
        if other == item:
            return True
    return False


def distinct(plans: list[Plan], seat: i64, most: int) -> list[Plan]:
    """The best plans, one for each of the positions that they come to."""
    plans.sort(key=_worth)
    seen: set[int] = set()
    kept: list[Plan] = []
    for plan in plans:
        if len(kept) >= most:
            break
        key = gist(plan.state, seat)
        if key not in seen:
            seen.add(key)
            kept.append(plan)
    return kept


def gist(s: State, seat: i64) -> int:
    """A key of what a seat has made of its turn: the pieces on its puzzles, wherever they lie.

    Turns that differ only in the order of actions, in the place of a puzzle or in how the same
    pieces lie on it would crowd the others out. Finesse looks at how they lie.
    """
    if s.rules.finesse:
        return s.key()
    mixer = Mixer()
    heap: i64 = 0
    for place in range(spot(seat, 0), spot(seat, PLACES)):
        heap += scattered(s.board[place] + 1)
    for entry in s.laid:
        if laid_seat(i64(entry)) == seat:
            card, shape = s.board[laid_spot(i64(entry))], PLACEMENT_SHAPE[laid_placement(i64(entry))]
            heap += scattered((card + 1) * 64 + shape + 65536)
    mixer.add(heap)
    heap = 0
    for slot in range(i64(len(s.row))):
        number = s.row[slot] + 1
        heap += scattered(number * 64 + slot if s.rules.kind == SOLO else number)  # its columns matter
    mixer.add(heap)
    player = s.players[seat]
    mixer.add(player.supply)
    mixer.add(s.reserve)
    mixer.add(
        (i64(player.points) + 4096) * 65536
        + i64(player.pile) * 256
        + i64(player.ambassadors) * 16
        + i64(player.new_ambassadors)
    )
    mixer.add((s.white_top * 256 + s.black_top) * 256 + i64(player.actions))
    mixer.add((s.phase * 8 + s.seat) * 65536 + s.round)
    mixer.add(s.pending * 4 + (2 if player.master else 0) + (1 if s.end_triggered else 0))
    return mixer.key()
