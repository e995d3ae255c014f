"""The server as one ASGI application: sockets, the HTTP part, the page."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

import projectl
from projectl.bots import BotError
from projectl.core.errors import ProjectLError, Unreadable
from projectl.server.bus import make_bus
from projectl.server.errors import Refusal, told
from projectl.server.games.memory import Games
from projectl.server.games.upkeep import let_go
from projectl.server.garbage import collect_rarely
from projectl.server.http import page, replies
from projectl.server.http.cookies import StrictHeaders, header, key_hash, same_origin
from projectl.server.http.forms import MOST_RECORD
from projectl.server.http.limits import Buckets
from projectl.server.http.messages import encode
from projectl.server.http.openapi import described
from projectl.server.http.rest import router
from projectl.server.http.socket import Sockets
from projectl.server.metrics import Metrics
from projectl.server.settings import Settings
from projectl.server.store.store import Store
from projectl.server.thinkers import Thinkers

log: Final = logging.getLogger("projectl.server")
MOST_BODY: Final = MOST_RECORD + 64 * 1024
REQUESTS: Final = 50.0  # changes a second for one key
BURST: Final = 300.0  # as many as a quick bot plays in a whole game
FROM_ONE_ADDRESS: Final = 10  # times as many: a household, or a proxy that does not say for whom


def refused(code: str, sentence: str, status: int, field: str = "") -> Response:
    """A coded refusal."""
    return Response(encode(replies.Refusal(code, sentence, field)), status, media_type="application/json")


def status_of(error: ProjectLError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, Refusal):
        return error.status
    return 422 if isinstance(error, Unreadable | BotError) else 409


class Server:
    """Dispatches by address; the socket stays below the framework, which costs memory for each one."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.http = FastAPI(
            title="Project L",
            version=projectl.__version__,
            lifespan=self._life,
            docs_url=None,  # its page would load scripts from elsewhere
            redoc_url=None,
        )
        self.http.state.reached = (settings.public_url, settings.addresses)
        self.http.include_router(router)
        self.http.openapi = lambda: described(self.http)  # type: ignore[method-assign]
        _handle_errors(self.http)
        self.page: ASGIApp = StrictHeaders(page.Page(page.read()))
        self.api: ASGIApp = StrictHeaders(self._guarded)
        self.sockets: Sockets | None = None
        self._keys = Buckets(REQUESTS, BURST)
        self._addresses = Buckets(REQUESTS * FROM_ONE_ADDRESS, BURST * FROM_ONE_ADDRESS)

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
        elif path.startswith("/api/") or path in ("/health", "/metrics", "/openapi.json"):
            await self.api(scope, receive, send)
        else:
            await self.page(scope, receive, send)

    async def _guarded(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._guard(scope) or self.http)(scope, receive, send)

    @asynccontextmanager
    async def _life(self, app: FastAPI) -> AsyncIterator[None]:
        store = Store(self.settings.store)
        games = Games(
            store,
            make_bus(self.settings.bus),
            Thinkers(self.settings.thinkers),
            Metrics(),
            bot_pause=self.settings.bot_pause,
        )
        await games.start()
        games.tasks.spawn(collect_rarely())
        games.tasks.spawn(let_go(store, self.settings.policy, games.now))
        app.state.games = games
        self.sockets = Sockets(games, self.settings.origins)
        log.info("ready", extra={"store": store.url.render_as_string(), "bus": bool(self.settings.bus)})
        try:
            yield
        finally:
            self.sockets.close()
            await games.close()
            store.close()
            log.info("stopped")

    def _guard(self, scope: Scope) -> Response | None:
        """Other sites' pages, floods and huge bodies get no further."""
        if scope["method"] in ("GET", "HEAD"):
            return None
        if not same_origin(scope, self.settings.origins):
            return refused("origin", "a page of another site cannot do this", 403)
        address = (scope.get("client") or [""])[0]
        if not self._addresses.take(address) or not self._keys.take(key_hash(scope) or address):
            return refused("rate", f"more than {REQUESTS:.0f} requests a second", 429)
        length = header(scope, b"content-length") or "0"
        if header(scope, b"transfer-encoding") or not length.isdigit():
            return refused("length", "a request says how long it is", 411)
        if int(length) > MOST_BODY:
            return refused("too-large", f"a request has at most {MOST_BODY} bytes", 413)
        return None


def _methods(path: str) -> set[str]:
    routes = [route for route in router.routes if isinstance(route, APIRoute) and route.path_regex.match(path)]
    return {method for route in routes for method in route.methods or ()}


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(ProjectLError)
    async def on_refusal(request: Request, error: ProjectLError) -> Response:
        return Response(encode(told(error)), status_of(error), media_type="application/json")

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

    @app.exception_handler(Exception)
    async def on_fault(request: Request, error: Exception) -> Response:
        log.exception("a request failed", exc_info=error)
        return refused("server", "something went wrong here; please try again", 500)


def create() -> Server:
    """The application, from the settings that `projectl serve` left in the environment."""
    return Server(Settings.from_environment())
