"""What happened at a table, as much of it as a client is sent at once: the recent part of what still stands."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from projectl.server.games.events import Event, Played, Undone
from projectl.server.http.messages import Happened

RECENT: Final = 100  # events; a client that lacks more begins with so many and asks for the others


class Part(NamedTuple):
    """Some of what happened, in order."""

    events: list[Happened]
    earlier: int = 0  # before this version something was left out that the client does not have; 0: nothing was


def taken_back(events: Iterable[tuple[int, Event]]) -> set[int]:
    """The versions of the actions that were undone later."""
    found: set[int] = set()
    standing: list[int] = []
    for version, event in events:
        match event:
            case Played():
                standing.append(version)
            case Undone(_, to):
                while standing and standing[-1] > to:
                    found.add(standing.pop())
    return found


def news(log: Sequence[Happened], undone: set[int], since: int | None) -> Part:
    """What a client lacks that has everything up to a version, or has nothing; all of it, if that is not too much."""
    if since is not None and len(log) - since <= RECENT:
        return Part(list(log[since:]))
    return before(log, undone, len(log) + 1)


def before(log: Sequence[Happened], undone: set[int], version: int) -> Part:
    """What happened before a version and still stands, the last of it."""
    found: list[Happened] = []
    for happened in reversed(log[: version - 1]):
        if isinstance(happened.event, Undone) or happened.version in undone:
            continue
        if len(found) == RECENT:
            return Part(found[::-1], found[-1].version)
        found.append(happened)
    return Part(found[::-1])
