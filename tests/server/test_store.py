"""The store: append only, one event for each version, durable before anybody hears of it, forms that follow forms."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, text

from projectl.core.rules import RULES_VERSION
from projectl.server.errors import StoreError
from projectl.server.games.events import Begun, Played, Rematched, Resigned, Said, SeatTaken, Undone
from projectl.server.store.migrate import _config, migrate
from projectl.server.store.schema import METADATA
from projectl.server.store.seating import FOR_SEAT, Invite, Outcome
from projectl.server.store.store import GameRow, GameStanding, Row, SeatRow, Store, address
from tests.server.harness import House, examples
from tests.server.test_protocol import turn

GAME = GameRow("g", 1.0, "format: 1\nplayers: 2\n", "salt", "{}", "maker", "playing", 0, None, RULES_VERSION)
SEATS = [SeatRow(1, "person", "Ana", "teal", ""), SeatRow(2, "open", "", "coral", "")]


@pytest.fixture
def store(tmp_path: Path, template: Path) -> Iterator[Store]:
    """An empty store."""
    path = tmp_path / "games.db"
    path.write_bytes(template.read_bytes())
    opened = Store(str(path))
    yield opened
    opened.close()


def row(version: int, action: str = "gain O1") -> Row:
    """An event."""
    return Row(version, Played(1, action), 2.0, f"m{version}")


def sits_down() -> list[Row]:
    """Bo takes seat 2, the last one."""
    return [Row(1, SeatTaken(2, "Bo", "coral"), 5.0, ""), Row(2, Begun(), 5.0, "")]


# --- events -----------------------------------------------------------------------------------


async def test_events_come_back_as_they_went_in(store: Store) -> None:
    await store.create(GAME, SEATS, [("hash", 1)], [Invite("invite", "g", 2, FOR_SEAT, 1.0, None)], [row(1)])
    assert await store.append("g", [row(2)])
    assert await store.append("g", [row(3)])
    stored = await store.load("g")
    assert stored is not None
    assert (stored.row, stored.seats, stored.keys) == (GAME, SEATS, [("hash", 1)])
    assert stored.events == [row(1), row(2), row(3)]
    assert await store.events("g", 1) == [row(2), row(3)]
    assert await store.load("other") is None


async def test_no_process_that_is_behind_says_that_nothing_is_due(store: Store) -> None:
    """Another one may be killed before it has said more than the event itself."""
    await store.create(GAME, SEATS, [], [], [])
    await store.append("g", [Row(1, Said(1, "a"), 1.0, "")], due=5.0)
    await store.set_standing("g", 0, GameStanding("playing", None, ""))
    assert await store.games_due(5.0) == ["g"]
    await store.append("g", [Row(2, Said(1, "b"), 2.0, "")], due=9.0)
    assert await store.games_due(5.0) == ["g"], "nor later than it was"
    await store.set_standing("g", 2, GameStanding("playing", None, ""))
    assert await store.games_due(9.0) == []


async def test_each_version_is_written_once(store: Store) -> None:
    await store.create(GAME, SEATS, [], [], [])
    found = await asyncio.gather(*(store.append("g", [row(1, f"gain {n}")]) for n in range(20)))
    assert sorted(found) == [False] * 19 + [True]
    assert len(await store.events("g", 0)) == 1
    assert not await store.append("g", [row(1)])


async def test_the_primary_key_is_game_and_version(store: Store) -> None:
    with closing(sqlite3.connect(str(store.url.database))) as raw:
        keys = {name for _, name, _, _, _, key in raw.execute("PRAGMA table_info(events)") if key}
    assert keys == {"game", "version"}


async def test_nothing_is_ever_changed_or_deleted(house: House) -> None:
    """Undo, resignations and rematches only add events."""
    with closing(sqlite3.connect(house.path)) as raw:
        for verb in ("UPDATE", "DELETE"):
            raw.execute(
                f"CREATE TRIGGER no_{verb} BEFORE {verb} ON events BEGIN SELECT RAISE(ABORT, 'append only'); END"
            )
        raw.commit()
    ana, bo = await house.pair(chat=True)
    await ana.play("gain O1")
    await ana.ask("undo", version=ana.version)
    await bo.ask("chat", text="again")
    await ana.play(*turn(1))
    await bo.ask("resign", version=ana.version)
    await house.visitor(ana.key).post(f"/api/tables/{ana.game}/rematch")
    events = await house.games.store.events(ana.game, 0)
    assert [row.version for row in events] == list(range(1, 11))
    assert [type(row.event) for row in events] == [
        SeatTaken, Begun, Played, Undone, Said, Played, Played, Played, Resigned, Rematched
    ]  # fmt: skip


async def test_an_event_is_durable_before_anybody_hears_of_it(house: House) -> None:
    ana, bo = await house.pair()
    seen: list[int] = []

    def look(data: bytes) -> None:
        with closing(sqlite3.connect(house.path)) as raw:
            seen.append(raw.execute("SELECT count(*) FROM events").fetchone()[0])

    for client in (ana, bo):
        client.connection.following[ana.game].push = look
        client.connection.push = look
    await ana.send(b'{"type": "act", "game": "%s", "id": "x", "version": 0, "action": "gain O1"}' % ana.game.encode())
    assert seen == [3, 3, 3]  # the states of both and the answer: two sat down, one played


async def test_commits_are_synced_to_disk(store: Store) -> None:
    found = await store.writer.do(
        lambda connection: [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    )
    assert found == ["wal", 2, 1]


async def test_many_writes_share_one_commit(store: Store) -> None:
    await store.create(GAME, SEATS, [], [], [])
    begin = store.writer.commits, store.writer.written
    stop = threading.Event()
    held = asyncio.ensure_future(store.writer.do(lambda _: stop.wait(10)))
    await asyncio.sleep(0)
    while not store.writer._queue.empty():  # until the writer holds it
        await asyncio.sleep(0.001)
    waiting = [asyncio.ensure_future(store.append("g", [row(n)])) for n in range(1, 51)]
    await asyncio.sleep(0)
    stop.set()
    assert all(await asyncio.gather(*waiting))
    await held
    assert store.writer.commits - begin[0] == 2
    assert store.writer.written - begin[1] == 51


async def test_one_write_that_fails_takes_no_other_with_it(store: Store) -> None:
    await store.create(GAME, SEATS, [], [], [])
    stop = threading.Event()
    held = asyncio.ensure_future(store.writer.do(lambda _: stop.wait(10)))
    await asyncio.sleep(0)
    while not store.writer._queue.empty():
        await asyncio.sleep(0.001)

    def broken(connection: Connection) -> None:
        connection.execute(text("INSERT INTO nowhere VALUES (1)"))

    waiting = [store.append("g", [row(1)]), store.writer.do(broken), store.append("g", [row(2)])]
    tasks = [asyncio.ensure_future(work) for work in waiting]
    await asyncio.sleep(0)
    stop.set()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    await held
    assert (found[0], found[2]) == (True, True)
    assert isinstance(found[1], Exception)
    assert len(await store.events("g", 0)) == 2


async def test_a_write_that_nobody_waits_for_any_more_hurts_nothing(store: Store) -> None:
    await store.create(GAME, SEATS, [], [], [])
    for version in range(1, 200):
        task = asyncio.ensure_future(store.append("g", [row(version)]))
        await asyncio.sleep(0 if version % 3 else 0.0005)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert await store.append("g", [row(1000)])
    assert store.writer._thread.is_alive()


async def test_a_table_is_made_whole_or_not_at_all(store: Store) -> None:
    with pytest.raises(Exception, match="UNIQUE"):
        await store.create(GAME, SEATS, [("hash", 1), ("hash", 1)], [], [])
    assert await store.load("g") is None
    await store.create(GAME, SEATS, [("hash", 1)], [], [])


# --- seats ------------------------------------------------------------------------------------


async def test_one_of_many_takes_the_seat(store: Store) -> None:
    await store.create(GAME, SEATS, [], [Invite("invite", "g", 2, FOR_SEAT, 1.0, None)], [])
    found = await asyncio.gather(
        *(store.take_seat("g", sits_down(), [f"key{n}"], None) for n in range(5)),
        *(store.take_seat("g", sits_down(), [f"key{n}"], "invite") for n in range(5, 10)),
    )
    assert found.count(Outcome.DONE) == 1
    stored = await store.load("g")
    assert stored is not None
    assert stored.events == sits_down()
    assert len(stored.keys) == 1
    invite = await store.invited("invite")
    assert invite is not None
    assert invite.used is not None


async def test_the_game_is_begun_with_its_last_seat(store: Store) -> None:
    """In the same transaction: a server that is killed at that moment finds a running game."""
    await store.create(GAME._replace(status="waiting"), SEATS, [], [], [])
    await store.take_seat("g", sits_down(), ["key"], None)
    stored = await store.load("g")
    assert stored is not None
    assert stored.row.status == "playing"
    assert await store.games_due(5.0) == ["g"]


# --- opening ----------------------------------------------------------------------------------


async def test_what_was_written_is_there_when_it_is_opened_again(store: Store, tmp_path: Path) -> None:
    await store.create(GAME, SEATS, [("hash", 1)], [], [row(1)])
    await store.append("g", [row(2)])
    store.close()
    again = Store(str(store.url.database))
    try:
        assert await again.events("g", 0) == [row(1), row(2)]
        assert again.backup is None
        assert await again.append("g", [row(3)])
    finally:
        again.close()


async def test_every_page_goes_on_after_a_restart(house: House) -> None:
    """Games of which some wait, some run, some are over."""
    visitor = house.visitor()
    before: dict[str, object] = {}
    for number in range(examples(30, 300)):
        players = 1 + number % 3
        made = await visitor.make(players=players, seats=[{"kind": "me"}] * min(players, 1 + number % 2))
        client = await visitor.at(made["game"])
        if client.table["status"] == "playing":
            await client.play(*turn(1)[: number % 4])
            if number % 10 == 5:
                await client.ask("resign", version=client.version)
        client.connection.gone()
        before[made["game"]] = await visitor.get(f"/api/tables/{made['game']}/state")
    key = visitor.key
    await house.restart()
    visitor = house.visitor(key)
    assert {game: await visitor.get(f"/api/tables/{game}/state") for game in before} == before


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("mysql://somewhere/games", "store-url"),
        ("://", "store-url"),
        ("sqlite:////no/such/folder/games.db", "store-open"),
    ],
)
def test_stores_that_cannot_be_opened(url: str, code: str) -> None:
    with pytest.raises(StoreError) as caught:
        Store(url)
    assert caught.value.code == code
    assert "\n" not in str(caught.value)


def test_a_plain_path_is_a_file_of_sqlite() -> None:
    assert address("games.db").render_as_string() == "sqlite:///games.db"
    assert address("postgresql://me:secret@host/games").drivername == "postgresql+psycopg"


def test_a_file_that_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"no database at all, but long enough to look like one" * 100)
    with pytest.raises(StoreError) as caught:
        Store(str(path))
    assert caught.value.code == "store-open"


# --- forms ------------------------------------------------------------------------------------


def old_store(path: Path, form: str) -> None:
    """A store as an older version of this program left it, with a game in it."""
    command.upgrade(_config(address(str(path))), form)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("INSERT INTO games (game, created, header, salt, plan, maker, status, public) VALUES "
                    "('g', 1.0, 'format: 1\nplayers: 1\n', 'salt', '{}', 'maker', 'playing', 0)")  # fmt: skip
        raw.execute("INSERT INTO seats VALUES ('g', 1, 'person', 'Ana', 'teal', '')")
        raw.execute("INSERT INTO events VALUES ('g', 1, 1, 'gain O1', 2.0, 'm1')")
        raw.commit()


async def test_an_older_store_is_brought_up_to_date_with_a_copy_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    old_store(path, "1")
    store = Store(str(path))
    try:
        stored = await store.load("g")
        assert stored is not None
        assert stored.events == [row(1)]
        assert await store.games_due(0.0) == ["g"]  # running games are looked at
        assert store.backup == tmp_path / "games.db.before-1"
    finally:
        store.close()
    with closing(sqlite3.connect(store.backup)) as copy:
        assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("1",)
        assert copy.execute("SELECT text FROM events").fetchall() == [("gain O1",)]
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    again = Store(str(path))
    again.close()
    assert again.backup is None


def test_a_copy_never_overwrites_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    old_store(path, "1")
    (tmp_path / "games.db.before-1").write_text("an older copy")
    assert migrate(address(str(path))) == tmp_path / "games.db.before-1-2"
    assert (tmp_path / "games.db.before-1").read_text() == "an older copy"


def test_a_new_store_needs_no_copy(tmp_path: Path) -> None:
    assert migrate(address(str(tmp_path / "games.db"))) is None
    assert migrate(address(str(tmp_path / "games.db"))) is None


def test_a_store_of_a_newer_program_is_left_alone(tmp_path: Path, template: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(template.read_bytes())
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '999'")
        raw.commit()
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        Store(str(path))
    assert caught.value.code == "store-newer"
    assert path.read_bytes() == before


def test_the_forms_lead_to_what_the_program_expects(template: Path) -> None:
    engine = create_engine(f"sqlite:///{template}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()
