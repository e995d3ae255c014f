"""Every request and socket in the log and the metrics: what was asked, how it ended, how long it took."""

import logging
import time
from typing import Final, Protocol

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from projectl.server.metrics import Metrics

log: Final = logging.getLogger("projectl.http")
PROBES: Final = ("/health", "/health/live", "/metrics")  # asked every few seconds by programs: in the log at debug only


class Watched(Protocol):
    """A server that counts."""

    metrics: Metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class RequestLog:
    """Stands in front of a server. Neither headers nor bodies nor what stands behind `?` are written."""

    def __init__(self, server: Watched) -> None:
        self.server: Final = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await _socket(self.server, scope, receive, send)
        else:
            await self.server(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        status = 499  # the client left before there was an answer

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.server(scope, receive, seen)
        finally:
            seconds = time.perf_counter() - began
            self.server.metrics.request(scope["method"], _route(scope), status, seconds)
            level = logging.DEBUG if scope["path"] in PROBES else logging.INFO
            log.log(level, "request", extra=_about(scope) | {"status": status, "ms": round(seconds * 1000, 1)})


async def _socket(server: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    about, began = _about(scope), time.monotonic()
    log.info("socket opened", extra=about)
    try:
        await server(scope, receive, send)
    finally:
        log.info("socket closed", extra=about | {"seconds": round(time.monotonic() - began, 1)})


def _about(scope: Scope) -> dict[str, object]:
    client = scope.get("client") or ("", 0)
    return {"method": scope.get("method", "GET"), "path": scope["path"], "address": client[0]}


def _route(scope: Scope) -> str:
    """The pattern of the address, so that there are few: games have none of their own."""
    return str(getattr(scope.get("route"), "path", "other" if scope["path"].startswith("/api/") else "page"))
