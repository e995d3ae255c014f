"""Async tests run on a loop whose clock can be moved; those that ask for a `house` find it open."""

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from projectl.server import thinkers
from tests.server.harness import House, Loop, Stage, new_store, run


@pytest.fixture(scope="session", autouse=True)
def quick_advice() -> Iterator[None]:
    """Nobody here needs good hints."""
    with mock.patch.object(thinkers, "ADVICE_SECONDS", 0.05):
        yield


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store."""
    return new_store(tmp_path_factory.mktemp("store") / "empty.db")


@pytest.fixture
def house(tmp_path: Path, template: Path) -> House:
    """A server on an empty store of its own."""
    return House(tmp_path / "games.db", template)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Iterator[Stage]:
    """One server for all examples of a module's property tests."""
    house = House(tmp_path_factory.mktemp("stage") / "games.db", template)
    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(house.open())
        yield Stage(house, runner)
        runner.run(house.close())


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run tests that are coroutines."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test) or pyfuncitem.get_closest_marker("anyio"):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}

    async def work() -> None:
        if isinstance(found := arguments.get("house"), House):
            async with found:
                await test(**arguments)
        else:
            await test(**arguments)

    run(work())
    return True
