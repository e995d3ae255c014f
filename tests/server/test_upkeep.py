"""What whoever runs a server does with its games, while people play and while nobody does."""

import asyncio
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection

from projectl import replay
from projectl.server.errors import Refusal, StoreError
from projectl.server.games.tables import import_record
from projectl.server.games.upkeep import DAY, Policy, close, expire, let_go, remove, summaries
from projectl.server.store.store import GameStanding, Store
from tests.commands import environment
from tests.golden import FOLDER
from tests.server.harness import House, new_store, refusal, until
from tests.server.processes import Postgres
from tests.server.store_behaviour import opened
from tests.test_cli import Run, run

__all__ = ["run"]  # a fixture
OVER = FOLDER / "2023-base-2.pln"


# --- while people play ------------------------------------------------------------------------


async def test_a_game_that_is_closed_ends_for_those_who_play_it(house: House) -> None:
    ana, bo = await house.pair()
    await ana.play("gain O1")
    await close(house.games.store, ana.game, "the house closes")
    house.clock.advance(10)
    for player in (ana, bo):
        await player.over()
        assert player.table["closed"] == "the house closes"
        assert player.events()[-1] == {"type": "closed", "reason": "the house closes"}
        assert not player.state.get("legal")
    answer = await ana.act("gain O1")
    assert (answer["type"], answer["code"], answer["sentence"]) == ("refused", "closed", "the house closes")
    record = await house.visitor().http.get(f"/api/tables/{ana.game}/record")
    assert "# closed: the house closes" in record.text
    with pytest.raises(Refusal, match="is over already"):
        await close(house.games.store, ana.game, "once more")


async def test_a_table_that_waits_can_be_closed(house: House) -> None:
    made = await house.visitor().make(players=2, seats=[{"kind": "me"}, {"kind": "open"}], public=True)
    await close(house.games.store, made["game"], "the house closes")
    assert not (await house.visitor().get("/api/tables")).get("tables")
    house.clock.advance(10)
    live = await house.live(made["game"])
    await until(lambda: live.room.closed)
    found = await house.visitor().get(f"/api/tables/{made['game']}")
    assert (found["status"], found["closed"]) == ("over", "the house closes")


async def test_a_game_that_is_deleted_is_gone_for_those_who_look_at_it(house: House) -> None:
    ana, bo = await house.pair()
    with pytest.raises(Refusal, match=f"is being played: `projectl games close {ana.game}` first"):
        await remove(house.games.store, [ana.game])
    await close(house.games.store, ana.game, "the house closes")
    house.clock.advance(10)
    await ana.over()
    await remove(house.games.store, [ana.game])
    house.clock.advance(10)
    for player in (ana, bo):
        told = await player.until(lambda message: message["type"] == "refused")
        assert (told["code"], told["game"]) == ("no-game", ana.game)
    assert refusal(await house.visitor().http.get(f"/api/tables/{ana.game}")) == (404, "no-game")
    assert (await ana.act("gain O1"))["code"] == "no-game"
    assert await house.games.store.all_games() == []


async def test_a_list_names_those_who_sit_there_now(house: House) -> None:
    made = await house.visitor().make(players=2, seats=[{"kind": "me", "name": "Ana"}, {"kind": "open"}])

    async def named(names: list[str]) -> bool:
        return [row.names for row in await summaries(house.games.store)] == [names]

    await until(lambda: named(["Ana", ""]))
    await house.visitor().join(made["game"], invite=made["invites"]["2"], name="Bo")
    await until(lambda: named(["Ana", "Bo"]))


# --- letting go -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for all tests of this file."""
    with Postgres() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store."""
    if request.param == "sqlite":
        return f"sqlite:///{new_store(tmp_path / 'games.db')}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.database()


async def old_games(store: Store, now: float) -> dict[str, str]:
    """Games of every kind at which nothing has happened for 40 days, and one that is new."""
    begun = "players: 2\nseed: a\n\n1 gain O1\n"
    records = {"waits": "players: 2\n", "new": "players: 2\n", "imported": begun, "plays": begun}
    records["finished"] = OVER.read_text()
    found = {name: (await import_record(store, replay(record)))[0] for name, record in records.items()}
    await store.set_standing(found["plays"], 0, GameStanding("playing", None, ""))
    await store.set_standing(found["finished"], 0, GameStanding("over", None, ""))

    def age(connection: Connection) -> None:
        connection.exec_driver_sql(f"UPDATE games SET created = {now - 40 * DAY} WHERE game <> '{found['new']}'")
        connection.exec_driver_sql(f"UPDATE games SET created = {now} WHERE game = '{found['new']}'")
        connection.exec_driver_sql(f"UPDATE events SET at = {now - 40 * DAY}")

    await store.writer.do(age)
    return found


def test_old_games_go_by_the_policy_and_nothing_else_does(address: str, tmp_path: Path) -> None:
    async def go() -> None:
        async with opened(address) as [store]:
            now = 2_000_000_000.0
            games = await old_games(store, now)
            policy = Policy(30, 30, 30, str(tmp_path / "archive" / "deep"))
            assert not any(await expire(store, Policy(), now)), "no policy, nothing goes"
            assert not any(await expire(store, Policy(50, 50, 50, policy.archive), now)), "not old enough"
            would = await expire(store, policy, now, really=False)
            assert len(await store.all_games()) == 5, "it was only asked"
            found = await expire(store, policy, now)
            assert found == would
            assert found == ([games["waits"]], [games["plays"]], [games["finished"]])
            assert sorted(await store.all_games()) == sorted(games[name] for name in ("plays", "new", "imported"))
            closed = next(row for row in await summaries(store) if row.game == games["plays"])
            assert closed.status == "over"
            kept = replay((tmp_path / "archive" / "deep" / f"{games['finished']}.pln").read_text())
            assert [move.line() for move in kept.moves] == [move.line() for move in replay(OVER.read_text()).moves]
            assert [path.suffix for path in (tmp_path / "archive" / "deep").iterdir()] == [".pln"]

    asyncio.run(go())


def test_a_record_that_cannot_be_written_keeps_its_game(tmp_path: Path) -> None:
    async def go() -> None:
        async with opened(f"sqlite:///{new_store(tmp_path / 'games.db')}") as [store]:
            now = 2_000_000_000.0
            games = await old_games(store, now)
            (tmp_path / "file").touch()
            with pytest.raises(OSError, match="file"):
                await expire(store, Policy(0, 0, 30, str(tmp_path / "file")), now)
            assert games["finished"] in await store.all_games()

    asyncio.run(go())


def test_finished_games_go_only_into_an_archive() -> None:
    with pytest.raises(StoreError, match="--archive DIR"):
        Policy(finished=30).checked()


async def test_the_server_lets_old_games_go_by_itself(house: House) -> None:
    made = await house.visitor().make(players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    house.clock.advance(2 * DAY)
    house.games.tasks.spawn(let_go(house.games.store, Policy(waiting=1), house.games.now))

    async def gone() -> bool:
        return made["game"] not in await house.games.store.all_games()

    await until(gone)


# --- the commands -----------------------------------------------------------------------------


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Games of every kind by what they are, in a store that the environment names."""
    path = new_store(tmp_path / "games.db")

    async def fill() -> dict[str, str]:
        async with opened(f"sqlite:///{path}") as [found]:
            return await old_games(found, time.time())

    monkeypatch.setenv("PROJECTL_STORE", str(path))
    return asyncio.run(fill())


