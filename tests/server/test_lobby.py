"""A table before its game begins: bots fill seats, seats change places, people change names, or it is cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.harness import House, Message, Visitor


async def table_of_three(house: House) -> tuple[Visitor, Visitor, Message]:
    """Ana made it, Bo sits on seat 2, seat 3 is open."""
    ana, bo = house.visitor(), house.visitor()
    made = await ana.make(players=3, seats=[{"kind": "me", "name": "Ana", "colour": "teal"}])
    await bo.join(made["game"], invite=made["invites"]["2"], name="Bo", colour="coral")
    return ana, bo, made


def names(table: Message) -> list[str]:
    return [seat["name"] for seat in table["seats"]]


async def test_a_bot_fills_the_last_seat_and_the_game_begins(house: House) -> None:
    ana, bo, made = await table_of_three(house)
    game = made["game"]
    seen = await bo.at(game)
    table = await ana.post(f"/api/tables/{game}/arrange", {"seat": 3, "bot": "greedy"})
    assert table["status"] == "playing"
    assert table["seats"][2] | {"bot": "greedy", "kind": "bot"} == table["seats"][2]
    assert seen.table["status"] == "playing"
    assert [event["type"] for event in seen.events()][-2:] == ["arranged", "begun"]
    late = house.visitor()
    assert await late.refused(f"/api/tables/{game}/join", {"invite": made["invites"]["3"]}) == (403, "invite-used")
    await house.restart()
    assert (await house.visitor().get(f"/api/tables/{game}"))["status"] == "playing"


async def test_a_bot_leaves_again_and_somebody_can_be_invited(house: House) -> None:
    ana, cy = house.visitor(), house.visitor()
    made = await ana.make(players=3, seats=[{"kind": "me"}])
    arrange = f"/api/tables/{made['game']}/arrange"
    assert (await ana.post(arrange, {"seat": 2, "bot": "planner"}))["seats"][1]["kind"] == "bot"
    assert (await ana.post(arrange, {"seat": 2, "bot": ""}))["seats"][1]["kind"] == "open"
    fresh = await ana.post(f"/api/tables/{made['game']}/invite", {"seat": 2})
    assert (await cy.join(made["game"], invite=fresh["invite"]))["seat"] == 2


async def test_seats_change_places_with_whoever_sits_there(house: House) -> None:
    ana, bo, made = await table_of_three(house)
    game = made["game"]
    seen = await bo.at(game)
    table = await ana.post(f"/api/tables/{game}/arrange", {"seat": 2, "to": 1})
    assert names(table) == ["Bo", "Ana", ""]
    assert seen.state["seats"] == [1]
    await ana.post(f"/api/tables/{game}/arrange", {"seat": 3, "to": 2})
    await house.restart()
    ana, bo = house.visitor(ana.key), house.visitor(bo.key)
    assert names(await ana.get(f"/api/tables/{game}")) == ["Bo", "", "Ana"]
    assert (await ana.get(f"/api/tables/{game}/state"))["seats"] == [3]
    assert (await bo.get(f"/api/tables/{game}/state"))["seats"] == [1]
    # The invitation to the open seat went along with it.
    cy = house.visitor()
    assert (await cy.join(game, invite=made["invites"]["3"], name="Cy"))["seat"] == 2
    assert (await bo.get(f"/api/tables/{game}/state"))["legal"].keys() == {"1"}


async def test_everybody_renames_themselves_alone(house: House) -> None:
    ana, bo, made = await table_of_three(house)
    arrange = f"/api/tables/{made['game']}/arrange"
    table = await bo.post(arrange, {"seat": 2, "name": "Bob", "colour": "gold"})
    assert names(table) == ["Ana", "Bob", ""]
    assert table["seats"][1]["colour"] == "gold"
    assert len({seat["colour"] for seat in table["seats"]}) == 3
    assert await ana.refused(arrange, {"seat": 2, "name": "Bobby"}) == (403, "not-your-seat")
    assert await bo.refused(arrange, {"seat": 2, "colour": "teal"}) == (409, "colour-taken")


@pytest.mark.parametrize(
    ("form", "refusal"),
    [
        ({"seat": 2, "bot": "greedy"}, (409, "seat-taken")),
        ({"seat": 4, "bot": "greedy"}, (422, "no-such-seat")),
        ({"seat": 1, "to": 6}, (422, "no-such-seat")),
        ({"seat": 3, "bot": "nobody"}, (422, "bot-unknown")),
    ],
)
async def test_what_cannot_be_arranged(house: House, form: dict[str, Any], refusal: tuple[int, str]) -> None:
    ana, bo, made = await table_of_three(house)
    arrange = f"/api/tables/{made['game']}/arrange"
    assert await ana.refused(arrange, form) == refusal
    assert await bo.refused(arrange, {"seat": 3, "bot": "greedy"}) == (403, "not-host")
    assert await house.visitor().refused(arrange, {"seat": 3, "to": 1}) == (403, "not-host")


async def test_a_game_that_began_keeps_its_seats(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}, {"kind": "bot"}])
    assert await ana.refused(f"/api/tables/{made['game']}/arrange", {"seat": 1, "to": 2}) == (409, "begun")
    assert await ana.refused(f"/api/tables/{made['game']}/cancel") == (409, "begun")


async def test_a_table_is_cancelled_by_whoever_made_it(house: House) -> None:
    ana, bo, made = await table_of_three(house)
    game = made["game"]
    seen = await bo.at(game)
    assert not seen.state.get("host")
    assert (await ana.at(game)).state["host"]
    assert await bo.refused(f"/api/tables/{game}/cancel") == (403, "not-host")
    table = await ana.post(f"/api/tables/{game}/cancel")
    assert (table["status"], table["cancelled"]) == ("over", True)
    assert seen.table["cancelled"]
    assert (await ana.post(f"/api/tables/{game}/cancel"))["cancelled"]
    late = house.visitor()
    assert await late.refused(f"/api/tables/{game}/join", {"invite": made["invites"]["3"]}) == (409, "cancelled")
    assert await ana.refused(f"/api/tables/{game}/rematch") == (409, "not-over")


async def test_a_code_says_what_a_link_says(house: House) -> None:
    rows = (await house.visitor().post("/api/qr", {"text": "http://table.example/join/g#token"}))["rows"]
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == len(rows[0])
    assert set("".join(rows)) == {"#", "."}
    assert set(rows[0]) == {"."}
    assert (await house.visitor().refused("/api/qr", {"text": "anything"}))[0] == 400
    assert (await house.visitor().refused("/api/qr", {"text": "http://" + "x" * 300}))[0] == 400


async def test_who_comes_to_a_rematch_finds_the_seat_that_was_kept_and_moved(house: House) -> None:
    ana, bo, made = await table_of_three(house)
    await ana.post(f"/api/tables/{made['game']}/arrange", {"seat": 3, "bot": "greedy"})
    for person, seat in ((ana, 1), (bo, 2)):
        await person.post(f"/api/tables/{made['game']}/resign", {"id": "r", "seat": seat})
    again = await ana.post(f"/api/tables/{made['game']}/rematch")
    assert names(again["table"]) == ["Bo", "Greedy", "Ana"]
    await ana.post(f"/api/tables/{again['game']}/arrange", {"seat": 1, "to": 3})
    came = await bo.post(f"/api/tables/{made['game']}/rematch")
    assert (came["seats"], came["table"]["status"]) == ([3], "playing")
    assert (await ana.post(f"/api/tables/{made['game']}/rematch"))["seats"] == [1]
