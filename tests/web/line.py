"""A line between a browser and a server that can die without a word: connections stay open, nothing comes through."""

from __future__ import annotations

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

PART = 64 * 1024


class Line:
    """A small TCP proxy. What was connected when it was cut stays dead; what connects after it was mended works."""

    def __init__(self, port: int) -> None:
        self._port = port  # of the server
        self._here = socket.create_server(("127.0.0.1", 0))
        self._dead = threading.Event()  # for the connections of now; a mended line has another one
        self._open: list[socket.socket] = []

    @property
    def url(self) -> str:
        """Where a browser connects."""
        return f"http://127.0.0.1:{self._here.getsockname()[1]}"

    def cut(self) -> None:
        """From now on nothing arrives, and nobody is told."""
        self._dead.set()

    def mend(self) -> None:
        """New connections work again."""
        self._dead = threading.Event()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._here.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                self._open += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_carry, args=(one, other, self._dead), daemon=True).start()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for each in (self._here, *self._open):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def _carry(one: socket.socket, other: socket.socket, dead: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while data := one.recv(PART):
            if not dead.is_set():
                other.sendall(data)
        if not dead.is_set():
            other.shutdown(socket.SHUT_WR)
