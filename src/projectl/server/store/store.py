"""The store: headers and events, durable before anybody hears of them. SQLite, or PostgreSQL by its address.

Events go in and come out as types; between processes the key (game, version) decides who was first.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    and_,
    case,
    create_engine,
    event,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, InterfaceError, OperationalError, SQLAlchemyError, TimeoutError

from projectl.server.errors import StoreError
from projectl.server.games.events import Begun, Event, decode_event, encode_event
from projectl.server.store import lists
from projectl.server.store.lists import Listing
from projectl.server.store.migrate import migrate
from projectl.server.store.schema import EVENTS, GAMES, INVITES, KEYS, SEATS, SECRETS
from projectl.server.store.seating import (
    FOR_SEAT,
    Invite,
    Outcome,
    add_device,
    add_invite,
    find,
    give_key,
    is_free,
    open_invites,
    opens,
    rearrange,
    revoke,
    use_up,
)
from projectl.server.store.writer import Writer

log: Final = logging.getLogger("projectl.store")

T = TypeVar("T")
AWAY: Final = (OperationalError, InterfaceError, TimeoutError)  # what it fails with when it is ill, not what is asked
SAID_AGAIN: Final = 5.0  # seconds until the log hears anew of a store that goes on failing
MOST_DUE: Final = 100
MOST_ASKED: Final = 500  # about, in one question


class Row(NamedTuple):
    """An event as it is stored."""

    version: int
    event: Event
    at: float
    message: str  # the client's id; empty: nobody's


class SeatRow(NamedTuple):
    """A seat as the table was made; events tell who sat down since."""

    seat: int
    kind: str
    name: str
    colour: str
    bot: str


class GameRow(NamedTuple):
    """A game as it is stored, without its events."""

    game: str
    created: float
    header: str
    salt: str
    plan: str
    maker: str
    status: str
    public: int
    due: float | None
    rules: int  # the engine's rules version when it was made
    version: int = 0  # of the last event that status, due and summary know of
    summary: str = ""  # the table as others see it
    day: str | None = None  # of a daily solo game
    score: int | None = None  # of one that is over


class GameStanding(NamedTuple):
    """What the store notes of a game beside its events."""

    status: str
    due: float | None  # when the server itself has to look at it again
    summary: str
    score: int | None = None  # of a daily solo game that is over


class Stored(NamedTuple):
    """Everything about a game."""

    row: GameRow
    seats: list[SeatRow]
    keys: list[tuple[str, int]]  # hash of a key, seat
    events: list[Row]


def address(url: str) -> URL:
    """The store's address; a plain path means SQLite."""
    if "://" not in url:
        url = f"sqlite:///{url}"
    try:
        found = make_url(url)
    except (ArgumentError, ValueError):  # it may hold a password, so it is not repeated
        sentence = "--store is a file, sqlite:///FILE or postgresql://USER@HOST/NAME; this is none of them"
        raise StoreError("store-url", sentence) from None
    name = found.get_backend_name()
    if name == "postgresql":
        if find_spec("psycopg") is None:
            sentence = "PostgreSQL needs its driver, which `pip install 'projectl[postgres]'` brings"
            raise StoreError("store-missing", sentence)
        return found.set(drivername="postgresql+psycopg")
    if name != "sqlite":
        raise StoreError("store-url", f"a store is sqlite:///FILE or postgresql://…, found {name[:20]!r}")
    if found.host or found.database in (None, "", ":memory:"):
        sentence = "a store is a file, named after three slashes, as sqlite:///games.db or sqlite:////srv/games.db"
        raise StoreError("store-url", sentence)
    return found


