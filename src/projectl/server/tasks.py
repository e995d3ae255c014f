"""Work that nobody waits for: kept until it is done, its failures logged."""

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from typing import Any, Final

log: Final = logging.getLogger("projectl.tasks")
_AGAIN: Final = 0.5  # seconds after which a task that goes on is cancelled once more


class Tasks:
    """All such work of one server."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin, and do not wait."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a task failed", exc_info=task.exception())

    async def close(self) -> None:
        """End all of it."""
        await end(self._tasks)


async def end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel, until they have ended: a library may lose a cancellation, or take it for one of its own."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_AGAIN)
