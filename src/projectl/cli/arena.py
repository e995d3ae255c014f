"""Matches and tournaments of bots, measured."""

import re
import secrets
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from projectl.arena.folder import Folder, read_description
from projectl.arena.match import Match, arena_match, fair_games, tournament_match
from projectl.arena.picture import picture
from projectl.arena.report import name, percent, report
from projectl.arena.result import PlayedGame
from projectl.arena.run import MOST_JOBS, Where, check_bots, run
from projectl.arena.standings import Share, cross_table, standings, won
from projectl.bots.registry import names, seconds_of, time_text
from projectl.cli.endings import INTERRUPTED
from projectl.cli.files import write_picture
from projectl.cli.options import OPTION, Edition, Modules, Players, bots, option_values, words
from projectl.core.errors import Unreadable
from projectl.core.rules import DEFAULT_EDITION, Rules
from projectl.record import read_rules

MAX_ROUNDS = 60  # R19
_PLAIN_WIDTH = 120  # of tables that go into a file or a pipe

Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT",
        help=f"NAME, NAME:TIME as search:2s, or program:COMMAND; NAME is one of {', '.join(names())}.",
        autocompletion=bots,
    ),
]
MatchOptions = Annotated[
    list[str],
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help=f"{OPTION} Without max_rounds it is {MAX_ROUNDS}.",
        autocompletion=option_values,
    ),
]
Jobs = Annotated[int, typer.Option(help="Processes; 1 plays in this one.")]
Seed = Annotated[str | None, typer.Option(help="Any text; the same seed deals the same cards.")]
Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Where records and results go; else matches/….")]
Time = Annotated[str, typer.Option(metavar="TIME", help="For a decision, as 500ms or 5s; then the bot forfeits.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the match in --out.")]
Ray = Annotated[str, typer.Option(metavar="ADDRESS", help="Play on this Ray cluster; `local` starts one here.")]


def arena(
    bot: Bots,
    games: Annotated[int | None, typer.Option(help="Games in all; about 100 by default.")] = None,
    players: Players = 2,
    edition: Edition = DEFAULT_EDITION,
    modules: Modules = "",
    option: MatchOptions = [],  # noqa: B006
    jobs: Jobs = 1,
    seed: Seed = None,
    out: Out = None,
    time: Time = "10s",
    resume: Resume = False,
    ray: Ray = "",
) -> None:
    """Let bots play each other on the same deals from every seat, and measure them."""
    rules = match_rules(players, edition, words(modules), option)
    wanted = fair_games(100, len(bot)) if games is None else games
    match = arena_match(rules, bot, wanted, _seed(seed, out, resume), seconds_of(time))
    folder = _folder(match, out, resume, Where(jobs, ray))
    whole = _played(match, folder, Where(jobs, ray))
    _print(match, folder, whole, _command("arena", match, folder, Where(jobs, ray)))
    _end(whole)


def tournament(
    bot: Bots,
    games: Annotated[int | None, typer.Option(help="Games of each group; about 20 by default.")] = None,
    players: Players = 2,
    edition: Edition = DEFAULT_EDITION,
    modules: Modules = "",
    option: MatchOptions = [],  # noqa: B006
    jobs: Jobs = 1,
    seed: Seed = None,
    out: Out = None,
    time: Time = "10s",
    resume: Resume = False,
    ray: Ray = "",
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the picture (SVG) there.")] = None,
) -> None:
    """Let every group of bots play: a cross table, ratings and a picture."""
    rules = match_rules(players, edition, words(modules), option)
    if svg and not svg.parent.is_dir():
        raise Unreadable("svg", f"there is no folder {svg.parent} for the picture")
    wanted = fair_games(20, players) if games is None else games
    match = tournament_match(rules, bot, wanted, _seed(seed, out, resume), seconds_of(time))
    folder = _folder(match, out, resume, Where(jobs, ray))
    whole = _played(match, folder, Where(jobs, ray))
    again = _command("tournament", match, folder, Where(jobs, ray)) + (["--svg", str(svg)] if svg else [])
    _print(match, folder, whole, again, crossed=True)
    if svg:
        _draw(match, folder, svg)
    _end(whole)


def match_rules(players: int, edition: str, modules: Sequence[str], option: Sequence[str]) -> Rules:
    """R19: matches have a limit of rounds."""
    limited = any(word.startswith("max_rounds=") for word in option)
    options = (*option,) if limited else (*option, f"max_rounds={MAX_ROUNDS}")
    return read_rules(players, edition, (*modules,), options)


def _seed(seed: str | None, out: Path | None, resume: bool) -> str:
    """The given seed, that of the match to go on with, or a new one."""
    if seed is not None:
        return seed
    if not resume:
        return secrets.token_hex(4)
    if out is None:
        raise Unreadable("resume", "--resume needs --out DIR, the folder of the match")
    return read_description(out).seed


