"""What one client might do to stop or spoil the play of others, and that it cannot."""

import asyncio
import random
from concurrent.futures import Future
from unittest import mock

import pytest

from projectl import Game, Header, Rules
from projectl.core.notation import lines
from projectl.game import Move
from projectl.server.bus import Alone
from projectl.server.games import history, room
from projectl.server.games.clocks import steady
from projectl.server.games.events import Played, Undone
from projectl.server.games.memory import Games
from projectl.server.games.room import Room
from projectl.server.http.messages import CLOSE_SLOW
from projectl.server.http.socket import MOST_WAITING, Outbox
from projectl.server.store.store import Row, Stored
from tests.server.harness import House, Message, Socket, until
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

    with mock.patch("projectl.server.games.memory.Room", build):
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
