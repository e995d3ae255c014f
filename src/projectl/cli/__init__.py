"""The command `projectl`."""

import re
import sys
from io import TextIOWrapper
from typing import Annotated, Final

import typer
from typer.core import TyperOption
from typer.exceptions import TyperException

import projectl
from projectl.cli import (
    advice,
    arena,
    cards,
    completion,
    daily,
    demo,
    games,
    help,
    join,
    keys,
    ladder,
    referee,
    serve,
    settings,
    store,
    table,
)
from projectl.cli.endings import REFUSED, written
from projectl.core.errors import ProjectLError

NAME: Final = "projectl"
_PLAINLY: Final = {  # what Pydantic says of a value, in the words of the rest
    r"Input should be a valid integer.*": "a whole number is expected",
    r"Input should be a valid number.*": "a number is expected",
    r"Input should be a valid boolean.*": "true or false is expected",
    r"Input should be greater than or equal to (\S+)": r"at least \1 is expected",
    r"Input should be less than or equal to (\S+)": r"at most \1 is expected",
}


class Usage(ProjectLError):
    """A command line that cannot be understood."""

    kind = "usage"


app = typer.Typer(
    help="Project L: set games up, replay them, ask about them.",
    context_settings={"help_option_names": list(help.NAMES)},
    pretty_exceptions_enable=False,
)
app.command()(referee.new)
app.command()(referee.replay)
app.command()(referee.moves)
app.command()(referee.perft)
app.command()(cards.cards)
app.command()(demo.demo)
app.command()(table.table)
app.command()(advice.hint)
app.command()(advice.analyse)
app.command()(arena.arena)
app.command()(arena.tournament)
app.command()(ladder.ladder)
app.add_typer(daily.daily, name="daily")
app.command(context_settings=settings.CONTEXT)(serve.serve)
app.command()(join.join)
app.command()(store.verify)
app.add_typer(games.app, name="games")
app.add_typer(keys.app, name="keys")
app.command("export")(store.export_games)
app.command("import")(store.import_games)


def _version(wanted: bool) -> None:
    if wanted:
        how = "compiled" if projectl.compiled() else "interpreted"
        typer.echo(f"projectl {projectl.__version__} ({how} engine)")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and the engine.")
    ] = False,
) -> None:
    """Project L: set games up, replay them, ask about them."""


def main() -> None:
    """Run the command; what is wrong with the input is one line on standard error, status 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign shows another
    try:
        with written():
            if completion.asked_by_bash():
                completion.answer_bash(_run)
            _run()
    except ProjectLError as error:
        print(error, file=sys.stderr)
        sys.exit(REFUSED)


def _run() -> None:
    """The command itself; a line that it cannot understand is a sentence too."""
    command = typer.main.get_command(app)
    help.in_words(command)
    try:
        ended = command(sys.argv[1:] or ["--help"], prog_name=NAME, standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except TyperException as error:
        if not error.format_message():  # `projectl games` alone: its help was printed
            sys.exit(0)
        raise _wrong_usage(error) from None
    sys.exit(ended if isinstance(ended, int) else 0)


def _wrong_usage(error: TyperException) -> Usage:
    """Typer's words as one sentence, and where to read more."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else NAME
    if isinstance(error, typer.BadParameter) and isinstance(error.param, TyperOption) and context is not None:
        error.param_hint = f"'{settings.given_as(context, error.param)}'"
    words = " ".join(error.format_message().split()).rstrip(".")
    for found, plain in _PLAINLY.items():
        words = re.sub(found, plain, words)
    return Usage("usage", f"{words[:1].lower()}{words[1:]}; `{path} -h` explains")
