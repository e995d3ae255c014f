"""A store that the release before this form wrote (`stores/form_2.sql.gz`) opens with everything in it.

`stores/form_2.json.gz` is what that release said of it: every game to every key and to a spectator, the invitations
with their tokens, the lists, the clocks.
"""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from projectl.server.games.events import Rematched, Resigned
from projectl.server.secret import hashed
from tests.server.harness import House, Message, refusal, short, until

FOLDER = Path(__file__).parent / "stores"
NOTED: Message = json.loads(gzip.decompress((FOLDER / "form_2.json.gz").read_bytes()))
GAMES: dict[str, Message] = NOTED["games"]
LIES: tuple[str, ...] = ("edition", "round", "rows", "decks", "reserve", "solo", "finesse", "markers", "end_triggered")
OWNS: tuple[str, ...] = ("seat", "supply", "puzzles", "completed", "points", "touches", "credits", "ambassador")
TABLE: tuple[str, ...] = ("say", "begin", "resign", "handover")  # words of what undo leaves alone
RUNS: tuple[str, ...] = ("phase", "to_act", "actions_left", "master_used", "result")


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A server of today on that store, at the time when it was written."""
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(gzip.decompress((FOLDER / "form_2.sql.gz").read_bytes()).decode())
    found = House(path)
    found.clock.time = NOTED["now"]
    return found


def position(view: Message, *, runs: bool) -> Message:
    """What lies on the table and before everybody, and while a game runs how it stands."""
    found: Message = {key: view[key] for key in (*LIES, *(RUNS if runs else ())) if key in view}
    return {**found, "players": [{key: player.get(key) for key in OWNS} for player in view["players"]]}


def old_text(happened: Message) -> str:
    """An event as that release wrote it."""
    return "0 begin" if happened["event"]["type"] == "begun" else short(happened["event"])


async def ask(house: House, path: str, key: str | None) -> Any:
    """A GET with a key."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return (await house.visitor().http.get(path, headers=headers)).json()


def test_it_holds_what_a_store_can_hold() -> None:
    """So the tests below look at something of each kind."""
    tables = [game["table"] for game in GAMES.values()]
    words = {event["text"].split()[0] for game in GAMES.values() for event in game["events"]}
    assert {table["status"] for table in tables} == {"waiting", "playing", "over"}
    assert {table["setup"]["edition"] for table in tables} == {"2019", "2020", "2023"}
    assert len({module for table in tables for module in table["setup"]["modules"]}) >= 6
    assert {"undo", "resign", "handover", "say", "begin", "take", "master"} <= words
    assert {used for _, _, used in NOTED["invites"].values()} == {True, False}
    assert any("rematch" in table for table in tables)
    assert any(table.get("clock") and table["status"] == "playing" for table in tables)


async def test_every_game_stands_as_it_stood(house: House) -> None:
    for game, noted in GAMES.items():
        followed = "rematch" in noted["table"]  # which is an event now
        for name, before in noted["states"].items():
            state = await ask(house, f"/api/tables/{game}/state", NOTED["keys"].get(name))
            runs = noted["table"]["status"] == "playing"
            where = (noted["name"], name)
            assert position(state["view"], runs=runs) == position(before["view"], runs=runs), where
            for key in ("seats", "viewer", "legal", "undo", "time"):
                assert state.get(key) == before.get(key), (*where, key)
            assert state["version"] == before["version"] + followed, where
            told, setup = state["table"], {**state["table"]["setup"], **noted["table"]["setup"]}
            assert {**told, **noted["table"], "setup": setup} == told, where  # more may be told today


def stands(events: list[Message]) -> list[Message]:
    """Events without what was taken back, and without the taking back."""
    found: list[Message] = []
    for one in events:
        if not one["text"].startswith("undo"):
            found.append(one)
            continue
        to = int(one["text"].split()[1])
        found = [kept for kept in found if kept["version"] <= to or kept["text"].split()[0] in TABLE]
    return found


