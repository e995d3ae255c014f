"""What one client might do to stop or spoil the play of others, and that it cannot."""

import asyncio
import random
import sqlite3
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest

from projectl import Game, Header, Rules
from projectl.core.notation import lines
from projectl.game import Move
from projectl.server.bus import Alone
from projectl.server.errors import Refusal
from projectl.server.games import history, room
from projectl.server.games.automation import PUBLIC_WAITS, WAITS
from projectl.server.games.clocks import steady
from projectl.server.games.events import Begun, Played, Undone
from projectl.server.games.invitations import LASTS, invite, join
from projectl.server.games.memory import Games
from projectl.server.games.room import Room
from projectl.server.games.tables import make_table
from projectl.server.http.forms import InviteForm, JoinForm, SeatForm, TableForm
from projectl.server.http.messages import CLOSE_SLOW
from projectl.server.http.socket import MOST_WAITING, Outbox
from projectl.server.secret import hashed
from projectl.server.store.lists import PAGE
from projectl.server.store.seating import MOST_DEVICES, MOST_INVITES
from projectl.server.store.store import Row, Stored
from tests.server.harness import House, Message, Socket, refusal, until
from tests.server.store_behaviour import processes
from tests.server.test_protocol import turn

# --- history ----------------------------------------------------------------------------------


def spoken(state: Message) -> list[str]:
    """What was said, of the events of a state."""
    return [one["event"]["text"] for one in state["events"] if one["event"]["type"] == "said"]


async def test_nobody_shuts_others_out_by_talking(house: House) -> None:
    """A new page gets the last words and asks for the others; it is sent less than what closes a socket."""
    ana, bo = await house.pair(chat=True)
    words = [f"{number} " + "\u4e16" * 490 for number in range(room.MOST_SAID)]
    for text in words:
        assert (await ana.ask("chat", text=text))["type"] == "done"
    refused = await ana.ask("chat", text="and another thing")
    assert (refused["code"], "at most" in refused["sentence"]) == ("chat-often", True)
    assert (await bo.ask("chat", text="may I?"))["type"] == "done"  # nobody takes the word from another
    socket = Socket(house.server, {"cookie": f"projectl={bo.key}"})
    socket.say(type="watch", game=ana.game)
    await socket.until(lambda message: "state" in message.get("text", ""))
    (state,) = [message for message in socket.heard() if message["type"] == "state"]
    assert len(state["events"]) == history.RECENT
    assert spoken(state) == [*words[1 - history.RECENT :], "may I?"]
    assert max(len(part["text"].encode()) for part in socket.sent if "text" in part) < MOST_WAITING
    visitor, found, earlier = house.visitor(), spoken(state), state["earlier"]
    while earlier:
        page = await visitor.get(f"/api/tables/{ana.game}/events", params={"before": earlier})
        found, earlier = spoken(page) + found, page.get("earlier", 0)
    assert found == [*words, "may I?"]
    await socket.leave()


async def test_nobody_shuts_others_out_by_taking_back(house: House) -> None:
    """What was taken back is not sent to those who did not see it, and is not done without end."""
    ana, bo = await house.pair()
    await ana.play("upgrade I2 L3")
    for _ in range(room.MOST_UNDONE):
        await ana.play("gain O1")
        assert (await ana.ask("undo", version=ana.version))["type"] == "done"
    assert "undo" not in ana.state
    refused = await ana.ask("undo", version=ana.version)
    assert (refused["code"], "at most" in refused["sentence"]) == ("undo-often", True)
    fresh = house.client(bo.key)
    state = await fresh.watch(ana.game)
    assert fresh.texts() == ["1 upgrade I2 L3"]
    assert state["version"] == ana.version
    assert len(fresh.heard[-1]) < 20_000
    await ana.play("gain O1", "gain O1")
    await bo.play("gain O1")


async def test_whoever_was_away_long_gets_the_recent_part_and_knows_of_the_gap(house: House) -> None:
    ana, bo = await house.pair(chat=True)
    for number in range(history.RECENT + 5):
        await ana.ask("chat", text=str(number))
    since = bo.start
    state = await house.client(bo.key).watch(ana.game, since)
    assert len(state["events"]) == history.RECENT
    assert state["earlier"] == state["events"][0]["version"]
    state = await house.client(bo.key).watch(ana.game, since + 5)
    assert "earlier" not in state
    assert [one["version"] for one in state["events"]] == list(range(since + 6, ana.version + 1))


async def test_nobody_who_reads_is_cut_off_for_the_size_of_a_message() -> None:
    sent: list[int] = []

    async def send(message: object) -> None:
        sent.append(len(str(message)))

    outbox = Outbox(send)
    for _ in range(5):
        outbox.push(b"x" * (MOST_WAITING + 1))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    await until(lambda: len(sent) == 5)
    assert outbox.code == 0


