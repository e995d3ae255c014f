"""What every HTTP answer and every socket has in common: keys in cookies, the site's own origin, strict headers."""

from typing import Final
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from projectl.server.http.limits import network_of
from projectl.server.secret import KEY, hashed

COOKIE: Final = "projectl"
COOKIE_SECONDS: Final = 400 * 24 * 3600

HEADERS: Final = [
    (
        b"content-security-policy",
        b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; "
        b"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]


def header(scope: Scope, name: bytes) -> str:
    """A request header, or nothing."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def address_of(scope: Scope) -> str:
    """Where a request comes from, as far as a proxy that is trusted says."""
    return network_of(str((scope.get("client") or [""])[0]))


def key_of(scope: Scope) -> str | None:
    """The key that a request carries: a program's token, or a browser's cookie."""
    kind, _, token = header(scope, b"authorization").partition(" ")
    if kind.lower() == "bearer":
        return token.strip() if KEY.fullmatch(token.strip()) else None
    pairs = (part.partition("=") for part in header(scope, b"cookie").split(";"))
    found = next((value.strip() for name, _, value in pairs if name.strip() == COOKIE), "")
    return found if KEY.fullmatch(found) else None


def drop_others_cookies(scope: Scope) -> None:
    """Leave a request this site's cookie alone: the framework takes seconds for a long one full of quotes, and
    everybody waits meanwhile."""
    own = key_of({**scope, "headers": [pair for pair in scope["headers"] if pair[0] == b"cookie"]})
    headers = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
    if own is not None:
        headers.append((b"cookie", f"{COOKIE}={own}".encode()))
    scope["headers"] = headers


def key_hash(scope: Scope) -> str | None:
    """The hash of the key that a request carries."""
    key = key_of(scope)
    return None if key is None else hashed(key)


def cookie(key: str, *, secure: bool) -> str:
    """The `Set-Cookie` header that keeps a key where no script reads it."""
    flags = "; Secure" if secure else ""
    return f"{COOKIE}={key}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{flags}"


def same_origin(scope: Scope, allowed: tuple[str, ...]) -> bool:
    """Whether a page of this site asks; programs send no origin."""
    origin = header(scope, b"origin")
    if not origin or origin in allowed:
        return True
    try:
        return urlsplit(origin).netloc == header(scope, b"host")
    except ValueError:
        return False


class StrictHeaders:
    """Adds the headers that keep other sites out to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
            await send(message)

        await self.app(scope, receive, with_headers)
