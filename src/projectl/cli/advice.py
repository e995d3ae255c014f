"""`hint` and `analyse`: the bots' help for people."""

import json
import sys
from html import escape
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from projectl.bots import advice as bots
from projectl.bots import look_at
from projectl.bots.advice import TurnReport
from projectl.cli.files import load_game
from projectl.cli.referee import File, Packs
from projectl.core.errors import Unreadable
from projectl.core.legal import to_act
from projectl.record import Game

Seconds = Annotated[float, typer.Option(min=0.01, max=600, help="Time to think, for each turn.")]
COLOURS = ("#2f6fb2", "#d1612c", "#2b8a57", "#8a4fb0", "#b3861f", "#555f6b")


def hint(file: File, seconds: Seconds = 1.0, pack: Packs = []) -> None:  # noqa: B006
    """Print the best turn at the end of a record, and why."""
    game = load_game(file, pack)
    seats = to_act(game.state)
    if not seats:
        raise Unreadable("over", "the game is over, there is nothing to decide")
    found = bots.hint(look_at(game.state, seats[0], seconds), seconds)
    for line in found.lines:
        typer.echo(f"{seats[0] + 1} {line}")
    typer.echo(found.why)


def analyse(
    file: File,
    seconds: Seconds = 0.3,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the value of the game there.")] = None,
    pack: Packs = [],  # noqa: B006
) -> None:
    """Look at a played game turn by turn: its value, the best turns, the swings."""
    game = load_game(file, pack)
    with Progress(disable=not sys.stderr.isatty(), transient=True) as progress:
        task = progress.add_task("looking at the turns")
        reports = bots.analyse(game, seconds, lambda done, total: progress.update(task, completed=done, total=total))
    if as_json:
        typer.echo(json.dumps([_data(report) for report in reports]))
    else:
        _print(game, reports)
    if svg:
        try:
            svg.write_text(picture(game, reports), encoding="utf-8")
        except OSError as error:
            raise Unreadable("file", f"{svg} cannot be written: {error.strerror}") from None


def _data(report: TurnReport) -> dict[str, object]:
    return {
        "action": report.first + 1,
        "seat": report.seat + 1,
        "round": report.round,
        "played": report.played,
        "best": report.best,
        "value_before": round(report.value_before, 3),
        "value_after": round(report.value_after, 3),
        "loss": round(report.loss, 3),
        "why": report.why,
    }


def _name(game: Game, seat: int) -> str:
    return game.header.names[seat] if game.header.names else f"seat {seat + 1}"


def _print(game: Game, reports: list[TurnReport]) -> None:
    for report in reports:
        typer.echo(
            f"round {report.round:>2}  {_name(game, report.seat):<12} {report.value_before:>4.0%} -> "
            f"{report.value_after:>4.0%}  {'; '.join(report.played)}"
        )
        if report.loss > 0.05:
            typer.echo(f"          better: {'; '.join(report.best)}. {report.why}")
    swings = sorted(reports, key=lambda report: -report.loss)[:3]
    typer.echo("\nThe largest swings:")
    for report in swings:
        typer.echo(f"  round {report.round}, {_name(game, report.seat)}: {report.loss:.0%} lost")


def picture(game: Game, reports: list[TurnReport]) -> str:
    """The chance to win of every seat over the game, with its swings marked (SVG)."""
    width, height, left, top = 900, 360, 60, 40
    step = (width - left - 20) / max(1, len(reports) - 1)

    def at(n: int, value: float) -> str:
        return f"{left + n * step:.1f},{top + (1 - value) * (height - top - 40):.1f}"

    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#fbfbf9"/>',
        f'<text x="{left}" y="24" font-size="16">The chance to win, turn by turn</text>',
    ]
    for share in (0, 25, 50, 75, 100):
        x, y = at(0, share / 100).split(",")
        rows.append(f'<path d="M{x},{y}H{width - 20}" stroke="#dddddd"/>')
        rows.append(f'<text x="{left - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{share} %</text>')
    for seat in range(len(game.state.players)):
        own = [(n, report) for n, report in enumerate(reports) if report.seat == seat]
        colour = COLOURS[seat % len(COLOURS)]
        line = " ".join(at(n, report.value_after) for n, report in own)
        rows.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for n, report in own:
            x, y = at(n, report.value_after).split(",")
            size = 3 + 20 * report.loss
            told = escape(f"round {report.round}: {'; '.join(report.played)} (best: {'; '.join(report.best)})")
            rows.append(f'<circle cx="{x}" cy="{y}" r="{size:.1f}" fill="{colour}"><title>{told}</title></circle>')
        rows.append(
            f'<text x="{left + seat * 130}" y="{height - 12}" fill="{colour}">{escape(_name(game, seat))}</text>'
        )
    return "\n".join([*rows, "</svg>\n"])