async def test_whoever_does_not_read_is_let_go() -> None:
    stuck = asyncio.Event()

    async def send(message: object) -> None:
        await stuck.wait()

    outbox = Outbox(send)
    for _ in range(20):
        outbox.push(b"x" * (MOST_WAITING // 8))
    assert outbox.code == CLOSE_SLOW
    await outbox.stop()


# --- the loop ---------------------------------------------------------------------------------


def record_with(actions: int) -> str:
    """A record of some random play."""
    dice, game = random.Random(1), Game(Header(Rules(2), "long"))
    while len(game.moves) < actions:
        places = [line for line in lines(game.state) if not line[1].startswith(("recycle", "take W", "take B"))]
        seat, action, _ = dice.choice(places or list(lines(game.state)))
        game.play(game.check(seat, action))
    return game.text()


async def test_nobody_freezes_the_server_with_a_game_that_takes_long_to_load(house: House) -> None:
    """It is played again beside the loop, once, without what was taken back; meanwhile others play."""
    ana, bo = await house.pair()
    slow, _ = await house.pair()
    await slow.play("gain O1")
    live = house.games.live.pop(slow.game)
    live.stop_timer()
    released: Future[None] = Future()

    def build(stored: Stored) -> Room:
        released.result(30)
        return Room(stored)

    with mock.patch("projectl.server.games.loader.Room", build):
        loading = asyncio.create_task(house.client(slow.key).watch(slow.game))
        await ana.play(*turn(1))
        await bo.play(*turn(2))
        assert not loading.done()
        released.set_result(None)
        assert (await loading)["version"] == slow.version


async def test_nobody_makes_loading_slow_by_taking_back(house: House) -> None:
    """900 actions that were taken back cost nothing when the game is loaded: only what stands is played."""
    ana, _ = await house.pair(record=record_with(60))
    stored = await house.games.store.load(ana.game)
    assert stored is not None
    live = (await house.live(ana.game)).room
    (seat,) = live.acting()
    version, at, rows = stored.events[-1].version, house.clock.now(), list(stored.events)
    for number in range(900):
        rows.append(Row(version + 2 * number + 1, Played(seat, live.legal_of(seat)[0]), at, ""))
        rows.append(Row(version + 2 * number + 2, Undone(seat, version), at, ""))
    played: list[str] = []
    play = Game.play

    def counted(game: Game, move: Move) -> Move:
        played.append(move.text)
        return play(game, move)

    with mock.patch.object(Game, "play", counted):
        again = Room(stored._replace(events=rows))
    assert len(played) == 60
    assert again.version == len(rows)
    assert again.state.key() == live.state.key()


# --- clocks -----------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [{"move": 60}, {"game": 60}])
async def test_nobody_gains_time_by_taking_back(house: House, clock: Message) -> None:
    """What was taken back took time all the same, also when the turn had passed on; and the other loses none."""
    ana, bo = await house.pair(clock=clock)
    for _ in range(3):
        house.clock.advance(5)
        await ana.play(*turn(1))
        house.clock.advance(5)
        assert (await ana.ask("undo", version=ana.version, all=True))["type"] == "done"
    assert ana.state["time"] == {"1": 30, "2": 60}
    game, keys = ana.game, (ana.key, bo.key)
    await house.restart()
    ana, bo = (house.client(key) for key in keys)
    assert (await bo.watch(game))["time"] == {"1": 30, "2": 60}  # loaded, the clocks stand as they stood
    house.clock.advance(31)
    await ana.watch(game)
    await bo.over()
    assert bo.table["winners"] == [2]


async def test_nobody_moves_the_clocks_by_setting_the_computers(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    now = steady()
    before = now()
    monkeypatch.setattr("projectl.server.games.clocks.time", lambda: before + 86400)
    assert 0 <= now() - before < 60
    games = Games(house.games.store, Alone(), house.games.thinkers, house.games.metrics)
    assert abs(games.now() - now()) > 80_000  # a process that is started afterwards begins from the time of day
    monkeypatch.undo()
    assert abs(games.now() - now()) > 80_000  # and keeps to it while it runs


# --- seats ------------------------------------------------------------------------------------


async def test_nobody_takes_a_seat_over_with_an_invitation_made_while_it_was_taken(house: House) -> None:
    """Whatever comes first, one person has the seat, and no invitation to it opens anything afterwards."""
    for _ in range(15):
        ana, bo, eve = house.visitor(), house.visitor(), house.visitor()
        made = await ana.make(players=3, seats=[{"kind": "me"}])
        path = f"/api/tables/{made['game']}"
        joined, invited = await asyncio.gather(
            bo.http.post(f"{path}/join", json={"invite": made["invites"]["2"]}),
            ana.http.post(f"{path}/invite", json={"seat": 2}),
        )
        assert joined.status_code == 200
        if invited.status_code == 200:
            status, code = await eve.refused(f"{path}/join", {"invite": invited.json()["invite"]})
            assert (status, code) in ((403, "invite-used"), (409, "seat-taken"))
        assert (await house.live(made["game"])).holders.seats_of(hashed(bo.key or "")) == (2,)
        holders = (await house.live(made["game"])).holders
        assert [len(holders.keys_of(seat)) for seat in (1, 2)] == [1, 1]


async def test_nobody_sits_on_a_taken_seat_through_a_process_that_is_behind(tmp_path: Path) -> None:
    """Two processes on one store that do not hear of each other."""
    async with processes(f"sqlite:///{tmp_path / 'games.db'}", 2) as [one, two]:
        form = TableForm(players=2, seats=[SeatForm(kind="me")], public=True)
        made = await make_table(one, form, "ana")
        await two.get(made.game)  # it believes that seat 2 is open, and goes on believing it
        await join(one, made.game, JoinForm(invite=made.invites["2"], name="Bo"), "bo")
        with pytest.raises(Refusal) as refused:
            await invite(two, made.game, InviteForm(seat=2), hashed("ana"))
        assert refused.value.code == "seat-taken"
        for wanted in (JoinForm(seat=2), JoinForm(), JoinForm(invite=made.invites["2"])):
            with pytest.raises(Refusal):
                await join(two, made.game, wanted, "eve")
        assert sorted(await one.store.keys(made.game)) == sorted([(hashed("ana"), 1), (hashed("bo"), 2)])


async def test_nobody_gets_a_device_of_mine_by_an_invitation_to_a_seat_nor_the_other_way_round(house: House) -> None:
    ana, eve = house.visitor(), house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}])
    path = f"/api/tables/{made['game']}"
    device = await ana.post(f"{path}/invite", {"seat": 1})
    seat = await ana.post(f"{path}/invite", {"seat": 2})
    assert (device["purpose"], seat["purpose"]) == ("device", "seat")
    assert await ana.refused(f"{path}/invite", {"seat": 2, "purpose": "device"}) == (403, "not-maker")
    assert await ana.refused(f"{path}/invite", {"seat": 1, "purpose": "seat"}) == (403, "not-maker")
    assert (await eve.join(made["game"], invite=seat["invite"]))["seat"] == 2
    assert (await house.visitor().join(made["game"], invite=device["invite"]))["seat"] == 1
    assert (await house.live(made["game"])).room.log[-1].event == Begun()  # a device is no event


