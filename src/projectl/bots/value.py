"""What a position is worth to a seat, in points.

A seat has so many actions left. Some of them finish the puzzles it has, for their points; the rest
earn points at a rate that depends on its pieces. What the others have is taken off. The weights
were set by hand after many short trials (docs/strength.md); `benchmarks/tune.py` goes on by self-play.
"""

from math import exp
from typing import Final

from projectl.bots.covers import Covers, fetch_cost, missing, shared_covers
from projectl.bots.touches import touch_gain
from projectl.core.cards import AMBASSADOR_REWARD, LEVEL_UP_1, LEVEL_UP_2
from projectl.core.finesse import owned
from projectl.core.native import append, i64, vec
from projectl.core.pieces import LEVEL, PLACEMENT_SHAPE, SHAPES, UNIT, count, total
from projectl.core.rules import FINESSE_ROUNDS, LINE_CLEAR, SOLO
from projectl.core.state import (
    ACTIONS,
    EMPTY,
    OVER,
    PLACES,
    TOUCHES,
    State,
    laid_placement,
    laid_spot,
    pile_card,
    pile_seat,
    spot,
)

NAMES: Final[tuple[str, ...]] = (
    "rate",  # points an action earns in the end, with all the pieces one could wish for
    "half",  # strength at which it earns half of that
    "crowd",  # what each further piece adds of the one before, the largest first
    "level_2",  # strength of a piece by level; level 1 has 1
    "level_3",
    "level_4",
    "level_5",
    "master_2",  # the cost of a placement with two, three, four puzzles at once
    "master_3",
    "master_4",
    "fetch",  # the cost of a Gain or Upgrade against a placement
    "round_black",  # rounds that one card of the black deck stands for, two players
    "round_more",  # rounds besides
    "round_early",  # for each round before the eighth
    "others",  # how much the others' worth counts
    "credit",
    "ambassador",  # in actions
    "safety",  # actions by which a puzzle should be finished before the end
    "delay",  # what points lose for each action they are away
    "growth",  # strength that an action to come adds, on average
    "share_left",  # of an equal part of the points that are left
    "round_last",  # by then nobody waits any longer
    "deck",  # what a point in the decks counts against one that lies face up
    "round_solo",  # rounds that one card of the solo deck stands for
)
# Weights that win: they hurry to the end while they are ahead.
HASTY: Final[tuple[float, ...]] = (
    1.2,
    25.0,
    0.9,
    2.0,
    3.0,
    4.0,
    5.0,
    0.85,
    0.72,
    0.62,
    1.3,
    0.5,
    1.5,
    0.5,
    0.5,
    0.35,
    1.5,
    2.0,
    0.01,
    0.05,
    0.8,
    16.0,
    1.0,
    0.55,
)


def changed(weights: tuple[float, ...], **changes: float) -> tuple[float, ...]:
    """The same weights with some of them, by name, set anew."""
    return tuple(changes.get(name, weight) for name, weight in zip(NAMES, weights, strict=True))


# Weights that collect: nobody else counts, and the end is left alone while there are points on the table.
PATIENT: Final[tuple[float, ...]] = changed(HASTY, others=0.0, round_black=1.5, round_more=3.0, round_last=20.0)
_SLOTS: Final = 16384
_HARDLY: Final = 0.1  # actions to spare where they are counted out
_ROW: Final = 4  # cards


class Weights:
    """The numbers that the value depends on."""

    def __init__(self, numbers: list[float]) -> None:
        self.rate: float = numbers[0]
        self.half: float = numbers[1]
        self.crowd: float = numbers[2]
        self.level_2: float = numbers[3]
        self.level_3: float = numbers[4]
        self.level_4: float = numbers[5]
        self.level_5: float = numbers[6]
        self.master_2: float = numbers[7]
        self.master_3: float = numbers[8]
        self.master_4: float = numbers[9]
        self.fetch: float = numbers[10]
        self.round_black: float = numbers[11]
        self.round_more: float = numbers[12]
        self.round_early: float = numbers[13]
        self.others: float = numbers[14]
        self.credit: float = numbers[15]
        self.ambassador: float = numbers[16]
        self.safety: float = numbers[17]
        self.delay: float = numbers[18]
        self.growth: float = numbers[19]
        self.share_left: float = numbers[20]
        self.round_last: float = numbers[21]
        self.deck: float = numbers[22]
        self.round_solo: float = numbers[23]

    def level(self, level: i64) -> float:
        """A piece's strength by its level."""
        if level == 1:
            return 1.0
        if level == 2:
            return self.level_2
        if level == 3:
            return self.level_3
        if level == 4:
            return self.level_4
        return self.level_5

    def share(self, puzzles: i64) -> float:
        """The cost of a placement when Master serves so many puzzles at once."""
        if puzzles < 2:
            return 1.0
        if puzzles == 2:
            return self.master_2
        return self.master_3 if puzzles == 3 else self.master_4


