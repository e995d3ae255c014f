"""A client that floods the server is cut off with the reason; whoever plays beside it goes on."""

import asyncio
import contextlib
import json
import random
import urllib.request
from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.server.client import Client
from tests.server.processes import ME, Server

PLAYERS = 5
ACTIONS = 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all floods; whatever comes, it has nothing to complain about."""
    with Server(tmp_path_factory.mktemp("flood")).start() as found:
        yield found
        found.stop()
        assert found.complaints() == []


def enter(server: Server, key: str) -> ClientConnection:
    """A socket with a key."""
    cookie = {"Cookie": f"projectl={key}"}
    return connect(server.socket_url, additional_headers=cookie, compression=None, proxy=None, max_queue=None)


def flood(server: Server, message: str, key: str) -> tuple[int, str]:
    """Say something as fast as the line takes it: the code and the reason of the end."""
    with contextlib.suppress(ConnectionClosed), enter(server, key) as socket:
        while True:
            socket.send(message)
    return socket.close_code or 0, socket.close_reason or ""


def test_a_flooding_client_is_cut_off_and_the_others_go_on(server: Server) -> None:
    async def play(client: Client, dice: random.Random) -> list[int | str]:
        return [await client.play(dice) for _ in range(ACTIONS)]

    async def run(server: Server) -> None:
        players: list[Client] = []
        for number in range(PLAYERS):
            key = server.new_key()
            made = await asyncio.to_thread(server.table, key, ME, ME, seed=f"flood {number}")
            players.append(await Client(server, made["game"], key).__aenter__())
        watch = json.dumps({"type": "watch", "game": players[0].seat.game})
        floods = [
            asyncio.create_task(asyncio.to_thread(flood, server, message, server.new_key()))
            for message in ('{"type":"ping","id":"x"}', watch, "[" * 3000, '{"type":"ping","id":"x"}')
        ]
        played = await asyncio.gather(*(play(player, random.Random(n)) for n, player in enumerate(players)))
        assert played == [list(range(1, ACTIONS + 1))] * PLAYERS
        ends = await asyncio.gather(*floods)
        assert [code for code, _ in ends] == [4429, 4429, 4400, 4429]
        assert all("messages" in reason for _, reason in ends)
        for player in players:
            assert player.closed == [], "nobody else lost the connection"
            await player.leave()

    asyncio.run(run(server))
    with urllib.request.urlopen(f"{server.url}/metrics") as answer:
        counted = answer.read().decode()
    assert 'projectl_closed_total{code="4429"} 3.0' in counted
    assert 'projectl_closed_total{code="4400"} 1.0' in counted
    assert "projectl_sockets 0.0" in counted


def test_whoever_was_cut_off_is_not_let_in_again_at_once_but_others_are(server: Server) -> None:
    key = server.new_key()
    assert flood(server, '{"type":"ping","id":"x"}', key)[0] == 4429
    with pytest.raises(InvalidStatus):
        enter(server, key)
    with enter(server, server.new_key()) as other:
        assert json.loads(other.recv())["type"] == "hello"


def test_a_flood_of_requests_is_refused_with_a_code(server: Server) -> None:
    async def ask(server: Server, name: str) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        body = b'{"players": 2}'
        head = f"POST /api/check HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {name}\r\ncontent-length: {len(body)}\r\n"
        writer.write((head + "content-type: application/json\r\nconnection: close\r\n\r\n").encode() + body)
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        status, data = int(answer.split(b" ")[1]), json.loads(answer.split(b"\r\n\r\n", 1)[1])
        assert status == 200 or (status == 429 and data["code"] == "rate"), data
        return status

    async def run(server: Server) -> None:
        loud, quiet = server.new_key(), server.new_key()
        found: list[int] = []
        while 429 not in found:
            found += await asyncio.gather(*(ask(server, loud) for _ in range(50)))
            assert len(found) < 5000, "nobody was refused"
        assert await ask(server, quiet) == 200

    asyncio.run(run(server))
