"""A tournament as a picture (SVG): the ratings with their intervals, and the cross table as a heat map."""

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor
from typing import Final, NamedTuple

from projectl.arena.report import name, percent
from projectl.arena.standings import Rating, Share, Standing

# Measures in pixels.
_MARGIN: Final = 36
_NAMES: Final = 200
_PLOT: Final = 620
_ROW: Final = 34
_TOP: Final = 122
_CELL: Final = 64
_INK, _FAINT, _LINE = "#222831", "#d5d9de", "#2f5f8f"
_LOSS, _EVEN, _WIN = (196, 87, 12), (250, 250, 248), (47, 95, 143)


class _Scale(NamedTuple):
    """Where ratings lie on the page."""

    low: float
    high: float

    def x(self, rating: float) -> float:
        return _MARGIN + _NAMES + _PLOT * (rating - self.low) / (self.high - self.low)


def _text(x: float, y: float, words: str, size: int = 13, style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" {style}>{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<path d="M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}" {style}/>'


def _scale(ratings: Sequence[Rating]) -> _Scale:
    ends = [end for rating in ratings for end in rating.interval()] or [20.0, 30.0]
    low, high = floor(min(ends)), ceil(max(ends))
    return _Scale(low, max(high, low + 1))


def _axis(scale: _Scale, bottom: float) -> Iterator[str]:
    step = next(step for step in (1, 2, 5, 10, 20, 50) if (scale.high - scale.low) / step <= 14 or step == 50)
    for tick in range(ceil(scale.low / step) * step, floor(scale.high) + 1, step):
        yield _line(scale.x(tick), _TOP, scale.x(tick), bottom, f'stroke="{_FAINT}"')
        yield _text(scale.x(tick), bottom + 18, str(tick), 12, 'text-anchor="middle"')


def _rated(line: Standing, rating: Rating, scale: _Scale, y: float) -> Iterator[str]:
    low, high = rating.interval()
    words = f"{rating.mu:.1f} ({low:.1f} to {high:.1f})"
    yield f"<g><title>{escape(f'{line.bot}: {words}')}</title>"
    yield _line(scale.x(low), y, scale.x(high), y, f'stroke="{_LINE}" stroke-width="3" stroke-linecap="round"')
    for end in (low, high):
        yield _line(scale.x(end), y - 6, scale.x(end), y + 6, f'stroke="{_LINE}" stroke-width="2"')
    yield f'<circle cx="{scale.x(rating.mu):.1f}" cy="{y:.1f}" r="6" fill="{_LINE}"/></g>'
    yield _text(_MARGIN + _NAMES + _PLOT + 14, y + 5, f"{rating.mu:.1f}", 13)


def _ratings(lines: Sequence[Standing]) -> Iterator[str]:
    scale = _scale([line.rating for line in lines if line.rating])
    bottom = _TOP + _ROW * len(lines)
    yield _text(_MARGIN, _TOP - 16, "Ratings (openskill, Plackett-Luce) with 95 % intervals", 15, 'font-weight="bold"')
    yield from _axis(scale, bottom)
    for row, line in enumerate(lines):
        y = _TOP + _ROW * (row + 0.5)
        yield _text(_MARGIN, y + 5, f"{row + 1}  {name(line.bot)}")
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
    ink = "#ffffff" if share.games and abs(share.rate - 0.5) > 0.3 else _INK
    words = f"{title}: {percent(share.rate)} of {share.games} games" if share.games else title
    middle = f'text-anchor="middle" fill="{ink}"'
    edges = f'x="{x:.1f}" y="{y:.1f}" width="{_CELL - 2}" height="{_CELL - 2}" rx="4"'
    return (
        f'<g><title>{escape(words)}</title><rect {edges} fill="{fill}" stroke="{_FAINT}"/>'
        + _text(x + _CELL / 2 - 1, y + _CELL / 2 + 4, f"{share.rate * 100:.0f}" if share.games else "", 16, middle)
        + "</g>"
    )


def _heat_map(lines: Sequence[Standing], shares: Sequence[Sequence[Share]], top: float) -> Iterator[str]:
    words = "How often the row came in before the column, in % of their games"
    yield _text(_MARGIN, top, words, 15, 'font-weight="bold"')
    left, first = _MARGIN + _NAMES, top + 40
    for number, line in enumerate(lines):
        yield _text(left + _CELL * (number + 0.5) - 1, first - 10, str(number + 1), 13, 'text-anchor="middle"')
        y = first + _CELL * number
        yield _text(_MARGIN, y + _CELL / 2 + 4, f"{number + 1}  {name(line.bot)}")
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
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" fill="{_INK}">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#fbfbfa"/>',
        _text(_MARGIN, 44, title, 20, 'font-weight="bold"'),
        _text(_MARGIN, 66, which),
        *_ratings(best_first),
        *_heat_map(best_first, rows, second),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"
