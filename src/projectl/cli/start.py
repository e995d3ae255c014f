"""A server that is about to start: where it would listen and keep its games, and what would be in its way."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

import typer

import projectl
from projectl.cli.endings import REFUSED
from projectl.core.errors import ProjectLError, Unreadable
from projectl.server.errors import StoreError

if TYPE_CHECKING:  # other commands do not wait for the server's libraries
    from sqlalchemy.engine import URL

    from projectl.server.settings import Settings

INTERPRETED: Final = (
    "The rules run as plain Python, so bots think less deeply: a C compiler and Python's headers "
    "(Debian: gcc python3-dev), then installing again, make them many times faster."
)


class AddressError(ProjectLError):
    """The server cannot listen there."""

    kind = "address"


class Start(NamedTuple):
    """A server that is about to start."""

    host: str
    port: int
    workers: int
    log_level: str
    store: URL
    passing: bool  # its games lie among the temporary files, for want of a better place
    settings: Settings

    @property
    def link(self) -> str:
        """Where this machine reaches it."""
        from projectl.server.addresses import EVERYWHERE, link

        return link("localhost" if self.host == "127.0.0.1" else EVERYWHERE.get(self.host, self.host), self.port)

    @property
    def reached(self) -> list[str]:
        """Where others reach it."""
        return [self.settings.public_url] if self.settings.public_url else list(self.settings.addresses)


def migrated(url: URL) -> Path | None:
    """Bring the store to the present form; the copy that was made before, if one was."""
    from sqlalchemy.exc import SQLAlchemyError

    from projectl.server.store.migrate import migrate

    try:
        return migrate(url)
    except (SQLAlchemyError, OSError) as error:
        raise _unusable(url, error) from None


def _unusable(url: URL, error: Exception) -> StoreError:
    from projectl.server.store.store import reason

    return StoreError("store-open", f"the store {shown_store(url)} cannot be used: {reason(error)}")


def shown_store(url: URL) -> str:
    """The address as it was given, without its password."""
    return url.set(drivername=url.get_backend_name()).render_as_string()


def free_port(host: str) -> int:
    """A port that nobody listens on."""
    with _bound(host, 0) as free:
        return int(free.getsockname()[1])


def check_free(host: str, port: int) -> None:
    """Refuse what cannot be listened on."""
    _bound(host, port).close()


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens there, or the reason why none can."""
    from projectl.server.addresses import family

    found = socket.socket(family(host))
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise AddressError("port", _why_not(host, port, error)) from None
    return found


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is in use; choose another --port, or end what listens there"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine; --host 0.0.0.0 listens on all that it has"
    if error.errno == errno.EACCES:
        return f"port {port} is kept for the system; choose a --port from 1024"
    return f"{host} cannot be listened on at port {port}: {error.strerror}"


def collector(address: str) -> str:
    """Where traces go, if something can be sent there."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        sentence = f"--traces is the address of a collector, as http://localhost:4318, found {address[:60]!r}"
        raise Unreadable("traces", sentence)
    if not all(find_spec(name) for name in ("opentelemetry.sdk", "opentelemetry.exporter")):
        sentence = "traces need OpenTelemetry's SDK, which `pip install 'projectl[traces]'` brings"
        raise StoreError("traces-missing", sentence)
    return address.rstrip("/")


# --- what it would do -------------------------------------------------------------------------


def show_start(start: Start, origins: Mapping[str, str], unknown: Sequence[str]) -> None:
    """Print the settings with where they come from, then what a start would do or why it could not."""
    shown = _shown(start)
    width = max(map(len, shown))
    for name, value in shown.items():
        typer.echo(f"{name:{width}}  {value or '-'}  ({origins.get(name, 'default')})")
    typer.echo("")
    for name in unknown:
        typer.echo(f"{name} stands in the environment, but there is no such setting.")
    wrong = [error for look in (_address, _store, _bus, _archive, _programs) if (error := _tried(look, start))]
    for error in wrong:
        typer.echo(str(error), err=True)
    if wrong:
        raise typer.Exit(REFUSED)
    typer.echo("Nothing is in the way of a start.")


def _shown(start: Start) -> dict[str, str]:
    """The settings as text; passwords are left out."""
    from projectl.server.bus import shown_bus

    given = start.settings
    return {
        "host": start.host,
        "port": str(start.port),
        "store": shown_store(start.store),
        "bus": shown_bus(given.bus) if given.bus else "",
        "workers": str(start.workers),
        "bots": str(given.thinkers or "by the number of cores"),
        "bot-pause": f"{given.bot_pause:g}",
        "origin": " ".join(given.origins),
        "public-url": given.public_url,
        "trusted-proxy": " ".join(given.trusted_proxies),
        "log-level": start.log_level,
        "traces": given.traces,
        "expire-waiting": f"{given.policy.waiting:g}",
        "expire-idle": f"{given.policy.idle:g}",
        "keep-finished": f"{given.policy.finished:g}",
        "archive": given.policy.archive,
    }


def _tried(look: Callable[[Start], str], start: Start) -> ProjectLError | None:
    try:
        typer.echo(look(start))
    except ProjectLError as error:
        return error
    return None


def _address(start: Start) -> str:
    check_free(start.host, start.port)
    others = f", by others at {' '.join(start.reached)}" if start.reached else ", by this machine alone"
    return f"It would be reached at {start.link}{others}."


def _store(start: Start) -> str:
    from sqlalchemy.exc import SQLAlchemyError

    from projectl.server.store.migrate import forms

    url = start.store
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        return _new_file(Path(url.database))
    try:
        present, newest = forms(url)
    except (SQLAlchemyError, OSError) as error:
        raise _unusable(url, error) from None
    if present == newest:
        return f"The store has the present form ({newest})."
    if present is None:
        return f"The store is empty; its tables would be made (form {newest})."
    copied = "copied first and " if url.get_backend_name() == "sqlite" else ""
    return f"The store has form {present}; it would be {copied}brought to form {newest}."


def _new_file(path: Path) -> str:
    if there := _closed(path.absolute().parent):
        raise StoreError("store-open", f"the store {path} cannot be made: {there} cannot be written to")
    return f"The store {path} would be made."


def _closed(folder: Path) -> Path | None:
    """What keeps a folder from being written to, or from being made; none if nothing does."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return None if there.is_dir() and os.access(there, os.W_OK) else there


def check_archive(folder: str) -> None:
    """Refuse an archive that no record could be written to."""
    if folder and (there := _closed(Path(folder).absolute())):
        raise Unreadable("archive", f"--archive {folder} cannot be used: {there} cannot be written to")


def _archive(start: Start) -> str:
    policy = start.settings.policy
    check_archive(policy.archive)
    if not policy.finished:
        return "Finished games are kept."
    return f"Finished games would go to {policy.archive} after {policy.finished:g} days."


def _bus(start: Start) -> str:
    from projectl.server.bus import check_bus

    if not start.settings.bus:
        return "No bus: one process serves."
    asyncio.run(check_bus(start.settings.bus))
    return f"The bus answers; {start.workers} process{'es' if start.workers > 1 else ''} would serve."


def _programs(start: Start) -> str:
    from projectl.server.http.page import DOCS, FOLDER

    engine = "compiled" if projectl.compiled() else "interpreted, which makes bots weaker"
    page = "there" if FOLDER.is_dir() else "missing: only the API would be served"
    docs = "there" if DOCS.is_dir() else "missing"
    return f"Version {projectl.__version__}; the engine is {engine}, the page is {page}, the documentation is {docs}."
