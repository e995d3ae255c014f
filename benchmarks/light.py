"""A WebSocket client with as little as will do, for thousands of them in one process."""

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import Any, Final, cast

_MASK: Final = b"\x00\x00\x00\x00"  # masking is for proxies; zeros leave the text as it is
_TEXT: Final = 1
_CLOSE: Final = 8
_PING: Final = 9
_PONG: Final = 10


class LightSocket(asyncio.Protocol):
    """One connection. `heard` gets each message, `lost` is called once when it is over, with the closing code, or the
    status with which it was not let in."""

    def __init__(self, request: bytes, heard: Callable[[Any, bytes], None], lost: Callable[[int], None]) -> None:
        self._request = request
        self._heard = heard
        self._lost = lost
        self._buffer = bytearray()
        self._upgraded = False
        self._code = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        self._lost(self._code)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded:
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in self._buffer[:20]:
                self._code = int(self._buffer[9:12])
                self.transport.abort()
                return
            del self._buffer[: end + 4]
            self._upgraded = True
        self._frames()

    def _frames(self) -> None:
        buffer = self._buffer
        at = 0
        while len(buffer) - at >= 2:
            size, head = buffer[at + 1] & 127, 2
            if size == 126:
                if len(buffer) - at < 4:
                    break
                size, head = struct.unpack_from(">H", buffer, at + 2)[0], 4
            elif size == 127:
                if len(buffer) - at < 10:
                    break
                size, head = struct.unpack_from(">Q", buffer, at + 2)[0], 10
            if len(buffer) - at < head + size:
                break
            kind = buffer[at] & 15
            payload = bytes(buffer[at + head : at + head + size])
            at += head + size
            if kind == _TEXT:
                self._heard(self, payload)
            elif kind == _PING:
                self.send(payload, _PONG)
            elif kind == _CLOSE:
                self._code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 0
                self.send(payload, _CLOSE)
                self.transport.close()
        del buffer[:at]

    def send(self, payload: bytes, kind: int = _TEXT) -> None:
        """One masked frame."""
        size = len(payload)
        head = struct.pack(">BB", 128 | kind, 128 | size) if size < 126 else struct.pack(">BBH", 128 | kind, 254, size)
        self.transport.write(head + _MASK + payload)


def opening(host: str, key: str, address: str) -> bytes:
    """The request that opens a socket, for whoever has a key, from an address that a proxy names."""
    cookie = f"Cookie: projectl={key}\r\n" if key else ""
    return (
        f"GET /api/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n{cookie}"
        f"X-Forwarded-For: {address}\r\n\r\n"
    ).encode()


class OpenGame:
    """A game, and what its next player may do."""

    def __init__(self, name: str, keys: list[str], number: int) -> None:
        self.name = name
        self.keys = keys
        self.number = number
        self.version = -1  # of the last state that somebody can act on
        self.legal: list[str] = []
