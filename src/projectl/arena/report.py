"""The tables of a match, for a terminal of 80 columns or more."""

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from projectl.arena.standings import Share, Standing
from projectl.arena.times import Times

_SHOWN: Final = 8  # forfeits that are told one by one
_LONGEST_NAME: Final = 24


def name(bot: str) -> str:
    """A bot's name; of a long command the end, where programs differ."""
    return bot if len(bot) <= _LONGEST_NAME else f"{bot[:8]}…{bot[9 - _LONGEST_NAME :]}"


def duration(seconds: float) -> str:
    """`410 µs`, `3.2 ms`, `1.25 s`."""
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms"
    return f"{seconds:.2f} s"


def percent(share: float) -> str:
    """`61.2 %`."""
    return f"{share * 100:.1f} %"


def _signed(number: float | None) -> str:
    return "-" if number is None else f"{number:+.2f}"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(columns[0], overflow="fold")
    for column in columns[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def results_table(lines: Sequence[Standing]) -> Table:
    """Who won how often, and by how much."""
    table = _table("Results", "bot", "games", "win rate", "95 % range", "par", "score", "lead", "rating")
    for line in lines:
        low, high = line.wins.interval()
        alone = line.par == 1  # against itself it always wins
        table.add_row(
            Text(name(line.bot)),
            str(line.wins.games),
            "-" if alone else percent(line.wins.rate),
            "-" if alone else f"{low * 100:.1f}-{high * 100:.1f}",
            "-" if alone else f"{line.par * 100:.0f} %",
            "-" if line.score is None else f"{line.score:.2f}",
            _signed(line.difference),
            rating_text(line),
        )
    return table


def rating_text(line: Standing) -> str:
    """`27.4±1.6`: openskill's mu, and its 95 % interval."""
    if line.rating is None:
        return "-"
    return f"{line.rating.mu:.1f}±{line.rating.interval()[1] - line.rating.mu:.1f}"


def times_table(lines: Sequence[Standing]) -> Table:
    """How long decisions took, and what went wrong."""
    table = _table("Decisions", "bot", "number", "median", "99 %", "worst", "CPU", "limit", "forfeits")
    for line in lines:
        table.add_row(
            Text(name(line.bot)),
            str(line.times.count),
            *_durations(line.times),
            percent(line.limit.rate),
            str(len(line.forfeits)),
        )
    return table


def _durations(times: Times) -> list[str]:
    seconds = (times.quantile(0.5), times.quantile(0.99), times.worst, times.work)
    return [duration(one) if times.count else "-" for one in seconds]


def forfeit_lines(lines: Sequence[Standing]) -> list[Text]:
    """Each forfeit with its reason, or the first ones where there are many."""
    found = sorted(
        (number, f"game {number}: seat {what.seat + 1}, {name(line.bot)}, forfeits ({what.code}): {what.sentence}")
        for line in lines
        for number, what in line.forfeits
    )
    shown = [Text(sentence) for _, sentence in found[:_SHOWN]]
    if len(found) > _SHOWN:
        shown.append(Text(f"and {len(found) - _SHOWN} more, all in games.jsonl"))
    return shown


def cross(lines: Sequence[Standing], shares: Sequence[Sequence[Share]]) -> Table:
    """How often the row's bot came in before the column's; columns have the rows' numbers."""
    table = _table("Row against column", "bot", *(str(number) for number in range(1, len(lines) + 1)))
    for number, (line, row) in enumerate(zip(lines, shares, strict=True), 1):
        cells = [percent(share.rate) if share.games else "-" for share in row]
        table.add_row(Text(f"{number} {name(line.bot)}"), *cells)
    return table


def ratings_table(lines: Sequence[Standing]) -> Table:
    """The bots from best to worst."""
    table = _table("Ratings", "", "bot", "rating", "at least", "win rate", "games")
    table.columns[1].justify = "left"
    rated = sorted(lines, key=lambda line: -(line.rating.mu if line.rating else 0.0))
    for place, line in enumerate(rated, 1):
        least = f"{line.rating.interval()[0]:.1f}" if line.rating else "-"
        table.add_row(
            str(place), name(line.bot), rating_text(line), least, percent(line.wins.rate), str(line.wins.games)
        )
    return table


def report(lines: Sequence[Standing], shares: Sequence[Sequence[Share]] | None = None) -> RenderableType:
    """All tables of an arena, and with the cross table those of a tournament."""
    parts: list[RenderableType] = [results_table(lines), times_table(lines)]
    if shares is not None:
        parts += [cross(lines, shares), ratings_table(lines)]
    return Group(*parts, *forfeit_lines(lines))
