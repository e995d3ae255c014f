"""The daily solo game: the same deck for everybody on a server, once for each key, and the best of the day."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from tests.server.harness import START, Client, House

TODAY = datetime.fromtimestamp(START, UTC).date().isoformat()


async def play(client: Client, beginning: str) -> None:
    """Play to the end: what begins so where it can be, else whatever comes first."""
    for _ in range(1000):
        if client.table["status"] == "over":
            return
        legal = client.state["legal"]["1"]
        await client.play(next((action for action in legal if action.startswith(beginning)), legal[0]))
    raise AssertionError("the game does not end")


async def test_everybody_has_the_same_deck_and_nobody_a_second_try(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    one, two = await ana.post("/api/solo", {"name": "Ana"}), await bo.post("/api/solo", {"name": "Bo"})
    assert one["game"] != two["game"]
    assert one["table"]["day"] == TODAY
    first, second = await ana.at(one["game"]), await bo.at(two["game"])
    assert first.state["view"]["solo"] == second.state["view"]["solo"]
    assert one["table"]["fair"] != two["table"]["fair"]
    again = await asyncio.gather(*(ana.post("/api/solo", {"name": "Ana"}) for _ in range(3)))
    assert {found["game"] for found in again} == {one["game"]}
    house.clock.advance(86_400)
    tomorrow = await ana.post("/api/solo", {"name": "Ana"})
    assert tomorrow["game"] != one["game"]
    assert (await ana.at(tomorrow["game"])).state["view"]["solo"] != first.state["view"]["solo"]


async def test_two_first_questions_at_once_make_one_game(house: House) -> None:
    ana = house.visitor()
    await ana.make(players=2, seats=[{"kind": "me"}])  # she has a key now
    found = await asyncio.gather(*(ana.post("/api/solo") for _ in range(4)))
    assert len({one["game"] for one in found}) == 1


async def test_the_best_of_the_day(house: House) -> None:
    ana, bo, cy = house.visitor(), house.visitor(), house.visitor()
    assert (await cy.get("/api/solo"))["best"] == []
    one, two = await ana.post("/api/solo", {"name": "Ana"}), await bo.post("/api/solo", {"name": "Bo"})
    playing = await ana.at(one["game"])
    await play(playing, "place")
    await play(await bo.at(two["game"]), "gain")
    scores = playing.state["view"]["result"]["scores"]
    await asyncio.sleep(0.05)
    for visitor in (ana, cy):
        day = await visitor.get("/api/solo")
        assert (day["day"], day["finished"]) == (TODAY, 2)
        assert [row["score"] for row in day["best"]] == sorted((row["score"] for row in day["best"]), reverse=True)
        assert {row["name"] for row in day["best"]} == {"Ana", "Bo"}
        assert next(row for row in day["best"] if row["name"] == "Ana")["score"] == scores[0] - scores[1]
        # Whoever has still to play is told no game from which the deck could be learned.
        assert all(("game" in row) == (visitor is ana) for row in day["best"])
    assert [row["name"] for row in (await ana.get("/api/solo"))["best"] if row.get("mine")] == ["Ana"]
    await house.restart()
    assert (await house.visitor().get("/api/solo"))["finished"] == 2


async def test_nobody_is_helped(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    one = await ana.post("/api/solo")
    playing = await ana.at(one["game"])
    assert not playing.table["hints"]
    assert (await ana.refused(f"/api/tables/{one['game']}/hint")) == (403, "hints-off")
    # Somebody has finished it: the record tells nobody else what is best while others play.
    two = await bo.post("/api/solo")
    other = await bo.at(two["game"])
    await play(other, "place")
    record = (await bo.http.get(f"/api/tables/{two['game']}/record")).text
    assert (await bo.refused("/api/analyse", {"record": record})) == (403, "deck-in-play")


async def test_who_gives_up_is_not_counted_and_the_next_game_is_a_common_one(house: House) -> None:
    ana = house.visitor()
    one = await ana.post("/api/solo")
    await (await ana.at(one["game"])).ask("resign", version=0)
    await asyncio.sleep(0.05)
    found = await ana.get("/api/solo")
    assert (found["finished"], found["over"]) == (0, True)
    following = await ana.post(f"/api/tables/{one['game']}/rematch")
    assert not following["table"].get("day")


async def test_days_that_have_no_game(house: House) -> None:
    ana = house.visitor()
    assert (await ana.http.get("/api/solo?day=2099-01-01")).json()["code"] == "daily-later"
    assert (await ana.http.get("/api/solo?day=yesterday")).json()["code"] == "daily-date"
    assert (await ana.get("/api/solo?day=2026-11-01"))["finished"] == 0
