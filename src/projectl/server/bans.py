"""Keys that are banned: by `projectl keys`, in the store; every process hears of it within seconds."""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, insert, select, union

from projectl.server.errors import Refusal, StoreError
from projectl.server.games.room import FINISHED
from projectl.server.store.schema import BANNED, GAMES, KEYS
from projectl.server.store.store import AWAY, Store

log: Final = logging.getLogger("projectl.bans")
BETWEEN: Final = 2.0  # seconds between looks into the store
FEWEST_LETTERS: Final = 8  # of a hash that names a key
_LETTERS: Final = frozenset("0123456789abcdef")


class Ban(NamedTuple):
    """A key that may do nothing here."""

    key: str  # its hash
    at: float
    reason: str


class Bans:
    """All of them, as the store had them a moment ago."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reasons: dict[str, str] = {}

    async def look(self) -> set[str]:
        """Ask the store; the keys that were not banned before."""
        found = {ban.key: ban.reason for ban in await banned(self._store)}
        new = found.keys() - self._reasons.keys()
        self._reasons = found
        return set(new)

    async def follow(self, shut_out: Callable[[Collection[str]], None]) -> None:
        """Go on looking; who is banned meanwhile is shut out."""
        while True:
            await asyncio.sleep(BETWEEN)
            try:
                shut_out(await self.look())
            except AWAY as error:  # it may come back
                self._store.failed(error)
            except Exception:
                log.exception("the store could not be asked who is banned")

    def refusal(self, key: str | None) -> Refusal | None:
        """What somebody with this key (its hash) is told, if it is banned."""
        reason = self._reasons.get(key or "")
        if reason is None:
            return None
        words = f": {reason}" if reason else ""
        return Refusal("banned", f"whoever runs this server has banned this key{words}", 403)


async def banned(store: Store) -> list[Ban]:
    """All bans, the newest first."""
    wanted = select(BANNED.c.key, BANNED.c.at, BANNED.c.reason).order_by(BANNED.c.at.desc(), BANNED.c.key)
    return await store.read(lambda connection: [Ban(*row) for row in connection.execute(wanted)])


async def ban(store: Store, beginnings: Sequence[str], reason: str) -> dict[str, list[str]]:
    """Ban keys by the beginnings of their hashes, all of them or none: each with its games that are not over."""

    def work(connection: Connection) -> dict[str, list[str]]:
        keys = [_named(connection, beginning) for beginning in beginnings]
        for key in dict.fromkeys(keys):
            connection.execute(delete(BANNED).where(BANNED.c.key == key))
            connection.execute(insert(BANNED), Ban(key, time.time(), reason)._asdict())
        return {key: _games(connection, key) for key in keys}

    return await store.writer.do(work)


async def unban(store: Store, beginnings: Sequence[str]) -> list[str]:
    """Let keys in again, all of them or none."""

    def work(connection: Connection) -> list[str]:
        keys = [_named(connection, beginning) for beginning in beginnings]
        for key in keys:
            if not connection.execute(delete(BANNED).where(BANNED.c.key == key)).rowcount:
                raise StoreError("not-banned", f"the key {key[:12]} is not banned")
        return keys

    return await store.writer.do(work)


def _named(connection: Connection, beginning: str) -> str:
    """The one key whose hash begins so: that has a seat, or is banned."""
    if len(beginning) < FEWEST_LETTERS or not _LETTERS.issuperset(beginning):
        what = f"the first {FEWEST_LETTERS} letters of its hash or more, as `projectl games show` prints them"
        raise StoreError("key-form", f"a key is named by {what}, found {beginning[:20]!r}")
    wanted = [select(table.c.key).where(table.c.key.startswith(beginning)) for table in (KEYS, BANNED)]
    found = list(connection.execute(union(*wanted)).scalars())
    if len(found) == 1:
        return str(found[0])
    if found:
        raise StoreError("key-form", f"{len(found)} keys begin with {beginning}: name more letters")
    raise StoreError("key-none", f"no key with a seat begins with {beginning[:64]}")


def _games(connection: Connection, key: str) -> list[str]:
    wanted = select(GAMES.c.game).join(KEYS).where(KEYS.c.key == key, GAMES.c.status != FINISHED)
    return list(connection.execute(wanted.distinct().order_by(GAMES.c.game)).scalars())