def _folder(match: Match, out: Path | None, resume: bool, where: Where) -> Folder:
    """The match's folder, once everything that can be checked before the first game is."""
    if not 1 <= where.jobs <= MOST_JOBS:
        raise Unreadable("jobs", f"jobs are a number from 1 to {MOST_JOBS}, found {where.jobs}")
    check_bots(match)
    folder = Folder(out or Path("matches") / _folder_name(match))
    if resume:
        folder.resume(match)
    else:
        folder.start(match)
    return folder


def _folder_name(match: Match) -> str:
    name = "-".join([*match.bots, match.seed])
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-.")[-80:] or "match"


class _Tally:
    """The best win rate so far, beside the progress."""

    def __init__(self, match: Match) -> None:
        self._bots = match.bots
        self._won = [0.0] * len(match.bots)
        self._games = [0] * len(match.bots)

    def add(self, game: PlayedGame) -> None:
        for bot in set(game.seats):
            self._won[bot] += won(game, bot)
            self._games[bot] += 1

    def text(self) -> str:
        shares = [Share(wins, games) for wins, games in zip(self._won, self._games, strict=True)]
        best = max(range(len(shares)), key=lambda bot: shares[bot].rate)
        return f"{name(self._bots[best])} {percent(shares[best].rate)}" if shares[best].games else "games"


class _Rate(ProgressColumn):
    """`3.2 games/s`, or by the minute where games take long."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("- games/s")
        return Text(f"{speed:.1f} games/s" if speed >= 1 else f"{speed * 60:.1f} games/min")


@contextmanager
def _progress(match: Match, folder: Folder) -> Iterator[Callable[[PlayedGame], None]]:
    """Show how far the match is; nothing where standard error is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(24), MofNCompleteColumn(), _Rate())
    tail = (TimeRemainingColumn(), TextColumn("left"))
    tally = _Tally(match)
    for game in folder.results():
        tally.add(game)
    with Progress(*columns, *tail, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(tally.text(), total=len(match.pairings()), completed=len(folder.played))

        def ended(game: PlayedGame) -> None:
            tally.add(game)
            bar.update(task, advance=1, description=tally.text())

        yield ended


def _played(match: Match, folder: Folder, where: Where) -> bool:
    """Play what is left; False when Ctrl-C ended it, at whatever moment."""
    try:
        with _progress(match, folder) as ended:
            return run(match, folder, where, ended)
    except KeyboardInterrupt:
        return False


def _print(match: Match, folder: Folder, whole: bool, again: list[str], *, crossed: bool = False) -> None:
    """What came out, and what goes on with a match that is not whole."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_PLAIN_WIDTH)
    games = folder.results()
    console.print(Text(f"{game_text(match.rules)}; {match.seconds:g} s for a decision; seed {match.seed}"))
    if games:
        console.print()
        console.print(report(standings(match, games), cross_table(match, games) if crossed else None))
    console.print(Text(f"{len(games)} games in {folder.path}."), soft_wrap=True)
    if not whole:
        left = len(match.pairings()) - len(games)
        console.print(Text(f"Interrupted with {left} games left; this goes on:"))
        console.print(Text(shlex.join(again)), soft_wrap=True)


def _command(name: str, match: Match, folder: Folder, where: Where) -> list[str]:
    """What goes on with a match, whole."""
    rules = match.rules
    words = ["projectl", name, *match.bots, "--resume", "--out", str(folder.path)]
    words += ["--games", str(match.games), "--players", str(int(rules.players)), "--edition", rules.edition]
    words += ["--modules", ",".join(rules.modules)] if rules.modules else []
    for key, value in rules.options().items():
        words += ["--option", f"{key}={value}"]
    words += ["--time", time_text(match.seconds), "--jobs", str(where.jobs)]
    return [*words, "--ray", where.ray] if where.ray else words


def game_text(rules: Rules) -> str:
    """Which game is played, in a line."""
    kind = [f"{int(rules.players)} players" if rules.players > 1 else "solo", f"edition {rules.edition}"]
    return ", ".join([*kind, *rules.modules, *(f"{key}={value}" for key, value in rules.options().items())])


def _draw(match: Match, folder: Folder, svg: Path) -> None:
    games = folder.results()
    title, which = f"Tournament of {len(match.bots)} bots, {len(games)} games", game_text(match.rules)
    drawn = picture(title, which, standings(match, games), cross_table(match, games))
    write_picture(svg, drawn)
    typer.echo(f"The picture is in {svg}.")


def _end(whole: bool) -> None:
    if not whole:
        raise typer.Exit(INTERRUPTED)
