"""The command `projectl`."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

import projectl
from projectl.cli import advice, arena, cards, demo, referee, serve, store, table
from projectl.core.errors import ProjectLError

app = typer.Typer(
    help="Project L: set games up, replay them, ask about them.",
    no_args_is_help=True,
    add_completion=False,
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
app.command()(serve.serve)
app.command()(store.verify)
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
        app()
    except ProjectLError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