def test_the_games_are_listed(run: Run, games: dict[str, str]) -> None:
    everything = json.loads(run("games", "list", "--json").out)
    assert {row["game"] for row in everything} == set(games.values())
    assert everything[0]["game"] == games["new"], "the newest first"
    assert set(everything[0]) == {"game", "status", "created", "last", "events", "public", "names"}
    playing = json.loads(run("games", "list", "--status", "playing", "--json").out)
    assert [(row["game"], row["events"]) for row in playing] == [(games["plays"], 1)]
    assert len(json.loads(run("games", "list", "--most", "2", "--json").out)) == 2
    assert len(json.loads(run("games", "list", "--older", "39", "--json").out)) == 4
    assert json.loads(run("games", "list", "--older", "41", "--json").out) == []
    shown = run("games", "list").out.splitlines()
    assert shown[0].split() == ["game", "status", "made", "last", "events", "who"]
    assert len(shown) == 6


def test_names_leave_the_rest_of_a_line_whole_in_80_columns(run: Run, tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "own.db")]
    (tmp_path / "named.pln").write_text("players: 2\nnames: Maximiliane | Konstantin\n")
    run("import", str(tmp_path / "named.pln"), *store)
    [row] = json.loads(run("games", "list", "--json", *store).out)
    command = [sys.executable, "-m", "projectl", "games", "list", *store]
    done = subprocess.run(command, env=environment(COLUMNS="80"), capture_output=True, text=True, check=True)
    when = r"\d{4}-\d\d-\d\d \d\d:\d\d"
    assert re.search(rf"^{re.escape(row['game'])}  waiting  {when}  {when}  0 ", done.stdout, re.MULTILINE)


def test_a_game_is_shown_without_its_seed(run: Run, games: dict[str, str]) -> None:
    shown = json.loads(run("games", "show", "--json", "--", games["plays"]).out)
    assert (shown["game"], shown["status"], len(shown["seats"])) == (games["plays"], "waiting", 2)
    said = run("games", "show", "--", games["plays"]).out
    assert f"game     {games['plays']}" in said
    assert "seed" not in said + json.dumps(shown)
    assert "salt" not in said + json.dumps(shown)


def test_a_game_is_closed_then_deleted(run: Run, games: dict[str, str]) -> None:
    plays, waits = games["plays"], games["waits"]
    assert run("games", "delete", "--", plays).err.startswith(f"refused: the game {plays} is being played")
    assert run("games", "close", "--reason", "good night", "--", plays).out == f"{plays} is closed.\n"
    assert json.loads(run("games", "show", "--json", "--", plays).out)["closed"] == "good night"
    assert json.loads(run("games", "delete", "--json", "--", plays, waits).out) == {"deleted": [plays, waits]}
    assert len(json.loads(run("games", "list", "--json").out)) == 3
    ran = run("games", "delete", "--", games["new"], "nothing")
    assert (ran.status, ran.err) == (2, "refused: there is no game 'nothing' in this store\n")
    assert games["new"] in run("games", "list").out, "all or none"


def test_old_games_expire_on_demand(run: Run, games: dict[str, str], tmp_path: Path) -> None:
    words = ["games", "expire", "--dry-run"]
    assert run(*words).out.splitlines()[0] == f"tables at which no game began would be deleted: 1 {games['waits']}"
    assert json.loads(run(*words, "--json").out) == {"deleted": [games["waits"]], "closed": [], "archived": []}
    assert len(json.loads(run("games", "list", "--json").out)) == 5
    archive = str(tmp_path / "archive")
    run("games", "close", "--", games["plays"])
    (tmp_path / "file").touch()
    ran = run("games", "expire", "--keep-finished", "30", "--archive", str(tmp_path / "file"))
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "cannot be written" in ran.err
    ran = run("games", "expire", "--expire-waiting", "0", "--keep-finished", "30", "--archive", archive)
    assert ran.out.splitlines()[2] == f"finished games archived and deleted: 1 {games['finished']}"
    assert [path.stem for path in Path(archive).iterdir()] == [games["finished"]]
