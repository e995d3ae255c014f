"""How a server is run. `projectl serve` writes them, its processes read them."""

import os
import tempfile
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec import Struct
from platformdirs import user_data_path

from projectl.server.errors import StoreError
from projectl.server.games.upkeep import Policy

_VARIABLE: Final = "PROJECTL_SERVER"


def default_store() -> str:
    """An SQLite file in the user's own data folder; where that cannot be written, in one that may be cleared."""
    return f"sqlite:///{(_own_folder() if own_folder_can_be_written() else _passing_folder()) / 'games.db'}"


def _own_folder() -> Path:
    return user_data_path("projectl", appauthor=False)


def own_folder_can_be_written() -> bool:
    """Whether games can be kept where a user's data belong."""
    folder = _own_folder()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return os.access(there, os.W_OK)


def _passing_folder() -> Path:
    """A folder for this user alone among the temporary ones, the same every time."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"projectl-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or folder.stat().st_uid != user:
        raise StoreError("store-open", f"{folder} belongs to somebody else; --store FILE keeps the games elsewhere")
    return folder


class Settings(Struct, frozen=True, omit_defaults=True):
    """All of them."""

    store: str
    bus: str | None = None
    thinkers: int | None = None  # processes for bots; None: by the number of cores
    bot_pause: float = 0.0  # seconds that a bot takes at least, so that people can follow
    origins: tuple[str, ...] = ()  # of pages on other addresses that may use this server
    addresses: tuple[str, ...] = ()  # links under which other machines reach it, the likeliest first
    public_url: str = ""  # where people reach it, if somebody said so
    policy: Policy = Policy()  # when old games go
    trusted_proxies: tuple[str, ...] = ()  # that are believed when they say who asks; none: those of this machine

    traces: str = ""  # the collector that spans are sent to; none: nothing is traced

    def to_environment(self) -> None:
        """Leave them to the processes that will be started."""
        os.environ[_VARIABLE] = msgspec.json.encode(self).decode()

    @classmethod
    def from_environment(cls) -> Self:
        """As they were left."""
        return msgspec.json.decode(os.environ[_VARIABLE], type=cls)
