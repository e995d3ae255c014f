"""`projectl serve`: the game server."""

import socket
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from projectl.core.errors import Unreadable
from projectl.server.errors import StoreError


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is all of them.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8765,
    store: Annotated[str, typer.Option(help="sqlite:///FILE or postgresql://…; by default a file of yours.")] = "",
    bus: Annotated[str, typer.Option(help="redis://… (Valkey too), needed with more than one process.")] = "",
    workers: Annotated[int, typer.Option(help="Server processes.", min=1, max=64)] = 1,
    bots: Annotated[int, typer.Option(help="Processes for bots; 0: by the number of cores.", min=0, max=64)] = 0,
    bot_pause: Annotated[float, typer.Option(help="Seconds a bot takes at least, so that people can follow.")] = 0.4,
    origin: Annotated[list[str] | None, typer.Option(help="A further address whose pages may use this server.")] = None,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the page and the games."""
    import uvicorn  # only this command needs the server

    from projectl.server import logs
    from projectl.server.messages import MOST_BYTES
    from projectl.server.settings import Settings, default_store
    from projectl.server.store import address

    if workers > 1 and not bus:
        raise StoreError("bus-needed", "several processes need a bus to hear of each other: --bus redis://…")
    if log_level not in ("debug", "info", "warning", "error"):
        raise Unreadable("log-level", f"a log level is debug, info, warning or error, found {log_level[:20]!r}")
    url = address(store or default_store())
    if url.get_backend_name() == "sqlite" and url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    copy = _migrated(url)
    if copy is not None:
        typer.echo(f"The store was brought up to date; a copy of it as it was is {copy}", err=True)
    Settings(
        url.render_as_string(hide_password=False), bus or None, bots or None, bot_pause, tuple(origin or ())
    ).to_environment()
    port = port or _free_port(host)
    _check_free(host, port)
    shown = f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}/"
    typer.echo(f"Project L is at {shown} (Ctrl-C ends it)", err=True)
    if open_page:
        threading.Thread(target=_open_when_ready, args=(shown,), daemon=True).start()
    uvicorn.run(
        "projectl.server.app:create",
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


def _migrated(url: object) -> Path | None:
    from sqlalchemy.engine import URL
    from sqlalchemy.exc import SQLAlchemyError

    from projectl.server.migrate import migrate

    assert isinstance(url, URL)
    try:
        return migrate(url)
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StoreError("store-open", f"the store {url.render_as_string()} cannot be used: {reason}") from None


def _free_port(host: str) -> int:
    with socket.socket() as free:
        free.bind((host, 0))
        return int(free.getsockname()[1])


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise StoreError(
                "port", f"{host}:{port} cannot be used ({error.strerror}); choose another --port"
            ) from None


def _open_when_ready(address: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{address}health", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
