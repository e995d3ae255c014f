"""What somebody found who attacked the finished server for an afternoon."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from projectl import Game, Header, Rules
from projectl.server.games.loader import Loader
from projectl.server.games.room import Room
from projectl.server.http.cookies import COOKIE, drop_others_cookies, key_of
from projectl.server.http.limits import LOADING, MADE_BURST, Buckets, Followed, Limits, cost_of, told_to
from projectl.server.http.ndjson import follow_lines
from projectl.server.store.store import Stored
from tests.server.harness import Client, House, refusal, until
from tests.server.processes import ME, PATIENCE, Server

QUOTES = b'other="' + b'\\"' * 7000 + b'"'  # the library for cookies takes seconds for four times as many


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of its own process."""
    with Server(tmp_path_factory.mktemp("found")) as found:
        yield found.start()


def cut_off(server: Server, begun: bytes, again: bytes, most: int) -> bool:
    """Whether the server ends a line on which the same bytes come again and again, before it took so many."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as client:
        try:
            client.sendall(begun)
            for _ in range(most // len(again) if again else 0):
                client.sendall(again)
            return client.recv(1_000_000) == b""
        except (BrokenPipeError, ConnectionResetError):
            return True


@pytest.mark.parametrize("again", [b"a: " + b"b" * 60_000 + b"\r\n", b"b" * 60_000], ids=["many", "one"])
def test_nobody_fills_the_memory_with_headers(server: Server, again: bytes) -> None:
    assert cut_off(server, b"GET / HTTP/1.1\r\nhost: x\r\na: b", again, 50_000_000)


def test_nobody_sends_thousands_of_requests_before_the_first_is_answered(server: Server) -> None:
    """Each piece that came was read to its end, and every request in it kept: 250 connections held the server up."""
    once = b"GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n"
    assert cut_off(server, once, once * 1000, 50_000_000)
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as client:
        client.sendall(once * 8 + once.replace(b"host", b"connection: close\r\nhost"))
        found = b""
        while part := client.recv(65536):
            found += part
    assert found.count(b"HTTP/1.1 200 ") == 9


def test_nobody_fills_it_with_headers_behind_a_stream_either(server: Server) -> None:
    game = server.table(server.new_key(), ME, ME)["game"]
    begun = f"GET /api/tables/{game}/stream HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\n".encode()
    assert cut_off(server, begun, b"a: " + b"b" * 60_000 + b"\r\n", 50_000_000)


async def test_nobody_has_cookies_read_that_are_not_this_sites(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's reader of cookies, which the framework uses, takes longer for quotes than it should."""
    read: list[str] = []

    def noted(text: str) -> dict[str, str]:
        read.append(text)
        return {}

    monkeypatch.setattr("starlette.requests.cookie_parser", noted)
    visitor = house.visitor()
    visitor.http.headers["cookie"] = QUOTES.decode()
    assert (await visitor.get("/api/mine"))["tables"] == []
    assert not any(read)


def test_ones_own_cookie_is_found_among_others() -> None:
    key = "k" * 40
    line = b"; ".join([QUOTES, f"{COOKIE}={key}".encode(), b"last=1"])
    scope = {"type": "http", "headers": [(b"host", b"x"), (b"cookie", line)]}
    assert key_of(scope) == key
    drop_others_cookies(scope)
    assert scope["headers"] == [(b"host", b"x"), (b"cookie", f"{COOKIE}={key}".encode())]
    for wrong in (b"projectl=short", b"projectl", b"=projectl", b"x" + line, b"\xff\xfe"):
        assert key_of({"type": "http", "headers": [(b"cookie", wrong.replace(b"; projectl", b"; other"))]}) is None


async def test_a_change_costs_more_the_more_people_are_told(house: House) -> None:
    ana, bo = await house.pair(chat=True)
    crowd = [house.client() for _ in range(100)]
    for one in crowd:
        await one.watch(ana.game)
    ana.connection._tables = bo.connection._tables = Buckets(0.001, 10.0)
    assert await said(ana, 5) == ["done"] * 3 + ["refused"] * 2
    for one in crowd:
        one.connection.gone()
    limits = Limits()
    assert limits.ask("a", None, 1.0, "game", crowd=1_000_000) == 0, "one change is always possible"
    assert limits.ask("b", None, 1.0, "game", crowd=0) > 0
    assert limits.ask("c", None, 1.0, "other", crowd=0) == 0


