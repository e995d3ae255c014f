"""Bots at tables: those of the registry play, one that fails is replaced, programs of others are not run."""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from projectl import State
from projectl.server.errors import Refusal
from projectl.server.games import automation as automation
from projectl.server.thinkers import Thinkers
from projectl.server.workers import Asker
from tests.server.harness import Client, HereThinkers, House, Message, until
from tests.server.test_protocol import LINE_CLEAR, turn

QUICK = ("random", "beginner", "casual", "greedy", "neural", "planner:1ms", "search-classic:5ms", "search:5ms")


class Stub(HereThinkers):
    """Bots that do as a test says; those it says nothing about play as they do."""

    answers: dict[str, Callable[[State, int], str]]

    def __init__(self, answers: dict[str, Callable[[State, int], str]]) -> None:
        super().__init__()
        self.answers = answers
        self.asked: list[tuple[str, int]] = []

    async def act(self, spec: str, state: State, seat: int, seed: int, asker: Asker) -> str:
        self.asked.append((spec, seat + 1))
        if spec in self.answers:
            await asyncio.sleep(0)
            return self.answers[spec](state, seat)
        return await super().act(spec, state, seat, seed, asker)


def fails(state: State, seat: int) -> str:
    raise RuntimeError("out of ideas")


async def table_with(house: House, *bots: str, **form: object) -> Client:
    """A person on seat 1, bots on the others."""
    visitor = house.visitor()
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in bots)]
    made = await visitor.make(**{"players": len(seats), "seats": seats, **form})
    assert made["table"]["status"] == "playing"
    return await visitor.at(made["game"])


async def test_a_bot_answers(house: House) -> None:
    ana = await table_with(house, "greedy")
    assert ana.table["seats"][1] == {"seat": 2, "kind": "bot", "name": "Greedy", "colour": "coral", "bot": "greedy"}
    await ana.play(*turn(1))
    await ana.turn(1)
    assert {text.split()[0] for text in ana.texts()[3:]} == {"2"}
    assert ana.state["legal"]["1"]


async def test_the_default_bot(house: House) -> None:
    made = await house.visitor().make(players=2, seats=[{"kind": "me"}, {"kind": "bot"}])
    assert made["table"]["seats"][1]["bot"] == "planner"


@pytest.mark.parametrize("bot", QUICK)
async def test_every_bot_of_the_registry_plays_to_the_end(house: House, bot: str) -> None:
    ana = await table_with(house, bot, bot, options={"max_rounds": "3"})
    await ana.ask("resign", version=0)  # a bot plays seat 1 on
    await ana.over()
    assert ana.state["view"]["result"]
    assert 1 not in ana.table["winners"]


def test_the_registry_is_tested() -> None:
    asked = [sys.executable, "-c", "from projectl.bots import names; print(*names())"]  # other tests bring bots here
    shipped = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    assert {bot.split(":")[0] for bot in QUICK} == set(shipped)


async def test_bots_alone_play_to_the_end(house: House) -> None:
    visitor = house.visitor()
    made = await visitor.make(players=2, seats=[{"kind": "bot", "bot": "greedy"}] * 2, options={"max_rounds": "2"})
    eve = await visitor.at(made["game"])  # whose table it is
    await eve.over()
    assert eve.state["view"]["result"]


async def test_line_clear_with_a_bot_beside_a_person(house: House) -> None:
    visitor = house.visitor()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "greedy"}, {"kind": "me"}]
    ana = await visitor.at((await visitor.make(record=LINE_CLEAR, seats=seats))["game"])
    await ana.play("pass", seat=1)
    await until(lambda: ana.state["view"]["to_act"] == [4])
    await ana.play("pass", seat=4)
    await until(lambda: ana.state["view"]["to_act"] != [4])
    assert {text.split()[0] for text in ana.texts()} >= {"1", "2", "4"}  # the bot between them has played


