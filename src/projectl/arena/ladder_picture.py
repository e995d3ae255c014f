"""A ladder as a picture (SVG): how the ratings went, game by game, and how sure they are."""

from collections.abc import Iterator, Sequence
from math import ceil, floor
from typing import Final

import projectl.svg as svg
from projectl.arena.report import name
from projectl.arena.standings import Rating

_COLOURS: Final = ("#2f5f8f", "#c4570c", "#2b8a57", "#8a4fb0", "#b3861f", "#a8325a", "#3a8f9e", "#555f6b")
# Measures in pixels.
_LEFT, _TOP, _WIDTH, _HEIGHT, _NAMES = 56, 84, 640, 380, 230
_APART: Final = 9  # from one interval to the next
_LINE: Final = 16  # from one name to the next

History = Sequence[dict[int, Rating]]


class _Plane:
    """Where games and ratings lie on the page."""

    def __init__(self, history: History) -> None:
        self.last = history[-1] if history else {}
        values = [rating.mu for after in history for rating in after.values()]
        values += [end for rating in self.last.values() for end in rating.interval()]
        self.low, self.high = floor(min(values, default=20.0)), ceil(max(values, default=30.0))
        self.games = max(1, len(history))
        self.order = sorted(self.last, key=lambda bot: -self.last[bot].mu)  # the best first

    def x(self, game: int) -> float:
        return _LEFT + _WIDTH * game / self.games

    def y(self, rating: float) -> float:
        return _TOP + _HEIGHT * (self.high - rating) / max(1, self.high - self.low)

    def aside(self, place: int) -> float:
        """Where the interval of a place stands, to the right of the games."""
        return _LEFT + _WIDTH + _APART * (place + 1)


def _grid(plane: _Plane) -> Iterator[str]:
    step = next(step for step in (1, 2, 5, 10, 20, 50) if (plane.high - plane.low) / step <= 10 or step == 50)
    for tick in range(ceil(plane.low / step) * step, plane.high + 1, step):
        yield svg.line(_LEFT, plane.y(tick), plane.aside(len(plane.order)), plane.y(tick), f'stroke="{svg.FAINT}"')
        yield svg.text(_LEFT - 10, plane.y(tick) + 4, str(tick), style=svg.END)
    yield svg.text(_LEFT, _TOP + _HEIGHT + 24, "0")
    yield svg.text(_LEFT + _WIDTH, _TOP + _HEIGHT + 24, f"{plane.games} games", style=svg.END)


def _course(plane: _Plane, history: History, place: int, spec: str) -> str:
    """A bot's ratings from its first game on, and the 95 % interval of the last."""
    bot = plane.order[place]
    colour = _COLOURS[bot % len(_COLOURS)]
    points = [(plane.x(n), plane.y(after[bot].mu)) for n, after in enumerate(history, 1) if bot in after]
    mu, (low, high) = plane.last[bot].mu, plane.last[bot].interval()
    x = plane.aside(place)
    return svg.titled(
        f"{spec}: {mu:.1f} ({low:.1f} to {high:.1f})",
        svg.path(points, f'fill="none" stroke="{colour}" stroke-width="2.5" stroke-linejoin="round"'),
        svg.line(x, plane.y(low), x, plane.y(high), f'stroke="{colour}" stroke-width="2" stroke-linecap="round"'),
        svg.circle(x, plane.y(mu), 4, f'fill="{colour}"'),
    )


def _names(plane: _Plane, bots: Sequence[str]) -> Iterator[str]:
    """The names at the height of their ratings, moved apart where they would touch."""
    y = float(_TOP - _LINE)
    for bot in plane.order:
        y = max(y + _LINE, plane.y(plane.last[bot].mu) + 4)
        words = f"{plane.last[bot].mu:.1f}  {name(bots[bot])}"
        colour = _COLOURS[bot % len(_COLOURS)]
        yield svg.text(plane.aside(len(plane.order)) + 8, y, words, style=f'fill="{colour}"')


def ladder_picture(title: str, which: str, bots: Sequence[str], history: History) -> str:
    """An SVG of the ratings over the games of a ladder."""
    plane = _Plane(history)
    width = plane.aside(len(plane.order)) + _NAMES
    height = _TOP + max(_HEIGHT, _LINE * len(plane.order)) + 44
    words = [svg.text(_LEFT, 36, title, 20, svg.BOLD)]
    words.append(svg.text(_LEFT, 58, f"{which}; openskill ratings, with their 95 % intervals"))
    courses = [_course(plane, history, place, bots[bot]) for place, bot in enumerate(plane.order)]
    return svg.picture(width, height, title, [*words, *_grid(plane), *courses, *_names(plane, bots)])
