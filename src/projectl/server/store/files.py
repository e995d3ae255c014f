"""The file of an SQLite store: for its owner alone, and for one server, or for several that hear each other."""

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import URL

from projectl.server.errors import StoreError

try:
    import fcntl
except ImportError:  # Windows: there it is left to whoever starts servers
    fcntl = None  # type: ignore[assignment]


def file_of(url: URL) -> Path | None:
    """The file, if the store is one."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def for_its_owner(path: Path) -> None:
    """Nobody else on this machine reads it: seeds and salts of running games are in it. What SQLite lays beside it has
    the same mode."""
    with contextlib.suppress(OSError):  # it is there, or cannot be, which opening it will say better
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with contextlib.suppress(OSError):  # somebody else's: whoever may write it, may go on
        for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
            if name.exists() and name.stat().st_mode & 0o077:
                name.chmod(0o600)


@contextmanager
def held(url: URL, *, together: bool) -> Iterator[None]:
    """While a server runs. Servers that hear each other on a bus hold a file together, any other one alone."""
    path = file_of(url)
    if path is None or fcntl is None:
        yield
        return
    with open(f"{path}.lock", "a", opener=lambda name, flags: os.open(name, flags, 0o600)) as lock:
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if together else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            sentence = f"another server uses {path}: end it, or let both hear each other on a bus (--bus redis://…)"
            raise StoreError("store-in-use", sentence) from None
        yield
