"""A connection whose client has to get on: headers come in time, and no more than need be, or it is closed. On a socket
what is no message is counted too."""

import asyncio
import logging
from collections import Counter
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from projectl.server.http.limits import Bucket, network_of

HEADER_SECONDS: Final = 10.0
MOST_HEAD: Final = 16 * 1024  # bytes of all headers together; a browser sends 1 or 2 KB
MOST_PIPELINED: Final = 8  # requests that wait on one connection for the answer to another; browsers send none so
LINGER: Final = 60.0  # a client that does not read its answer is cut off after so long
MOST_CONNECTIONS: Final = 300  # of one address that are no sockets, whether they say anything or not

PIECE: Final = 4096  # bytes of a socket that are looked at before others have their turn
SIGN_RATE: Final = 10.0  # pings, pongs and fragments a second on one socket; browsers send one in 30 s
SIGN_BURST: Final = 100.0

_log: Final = logging.getLogger("uvicorn.error.strangers")
_log.setLevel(logging.ERROR)  # what comes that is no HTTP is theirs to mend

_open: Final[Counter[str]] = Counter()  # by address; not those of trusted proxies


class PatientHttp(HttpToolsProtocol):
    """Uvicorn's, which by itself waits for ever for the end of the headers, and keeps all that comes of them."""

    _slow: asyncio.TimerHandle | None = None
    _head: int | None = None  # bytes of headers that have come; None: they are all there
    _counted = ""  # the address for which it counts

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self.logger = _log
        self._begin()
        host = self.client[0] if self.client else ""
        if not host or host in getattr(self.app, "trusted_hosts", ()):
            return
        address = network_of(host)
        if _open[address] >= MOST_CONNECTIONS:
            self.transport.abort()
        else:
            self._counted = address
            _open[address] += 1

    def data_received(self, data: bytes) -> None:
        if self._slow is None and (self.cycle is None or self.cycle.response_complete):
            self._begin()  # the next request on the same connection
        super().data_received(data)
        if self._head is not None:
            self._head += len(data)
            if self._head > MOST_HEAD:
                self.transport.abort()

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MOST_PIPELINED:  # thousands come in one piece: what is behind these is not even read
            self.transport.abort()
            raise ConnectionAbortedError
        super().on_message_begin()
        self._head = 0

    def on_headers_complete(self) -> None:
        self._end()
        self._head = None
        super().on_headers_complete()
        if sum(len(name) + len(value) for name, value in self.headers) + len(self.url) > MOST_HEAD:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        self._uncount()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._uncount()  # sockets are counted by themselves
        super().handle_websocket_upgrade()

    def _uncount(self) -> None:
        if self._counted:
            _open[self._counted] -= 1
            if not _open[self._counted]:
                del _open[self._counted]
            self._counted = ""

    def timeout_keep_alive_handler(self) -> None:
        """It closes what has been idle; that waits until all is read."""
        super().timeout_keep_alive_handler()
        self.loop.call_later(LINGER, self.transport.abort)

    def _begin(self) -> None:
        self._slow = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _end(self) -> None:
        if self._slow is not None:
            self._slow.cancel()
            self._slow = None


class PatientSocket(WebSocketsSansIOProtocol):
    """Uvicorn's, which by itself answers every ping, gathers fragments without end, and reads on meanwhile."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._signs = Bucket(SIGN_RATE, SIGN_BURST)
        self._rest = b""  # what has come and was not looked at

    def data_received(self, data: bytes) -> None:
        self._rest += data
        self._look()
        if not self.handshake_initiated:  # all headers are there, and Uvicorn neither answers them nor waits for more
            self.transport.abort()

    def _look(self) -> None:
        while self._rest and not self.read_paused and not self.transport.is_closing():
            piece, self._rest = self._rest[:PIECE], self._rest[PIECE:]
            super().data_received(piece)

    async def receive(self) -> Any:
        """The next message; what came behind it is looked at when this one is taken."""
        found = await super().receive()
        self._look()
        return found

    def send_receive_event_to_app(self) -> None:
        """A message is whole. One that is no text ends the socket, and no more is said of it."""
        try:
            b"".join(self.frames).decode()
        except UnicodeDecodeError:
            if self.curr_msg_data_type == "text":
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def _few(self) -> bool:
        if self._signs.take():
            return True
        self.transport.abort()
        return False

    def handle_ping(self) -> None:
        if self._few():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._few():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        if self._few():
            super().handle_cont(event)
