"""What nobody can do: hold up those who think, fill the memory, ask without end, or stop the game with a fault."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from projectl import State
from projectl.core import cards
from projectl.server.errors import Busy, Refusal
from projectl.server.games.tables import check_rules
from projectl.server.http.forms import RulesForm
from projectl.server.thinkers import Advice, Thinkers, thinks_deeply
from projectl.server.workers import Asker, Pool
from tests.server.harness import HereThinkers, House, until
from tests.server.test_bots_at_tables import table_with
from tests.server.test_protocol import turn

# --- thinking ---------------------------------------------------------------------------------


@asynccontextmanager
async def pool(workers: int = 1, waiting: int = 4, each: int = 4, limit: float = 60.0) -> AsyncIterator[Pool]:
    """Real processes."""
    found = Pool(workers, waiting=waiting, each=each, limit=limit)
    try:
        yield found
    finally:
        found.close()


def ana(number: int = 0) -> Asker:
    """Somebody, each number another."""
    return Asker(f"ana {number}", f"address {number}")


async def test_nobody_makes_a_bots_turn_wait_for_hints_or_records(house: House) -> None:
    thinkers = Thinkers(1)
    house.games.automation.thinkers = thinkers
    asked = [
        asyncio.ensure_future(busy.run(ana(n), time.sleep, 60.0))
        for busy in (thinkers.advice, thinkers.records, thinkers.deep)
        for n in range(8)
    ]
    player = await table_with(house, "greedy")
    await player.play(*turn(1))
    await player.turn(1)
    assert player.texts()[3].startswith("2 "), "the bot played"
    assert "handover" not in " ".join(player.texts())
    assert not any(task.done() for task in asked), "and nobody else was served meanwhile"
    thinkers.close()
    await asyncio.gather(*asked, return_exceptions=True)


def test_quick_bots_have_workers_that_deep_thinkers_cannot_take() -> None:
    assert [spec for spec in ("random", "greedy", "neural", "planner", "planner:50ms") if thinks_deeply(spec)] == []
    assert [spec for spec in ("search", "search:10s", "planner:1s") if not thinks_deeply(spec)] == []


async def test_nobody_has_more_asked_at_once_than_a_key_may() -> None:
    async with pool(each=1, waiting=100) as workers:
        first = asyncio.ensure_future(workers.run(Asker("key", "home"), time.sleep, 0.5))
        await asyncio.sleep(0)
        with pytest.raises(Busy) as busy:
            await workers.run(Asker("key", "home"), time.sleep, 0)
        assert (busy.value.code, busy.value.status) == ("busy-yours", 429)
        await first
        await workers.run(Asker("key", "home"), time.sleep, 0)


async def test_nobody_gets_more_out_of_many_keys_at_one_address() -> None:
    async with pool(each=1, waiting=100) as workers:
        asked = [asyncio.ensure_future(workers.run(Asker(f"key {n}", "home"), time.sleep, 0.1)) for n in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await workers.run(Asker("key 5", "home"), time.sleep, 0)
        await workers.run(Asker("key 5", "elsewhere"), time.sleep, 0)
        await asyncio.gather(*asked)


async def test_nobody_fills_a_queue_without_end_and_whoever_comes_late_hears_when_to_come_again() -> None:
    async with pool(waiting=3) as workers:
        asked = [asyncio.ensure_future(workers.run(ana(n), time.sleep, 0.2)) for n in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match=r"try again in \d+ s") as busy:
            await workers.run(ana(9), time.sleep, 0)
        assert (busy.value.code, busy.value.status) == ("busy", 503)
        assert busy.value.seconds >= 1
        await asyncio.gather(*asked)
        await workers.run(ana(9), time.sleep, 0)


async def test_nobody_who_asks_often_is_served_before_somebody_who_asks_rarely() -> None:
    async with pool(waiting=10, each=10) as workers:
        await workers.run(ana(1), time.sleep, 0)
        order: list[str] = []

        async def ask(number: int) -> None:
            await workers.run(ana(number), time.sleep, 0.01)
            order.append(f"ana {number}")

        await asyncio.gather(*(ask(number) for number in (1, 1, 1, 1, 2)))
        assert order.index("ana 2") <= 1, "only what was begun already came first"


async def test_nobody_loses_time_by_waiting_in_a_queue() -> None:
    """Together they take longer than the limit, each by itself does not."""
    async with pool(waiting=10, limit=1.5) as workers:
        await workers.run(ana(), time.sleep, 0)
        begin = time.monotonic()
        await asyncio.gather(*(workers.run(ana(n), time.sleep, 0.4) for n in range(5)))
        assert time.monotonic() - begin > 1.5
        assert workers.replaced == 0


async def test_nobody_keeps_a_worker_for_ever() -> None:
    async with pool(limit=0.5) as workers:
        before = await workers.run(ana(), os.getpid)
        with pytest.raises(Refusal) as late:
            await workers.run(ana(), time.sleep, 600)
        assert late.value.code == "too-long"
        assert workers.replaced == 1
        assert before not in workers.pids()


async def test_nobody_waits_for_ever_for_a_worker_that_was_stopped() -> None:
    async with pool(limit=1.0) as workers:
        before = await workers.run(ana(), os.getpid)
        os.kill(before, signal.SIGSTOP)
        with pytest.raises(Refusal):
            await workers.run(ana(), os.getpid)
        assert before not in workers.pids()


async def test_nobody_goes_without_an_answer_when_several_workers_die_at_once() -> None:
    async with pool(workers=2) as workers:
        await asyncio.gather(*(workers.run(ana(n), time.sleep, 0.2) for n in range(2)))
        assert len(workers.pids()) == 2
        asked = [asyncio.ensure_future(workers.run(ana(n), time.sleep, 0.3)) for n in range(2)]
        await asyncio.sleep(0.1)
        for worker in workers.pids():
            os.kill(worker, signal.SIGKILL)
        assert await asyncio.gather(*asked) == [None, None], "others took the work over"
        dying = await asyncio.gather(*(workers.run(ana(n), os._exit, 1) for n in range(2)), return_exceptions=True)
        assert [getattr(error, "code", error) for error in dying] == ["thinking-failed"] * 2
        assert await workers.run(ana(), abs, -3) == 3


async def test_nobody_takes_a_seat_from_a_bot_by_keeping_the_others_busy(house: House) -> None:
    class Crowded(HereThinkers):
        refused = 3

        async def act(self, spec: str, state: State, seat: int, seed: int, owner: str) -> str:
            self.refused -= 1
            if self.refused >= 0:
                raise Busy("busy", "try again in 5 s", 503, about="5")
            return await super().act(spec, state, seat, seed, owner)

    house.games.automation.thinkers = crowded = Crowded()
    player = await table_with(house, "planner:1ms")
    await player.play(*turn(1))
    for left in (2, 1, 0):
        await until(lambda left=left: crowded.refused == left)  # type: ignore[misc]
        for _ in range(20):
            await asyncio.sleep(0)
        assert player.version == 3
        house.clock.advance(6)
    await player.turn(1)
    assert "handover" not in " ".join(player.texts())


async def test_nobody_makes_bots_play_where_no_person_plays_and_its_owner_does_not_watch(house: House) -> None:
    owner = house.visitor()
    made = await owner.make(players=2, seats=[{"kind": "bot", "bot": "greedy"}] * 2, options={"max_rounds": "1"})
    stranger = await house.visitor().at(made["game"])
    house.clock.advance(100)
    for _ in range(50):
        await asyncio.sleep(0)
    assert await house.games.store.games_due(house.clock.now()) == []
    assert stranger.version == 0
    watching = await owner.at(made["game"])
    await watching.over()


async def test_nobody_is_left_without_an_answer_by_a_hint_that_crashes(house: House) -> None:
    class Crashing(HereThinkers):
        async def advise(self, state: State, seat: int, seed: int, asker: Asker) -> Advice:
            raise RuntimeError("out of memory")

    house.games.thinkers = Crashing()
    player = await table_with(house, "greedy")
    await player.say("hint", game=player.game, id="h")
    answer = await player.until(lambda message: message.get("id") == "h")
    assert (answer["type"], answer["code"]) == ("refused", "server")


# --- memory -----------------------------------------------------------------------------------


def test_nobody_fills_the_memory_with_cards_of_their_own() -> None:
    rows = ("##### #...# ##.## ##.## #####", "##### #..## ##.## ##.## #####", "##### ##..# ##.## ##.## #####")
    for number in range(100):
        own = [f"OWN{number} W {number % 6} O1 {rows[number % 3]}"]
        assert check_rules(RulesForm(players=2, cards=own)) is None
    assert 0 < cards.catalogue.cache_info().currsize <= 32
