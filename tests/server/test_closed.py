"""A correction of the rules may forbid what was played: such a game is closed where it stands, and nothing is lost."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from projectl import replay
from projectl.cli import app
from projectl.core.errors import Illegal
from projectl.core.rules import RULES_VERSION
from projectl.game import Game, Move
from projectl.server.games import room
from tests.server.harness import Client, House, refusal
from tests.server.test_protocol import turn

FORBIDDEN = "gain O1"


@pytest.fixture
def corrected(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Once it holds something, nobody may gain a piece any more: the engine of a later release."""
    found: list[bool] = []
    check = Game.check

    def strict(game: Game, seat: int, action: str) -> Move:
        if found and action == FORBIDDEN:
            raise Illegal("gain", "nobody gains anything")
        return check(game, seat, action)

    monkeypatch.setattr(Game, "check", strict)
    return found


async def overtaken(house: House, corrected: list[bool], monkeypatch: pytest.MonkeyPatch) -> tuple[Client, Client]:
    """Ana upgraded, gained and upgraded, and Bo spoke; then came the release that forbids the second action."""
    ana, bo = await house.pair(chat=True, seats=[{"kind": "me", "name": "Ana"}], clock={"move": 60})
    await ana.play(turn(1)[0], FORBIDDEN, "upgrade L3 S4")
    await bo.ask("chat", text="my turn")
    game, keys = ana.game, (ana.key, bo.key)
    await house.close()
    corrected.append(True)
    monkeypatch.setattr(room, "RULES_VERSION", RULES_VERSION + 1)
    await house.open()
    again = [house.client(key) for key in keys]
    for client in again:
        await client.watch(game)
    return again[0], again[1]


async def test_it_is_shown_to_its_players_with_its_last_good_position(
    house: House, corrected: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bo = await overtaken(house, corrected, monkeypatch)
    for client in (ana, bo):
        assert client.table["status"] == "over"
        assert "the rules were corrected" in client.table["closed"]
        assert "1 gain O1" in client.table["closed"]
        assert "nobody gains anything" in client.table["closed"]
        assert client.state["view"]["players"][0]["supply"] == {"O1": 1, "L3": 1}  # after the upgrade
        assert "legal" not in client.state
        assert client.version == client.start + 4
    assert ana.texts() == [f"1 {turn(1)[0]}", f"1 {FORBIDDEN}", "1 upgrade L3 S4", "2 say my turn"]


async def test_nothing_more_is_played_and_nobody_runs_out_of_time(
    house: House, corrected: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bo = await overtaken(house, corrected, monkeypatch)
    assert (await ana.act("take W1"))["code"] == "closed"
    assert (await ana.ask("undo", version=ana.version))["code"] == "closed"
    assert (await bo.ask("resign", version=bo.version))["code"] == "closed"
    house.clock.advance(100)
    assert (await bo.ask("chat", text="a pity"))["type"] == "done"
    assert ana.texts()[-1] == "2 say a pity"
    assert await house.games.store.games_due(house.clock.now()) == []


async def test_its_record_has_all_that_was_stored(
    house: House, corrected: list[bool], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ana, _ = await overtaken(house, corrected, monkeypatch)
    response = await house.visitor().http.get(f"/api/tables/{ana.game}/record")
    head, _, moves = response.text.partition("\n\n")
    assert moves.splitlines() == [
        f"1 {turn(1)[0]}",
        f"# closed: {ana.table['closed']}",
        f"# 1 {FORBIDDEN}",
        "# 1 upgrade L3 S4",
    ]
    assert "names: Ana | Seat 2" in head
    assert [move.text for move in replay(response.text).moves] == [turn(1)[0]]
    await house.close()
    arguments = ["export", "--store", str(house.path), "--to", str(tmp_path / "out")]
    found = await asyncio.to_thread(CliRunner().invoke, app, arguments)
    await house.open()
    assert found.exit_code == 0, found.output
    assert (tmp_path / "out" / f"{ana.game}.pln").read_text(encoding="utf-8") == response.text


async def test_it_goes_on_where_the_old_reading_comes_back(
    house: House, corrected: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was written that would keep it closed."""
    ana, bo = await overtaken(house, corrected, monkeypatch)
    game, key = ana.game, bo.key
    await house.close()
    corrected.clear()
    await house.open()
    again = house.client(key)
    await again.watch(game)
    assert (again.table["status"], "closed" in again.table) == ("playing", False)
    await again.play("take W1")


async def test_lists_and_rematches_go_on(house: House, corrected: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    ana, _ = await overtaken(house, corrected, monkeypatch)
    visitor = house.visitor(ana.key)
    assert [table["game"] for table in (await visitor.get("/api/mine"))["tables"]] == [ana.game]
    made = await visitor.post(f"/api/tables/{ana.game}/rematch")
    assert made["table"]["status"] == "waiting"


async def test_a_game_says_under_which_rules_it_began(house: House) -> None:
    ana, _ = await house.pair()
    with closing(sqlite3.connect(house.path)) as raw:
        assert raw.execute("SELECT rules FROM games WHERE game = ?", (ana.game,)).fetchone() == (RULES_VERSION,)
    assert refusal(await house.visitor().http.get(f"/api/tables/{ana.game}/record")) == (409, "record-later")
