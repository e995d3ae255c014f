"""Keys that whoever runs the server has banned: nothing is answered to them, by any process, from within seconds on."""

import asyncio
import json
import time
import urllib.request
from pathlib import Path
from typing import Final

import pytest
import websockets

from projectl.server import bans
from projectl.server.errors import StoreError
from projectl.server.http.cookies import COOKIE
from projectl.server.secret import hashed
from projectl.server.store.store import GameRow, SeatRow
from tests.server.harness import House, new_store, refusal
from tests.server.processes import ME, OPEN, PATIENCE, Server, wait_for
from tests.server.store_behaviour import opened
from tests.test_cli import Run, run

__all__ = ["run"]  # a fixture
WHY: Final = "whoever runs this server has banned this key: no"


def short(key: str | None) -> str:
    """A key as `projectl games show` names it."""
    assert key is not None
    return hashed(key)[:12]


async def test_whoever_is_banned_is_refused_everything_until_let_in_again(house: House) -> None:
    ana, other = house.visitor(), house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}, {"kind": "open"}], public=True)
    await other.make(players=2, seats=[{"kind": "me"}, {"kind": "me"}])
    found = await bans.ban(house.games.store, [short(ana.key)], "no")
    assert found == {hashed(ana.key or ""): [made["game"]]}
    await house.games.bans.look()
    for path in ("/api/about", "/api/mine", f"/api/tables/{made['game']}/state", "/openapi.json"):
        answer = await ana.http.get(path)
        assert refusal(answer) == (403, "banned")
        assert answer.json()["sentence"] == WHY
        assert (await other.http.get(path)).status_code == 200
    assert await ana.refused("/api/tables", {"players": 2}) == (403, "banned")
    assert (await ana.http.get("/health")).status_code == 200
    assert (await ana.http.get("/")).status_code == 200, "the page says why"
    assert await bans.unban(house.games.store, [short(ana.key)]) == [hashed(ana.key or "")]
    await house.games.bans.look()
    assert len((await ana.get("/api/mine"))["tables"]) == 1


async def test_only_what_is_new_is_shut_out(house: House) -> None:
    ana = house.visitor()
    await ana.make(players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    await bans.ban(house.games.store, [short(ana.key)], "")
    assert await house.games.bans.look() == {hashed(ana.key or "")}
    assert await house.games.bans.look() == set()
    told = house.games.bans.refusal(hashed(ana.key or ""))
    assert told is not None
    assert told.sentence == "whoever runs this server has banned this key"


@pytest.mark.parametrize(
    ("beginning", "sentence"),
    [
        ("abc", "the first 8 letters of its hash or more"),
        ("nothex!!", "the first 8 letters of its hash or more"),
        ("", "the first 8 letters of its hash or more"),
        ("%" * 8, "the first 8 letters of its hash or more"),
        ("0123456789ab", "no key with a seat begins with 0123456789ab"),
    ],
)
async def test_what_names_no_key_is_refused(house: House, beginning: str, sentence: str) -> None:
    for work in (bans.ban(house.games.store, [beginning], ""), bans.unban(house.games.store, [beginning])):
        with pytest.raises(StoreError, match=sentence):
            await work
    assert await bans.banned(house.games.store) == []


async def test_keys_that_begin_alike_are_told_apart(house: House) -> None:
    store = house.games.store
    made = await house.visitor().make(players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    alike = ["0123456789" + letter * 54 for letter in "ab"]
    rows = ", ".join(f"('{key}', '{made['game']}', {seat})" for seat, key in enumerate(alike, 1))
    await store.writer.do(lambda connection: connection.exec_driver_sql(f"INSERT INTO keys VALUES {rows}"))
    with pytest.raises(StoreError, match="2 keys begin with 01234567: name more letters"):
        await bans.ban(store, ["01234567"], "")
    assert list(await bans.ban(store, ["0123456789a"], "")) == alike[:1]
    with pytest.raises(StoreError, match="the key 0123456789bb is not banned"):
        await bans.unban(store, ["0123456789a", "0123456789b"])
    assert [row.key for row in await bans.banned(store)] == alike[:1], "all or none"


# --- the commands -----------------------------------------------------------------------------


def test_keys_are_banned_listed_and_let_in(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = new_store(tmp_path / "games.db")
    monkeypatch.setenv("PROJECTL_STORE", str(path))
    key = "0123456789ab" * 5 + "cdef"

    async def fill() -> None:
        async with opened(f"sqlite:///{path}") as [store]:
            row = GameRow("G", 1.0, "players: 2", "", "{}", "m", "playing", 0, None, 1)
            await store.create(row, [SeatRow(1, "person", "", "teal", "")], [(key, 1)], [], [])

    asyncio.run(fill())
    assert run("keys", "list").out == "No key is banned.\n"
    told = run("keys", "ban", "0123456789", "--reason", "  spoils   games ").out
    assert told.splitlines() == [
        "0123456789ab is banned.",
        "  It has a seat in a game that is not over: projectl games close -- G",
    ]
    [row] = json.loads(run("keys", "list", "--json").out)
    assert (row["key"], row["reason"]) == (key, "spoils games")
    assert abs(row["at"] - time.time()) < PATIENCE
    assert run("keys", "list").out.startswith("0123456789ab  20")
    again = json.loads(run("keys", "ban", key, "--json").out)
    assert again == {"banned": [{"key": key, "games": ["G"]}]}
    assert [row["reason"] for row in json.loads(run("keys", "list", "--json").out)] == [""], "the last reason counts"
    assert run("keys", "unban", key).out == "0123456789ab is let in again.\n"
    assert run("keys", "unban", key).err == "store: the key 0123456789ab is not banned\n"


# --- a server that runs -----------------------------------------------------------------------


def test_a_running_server_follows(tmp_path: Path, run: Run) -> None:
    with Server(tmp_path).start() as server:
        key, other = server.new_key(), server.new_key()
        game = server.table(key, ME, OPEN)["game"]

        async def closed() -> list[int | None]:
            """A socket that is open when its key is banned, and then one that is opened."""
            codes: list[int | None] = []
            for headers in ({"cookie": f"{COOKIE}={key}"}, {"authorization": f"Bearer {key}"}):
                async with websockets.connect(server.socket_url, additional_headers=headers) as found:
                    if not codes:
                        assert json.loads(await found.recv())["type"] == "hello"
                        done = await asyncio.to_thread(run, "keys", "ban", short(key), "--store", server.store)
                        assert done.status == 0
                    with pytest.raises(websockets.ConnectionClosed):
                        await asyncio.wait_for(found.recv(), PATIENCE)
                    codes.append(found.close_code)
            return codes

        lines = urllib.request.Request(f"{server.url}/api/tables/{game}/stream")
        lines.add_header("authorization", f"Bearer {key}")
        with urllib.request.urlopen(lines, timeout=PATIENCE) as stream:
            assert json.loads(stream.readline())["type"] == "state"
            assert asyncio.run(closed()) == [4401, 4401]
            assert stream.read().strip() == b"", "nothing more is told, and the stream ends"
        with pytest.raises(AssertionError, match=r"403.*banned"):
            server.ask("/api/mine", key=key)
        server.ask("/api/mine", key=other)
        run("keys", "unban", short(key), "--store", server.store)
        wait_for("the key", lambda: _let_in(server, key))
        server.stop()
        assert server.complaints() == []


def _let_in(server: Server, key: str) -> bool:
    try:
        return len(server.ask("/api/mine", key=key)["tables"]) == 1
    except AssertionError:
        return False
