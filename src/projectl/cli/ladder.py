"""`projectl ladder`: ratings of bots over time, kept in a folder."""

import secrets
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from projectl.arena.bot_game import SECONDS
from projectl.arena.ladder import PICTURE, Described, Ladder, climb, open_ladder, rules_of
from projectl.arena.ladder_picture import ladder_picture
from projectl.arena.report import forfeit_lines, ratings_table
from projectl.arena.result import PlayedGame
from projectl.arena.run import MOST_JOBS, Where, dismiss
from projectl.arena.standings import rating_history, standings
from projectl.bots import make
from projectl.bots.registry import seconds_of
from projectl.cli.arena import game_text, match_rules
from projectl.cli.endings import INTERRUPTED
from projectl.cli.options import EDITION, MODULE_LIST, OPTION, bots, editions, module_lists, option_values, words
from projectl.core.errors import Unreadable
from projectl.core.rules import DEFAULT_EDITION
from projectl.header import Header

_FIXED = "A ladder keeps it from its first run on."


def ladder(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the ladder is kept; a new one is begun.")],
    bot: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT",
            help="Who is to play, and is taken in if it is new; against all others too. Without any, all play.",
            autocompletion=bots,
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=0, max=1_000_000, help="To be played now; 0 only shows the ladder.")] = 40,
    players: Annotated[int | None, typer.Option(help=f"Seats at a table, 2 if not given. {_FIXED}")] = None,
    edition: Annotated[str | None, typer.Option(help=f"{EDITION} {_FIXED}", autocompletion=editions)] = None,
    modules: Annotated[
        str | None, typer.Option(metavar="A,B", help=f"{MODULE_LIST} {_FIXED}", autocompletion=module_lists)
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help=f"{OPTION} {_FIXED}", autocompletion=option_values),
    ] = None,
    time: Annotated[str, typer.Option(metavar="TIME", help=f"For a decision, as 500ms or 5s. {_FIXED}")] = "",
    seed: Annotated[str | None, typer.Option(help=f"Any text; it decides the deals. {_FIXED}")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=MOST_JOBS, help="Processes; 1 plays in this one.")] = 1,
) -> None:
    """Rate bots against each other, run by run: a table here, a picture and every game in the folder."""
    named = _checked(bot or [])
    seconds = seconds_of(time) if time else None

    def fresh() -> Described:
        if not named:
            raise Unreadable("folder", f"{folder} holds no ladder yet: name two bots or more, and it is begun")
        return _new(players, edition, words(modules or ""), option or [], seconds, seed)

    found = open_ladder(folder, fresh)
    _same(found, players, edition, modules, option, seconds, seed)
    found.add(named)
    if len(found.described.bots) < found.players:
        raise Unreadable("bots", f"a ladder at a table for {found.players} needs {found.players} bots or more")
    found.save()
    _climb(found, named, games, jobs)


def _climb(found: Ladder, named: list[str], games: int, jobs: int) -> None:
    """Play, and show where everybody stands then."""
    with _progress(games) as ended:
        whole = climb(found, named, games, Where(jobs), ended) if games else True
    found.folder.close()
    _show(found, whole)
    if not whole:
        raise typer.Exit(INTERRUPTED)


def _checked(specs: list[str]) -> list[str]:
    """Bots that exist, each once."""
    twice = next((spec for spec in specs if specs.count(spec) > 1), None)
    if twice is not None:
        raise Unreadable("bots", f"{twice} is named twice; on a ladder every bot is another one")
    for spec in specs:
        dismiss(make(spec))
    return specs


def _new(
    players: int | None,
    edition: str | None,
    modules: tuple[str, ...],
    option: list[str],
    seconds: float | None,
    seed: str | None,
) -> Described:
    """A ladder without bots and games."""
    if players == 1:
        raise Unreadable("players", "a ladder is for two players or more; the arena plays solo with any bots")
    rules = match_rules(2 if players is None else players, edition or DEFAULT_EDITION, modules, option)
    Header(rules, seed).checked()  # or the reason why there are no such games
    return Described(
        bots=[],
        players=int(rules.players),
        edition=rules.edition,
        modules=list(modules),
        options=rules.options(),
        seed=secrets.token_hex(4) if seed is None else seed,
        seconds=seconds or SECONDS,
    )


def _same(
    found: Ladder,
    players: int | None,
    edition: str | None,
    modules: str | None,
    option: list[str] | None,
    seconds: float | None,
    seed: str | None,
) -> None:
    """What a ladder was begun with stays."""
    kept = found.described
    settled = rules_of(kept).settled
    given = dict(one.partition("=")[::2] for one in option or [])
    wishes: list[tuple[str, object, object]] = [
        ("--players", players, kept.players),
        ("--edition", edition, kept.edition),
        ("--modules", None if modules is None else _listed(words(modules)), _listed(kept.modules)),
        ("--time", seconds, kept.seconds),
        ("--seed", seed, kept.seed),
        *(("--option", f"{key}={value}", f"{key}={settled.get(key, '')}") for key, value in given.items()),
    ]
    for name, wanted, was in wishes:
        if wanted is not None and wanted != was:
            raise Unreadable("ladder", f"{found.path} was begun with {name} {was}, it cannot go on with {wanted}")


def _listed(modules: Iterable[str]) -> str:
    return ",".join(sorted(modules)) or "none"


@contextmanager
def _progress(games: int) -> Iterator[Callable[[PlayedGame], None]]:
    """Show how far the run is; nothing where standard error is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("games"), BarColumn(24), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=console, disable=not (console.is_terminal and games)) as bar:
        task = bar.add_task("games", total=games)
        yield lambda game: bar.update(task, advance=1)


def _show(found: Ladder, whole: bool) -> None:
    """The table, and the picture beside the games."""
    match, games = found.match, found.games()
    lines = standings(match, games)
    console = Console(highlight=False)
    which = game_text(match.rules)
    console.print(Text(f"{which}; {match.seconds:g} s for a decision; seed {match.seed}"))
    if games:
        console.print(ratings_table([line for line in lines if line.wins.games]))
    for line in forfeit_lines(lines):
        console.print(line)
    title = f"Ladder of {len(match.bots)} bots, {len(games)} games"
    found.folder.describe(PICTURE, ladder_picture(title, which, match.bots, list(rating_history(match, games))))
    console.print(Text(f"{len(games)} games in {found.path}; the picture is {found.path / PICTURE}."), soft_wrap=True)
    if not whole:
        again = shlex.join(["projectl", "ladder", str(found.path)])
        console.print(Text(f"Interrupted; everything is kept, and `{again}` goes on."), soft_wrap=True)
