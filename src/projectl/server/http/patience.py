"""A connection whose client has to get on: headers come in time, or it is closed."""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS: Final = 10.0
LINGER: Final = 60.0  # a client that does not read its answer is cut off after so long


class PatientHttp(HttpToolsProtocol):
    """Uvicorn's, which by itself waits for ever for the end of the headers."""

    _slow: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]
        self._begin()

    def data_received(self, data: bytes) -> None:
        if self._slow is None and (self.cycle is None or self.cycle.response_complete):
            self._begin()  # the next request on the same connection
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._end()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

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