async def test_bots_are_not_made_to_wait_in_the_touches(house: House) -> None:
    ana = await table_with(house, "greedy", options={"max_rounds": "1"})
    await ana.play(*turn(1))
    await until(lambda: ana.state["view"]["phase"] == "touches" and ana.state["view"]["to_act"] == [1])
    await ana.play("done")
    assert ana.table["status"] == "over"


@pytest.mark.parametrize(
    ("bot", "code"),
    [
        ("program:cat", "bot-unknown"),
        ("program:/bin/sh", "bot-unknown"),
        ("nobody", "bot-unknown"),
        ("search:1000s", "bot-slow"),
        ("search:11s", "bot-slow"),
        ("greedy:soon", "bot-time"),
        ("greedy:", "bot-time"),
    ],
)
async def test_bots_that_are_not_for_a_server(house: House, bot: str, code: str) -> None:
    visitor = house.visitor()
    form: Message = {"players": 2, "seats": [{"kind": "me"}, {"kind": "bot", "bot": bot}]}
    status, found = await visitor.refused("/api/tables", form)
    assert found == code or (bot == "program:/bin/sh" and found == "unreadable")  # no slash in a bot's name
    assert status in (400, 422)
    assert await house.games.store.all_games() == []


# --- bots that fail ---------------------------------------------------------------------------


async def test_a_bot_that_fails_is_replaced(house: House, caplog: pytest.LogCaptureFixture) -> None:
    house.games.automation.thinkers = Stub({"random": fails})
    ana = await table_with(house, "random")
    await ana.play(*turn(1))
    await ana.turn(1)
    assert ana.texts()[3] == "2 handover greedy"
    assert ana.table["seats"][1]["bot"] == "greedy"
    assert [record.levelno for record in caplog.records if "failed" in record.message] == [logging.ERROR]
    await ana.play("gain O1")


async def test_a_bot_whose_action_cannot_be_played_is_replaced(house: House) -> None:
    house.games.automation.thinkers = Stub({"random": lambda state, seat: "take W9"})
    ana = await table_with(house, "random")
    await ana.play(*turn(1))
    await ana.turn(1)
    assert ana.texts()[3] == "2 handover greedy"


async def test_a_bot_that_never_answers_is_replaced(house: House) -> None:
    class Slow(HereThinkers):
        async def act(self, spec: str, state: State, seat: int, seed: int, asker: Asker) -> str:
            if spec == "random":
                raise Refusal("too-long", "that took longer than 60 s", 503)
            return await super().act(spec, state, seat, seed, asker)

    house.games.automation.thinkers = Slow()
    ana = await table_with(house, "random")
    await ana.play(*turn(1))
    await ana.turn(1)
    assert ana.texts()[3] == "2 handover greedy"


