"""`projectl serve`: the game server."""

import asyncio
import logging
import signal
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.text import Text

import projectl
from projectl.cli.endings import UNWRITTEN
from projectl.cli.settings import (
    Archive,
    Config,
    ExpireIdle,
    ExpireWaiting,
    KeepFinished,
    PublicUrl,
    StoreUrl,
    origins,
    unknown_variables,
)
from projectl.cli.start import INTERPRETED, Start, check_archive, check_free, collector, free_port, migrated, show_start
from projectl.cli.terminals import shows
from projectl.core.errors import Unreadable
from projectl.server.errors import BusError

log: Final = logging.getLogger("projectl.serve")
WORKER_SECONDS: Final = 60  # in which a process has to begin to serve, also on a machine that is busy
LOG_LEVELS: Final = ("debug", "info", "warning", "error")


def log_levels(incomplete: str) -> list[str]:
    """The levels that begin so."""
    return [level for level in LOG_LEVELS if level.startswith(incomplete)]


def serve(
    context: typer.Context,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 is all of them, :: all of IPv6.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.", min=0, max=65535)] = 8765,
    store: StoreUrl = "",
    bus: Annotated[str, typer.Option(help="redis://… (Valkey too), needed with more than one process.")] = "",
    workers: Annotated[int, typer.Option(help="Server processes.", min=1, max=64)] = 1,
    bots: Annotated[int, typer.Option(help="Processes for bots; 0: by the number of cores.", min=0, max=64)] = 0,
    bot_pause: Annotated[
        float, typer.Option(min=0, max=60, help="Seconds a bot takes at least, so that people can follow.")
    ] = 0.4,
    origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="A further address whose pages may use this server.")
    ] = None,
    public_url: PublicUrl = "",
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="A proxy, or a network of them, that says who asks and whether by HTTPS; by default this machine's.",
        ),
    ] = None,
    log_level: Annotated[
        str,
        typer.Option(
            help="debug, info, warning or error; without it info, at a terminal warning.", autocompletion=log_levels
        ),
    ] = "",
    traces: Annotated[
        str, typer.Option(metavar="URL", help="An OpenTelemetry collector (OTLP over HTTP); needs projectl[traces].")
    ] = "",
    expire_waiting: ExpireWaiting = 30.0,
    expire_idle: ExpireIdle = 0.0,
    keep_finished: KeepFinished = 0.0,
    archive: Archive = "",
    open_page: Annotated[
        bool, typer.Option("--open", envvar="PROJECTL_OPEN", help="Open the page in the browser.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", envvar=(), help="Say what it would do, start nothing and change nothing.")
    ] = False,
    config: Config = "",
) -> None:
    """Serve the page and the games. What is no option stands in the environment or in a file of settings."""
    from projectl.server.addresses import links, page_origin, proxy, public_link
    from projectl.server.bus import bus_address
    from projectl.server.games.upkeep import Policy
    from projectl.server.settings import Settings, default_store, own_folder_can_be_written
    from projectl.server.store.store import address

    if workers > 1 and not bus:
        raise BusError("bus-needed", "several processes need a bus to hear of each other: --bus redis://…")
    log_level = log_level or ("warning" if sys.stderr.isatty() else "info")
    if log_level not in LOG_LEVELS:
        raise Unreadable("log-level", f"a log level is debug, info, warning or error, found {log_level[:20]!r}")
    public = public_link(public_url) if public_url else ""
    url = address(store or default_store())
    port = port or free_port(host)
    passing = not store and not own_folder_can_be_written()
    settings = Settings(
        url.render_as_string(hide_password=False),
        bus_address(bus) if bus else None,
        bots or None,
        bot_pause,
        tuple(page_origin(given) for given in origin or ()),
        links(host, port),
        public,
        Policy(expire_waiting, expire_idle, keep_finished, archive).checked(),
        tuple(proxy(given) for given in trusted_proxy or ()),
        collector(traces) if traces else "",
    )
    start = Start(host, port, workers, log_level, url, passing, settings)
    if check:
        show_start(start, origins(context), unknown_variables())
    else:
        _run(start, open_page=open_page)


def _run(start: Start, *, open_page: bool) -> None:
    from projectl.server import logs
    from projectl.server.store.files import held

    check_free(start.host, start.port)
    check_archive(start.settings.policy.archive)
    url = start.store
    if url.get_backend_name() == "sqlite" and url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    logs.begin(start.log_level)
    if start.settings.bus:
        _check_bus(start.settings.bus)
    with held(url, together=bool(start.settings.bus)):
        _begin(start, open_page=open_page)


