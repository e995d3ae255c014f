"""What nobody can do to a fleet: found by running one behind a proxy, while one thing after another went wrong."""

import asyncio
from typing import Any

import pytest
from msgspec import Raw
from sqlalchemy.exc import OperationalError

from projectl.server.bus import News, RedisBus, Told
from projectl.server.games.events import Said, encode_event
from projectl.server.store.store import Row
from projectl.server.tasks import Tasks
from tests.server.harness import House, until
from tests.server.processes import ME


class Deaf:
    """Something that loses the first cancellations, as a library may."""

    def __init__(self, times: int) -> None:
        self.times = times

    async def goes_on(self) -> None:
        """Until it is cancelled once more than it loses."""
        while True:
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                self.times -= 1
                if self.times < 0:
                    raise


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that goes on is soon cancelled once more."""
    monkeypatch.setattr("projectl.server.tasks._AGAIN", 0.01)


@pytest.mark.usefixtures("hurried")
async def test_no_task_that_loses_a_cancellation_keeps_a_server_from_stopping() -> None:
    tasks, deaf = Tasks(), Deaf(3)
    tasks.spawn(deaf.goes_on())
    await asyncio.sleep(0)
    async with asyncio.timeout(5):
        await tasks.close()
    assert deaf.times < 0, "it was cancelled once more than it lost"


@pytest.mark.usefixtures("hurried")
async def test_no_bus_that_loses_a_cancellation_keeps_a_server_from_stopping(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = RedisBus("redis://127.0.0.1:1/0")
    publishing = asyncio.Event()

    async def publish(*_: object) -> None:
        publishing.set()
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            return  # as the driver does when its answer comes in that very moment

    monkeypatch.setattr(bus._redis, "publish", publish)
    await bus.start(_nobody)
    bus.publish(News("one", "game"))
    async with asyncio.timeout(5):
        await publishing.wait()
        await bus.close()
    assert all(task.done() for task in bus._tasks)


async def _nobody(news: News) -> None:
    pass


async def test_no_bus_is_called_ill_because_the_store_is_away_and_nothing_is_missed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process said meanwhile is looked for in the store when it is back."""
    monkeypatch.setattr("projectl.server.games.memory.POLL", 0.01)
    games = house.games
    made = await house.visitor().make(players=2, seats=[ME, ME])
    live = await games.get(made["game"])
    asked: list[str] = []

    async def away(*_: object) -> Any:
        asked.append("events")
        raise OperationalError("the store is away", {}, Exception())

    with monkeypatch.context() as broken:
        broken.setattr(games.store, "events", away)
        await games._take_in(News("another", live.room.id))
    assert asked == ["events"]
    assert games._missed
    await until(lambda: not games._missed)


