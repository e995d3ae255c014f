"""Clocks: for each turn and for the whole game; whoever runs out of time resigns or is played by a bot."""

import sqlite3
from contextlib import closing
from typing import NoReturn

import pytest
from sqlalchemy.exc import OperationalError

from projectl.server.games.events import Resigned
from tests.server.harness import Client, House, Message, until
from tests.server.test_protocol import LINE_CLEAR, turn

RESIGN: Message = {"move": 60.0}
HAND_OVER: Message = {"move": 60.0, "out": "greedy"}


def left(client: Client, seat: int) -> float:
    """Seconds that a seat has left, as the last state said."""
    return float(client.state["time"][str(seat)])


async def test_a_table_without_clocks_shows_no_time(house: House) -> None:
    ana, _ = await house.pair()
    assert "time" not in ana.state
    house.clock.advance(10_000_000)
    await ana.play("gain O1")


async def test_the_table_says_how_time_is_kept(house: House) -> None:
    ana, _ = await house.pair(clock=HAND_OVER)
    assert ana.table["clock"] == HAND_OVER
    ana, _ = await house.pair(clock={"game": 600, "out": "resign"})
    assert ana.table["clock"]["game"] == 600
    assert "move" not in ana.table["clock"]


async def test_time_runs_for_whoever_is_to_act(house: House) -> None:
    ana, bo = await house.pair(clock={"move": 60})
    house.clock.advance(10)
    await ana.play("gain O1")
    assert (left(bo, 1), left(bo, 2)) == (50, 60)
    house.clock.advance(20)
    await ana.play("gain O1")
    assert (left(bo, 1), left(bo, 2)) == (30, 60)  # the turn goes on
    await ana.play("gain O1")
    assert (left(bo, 1), left(bo, 2)) == (60, 60)  # the next turn is new
    house.clock.advance(5)
    await bo.play("gain O1")
    assert (left(bo, 1), left(bo, 2)) == (60, 55)


async def test_time_for_the_whole_game_adds_up(house: House) -> None:
    ana, bo = await house.pair(clock={"game": 100})
    house.clock.advance(10)
    await ana.play(*turn(1))
    house.clock.advance(30)
    await bo.play(*turn(2))
    house.clock.advance(20)
    await ana.play("gain O1")
    assert (left(ana, 1), left(ana, 2)) == (70, 70)


async def test_time_starts_when_the_last_seat_is_taken(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}], clock={"move": 60})
    house.clock.advance(1000)
    await bo.join(made["game"], invite=made["invites"]["2"])
    client = await ana.at(made["game"])
    assert left(client, 1) == 60
    house.clock.advance(30)
    await client.play("gain O1")
    assert left(client, 1) == 30


async def test_the_start_of_the_clocks_is_an_event(house: House) -> None:
    ana, bo = await house.pair(clock={"move": 60})
    taken = {"type": "seat_taken", "seat": 2, "name": "", "colour": "coral"}
    assert ana.events() == bo.events() == [taken, {"type": "begun"}]
    assert ana.version == 2


async def test_the_same_after_a_restart_before_the_first_action(house: House) -> None:
    """The table waited long for its last player; the clock of the first turn did not run meanwhile."""
    ana, bo = house.visitor(), house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}], clock={"move": 60})
    house.clock.advance(1000)
    await bo.join(made["game"], invite=made["invites"]["2"])
    house.clock.advance(10)
    key = ana.key
    await house.restart()
    client = house.client(key)
    await client.watch(made["game"])
    assert left(client, 1) == 50
    await client.play("gain O1")


@pytest.mark.parametrize("clock", [{"move": 60}, {"game": 100}, {"move": 60, "game": 500}])
async def test_a_restart_changes_no_clock(house: House, clock: Message) -> None:
    ana, bo = await house.pair(clock=clock)
    for number, client in enumerate((ana, bo, ana), 1):
        house.clock.advance(7 * number)
        await client.play(*turn(1 if client is ana else 2))
    house.clock.advance(5)
    key, game = bo.key, bo.game
    again = house.client(key)
    before = (await again.watch(game))["time"]
    await house.restart()
    again = house.client(key)
    assert (await again.watch(game))["time"] == before