class Cost:
    """The cheapest way to fill a region with a supply: how many placements, how much fetching."""

    __slots__ = ("fetches", "pieces", "placements")

    def __init__(self) -> None:
        self.placements: i64 = 0
        self.fetches: i64 = 0
        self.pieces: i64 = 0


class _Sum:
    """Points of some cards. An imagined deck stands for all that it could be."""

    __slots__ = ("cards", "points")

    def __init__(self) -> None:
        self.points: i64 = 0
        self.cards: i64 = 0

    def add(self, points: i64) -> None:
        self.points += points
        self.cards += 1

    def join(self, other: "_Sum") -> None:
        self.points += other.points
        self.cards += other.cards

    def mean(self) -> float:
        return float(self.points) / float(max(i64(1), self.cards))


class Judge:
    """Puts a worth on positions. Keeps the covers it has met."""

    def __init__(self, ghosts: bool, weights: Weights) -> None:
        self.covers: Covers = shared_covers(ghosts)
        self.weights = weights
        self.cost = Cost()
        self.touches: i64 = 0  # the pieces of `_touched`
        self.row: vec[i64] = vec[i64]([])
        self.white_mean: float = 0.0
        self.black_mean: float = 0.0
        self.deck_mean: float = 0.0
        # The costs met last: region, supply, and what `_find_cheapest` found for them.
        self.masks: vec[i64] = vec[i64]([-1] * _SLOTS)
        self.supplies: vec[i64] = vec[i64]([0] * _SLOTS)
        self.pieces: vec[i64] = vec[i64]([0] * _SLOTS)
        self.counts: vec[i64] = vec[i64]([0] * _SLOTS)

    def look(self, s: State) -> None:
        """From here on a card counts as an average one unless it lies face up in this position."""
        self.row = s.row[:]
        whites = _Sum()
        blacks = _Sum()
        for deck, top in ((s.white, s.white_top), (s.black, s.black_top)):
            i = top
            while i < len(deck):
                card = i64(deck[i])
                (whites if s.cards.white[card] != 0 else blacks).add(s.cards.points[card])
                i += 1
        both = _Sum()
        both.join(whites)
        both.join(blacks)
        self.deck_mean = both.mean()
        _give_back(s, whites, True)
        _give_back(s, blacks, False)
        self.white_mean = whites.mean()
        self.black_mean = blacks.mean()

    def value(self, s: State, seat: i64) -> float:
        """What the position is worth to a seat, the others' worth taken off."""
        worth = self.alone(s, seat)
        if s.rules.kind == SOLO:
            return worth - self._mastermind(s)
        others = 0.0
        for other in range(i64(len(s.players))):
            if other != seat:
                others += self.alone(s, other)
        return worth - self.weights.others * others / float(len(s.players) - 1)

    def lead(self, s: State, seat: i64) -> float:
        """By how much a seat is ahead of the best of the others, in points."""
        worth = self.alone(s, seat)
        if s.rules.kind == SOLO:
            return worth - self._mastermind(s)
        best = -1000.0
        for other in range(i64(len(s.players))):
            if other != seat:
                best = max(best, self.alone(s, other))
        return worth - best

    def alone(self, s: State, seat: i64) -> float:
        """What the position is worth to a seat, whatever the others have."""
        if s.phase == TOUCHES or s.phase == OVER:
            return self._end_value(s, seat)
        player = s.players[seat]
        w = self.weights
        actions = self.actions_left(s, seat)
        if actions <= 0.0:
            return self._end_value(s, seat)
        worth, spent, extra, pieces = self._with_puzzles(s, seat, actions)
        extra += w.ambassador * float(i64(player.ambassadors) + i64(player.new_ambassadors))
        free = max(0.0, actions + extra - spent)
        worth += self.income(s, free * self.rate(self.strength(pieces) + w.growth * free))
        if s.rules.finesse:
            worth += w.credit * float(i64(player.active) + i64(player.inactive))
        return worth

    def _with_puzzles(self, s: State, seat: i64, actions: float) -> tuple[float, float, float, i64]:
        """The points with those of the puzzles that may be finished, the actions that these take and bring, and the
        pieces owned then."""
        player = s.players[seat]
        w = self.weights
        last = actions <= float(player.actions)  # its last turn: what is left is known to the action
        safety = _HARDLY if last else w.safety
        spent = 0.0
        worth = float(player.points)
        pieces = owned(s, seat)
        supply = player.supply
        spare = supply  # for touches: no piece finishes two puzzles
        extra = 0.0
        places = self._by_cost(s, seat)
        share = 1.0 if last and player.master else w.share(len(places))
        for place in places:
            card = s.board[place]
            points = float(s.cards.points[card])
            self.cheapest(s.cards.recess[card] & ~s.filled[place], supply)
            needs = float(self.cost.placements) * share + float(self.cost.fetches) * w.fetch
            sure = min(1.0, (actions - spent - needs) / safety)
            if sure < 1.0:
                touched = self._touched(s, place, spare)
                worth += (1.0 - max(0.0, sure)) * touched
                if sure <= 0.0:
                    spare -= self.touches
                    continue
            spent += needs
            worth += sure * points * (1.0 - w.delay * spent)
            reward = s.cards.reward[card]
            if reward < LEVEL_UP_1:
                pieces = _with(pieces, reward)
            elif reward == AMBASSADOR_REWARD:
                extra += w.ambassador
            else:
                extra += 2.0 if reward == LEVEL_UP_2 else 1.0
            supply += laid_on(s, place)
        return worth, spent, extra, pieces

    def income(self, s: State, points: float) -> float:
        """Points to come, of which there are no more than the cards have that are left."""
        there = self._points(s, True) + self._points(s, False) * _reach(s)
        share = 0.01 + self.weights.share_left * there / float(max(2, len(s.players)))
        return share * (1.0 - exp(-points / share))

    def _points(self, s: State, white: bool) -> float:
        """About the points of a colour's cards; those of decks, and any that came up since `look`, are average ones."""
        mean = self.white_mean if white else self.black_mean
        points = 0.0
        for slot in range(i64(len(s.row))):
            card = s.row[slot]
            if card != EMPTY and (s.cards.white[card] != 0) == white:
                points += float(s.cards.points[card]) if card == self.row[slot] else mean
        if s.rules.kind == SOLO:  # its one deck, called white, has cards of both colours
            return points + self.weights.deck * self.deck_mean * float(len(s.white) - s.white_top if white else 0)
        return points + self.weights.deck * mean * float(
            len(s.white) - s.white_top if white else len(s.black) - s.black_top
        )

    def rate(self, strength: float) -> float:
        """Points an action earns with a strength."""
        return self.weights.rate * strength / (strength + self.weights.half)

    def strength(self, pieces: i64) -> float:
        """What pieces are good for."""
        w = self.weights
        strength = 0.0
        factor = 1.0
        shape: i64 = SHAPES - 1
        while shape >= 0:
            for _ in range(count(pieces, shape)):
                strength += w.level(LEVEL[shape]) * factor
                factor *= w.crowd
            shape -= 1
        return strength

    def actions_left(self, s: State, seat: i64) -> float:
        """About how many actions a seat has before the end."""
        player = s.players[seat]
        turns = self.rounds_left(s)
        if s.rules.kind == LINE_CLEAR:
            turns *= 2.0
        elif not player.done and s.seat < seat:
            turns += 1.0  # its turn of this round is to come
        left = 0.0 if player.done else float(player.actions)
        return left + turns * float(ACTIONS)

    def rounds_left(self, s: State) -> float:
        """About how many whole rounds follow this one."""
        w = self.weights
        if s.end_triggered:
            if s.rules.kind == LINE_CLEAR:
                return 0.4
            rounds = float(s.last_round - s.round)
        else:
            if s.rules.kind == SOLO:
                rounds = float(len(s.white) - s.white_top) * w.round_solo + 1.0
            else:
                left = float(len(s.black) - s.black_top)
                rounds = left * w.round_black * 2.0 / float(len(s.players)) + w.round_more
                rounds += w.round_early * max(0.0, 8.0 - float(s.round))
                rounds = min(rounds, max(1.0, w.round_last - float(s.round)))
        if s.rules.finesse:
            rounds = min(rounds, float(FINESSE_ROUNDS - s.round))
        if s.rules.max_rounds > 0:
            rounds = min(rounds, float(s.rules.max_rounds - s.round))
        return max(0.0, rounds)

    def _mastermind(self, s: State) -> float:
        points = 0.0
        for entry in s.finished:
            if pile_seat(i64(entry)) == len(s.players):
                points += float(s.cards.points[pile_card(i64(entry))])
        return points

    # --- puzzles ----------------------------------------------------------------------------

    def cheapest(self, mask: i64, supply: i64) -> float:
        """The cost of filling a region, in actions; details in `self.cost`."""
        slot = (mask * 7919 + supply % 1000003 * 104729) % _SLOTS
        cost = self.cost
        if self.masks[slot] == mask and self.supplies[slot] == supply:
            cost.pieces = self.pieces[slot]
            cost.placements = self.counts[slot] // 64
            cost.fetches = self.counts[slot] % 64
        else:
            self._find_cheapest(mask, supply)
            self.masks[slot] = mask
            self.supplies[slot] = supply
            self.pieces[slot] = cost.pieces
            self.counts[slot] = cost.placements * 64 + cost.fetches
        return float(cost.placements) + self.weights.fetch * float(cost.fetches)

    def _find_cheapest(self, mask: i64, supply: i64) -> None:
        w = self.weights
        best = 1000.0
        self.cost.placements = self.cost.fetches = self.cost.pieces = 0
        for pieces in self.covers.of(mask):
            n = total(pieces)
            if float(n) >= best:
                break
            fetches: i64 = 0
            if missing(pieces, supply):
                if float(n) + w.fetch >= best:
                    continue
                fetches = fetch_cost(pieces, supply)
            cost = float(n) + w.fetch * float(fetches)
            if cost < best:
                best = cost
                self.cost.placements = n
                self.cost.fetches = fetches
                self.cost.pieces = pieces

    def cost_of(self, pieces: i64, supply: i64) -> float:
        """The cost of one way to fill a region."""
        return float(total(pieces)) + self.weights.fetch * float(fetch_cost(pieces, supply))

    def _by_cost(self, s: State, seat: i64) -> vec[i64]:
        """The places with puzzles, the cheapest to finish first."""
        places = vec[i64](capacity=4)
        costs: list[float] = []
        supply = s.players[seat].supply
        for place in range(spot(seat, 0), spot(seat, PLACES)):
            if s.board[place] != EMPTY:
                cost = self.cheapest(s.cards.recess[s.board[place]] & ~s.filled[place], supply)
                at: i64 = 0
                while at < len(costs) and costs[at] <= cost:
                    at += 1
                costs.insert(at, cost)
                places = _inserted(places, at, place)
        return places

    def _touched(self, s: State, place: i64, spare: i64) -> float:
        """What a puzzle brings that is left to the touches; the pieces that they take are `self.touches`."""
        card = s.board[place]
        points = float(s.cards.points[card])
        lost = -points if s.rules.unfinished_cost_points else 0.0
        self.touches = 0
        for pieces in self.covers.of(s.cards.recess[card] & ~s.filled[place]):
            worth = points - float(total(pieces))
            if worth <= lost:
                break
            if not missing(pieces, spare):
                self.touches = pieces
                return worth
        return lost

    def _end_value(self, s: State, seat: i64) -> float:
        """The score that the best touches lead to; then what decides ties: puzzles, pieces."""
        player = s.players[seat]
        worth = float(player.points) - float(player.touches) + touch_gain(s, seat)
        worth += 0.01 * float(player.pile) + 0.0005 * float(total(player.supply))
        for place in range(spot(seat, 0), spot(seat, PLACES)):
            card = s.board[place]
            if card == EMPTY:
                continue
            if s.filled[place] == s.cards.recess[card]:  # by a touch
                worth += float(s.cards.points[card])
            elif s.rules.unfinished_cost_points:
                worth -= float(s.cards.points[card])
        if s.rules.finesse:
            worth += 0.05 * float(i64(player.active) + i64(player.inactive))
        return worth


