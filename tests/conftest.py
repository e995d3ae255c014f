"""Settings for all tests: the same examples every time where CI asks, new ones every time elsewhere."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from projectl.bots import registry

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
# The tests may run in the background, where Ctrl-C is for others: what they start hears it all the same.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _bots_are_forgotten() -> Iterator[None]:
    """A bot that a test or an example registers is known to nobody after it."""
    known = dict(registry._FACTORIES)
    yield
    registry._FACTORIES.clear()
    registry._FACTORIES.update(known)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The bare machine first: one long test, beside which all others run. In the short form (`make test SHORT=1`) the
    first test of each file.
    """
    items.sort(key=lambda item: item.path.name != "test_bare.py")
    if os.environ.get("PROJECTL_SHORT"):
        items[:] = {item.path: item for item in reversed(items)}.values()
        items.reverse()
