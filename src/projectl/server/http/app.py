"""The server as one ASGI application: sockets, the HTTP part, the page."""

import asyncio
import logging
import math
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import projectl
from projectl.bots import BotError
from projectl.core.errors import ProjectLError, Unreadable
from projectl.server import traces
from projectl.server.bans import Bans
from projectl.server.bus import make_bus
from projectl.server.errors import Busy, Refusal, told
from projectl.server.games.memory import Games
from projectl.server.games.upkeep import let_go
from projectl.server.garbage import collect_rarely
from projectl.server.http import daily, page, replies
from projectl.server.http.cookies import (
    StrictHeaders,
    address_of,
    drop_others_cookies,
    header,
    key_hash,
    key_of,
    same_origin,
)
from projectl.server.http.forms import MOST_RECORD
from projectl.server.http.limits import LOADING, Limits, cost_of, game_of, table_of
from projectl.server.http.messages import encode
from projectl.server.http.openapi import described
from projectl.server.http.rest import router
from projectl.server.http.socket import Sockets
from projectl.server.http.watch import RequestLog
from projectl.server.metrics import Metrics
from projectl.server.secret import Keys, hashed, new_key
from projectl.server.settings import Settings
from projectl.server.store.store import AWAY, Store
from projectl.server.thinkers import Thinkers

log: Final = logging.getLogger("projectl.server")
UNLIMITED: Final = ("/health", "/health/live")  # what looks after the server asks, however much others do
_PROBES: Final = (*UNLIMITED, "/metrics")
ROUTERS: Final = (router, daily.router)
MOST_BODY: Final = MOST_RECORD + 64 * 1024
BODY_SECONDS: Final = 15.0  # in which a body has to arrive


def refused(code: str, sentence: str, status: int, field: str = "") -> Response:
    """A coded refusal."""
    return Response(encode(replies.RefusalReply(code, sentence, field)), status, media_type="application/json")


def too_much(what: str, seconds: float) -> Response:
    """More than somebody may have, and when there is room again."""
    wait = math.ceil(seconds)
    answer = Response(
        encode(replies.RefusalReply("rate", f"too much is {what}; try again in {wait} s", "", about=str(wait))),
        429,
        media_type="application/json",
    )
    answer.headers["retry-after"] = str(wait)
    return answer


def status_of(error: ProjectLError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, Refusal):
        return error.status
    return 422 if isinstance(error, Unreadable | BotError) else 409


