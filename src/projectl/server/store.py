"""The store: headers and events, durable before anybody hears of them. SQLite, or PostgreSQL by its address."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    and_,
    create_engine,
    delete,
    event,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from projectl.server.errors import StoreError
from projectl.server.migrate import migrate
from projectl.server.schema import EVENTS, GAMES, INVITES, KEYS, SEATS
from projectl.server.writer import Writer

T = TypeVar("T")
MOST_LISTED: Final = 100


class Row(NamedTuple):
    """An event as it is stored."""

    version: int
    seat: int
    text: str
    at: float
    message: str


class SeatRow(NamedTuple):
    """A seat as it is stored."""

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
    rematch: str | None
    due: float | None


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
    except ArgumentError:
        raise StoreError("store-url", f"this is no address of a store: {url[:60]!r}") from None
    name = found.get_backend_name()
    if name == "postgresql":
        return found.set(drivername="postgresql+psycopg")
    if name != "sqlite":
        raise StoreError("store-url", f"a store is sqlite:///FILE or postgresql://…, found {name[:20]!r}")
    return found


def connect(url: URL, *, writes: bool) -> Engine:
    """An engine for the writer thread, or for readers."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=1 if writes else 4, pool_pre_ping=True)
    engine = create_engine(url, pool_size=1 if writes else 4)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so, below
        for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


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
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise StoreError(
                "store-open", f"the store {self.url.render_as_string()} cannot be used: {reason}"
            ) from None
        self.writer = Writer(self._write_engine)
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="store-reader")
        dialect = postgresql if self.url.get_backend_name() == "postgresql" else sqlite
        self._append = dialect.insert(EVENTS).on_conflict_do_nothing().execution_options(preserve_rowcount=True)

    def close(self) -> None:
        """Write what waits and let go."""
        self.writer.close()
        self._readers.shutdown()
        self._read_engine.dispose()
        self._write_engine.dispose()

    async def _read(self, work: Callable[[Connection], T]) -> T:
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
        invites: Sequence[tuple[str, int]],
        events: Sequence[Row],
    ) -> None:
        """A new table, with all that belongs to it, or nothing."""
        game = row.game

        def work(connection: Connection) -> None:
            connection.execute(insert(GAMES), row._asdict())
            connection.execute(insert(SEATS), [{"game": game, **seat._asdict()} for seat in seats])
            if keys:
                connection.execute(insert(KEYS), [{"key": key, "game": game, "seat": seat} for key, seat in keys])
            if invites:
                rows = [{"invite": invite, "game": game, "seat": seat} for invite, seat in invites]
                connection.execute(insert(INVITES), rows)
            if events:
                connection.execute(insert(EVENTS), [{"game": game, **happened._asdict()} for happened in events])

        await self.writer.do(work)

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
            keys = connection.execute(select(KEYS.c.key, KEYS.c.seat).where(KEYS.c.game == game))
            return Stored(
                GameRow(*found),
                [SeatRow(*seat) for seat in seats],
                [(key, seat) for key, seat in keys],
                _events(connection, game, 0),
            )

        return await self._read(work)

    async def events(self, game: str, since: int) -> list[Row]:
        """What happened after a version."""
        return await self._read(lambda connection: _events(connection, game, since))

    async def open_tables(self) -> list[str]:
        """Public games that wait for players, the newest first."""
        wanted = (
            select(GAMES.c.game)
            .where(GAMES.c.public == 1, GAMES.c.status == "waiting")
            .order_by(GAMES.c.created.desc())
            .limit(MOST_LISTED)
        )
        return await self._read(lambda connection: list(connection.execute(wanted).scalars()))

    async def games_of(self, key: str) -> list[str]:
        """The games in which a key has a seat, the newest first."""
        wanted = (
            select(GAMES.c.game)
            .where(GAMES.c.game.in_(select(KEYS.c.game).where(KEYS.c.key == key)))
            .order_by(GAMES.c.created.desc())
            .limit(MOST_LISTED)
        )
        return await self._read(lambda connection: list(connection.execute(wanted).scalars()))

    async def games_due(self, now: float) -> list[str]:
        """Games in which the server itself has something to do by now."""
        wanted = select(GAMES.c.game).where(GAMES.c.due <= now, GAMES.c.status == "playing").limit(MOST_LISTED)
        return await self._read(lambda connection: list(connection.execute(wanted).scalars()))

    async def all_games(self) -> list[str]:
        """Every game, the oldest first."""
        wanted = select(GAMES.c.game).order_by(GAMES.c.created, GAMES.c.game)
        return await self._read(lambda connection: list(connection.execute(wanted).scalars()))

    async def set_status(self, game: str, status: str, due: float | None) -> None:
        """How a game stands, and when the server has to look at it again."""
        change = update(GAMES).where(GAMES.c.game == game).values(status=status, due=due)
        await self.writer.do(lambda connection: connection.execute(change))

    async def set_rematch(self, game: str, rematch: str) -> str:
        """Note the game that follows; the first one to ask decides which."""

        def work(connection: Connection) -> str:
            connection.execute(
                update(GAMES).where(and_(GAMES.c.game == game, GAMES.c.rematch.is_(None))).values(rematch=rematch)
            )
            return str(connection.execute(select(GAMES.c.rematch).where(GAMES.c.game == game)).scalar_one())

        return await self.writer.do(work)

    # --- events ---------------------------------------------------------------------------

    async def append(self, game: str, row: Row) -> bool:
        """Add an event; False if another process was first with this version."""
        values = {"game": game, **row._asdict()}
        return await self.writer.do(lambda connection: connection.execute(self._append, values).rowcount == 1)

    # --- seats ----------------------------------------------------------------------------

    async def take_seat(self, game: str, seat: SeatRow, key: str, invite: str | None, now: float) -> bool:
        """Give a seat to a key; with an invitation, which is used up. False if somebody was quicker."""

        def work(connection: Connection) -> bool:
            if invite is not None:
                used = update(INVITES).where(INVITES.c.invite == invite, INVITES.c.used.is_(None)).values(used=now)
                if connection.execute(used).rowcount != 1:
                    return False
            here = and_(SEATS.c.game == game, SEATS.c.seat == seat.seat)
            kind = connection.execute(select(SEATS.c.kind).where(here).with_for_update()).scalar_one_or_none()
            if kind == "open":
                connection.execute(update(SEATS).where(here).values(**seat._asdict()))
                others = and_(INVITES.c.game == game, INVITES.c.seat == seat.seat, INVITES.c.used.is_(None))
                connection.execute(update(INVITES).where(others).values(used=now))  # nobody comes after them
                waiting = select(SEATS.c.seat).where(SEATS.c.game == game, SEATS.c.kind == "open").exists()
                begun = update(GAMES).where(GAMES.c.game == game, ~waiting).values(status="playing", due=now)
                connection.execute(begun)
            elif kind != "person" or invite is None:
                return False
            mine = and_(KEYS.c.key == key, KEYS.c.game == game, KEYS.c.seat == seat.seat)
            connection.execute(delete(KEYS).where(mine))
            connection.execute(insert(KEYS), {"key": key, "game": game, "seat": seat.seat})
            return True

        return await self.writer.do(work)

    async def invite(self, invite: str, game: str, seat: int) -> None:
        """A fresh invitation for a seat."""
        await self.writer.do(
            lambda connection: connection.execute(insert(INVITES), {"invite": invite, "game": game, "seat": seat})
        )

    async def invited(self, invite: str) -> tuple[str, int, bool] | None:
        """The game and seat of an invitation, and whether it has been used."""
        wanted = select(INVITES.c.game, INVITES.c.seat, INVITES.c.used).where(INVITES.c.invite == invite)
        found = await self._read(lambda connection: connection.execute(wanted).one_or_none())
        return None if found is None else (found[0], found[1], found[2] is not None)

    async def counts(self) -> dict[str, int]:
        """Games by status, for the metrics."""
        wanted = select(GAMES.c.status, func.count()).group_by(GAMES.c.status)
        return await self._read(lambda connection: {row[0]: row[1] for row in connection.execute(wanted)})


def _events(connection: Connection, game: str, since: int) -> list[Row]:
    wanted = (
        select(EVENTS.c.version, EVENTS.c.seat, EVENTS.c.text, EVENTS.c.at, EVENTS.c.message)
        .where(EVENTS.c.game == game, EVENTS.c.version > since)
        .order_by(EVENTS.c.version)
    )
    return [Row(*row) for row in connection.execute(wanted)]
