"""How much somebody may ask for: by cost, for an address, a key and a table."""

import ipaddress
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from projectl.server.errors import Refusal

MOST_NAMES: Final = 20_000
ADDRESS_RATE: Final = 200.0  # a second for one address: a household, or a proxy that does not say for whom
ADDRESS_BURST: Final = 2000.0
KEY_RATE: Final = 50.0
KEY_BURST: Final = 300.0  # as many as a quick bot plays in a whole game
TABLE_RATE: Final = 60.0  # changes a second at one table, whoever makes them
TABLE_BURST: Final = 300.0
CROWD: Final = 50  # people who follow a table: a change there costs once more for every so many
MESSAGE_RATE: Final = 30.0  # messages a second on all sockets of a key
MESSAGE_BURST: Final = 60.0
MADE_RATE: Final = 1 / 10  # tables a second of one address: each is kept for weeks
MADE_BURST: Final = 1000.0
PUBLIC_RATE: Final = 1 / 30  # public tables a second of one address: everybody finds the list full of them
PUBLIC_BURST: Final = 30.0
MOST_OPEN: Final = 300  # sockets and streams of one address
MOST_OPEN_KEY: Final = 40
MOST_FOLLOWED: Final = 600  # games of ordinary length that one address follows: each is in memory meanwhile
CONNECTING: Final = 5.0  # what opening a socket costs
LOADING: Final = 5.0  # and a game that is not in memory
CHANGE: Final = 1.0
BYTES: Final = 512  # of a body cost as much as a small question

_COSTS: Final = {
    ("GET", "/openapi.json"): 5.0,
    ("GET", "/metrics"): 5.0,
    ("GET", "/api/about"): 3.0,
    ("GET", "/api/mine"): 5.0,
    ("GET", "/api/tables"): 5.0,
    ("GET", "stream"): 5.0,
    ("GET", "record"): 3.0,
    ("GET", "steps"): 20.0,
    ("POST", "/api/keys"): 5.0,
    ("POST", "/api/tables"): 10.0,
    ("POST", "/api/import"): 20.0,
    ("POST", "/api/replay"): 20.0,
    ("POST", "/api/analyse"): 40.0,
    ("POST", "answer"): 20.0,
    ("POST", "join"): 5.0,
    ("POST", "/api/pair"): 20.0,
    ("POST", "/api/qr"): 10.0,
    ("POST", "/api/solo"): 10.0,
    ("GET", "/api/solo"): 3.0,
    ("POST", "hint"): 10.0,
    ("POST", "rematch"): 10.0,
    ("POST", "arrange"): 5.0,
}
_GAME: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,40})(/.*)?")
_TABLE: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,40})/([a-z]+)")
_DAILY: Final = re.compile(r"/api/daily/[^/]+/([a-z]+)")
_FILE: Final = 0.2


def cost_of(method: str, path: str, length: int = 0) -> float:
    """What a request costs: a small question is 1."""
    if not path.startswith("/api/"):
        return _COSTS.get((method, path), _FILE)
    named = _TABLE.fullmatch(path) or _DAILY.fullmatch(path)
    return _COSTS.get((method, named[named.lastindex or 0] if named else path), 1.0) + length / BYTES


def table_of(path: str) -> str:
    """The table that a request is about, if it is about one."""
    found = _TABLE.fullmatch(path)
    return found[1] if found else ""


def game_of(path: str) -> str:
    """The game that a request needs in memory, if it needs one."""
    found = _GAME.fullmatch(path)
    return found[1] if found else ""


def told_to(crowd: int) -> float:
    """What a change costs at a table that so many follow: each of them is told."""
    return CHANGE + crowd / CROWD


