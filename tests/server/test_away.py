"""A line that died without a word: the others hear of it, and of its coming back."""

import pytest

from tests.server.harness import Client, House, until


def there(client: Client) -> list[bool]:
    """Which seats are there, as a client was told last."""
    return [seat.get("online", False) for seat in client.table["seats"]]


async def test_who_breaks_a_promise_to_be_heard_is_away_until_the_next_word(house: House) -> None:
    ana, bo = await house.pair()
    await bo.say("ping", id="p", within=2)
    house.clock.advance(1.5)
    await bo.say("ping", id="q", within=2)
    house.clock.advance(1.5)  # each sign moves the promise on
    assert there(ana) == [True, True]
    house.clock.advance(1)
    await until(lambda: there(ana) == [True, False])
    assert there(bo) == [True, True]  # nothing reaches a dead line; it is told when it is back
    await bo.ask("try", action="gain O1")
    await until(lambda: there(ana) == [True, True])


async def test_who_promises_nothing_may_be_silent(house: House) -> None:
    ana, bo = await house.pair()
    await bo.say("ping", id="p")
    house.clock.advance(3600)
    await bo.say("ping", id="q", within=2)
    await bo.say("ping", id="r")  # and may take a promise back
    house.clock.advance(3600)
    await ana.say("ping", id="p")
    assert there(ana) == [True, True]


async def test_a_promise_can_be_for_later(house: House) -> None:
    """A page that is put away says so."""
    ana, bo = await house.pair()
    await bo.say("ping", id="p", within=2)
    await bo.say("ping", id="q", within=90)
    house.clock.advance(60)
    await ana.say("ping", id="p")
    assert there(ana) == [True, True]
    house.clock.advance(31)
    await until(lambda: there(ana) == [True, False])


async def test_a_seat_is_there_as_long_as_one_of_its_devices_is(house: House) -> None:
    ana, bo = await house.pair()
    second = house.client(bo.key)
    await second.watch(bo.game)
    await bo.say("ping", id="p", within=2)
    house.clock.advance(5)
    await until(lambda: any(each.away for each in house.games.live[bo.game].followers))
    assert there(ana) == [True, True]


@pytest.mark.parametrize("within", ["0", "0.5", "4000", "-1", '"2"', "null, 1"])
async def test_a_promise_is_some_seconds(house: House, within: str) -> None:
    (answer,) = await house.client().send(f'{{"type":"ping","id":"p","within":{within}}}')
    assert answer["code"] == "unreadable"
