"""Weigh cards: what filling one costs, what it yields, and whether a designed card fits among the printed ones.

Cost is counted in actions, from the supply that every player starts with: one O1 and one I2.
Each Place is one action. So is each Gain (an O1) and each Upgrade: one level higher, or any other
shape of the same or a lower level. A piece of level n from nothing is therefore n actions, and a held
piece can be turned into a needed one instead. Every tiling by the nine base pieces is tried and the
cheapest counts. The Take is left out (it is the same for all cards), and so are Master, ghosts and an
empty reserve. Because ghosts are left out, having a cost means that the card can be filled without one.

Yield is counted in points: those of the card plus LEVEL_VALUE for each level of the reward piece, a
level being what one action brings. The other rewards are put on the same scale:

- a ghost counts as six levels: its five cells, and one for the action that breaking it up saves;
- a Level Up arrow counts as one and a half: most Upgrades bring one level, the step to a ghost brings two;
- an Ambassador action counts as two: of the three actions that it can save at most, two are usual.

One least-squares line of yield over cost goes through the 52 printed cards. Their smallest and largest
distance from it are the spread that a designed card has to stay inside.

`python -m projectl.weigh [FILE.svg]` prints the table, and draws the picture where a file is named.
"""

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from statistics import linear_regression
from typing import Final, NamedTuple

import projectl.svg as svg
from projectl.core import pieces
from projectl.core.cards import REWARDS, Card, shipped, shipped_cards

SUPPLY: Final[tuple[int, ...]] = (pieces.O1, pieces.I2)
LEVEL_VALUE: Final = 0.25
_GHOST_LEVELS: Final = 6.0
_OTHER_LEVELS: Final[dict[str, float]] = {"LEVELUP1": 1.5, "LEVELUP2": 3.0, "M": 2.0}

Cell = tuple[int, int]


class ValueLine(NamedTuple):
    """The printed cards' line, and how far below and above it they lie."""

    intercept: float
    slope: float
    low: float
    high: float

    def at(self, cost: float) -> float:
        """The yield that the line gives for a cost."""
        return self.intercept + self.slope * cost


class Weight(NamedTuple):
    """A card on the scale. `reasons` say why it is refused; there are none for printed cards."""

    card: Card
    cells: int
    cost: int
    yield_: float
    residual: float
    reasons: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether the card is printed or accepted."""
        return not self.reasons


def _base_placements() -> dict[int, list[tuple[int, int]]]:
    """(mask, shape) of the base pieces' placements, by the bit of their first cell."""
    found: dict[int, list[tuple[int, int]]] = {2**cell: [] for cell in range(pieces.CELLS)}
    for p in range(pieces.PLACEMENTS):
        mask, shape = int(pieces.PLACEMENT_MASK[p]), int(pieces.PLACEMENT_SHAPE[p])
        if shape < pieces.BASE_SHAPES:
            found[mask & -mask].append((mask, shape))
    return found


_STARTING: Final = _base_placements()
_LEVEL: Final[list[int]] = [int(level) for level in pieces.LEVEL]


def _turn(held: int, wanted: int) -> int:
    """The Upgrades that turn a held shape into a wanted one."""
    return 0 if held == wanted else max(1, _LEVEL[wanted] - _LEVEL[held])


