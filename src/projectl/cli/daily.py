"""`daily`: the puzzles that ship with the package, made and checked."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import count, islice
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Annotated, Final, TypeVar

import typer

from projectl.arena.workers import unheard
from projectl.cli.files import named
from projectl.core.errors import Unreadable
from projectl.daily import check as checking
from projectl.daily.check import SecondLook
from projectl.daily.make import puzzles_of
from projectl.daily.puzzle import FILE, Puzzle, read, write

A_YEAR: Final = 365
T = TypeVar("T")
R = TypeVar("R")

daily = typer.Typer(help="The daily puzzles: make a file of them, check one.", no_args_is_help=True)

Jobs = Annotated[int, typer.Option(min=1, max=256, help="Processes that work at once.")]


@daily.command()
def make(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Puzzles are added to it, a line each.")],
    puzzles: Annotated[int, typer.Option(min=1, max=10_000, help="So many are wanted.")] = A_YEAR,
    minutes: Annotated[float, typer.Option(min=0.1, help="Stop after so long, with what there is.")] = 1e6,
    jobs: Jobs = 1,
) -> None:
    """Play games between bots and keep the positions in which one turn is clearly best."""
    if not file.parent.is_dir():
        raise Unreadable("file", f"there is no folder {file.parent} for the puzzles")
    found = _read(file) if file.exists() else []
    end = time.monotonic() + 60 * minutes
    begin = max((puzzle.game for puzzle in found), default=-1) + 1
    for number, more in _games(begin, jobs):
        found += more
        write(found, file)
        typer.echo(f"game {number}: {len(more)} puzzles, {len(found)} in all")
        if len(found) >= puzzles or time.monotonic() > end:
            break


def _games(begin: int, jobs: int) -> Iterator[tuple[int, list[Puzzle]]]:
    """The puzzles of game after game; several are played at once, and told in their order."""
    if jobs == 1:
        yield from ((number, puzzles_of(number)) for number in count(begin))
        return
    with _pool(jobs) as pool:
        yield from zip(count(begin), _in_turn(pool, jobs, puzzles_of, count(begin)), strict=False)


@contextmanager
def _pool(jobs: int) -> Iterator[Executor]:
    """Processes that never hear Ctrl-C: they end with whoever hears it."""
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        try:
            with unheard():  # all of them start with the first work
                for _ in range(jobs):
                    pool.submit(int)
            yield pool
        except BaseException:
            for child in active_children():
                child.terminate()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _in_turn(pool: Executor, jobs: int, work: Callable[[T], R], given: Iterator[T]) -> Iterator[R]:
    """The results in their order, a few of them worked on ahead.

    Not `pool.map`: after Ctrl-C it cancels what is left, and Python 3.11 stumbles over that where processes are gone.
    """
    ahead = deque(pool.submit(work, one) for one in islice(given, jobs + 1))
    while ahead:
        yield ahead.popleft().result()
        with unheard():
            ahead.extend(pool.submit(work, one) for one in islice(given, 1))


@daily.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="By default the puzzles of this package.")] = FILE,
    every: Annotated[int, typer.Option(min=1, help="Look at every so manieth puzzle only.")] = 1,
    jobs: Jobs = 1,
) -> None:
    """Look at each puzzle again, longer than when it was made; say in how many its best turn is still the best."""
    chosen = _read(file)[::every]
    if not chosen:
        raise Unreadable("daily-empty", f"{file.name} holds no puzzle")
    held = 0
    for number, found in enumerate(_checked(chosen, jobs)):
        held += found.holds
        if not found.holds:
            typer.echo(f"puzzle {number * every + 1}: {found.sentence()}")
    typer.echo(f"{held} of {len(chosen)} puzzles hold: the same turn is the best, and the only good one")
    if held < len(chosen):
        raise typer.Exit(1)


def _read(file: Path) -> list[Puzzle]:
    with named(str(file)):
        try:
            return read(file)
        except OSError as error:
            raise Unreadable("file", f"the file cannot be read: {error.strerror}") from None


def _checked(puzzles: list[Puzzle], jobs: int) -> Iterator[SecondLook]:
    if jobs == 1:
        yield from map(checking.check, puzzles)
        return
    with _pool(jobs) as pool:
        yield from _in_turn(pool, jobs, checking.check, iter(puzzles))
