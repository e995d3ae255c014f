"""A quick worth of single decisions, for the bot `greedy`: points, pieces, and filled cells."""

from projectl.bots.covers import cells_in
from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.finesse import owned
from projectl.core.legal import legal
from projectl.core.native import i64
from projectl.core.pieces import LEVEL, SHAPES, count
from projectl.core.state import EMPTY, PLACES, State, spot

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
            factor *= 0.86
        shape -= 1
    for place in range(spot(seat, 0), spot(seat, PLACES)):
        card = s.board[place]
        if card != EMPTY:
            total += _puzzle(s, card, s.filled[place])
    return total


def _puzzle(s: State, card: i64, filled: i64) -> float:
    """A puzzle by how full it is, always less than finishing it brings."""
    points = float(s.cards.points[card])
    share = float(cells_in(filled)) / float(cells_in(s.cards.recess[card]))
    lost = points if s.end_triggered and s.rules.unfinished_cost_points else 0.0
    return share * 0.8 * (points + 0.4) - lost


def _appetite(s: State, seat: i64, card: i64) -> float:
    """How welcome another puzzle is: small ones first, large ones for those with many pieces."""
    puzzles = 0
    for place in range(spot(seat, 0), spot(seat, PLACES)):
        if s.board[place] != EMPTY:
            puzzles += 1
    if puzzles >= 3 or s.end_triggered:
        return -1.0
    cells = float(cells_in(s.cards.recess[card]))
    room = 3.0 + 1.5 * float(total_levels(owned(s, seat)))
    fit = 1.0 if cells <= room else room / cells
    return fit * (0.5 + 0.15 * float(s.cards.points[card])) - 0.3 * float(puzzles)


def total_levels(pieces: i64) -> i64:
    """The cells of all pieces together."""
    n: i64 = 0
    for shape in range(i64(SHAPES)):
        n += LEVEL[shape] * count(pieces, shape)
    return n


def best_decision(s: State, seat: i64) -> int:
    """The legal decision that leads to the most, one step ahead."""
    best: i64 = -1
    best_worth = 0.0
    placements = 0
    options = legal(s, seat)
    for option in options:
        if actions.is_placement(option):
            placements += 1
            if placements > _MOST_PLACEMENTS:
                continue
        if option == actions.INSERT or option == actions.CREDIT or option == actions.AMBASSADOR:
            continue
        if actions.is_recycle(option) and len(options) > 4:
            continue
        after = s.clone()
        apply(after, option, seat)
        found = worth(after, seat) + _preference(option)
        if actions.takes_face_up(option):
            found += _appetite(s, seat, s.row[actions.slot_of(option)])
        if best < 0 or found > best_worth:
            best, best_worth = option, found
    return int(best) if best >= 0 else int(options[0])


def _preference(option: i64) -> float:
    """Master is worth its later placements; big pieces go first."""
    if option == actions.MASTER:
        return -0.05
    if actions.is_placement(option):
        return 0.01 * float(LEVEL[actions.shape_placed(option)])
    if option == actions.STOP:
        return -0.2
    if actions.is_ghost(option):
        return -0.6
    return 0.0