def connect(url: URL, *, writes: bool) -> Engine:
    """An engine for the writer thread, or for readers."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=1 if writes else 4, pool_pre_ping=True, hide_parameters=True)
    # In the log of a failure seeds and salts are no reading matter.
    engine = create_engine(url, pool_size=1 if writes else 4, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so, below
        for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def reason(error: Exception) -> str:
    """Why the store failed, in a line: what the database says, without what it was asked."""
    words = str(getattr(error, "orig", None) or error).splitlines()
    return words[0] if words else type(error).__name__


class Store:
    """Opened once by a server process."""

    def __init__(self, url: str) -> None:
        self.url = address(url)
        try:
            self.backup = migrate(self.url)
            self._read_engine = connect(self.url, writes=False)
            self._write_engine = connect(self.url, writes=True)
            with self._write_engine.connect() as connection:
                connection.execute(select(literal(1)))
        except SQLAlchemyError as error:
            raise StoreError(
                "store-open", f"the store {self.url.render_as_string()} cannot be used: {reason(error)}"
            ) from None
        self.writer = Writer(self._write_engine)
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="store-reader")
        self._dialect = postgresql if self.url.get_backend_name() == "postgresql" else sqlite
        self._append = self._dialect.insert(EVENTS).on_conflict_do_nothing().execution_options(preserve_rowcount=True)
        self._failures = 0  # of which the log has not heard
        self._said = float("-inf")  # when it heard of some

    def close(self) -> None:
        """Write what waits and let go."""
        self.writer.close()
        self._readers.shutdown()
        self._read_engine.dispose()
        self._write_engine.dispose()

    def failed(self, error: Exception) -> None:
        """Something could not be done, as the store is ill. While it is, everything fails: the log has a line now and
        then, and not everything."""
        self._failures += 1
        now = time.monotonic()
        if now - self._said >= SAID_AGAIN:
            log.error("the store failed: %s", reason(error), extra={"times": self._failures})
            self._said, self._failures = now, 0

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Look something up, beside the loop."""

        def run() -> T:
            with self._read_engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    # --- games ----------------------------------------------------------------------------

    async def create(
        self,
        row: GameRow,
        seats: Sequence[SeatRow],
        keys: Sequence[tuple[str, int]],
        invites: Sequence[Invite],
        events: Sequence[Row],
    ) -> None:
        """A new table, with all that belongs to it, or nothing."""
        await self.writer.do(lambda connection: _insert(connection, row, seats, keys, invites, events))

    async def rematch(
        self, game: str, happened: Row, row: GameRow, seats: Sequence[SeatRow], keys: Sequence[tuple[str, int]]
    ) -> bool:
        """A new table that follows a game, and the event that says so; False if another event was first."""

        def work(connection: Connection) -> bool:
            if not self._add(connection, game, [happened]):
                return False
            _insert(connection, row, seats, keys, [], [])
            return True

        return await self.writer.do(work)

    async def load(self, game: str) -> Stored | None:
        """A game with all that belongs to it."""

        def work(connection: Connection) -> Stored | None:
            found = connection.execute(select(GAMES).where(GAMES.c.game == game)).one_or_none()
            if found is None:
                return None
            seats = connection.execute(
                select(SEATS.c.seat, SEATS.c.kind, SEATS.c.name, SEATS.c.colour, SEATS.c.bot)
                .where(SEATS.c.game == game)
                .order_by(SEATS.c.seat)
            )
            return Stored(
                GameRow(*found),
                [SeatRow(*seat) for seat in seats],
                _keys(connection, game),
                _events(connection, game, 0),
            )

        return await self.read(work)

    async def length(self, game: str) -> int | None:
        """About how many events a game has; None: there is no such game."""
        wanted = select(GAMES.c.version).where(GAMES.c.game == game)
        return await self.read(lambda connection: connection.execute(wanted).scalar_one_or_none())

    async def events(self, game: str, since: int) -> list[Row]:
        """What happened after a version."""
        return await self.read(lambda connection: _events(connection, game, since))

    async def versions(self, games: Sequence[str]) -> dict[str, int]:
        """How far some games are."""
        found: dict[str, int] = {}
        for begin in range(0, len(games), MOST_ASKED):
            some = EVENTS.c.game.in_(games[begin : begin + MOST_ASKED])
            wanted = select(EVENTS.c.game, func.max(EVENTS.c.version)).where(some).group_by(EVENTS.c.game)
            found |= await self.read(lambda connection: {row[0]: row[1] for row in connection.execute(wanted)})  # noqa: B023
        return found

    async def keys_of(self, games: Sequence[str]) -> dict[str, list[tuple[str, int]]]:
        """Who holds which seat of several games."""
        found: dict[str, list[tuple[str, int]]] = {}
        for begin in range(0, len(games), MOST_ASKED):
            some = KEYS.c.game.in_(games[begin : begin + MOST_ASKED])
            wanted = select(KEYS.c.game, KEYS.c.key, KEYS.c.seat).where(some)
            for game, key, seat in await self.read(lambda connection: connection.execute(wanted).all()):  # noqa: B023
                found.setdefault(game, []).append((key, seat))
        return found

    async def keys(self, game: str) -> list[tuple[str, int]]:
        """Who holds which seat: the hash of a key, a seat."""
        return await self.read(lambda connection: _keys(connection, game))

    async def open_tables(self, after: str | None = None) -> Listing:
        """Public games that wait for players, the newest first."""
        return await self.read(lambda connection: lists.public(connection, after))

    async def games_of(self, key: str, after: str | None = None) -> Listing:
        """The games in which a key has a seat, the newest first."""
        return await self.read(lambda connection: lists.of_key(connection, key, after))

    async def daily_game(self, day: str, maker: str) -> str | None:
        """The solo game of a day that a key has begun."""
        wanted = select(GAMES.c.game).where(GAMES.c.day == day, GAMES.c.maker == maker)
        return await self.read(lambda connection: connection.execute(wanted).scalar_one_or_none())

    async def best_of_day(self, day: str) -> lists.Best:
        """The best solo games of a day, the earlier first of two that are equal."""
        return await self.read(lambda connection: lists.best(connection, day))

    async def games_due(self, now: float) -> list[str]:
        """Games in which the server itself has something to do by now."""
        wanted = select(GAMES.c.game).where(GAMES.c.due <= now).order_by(GAMES.c.due).limit(MOST_DUE)
        return await self.read(lambda connection: list(connection.execute(wanted).scalars()))

    async def all_games(self) -> list[str]:
        """Every game, the oldest first."""
        wanted = select(GAMES.c.game).order_by(GAMES.c.created, GAMES.c.game)
        return await self.read(lambda connection: list(connection.execute(wanted).scalars()))

    async def missing(self, games: Sequence[str]) -> list[str]:
        """Which of these games are no longer there."""
        found: set[str] = set()
        for begin in range(0, len(games), MOST_ASKED):
            wanted = select(GAMES.c.game).where(GAMES.c.game.in_(games[begin : begin + MOST_ASKED]))
            found |= await self.read(lambda connection: set(connection.execute(wanted).scalars()))  # noqa: B023
        return [game for game in games if game not in found]

    async def set_standing(self, game: str, version: int, standing: GameStanding) -> None:
        """How a game stands as of a version; what a process writes that is behind changes nothing."""
        here = and_(GAMES.c.game == game, GAMES.c.version <= version)
        change = update(GAMES).where(here).values(version=version, **standing._asdict())
        await self.writer.do(lambda connection: connection.execute(change))

    async def postpone(self, game: str, due: float) -> None:
        """Look at a game later."""
        change = update(GAMES).where(GAMES.c.game == game).values(due=due)
        await self.writer.do(lambda connection: connection.execute(change))

    # --- events ---------------------------------------------------------------------------

    async def append(self, game: str, rows: Sequence[Row], due: float | None = None) -> bool:
        """Add events, all of them; False if another process was first with this version.

        With them it is noted when the server itself has to look at the game at the latest, if it knows that already.
        """

        def work(connection: Connection) -> bool:
            if not self._add(connection, game, rows):
                return False
            if due is not None:
                due_now = case((GAMES.c.due <= due, GAMES.c.due), else_=due)
                # With the version, so that no process that is behind says that nothing is due.
                noted = update(GAMES).where(GAMES.c.game == game).values(due=due_now, version=rows[-1].version)
                connection.execute(noted)
            return True

        return await self.writer.do(work)

    def _add(self, connection: Connection, game: str, rows: Sequence[Row]) -> bool:
        """Who wins the first version has the others: nobody goes on from what is not committed."""
        first, *rest = [_values(game, row) for row in rows]
        if connection.execute(self._append, first).rowcount != 1:
            return False
        if rest:
            connection.execute(insert(EVENTS), rest)
        return True

    # --- seats ----------------------------------------------------------------------------

    async def take_seat(self, game: str, rows: Sequence[Row], keys: Sequence[str], invite: str | None) -> Outcome:
        """Somebody sits down, as the first of these events says; all invitations to the seat are used up."""
        seat, now = rows[0].event.seat, rows[0].at

        def work(connection: Connection) -> Outcome:
            free = is_free(connection, game, seat)
            outcome = Outcome.DONE if invite is None else opens(connection, invite, game, seat, FOR_SEAT, now)
            if outcome is not Outcome.DONE or not free:
                return outcome if outcome is not Outcome.DONE else Outcome.TAKEN
            if not self._add(connection, game, rows):
                return Outcome.OVERTAKEN
            use_up(connection, game, seat, now)
            for key in keys:
                give_key(connection, key, game, seat)
            self._begin(connection, game, rows)
            return Outcome.DONE

        return await self.writer.do(work)

    async def arrange(
        self, game: str, rows: Sequence[Row], seats: Sequence[SeatRow], places: Mapping[int, int]
    ) -> bool:
        """The seats as the first of these events says, with who moved where; False if another event was first."""

        def work(connection: Connection) -> bool:
            if not self._add(connection, game, rows):
                return False
            rearrange(connection, game, seats, places, rows[0].at)
            self._begin(connection, game, rows)
            return True

        return await self.writer.do(work)

    def _begin(self, connection: Connection, game: str, rows: Sequence[Row]) -> None:
        """With the last open seat the game begins."""
        if any(isinstance(row.event, Begun) for row in rows):
            change = update(GAMES).where(GAMES.c.game == game).values(status="playing", due=rows[0].at)
            connection.execute(change)

    async def add_device(self, game: str, seat: int, key: str, invite: str, now: float) -> Outcome:
        """A further key for a seat that is taken, by an invitation of its holder."""
        return await self.writer.do(lambda connection: add_device(connection, game, seat, key, invite, now))

    async def invite(self, invite: Invite, key: str) -> Outcome:
        """A fresh invitation, made by a key."""
        return await self.writer.do(lambda connection: add_invite(connection, invite, key))

    async def invited(self, invite: str) -> Invite | None:
        """An invitation by its hash."""
        return await self.read(lambda connection: find(connection, invite))

    async def invites(self, game: str, now: float) -> list[Invite]:
        """The invitations of a game that still open something."""
        return await self.read(lambda connection: open_invites(connection, game, now))

    async def revoke(self, invite: str) -> bool:
        """An invitation opens nothing any more; False if it was used already."""
        return await self.writer.do(lambda connection: revoke(connection, invite))

    async def secret(self, name: str, new: str) -> str:
        """What all processes on this store know: the first that asks decides it."""
        wanted = select(SECRETS.c.value).where(SECRETS.c.name == name)
        found = await self.read(lambda connection: connection.execute(wanted).scalar_one_or_none())
        if found is not None:
            return str(found)
        add = self._dialect.insert(SECRETS).values(name=name, value=new).on_conflict_do_nothing()

        def work(connection: Connection) -> str:
            connection.execute(add)
            return str(connection.execute(wanted).scalar_one())

        return await self.writer.do(work)

    async def check_writes(self) -> None:
        """Whether it can be written to: fails, or takes long, if not."""
        note = self._dialect.insert(SECRETS).values(name="health", value=str(time.time()))
        note = note.on_conflict_do_update(index_elements=["name"], set_={"value": note.excluded.value})
        await self.writer.do(lambda connection: connection.execute(note))

    async def has_seats(self, key: str) -> bool:
        """Whether somebody plays with a key."""
        seat = select(KEYS.c.key).where(KEYS.c.key == key).limit(1)
        return await self.read(lambda connection: connection.execute(seat).one_or_none() is not None)

    async def counts(self) -> dict[str, int]:
        """Games by status."""
        wanted = select(GAMES.c.status, func.count()).group_by(GAMES.c.status)
        return await self.read(lambda connection: {row[0]: row[1] for row in connection.execute(wanted)})


