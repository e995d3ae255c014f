"""`hint` and `analyse`: the bots' help for people."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from projectl import svg
from projectl.bots import advice as bots
from projectl.bots import look_at
from projectl.bots.advice import TurnReport
from projectl.cli.files import load_game, write_picture
from projectl.cli.options import File, Packs
from projectl.core.errors import Unreadable
from projectl.core.legal import to_act
from projectl.game import Game

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
    if svg:
        write_picture(svg, picture(game, reports))
    if as_json:
        typer.echo(json.dumps([_data(report) for report in reports]))
    else:
        _print(game, reports)


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
    if not reports:
        typer.echo("No turn has been played yet, so there is nothing to look at.")
        return
    swings = [report for report in sorted(reports, key=lambda report: -report.loss)[:3] if report.loss >= 0.005]
    typer.echo("\nThe largest swings:" if swings else "\nNo turn gave anything away.")
    for report in swings:
        typer.echo(f"  round {report.round}, {_name(game, report.seat)}: {report.loss:.0%} lost")


# The picture: measures in pixels.
_WIDTH, _HEIGHT = 900, 360
_LEFT, _TOP, _RIGHT, _BOTTOM = 60, 40, 880, 320  # the plot's edges


def _at(n: int, of: int, value: float) -> svg.Point:
    """Where a turn and a chance lie on the page."""
    return _LEFT + n * (_RIGHT - _LEFT) / max(1, of - 1), _TOP + (1 - value) * (_BOTTOM - _TOP)


def _axis() -> Iterator[str]:
    for share in (0, 25, 50, 75, 100):
        _, y = _at(0, 1, share / 100)
        yield svg.line(_LEFT, y, _RIGHT, y, f'stroke="{svg.FAINT}"')
        yield svg.text(_LEFT - 8, y + 4, f"{share} %", style=svg.END)


def _curve(name: str, seat: int, reports: list[TurnReport]) -> Iterator[str]:
    """A seat's chance after each of its turns, with a dot that grows with what the turn lost."""
    colour = COLOURS[seat % len(COLOURS)]
    own = [(_at(n, len(reports), found.value_after), found) for n, found in enumerate(reports) if found.seat == seat]
    if own:
        yield svg.path([point for point, _ in own], f'fill="none" stroke="{colour}" stroke-width="2"')
    for (x, y), found in own:
        told = f"round {found.round}: {'; '.join(found.played)} (best: {'; '.join(found.best)})"
        yield svg.titled(told, svg.circle(x, y, 3 + 20 * found.loss, f'fill="{colour}"'))
    yield svg.text(_LEFT + seat * 130, _HEIGHT - 12, name, style=f'fill="{colour}"')


def picture(game: Game, reports: list[TurnReport]) -> str:
    """The chance to win of every seat over the game, with its swings marked (SVG)."""
    title = "The chance to win, turn by turn"
    parts = [svg.text(_LEFT, 24, title, 16), *_axis()]
    for seat in range(len(game.state.players)):
        parts += _curve(_name(game, seat), seat, reports)
    return svg.picture(_WIDTH, _HEIGHT, title, parts)
