"""A quick worth of single decisions, for the bot `greedy`: points, pieces, and filled cells."""

from projectl.bots.covers import cells_in
from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.finesse import owned
from projectl.core.ints import i64
from projectl.core.legal import legal
from projectl.core.pieces import LEVEL, PLACEMENT_SHAPE, PLACEMENTS, SHAPES, count
from projectl.core.state import EMPTY, PLACES, State

_MOST_PLACEMENTS = 300


def worth(s: State, seat: i64) -> float:
    """What a seat has: points, pieces, the filled share of its puzzles."""
    player = s.players[seat]
    total = float(player.points) - float(player.touches) + 0.2 * float(i64(player.active) + i64(player.inactive))
    total += 0.6 * float(i64(player.ambassadors) + i64(player.new_ambassadors))
    own = owned(s, seat)
    factor = 1.0
    shape: i64 = SHAPES - 1
    while shape >= 0:
        for _ in range(count(own, shape)):
            total += 0.3 * float(LEVEL[shape]) * factor
            factor *= 0.9
        shape -= 1
    puzzles = 0
    for place in range(seat * PLACES, seat * PLACES + PLACES):
        card = s.board[place]
        if card != EMPTY:
            puzzles += 1
            total += _puzzle(s, card, s.filled[place], factor)
    if puzzles > 2:
        total -= 0.4 * float(puzzles - 2)
    return total


def _puzzle(s: State, card: i64, filled: i64, hunger: float) -> float:
    """A puzzle by how full it is; large ones are for those who have pieces (`hunger` is low then)."""
    cells = float(cells_in(s.cards.recess[card]))
    share = float(cells_in(filled)) / cells
    points = float(s.cards.points[card])
    base = 0.5 + 0.15 * points - hunger * 0.08 * cells
    if s.end_triggered and s.rules.unfinished_cost_points:
        base -= points
    return base + share * (0.8 + 0.8 * points)


def best_decision(s: State, seat: i64) -> int:
    """The legal decision that leads to the most, one step ahead."""
    best: i64 = -1
    best_worth = 0.0
    placements = 0
    options = legal(s, seat)
    for option in options:
        if option < actions.TAKE:
            placements += 1
            if placements > _MOST_PLACEMENTS:
                continue
        if option == actions.INSERT or option == actions.CREDIT or option == actions.AMBASSADOR:
            continue
        if option >= actions.RECYCLE and option < actions.ORDER_OF_FOUR and len(options) > 4:
            continue
        after = s.clone()
        apply(after, option, seat)
        found = worth(after, seat) + _preference(option)
        if best < 0 or found > best_worth:
            best, best_worth = option, found
    return int(best) if best >= 0 else int(options[0])


def _preference(option: i64) -> float:
    """Master is worth its later placements; big pieces go first."""
    if option == actions.MASTER:
        return -0.05
    if option < actions.TAKE:
        return 0.01 * float(LEVEL[PLACEMENT_SHAPE[option % PLACEMENTS]])
    if option == actions.STOP:
        return -0.2
    if option >= actions.GHOST and option < actions.MASTER:
        return -0.6
    return 0.0