def _insert(
    connection: Connection,
    row: GameRow,
    seats: Sequence[SeatRow],
    keys: Sequence[tuple[str, int]],
    invites: Sequence[Invite],
    events: Sequence[Row],
) -> None:
    game = row.game
    connection.execute(insert(GAMES), row._asdict())
    connection.execute(insert(SEATS), [{"game": game, **seat._asdict()} for seat in seats])
    if keys:
        connection.execute(insert(KEYS), [{"key": key, "game": game, "seat": seat} for key, seat in keys])
    if invites:
        connection.execute(insert(INVITES), [invite._asdict() for invite in invites])
    if events:
        connection.execute(insert(EVENTS), [_values(game, event) for event in events])


def _values(game: str, row: Row) -> dict[str, object]:
    return {"game": game, **row._asdict(), "event": encode_event(row.event)}


def _events(connection: Connection, game: str, since: int) -> list[Row]:
    wanted = (
        select(EVENTS.c.version, EVENTS.c.event, EVENTS.c.at, EVENTS.c.message)
        .where(EVENTS.c.game == game, EVENTS.c.version > since)
        .order_by(EVENTS.c.version)
    )
    return [
        Row(version, decode_event(event), at, message) for version, event, at, message in connection.execute(wanted)
    ]


def _keys(connection: Connection, game: str) -> list[tuple[str, int]]:
    wanted = select(KEYS.c.key, KEYS.c.seat).where(KEYS.c.game == game)
    return [(key, seat) for key, seat in connection.execute(wanted)]
