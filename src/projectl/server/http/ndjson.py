"""The messages of a socket as lines over plain HTTP, for bots that have no WebSocket library."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from projectl.server.games.memory import Games
from projectl.server.http.connection import Following

QUIET: Final = 15.0  # seconds without news, then an empty line shows that the stream lives
MOST_WAITING: Final = 200  # messages that a reader may leave unread


async def follow_lines(
    games: Games, game: str, key: str | None, address: str, since: int | None
) -> AsyncIterator[bytes]:
    """Every message for this key, one a line; it ends after the last one of a game that is over."""
    queue: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
    following = Following(key, address, lambda data: _put(queue, data), legal=True)
    games.metrics.streams.inc()
    try:
        await games.follow(game, following, since)
        while not games.bans.refusal(key):
            try:
                data = await asyncio.wait_for(queue.get(), QUIET)
            except TimeoutError:
                yield b"\n"
                continue
            if not data:
                return
            yield data + b"\n"
            live = games.live.get(game)
            if live is not None and live.room.status == "over" and queue.empty():
                return
    finally:
        games.metrics.streams.dec()
        games.leave(game, following)


def _put(queue: asyncio.Queue[bytes], data: bytes) -> None:
    """A reader that is too slow loses its stream, and comes back with `since`."""
    try:
        queue.put_nowait(data)
    except asyncio.QueueFull:
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(b"")
