"""Settings for all tests: the same examples every time where CI asks, new ones every time elsewhere."""

import os

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In the short form (`make test SHORT=1`) the first test of each file."""
    if os.environ.get("PROJECTL_SHORT"):
        items[:] = {item.path: item for item in reversed(items)}.values()
        items.reverse()