async def test_when_even_the_last_bot_fails_the_game_goes_on_later(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    stub = Stub({"greedy": fails})
    house.games.automation.thinkers = stub
    ana = await table_with(house, "greedy")
    await ana.play(*turn(1))
    await until(lambda: "out of ideas" in caplog.text)
    stub.answers = {}
    house.clock.advance(automation.BOT_GRACE + 1)
    await ana.turn(1)
    assert [text.split()[0] for text in ana.texts()[3:6]] == ["2", "2", "2"]


async def test_what_a_bot_found_too_late_is_dropped(house: House) -> None:
    """Somebody took the action back that the bot was thinking about."""
    may_answer, thinking = asyncio.Event(), asyncio.Event()

    class Slow(HereThinkers):
        async def act(self, spec: str, state: State, seat: int, seed: int, asker: Asker) -> str:
            found = await super().act(spec, state, seat, seed, asker)
            thinking.set()
            await may_answer.wait()
            return found

    house.games.automation.thinkers = Slow()
    ana = await table_with(house, "greedy")
    await ana.play(*turn(1))
    await thinking.wait()
    await ana.ask("undo", version=3)
    may_answer.set()
    live = await house.live(ana.game)
    await until(lambda: live.thinking is None)
    assert ana.texts()[-1] == "1 undo 2"
    await ana.play("gain O1")
    await ana.turn(1)


@pytest.mark.parametrize("died_at_once", [False, True])
async def test_bots_go_on_after_a_restart_though_nobody_looks(
    house: House, monkeypatch: pytest.MonkeyPatch, *, died_at_once: bool
) -> None:
    """Also where the process had no time for anything after the action that it acknowledged."""

    class Never(HereThinkers):
        async def act(self, spec: str, state: State, seat: int, seed: int, asker: Asker) -> str:
            await asyncio.Event().wait()
            raise AssertionError

    house.games.automation.thinkers = Never()
    ana = await table_with(house, "greedy")
    if died_at_once:

        async def not_any_more(*_: object) -> None: ...

        monkeypatch.setattr(house.games.store, "set_standing", not_any_more)
    await ana.play(*turn(1))
    game = ana.game
    await house.close()
    house.clock.advance(automation.BOT_GRACE + 1)
    await house.open()
    store = house.games.store
    await until(lambda: store.events(game, 3))
    assert (await store.events(game, 3))[0].event.seat == 2


async def test_a_bot_takes_its_time_so_that_people_can_follow(house: House) -> None:
    house.games.automation.bot_pause = 100.0
    house.games.automation.thinkers = stub = Stub({"greedy": lambda state, seat: "gain O1"})
    ana = await table_with(house, "greedy")
    await ana.play(*turn(1))
    for version in (3, 4, 5):
        await until(lambda: len(stub.asked) == ana.version - 2)
        for _ in range(20):
            await asyncio.sleep(0)
        assert ana.version == version
        house.clock.advance(101)
        await until(lambda: ana.version > version)  # noqa: B023


# --- in processes of their own ----------------------------------------------------------------


async def test_bots_hints_and_records_in_real_processes(house: House) -> None:
    """The workers think; when they are killed others take over; they end with the server."""
    house.games.automation.thinkers = thinkers = Thinkers(1)
    ana = await table_with(house, "greedy")
    await ana.play(*turn(1))
    await ana.turn(1)
    workers = thinkers.quick.pids()
    assert len(workers) == 1
    visitor = house.visitor()
    assert await visitor.refused("/api/replay", {"record": "players: 9"}) == (422, "players")
    assert await visitor.refused("/api/replay", {"record": "players: 2\n2 gain O1"}) == (409, "seat")
    answer = await visitor.http.post("/api/replay", json={"record": "players: 2\nwhite: W01 W01"})
    where = {key: answer.json().get(key) for key in ("code", "field", "line", "about")}
    assert where == {"code": "card-twice", "field": "white", "line": 2, "about": "W01"}
    assert await visitor.refused("/api/analyse", {"record": "nonsense"}) == (422, "line")
    found = await visitor.post("/api/replay", {"record": "players: 2\n1 gain O1\n"})
    assert [step["text"] for step in found["steps"]] == ["gain O1"]
    assert found["start"]["to_act"] == [1]
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    await ana.play(*turn(1))
    await ana.turn(1)
    processes = [worker for pool in thinkers.pools.values() for worker in pool._all]
    assert {worker.pid for worker in processes}.isdisjoint(workers)
    thinkers.close()
    await until(lambda: not any(worker._process.is_alive() for worker in processes))


async def test_an_analysis_comes_line_by_line(house: House) -> None:
    record = "players: 2\n\n" + "".join(f"{seat} {action}\n" for seat in (1, 2) for action in turn(seat))
    response = await house.visitor().http.post("/api/analyse", json={"record": record, "seconds": 0.01})
    assert response.headers["content-type"] == "application/x-ndjson"
    rows: list[Message] = [json.loads(line) for line in response.text.splitlines()]
    assert [(row["turn"], row["seat"], row["turns"]) for row in rows] == [(0, 1, 2), (1, 2, 2)]
    assert all(row["loss"] >= 0 and row["best"] for row in rows)
