"""A tournament as a picture (SVG): the ratings with their intervals, and the cross table as a heat map."""

from collections.abc import Iterator, Sequence
from math import ceil, floor
from typing import Final, NamedTuple

import projectl.svg as svg
from projectl.arena.report import name, percent
from projectl.arena.standings import Rating, Share, Standing

# Measures in pixels.
_MARGIN: Final = 36
_NAMES: Final = 200
_PLOT: Final = 620
_ROW: Final = 34
_TOP: Final = 122
_CELL: Final = 64
_LINE = "#2f5f8f"
_LOSS, _EVEN, _WIN = (196, 87, 12), (250, 250, 248), (47, 95, 143)


class _Scale(NamedTuple):
    """Where ratings lie on the page."""

    low: float
    high: float

    def x(self, rating: float) -> float:
        return _MARGIN + _NAMES + _PLOT * (rating - self.low) / (self.high - self.low)


def _scale(ratings: Sequence[Rating]) -> _Scale:
    ends = [end for rating in ratings for end in rating.interval()] or [20.0, 30.0]
    low, high = floor(min(ends)), ceil(max(ends))
    return _Scale(low, max(high, low + 1))


def _axis(scale: _Scale, bottom: float) -> Iterator[str]:
    step = next(step for step in (1, 2, 5, 10, 20, 50) if (scale.high - scale.low) / step <= 14 or step == 50)
    for tick in range(ceil(scale.low / step) * step, floor(scale.high) + 1, step):
        yield svg.line(scale.x(tick), _TOP, scale.x(tick), bottom, f'stroke="{svg.FAINT}"')
        yield svg.text(scale.x(tick), bottom + 18, str(tick), 12, svg.MIDDLE)


def _rated(line: Standing, rating: Rating, scale: _Scale, y: float) -> Iterator[str]:
    low, high = rating.interval()
    words = f"{rating.mu:.1f} ({low:.1f} to {high:.1f})"
    parts = [svg.line(scale.x(low), y, scale.x(high), y, f'stroke="{_LINE}" stroke-width="3" stroke-linecap="round"')]
    parts += [svg.line(scale.x(x), y - 6, scale.x(x), y + 6, f'stroke="{_LINE}" stroke-width="2"') for x in (low, high)]
    yield svg.titled(f"{line.bot}: {words}", *parts, svg.circle(scale.x(rating.mu), y, 6, f'fill="{_LINE}"'))
    yield svg.text(_MARGIN + _NAMES + _PLOT + 14, y + 5, f"{rating.mu:.1f}", 13)


def _ratings(lines: Sequence[Standing]) -> Iterator[str]:
    scale = _scale([line.rating for line in lines if line.rating])
    bottom = _TOP + _ROW * len(lines)
    yield svg.text(_MARGIN, _TOP - 16, "Ratings (openskill, Plackett-Luce) with 95 % intervals", 15, svg.BOLD)
    yield from _axis(scale, bottom)
    for row, line in enumerate(lines):
        y = _TOP + _ROW * (row + 0.5)
        yield svg.text(_MARGIN, y + 5, f"{row + 1}  {name(line.bot)}")
        if line.rating:
            yield from _rated(line, line.rating, scale, y)


def _colour(rate: float) -> str:
    """From orange over nearly white to blue."""
    far = abs(rate - 0.5) * 2
    end = _WIN if rate >= 0.5 else _LOSS
    mixed = [round(even + (full - even) * far) for even, full in zip(_EVEN, end, strict=True)]
    return f"#{mixed[0]:02x}{mixed[1]:02x}{mixed[2]:02x}"


def _cell(title: str, share: Share, x: float, y: float) -> str:
    fill = _colour(share.rate) if share.games else "#eceef0"
    ink = "#ffffff" if share.games and abs(share.rate - 0.5) > 0.3 else svg.INK
    words = f"{title}: {percent(share.rate)} of {share.games} games" if share.games else title
    number = f"{share.rate * 100:.0f}" if share.games else ""
    return svg.titled(
        words,
        svg.rect(x, y, _CELL - 2, _CELL - 2, f'rx="4" fill="{fill}" stroke="{svg.FAINT}"'),
        svg.text(x + _CELL / 2 - 1, y + _CELL / 2 + 4, number, 16, f'{svg.MIDDLE} fill="{ink}"'),
    )


def _heat_map(lines: Sequence[Standing], shares: Sequence[Sequence[Share]], top: float) -> Iterator[str]:
    words = "How often the row came in before the column, in % of their games"
    yield svg.text(_MARGIN, top, words, 15, svg.BOLD)
    left, first = _MARGIN + _NAMES, top + 40
    for number, line in enumerate(lines):
        yield svg.text(left + _CELL * (number + 0.5) - 1, first - 10, str(number + 1), 13, svg.MIDDLE)
        y = first + _CELL * number
        yield svg.text(_MARGIN, y + _CELL / 2 + 4, f"{number + 1}  {name(line.bot)}")
        for column, share in enumerate(shares[number]):
            title = line.bot if column == number else f"{line.bot} against {lines[column].bot}"
            yield _cell(title, share, left + _CELL * column, y)


def picture(title: str, which: str, lines: Sequence[Standing], shares: Sequence[Sequence[Share]]) -> str:
    """An SVG of a tournament, with a line that says which game was played; the best bot first."""
    order = sorted(range(len(lines)), key=lambda bot: -(found.mu if (found := lines[bot].rating) else 0.0))
    best_first = [lines[bot] for bot in order]
    rows = [[shares[row][column] for column in order] for row in order]
    second = _TOP + _ROW * len(lines) + 70
    height = second + 40 + _CELL * len(lines) + _MARGIN
    width = _MARGIN + _NAMES + max(_PLOT + 90, _CELL * len(lines) + _MARGIN)
    parts = [
        svg.text(_MARGIN, 44, title, 20, svg.BOLD),
        svg.text(_MARGIN, 66, which),
        *_ratings(best_first),
        *_heat_map(best_first, rows, second),
    ]
    return svg.picture(width, height, title, parts)