def _reach(s: State) -> float:
    """The part of the black cards that will be taken: until the end is triggered, then one a turn at most."""
    if s.rules.black_limit == 0:
        return 1.0
    left = i64(len(s.black)) - s.black_top
    cards = left
    for card in s.row:
        if card != EMPTY and s.cards.white[card] == 0:
            cards += 1
    rounds: i64 = s.last_round - s.round + 1 if s.end_triggered else 1
    return min(1.0, float(left + rounds * i64(len(s.players))) / float(max(i64(1), cards)))


def _give_back(s: State, found: _Sum, white: bool) -> None:
    """A Recycle gives some of the row back when the deck has fewer than its four cards: they could come up too."""
    if not s.rules.recycles or found.cards >= _ROW:
        return
    for card in s.row:
        if card != EMPTY and (s.cards.white[card] != 0) == white:
            found.add(s.cards.points[card])


def _with(pieces: i64, shape: i64) -> i64:
    """One piece more, up to the 15 that a count can hold."""
    return pieces + UNIT[shape] if count(pieces, shape) < 15 else pieces


def _inserted(places: vec[i64], at: i64, place: i64) -> vec[i64]:
    found = vec[i64](capacity=4)
    for i in range(len(places)):
        if i == at:
            found = append(found, place)
        found = append(found, places[i])
    if at == len(places):
        found = append(found, place)
    return found


def laid_on(s: State, place: i64) -> i64:
    """The pieces that lie on a spot."""
    pieces: i64 = 0
    for entry in s.laid:
        if laid_spot(i64(entry)) == place:
            pieces += UNIT[PLACEMENT_SHAPE[laid_placement(i64(entry))]]
    return pieces