async def test_nobody_uses_an_invitation_that_is_too_old(house: House) -> None:
    ana, eve = house.visitor(), house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}])
    path = f"/api/tables/{made['game']}"
    device = await ana.post(f"{path}/invite", {"seat": 1})
    assert device["expires"] == house.clock.now() + LASTS["device"]
    house.clock.advance(LASTS["device"])
    assert await eve.refused(f"{path}/join", {"invite": device["invite"]}) == (403, "invite-expired")
    house.clock.advance(LASTS["seat"])
    code = await eve.refused(f"{path}/join", {"invite": made["invites"]["2"]})
    assert code in ((403, "invite-expired"), (409, "expired"))


async def test_nobody_uses_an_invitation_that_was_taken_back(house: House) -> None:
    ana, bo, eve = house.visitor(), house.visitor(), house.visitor()
    made = await ana.make(players=3, seats=[{"kind": "me"}])
    path = f"/api/tables/{made['game']}"
    await bo.join(made["game"], invite=made["invites"]["2"])
    await ana.post(f"{path}/invite", {"seat": 1})
    mine = (await ana.get(f"{path}/invites"))["invites"]
    assert [(one["seat"], one["purpose"]) for one in mine] == [(1, "device"), (3, "seat")]
    assert await bo.get(f"{path}/invites") == {"game": made["game"], "invites": []}  # nobody sees another's
    name = mine[1]["id"]
    assert refusal(await bo.http.delete(f"{path}/invites/{name}")) == (404, "no-invite")
    left = (await ana.http.delete(f"{path}/invites/{name}")).json()["invites"]
    assert [one["seat"] for one in left] == [1]
    assert await eve.refused(f"{path}/join", {"invite": made["invites"]["3"]}) == (403, "invite")
    assert made["invites"]["3"] not in str(mine)