async def said(client: Client, times: int) -> list[str]:
    """What comes of saying something so often."""
    return [(await client.ask("chat", text="again"))["type"] for _ in range(times)]


async def test_nobody_fills_the_list_of_public_tables(house: House) -> None:
    house.server.http.state.limits = Limits()
    visitor = house.visitor()
    for _ in range(30):
        await visitor.make(players=2, public=True)
    assert await visitor.refused("/api/tables", {"players": 2, "public": True}) == (429, "rate")
    record = "players: 2\nseed: x\n"
    assert await visitor.refused("/api/import", {"record": record, "public": True}) == (429, "rate")
    await visitor.make(players=2)
    assert len((await visitor.get("/api/tables"))["tables"]) == 30


async def test_nobody_fills_the_disk_with_tables(house: House) -> None:
    """Each is kept for weeks, whatever key asked for it and however."""
    limits = house.server.http.state.limits = Limits()
    assert (await house.visitor().make(players=2))["game"]
    limits.made.of("127.0.0.1").take(MADE_BURST - 1)
    sole = {"name": "Ana", "colour": ""}
    for path, wish in (
        ("/api/tables", {"players": 2}),
        ("/api/import", {"record": "players: 2\nseed: x\n"}),
        ("/api/pair", {"players": 2, "clock": "quick", **sole}),
        ("/api/solo", sole),
    ):
        assert await house.visitor().refused(path, wish) == (429, "rate"), path


async def test_nobody_has_a_name_that_cannot_be_seen_or_turns_the_others_round(house: House) -> None:
    names = {
        "\u202eevil\u202c": "evil",
        "\u200b\u2066 \ufeff": "",
        "\u3164 \u2800": "",
        "\u200d\ufe0f": "",
        "Jos\u00e9 \U0001f468\u200d\U0001f33e": None,
    }
    for name, wanted in names.items():
        made = await house.visitor().make(players=2, seats=[{"kind": "me", "name": name}])
        assert made["table"]["seats"][0]["name"] == (name if wanted is None else wanted)
        guest = house.visitor()
        await guest.join(made["game"], invite=made["invites"]["2"], name=name)
        table = await guest.get(f"/api/tables/{made['game']}")
        assert table["seats"][1]["name"] == (name if wanted is None else wanted)


async def test_nobody_turns_round_what_others_say(house: House) -> None:
    ana, bo = await house.pair(chat=True)
    assert (await ana.ask("chat", text="well \u202eplayed\u2067"))["type"] == "done"
    assert (await ana.ask("chat", text="\u200b \u3164"))["code"] == "unreadable"
    assert bo.texts() == ["1 say well played"]