def network_of(address: str) -> str:
    """What counts as one address: with IPv6 everybody has 2^64 of them."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False).network_address)


class Gate(Protocol):
    """Lets so much through."""

    def take(self, cost: float = 1.0) -> bool:
        """So much more; False if that is too much."""
        ...


class Bucket:
    """So many at once, so many a second afterwards."""

    __slots__ = ("_at", "_clock", "_tokens", "burst", "rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self._clock = clock
        self._tokens = burst
        self._at = clock()

    def wait(self, cost: float = 1.0) -> float:
        """Seconds until there is so much; what costs more than all of it needs it full."""
        now = self._clock()
        self._tokens = min(self.burst, self._tokens + (now - self._at) * self.rate)
        self._at = now
        return max(0.0, (min(cost, self.burst) - self._tokens) / self.rate)

    def take(self, cost: float = 1.0) -> bool:
        """So much more; False if that is too much."""
        if self.wait(cost) > 0.0:
            return False
        self._tokens = max(0.0, self._tokens - cost)
        return True


class Buckets:
    """A bucket for each of many names. Of too many, the one that was not used for longest is forgotten."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, name: str) -> Bucket:
        """The bucket of a name."""
        found = self._buckets.pop(name, None) or Bucket(self.rate, self.burst)
        self._buckets[name] = found
        if len(self._buckets) > MOST_NAMES:
            del self._buckets[next(iter(self._buckets))]
        return found

    def take(self, name: str, cost: float = 1.0) -> bool:
        """So much more for this name."""
        return self.of(name).take(cost)


class All:
    """Several gates, of which each has to let something through."""

    def __init__(self, *gates: Bucket) -> None:
        self.gates = gates

    def wait(self, cost: float = 1.0) -> float:
        """Seconds until all let so much through."""
        return max(gate.wait(cost) for gate in self.gates)

    def take(self, cost: float = 1.0) -> bool:
        """So much more through all of them, or nothing through any."""
        if self.wait(cost) > 0.0:
            return False
        for gate in self.gates:
            gate.take(cost)
        return True


class Followed:
    """How much of the memory is taken by games because somebody follows them, by address."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def check(self, address: str) -> None:
        """Refuse one more."""
        if self._taken[address] >= MOST_FOLLOWED:
            raise Refusal("too-many-games", f"at most {MOST_FOLLOWED} games are followed from one address", 429)

    def add(self, address: str, weight: int) -> None:
        """A game is followed; with less than nothing no longer."""
        self._taken[address] += weight
        if not self._taken[address]:
            del self._taken[address]


class Limits:
    """All limits of one process. A key is one that this server issued: invented ones share their address's."""

    def __init__(self, times: float = 1.0) -> None:
        self.addresses = Buckets(ADDRESS_RATE * times, ADDRESS_BURST * times)
        self.keys = Buckets(KEY_RATE * times, KEY_BURST * times)
        self.tables = Buckets(TABLE_RATE * times, TABLE_BURST * times)
        self.messages = Buckets(MESSAGE_RATE * times, MESSAGE_BURST * times)
        self.messages_of_addresses = Buckets(MESSAGE_RATE * 10 * times, MESSAGE_BURST * 10 * times)
        self.made = Buckets(MADE_RATE * times, MADE_BURST * times)
        self.public = Buckets(PUBLIC_RATE * times, PUBLIC_BURST * times)
        self.most_open = int(MOST_OPEN * times)
        self.most_open_key = int(MOST_OPEN_KEY * times)
        self.followed = Followed()
        self._open: Counter[str] = Counter()

    def ask(self, address: str, key: str | None, cost: float, table: str = "", crowd: int = 0) -> float:
        """Take what a request costs; else the seconds until there is room for it."""
        asked = [(self.addresses.of(address), cost)]
        if key is not None:
            asked.append((self.keys.of(key), cost))
        if table:
            asked.append((self.tables.of(table), cost * told_to(crowd)))
        wait = max(gate.wait(much) for gate, much in asked)
        if not wait:
            for gate, much in asked:
                gate.take(much)
        return wait

    def messages_of(self, address: str, key: str | None) -> Gate:
        """What messages on sockets have to pass: the same for all connections of a key, so a new one buys nothing."""
        of_address = self.messages_of_addresses.of(address)
        return of_address if key is None else All(self.messages.of(key), of_address)

    @contextmanager
    def opened(self, address: str, key: str | None) -> Iterator[bool]:
        """While something stays open; False: too much is open there already."""
        if self._open[address] >= self.most_open or (key and self._open[key] >= self.most_open_key):
            yield False
            return
        names = [address] if key is None else [address, key]
        self._open.update(names)
        try:
            yield True
        finally:
            self._open.subtract(names)
            for name in names:
                if self._open[name] <= 0:
                    del self._open[name]
