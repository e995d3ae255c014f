"""The messages of a socket as lines over plain HTTP, for bots that have no WebSocket library."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from projectl.server.games.live import LiveGame
from projectl.server.games.memory import Games
from projectl.server.http.connection import Following
from projectl.server.http.limits import Followed

QUIET: Final = 15.0  # seconds without news, then an empty line shows that the stream lives
MOST_WAITING: Final = 200  # messages that a reader may leave unread


async def follow_lines(
    games: Games, live: LiveGame, key: str | None, since: int | None, address: str, followed: Followed
) -> AsyncGenerator[bytes, None]:
    """Every message for this key, one a line; it ends after the last one of a game that is over."""
    game, weight = live.room.id, live.weight
    queue: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
    following = Following(key, address, lambda data: _put(queue, data), legal=True)
    games.metrics.streams.inc()
    followed.add(address, weight)
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
            now = games.live.get(game)
            if now is not None and now.room.status == "over" and queue.empty():
                return
    finally:
        games.metrics.streams.dec()
        followed.add(address, -weight)
        games.leave(game, following)


def _put(queue: asyncio.Queue[bytes], data: bytes) -> None:
    """A reader that is too slow loses its stream, and comes back with `since`."""
    try:
        queue.put_nowait(data)
    except asyncio.QueueFull:
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(b"")
