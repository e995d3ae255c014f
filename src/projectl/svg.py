"""Drawing pictures as SVG: the few shapes that cards, tournaments and analyses are drawn with."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

INK: Final = "#222831"
FAINT: Final = "#d5d9de"
PAPER: Final = "#fbfbfa"
MIDDLE: Final = 'text-anchor="middle"'
END: Final = 'text-anchor="end"'
BOLD: Final = 'font-weight="bold"'

Point = tuple[float, float]


def text(x: float, y: float, words: str, size: int = 13, style: str = "") -> str:
    """Words, from their lower left corner on; `style` is attributes."""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" {style}>{escape(words)}</text>'


def path(points: Sequence[Point], style: str) -> str:
    """Lines from point to point."""
    return f'<path d="M{" L".join(f"{x:.1f},{y:.1f}" for x, y in points)}" {style}/>'


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    """One line."""
    return path([(x1, y1), (x2, y2)], style)


def rect(x: float, y: float, width: float, height: float, style: str) -> str:
    """A rectangle."""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" {style}/>'


def circle(x: float, y: float, radius: float, style: str) -> str:
    """A circle."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {style}/>'


def squares(corners: Iterable[Point], side: float, style: str) -> str:
    """Squares of one size, by their upper left corners, as one shape."""
    moves = "".join(f"M{x:.2f},{y:.2f}h{side:.2f}v{side:.2f}h-{side:.2f}z" for x, y in corners)
    return f'<path d="{moves}" {style}/>'


def titled(title: str, *parts: str) -> str:
    """Parts that belong together, with words for whoever points at them."""
    return f"<g><title>{escape(title)}</title>{''.join(parts)}</g>"


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """The whole file."""
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" fill="{INK}">'
    paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", paper, *parts, "</svg>"]) + "\n"