@cache
def _ways(shape: int, supply: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """Every source of a piece: the actions until it is in hand, and the supply that is left."""
    made = (_LEVEL[shape], supply)
    return [made, *((_turn(held, shape), supply[:n] + supply[n + 1 :]) for n, held in enumerate(supply))]


@cache
def cost(recess: int, supply: tuple[int, ...] = SUPPLY) -> int:
    """The fewest actions that fill a recess."""
    if recess == 0:
        return 0
    return min(
        actions + 1 + cost(recess & ~mask, left)
        for mask, shape in _STARTING[recess & -recess]
        if mask & recess == mask
        for actions, left in _ways(shape, supply)
    )


def reward_value(reward: int) -> float:
    """What a reward is worth, in points."""
    if reward < pieces.BASE_SHAPES:
        return LEVEL_VALUE * _LEVEL[reward]
    return LEVEL_VALUE * _OTHER_LEVELS.get(REWARDS[reward], _GHOST_LEVELS)


def yield_of(card: Card) -> float:
    """Points and reward together."""
    return card.points + reward_value(card.reward)


@cache
def printed_line() -> ValueLine:
    """The line through the printed cards of the base game."""
    costs = [cost(card.recess) for card in shipped("base").cards]
    yields = [yield_of(card) for card in shipped("base").cards]
    slope, intercept = linear_regression(costs, yields)
    bare = ValueLine(intercept, slope, 0.0, 0.0)
    residuals = [y - bare.at(x) for x, y in zip(costs, yields, strict=True)]
    return ValueLine(intercept, slope, min(residuals), max(residuals))


def _cells(recess: int) -> list[Cell]:
    return [divmod(cell, pieces.SIZE) for cell in range(pieces.CELLS) if recess & 2**cell]


def _connected(recess: int) -> bool:
    """Whether every cell can be reached from every other over shared edges."""
    away = set(_cells(recess))
    reached = [away.pop()]
    while reached:
        row, column = reached.pop()
        near = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & away
        away -= near
        reached.extend(near)
    return not away


def _in_corner(cells: list[Cell]) -> tuple[Cell, ...]:
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


@cache
def form(recess: int) -> tuple[Cell, ...]:
    """The same for two recesses exactly when one is the other moved, turned or flipped."""
    cells = _cells(recess)
    variants: list[tuple[Cell, ...]] = []
    for _ in range(4):
        cells = [(column, -row) for row, column in cells]
        variants += [_in_corner(cells), _in_corner([(row, -column) for row, column in cells])]
    return min(variants)


def _reasons(card: Card, residual: float, others: Sequence[Card]) -> Iterator[str]:
    """What speaks against a card. That pieces can fill it needs no check: O1 fills anything."""
    if not _connected(card.recess):
        yield "the recess is not one connected area"
    for other in others:
        if other.id != card.id and form(other.recess) == form(card.recess):
            yield f"the recess is that of {other.id}"
    line = printed_line()
    if residual < line.low:
        yield f"it yields too little: {residual:+.2f}, the printed cards go down to {line.low:+.2f}"
    if residual > line.high:
        yield f"it yields too much: {residual:+.2f}, the printed cards go up to {line.high:+.2f}"


def _weight(card: Card, others: Sequence[Card]) -> Weight:
    actions, worth = cost(card.recess), yield_of(card)
    residual = worth - printed_line().at(actions)
    reasons = () if card.source == "printed" else tuple(_reasons(card, residual, others))
    return Weight(card, card.recess.bit_count(), actions, worth, residual, reasons)


def weigh(cards: Sequence[Card]) -> list[Weight]:
    """Weigh cards, in their order. Those that are not printed are judged, against each other and the base game."""
    given = {card.id for card in cards}
    others = [*cards, *(card for card in shipped("base").cards if card.id not in given)]
    return [_weight(card, others) for card in cards]


def _verdict(weight: Weight) -> str:
    if weight.card.source == "printed":
        return "-"
    return "refused: " + "; ".join(weight.reasons) if weight.reasons else "accepted"


def _line_text() -> str:
    line = printed_line()
    return f"yield = {line.intercept:.3f} + {line.slope:.3f} x cost, spread {line.low:+.3f} to {line.high:+.3f}"


def table(weights: Sequence[Weight]) -> str:
    """The weights as aligned text, one card a line, with the line of the printed cards at the end."""
    rows = [("id", "colour", "points", "reward", "cells", "cost", "yield", "distance", "source", "verdict")]
    for w in weights:
        colour, reward = "white" if w.card.white else "black", REWARDS[w.card.reward]
        numbers = (str(w.cells), str(w.cost), f"{w.yield_:.3f}", f"{w.residual:+.3f}")
        rows.append((w.card.id, colour, str(w.card.points), reward, *numbers, w.card.source, _verdict(w)))
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))]
    right = {2, 4, 5, 6, 7}
    lines = [
        "  ".join(word.rjust(widths[n]) if n in right else word.ljust(widths[n]) for n, word in enumerate(row)).rstrip()
        for row in rows
    ]
    return "\n".join([*lines, "", f"printed cards: {_line_text()}", ""])


# The picture: measures in pixels.
_WIDTH: Final = 1200
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 1176, 92, 988  # the plot's edges
_COSTS, _YIELDS = 23, 7  # the axes' ends, at least
_STEP: Final = 15.5  # from mark to mark where several cards share a point
_ACROSS: Final = 13  # cards in a row of the gallery
_TILE_WIDTH, _TILE_HEIGHT = 82, 125
_PRINTED, _DESIGNED, _REFUSED = "#2f5f8f", "#c4570c", "#c00028"