async def test_nobody_makes_invitations_or_devices_without_end(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}])
    path = f"/api/tables/{made['game']}"
    for _ in range(MOST_DEVICES - 1):
        device = await ana.post(f"{path}/invite", {"seat": 1})
        await house.visitor().join(made["game"], invite=device["invite"])
    device = await ana.post(f"{path}/invite", {"seat": 1})
    assert await house.visitor().refused(f"{path}/join", {"invite": device["invite"]}) == (429, "invites-many")
    for _ in range(MOST_INVITES - 1):
        await ana.post(f"{path}/invite", {"seat": 2})
    assert await ana.refused(f"{path}/invite", {"seat": 2}) == (429, "invites-many")


# --- lists and sweeps -------------------------------------------------------------------------


async def test_nobody_has_games_loaded_by_looking_at_lists(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists come from what the store noted; and a page at a time."""
    ana, bo = house.visitor(), house.visitor()
    games: list[str] = []
    for number in range(PAGE + 2):
        house.clock.advance(1)
        made = await ana.make(players=2, seats=[{"kind": "me", "name": f"Ana {number}"}], public=True)
        games.insert(0, made["game"])
    await bo.join(games[0], name="Bo")
    key = ana.key
    await house.restart()
    loaded: list[str] = []

    async def load(game: str) -> None:
        loaded.append(game)

    monkeypatch.setattr(house.games.store, "load", load)
    visitor = house.visitor(key)
    found: list[Message] = []
    for path, wanted in (("/api/mine", games), ("/api/tables", games[1:])):
        first = await visitor.get(path)
        second = await visitor.get(path, params={"after": first["more"]})
        assert "more" not in second
        found = first["tables"] + second["tables"]
        assert [table["game"] for table in found] == wanted
        assert len(first["tables"]) == PAGE
    assert found[0]["seats"][0]["name"] == f"Ana {PAGE}"
    assert (await visitor.get("/api/mine"))["tables"][0]["status"] == "playing"
    assert loaded == []


async def test_no_table_waits_for_ever(house: House) -> None:
    """A public one waits a day, another a month; then it is closed, and its seats cannot be taken."""
    ana = house.visitor()
    public = await ana.make(players=2, seats=[{"kind": "me"}], public=True)
    private = await ana.make(players=2, seats=[{"kind": "me"}])
    watching = await ana.at(public["game"])
    await restart_after(house, PUBLIC_WAITS + 1)
    bo = house.visitor()
    await until(lambda: _status(house, public["game"], "over"))
    assert (await bo.get("/api/tables"))["tables"] == []
    assert await bo.refused(f"/api/tables/{public['game']}/join", {"seat": 2}) == (409, "expired")
    table = await bo.get(f"/api/tables/{public['game']}")
    assert (table["status"], table["expired"]) == ("over", True)
    assert (await bo.get(f"/api/tables/{private['game']}"))["status"] == "waiting"
    assert watching.table["status"] == "waiting"
    await restart_after(house, WAITS)
    await until(lambda: _status(house, private["game"], "over"))


async def restart_after(house: House, seconds: float) -> None:
    """The server was away for so long."""
    await house.close()
    house.clock.advance(seconds)
    await house.open()


async def _status(house: House, game: str, wanted: str) -> bool:
    return bool((await house.visitor().get(f"/api/tables/{game}"))["status"] == wanted)


@pytest.mark.parametrize("harm", ["header = 'nonsense'", "plan = '{'", "header = 'players: 2\nseed: x\nwhite: Q99'"])
async def test_no_game_that_cannot_be_loaded_holds_up_another(
    house: House, harm: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It is named in the log and in `/health`, and left alone for a while."""
    ana, _ = await house.pair(clock={"move": 60})
    broken = [(await house.pair(clock={"move": 60}))[0].game for _ in range(3)]
    await house.close()
    with closing(sqlite3.connect(house.path)) as store:
        for game in broken:
            store.execute(f"UPDATE games SET {harm}, created = 0, due = 0 WHERE game = ?", (game,))
        store.commit()
    house.clock.advance(100)
    await house.open()
    await until(lambda: _status(house, ana.game, "over"))  # its clock ran out
    await until(lambda: len(house.games.broken) == 3)
    visitor = house.visitor()
    assert (await visitor.get("/health"))["broken"] == sorted(broken)
    assert all(f"game {game} cannot be loaded" in caplog.text for game in broken)
    assert refusal(await visitor.http.get(f"/api/tables/{broken[0]}/state")) == (503, "broken")
    assert [message["code"] for message in await house.client().say("watch", game=broken[0])] == ["broken"]
    await until(lambda: _postponed(house))


async def _postponed(house: House) -> bool:
    return not await house.games.store.games_due(house.clock.now())