class Server:
    """Dispatches by address; the socket stays below the framework, which costs memory for each one."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics: Metrics  # of one life: from its start to its stop
        self.http = FastAPI(
            title="Project L",
            version=projectl.__version__,
            lifespan=self._life,
            docs_url=None,  # its page would load scripts from elsewhere
            redoc_url=None,
            telemetry={"metrics": False, "logs": False, "auto_configure": False, "exclude": _is_probe},
        )
        self.http.state.reached = (settings.public_url, settings.addresses)
        for each in ROUTERS:
            self.http.include_router(each)
        self.http.openapi = lambda: described(self.http)  # type: ignore[method-assign]
        _handle_errors(self.http)
        self.files = page.PageServer(page.read())
        self.page: ASGIApp = StrictHeaders(self._limited)
        self.api: ASGIApp = StrictHeaders(self._guarded)
        self.sockets: Sockets | None = None
        self.limits = Limits()
        self.keys: Keys | None = None  # once the store is open
        self.bans: Bans | None = None  # likewise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] == "websocket":
            if path != "/api/socket" or self.sockets is None:
                await receive()
                await send({"type": "websocket.close", "code": 4404, "reason": "the socket is /api/socket"})
                return
            await self.sockets.serve(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self.http(scope, receive, send)
        elif path.startswith("/api/") or path in (*_PROBES, "/openapi.json"):
            drop_others_cookies(scope)
            await self.api(scope, receive, send)
        else:
            await self.page(scope, receive, send)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._too_much(scope) or self.files)(scope, receive, send)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._guard(scope)
        if refusal is not None:
            await refusal(scope, receive, send)
        elif scope["path"].endswith("/stream"):
            with self.limits.opened(address_of(scope), self._issued(scope)) as is_open:
                await (self.http if is_open else too_much("open at once", 1.0))(scope, receive, send)
        elif scope["method"] in ("GET", "HEAD"):
            await self.http(scope, receive, send)
        else:
            await self._with_body(scope, receive, send)

    async def _with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A body arrives in time and whole, or the request is over."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _body(receive)
        except TimeoutError:
            await refused("too-slow", f"a request has to arrive within {BODY_SECONDS:.0f} s", 408)(scope, receive, send)
            return
        if body is None:  # the client has gone
            return
        parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return parts.pop() if parts else await receive()

        await self.http(scope, again, send)

    def _issued(self, scope: Scope) -> str | None:
        """The hash of a key, if this server issued it."""
        key = key_of(scope)
        return hashed(key) if key is not None and self.keys and self.keys.issued(key) else None

    def _too_much(self, scope: Scope, length: int = 0) -> Response | None:
        path, method = scope["path"], scope["method"]
        changes = table_of(path) if method not in ("GET", "HEAD") else ""
        cost = cost_of("GET" if method == "HEAD" else method, path, length)
        live = self.sockets.games.live.get(game_of(path)) if self.sockets else None
        cost += LOADING if game_of(path) and live is None else 0.0
        crowd = len(live.followers) if live else 0
        wait = self.limits.ask(address_of(scope), self._issued(scope), cost, changes, crowd)
        return too_much("asked for", wait) if wait else None

    @asynccontextmanager
    async def _life(self, app: FastAPI) -> AsyncIterator[None]:
        self.metrics = Metrics()
        last_spans = traces.begin(self.settings.traces) if self.settings.traces else None
        store = Store(self.settings.store)
        games = Games(
            store,
            make_bus(self.settings.bus),
            Thinkers(self.settings.thinkers),
            self.metrics,
            bot_pause=self.settings.bot_pause,
        )
        await games.start()
        games.tasks.spawn(collect_rarely())
        games.tasks.spawn(let_go(store, self.settings.policy, games.now))
        app.state.games, app.state.limits = games, self.limits
        self.keys = self.files.keys = app.state.keys = Keys(await store.secret("keys", new_key()))
        self.bans = games.bans
        await self.bans.look()
        self.sockets = Sockets(games, self.settings.origins, self.limits, self.keys)
        games.tasks.spawn(self.bans.follow(self.sockets.shut_out))
        log.info("ready", extra={"store": store.url.render_as_string(), "bus": bool(self.settings.bus)})
        try:
            yield
        finally:
            self.sockets.close()
            await games.close()
            store.close()
            if last_spans:
                await asyncio.to_thread(last_spans)
            log.info("stopped")

    def _guard(self, scope: Scope) -> Response | None:
        """Other sites' pages, floods and huge bodies get no further."""
        if scope["path"] in UNLIMITED:
            return None
        banned = self.bans and self.bans.refusal(key_hash(scope))
        if banned:
            return refused(banned.code, banned.sentence, banned.status)
        if scope["method"] in ("GET", "HEAD"):
            return self._too_much(scope)
        if not same_origin(scope, self.settings.origins):
            return refused("origin", "a page of another site cannot do this", 403)
        length = header(scope, b"content-length") or "0"
        if header(scope, b"transfer-encoding") or not length.isdigit():
            return refused("length", "a request says how long it is", 411)
        if int(length) > MOST_BODY:
            return refused("too-large", f"a request has at most {MOST_BODY} bytes", 413)
        return self._too_much(scope, int(length))


def _is_probe(scope: MutableMapping[str, Any]) -> bool:
    return scope.get("path") in _PROBES


async def _body(receive: Receive) -> bytes | None:
    """All of it; no more than was announced comes from the HTTP server."""
    found: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        found.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(found)


def _methods(path: str) -> set[str]:
    found = [route for each in ROUTERS for route in each.routes]
    routes = [route for route in found if isinstance(route, APIRoute) and route.path_regex.match(path)]
    return {method for route in routes for method in route.methods or ()}


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(ProjectLError)
    async def on_refusal(request: Request, error: ProjectLError) -> Response:
        answer = Response(encode(told(error)), status_of(error), media_type="application/json")
        if isinstance(error, Busy):
            answer.headers["retry-after"] = error.about
        return answer

    @app.exception_handler(RequestValidationError)
    async def on_bad_form(request: Request, error: RequestValidationError) -> Response:
        first: dict[str, Any] = error.errors()[0]
        where = ".".join(str(part) for part in first.get("loc", ())[1:])
        return refused("unreadable", f"{where or 'the request'}: {first.get('msg', 'unreadable')}", 400, where)

    @app.exception_handler(HTTPException)
    async def on_http(request: Request, error: HTTPException) -> Response:
        code = {400: "unreadable", 404: "no-address", 405: "method"}.get(error.status_code, "http")
        sentence = {404: "there is nothing at this address", 405: "this address does not do that"}
        answer = refused(code, sentence.get(error.status_code, str(error.detail)), error.status_code)
        answer.headers.update(error.headers or {})
        if error.status_code == 405 and (allowed := _methods(request.url.path)):
            answer.headers["allow"] = ", ".join(sorted(allowed))  # Starlette names the first route's alone
        return answer

    async def on_ill_store(request: Request, error: Exception) -> Response:
        request.app.state.games.store.failed(error)
        return refused("server", "something went wrong here; please try again", 500)

    for kind in AWAY:
        app.add_exception_handler(kind, on_ill_store)

    @app.exception_handler(Exception)
    async def on_fault(request: Request, error: Exception) -> Response:
        log.exception("a request failed", exc_info=error)
        return refused("server", "something went wrong here; please try again", 500)


def create() -> ASGIApp:
    """The application, from the settings that `projectl serve` left in the environment."""
    logging.captureWarnings(True)
    return RequestLog(Server(Settings.from_environment()))
