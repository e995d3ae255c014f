"""Two server processes, one store, one Redis: for the players it is one table."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from projectl.server.games.upkeep import close
from tests.server.client import Client
from tests.server.processes import LONG, ME, OPEN, Postgres, Redis, Server, wait_for
from tests.server.store_behaviour import opened

QUICK = {"projectl.server.games.memory.SWEEP": 0.2, "projectl.server.games.automation.BOT_GRACE": 0.5}
RACES = 8


class House(NamedTuple):
    """Two processes."""

    one: Server
    two: Server
    redis: Redis


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Both are started at once, on a store that is not there yet."""
    folder = tmp_path_factory.mktemp("house")
    with ExitStack() as running:
        redis = running.enter_context(Redis(folder))
        store = "" if request.param == "sqlite" else running.enter_context(Postgres()).database()
        one, two = (
            running.enter_context(Server(folder, store, bus=redis.url, patches=QUICK)).launch() for _ in range(2)
        )
        one.ready()
        two.ready()
        yield House(one, two, redis)
        for server in (one, two):
            server.stop()
            assert [line for line in server.complaints() if '"projectl.bus"' not in line] == [], (
                "but that Redis was away"
            )


async def make(server: Server, *seats: dict[str, str], **how: object) -> tuple[str, str, dict[str, str]]:
    """A new table: the game, its maker's key, the invitations."""
    key = server.new_key()
    made = await asyncio.to_thread(server.table, key, *seats, **how)
    return made["game"], key, made["invites"]


async def join(server: Server, game: str, invite: str) -> str:
    """Take a seat: the key of who sits there now."""
    key = server.new_key()
    await asyncio.to_thread(server.ask, f"/api/tables/{game}/join", {"invite": invite}, key)
    return key


def online(client: Client) -> list[bool]:
    """Who is there, seat by seat, as this client was told."""
    return [seat.get("online", False) for seat in client.seat.table["seats"]]


def test_players_on_different_processes_see_each_action(house: House) -> None:
    async def run() -> None:
        dice = random.Random(1)
        game, ana_key, invites = await make(house.one, ME, OPEN, seed="two processes")
        bo_key = await join(house.two, game, invites["2"])
        async with Client(house.one, game, ana_key) as ana, Client(house.two, game, bo_key) as bo:
            await ana.until(lambda: bool(ana.seat.legal))
            for version in range(3, 15):
                answer = await (ana if ana.seat.choose(dice) else bo).play(dice)
                assert answer == version
                await asyncio.gather(ana.at(version), bo.at(version))
                assert ana.seat.events == bo.seat.events

    asyncio.run(run())


def test_the_game_begins_for_everybody_wherever_the_last_seat_is_taken(house: House) -> None:
    async def run() -> None:
        game, ana_key, invites = await make(house.one, ME, OPEN)
        async with Client(house.one, game, ana_key) as ana:
            assert ana.seat.table["status"] == "waiting"
            assert not ana.seat.legal
            await join(house.two, game, invites["2"])
            await ana.until(lambda: bool(ana.seat.legal))
            assert ana.seat.table["status"] == "playing"

    asyncio.run(run())


def test_of_two_who_race_for_a_version_one_wins_and_the_other_is_told(house: House) -> None:
    async def run() -> None:
        dice = random.Random(2)
        wins = [0, 0]
        for number in range(RACES):
            game, key, _ = await make(house.one, ME, ME, seed=f"race {number}")
            async with Client(house.one, game, key, "one") as one, Client(house.two, game, key, "two") as two:
                for version in (1, 2, 3):
                    answers = await asyncio.gather(
                        one.answer(one.seat.act_somehow(dice)), two.answer(two.seat.act_somehow(dice))
                    )
                    assert sorted(map(str, answers)) == [str(version), "stale"]
                    winner, loser = (one, two) if answers[0] == version else (two, one)
                    wins[answers[0] != version] += 1
                    await asyncio.gather(one.at(version), two.at(version))
                    assert winner.seat.events == loser.seat.events, "a refusal brings a fresh state"
                    assert winner.seat.view == loser.seat.view
                    await loser.until(lambda loser=loser: _then_a_state(loser))  # type: ignore[misc]
        assert sum(wins) == 3 * RACES

    asyncio.run(run())


def _then_a_state(client: Client) -> bool:
    kinds = [message["type"] for message in client.heard]
    return kinds[len(kinds) - kinds[::-1].index("refused") :][:1] == ["state"]


def test_a_message_said_again_to_the_other_process_is_answered_again(house: House) -> None:
    async def run() -> None:
        dice = random.Random(3)
        game, key, _ = await make(house.one, ME, ME)
        async with Client(house.one, game, key) as one, Client(house.two, game, key) as two:
            for version in range(1, 7):
                message = one.seat.act_somehow(dice)
                two.seat.waiting[message["id"]] = message
                answers = await asyncio.gather(one.answer(message), two.answer(message))
                assert answers[0] == answers[1] == version
                await asyncio.gather(one.at(version), two.at(version))
            assert len(two.seat.events) == 6

    asyncio.run(run())


