"""How a server is run. `projectl serve` writes them, its processes read them."""

import os
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec import Struct

_VARIABLE: Final = "PROJECTL_SERVER"


def default_store() -> str:
    """An SQLite file in the user's own data folder."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return f"sqlite:///{Path(home) / 'projectl' / 'games.db'}"


class Settings(Struct, frozen=True, omit_defaults=True):
    """All of them."""

    store: str
    bus: str | None = None
    thinkers: int | None = None  # processes for bots; None: by the number of cores
    bot_pause: float = 0.0  # seconds that a bot takes at least, so that people can follow
    origins: tuple[str, ...] = ()  # of pages on other addresses that may use this server

    def to_environment(self) -> None:
        """Leave them to the processes that will be started."""
        os.environ[_VARIABLE] = msgspec.json.encode(self).decode()

    @classmethod
    def from_environment(cls) -> Self:
        """As they were left."""
        return msgspec.json.decode(os.environ[_VARIABLE], type=cls)
