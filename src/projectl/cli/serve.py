"""`projectl serve`: the game server."""

import asyncio
import errno
import socket
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

import projectl
from projectl.core.errors import ProjectLError, Unreadable
from projectl.server.errors import StoreError

LOG_LEVELS: Final = ("debug", "info", "warning", "error")


class AddressError(ProjectLError):
    """The server cannot listen there."""

    kind = "address"


def log_levels(incomplete: str) -> list[str]:
    """The levels that begin so."""
    return [level for level in LOG_LEVELS if level.startswith(incomplete)]


INTERPRETED: Final = (
    "The rules run as plain Python, so bots think less deeply: a C compiler and Python's headers "
    "(Debian: gcc python3-dev), then installing again, make them many times faster."
)


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 is all of them, :: all of IPv6.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8765,
    store: Annotated[str, typer.Option(help="sqlite:///FILE or postgresql://…; by default a file of yours.")] = "",
    bus: Annotated[str, typer.Option(help="redis://… (Valkey too), needed with more than one process.")] = "",
    workers: Annotated[int, typer.Option(help="Server processes.", min=1, max=64)] = 1,
    bots: Annotated[int, typer.Option(help="Processes for bots; 0: by the number of cores.", min=0, max=64)] = 0,
    bot_pause: Annotated[
        float, typer.Option(min=0, max=60, help="Seconds a bot takes at least, so that people can follow.")
    ] = 0.4,
    origin: Annotated[list[str] | None, typer.Option(help="A further address whose pages may use this server.")] = None,
    public_url: Annotated[
        str, typer.Option(metavar="URL", help="Where people reach it, if that is another address; invitations use it.")
    ] = "",
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.", autocompletion=log_levels)] = "info",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the page and the games."""
    import uvicorn  # only this command needs the server

    from projectl.server import logs
    from projectl.server.addresses import EVERYWHERE, link, links, public_link
    from projectl.server.bus import check_bus
    from projectl.server.http.messages import MOST_BYTES
    from projectl.server.settings import Settings, default_store, own_folder_can_be_written
    from projectl.server.store.store import address

    if workers > 1 and not bus:
        raise StoreError("bus-needed", "several processes need a bus to hear of each other: --bus redis://…")
    if log_level not in LOG_LEVELS:
        raise Unreadable("log-level", f"a log level is debug, info, warning or error, found {log_level[:20]!r}")
    public = public_link(public_url) if public_url else ""
    port = port or _free_port(host)
    _check_free(host, port)
    url = address(store or default_store())
    if url.get_backend_name() == "sqlite" and url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    if bus:
        asyncio.run(check_bus(bus))
    copy = _migrated(url)
    if copy is not None:
        typer.echo(f"The store was brought up to date; a copy of it as it was is {copy}", err=True)
    reached = links(host, port)
    Settings(
        url.render_as_string(hide_password=False),
        bus or None,
        bots or None,
        bot_pause,
        tuple(origin or ()),
        reached,
        public,
    ).to_environment()
    shown = link("localhost" if host == "127.0.0.1" else EVERYWHERE.get(host, host), port)
    typer.echo(f"Project L is at {shown} (Ctrl-C ends it)", err=True)
    if not store and not own_folder_can_be_written():
        typer.echo(f"Your home cannot be written to: the games are in {url.database} for now (--store)", err=True)
    if not projectl.compiled():
        typer.echo(INTERPRETED, err=True)
    _invite([public] if public else list(reached), host)
    if open_page:
        threading.Thread(target=_open_when_ready, args=(shown,), daemon=True).start()
    uvicorn.run(
        "projectl.server.http.app:create",
        factory=True,
        host=host,
        port=port,
        workers=workers if workers > 1 else None,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=30.0,
        ws_ping_timeout=30.0,
        timeout_graceful_shutdown=3,
        access_log=False,
        server_header=False,
        log_config=logs.config(log_level),
    )
    if workers == 1:
        raise KeyboardInterrupt  # uvicorn keeps to itself what ended it; every other signal or failure ends Python there


def _migrated(url: object) -> Path | None:
    from sqlalchemy.engine import URL
    from sqlalchemy.exc import SQLAlchemyError

    from projectl.server.store.migrate import migrate

    assert isinstance(url, URL)
    try:
        return migrate(url)
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StoreError("store-open", f"the store {url.render_as_string()} cannot be used: {reason}") from None


def _free_port(host: str) -> int:
    with _bound(host, 0) as free:
        return int(free.getsockname()[1])


def _check_free(host: str, port: int) -> None:
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


def _invite(reached: list[str], host: str) -> None:
    """How others get there: every link, and the first as a QR code where there is a terminal to show it."""
    from projectl.server.addresses import EVERYWHERE, qr_text

    for address in reached:
        typer.echo(f"Others reach it at {address}", err=True)
    if not reached and host in EVERYWHERE:
        typer.echo("This machine is in no network, so nobody else reaches it.", err=True)
    screen = Console(stderr=True, highlight=False)
    if reached and screen.is_terminal:
        screen.print(Text(qr_text(reached[0]), "#000000 on #ffffff"), soft_wrap=True)


def _open_when_ready(address: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{address}health", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
