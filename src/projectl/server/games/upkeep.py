"""What whoever runs a server does with its games: look through them, close and delete them, let old ones go."""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct
from sqlalchemy import Connection, Select, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from projectl.server.errors import Refusal, StoreError
from projectl.server.games.events import Closed, Played, encode_event
from projectl.server.games.room import FINISHED, PLAYING, WAITING, Room
from projectl.server.games.shown import record_of
from projectl.server.http.messages import decode_table
from projectl.server.store.schema import EVENTS, GAMES, INVITES, KEYS, SEATS
from projectl.server.store.store import AWAY, Store, Stored

log: Final = logging.getLogger("projectl.upkeep")
DAY: Final = 86_400.0
_TRIES: Final = 5
BETWEEN: Final = 3600.0  # seconds between looks for old games
_LAST: Final = func.coalesce(func.max(EVENTS.c.at), GAMES.c.created)


class Policy(Struct, frozen=True):
    """When games go, in days since anything last happened at them; 0: never."""

    waiting: float = 0.0  # tables whose game has not begun are deleted
    idle: float = 0.0  # games that nobody goes on with are closed
    finished: float = 0.0  # finished games are deleted
    archive: str = ""  # a folder: their records are written there first

    def checked(self) -> "Policy":
        """Finished games are not lost."""
        if self.finished and not self.archive:
            sentence = "finished games are deleted only after their records are written: --archive DIR says where to"
            raise StoreError("archive-needed", sentence)
        return self


class Summary(NamedTuple):
    """A game in one line."""

    game: str
    status: str
    created: float
    last: float  # when something happened at it
    events: int
    public: bool
    names: list[str]  # by seat; empty: an open seat


class Cleared(NamedTuple):
    """What became of old games."""

    deleted: list[str]  # tables at which no game began
    closed: list[str]
    archived: list[str]  # and deleted


# --- looking ----------------------------------------------------------------------------------


async def summaries(store: Store, *, status: str = "", before: float | None = None, most: int = 0) -> list[Summary]:
    """The games of a store, the newest first: all, or those where nothing has happened since a time."""
    wanted = _with_last(status, before).order_by(GAMES.c.created.desc(), GAMES.c.game)
    if most:
        wanted = wanted.limit(most)

    def look(connection: Connection) -> list[Summary]:
        rows = connection.execute(wanted).all()
        return [
            Summary(game, status, created, last, events, bool(public), _names(connection, game, summary))
            for game, status, created, last, events, public, summary in rows
        ]

    return await store.read(look)


def _with_last(status: str, before: float | None) -> Select[Any]:
    wanted = (
        select(GAMES.c.game, GAMES.c.status, GAMES.c.created, _LAST, func.count(EVENTS.c.version))
        .add_columns(GAMES.c.public, GAMES.c.summary)
        .select_from(GAMES.outerjoin(EVENTS))
        .group_by(GAMES.c.game)
    )
    if status:
        wanted = wanted.where(GAMES.c.status == status)
    return wanted if before is None else wanted.having(before > _LAST)


def _names(connection: Connection, game: str, summary: str) -> list[str]:
    """Who sits there now; where no server has summed the game up yet, who sat there when it was made."""
    if summary:
        return [seat.name for seat in decode_table(summary).seats]
    wanted = select(SEATS.c.name, SEATS.c.kind).where(SEATS.c.game == game).order_by(SEATS.c.seat)
    return [str(name) for name, _ in connection.execute(wanted)]


# --- changing ---------------------------------------------------------------------------------


async def close(store: Store, game: str, reason: str) -> None:
    """End a game where it stands. A server that holds it sees that soon, and tells its players."""

    def work(connection: Connection) -> None:
        found = connection.execute(select(GAMES.c.status).where(GAMES.c.game == game)).one_or_none()
        if found is None:
            raise _no_game(game)
        if found[0] == FINISHED:
            raise Refusal("over", f"the game {game} is over already")
        last = connection.execute(select(func.max(EVENTS.c.version)).where(EVENTS.c.game == game)).scalar() or 0
        event = encode_event(Closed(reason))
        row = {"game": game, "version": last + 1, "event": event, "at": time.time(), "message": ""}
        connection.execute(insert(EVENTS), row)
        connection.execute(update(GAMES).where(GAMES.c.game == game).values(status=FINISHED, due=0.0))

    for _ in range(_TRIES):
        with contextlib.suppress(IntegrityError):  # something happened at the table at the same moment
            return await store.writer.do(work)
    raise Refusal("busy", f"too much happens at the game {game} just now; try again")


async def remove(store: Store, games: Sequence[str]) -> None:
    """Delete games with all that belongs to them, all of them or none; one that is being played is closed first."""

    def work(connection: Connection) -> None:
        for game in games:
            status = connection.execute(select(GAMES.c.status).where(GAMES.c.game == game)).scalar()
            if status is None:
                raise _no_game(game)
            if status == PLAYING:
                raise Refusal("playing", f"the game {game} is being played: `projectl games close {game}` first")
            for table in (EVENTS, SEATS, KEYS, INVITES, GAMES):
                connection.execute(delete(table).where(table.c.game == game))

    await store.writer.do(work)


def _no_game(game: str) -> Refusal:
    return Refusal("no-game", f"there is no game {game[:40]!r} in this store", 404)


async def stored(store: Store, game: str) -> Stored:
    """A game that has to be there."""
    found = await store.load(game)
    if found is None:
        raise _no_game(game)
    return found


# --- letting go -------------------------------------------------------------------------------


async def expire(store: Store, policy: Policy, now: float, *, really: bool = True) -> Cleared:
    """Do what a policy says; or, not really, only say what it would do."""
    deleted = [game for game in await _old(store, WAITING, policy.waiting, now) if not await _played(store, game)]
    closed = await _old(store, PLAYING, policy.idle, now)
    archived = await _old(store, FINISHED, policy.finished, now)
    if really:
        await remove(store, deleted)
        for game in closed:
            await close(store, game, f"nobody has gone on with it for {policy.idle:g} days")
        for game in archived:
            await archive(store, game, Path(policy.archive))
            await remove(store, [game])
    return Cleared(deleted, closed, archived)


async def let_go(store: Store, policy: Policy, now: Callable[[], float]) -> None:
    """Do what the policy says now and then, for as long as the server runs."""
    while True:
        try:
            found = await expire(store, policy, now())
            if any(found):
                log.info("old games went", extra={name: len(games) for name, games in found._asdict().items()})
        except AWAY as error:  # it may come back
            store.failed(error)
        except Exception:  # the archive may be written to again
            log.exception("old games could not go")
        await asyncio.sleep(BETWEEN)


async def _old(store: Store, status: str, days: float, now: float) -> list[str]:
    if not days:
        return []
    return [found.game for found in await summaries(store, status=status, before=now - days * DAY)]


async def _played(store: Store, game: str) -> bool:
    """Whether a table that waits goes on with a game, as one that was imported does: that is not lost."""
    return any(isinstance(row.event, Played) for row in await store.events(game, 0))


async def archive(store: Store, game: str, folder: Path) -> Path:
    """Write a finished game's record into a folder, durably."""
    found = await stored(store, game)
    return await asyncio.to_thread(_write, found, folder / f"{game}.pln")


def _write(found: Stored, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("w", encoding="utf-8") as file:
        file.write(record_of(Room(found)))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    return path
