"""What nobody can do: hold up those who think, fill the memory, ask without end, or stop the game with a fault."""

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import traceback
import urllib.error
import urllib.request
import warnings
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, cast

import pytest
from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, OperationalError

from projectl import State
from projectl.core import cards
from projectl.server import health
from projectl.server.errors import Busy, Refusal, StoreError
from projectl.server.games import invitations
from projectl.server.games.live import NOWHERE
from projectl.server.games.tables import check_rules
from projectl.server.http.forms import JoinForm, RulesForm
from projectl.server.http.limits import MOST_NAMES, Buckets, cost_of, network_of, told_to
from projectl.server.store.files import held
from projectl.server.store.store import GameRow, SeatRow, Store
from projectl.server.store.writer import Writer
from projectl.server.thinkers import Suggestion, Thinkers, thinks_deeply
from projectl.server.workers import Asker, Pool
from tests.server.client import Client
from tests.server.harness import HereThinkers, House, Socket, Visitor, until
from tests.server.processes import LONG, ME, Server, free_port, wait_for
from tests.server.test_bots_at_tables import table_with
from tests.server.test_protocol import turn

# --- thinking ---------------------------------------------------------------------------------


@asynccontextmanager
async def pool(workers: int = 1, waiting: int = 4, each: int = 4, limit: float = 60.0) -> AsyncIterator[Pool]:
    """Real processes."""
    found = Pool(workers, waiting=waiting, each=each, limit=limit)
    try:
        yield found
    finally:
        found.close()


def ana(number: int = 0) -> Asker:
    """Somebody, each number another."""
    return Asker(f"ana {number}", f"address {number}")


async def test_what_a_worker_warns_of_is_a_line_of_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    """As where a bot says that classic search plays for it."""
    async with pool() as busy:
        await busy.run(ana(), warnings.warn, "the learned bots play as search-classic")
    said = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [(line["level"], "play as search-classic" in line["message"]) for line in said] == [("warning", True)]


async def test_nobody_makes_a_bots_turn_wait_for_hints_or_records(house: House) -> None:
    thinkers = Thinkers(1)
    house.games.automation.thinkers = thinkers
    asked = [
        asyncio.ensure_future(busy.run(ana(n), time.sleep, 60.0))
        for busy in (thinkers.advice, thinkers.records, thinkers.deep)
        for n in range(8)
    ]
    player = await table_with(house, "greedy")
    await player.play(*turn(1))
    await player.turn(1)
    assert player.texts()[3].startswith("2 "), "the bot played"
    assert "handover" not in " ".join(player.texts())
    assert not any(task.done() for task in asked), "and nobody else was served meanwhile"
    thinkers.close()
    await asyncio.gather(*asked, return_exceptions=True)


def test_quick_bots_have_workers_that_deep_thinkers_cannot_take() -> None:
    assert [spec for spec in ("random", "greedy", "neural", "planner", "planner:50ms") if thinks_deeply(spec)] == []
    assert [spec for spec in ("search", "search:10s", "planner:1s") if not thinks_deeply(spec)] == []


async def test_nobody_has_more_asked_at_once_than_a_key_may() -> None:
    async with pool(each=1, waiting=100) as workers:
        first = asyncio.ensure_future(workers.run(Asker("key", "home"), time.sleep, 0.5))
        await asyncio.sleep(0)
        with pytest.raises(Busy) as busy:
            await workers.run(Asker("key", "home"), time.sleep, 0)
        assert (busy.value.code, busy.value.status) == ("busy-yours", 429)
        await first
        await workers.run(Asker("key", "home"), time.sleep, 0)


