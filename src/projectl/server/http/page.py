"""The built page and the documentation: a few files, kept in memory, sent compressed."""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from projectl.server.http.cookies import cookie, header, key_of
from projectl.server.secret import Keys

FOLDER: Final = Path(__file__).parent / "page"
DOCS: Final = Path(__file__).parent / "docs"
_MISSING: Final = (
    b"<!doctype html><title>Project L</title><p>This server runs without its page: it was installed without Node. "
    b"The API is at /openapi.json."
)
_NO_DOCS: Final = b"<!doctype html><title>Project L</title><p>This server runs without its documentation."
_PACKED: Final = frozenset({".png", ".webp"})  # already; packing them again gains nothing


@dataclass(frozen=True)
class File:
    """One file of the page."""

    name: str
    data: bytes
    kind: str
    tag: str
    forever: bool  # its name changes with its content

    @cached_property
    def packed(self) -> bytes:
        """It is packed when somebody asks for it first: most of the documentation is not read on most days."""
        return self.data if Path(self.name).suffix in _PACKED else gzip.compress(self.data, 9, mtime=0)


def read(folder: Path = FOLDER, docs: Path = DOCS) -> dict[str, File]:
    """All files of the page and of the documentation by their path."""
    return _read(folder, "/") | _read(docs, "/docs/")


def _read(folder: Path, prefix: str) -> dict[str, File]:
    found: dict[str, File] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            name = f"{prefix}{path.relative_to(folder).as_posix()}"
            data = path.read_bytes()
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            if path.suffix == ".webmanifest":
                kind = "application/manifest+json"
            tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
            found[name] = File(name, data, kind, tag, name.startswith("/assets/"))
    return found


class PageServer:
    """Serves the page and, below `/docs/`, the documentation; any other address that is no file is the page itself."""

    def __init__(self, files: dict[str, File]) -> None:
        self.files = files
        self.keys: Keys | None = None  # once the store is open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self.answer(scope)
        await response(scope, receive, send)

    def answer(self, scope: Scope) -> Response:
        """The file that was asked for, or the page."""
        if scope["method"] not in ("GET", "HEAD"):
            return Response(status_code=405, headers={"allow": "GET, HEAD"})
        name = scope["path"]
        if name == "/docs":
            return Response(status_code=308, headers={"location": "/docs/"})
        if name == "/docs/":
            name = "/docs/index.html"
            if name not in self.files:
                return Response(_NO_DOCS, 404, media_type="text/html")
        if name not in self.files and ("." in name.rsplit("/", 1)[-1] or name.startswith(("/api/", "/docs/"))):
            return Response(
                b'{"code":"no-address","sentence":"there is nothing at this address"}',
                404,
                media_type="application/json",
            )
        file = self.files.get(name) or self.files.get("/index.html")
        if file is None:
            return Response(_MISSING, media_type="text/html")
        headers = {
            "etag": file.tag,
            "vary": "accept-encoding",
            "cache-control": "public, max-age=31536000, immutable" if file.forever else "no-cache",
        }
        if self.keys and file is self.files.get("/index.html") and key_of(scope) is None:
            headers["set-cookie"] = cookie(self.keys.new(), secure=scope.get("scheme") == "https")
        if header(scope, b"if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        data = file.data
        if "gzip" in header(scope, b"accept-encoding") and len(file.packed) < len(file.data):
            data = file.packed
            headers["content-encoding"] = "gzip"
        return Response(data, headers=headers, media_type=file.kind)