@pytest.mark.parametrize("clock", [{"move": 60}, {"game": 100}])
async def test_nor_where_the_game_began_with_the_table(house: House, clock: Message) -> None:
    """People around one screen: no seat was ever open."""
    visitor = house.visitor()
    made = await visitor.make(players=2, seats=[{"kind": "me"}, {"kind": "me"}], clock=clock)
    screen = await visitor.at(made["game"])
    house.clock.advance(7)
    await screen.play("gain O1")
    house.clock.advance(5)
    key, game = visitor.key, made["game"]
    before = (await screen.watch(game))["time"]
    assert before["1"] == next(iter(clock.values())) - 12
    await house.restart()
    assert (await house.client(key).watch(game))["time"] == before


@pytest.mark.parametrize("clock", [{"move": 60}, {"game": 100}])
@pytest.mark.parametrize("more", [{"players": 2, "chat": True}, {"record": "players: 2\n\n1 gain O1\n"}])
async def test_nor_where_something_happened_before_the_last_seat_was_taken(
    house: House, clock: Message, more: Message
) -> None:
    ana, bo = house.visitor(), house.visitor()
    made = await ana.make(seats=[{"kind": "me"}, {"kind": "open"}], clock=clock, **more)
    client = await ana.at(made["game"])
    if "chat" in more:
        house.clock.advance(500)
        await client.ask("chat", text="anybody there?")
    house.clock.advance(500)
    await bo.join(made["game"], invite=made["invites"]["2"])
    house.clock.advance(20)
    before = (await client.watch(made["game"]))["time"]
    assert before["1"] == next(iter(clock.values())) - 20
    key = ana.key
    await house.restart()
    assert (await house.client(key).watch(made["game"]))["time"] == before


async def test_another_device_gives_no_time(house: House) -> None:
    ana, _ = await house.pair(clock={"game": 100})
    house.clock.advance(30)
    laptop, phone = house.visitor(ana.key), house.visitor()
    link = (await laptop.post(f"/api/tables/{ana.game}/invite", {"seat": 1}))["invite"]
    await phone.join(ana.game, invite=link)
    there = await phone.at(ana.game)
    assert left(there, 1) == 70
    assert [event["type"] for event in there.events()] == ["seat_taken", "begun"]


async def test_out_of_time_resigns(house: House) -> None:
    ana, bo = await house.pair(clock=RESIGN)
    house.clock.advance(61)
    await bo.over()
    assert bo.texts()[-1] == "1 resign"
    assert bo.table["winners"] == [2]
    assert bo.table["seats"][0]["resigned"]
    assert (await ana.act("gain O1"))["code"] == "over"


async def test_in_time_is_in_time(house: House) -> None:
    ana, bo = await house.pair(clock=RESIGN)
    for _ in range(4):
        house.clock.advance(59)
        await ana.play(*turn(1))
        house.clock.advance(59)
        await bo.play(*turn(2))
    assert ana.table["status"] == "playing"


async def test_out_of_time_hands_the_seat_to_a_bot(house: House) -> None:
    ana, bo = await house.pair(clock=HAND_OVER)
    house.clock.advance(61)
    await bo.turn(2)
    found = bo.texts()
    assert len(found) > found.index("1 handover greedy") + 1
    seat = bo.table["seats"][0]
    assert (seat["kind"], seat["bot"], seat.get("resigned", False)) == ("bot", "greedy", False)
    assert "1" not in bo.state["time"]  # a bot needs no clock
    await bo.play("gain O1")
    assert (await ana.act("gain O1"))["code"] == "bot-seat"
    assert "legal" not in ana.state


async def test_both_hand_over_and_the_game_comes_to_its_end(house: House) -> None:
    ana, bo = await house.pair(clock=HAND_OVER, options={"max_rounds": "2"})
    house.clock.advance(61)
    await bo.turn(2)
    house.clock.advance(61)
    await bo.over()
    assert bo.state["view"]["result"]
    assert [text for text in ana.texts() if "handover" in text] == ["1 handover greedy", "2 handover greedy"]


async def test_line_clear_both_clocks_run(house: House) -> None:
    people = await house.people(4, record=LINE_CLEAR, clock={"move": 60, "out": "greedy"})
    house.clock.advance(30)
    await people[0].play("gain O1")
    assert [left(people[0], seat) for seat in (1, 2, 3, 4)] == [30, 60, 30, 60]
    house.clock.advance(31)
    await people[0].turn(2)
    assert {"1 handover greedy", "3 handover greedy"} <= set(people[0].texts())