class _Scale(NamedTuple):
    """Where costs and yields lie on the page."""

    costs: int
    yields: int

    def x(self, actions: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * actions / self.costs

    def y(self, worth: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * worth / self.yields


def _squares(recess: int, x: float, y: float, unit: float, style: str) -> str:
    """The cells of a recess, drawn from their top left corner."""
    return svg.squares([(x + c * unit, y + r * unit) for r, c in _cells(recess)], unit * 0.94, style)


def _colour(weight: Weight) -> str:
    if not weight.ok:
        return _REFUSED
    return _PRINTED if weight.card.source == "printed" else _DESIGNED


def _mark(weight: Weight, x: float, y: float) -> str:
    """A card as a mark around a point: a square for printed ones, a rounded and tinted one for the others."""
    colour, side = _colour(weight), _STEP - 1
    look = 'rx="0" fill="#ffffff"' if weight.card.source == "printed" else 'rx="4.5" fill="#ffe9d2"'
    frame = svg.rect(x - side / 2, y - side / 2, side, side, f'{look} stroke="{colour}"')
    inside = _squares(weight.card.recess, x - 6, y - 6, 2.4, f'fill="{colour}"')
    title = f"{weight.card.id}: cost {weight.cost}, yield {weight.yield_:g}, {_verdict(weight)}"
    return svg.titled(title, frame, inside)


def _marks(weights: Sequence[Weight], scale: _Scale) -> Iterator[str]:
    """All cards; those that share a point stand around it, in as few rows of up to four as they need."""
    order = sorted(weights, key=lambda w: (w.cost, w.yield_))
    for (actions, worth), same in groupby(order, key=lambda w: (w.cost, w.yield_)):
        group = list(same)
        across = -(-len(group) // -(-len(group) // 4))
        rows = [group[n : n + across] for n in range(0, len(group), across)]
        for r, row in enumerate(rows):
            for c, weight in enumerate(row):
                x = scale.x(actions) + (c - (len(row) - 1) / 2) * _STEP
                yield _mark(weight, x, scale.y(worth) + (r - (len(rows) - 1) / 2) * _STEP)


def _axes(scale: _Scale) -> Iterator[str]:
    for actions in range(scale.costs + 1):
        x = scale.x(actions)
        yield svg.path([(x, _TOP), (x, _BOTTOM)], f'stroke="{svg.FAINT}" stroke-width="0.5"')
        yield svg.text(x, _BOTTOM + 18, str(actions), 12, svg.MIDDLE)
    for worth in range(scale.yields + 1):
        y = scale.y(worth)
        yield svg.path([(_LEFT, y), (_RIGHT, y)], f'stroke="{svg.FAINT}"')
        yield svg.text(_LEFT - 8, y + 4, str(worth), 12, svg.END)
    middle, half = (_LEFT + _RIGHT) / 2, (_TOP + _BOTTOM) / 2
    supply = " and ".join(pieces.NAMES[shape] for shape in SUPPLY)
    centred = svg.MIDDLE
    yield svg.text(middle, _BOTTOM + 42, f"cost: fewest actions to fill the card from {supply}", 14, centred)
    turned = f'{centred} transform="rotate(-90 22 {half})"'
    yield svg.text(22, half, "yield: points and value of the reward", 14, turned)


def _fitted(scale: _Scale) -> Iterator[str]:
    """The spread as a band and the line in it."""
    line = printed_line()
    ends = (0, scale.costs)
    low = [(scale.x(end), scale.y(line.at(end) + line.low)) for end in ends]
    high = [(scale.x(end), scale.y(line.at(end) + line.high)) for end in reversed(ends)]
    yield svg.path(low + high, 'fill="#e6eef6" clip-path="url(#plot)"')
    middle = [(scale.x(end), scale.y(line.at(end))) for end in ends]
    yield svg.path(middle, f'stroke="{_PRINTED}" stroke-width="1.5" stroke-dasharray="7 4" clip-path="url(#plot)"')


def _legend(weights: Sequence[Weight]) -> Iterator[str]:
    """One line above the plot; the first card of each kind is the sample of its mark."""
    y = _TOP - 18
    printed = [w for w in weights if w.card.source == "printed"]
    designed = [w for w in weights if w.card.source != "printed"]
    for x, kind, some in ((72, "printed", printed), (232, "designed", designed)):
        if some:
            yield _mark(some[0]._replace(reasons=()), x, y - 4)
        yield svg.text(x + 14, y, f"{kind} ({len(some)} cards)", 13)
    yield _squares(1, 400, y - 10, 12, f'fill="{_REFUSED}"')
    yield svg.text(418, y, f"refused ({sum(not w.ok for w in weights)} cards)", 13)
    yield svg.path([(560, y - 4), (588, y - 4)], f'stroke="{_PRINTED}" stroke-width="1.5" stroke-dasharray="7 4"')
    yield svg.text(596, y, f"printed cards: {_line_text()}", 13)


def _tile(weight: Weight, x: float, y: float) -> str:
    """A card of the gallery: recess, id, points, reward, cost, distance from the line, source."""
    card, colour = weight.card, _colour(weight)
    fill, edge = ("#ffffff", svg.FAINT) if card.white else ("#e3e4e8", svg.INK)
    right = x + _TILE_WIDTH - 6
    parts = [
        svg.rect(x, y, _TILE_WIDTH, _TILE_HEIGHT, f'rx="5" fill="{fill}" stroke="{edge}"'),
        svg.text(x + 6, y + 15, card.id, 12, svg.BOLD),
        svg.text(right, y + 15, f"{card.points} pt", 12, svg.END),
        _squares(2**pieces.CELLS - 1, x + 13, y + 21, 11, 'fill="#f0f1f3" stroke="#d5d9de" stroke-width="0.5"'),
        _squares(card.recess, x + 13, y + 21, 11, f'fill="{colour}"'),
        svg.text(x + 6, y + 91, REWARDS[card.reward], 11),
        svg.text(x + 6, y + 105, f"cost {weight.cost}", 10),
        svg.text(right, y + 105, f"{weight.residual:+.2f}", 10, svg.END),
        svg.text(x + 6, y + 118, card.source if weight.ok else "refused", 10, f'fill="{colour}"'),
    ]
    return "".join(parts)


def _group(weight: Weight) -> tuple[bool, str, bool]:
    return weight.card.source != "printed", weight.card.source, not weight.card.white


def _gallery(weights: Sequence[Weight], y: float) -> tuple[list[str], float]:
    """Every card, printed ones first, white before black; and where the next thing can go below."""
    parts: list[str] = []
    for (_, source, black), same in groupby(sorted(weights, key=_group), key=_group):
        group = list(same)
        words = f"{source.capitalize()}, {'black' if black else 'white'}: {len(group)} cards"
        parts.append(svg.text(36, y + 18, words, 15, svg.BOLD))
        y += 28
        for n, weight in enumerate(group):
            row, column = divmod(n, _ACROSS)
            parts.append(_tile(weight, 36 + column * (_TILE_WIDTH + 5), y + row * (_TILE_HEIGHT + 5)))
        y += (len(group) + _ACROSS - 1) // _ACROSS * (_TILE_HEIGHT + 5) + 8
    return parts, y


def picture(weights: Sequence[Weight]) -> str:
    """An SVG: cost against yield with every card as its own mark, and below it all cards in rows."""
    costs = max([_COSTS, *(w.cost + 1 for w in weights)])
    scale = _Scale(costs, max([_YIELDS, *(int(w.yield_) + 1 for w in weights)]))
    cards, height = _gallery(weights, _BOTTOM + 64)
    plot = svg.rect(_LEFT, _TOP, _RIGHT - _LEFT, _BOTTOM - _TOP, "")
    heading = f"Project L: cost and yield of {len(weights)} cards"
    parts = [
        f'<clipPath id="plot">{plot}</clipPath>',
        svg.text(36, 38, heading, 20, svg.BOLD),
        *_fitted(scale),
        *_axes(scale),
        *_legend(weights),
        *_marks(weights, scale),
        *cards,
    ]
    return svg.picture(_WIDTH, height + 16, f"Cost and yield of {len(weights)} cards", parts)


def main(arguments: Sequence[str]) -> None:
    """Print the table of all shipped cards; draw the picture into the named file."""
    weights = weigh(shipped_cards())
    print(table(weights), end="")
    if arguments:
        Path(arguments[0]).write_text(picture(weights), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
