"""Nobody who plays against people is helped in secret: by the page, by plain HTTP or by a program."""

from typing import Any

import pytest

from tests.server.harness import Client, House, Visitor, until


async def asked(client: Client) -> str:
    """What asking for a hint comes to: `hinted`, or why not."""
    await client.say("hint", game=client.game, id="hint")
    answer = await client.until(lambda message: message.get("id") == "hint")
    return str(answer.get("code") or answer["type"])


async def refused(visitor: Visitor, path: str, form: Any) -> str:
    """The code with which something is refused."""
    return (await visitor.refused(path, form))[1]


async def test_between_people_nobody_gets_a_hint_however_they_ask(house: House) -> None:
    ana, bo = await house.pair()
    assert ana.table["hints"] is False
    assert await asked(ana) == "hints-off"
    assert await refused(house.visitor(ana.key), f"/api/tables/{ana.game}/hint", {}) == "hints-off"
    assert not bo.texts()


async def test_a_hint_that_the_table_allows_is_seen_by_everybody_before_it_is_given(house: House) -> None:
    ana, bo = await house.pair(hints=True)
    eve = house.client()
    await eve.watch(ana.game)
    assert "hints" not in ana.table  # allowed is the rule
    assert await asked(ana) == "hinted"
    types = [message["type"] for message in ana.messages()]
    assert types.index("hinted") > types.index("state")
    for each in (ana, bo, eve):
        await until(lambda each=each: each.texts() == ["1 hint"])  # type: ignore[misc]
    form: dict[str, object] = {}
    await house.visitor(ana.key).post(f"/api/tables/{ana.game}/hint", form)
    assert bo.texts() == ["1 hint"], "once for each position"
    await ana.play("gain O1")
    await house.visitor(ana.key).post(f"/api/tables/{ana.game}/hint", form)
    await until(lambda: bo.texts() == ["1 hint", "1 gain O1", "1 hint"])


@pytest.mark.parametrize(
    "seats", [[{"kind": "me"}, {"kind": "me"}], [{"kind": "me"}, {"kind": "bot", "bot": "random"}]]
)
async def test_alone_and_around_one_screen_everybody_may_ask(house: House, seats: list[dict[str, str]]) -> None:
    visitor = house.visitor()
    made = await visitor.make(players=2, seats=seats)
    ana = await visitor.at(made["game"])
    assert await asked(ana) == "hinted"
    assert ana.texts() == []


async def test_a_further_device_makes_nobody_an_opponent(house: House) -> None:
    visitor, phone = house.visitor(), house.visitor()
    made = await visitor.make(players=2, seats=[{"kind": "me"}, {"kind": "me"}])
    again = (await visitor.post(f"/api/tables/{made['game']}/invite", {"seat": 1}))["invite"]
    await phone.join(made["game"], invite=again)
    assert await asked(await phone.at(made["game"])) == "hinted"


async def test_an_open_seat_is_for_somebody_else(house: House) -> None:
    made = await house.visitor().make(players=2, seats=[{"kind": "me"}])
    assert made["table"]["hints"] is False


async def test_a_copy_of_the_game_helps_nobody(house: House) -> None:
    """Whoever knows the deck can write the record of a running game."""
    ana, _ = await house.pair(seed="known")
    record = "rules: 2023\nplayers: 2\nseed: known  # of ours\n\n1 gain O1\n"
    record = record.replace("rules", "edition")
    assert await refused(house.visitor(), "/api/analyse", {"record": record}) == "deck-in-play"
    cheat = house.visitor(ana.key)
    made = await cheat.make(record=record, seats=[{"kind": "me"}, {"kind": "me"}])
    assert await asked(await cheat.at(made["game"])) == "deck-in-play"
    await ana.ask("resign", version=ana.version)
    assert await asked(await cheat.at(made["game"])) == "hinted"
