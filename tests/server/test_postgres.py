"""One behaviour, two stores: SQLite and a real PostgreSQL, which the tests start themselves."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.exc import SQLAlchemyError

from projectl.server.errors import StoreError
from projectl.server.store.store import Store
from tests.server import store_behaviour
from tests.server.processes import Postgres
from tests.server.store_behaviour import BEHAVIOURS, Behaviour, happened, make, opened


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of this file."""
    with Postgres() as found:
        yield found


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda behaviour: behaviour.__name__)
def test_sqlite(behaviour: Behaviour, tmp_path: Path) -> None:
    asyncio.run(_run(behaviour, f"sqlite:///{tmp_path / 'games.db'}"))


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda behaviour: behaviour.__name__)
def test_postgresql(behaviour: Behaviour, postgres: Postgres) -> None:
    asyncio.run(_run(behaviour, postgres.database()))


async def _run(behaviour: Behaviour, url: str) -> None:
    await behaviour(url)


def test_every_behaviour_is_run() -> None:
    written = [
        name
        for name, found in vars(store_behaviour).items()
        if asyncio.iscoroutinefunction(found) and found.__code__.co_varnames[:1] == ("url",) and name[0] != "_"
    ]
    assert sorted(written) == sorted(behaviour.__name__ for behaviour in BEHAVIOURS)


def test_the_store_goes_on_when_postgresql_comes_back(postgres: Postgres) -> None:
    async def play(url: str) -> None:
        async with opened(url) as [store]:
            await make(store, "g")
            assert await store.append("g", [happened(1)])
            postgres.stop()
            with pytest.raises(SQLAlchemyError):
                await store.append("g", [happened(2)])
            with pytest.raises(SQLAlchemyError):
                await store.load("g")
            postgres.start()
            assert await store.append("g", [happened(2)])
            assert [row.version for row in await store.events("g", 0)] == [1, 2]

    asyncio.run(play(postgres.database()))


def test_a_store_that_cannot_be_opened_says_why_and_keeps_the_password(postgres: Postgres) -> None:
    missing = postgres.database().replace("?", "_not?")
    with pytest.raises(StoreError, match="cannot be used") as caught:
        Store(missing.replace("projectl@", "projectl:geheim@"))
    assert caught.value.code == "store-open"
    assert "geheim" not in caught.value.sentence
