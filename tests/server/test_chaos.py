"""Messages are lost, doubled and overtaken on the way: nothing is lost for good, nothing is done twice."""

import asyncio
import json
import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from projectl.core.view import view
from projectl.server.bus import Alone
from projectl.server.games.events import Begun, Event, SeatTaken
from projectl.server.games.invitations import join
from projectl.server.games.memory import Games
from projectl.server.games.room import Room
from projectl.server.games.tables import make_table
from projectl.server.http import connection as connections
from projectl.server.http.connection import Connection
from projectl.server.http.forms import JoinForm, SeatForm, TableForm
from projectl.server.metrics import Metrics
from projectl.server.secret import hashed
from projectl.server.store.store import Store
from projectl.server.thinkers import Thinkers
from tests.server.client import Message, Seat, digest
from tests.server.processes import LONG

STEPS = 100_000 if LONG else 2_000


class Line:
    """One client and the bad line between it and the server."""

    def __init__(self, games: Games, game: str, key: str, dice: random.Random) -> None:
        self.games = games
        self.key = key
        self.dice = dice
        self.seat = Seat(game, key)
        self.up: list[bytes] = []
        self.down: list[bytes] = []
        self.sent: dict[str, Message] = {}
        self.connection = self._connect()

    def _connect(self) -> Connection:
        down: list[bytes] = []
        self.up, self.down = [], down
        return Connection(self.games, hashed(self.key), down.append, self._closed)

    @staticmethod
    def _closed(code: int, reason: str) -> None:
        raise AssertionError(f"cut off: {code} {reason}")

    def reconnect(self) -> None:
        """The line breaks: what was on the way is lost both ways."""
        self.connection.gone()
        self.connection = self._connect()
        self.say(self.seat.watch())
        self.resend()

    def say(self, message: Message) -> None:
        """Put a message on the way."""
        if "id" in message:
            self.sent[message["id"]] = message
        self.up.append(json.dumps(message).encode())

    def resend(self) -> None:
        """What was not answered is said again, word for word."""
        for message in self.seat.waiting.values():
            self.say(message)

    def act(self) -> None:
        """Do something that the last known state offers."""
        chosen = self.seat.choose(self.dice)
        luck = self.dice.random()
        if luck < 0.03:
            self.say(self.seat.say("chat", text=f"{luck}"))
        elif luck < 0.08 and self.seat.undo:
            self.say(self.seat.say("undo", all=self.dice.random() < 0.3))
        elif chosen is not None:
            self.say(self.seat.act(chosen[1]))

    def _pick(self, way: list[bytes]) -> bytes | None:
        """The next message that arrives: often the first, sometimes another; some never do, some do twice."""
        if not way:
            return None
        at = 0 if self.dice.random() < 0.7 else self.dice.randrange(len(way))
        luck = self.dice.random()
        if luck < 0.1:
            return way[at]  # and once more later
        data = way.pop(at)
        return None if luck < 0.2 else data

    async def deliver_up(self) -> None:
        """Something may reach the server."""
        data = self._pick(self.up)
        if data is not None:
            await self.connection.receive(data)

    def deliver_down(self) -> None:
        """Something may reach the client."""
        data = self._pick(self.down)
        if data is not None:
            self.seat.hear(data)

    def step(self) -> None:
        """What the client does by itself."""
        luck = self.dice.random()
        if luck < 0.02:
            self.reconnect()
        elif self.seat.lacks or self.seat.version < 0:
            self.say(self.seat.watch())
        elif luck < 0.1:
            self.resend()
        elif luck < 0.5 and len(self.seat.waiting) < 2:
            self.act()

    async def settle(self) -> None:
        """The line is good again."""
        self.reconnect()
        while self.up:
            await self.connection.receive(self.up.pop(0))
        while self.down:
            self.seat.hear(self.down.pop(0))


async def play(games: Games, form: TableForm, dice: random.Random, steps: int) -> tuple[int, Counter[str]]:
    """A game over bad lines, to its end or so many steps; the steps it took, and what came of the messages."""
    made = await make_table(games, form, "ana")
    keys = ["ana"]
    for n, invite in enumerate(made.invites.values(), 2):
        await join(games, made.game, JoinForm(invite=invite), f"guest{n}")
        keys.append(f"guest{n}")
    lines = [Line(games, made.game, key, dice) for key in keys]
    room = (await games.get(made.game)).room
    for line in lines:
        line.reconnect()
    took = 0
    while took < steps and room.status == "playing":
        took += 1
        for line in lines:
            line.step()
        await asyncio.gather(*(line.deliver_up() for line in lines))
        for line in lines:
            line.deliver_down()
    for line in lines:
        await line.settle()
    for line in lines:  # those who settled first have not heard the others
        await line.settle()
    await _agreed(games, made.game, lines)
    for line in lines:
        line.connection.gone()
    return took, Counter(
        code for line in lines for code in ["done"] * len(line.seat.done) + [*line.seat.refused.values()]
    )


async def _agreed(games: Games, game: str, lines: list[Line]) -> None:
    """Clients, server and store tell one story."""
    room = (await games.get(game)).room
    stored = await games.store.load(game)
    assert stored is not None
    again = Room(stored)
    assert again.version == room.version
    assert again.state.key() == room.state.key()
    assert [row.version for row in stored.events] == list(range(1, room.version + 1))
    rows = {(row.event.seat, row.message): row for row in stored.events if row.message}
    unsaid = [row.event for row in stored.events if not row.message]
    assert all(isinstance(event, SeatTaken | Begun) for event in unsaid)
    assert len(rows) + len(unsaid) == len(stored.events), "something was done twice"
    for number, line in enumerate(lines, 1):
        seat = line.seat
        assert not seat.waiting, "something was never answered"
        assert set(line.sent) == set(seat.done) | set(seat.refused)
        for name, version in seat.done.items():
            assert rows[number, name].version == version
        assert not [name for name in seat.refused if (number, name) in rows], "refused and yet done"
        assert seat.version == room.version
        assert seat.digest() == digest(view(room.state, number - 1))
        told = [msgspec.convert(happened["event"], Event) for happened in seat.events]
        assert told == [row.event for row in stored.events]


@pytest.mark.parametrize(
    ("rules", "share"),
    [({"players": 2}, 0.5), ({"players": 5, "modules": ["line_clear"]}, 0.5)],
    ids=["one after the other", "all at once"],
)
def test_over_bad_lines_nothing_is_lost_and_nothing_done_twice(
    rules: dict[str, object], share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MESSAGE_RATE", 1e9)
    monkeypatch.setattr(connections, "MESSAGE_BURST", 1e9)

    async def run() -> Counter[str]:
        store = Store(str(tmp_path / "games.db"))
        games = Games(store, Alone(), Thinkers(1), Metrics())
        await games.start()
        came: Counter[str] = Counter()
        try:
            left, number = int(STEPS * share), 0
            while left > 0:
                number += 1
                seats = [SeatForm(kind="me")]
                form = TableForm.model_validate({**rules, "chat": True, "seed": f"chaos {number}"})
                took, found = await play(games, form.model_copy(update={"seats": seats}), random.Random(number), left)
                left -= took
                came += found
        finally:
            await games.close()
            store.close()
        return came

    came = asyncio.run(run())
    assert came["done"] > STEPS * share / 20
    assert came["stale"], "bad lines make players late now and then"
    assert "server" not in came
