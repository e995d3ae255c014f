"""One thread that writes: everything that waits goes into one transaction, and is answered after its commit."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from projectl.server import traces

T = TypeVar("T")
Work = Callable[[Connection], Any]

MOST_AT_ONCE: Final = 256


class Writer:
    """Group commit: the sync to disk is shared by all who wait for it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.commits = 0
        self.written = 0
        self._queue: SimpleQueue[tuple[Work, Future[Any]] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Do something inside a transaction; it is durable when this returns."""
        future: Future[T] = Future()
        with traces.span("commit"):
            self._queue.put((work, future))
            return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Write what waits, then stop."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            first = self._queue.get()
            if first is None:
                return
            batch = [first]
            ending = False
            while len(batch) < MOST_AT_ONCE and not self._queue.empty():
                item = self._queue.get()
                if item is None:
                    ending = True
                    break
                batch.append(item)
            self._commit(batch)
            if ending:
                return

    def _commit(self, batch: list[tuple[Work, Future[Any]]]) -> None:
        """All in one transaction; if one of them breaks it, each by itself. If the store is ill, that is so for all."""
        working = False  # on a work of the batch, rather than on beginning or ending the transaction
        try:
            with self.engine.begin() as connection:
                working = True
                results = [work(connection) for work, _ in batch]
                working = False
        except Exception as error:
            ill = not working or (isinstance(error, DBAPIError) and error.connection_invalidated)
            if len(batch) == 1 or ill:
                for _, future in batch:
                    _fail(future, error)
                return
            for item in batch:
                self._commit([item])
            return
        self.commits += 1
        self.written += len(batch)
        for (_, future), result in zip(batch, results, strict=True):
            with contextlib.suppress(InvalidStateError):  # nobody waits for it any more
                future.set_result(result)


def _fail(future: Future[Any], error: Exception) -> None:
    with contextlib.suppress(InvalidStateError):
        future.set_exception(error)