def test_whoever_moves_to_the_other_process_gets_exactly_what_they_missed(house: House) -> None:
    async def run() -> None:
        dice = random.Random(4)
        game, key, _ = await make(house.one, ME, ME)
        async with Client(house.one, game, key) as one:
            traveller = Client(house.one, game, key, "traveller")
            traveller.begin()
            await one.play(dice)
            await traveller.at(1)
            for server in (house.two, house.one, house.two):
                known = traveller.seat.version
                await traveller.leave()
                await one.play(dice)
                await one.play(dice)
                traveller.server = server
                traveller.begin()
                await traveller.at(known + 2)
                states = [message for message in traveller.heard if message["type"] == "state"]
                assert [event["version"] for state in states for event in state["events"]] == [known + 1, known + 2]
            await traveller.leave()

    asyncio.run(run())


def test_who_is_there_is_known_at_both(house: House) -> None:
    async def run() -> None:
        game, ana_key, invites = await make(house.one, ME, OPEN)
        bo_key = await join(house.two, game, invites["2"])
        async with Client(house.one, game, ana_key) as ana:
            async with Client(house.two, game, bo_key) as bo:
                await ana.until(lambda: online(ana) == [True, True])
                await bo.until(lambda: online(bo) == [True, True])
            await ana.until(lambda: online(ana) == [True, False])

    asyncio.run(run())


def test_what_happened_while_the_bus_was_gone_is_heard_when_it_is_back(house: House) -> None:
    async def run() -> None:
        dice = random.Random(5)
        game, key, _ = await make(house.one, ME, ME)
        async with Client(house.one, game, key) as one, Client(house.two, game, key) as two:
            await one.play(dice)
            await two.at(1)
            await asyncio.to_thread(house.redis.kill)
            assert await one.play(dice) == 2, "a table does not wait for the bus"
            await asyncio.to_thread(house.redis.start)
            await two.at(2)
            assert await one.play(dice) == 3
            await two.at(3)

    asyncio.run(run())


def test_a_seat_taken_while_the_bus_was_gone_is_seen_when_it_is_back(house: House) -> None:
    async def run() -> None:
        game, ana_key, invites = await make(house.one, ME, OPEN)
        async with Client(house.one, game, ana_key) as ana:
            await asyncio.to_thread(house.redis.kill)
            bo_key = await join(house.two, game, invites["2"])
            async with Client(house.two, game, bo_key) as bo:
                await asyncio.to_thread(house.redis.start)
                await ana.until(lambda: bool(ana.seat.legal))
                await ana.until(lambda: online(ana) == [True, True])
                await bo.until(lambda: online(bo) == [True, True])

    asyncio.run(run())


def test_a_game_that_is_closed_from_outside_ends_at_both(house: House) -> None:
    async def run() -> None:
        game, key, _ = await make(house.one, ME, ME)
        async with Client(house.one, game, key) as one, Client(house.two, game, key) as two:
            async with opened(house.one.store) as [store]:
                await close(store, game, "good night")
            for client in (one, two):
                await client.until(lambda client=client: client.seat.table["status"] == "over")  # type: ignore[misc]
                assert client.seat.table["closed"] == "good night"

    asyncio.run(run())


async def _stored(store: str, game: str) -> list[Any]:
    async with opened(store) as [found]:
        return await found.events(game, 0)


def test_a_bots_turn_is_taken_up_when_its_process_is_killed(house: House, tmp_path: Path) -> None:
    """A third process lets its bots wait for a minute, and is killed; nobody looks at the game at the others."""

    async def until_the_bot_thinks(server: Server, game: str, key: str) -> int:
        dice = random.Random(6)
        async with Client(server, game, key) as client:
            while client.seat.view["to_act"] == [1]:
                await client.play(dice)
            return client.seat.version

    slow = Server(tmp_path, house.one.store, bus=house.redis.url, bot_pause=60.0, patches=QUICK)
    with slow.start() as third:
        key = third.new_key()
        game = third.table(key, ME, {"kind": "bot", "bot": "random"}, seed="bot")["game"]
        version = asyncio.run(until_the_bot_thinks(third, game, key))
        third.kill()
        wait_for("the bot's action", lambda: len(asyncio.run(_stored(third.store, game))) > version)
        assert asyncio.run(_stored(third.store, game))[version].event.seat == 2
        state = house.two.ask(f"/api/tables/{game}/state?since={version}", key=key)
        assert state["events"][0]["event"]["seat"] == 2


@pytest.mark.skipif(not LONG, reason="starts two more servers: with PROJECTL_LONG=1")
def test_the_seats_of_a_killed_process_are_empty_soon(tmp_path: Path) -> None:
    async def run(one: Server, two: Server) -> None:
        game, ana_key, invites = await make(one, ME, OPEN)
        bo_key = await join(two, game, invites["2"])
        async with Client(two, game, bo_key) as bo:
            ana = Client(one, game, ana_key)
            ana.begin()
            await bo.until(lambda: online(bo) == [True, True])
            await asyncio.to_thread(one.kill)
            await ana.leave()
            await bo.until(lambda: online(bo) == [False, True])

    with Redis(tmp_path) as redis, ExitStack() as running:
        one, two = (running.enter_context(Server(tmp_path, bus=redis.url, patches=QUICK)).launch() for _ in range(2))
        asyncio.run(run(one.ready(), two.ready()))