async def test_nobody_makes_a_table_grow_by_arranging_its_seats(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("projectl.server.games.lobby.MOST_ARRANGED", 3)
    host = house.visitor()
    made = await host.make(players=2, seats=[ME])
    path = f"/api/tables/{made['game']}"
    for name in ("A", "B", "C"):
        assert (await host.post(f"{path}/arrange", {"seat": 1, "name": name}))["seats"][0]["name"] == name
    assert await host.refused(f"{path}/arrange", {"seat": 1, "name": "D"}) == (429, "arrange-often")
    await house.restart()
    host = house.visitor(host.key)
    assert await host.refused(f"{path}/arrange", {"seat": 1, "name": "D"}) == (429, "arrange-often")
    assert (await host.post(f"{path}/cancel"))["cancelled"]


async def test_nobody_with_a_seat_comes_and_goes_faster_than_everybody_there_can_follow(house: House) -> None:
    """The others at the table are told of it each time; of a spectator nobody is told."""
    ana, _ = await house.pair()
    spectator = house.client()
    await spectator.watch(ana.game)
    for client, followed in ((ana, int(10 / told_to(3))), (spectator, 20)):
        client.connection._tables = Buckets(0.001, 10.0)
        answers = [await client.say("watch", game=ana.game) for _ in range(20)]
        assert [answer[0]["type"] for answer in answers] == ["state"] * followed + ["refused"] * (20 - followed)


async def test_nobody_has_everybody_told_of_a_device_that_comes_and_goes_beside_another_of_the_seat(
    house: House,
) -> None:
    """One that promises a sign of life each second, and breaks its word, did so at twenty tables at once."""
    ana, bo = await house.pair()
    devices = [house.client(ana.key) for _ in range(10)]
    before = len(bo.messages("table"))
    for device in devices:
        await device.watch(ana.game)
        await device.say("ping", id="here", within=1)
    for _ in range(5):
        house.clock.advance(2)
        await until(lambda: all(device.connection._signs.away for device in devices))
        for device in devices:
            await device.say("ping", id="here", within=1)
    for device in devices:
        device.connection.gone()
    assert len(bo.messages("table")) == before
    ana.connection.gone()
    assert len(bo.messages("table")) == before + 1
    assert not bo.table["seats"][0].get("online")


@pytest.mark.parametrize(
    ("path", "most"), [("/openapi.json", 400), ("/metrics", 400), ("/api/about", 667), ("/api/tables/abc/steps", 100)]
)
async def test_nobody_asks_for_what_takes_long_as_for_a_small_file(house: House, path: str, most: int) -> None:
    """An address may have so many of it at once."""
    assert 2000 / cost_of("GET", path) <= most
    house.server.limits = Limits(1 / 1000)
    visitor = house.visitor()
    assert (await visitor.http.get(path)).status_code in (200, 404)
    assert (await visitor.http.get(path)).status_code == 429


def test_nobody_fills_the_memory_with_a_long_game() -> None:
    """Only those positions are kept to which somebody can go back: of a turn, not of all that reveal nothing."""
    game = Game(Header(Rules(2, "2020")))
    for turn in range(200):
        for _ in range(3):
            seat = turn % 2
            game.play(game.check(seat, next(text for text in game.legal_texts(seat) if text.startswith("upgrade"))))
            assert game.undoable(seat) == len(game._before) <= 3
    before = game.copy()
    game.play_line("1 gain O1")
    game.undo(len(before.moves))
    assert game.state.key() == before.state.key()


HANDSHAKE = (
    b"GET /api/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


@pytest.mark.parametrize("more", [b"Content-Length: 5\r\n\r\nhello", b"Content-Length: 5\r\n\r\n"])
def test_nobody_keeps_a_silent_connection_by_a_handshake_with_a_body(server: Server, more: bytes) -> None:
    """Nothing answered it, no limit counted it, and it stayed for ever."""
    assert cut_off(server, HANDSHAKE + more, b"", 1)


@pytest.mark.parametrize(
    "sent", [b"hello\r\n\r\n", b"GET / HTTP/1.1\r\nhost: x\r\nupgrade: tea\r\nconnection: upgrade\r\n\r\n"]
)
def test_nobody_fills_the_log_with_what_is_no_http(server: Server, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as client:
        client.sendall(sent)
        assert client.recv(4096).startswith(b"HTTP/1.1 ")
    assert server.complaints() == []


def test_nobody_fills_the_log_with_what_is_no_text(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as client:
        client.sendall(HANDSHAKE + b"\r\n")
        assert b" 101 " in client.recv(4096)
        client.sendall(b"\x81\x82\0\0\0\0\xff\xfe")
        heard = b""
        while part := client.recv(4096):
            heard += part
    assert b"\x88\x02\x03\xef" in heard, "closed with 1007"
    assert server.complaints() == []


async def test_nobody_fills_the_memory_with_games_that_they_follow(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is in memory for as long: so many for one address, on however many sockets."""
    monkeypatch.setattr("projectl.server.http.limits.MOST_FOLLOWED", 3)
    visitor = house.visitor()
    games = [(await visitor.make(players=1, seats=[ME]))["game"] for _ in range(4)]
    followed = Followed()
    first, second = house.client(), house.client()
    for client in (first, second):
        client.connection._followed = followed
    answers = [(await client.say("watch", game=game))[0] for client in (first, second) for game in games[:2]]
    assert [answer["type"] for answer in answers] == ["state", "state", "state", "refused"]
    assert answers[-1]["code"] == "too-many-games"
    assert (await second.say("watch", game=games[0]))[0]["type"] == "state", "the same again is not one more"
    first.connection.gone()
    assert (await second.say("watch", game=games[3]))[0]["type"] == "state"
    second.connection.gone()
    assert not followed._taken


async def test_nobody_waits_for_a_table_until_anothers_long_games_are_loaded(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty of 2,900 actions, asked for at once when none was in memory, kept everybody from a new one for 8 s."""
    ana, _ = await house.pair(chat=True)
    for text in "abc":
        await ana.ask("chat", text=text)
    new = (await house.visitor().make(players=2, seats=[ME]))["game"]
    monkeypatch.setattr("projectl.server.games.loader.AT_ONCE", 1)
    loader = Loader(house.games.store)
    released, built = threading.Event(), []

    def build(stored: Stored) -> Room:
        released.wait(30)
        built.append(stored.row.game)
        return Room(stored)

    monkeypatch.setattr("projectl.server.games.loader.Room", build)
    first = asyncio.create_task(loader.load(ana.game))
    await until(lambda: not loader._free)
    left, second, third = (asyncio.create_task(loader.load(game)) for game in (ana.game, ana.game, new))
    await until(lambda: len(loader._waiting) == 3)
    left.cancel()
    await asyncio.sleep(0)
    released.set()
    await asyncio.gather(first, second, third)
    assert built == [ana.game, new, ana.game]
    assert (loader._free, loader._waiting) == (1, [])
    loader.close()


async def test_nobody_has_games_loaded_for_the_price_of_those_that_are_in_memory(house: House) -> None:
    visitor = house.visitor()
    games = [(await visitor.make(players=1, seats=[ME]))["game"] for _ in range(6)]
    await house.restart()
    visitor = house.visitor()
    bucket = Buckets(1.0, 1.0).of("ana")
    house.server.limits.addresses = Buckets(0.001, 5 * (1 + LOADING))
    found = [(await visitor.http.get(f"/api/tables/{game}")).status_code for game in games]
    assert found == [200] * 5 + [429]
    one = house.client()
    one.connection._loads = bucket
    bucket.rate, bucket.burst = 10 * LOADING, LOADING
    begin = time.monotonic()
    await one.watch(games[0])
    assert time.monotonic() - begin < 0.1, "it is in memory"
    for game in games[:5]:
        house.games.live.pop(game).stop_timer()
        await one.watch(game)
    assert time.monotonic() - begin > 0.3, "who asks for many of them waits"


async def test_nobody_fills_the_memory_with_games_that_are_looked_at(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """200 a second, each for a minute: those that nobody follows go sooner where there are many, long ones first."""
    monkeypatch.setattr("projectl.server.games.memory.SWEEP", 0.01)
    monkeypatch.setattr("projectl.server.games.memory.MOST_IDLE", 3)
    ana, _ = await house.pair()
    visitor = house.visitor()
    games = [(await visitor.make(players=1, seats=[ME]))["game"] for _ in range(6)]
    await until(lambda: len(house.games.live) == 4)
    assert set(house.games.live) == {ana.game, *games[3:]}, "whoever plays has the game in memory"
    monkeypatch.setattr("projectl.server.games.live.ORDINARY", 1)
    assert (await house.live(ana.game)).weight == 1 + ana.version > 1
    followed = house.client()
    await followed.watch(ana.game)
    assert followed.connection._followed._taken[""] == 1 + ana.version, "a long game counts for several"


async def test_nobody_follows_more_games_by_streams_than_by_sockets(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projectl.server.http.limits.MOST_FOLLOWED", 1)
    visitor = house.visitor()
    made = await visitor.make(players=1, seats=[ME])
    followed = house.server.limits.followed
    lines = follow_lines(house.games, await house.live(made["game"]), None, None, "127.0.0.1", followed)
    assert b"state" in await anext(lines)
    again = await visitor.http.get(f"/api/tables/{made['game']}/stream")
    assert refusal(again) == (429, "too-many-games")
    await lines.aclose()
    assert not followed._taken
