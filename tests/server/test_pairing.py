"""Play anybody: who looks for the same game meets, and nobody is sat down beside somebody who has left."""

from __future__ import annotations

import asyncio

from tests.server.harness import House


async def test_two_who_look_for_the_same_game_meet(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    first = await ana.post("/api/pair", {"name": "Ana", "colour": "teal"})
    assert first["table"]["status"] == "waiting"
    assert first["table"]["public"]
    waits = await ana.at(first["game"])
    second = await bo.post("/api/pair", {"name": "Bo", "colour": "teal"})
    assert (second["game"], second["seat"], second["table"]["status"]) == (first["game"], 2, "playing")
    assert waits.table["status"] == "playing"
    assert len({seat["colour"] for seat in second["table"]["seats"]}) == 2
    assert second["table"]["clock"] == {"game": 600.0}


async def test_two_who_come_at_once_meet(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    for visitor in (ana, bo):
        await visitor.post("/api/pair", {"players": 4})  # they have keys now, and wait elsewhere
    form = {"players": 3, "clock": "days"}
    one, two = await asyncio.gather(ana.post("/api/pair", form), bo.post("/api/pair", form))
    assert one["game"] == two["game"]
    assert {one["seat"], two["seat"]} == {1, 2}


async def test_who_asks_again_stays_where_they_wait(house: House) -> None:
    ana = house.visitor()
    first = await ana.post("/api/pair", {"clock": "calm"})
    assert (await ana.post("/api/pair", {"clock": "calm"}))["game"] == first["game"]
    assert (await ana.post("/api/pair", {"clock": "quick"}))["game"] != first["game"]


async def test_nobody_is_sat_down_beside_somebody_who_left(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    first = await ana.post("/api/pair")
    (await ana.at(first["game"])).connection.gone()
    assert (await bo.post("/api/pair"))["game"] != first["game"]
    # By the day nobody has to be there.
    slow = await ana.post("/api/pair", {"clock": "days"})
    assert (await bo.post("/api/pair", {"clock": "days"}))["game"] == slow["game"]


async def test_other_games_are_not_what_was_asked_for(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    seats = [{"kind": "me"}]
    clock = {"move": 3 * 86_400.0}
    others = [
        await ana.make(players=2, seats=seats, clock=clock),  # by invitation
        await ana.make(players=2, seats=seats, clock=clock, public=True, seed="known"),
        await ana.make(players=2, seats=seats, clock=clock, public=True, modules=["ghost"]),
        await ana.make(players=2, seats=seats, clock=clock, public=True, hints=True),
        await ana.make(players=2, seats=seats, clock={"move": 60}, public=True),
        await ana.make(players=3, seats=seats, clock=clock, public=True),
    ]
    found = await bo.post("/api/pair", {"clock": "days"})
    assert found["game"] not in {made["game"] for made in others}
    house.clock.advance(1.0)  # two tables of one moment have no order
    same = await ana.make(players=2, seats=seats, clock=clock, public=True)
    cy = house.visitor()
    assert (await cy.post("/api/pair", {"clock": "days"}))["game"] == found["game"]  # the oldest first
    assert (await cy.post("/api/pair", {"clock": "days"}))["game"] == same["game"]


async def test_what_cannot_be_asked_for(house: House) -> None:
    ana = house.visitor()
    assert (await ana.refused("/api/pair", {"players": 5}))[0] == 400
    assert (await ana.refused("/api/pair", {"clock": "never"}))[0] == 400