def _check_bus(bus: str) -> None:
    """A server starts without its bus, too: it asks the store for news until there is one."""
    from projectl.server.bus import check_bus

    try:
        asyncio.run(check_bus(bus))
    except BusError as error:
        if error.code != "bus-open":
            raise
        _say(f"{error.sentence}; until then news come from the store", logging.WARNING)


def _begin(start: Start, *, open_page: bool) -> None:
    from projectl.server.metrics import share

    url = start.store
    copy = migrated(url)
    if copy is not None:
        _say(f"The store was brought up to date; a copy of it as it was is {copy}")
    start.settings.to_environment()
    _say(f"Project L is at {start.link} (Ctrl-C ends it)")
    if start.passing:
        _say(f"Your home cannot be written to: the games are in {url.database} for now (--store)")
    if not projectl.compiled():
        _say(INTERPRETED)
    _invite(start.reached, start.host)
    if open_page:
        threading.Thread(target=_open_when_ready, args=(start.link,), daemon=True).start()
    signal.signal(signal.SIGTERM, _stopped)
    _many_files()
    if start.workers > 1:
        with share(), _signals() as heard:
            _until_interrupted(start)
            came = heard()
        if signal.SIGINT not in came:
            sys.exit(0 if came else UNWRITTEN)  # nobody ended it: no process could start
    else:
        _until_interrupted(start)
    # uvicorn keeps to itself that it was Ctrl-C.
    raise KeyboardInterrupt


@contextmanager
def _signals() -> Iterator[Callable[[], bytes]]:
    """The numbers of the signals that came meanwhile, whoever handles them."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for end in (ours, theirs):
            end.setblocking(False)

        def heard() -> bytes:
            with suppress(BlockingIOError):
                return ours.recv(4096)
            return b""

        before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            yield heard
        finally:
            signal.set_wakeup_fd(before)


def _until_interrupted(start: Start) -> None:
    """uvicorn takes Ctrl-C in its first moments for a start that failed, and ends Python with status 3."""
    heard: list[int] = []

    def noted(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, noted)
    try:
        _serve(start)
    except SystemExit:
        if heard:
            raise KeyboardInterrupt from None
        raise


def _many_files() -> None:
    """Every connection is one; what a process begins with, often 1,024, is less than a server may have."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _serve(start: Start) -> None:
    import uvicorn  # only this command needs the server

    if start.workers > 1:
        from projectl.server.http.supervisor import Supervisor

        config = uvicorn.Config(**_options(start))
        Supervisor(config, [config.bind_socket()]).run()
    else:
        uvicorn.run(**_options(start))


def _options(start: Start) -> dict[str, Any]:
    """How uvicorn runs the server."""
    from projectl.server import logs
    from projectl.server.http.messages import MOST_BYTES

    return {
        "app": "projectl.server.http.app:create",
        "factory": True,
        "host": start.host,
        "port": start.port,
        "workers": start.workers if start.workers > 1 else None,
        "http": "projectl.server.http.patience:PatientHttp",
        "forwarded_allow_ips": list(start.settings.trusted_proxies) or None,
        "ws": "projectl.server.http.patience:PatientSocket",
        "ws_max_size": MOST_BYTES,
        "ws_per_message_deflate": False,
        "ws_ping_interval": 30.0,
        "ws_ping_timeout": 30.0,
        "backlog": 4096,  # after a restart thousands of pages come back at once
        "timeout_graceful_shutdown": 3,
        "timeout_worker_healthcheck": WORKER_SECONDS,
        "access_log": False,
        "server_header": False,
        "log_config": logs.config(start.log_level),
    }


def _stopped(number: int, _: object) -> None:
    """`SIGTERM`, once the server has come to its end: Python ends as well as it can, and leaves nothing behind."""
    sys.exit(0)


def _say(words: str, level: int = logging.INFO) -> None:
    """A sentence for a person at a terminal; a line like all others for whoever reads the log."""
    if sys.stderr.isatty():
        typer.echo(words, err=True)
    else:
        log.log(level, words)


def _invite(reached: list[str], host: str) -> None:
    """How others get there: every link, and the first as a QR code where there is a terminal to show it."""
    from projectl.server.addresses import EVERYWHERE, INK, qr_text

    for address in reached:
        _say(f"Others reach it at {address}")
    if not reached and host in EVERYWHERE:
        _say("This machine is in no network, so nobody else reaches it.")
    screen = Console(stderr=True, highlight=False)
    if reached and screen.is_terminal and shows(sys.stderr, INK):
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