async def test_the_touches_have_time_of_their_own(house: House) -> None:
    ana, bo = await house.pair(clock={"move": 60}, options={"max_rounds": "1"})
    await ana.play(*turn(1))
    house.clock.advance(50)
    await bo.play(*turn(2))
    assert bo.state["view"]["phase"] == "touches"
    assert (left(bo, 1), left(bo, 2)) == (60, 60)


async def test_undo_gives_no_time_back(house: House) -> None:
    ana, _ = await house.pair(clock={"move": 60})
    house.clock.advance(10)
    await ana.play("gain O1")
    house.clock.advance(10)
    await ana.ask("undo", version=ana.version)
    assert left(ana, 1) == 40


async def test_chat_gives_no_time(house: House) -> None:
    ana, bo = await house.pair(clock={"move": 60}, chat=True)
    house.clock.advance(10)
    await bo.ask("chat", text="hurry")
    house.clock.advance(10)
    await ana.ask("chat", text="I hurry")
    assert left(ana, 1) == 40


async def test_time_that_ran_out_while_the_server_was_down(house: House) -> None:
    """Nobody looks at the table: the sweep finds it in the store."""
    ana, _ = await house.pair(clock=RESIGN)
    await ana.play("gain O1")
    game, version = ana.game, ana.version
    await house.close()
    house.clock.advance(100)
    await house.open()
    client = house.client()
    stored = house.games.store
    await until(lambda: stored.events(game, version))
    assert [row.event for row in await stored.events(game, version)] == [Resigned(1)]
    await client.watch(game)
    assert client.table["winners"] == [2]


async def test_time_that_did_not_run_out_while_the_server_was_down(house: House) -> None:
    ana, _ = await house.pair(clock=RESIGN)
    await ana.play("gain O1")
    game, key = ana.game, ana.key
    await house.close()
    house.clock.advance(50)
    await house.open()
    client = house.client(key)
    await client.watch(game)
    assert left(client, 1) == 10
    house.clock.advance(11)
    await client.over()
    assert client.texts()[-1] == "1 resign"


async def test_a_store_that_is_away_for_a_moment_postpones_no_clock(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ana, _ = await house.pair(clock={"move": 60})
    store = house.games.store

    async def away(*_: object) -> NoReturn:
        raise OperationalError("SELECT", None, Exception("away"))

    with monkeypatch.context() as now:
        now.setattr(store, "events", away)
        await house.games._look_after(ana.game)
    assert "cannot be carried on just now" in caplog.text
    assert await store.games_due(house.clock.now() + 61) == [ana.game], "as before"


async def test_a_game_that_cannot_be_loaded_holds_up_no_other(house: House) -> None:
    ana, _ = await house.pair(clock=RESIGN)
    broken, _ = await house.pair(clock=RESIGN)
    version = (await house.live(ana.game)).room.version
    await house.close()
    with closing(sqlite3.connect(house.path)) as store:
        store.execute("UPDATE games SET header = 'nonsense', created = 0, due = 0 WHERE game = ?", (broken.game,))
        store.commit()
    house.clock.advance(100)
    await house.open()
    stored = house.games.store
    await until(lambda: stored.events(ana.game, version))
    assert [row.event for row in await stored.events(ana.game, version)] == [Resigned(1)]


@pytest.mark.parametrize(
    ("clock", "status", "code"),
    [
        ({"move": 60, "out": "nobody"}, 422, "bot-unknown"),
        ({"move": 60, "out": "program:cat"}, 422, "bot-unknown"),
        ({"move": 60, "out": "search:1000s"}, 422, "bot-slow"),
        ({"move": 0}, 400, "unreadable"),
        ({"move": 1e30}, 400, "unreadable"),
        ({"game": "soon"}, 400, "unreadable"),
    ],
)
async def test_clocks_that_are_refused(house: House, clock: Message, status: int, code: str) -> None:
    assert await house.visitor().refused("/api/tables", {"players": 2, "clock": clock}) == (status, code)


async def test_a_day_for_every_move(house: House) -> None:
    ana, bo = await house.pair(clock={"move": 86400})
    for client, seat in ((ana, 1), (bo, 2), (ana, 1)):
        house.clock.advance(80_000)
        await client.play(*turn(seat))
    assert ana.table["status"] == "playing"
