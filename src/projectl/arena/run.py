"""Running a match: what is left of it, where it runs, every game saved as it ends."""

from collections.abc import Callable
from typing import NamedTuple

from projectl.arena.bot_game import settle_memory
from projectl.arena.cluster import on_ray
from projectl.arena.folder import Folder
from projectl.arena.match import Match, Pairing
from projectl.arena.result import PlayedGame
from projectl.arena.workers import Games, in_processes
from projectl.bots import Bot, make

MOST_JOBS = 256


class Where(NamedTuple):
    """Where games are played: here, in processes, or on a Ray cluster. The results are the same."""

    jobs: int = 1
    ray: str = ""  # an address


def check_bots(match: Match) -> None:
    """Refuse bots that do not exist before the first game."""
    for spec in match.bots:
        dismiss(make(spec))


def dismiss(bot: Bot) -> None:
    """Let a bot go that was only made to see whether it can be."""
    close = getattr(bot, "close", None)
    if callable(close):
        close()


def left_over(match: Match, folder: Folder) -> list[Pairing]:
    """The games that are still to play."""
    return [pairing for pairing in match.pairings() if pairing.number not in folder.played]


def run(match: Match, folder: Folder, where: Where, ended: Callable[[PlayedGame], None]) -> bool:
    """Play what is left of a match; False when Ctrl-C ended it early. All that was played is saved."""
    return play(match, left_over(match, folder), folder, where, ended)


def play(
    match: Match, pairings: list[Pairing], folder: Folder, where: Where, ended: Callable[[PlayedGame], None]
) -> bool:
    """Play some games of a match and save each as it ends; False when Ctrl-C ended it early."""
    games = _games(match, pairings, where)
    try:
        for pairing, result in games:
            ended(folder.save(pairing, result))
    except KeyboardInterrupt:
        return False
    finally:
        games.close()
        folder.close()
    return True


def _games(match: Match, pairings: list[Pairing], where: Where) -> Games:
    if where.ray:
        return on_ray(match, pairings, where.ray, where.jobs)
    if where.jobs > 1:
        return in_processes(match, pairings, where.jobs)
    settle_memory()
    return ((pairing, match.play(pairing)) for pairing in pairings)