async def test_nobody_has_the_store_asked_by_coming_and_going_at_another_process(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = house.games
    made = await house.visitor().make(players=2, seats=[ME, ME])
    spectator = house.client()
    await spectator.watch(made["game"])
    asked: list[object] = []
    monkeypatch.setattr(games.store, "read", asked.append)
    for seats in ([1], [1, 2], [1, 2], [], [1]):
        await games._take_in(News("another", made["game"], online=seats))
    assert not asked
    assert len(spectator.messages("table")) == 4, "who hears of it hears of changes alone"
    assert [seat.get("online", False) for seat in spectator.table["seats"]] == [True, False]


async def test_nobody_has_the_store_asked_by_playing_at_another_process(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it tells goes on from what is known here. Where something is missing before it, the store is asked."""
    games = house.games
    made = await house.visitor().make(players=2, seats=[ME, ME], chat=True)
    game, spectator = made["game"], house.client()
    await spectator.watch(game)
    version = spectator.version
    words = [Row(version + n, Said(1, f"word {n}"), float(n), f"m{n}") for n in (1, 2, 3)]
    told = [Told(row.version, Raw(encode_event(row.event).encode()), row.at, row.message) for row in words]
    asked: list[str] = []
    ask = games.store.events

    async def asks(name: str, since: int) -> list[Row]:
        asked.append(name)
        return await ask(name, since)

    monkeypatch.setattr(games.store, "events", asks)
    await games._take_in(News("another", game, told[:1]))
    await games._take_in(News("another", game, told[:2]))
    await games._take_in(News("another", game, told[:1]))
    assert not asked
    assert spectator.texts() == ["1 say word 1", "1 say word 2"], "each once"
    assert games.live[game].room.ids[1, "m2"] == version + 2, "who says it again is answered"
    await games.store.append(game, words)
    await games._take_in(News("another", game, [Told(version + 4, told[2].event, 4.0, "m4")]))
    assert asked == [game]
    assert spectator.texts()[2:] == ["1 say word 3"], "as far as it is stored"


async def test_nobody_waits_for_an_action_that_was_stored_while_the_store_fell_silent(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its player is told that something went wrong; that it is there all the same shows when the store answers."""
    ana, bo = await house.pair()
    games = house.games
    append = games.store.append

    async def cut_off(*what: Any) -> bool:
        await append(*what)
        raise OperationalError("the line broke", {}, Exception())

    player = next(client for client in (ana, bo) if client.state.get("legal"))
    version, action = player.version, next(iter(player.state["legal"].values()))[0]
    with monkeypatch.context() as broken:
        broken.setattr(games.store, "append", cut_off)
        answer = await player.act(action)
    assert answer["code"] == "server"
    assert player.version == version
    await until(lambda: (ana.version, bo.version) == (version + 1, version + 1))


async def test_nobody_waits_for_news_that_were_never_sent(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a process is ended between storing something and saying so."""
    monkeypatch.setattr("projectl.server.games.memory.POLL", 0.01)
    monkeypatch.setattr("projectl.server.games.memory.ANYWAY", 1)
    made = await house.visitor().make(players=2, seats=[ME, ME], chat=True)
    spectator = house.client()
    await spectator.watch(made["game"])
    version = spectator.version
    await house.games.store.append(made["game"], [Row(version + 1, Said(1, "hello"), 1.0, "elsewhere")])
    await until(lambda: spectator.version == version + 1)
    assert [one["event"]["type"] for one in spectator.state["events"]] == ["said"]


async def test_no_table_is_forgotten_by_the_lists_because_the_store_was_away_for_a_moment(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projectl.server.games.memory.SWEEP", 0.01)
    ana, _ = await house.pair()
    store = house.games.store
    set_standing, failed = store.set_standing, asyncio.Event()

    async def away(*_: object) -> None:
        failed.set()
        raise OperationalError("the store is away", {}, Exception())

    with monkeypatch.context() as broken:
        broken.setattr(store, "set_standing", away)
        answer = await ana.ask("resign", version=ana.version)
        assert answer["type"] == "done"
        await failed.wait()
    assert store.set_standing == set_standing

    async def noted() -> bool:
        stored = await store.load(ana.game)
        return stored is not None and stored.row.status == "over"

    await until(noted)


async def test_nobody_fills_the_log_by_leaving_before_they_are_greeted(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        raise OSError("the client has gone")

    scope = {"type": "websocket", "path": "/api/socket", "scheme": "ws", "headers": [(b"host", b"table.example")]}
    await house.server(scope, receive, send)
    assert not [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]


async def test_nobody_fills_the_log_while_the_store_is_away(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However much is asked meanwhile, it has a line now and then, which says how often and why."""
    ana, bo = await house.pair()
    store = house.games.store

    async def away(*_: object, **__: object) -> Any:
        raise OperationalError("SELECT 1", {}, Exception("the database system is shutting down\nand more"))

    player = next(client for client in (ana, bo) if client.state.get("legal"))
    action = next(iter(player.state["legal"].values()))[0]
    with monkeypatch.context() as broken:
        broken.setattr(store, "append", away)
        broken.setattr(store, "read", away)
        answers = [await player.act(action) for _ in range(20)]
        visitor = house.visitor()
        pages = [await visitor.http.get("/api/tables") for _ in range(20)]
    assert {answer["code"] for answer in answers} == {page.json()["code"] for page in pages} == {"server"}
    complaints = [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    assert [record.getMessage() for record in complaints] == ["the store failed: the database system is shutting down"]
    assert not any(record.exc_info for record in complaints)