async def test_nobody_gets_more_out_of_many_keys_at_one_address() -> None:
    async with pool(each=1, waiting=100) as workers:
        asked = [asyncio.ensure_future(workers.run(Asker(f"key {n}", "home"), time.sleep, 0.1)) for n in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await workers.run(Asker("key 5", "home"), time.sleep, 0)
        await workers.run(Asker("key 5", "elsewhere"), time.sleep, 0)
        await asyncio.gather(*asked)


async def test_nobody_fills_a_queue_without_end_and_whoever_comes_late_hears_when_to_come_again() -> None:
    async with pool(waiting=3) as workers:
        asked = [asyncio.ensure_future(workers.run(ana(n), time.sleep, 0.2)) for n in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match=r"try again in \d+ s") as busy:
            await workers.run(ana(9), time.sleep, 0)
        assert (busy.value.code, busy.value.status) == ("busy", 503)
        assert busy.value.seconds >= 1
        await asyncio.gather(*asked)
        await workers.run(ana(9), time.sleep, 0)


async def test_nobody_who_asks_often_is_served_before_somebody_who_asks_rarely() -> None:
    async with pool(waiting=10, each=10) as workers:
        await workers.run(ana(1), time.sleep, 0)
        order: list[str] = []

        async def ask(number: int) -> None:
            await workers.run(ana(number), time.sleep, 0.01)
            order.append(f"ana {number}")

        await asyncio.gather(*(ask(number) for number in (1, 1, 1, 1, 2)))
        assert order.index("ana 2") <= 1, "only what was begun already came first"


async def test_nobody_who_comes_with_many_keys_is_served_before_somebody_elsewhere() -> None:
    async with pool(waiting=20, each=10) as workers:
        await workers.run(Asker("bo", "elsewhere"), time.sleep, 0)
        order: list[str] = []

        async def ask(name: str, address: str) -> None:
            await workers.run(Asker(name, address), time.sleep, 0.01)
            order.append(name)

        many = [ask(f"key {number}", "home") for number in range(10)]
        await asyncio.gather(*many, ask("bo", "elsewhere"))
        assert order.index("bo") <= 1, "though each of the keys comes for the first time"


async def test_nobody_fills_the_queue_of_bots_with_many_tables_of_many_keys(house: House) -> None:
    """A bot thinks for its table's owner at the address where one of its people is; with nobody there, at one for all
    such tables. So an address has no more bots thinking than it has hints."""
    asked: list[Asker] = []

    class Noted(HereThinkers):
        async def act(self, spec: str, state: State, seat: int, seed: int, asker: Asker) -> str:
            asked.append(asker)
            return await super().act(spec, state, seat, seed, asker)

    house.games.automation.thinkers = Noted()
    makers = [await issued(house) for _ in range(2)]
    form = {"players": 2, "seats": [{"kind": "bot", "bot": "greedy"}, ME]}
    games = [(await maker.make(**form))["game"] for maker in makers for _ in range(2)]
    await until(lambda: len(asked) == 12)  # three actions each
    assert len({asker.name for asker in asked}) == 2
    assert {asker.address for asker in asked} == {NOWHERE}
    asked.clear()
    key = makers[0].http.headers["authorization"].split()[1]
    one = Socket(house.server, {"cookie": f"projectl={key}"}, address="192.0.2.7")
    one.say(type="watch", game=games[0])
    await one.until(lambda message: "state" in message.get("text", ""))
    for number in range(3):
        one.say(type="act", game=games[0], id=str(number), version=3 + number, action="gain O1")
    await until(lambda: len(asked) == 3)
    assert {asker.address for asker in asked} == {"192.0.2.7"}
    await one.leave()


async def test_nobody_loses_time_by_waiting_in_a_queue() -> None:
    """Together they take longer than the limit, each by itself does not."""
    async with pool(waiting=10, limit=4.0) as workers:
        await workers.run(ana(), time.sleep, 0)
        begin = time.monotonic()
        await asyncio.gather(*(workers.run(ana(n), time.sleep, 1.0) for n in range(5)))
        assert time.monotonic() - begin > 4.0
        assert workers.replaced == 0


async def test_nobody_keeps_a_worker_for_ever() -> None:
    async with pool(limit=3.0) as workers:
        before = await workers.run(ana(), os.getpid)
        with pytest.raises(Refusal) as late:
            await workers.run(ana(), time.sleep, 600)
        assert late.value.code == "too-long"
        assert workers.replaced == 1
        assert before not in workers.pids()


async def test_nobody_waits_for_ever_for_a_worker_that_was_stopped() -> None:
    async with pool(limit=3.0) as workers:
        before = await workers.run(ana(), os.getpid)
        os.kill(before, signal.SIGSTOP)
        with pytest.raises(Refusal):
            await workers.run(ana(), os.getpid)
        assert before not in workers.pids()


async def test_nobody_goes_without_an_answer_when_several_workers_die_at_once() -> None:
    async with pool(workers=2) as workers:
        await asyncio.gather(*(workers.run(ana(n), time.sleep, 0.2) for n in range(2)))
        assert len(workers.pids()) == 2
        asked = [asyncio.ensure_future(workers.run(ana(n), time.sleep, 0.3)) for n in range(2)]
        await asyncio.sleep(0.1)
        for worker in workers.pids():
            os.kill(worker, signal.SIGKILL)
        assert await asyncio.gather(*asked) == [None, None], "others took the work over"
        dying = await asyncio.gather(*(workers.run(ana(n), os._exit, 1) for n in range(2)), return_exceptions=True)
        assert [getattr(error, "code", error) for error in dying] == ["thinking-failed"] * 2
        assert await workers.run(ana(), abs, -3) == 3


async def test_nobody_takes_a_seat_from_a_bot_by_keeping_the_others_busy(house: House) -> None:
    class Crowded(HereThinkers):
        refused = 3

        async def act(self, spec: str, state: State, seat: int, seed: int, asker: Asker) -> str:
            self.refused -= 1
            if self.refused >= 0:
                raise Busy("busy", "try again in 5 s", 503, about="5")
            return await super().act(spec, state, seat, seed, asker)

    house.games.automation.thinkers = crowded = Crowded()
    player = await table_with(house, "planner:1ms")
    await player.play(*turn(1))
    for left in (2, 1, 0):
        await until(lambda left=left: crowded.refused == left)  # type: ignore[misc]
        for _ in range(20):
            await asyncio.sleep(0)
        assert player.version == 3
        house.clock.advance(6)
    await player.turn(1)
    assert "handover" not in " ".join(player.texts())


async def test_nobody_makes_bots_play_where_no_person_plays_and_its_owner_does_not_watch(house: House) -> None:
    owner = house.visitor()
    made = await owner.make(players=2, seats=[{"kind": "bot", "bot": "greedy"}] * 2, options={"max_rounds": "1"})
    stranger = await house.visitor().at(made["game"])
    house.clock.advance(100)
    for _ in range(50):
        await asyncio.sleep(0)

    async def nothing_is_due() -> bool:
        return await house.games.store.games_due(house.clock.now()) == []

    await until(nothing_is_due)
    assert stranger.version == 0
    watching = await owner.at(made["game"])
    await watching.over()


async def test_nobody_is_left_without_an_answer_by_a_hint_that_crashes(house: House) -> None:
    class Crashing(HereThinkers):
        async def advise(self, state: State, seat: int, seed: int, asker: Asker) -> Suggestion:
            raise RuntimeError("out of memory")

    house.games.thinkers = Crashing()
    player = await table_with(house, "greedy")
    await player.say("hint", game=player.game, id="h")
    answer = await player.until(lambda message: message.get("id") == "h")
    assert (answer["type"], answer["code"]) == ("refused", "server")


# --- memory -----------------------------------------------------------------------------------


def test_nobody_fills_the_memory_with_cards_of_their_own() -> None:
    rows = ("##### #...# ##.## ##.## #####", "##### #..## ##.## ##.## #####", "##### ##..# ##.## ##.## #####")
    for number in range(100):
        own = [f"OWN{number} W {number % 6} O1 {rows[number % 3]}"]
        assert check_rules(RulesForm(players=2, cards=own)) is None
    assert 0 < cards.catalogue.cache_info().currsize <= 32


# --- limits by cost ---------------------------------------------------------------------------


async def issued(house: House) -> Visitor:
    """Somebody with a key of this server's."""
    visitor = house.visitor()
    visitor.http.headers["authorization"] = f"Bearer {(await visitor.post('/api/keys'))['key']}"
    return visitor


async def test_nobody_asks_more_with_invented_keys_than_without_one(house: House) -> None:
    house.server.limits.addresses = Buckets(0.001, 30.0)
    visitor = house.visitor()
    found: list[int] = []
    for number in range(40):
        headers = {"cookie": f"projectl={number:032}"}
        found.append((await visitor.http.get("/api/cards", headers=headers)).status_code)
    assert found == [200] * 30 + [429] * 10


async def test_nobody_asks_more_with_many_issued_keys_than_an_address_may(house: House) -> None:
    visitors = [await issued(house) for _ in range(5)]
    house.server.limits.addresses = Buckets(0.001, 30.0)
    found = [(await visitor.http.get("/api/cards")).status_code for visitor in visitors for _ in range(8)]
    assert found == [200] * 30 + [429] * 10


async def test_nobody_sits_down_with_a_key_that_this_server_did_not_issue(house: House) -> None:
    program = house.visitor()
    program.http.headers["authorization"] = f"Bearer {'x' * 48}"
    form = {"players": 2, "seats": [{"kind": "me"}]}
    assert await program.refused("/api/tables", form) == (403, "key-unknown")
    browser = house.visitor("x" * 48)
    made = await browser.http.post("/api/tables", json=form)
    assert made.status_code == 200
    assert "x" * 48 not in made.headers["set-cookie"], "it got a key that nobody else knows"
    stranger = house.visitor("x" * 48)
    assert await stranger.get("/api/mine") == {"tables": []}


async def test_nobody_who_sat_down_before_keys_were_signed_loses_a_seat(house: House) -> None:
    old = "o" * 32
    made = await (await issued(house)).make(players=2, seats=[{"kind": "me"}])
    await invitations.join(house.games, made["game"], JoinForm(invite=made["invites"]["2"]), old)
    ana = house.visitor(old)
    again = await ana.http.post("/api/tables", json={"players": 2, "seats": [{"kind": "me"}]})
    assert old in again.headers["set-cookie"]


async def test_nobody_asks_for_what_is_dear_as_often_as_for_what_is_cheap(house: House) -> None:
    visitor = await issued(house)
    form = {"players": 2, "seats": [{"kind": "bot"}, {"kind": "bot"}]}
    for path, body, times in (("/api/tables", form, 9), ("/api/check", {"players": 2}, 90)):
        house.server.limits.keys = Buckets(0.001, 100.0)
        found = [(await visitor.http.post(path, json=body)).status_code for _ in range(times + 12)]
        assert found[:times] == [200] * times
        assert found[-1] == 429


@pytest.mark.parametrize(
    ("method", "path", "length", "cost"),
    [
        ("GET", "/assets/index-1.js", 0, 0.2),
        ("GET", "/api/tables/abc/state", 0, 1.0),
        ("GET", "/api/tables/abc/stream", 0, 5.0),
        ("POST", "/api/tables/abc/actions", 0, 1.0),
        ("POST", "/api/tables/abc/hint", 0, 10.0),
        ("POST", "/api/check", 7168, 15.0),
        ("POST", "/api/replay", 131072, 276.0),
    ],
)
def test_nobody_gets_dear_things_for_the_price_of_cheap_ones(method: str, path: str, length: int, cost: float) -> None:
    assert cost_of(method, path, length) == cost


async def test_nobody_makes_more_happen_at_a_table_than_everybody_there_can_follow(house: House) -> None:
    ana, bo = await house.pair(chat=True)
    ana.connection._tables = bo.connection._tables = Buckets(0.001, 10.0)
    answers = [await client.ask("chat", text="again") for _ in range(6) for client in (ana, bo)]
    heard = int(10 / told_to(2))
    assert heard == 9
    assert [answer["type"] for answer in answers] == ["done"] * heard + ["refused"] * (12 - heard)
    assert answers[-1]["code"] == "rate"


async def test_nobody_says_more_by_coming_back_on_a_new_socket(house: House) -> None:
    key = (await issued(house)).http.headers["authorization"].split()[1]
    house.server.limits.messages = Buckets(0.001, 20.0)
    pongs = 0
    for _ in range(3):
        one = Socket(house.server, {"cookie": f"projectl={key}"})
        for number in range(15):
            one.say(type="ping", id=str(number))
        for _ in range(200):
            await asyncio.sleep(0)
        pongs += sum(message["type"] == "pong" for message in one.heard())
        await one.leave()
        assert house.server.sockets is not None
        house.server.sockets._shut_out.clear()
    assert pongs == 20


async def test_nobody_keeps_more_sockets_open_than_a_key_or_an_address_may(house: House) -> None:
    house.server.limits.most_open = 3
    sockets = [Socket(house.server) for _ in range(3)]
    for one in sockets:
        await one.until(lambda message: message["type"] == "websocket.accept")
    late = Socket(house.server)
    assert await late.close_code() == 4429
    await late.task
    await sockets[0].leave()
    again = Socket(house.server)
    await again.until(lambda message: message["type"] == "websocket.accept")
    for one in [*sockets[1:], again]:
        await one.leave()
    assert not house.server.limits._open


def test_nobody_fills_the_memory_with_names() -> None:
    found = Buckets(1.0, 2.0)
    assert [found.take("ana") for _ in range(3)] == [True, True, False]
    for number in range(MOST_NAMES - 1):
        found.take(f"stranger {number}")
    assert not found.take("ana"), "and nobody is forgotten by that who comes again and again"
    for number in range(MOST_NAMES):
        found.take(f"other {number}")
    assert len(found) == MOST_NAMES


def test_nobody_has_more_addresses_than_one_because_of_ipv6() -> None:
    assert network_of("2001:db8:1:2::17") == network_of("2001:db8:1:2:ffff::1")
    assert network_of("2001:db8:1:2::17") != network_of("2001:db8:1:3::17")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") != network_of("192.0.2.2")


# --- in time ----------------------------------------------------------------------------------


QUICK: Final = {
    "projectl.server.http.patience.HEADER_SECONDS": 0.5,
    "projectl.server.http.patience.MOST_CONNECTIONS": 3,
    "projectl.server.http.app.BODY_SECONDS": 0.5,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own process, with little patience."""
    with Server(tmp_path_factory.mktemp("limits"), patches=QUICK, more=["--trusted-proxy", "127.0.0.1"]) as found:
        yield found.start()


def line(server: Server, *parts: bytes) -> bytes:
    """What comes back until the server closes; each part is sent after a while."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        for part in parts:
            client.sendall(part)
            time.sleep(0.1)
        found = b""
        with contextlib.suppress(ConnectionResetError):
            while more := client.recv(65536):
                found += more
        return found


@pytest.mark.parametrize("begun", [b"", b"\r\n", b"GET /health HTTP/1.1\r\nhost: x\r\n"], ids=["none", "empty", "half"])
def test_nobody_holds_a_connection_open_by_never_ending_the_headers(server: Server, begun: bytes) -> None:
    assert line(server, begun) == b"", "it does not even wait as long as this client does"


def test_nobody_shuts_others_out_by_holding_connections_open(server: Server) -> None:
    def let_in(line: socket.socket) -> bool:
        with contextlib.suppress(ConnectionError):
            line.sendall(b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n")
            return line.recv(1000).startswith(b"HTTP/1.1 200 ")
        return False

    def connected() -> socket.socket:
        return socket.create_connection(("127.0.0.1", server.port), timeout=30, source_address=("127.0.0.9", 0))

    with contextlib.ExitStack() as lines:
        held = [lines.enter_context(connected()) for _ in range(5)]
        assert [let_in(line) for line in held] == [True, True, True, False, False]
        with urllib.request.urlopen(f"{server.url}/api/about") as answer:
            assert answer.status == 200, "somebody elsewhere is answered"

    def once_more() -> bool:
        with connected() as line:
            return let_in(line)

    wait_for("the end of these", once_more)


@pytest.mark.parametrize(
    "frame", [b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x00\x80\0\0\0\0"], ids=["pings", "pongs", "fragments"]
)
def test_nobody_floods_a_socket_with_what_is_no_message(server: Server, frame: bytes) -> None:
    """Of a thousand the first hundred are heard, then the connection is over: four of them stopped everybody else."""
    opening = (
        b"GET /api/socket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
        b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        client.sendall(opening)
        assert client.recv(12) == b"HTTP/1.1 101"
        client.sendall(b"\x01\x80\0\0\0\0" if frame[0] == 0 else b"")
        with contextlib.suppress(ConnectionError):  # else this would go on for ever
            while True:
                client.sendall(frame * 1000)
    assert server.complaints() == []


def test_nobody_holds_a_request_open_by_never_ending_the_body(server: Server) -> None:
    head = b"POST /api/check HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 100\r\n\r\n{"
    found = line(server, head)
    assert found.startswith(b"HTTP/1.1 408 ")
    assert json.loads(found.split(b"\r\n\r\n", 1)[1])["code"] == "too-slow"


def test_nobody_behind_a_trusted_proxy_uses_up_what_others_may_ask_and_cookies_stay_secure(server: Server) -> None:
    def ask(address: str) -> tuple[int, str]:
        request = urllib.request.Request(f"{server.url}/api/keys", b"{}", {"x-forwarded-for": address})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, ""
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)["code"]

    found: list[tuple[int, str]] = []
    with ThreadPoolExecutor(4) as threads:
        while (429, "rate") not in found:
            found += threads.map(ask, ["198.51.100.1"] * 100)
            assert len(found) < 5000, "nobody was refused"
    assert ask("198.51.100.2") == (200, "")
    body = json.dumps({"players": 2, "seats": [{"kind": "me"}]}).encode()
    headers = {"x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.3", "content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{server.url}/api/tables", body, headers)) as made:
        assert "; Secure" in made.headers["set-cookie"]


# --- faults -----------------------------------------------------------------------------------


NO_BUS: Final = "redis://127.0.0.1:1/0"


async def test_nobody_waits_for_256_tries_when_the_store_is_locked() -> None:
    class Locked:
        tries = 0

        def begin(self) -> object:
            self.tries += 1
            time.sleep(0.05)  # meanwhile the rest of the batch comes
            raise OperationalError("BEGIN IMMEDIATE", None, sqlite3.OperationalError("database is locked"))

    engine = Locked()
    writer = Writer(cast(Engine, engine))
    failed = await asyncio.gather(*(writer.do(lambda connection: None) for _ in range(256)), return_exceptions=True)
    assert all(isinstance(error, OperationalError) for error in failed)
    assert engine.tries <= 3
    writer.close()


async def test_nobody_reads_seeds_in_a_log(house: House) -> None:
    """Not even when the store fails in the middle of writing them."""
    row = GameRow("same", 1.0, "seed: hidden-treasure", "hidden-salt", "{}", "maker", "waiting", 0, None, 1)
    seat = SeatRow(1, "open", "", "teal", "")
    await house.games.store.create(row, [seat], [], [], [])
    with pytest.raises(IntegrityError) as failed:
        await house.games.store.create(row, [seat], [], [], [])
    text = "".join(traceback.format_exception(failed.value))
    assert "UNIQUE" in text
    assert "hidden-" not in text


def test_nobody_else_on_the_machine_reads_the_file_of_the_games(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    old = os.umask(0o022)
    try:
        store = Store(str(path))
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
        store.close()
        path.chmod(0o644)  # as older versions left it
        Store(str(path)).close()
    finally:
        os.umask(old)
    assert set(modes) >= {"games.db", "games.db-wal"}
    assert set(modes.values()) == {0o600}
    assert path.stat().st_mode & 0o777 == 0o600


def test_nobody_starts_a_second_server_on_the_file_of_another(server: Server) -> None:
    command = [sys.executable, "-m", "projectl", "serve", "--store", server.store, "--port", str(free_port())]
    second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert second.returncode == 2
    assert "another server uses " in second.stderr
    assert server.ask("/health")["ok"]
    url = make_url(server.store)
    with pytest.raises(StoreError), held(url, together=True):
        pass


async def test_nobody_is_told_that_all_is_well_while_the_store_cannot_be_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "SECONDS", 0.2)
    monkeypatch.setattr(health, "FRESH", 0.0)
    visitor = house.visitor()
    assert (await visitor.get("/health"))["ok"]
    with contextlib.closing(sqlite3.connect(house.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        ill = await visitor.http.get("/health")
        assert (ill.status_code, ill.json()["ok"], list(ill.json()["ill"])) == (503, False, ["store"])
        assert (await visitor.get("/health/live"))["ok"], "the process itself is well"
        other.rollback()

    async def well() -> bool:
        return bool((await visitor.http.get("/health")).json()["ok"])

    await until(well)


def test_nobody_misses_what_happens_at_another_process_while_there_is_no_bus(tmp_path: Path) -> None:
    """The servers start without it, too."""

    async def play(one: Server, two: Server) -> None:
        dice = random.Random(1)
        key = one.new_key()
        game = one.table(key, ME, ME)["game"]
        async with Client(one, game, key, "one") as sender, Client(two, game, key, "two") as receiver:
            for version in range(1, 4):
                assert await sender.play(dice) == version
                await receiver.at(version)

    quick = {"projectl.server.games.memory.POLL": 0.1}
    with contextlib.ExitStack() as running:
        one, two = (running.enter_context(Server(tmp_path, bus=NO_BUS, patches=quick).launch()) for _ in range(2))
        asyncio.run(play(one.ready(), two.ready()))
        told = one.ask("/health")
        assert (told["ok"], list(told["ill"])) == (True, ["bus"])


def workers_of(server: Server) -> list[int]:
    """The processes that serve."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.skipif(not LONG, reason="starts two processes, and one anew: with PROJECTL_LONG=1")
def test_nobody_waits_long_for_a_server_process_that_was_stopped(tmp_path: Path) -> None:
    with Server(tmp_path, bus=NO_BUS, more=["--workers", "2"]).start() as server:
        before = workers_of(server)
        assert len(before) == 2
        os.kill(before[0], signal.SIGSTOP)
        wait_for("another process in its place", lambda: len(set(workers_of(server)) - {before[0]}) == 2)
        server.ready()
