"""Bots that these tests and the examples register are gone afterwards."""

import pytest

from projectl.bots import registry


@pytest.fixture(autouse=True)
def _own_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