async def test_every_event_that_stands_is_there_at_its_time(house: House) -> None:
    for game, noted in GAMES.items():
        events = (await ask(house, f"/api/tables/{game}/events", None))["events"]
        if "rematch" in noted["table"]:
            assert events.pop()["event"] == {"type": "rematched", "seat": 1, "game": noted["table"]["rematch"]}
        assert [(one["version"], old_text(one), one["at"], one.get("facts")) for one in events] == [
            (one["version"], f"{one['seat']} {one['text']}", one["at"], one.get("facts"))
            for one in stands(noted["events"])
        ]


async def test_every_record_is_the_same(house: House) -> None:
    over = [game for game, noted in GAMES.items() if noted["record"]]
    assert len(over) >= 5
    for game in over:
        response = await house.visitor().http.get(f"/api/tables/{game}/record")
        assert response.text == GAMES[game]["record"]


async def test_nothing_that_was_done_is_done_again(house: House) -> None:
    for game, noted in GAMES.items():
        room = (await house.live(game)).room
        for seat, message, version in noted["messages"]:
            assert room.done_before((seat,), message) == version


async def test_everybody_finds_their_games(house: House) -> None:
    for name, games in NOTED["mine"].items():
        found = (await ask(house, "/api/mine", NOTED["keys"][name]))["tables"]
        assert sorted(table["game"] for table in found) == sorted(games)  # some were made at the same moment
        assert [table["created"] for table in found] == sorted((table["created"] for table in found), reverse=True)
    assert [table["game"] for table in (await ask(house, "/api/tables", None))["tables"]] == NOTED["public"]


async def test_every_invitation_works_if_it_did(house: House) -> None:
    for token, (game, seat, used) in NOTED["invites"].items():
        invite = await house.games.store.invited(hashed(token))
        assert invite is not None
        assert (invite.game, invite.seat, invite.used is not None) == (game, seat, used)
    for token, (game, seat, used) in NOTED["invites"].items():
        response = await house.visitor().http.post(f"/api/tables/{game}/join", json={"invite": token, "name": "Late"})
        if used:
            assert refusal(response) == (403, "invite-used")
        elif response.status_code == 403:  # an earlier one of these took the seat
            assert (await house.live(game)).room.seats[seat - 1].name == "Late"
        else:
            assert response.json() == {"game": game, "seat": seat}


async def test_every_key_plays_on(house: House) -> None:
    played = 0
    for game, noted in GAMES.items():
        for name, state in noted["states"].items():
            if not state.get("legal"):
                continue
            client = house.client(NOTED["keys"][name])
            await client.watch(game)
            if client.state.get("legal"):  # nobody else played meanwhile
                seat, actions = next(iter(client.state["legal"].items()))
                await client.play(actions[0], seat=int(seat))
                played += 1
    assert played >= 10


async def test_the_clocks_run_on(house: House) -> None:
    runs = [
        game
        for game, noted in GAMES.items()
        if noted["table"]["status"] == "playing" and noted["table"].get("clock", {}).get("out") == "resign"
    ]
    assert runs
    for game in runs:
        before = GAMES[game]["states"][""]["time"]
        version = GAMES[game]["states"][""]["version"]
        seat = GAMES[game]["states"][""]["view"]["to_act"][0]
        client = house.client()
        await client.watch(game)
        house.clock.advance(before[str(seat)] - 1)
        assert (await client.watch(game))["version"] == version
        house.clock.advance(2)
        store = house.games.store
        await until(lambda: store.events(game, version))  # noqa: B023
        assert [row.event for row in await store.events(game, version)] == [Resigned(seat)]


async def test_the_rematch_is_the_one_that_was_made(house: House) -> None:
    game, noted = next((game, noted) for game, noted in GAMES.items() if "rematch" in noted["table"])
    made = await house.visitor(NOTED["keys"]["ana"]).post(f"/api/tables/{game}/rematch")
    assert made["game"] == noted["table"]["rematch"]
    events = await house.games.store.events(game, 0)
    assert [row.event for row in events if isinstance(row.event, Rematched)] == [Rematched(1, made["game"])]


async def test_the_store_as_it_was_is_kept_beside_it(house: House) -> None:
    assert house.games.store.backup == house.path.with_name("games.db.before-2")
