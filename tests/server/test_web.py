"""What keeps other sites, floods and giants out: headers, origins, limits, closing codes."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator

import httpx
import pytest
import uvicorn
import websockets

from projectl.server.http import socket as sockets
from projectl.server.http.app import MOST_BODY
from projectl.server.http.connection import MOST_JUNK
from projectl.server.http.cookies import COOKIE
from projectl.server.http.limits import MESSAGE_BURST as MESSAGES
from projectl.server.http.limits import Buckets
from projectl.server.http.messages import MOST_BYTES, PROTOCOL
from projectl.server.http.page import PageServer, read
from tests.server.harness import SITE, House, Message, Socket, Visitor, refusal, until
from tests.server.test_protocol import turn

ADDRESSES = [
    "/",
    "/join/abc",
    "/api/about",
    "/api/tables",
    "/api/tables/none",
    "/health",
    "/nothing.js",
    "/api/nothing",
]


# --- headers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ADDRESSES)
async def test_every_answer_has_the_strict_headers(house: House, path: str) -> None:
    response = await house.visitor().http.get(path)
    policy = dict(part.strip().split(" ", 1) for part in response.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert "script-src" not in policy or policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in response.headers


async def test_refusals_have_them_too(house: House) -> None:
    response = await house.visitor().http.post("/api/tables", content=b"{", headers={"origin": "http://evil.example"})
    assert response.status_code == 403
    assert "content-security-policy" in response.headers


async def test_every_address_that_is_no_file_is_the_page(house: House) -> None:
    visitor = house.visitor()
    response = await visitor.http.get("/join/abc")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    assert refusal(await visitor.http.get("/missing.js")) == (404, "no-address")
    assert (await visitor.http.post("/")).status_code == 405


async def test_the_page_gives_a_browser_its_key(house: House, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html>" + "x" * 2000)
    (folder / "assets").mkdir()
    (folder / "assets" / "a-1.js").write_text("let x")
    server = PageServer(read(folder))
    server.keys = house.server.keys
    async with httpx.AsyncClient(transport=httpx.ASGITransport(server), base_url=SITE) as http:
        first = await http.get("/")
        assert "HttpOnly" in first.headers["set-cookie"]
        assert first.headers["content-encoding"] == "gzip"
        assert first.headers["cache-control"] == "no-cache"
        second = await http.get("/join/abc", headers={"if-none-match": first.headers["etag"]})
        assert (second.status_code, "set-cookie" in second.headers) == (304, False)
        script = await http.get("/assets/a-1.js")
        assert "immutable" in script.headers["cache-control"]
        assert "set-cookie" not in script.headers
        assert (await http.get("/../index.html")).status_code == 200  # normalised by the client
        assert (await http.get("/assets/..%2f..%2fetc.passwd")).status_code == 404


@pytest.mark.parametrize("path", ["/openapi.json", "/api/cards", "/api/about", "/api/messages.json"])
async def test_what_the_page_needs_to_know(house: House, path: str) -> None:
    assert await house.visitor().get(path)


async def test_health_and_metrics(house: House) -> None:
    ana, _ = await house.pair()
    await ana.play("gain O1")
    await ana.act("fly")
    visitor = house.visitor()
    assert await visitor.get("/health") == {"ok": True, "games": {"playing": 1}}
    found = (await visitor.http.get("/metrics")).text
    assert "projectl_change_seconds_count 1.0" in found
    assert 'projectl_refused_total{code="verb"} 1.0' in found
    assert ana.game not in found


# --- origins ----------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://table.example.evil.example", "http://["])
async def test_a_page_of_another_site_changes_nothing(house: House, origin: str) -> None:
    visitor = house.visitor()
    response = await visitor.http.post("/api/tables", json={"players": 2}, headers={"origin": origin})
    assert refusal(response) == (403, "origin")
    assert await house.games.store.all_games() == []
    other = Socket(house.server, {"origin": origin, "cookie": f"{COOKIE}={'x' * 32}"})
    assert await other.close_code() == 4403
    assert other.heard() == []
    await other.task


@pytest.mark.parametrize("headers", [{}, {"origin": SITE}, {"origin": SITE.replace("http:", "https:")}])
async def test_pages_of_this_site_and_programs_may(house: House, headers: dict[str, str]) -> None:
    response = await house.visitor().http.post("/api/tables", json={"players": 2}, headers=headers)
    assert response.status_code == 200
    socket = Socket(house.server, headers)
    hello = json.loads((await socket.until(lambda part: part["type"] == "websocket.send"))["text"])
    assert (hello["type"], hello["protocol"]) == ("hello", PROTOCOL)
    await socket.leave()


async def test_a_socket_somewhere_else(house: House) -> None:
    socket = Socket(house.server, path="/api/other")
    assert await socket.close_code() == 4404
    await socket.task


async def test_the_seat_is_in_the_cookie_of_the_socket(house: House) -> None:
    ana, _ = await house.pair()
    socket = Socket(house.server, {"cookie": f"other=1; {COOKIE}={ana.key}"})
    socket.say(type="watch", game=ana.game)
    await until(lambda: len(socket.heard()) == 2)
    assert socket.heard()[1]["seats"] == [1]
    socket.put(json.dumps({"type": "act", "game": ana.game, "id": "x", "version": 0, "action": "gain O1"}).encode())
    await until(lambda: ana.version == ana.start + 1)  # bytes are as good as text
    await socket.leave()
    assert house.games.metrics.sockets._value.get() == 0


# --- limits -----------------------------------------------------------------------------------


async def test_too_many_messages(house: House) -> None:
    ana, bo = await house.pair()
    flood = house.client(ana.key, limited=True)
    for number in range(int(MESSAGES) * 3):
        await flood.say("ping", id=str(number))
    assert flood.closed is not None
    assert flood.closed[0] == 4429
    assert "30" in flood.closed[1]
    assert len(flood.messages("pong")) < MESSAGES * 2
    await ana.play("gain O1")
    assert bo.version == bo.start + 1


async def test_too_many_messages_on_a_socket_close_it(house: House) -> None:
    house.server.limits.messages_of_addresses = Buckets(MESSAGES / 2, MESSAGES)
    socket = Socket(house.server)
    for number in range(int(MESSAGES) * 3):
        socket.say(type="ping", id=str(number))
    assert await socket.close_code() == 4429
    await socket.leave()


async def test_too_much_that_cannot_be_read(house: House) -> None:
    client = house.client()
    for _ in range(MOST_JUNK - 1):
        await client.send(b"junk")
    assert client.closed is None
    await client.send(b"junk")
    assert client.closed is not None
    assert client.closed[0] == 4400


async def test_a_client_that_does_not_read_is_let_go(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """And holds nobody up."""
    assert sockets.MOST_WAITING <= 1024 * 1024
    monkeypatch.setattr(sockets, "MOST_WAITING", 32 * 1024)
    ana, bo = await house.pair(chat=True)
    slow = Socket(house.server)
    slow.say(type="watch", game=ana.game)
    await until(lambda: len(slow.heard()) == 2)
    slow.reads.clear()
    live = await house.live(ana.game)
    for _ in range(30):
        await ana.ask("chat", text="x" * 500)
    assert bo.version == ana.version
    slow.reads.set()
    assert await slow.close_code() == 4408
    await slow.leave()
    assert len(live.followers) == 2


async def test_too_many_requests(house: House) -> None:
    house.server.limits.keys = Buckets(0.001, 20.0)  # that none comes back in the meantime, however slow the machine
    visitor = await arrived(house)
    found = [(await visitor.http.get("/api/cards")).status_code for _ in range(25)]
    assert found == [200] * 20 + [429] * 5
    assert (await visitor.http.get("/api/cards")).headers["retry-after"].isdigit()
    other = await arrived(house)
    assert (await other.http.get("/api/cards")).status_code == 200


async def arrived(house: House) -> Visitor:
    """Somebody with a key of this server."""
    visitor = house.visitor()
    visitor.http.headers["authorization"] = f"Bearer {(await visitor.post('/api/keys'))['key']}"
    return visitor


async def test_new_keys_do_not_help_a_flood(house: House) -> None:
    house.server.limits.addresses = Buckets(0.001, 50.0)
    visitor = house.visitor()
    found: list[int] = []
    for number in range(60):
        headers = {"authorization": f"Bearer {number:032}"}
        found.append((await visitor.http.get("/api/cards", headers=headers)).status_code)
    assert found == [200] * 50 + [429] * 10


async def test_a_body_that_is_too_large(house: House) -> None:
    visitor = house.visitor()
    response = await visitor.http.post("/api/import", content=b"x" * (MOST_BODY + 1))
    assert refusal(response) == (413, "too-large")


async def test_a_body_of_unknown_length(house: House) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 1000

    response = await house.visitor().http.post("/api/import", content=endless())
    assert refusal(response) == (411, "length")


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xff", b"[1, 2", b'{"players": NaN}', b"[" * 100_000, b'"\\ud800"'])
async def test_bodies_that_cannot_be_read(house: House, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    response = await house.visitor().http.post("/api/tables", content=body, headers=headers)
    assert refusal(response) == (400, "unreadable")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("DELETE", "/api/tables", 405),
        ("PUT", "/api/tables/abc", 405),
        ("GET", "/api/tables/abc", 404),
        ("GET", "/api/tables/a%20b", 400),
        ("GET", "/api/tables/" + "x" * 41, 400),
        ("GET", "/api/tables/abc/state?since=-1", 400),
        ("GET", "/api/tables/abc/state?since=x", 400),
        ("GET", "/api/tables/abc/stream", 404),
        ("POST", "/api/tables/abc/rematch", 403),
    ],
)
async def test_addresses_that_are_refused(house: House, method: str, path: str, status: int) -> None:
    response = await house.visitor().http.request(method, path, json={} if method == "POST" else None)
    assert refusal(response)[0] == status


async def test_a_refused_method_is_told_which_are_there(house: House) -> None:
    response = await house.visitor().http.put("/api/tables", json={})
    assert refusal(response) == (405, "method")
    assert response.headers["allow"] == "GET, POST"


# --- the line stream --------------------------------------------------------------------------


async def test_the_stream_says_what_a_socket_says(house: House) -> None:
    """One message a line, until the game is over."""
    ana, bo = await house.pair()
    await ana.play("gain O1")
    seen = ana.version
    lines: list[Message] = []

    async def listen() -> None:
        response = await house.visitor(bo.key).http.get(f"/api/tables/{ana.game}/stream?since={seen}")
        assert response.headers["content-type"] == "application/x-ndjson"
        lines.extend(json.loads(line) for line in response.text.splitlines() if line)

    task = asyncio.create_task(listen())
    live = await house.live(ana.game)
    await until(lambda: len(live.followers) == 3)
    await ana.play(*turn(1)[:2])
    await bo.ask("resign", version=0)
    await task
    states = [line for line in lines if line["type"] == "state"]
    assert [event["version"] for state in states for event in state["events"]] == [seen + 1, seen + 2, seen + 3]
    assert all(state["seats"] == [2] for state in states)
    assert states[-1]["table"]["status"] == "over"
    await until(lambda: len(live.followers) == 2)


# --- a real server ----------------------------------------------------------------------------


async def test_messages_over_the_limit_close_the_socket(house: House) -> None:
    """The limit is uvicorn's, so here is one, set up as `projectl serve` sets it up."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            house.server, ws="websockets-sansio", ws_max_size=MOST_BYTES, lifespan="off", log_config=None
        )
        server = uvicorn.Server(config)
        task = asyncio.create_task(server._serve([listening]))
        await until(lambda: server.started)
        async with websockets.connect(f"ws://127.0.0.1:{port}/api/socket", compression=None) as client:
            assert json.loads(await client.recv())["type"] == "hello"
            await client.send(json.dumps({"type": "ping", "id": "p"}).ljust(MOST_BYTES))
            assert json.loads(await client.recv())["type"] == "pong"
            await client.send(json.dumps({"type": "ping", "id": "p"}).ljust(MOST_BYTES + 1))
            with pytest.raises(websockets.ConnectionClosed):
                await client.recv()
            assert client.close_code == 1009
        server.should_exit = True
        await task
