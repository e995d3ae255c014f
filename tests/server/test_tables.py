"""Tables: every game that the rules allow, who sits at it, and what comes after it."""

import asyncio
import random

import pytest

from projectl import Rules
from projectl.server.http.forms import MOST_RECORD
from tests.configurations import configurations, random_rules
from tests.server.harness import LONG, House, Message, examples, refusal
from tests.table import idle

CARD = "Z01 W 0 O1 .#### ##### ##### ##### #####"
OWN = [{"kind": "me"}, {"kind": "me"}]


def form_of(rules: Rules) -> Message:
    """What a page would ask for to play by these rules."""
    return {
        "players": int(rules.players),
        "edition": rules.edition,
        "modules": list(rules.modules),
        "options": rules.options(),
        "cards": [card.text() for card in rules.own],
    }


def lines(text: str) -> list[str]:
    """The actions of `tests.table`, without their seats."""
    return [line.split(" ", 1)[1] for row in text.split("\n") for line in row.split("|")]


async def test_a_table_for_two(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me", "name": "Ana", "colour": "teal"}])
    assert made["seats"] == [1]
    assert set(made["invites"]) == {"2"}
    table = made["table"]
    assert table["status"] == "waiting"
    kinds = ["take", "gain", "upgrade", "place", "master", "deck", "recycle"]
    assert table["setup"] == {
        "edition": "2023",
        "players": 2,
        "modules": [],
        "options": {},
        "cards": [],
        "actions": kinds,
    }
    assert table["seats"] == [
        {"seat": 1, "kind": "person", "name": "Ana", "colour": "teal"},
        {"seat": 2, "kind": "open", "name": "", "colour": "coral"},
    ]
    assert await ana.get(f"/api/tables/{made['game']}") == table


async def test_the_game_starts_when_no_seat_is_open(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}])
    watching = await ana.at(made["game"])
    assert "legal" not in watching.state
    assert (await watching.act("gain O1"))["code"] == "waiting"
    await bo.join(made["game"], invite=made["invites"]["2"], name="Bo")
    assert watching.table["status"] == "playing"
    assert [seat["name"] for seat in watching.table["seats"]] == ["", "Bo"]
    assert "gain O1" in watching.state["legal"]["1"]
    await watching.play("gain O1")


async def test_every_configuration_of_the_rules_can_be_played(house: House) -> None:
    ana = house.visitor()
    for players, edition, modules in configurations()[:: 1 if LONG else 9]:
        made = await ana.make(players=players, edition=edition, modules=list(modules), seats=[{"kind": "me"}] * players)
        assert made["table"]["setup"]["modules"] == list(modules)
        state = await ana.get(f"/api/tables/{made['game']}/state")
        assert state["legal"]["1"], (players, edition, modules)


async def test_options_and_own_cards(house: House) -> None:
    ana, dice = house.visitor(), random.Random(1)
    for _ in range(examples(25, 500)):
        rules = random_rules(dice)
        form = form_of(rules)
        assert await ana.post("/api/check", form) == {"ok": True}
        made = await ana.make(**form)
        assert {key: value for key, value in made["table"]["setup"].items() if key != "actions"} == form
        assert (made["table"].get("open_deck") or False) == bool(rules.own)


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"players": 5, "edition": "2020"}, "players"),
        ({"players": 2, "edition": "2021"}, "edition"),
        ({"players": 2, "modules": ["chess"]}, "module"),
        ({"players": 2, "modules": ["ghost", "ghost"]}, "module-twice"),
        ({"players": 2, "edition": "2019", "modules": ["finesse"]}, "module-edition"),
        ({"players": 1, "modules": ["endless_white"]}, "endless-solo"),
        ({"players": 2, "options": {"known_points": "maybe"}}, "option-value"),
        ({"players": 2, "options": {"speed": "fast"}}, "option"),
        ({"players": 2, "options": {"max_rounds": "0"}}, "option-value"),
        ({"players": 2, "cards": ["Z01 W 0 O1"]}, "card-form"),
        ({"players": 2, "cards": [CARD, CARD]}, "card-id-taken"),
        ({"players": 2, "cards": [CARD.replace("Z01", "W01")]}, "card-id-taken"),
        ({"players": 2, "cards": [CARD.replace("O1", "LEVELUP1")]}, "card-ghost"),
    ],
)
async def test_other_games_are_refused_with_a_reason(house: House, form: Message, code: str) -> None:
    ana = house.visitor()
    checked = await ana.post("/api/check", form)
    assert (checked["ok"], bool(checked["sentence"])) == (False, True)
    status, found = await ana.refused("/api/tables", form)
    assert (status, found) == (422, checked["code"])
    assert found == code
    assert await house.games.store.all_games() == []


@pytest.mark.parametrize(
    "form",
    [
        {},
        [],
        {"players": "2"},
        {"players": 2.5},
        {"players": 0},
        {"players": 2, "colour": "red"},
        {"players": 2, "seats": [{"kind": "king"}]},
        {"players": 2, "seats": [{"kind": "me", "name": "x" * 31}]},
        {"players": 2, "seats": [{"kind": "me", "name": "a\nb"}]},
        {"players": 2, "clock": {"move": 0}},
        {"players": 2, "clock": {"move": -1}},
        {"players": 2, "seed": "a\nwhite: W01"},
        {"players": 2, "cards": ["Z01 W 0 O1 .#### ##### ##### ##### #####\nseed: x"]},
    ],
)
async def test_forms_that_cannot_be_read(house: House, form: object) -> None:
    assert await house.visitor().refused("/api/tables", form) == (400, "unreadable")


async def test_more_seats_than_the_game_has(house: House) -> None:
    assert await house.visitor().refused("/api/tables", {"players": 2, "seats": [{}] * 3}) == (422, "seats")


async def test_people_around_one_screen(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, seats=OWN)
    assert made["seats"] == [1, 2]
    screen = await ana.at(made["game"])
    await screen.play(*lines(idle(1)), *lines(idle(2)))
    assert [event["seat"] for event in screen.events()] == [1, 1, 1, 2, 2, 2]


async def test_colours_are_given_where_none_is_chosen(house: House) -> None:
    seats = [{"kind": "me", "colour": "coral"}, {"kind": "me"}, {"kind": "me", "colour": "own-colour"}]
    made = await house.visitor().make(players=4, seats=seats)
    colours = [seat["colour"] for seat in made["table"]["seats"]]
    assert colours[0] == "coral"
    assert colours[2] == "own-colour"
    assert len(set(colours)) == 4


async def test_public_tables_are_listed_while_they_have_an_open_seat(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    first = await ana.make(players=2, seats=[{"kind": "me"}], public=True)
    house.clock.advance(1)
    second = await ana.make(players=3, seats=[{"kind": "me"}], public=True)
    await ana.make(players=2, seats=[{"kind": "me"}])  # not public

    async def listed() -> list[str]:
        return [table["game"] for table in (await bo.get("/api/tables"))["tables"]]

    assert await listed() == [second["game"], first["game"]]
    assert (await bo.join(first["game"]))["seat"] == 2
    assert await listed() == [second["game"]]
    assert (await bo.join(second["game"], seat=3))["seat"] == 3
    assert await listed() == [second["game"]]
    assert await bo.refused(f"/api/tables/{second['game']}/join", {"seat": 3}) == (409, "seat-taken")
    await house.restart()
    assert [table["game"] for table in (await house.visitor().get("/api/tables"))["tables"]] == [second["game"]]


async def test_my_games_are_those_in_which_i_have_a_seat(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    first = await ana.make(players=2, seats=[{"kind": "me"}])
    house.clock.advance(1)
    second = await ana.make(players=2, seats=OWN)
    await bo.join(first["game"], invite=first["invites"]["2"])
    assert [table["game"] for table in (await ana.get("/api/mine"))["tables"]] == [second["game"], first["game"]]
    assert [table["game"] for table in (await bo.get("/api/mine"))["tables"]] == [first["game"]]
    assert await house.visitor().get("/api/mine") == {"tables": []}


async def test_whoever_made_a_table_need_not_play(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2)
    assert (made["seats"], set(made["invites"])) == ([], {"1", "2"})


async def test_a_chosen_seed_is_said_and_kept(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=1, seats=[{"kind": "me"}], seed="my own deck")
    assert made["table"]["open_deck"]
    assert "seed" not in made["table"]
    client = await ana.at(made["game"])
    await client.ask("resign", version=0)
    assert client.table["seed"] == "my own deck"


@pytest.mark.parametrize("seed", ["a #b", "#1"])
async def test_a_seed_that_a_record_could_not_hold_is_kept_or_refused(house: House, seed: str) -> None:
    """In a record `#` starts a comment."""
    ana = house.visitor()
    response = await ana.http.post("/api/tables", json={"players": 1, "seats": [{"kind": "me"}], "seed": seed})
    if response.status_code != 200:
        assert refusal(response)[0] in (400, 422)
        return
    client = await ana.at(response.json()["game"])
    await client.ask("resign", version=0)
    assert client.table["seed"] == seed


async def test_chat_is_off_unless_the_table_wants_it(house: House) -> None:
    ana, _ = await house.pair()
    assert (await ana.ask("chat", text="hello"))["code"] == "chat-off"
    ana, bo = await house.pair(chat=True)
    answer = await ana.ask("chat", text="  good \n luck ")
    assert (answer["type"], answer["version"]) == ("done", ana.start + 1)
    assert bo.texts() == ["1 say good luck"]
    await ana.play("gain O1")
    spectator = house.client()
    await spectator.watch(ana.game)
    assert (await spectator.ask("chat", text="boo"))["code"] == "no-seat"


# --- afterwards -------------------------------------------------------------------------------


async def ended(house: House, **form: object) -> tuple[Message, list[str]]:
    """A game of Ana, Bo and Cy that is over: its table, and the three keys."""
    people = await house.people(3, options={"max_rounds": "1"}, **form)
    for number, client in enumerate(people, 1):
        await client.play(*lines(idle(number)))
    for client in people:
        await client.play("done")
    assert people[0].table["status"] == "over"
    return people[0].table, [client.key or "" for client in people]


async def test_a_rematch_moves_the_seats_on_by_one(house: House) -> None:
    table, keys = await ended(house)
    people = [house.visitor(key) for key in keys]
    made = await people[0].post(f"/api/tables/{table['game']}/rematch")
    assert made["game"] != table["game"]
    assert made["seats"] == [3]
    assert made["table"]["setup"] == table["setup"]
    assert made["table"]["fair"] != table["fair"]
    again = [await person.post(f"/api/tables/{table['game']}/rematch") for person in people]
    assert {answer["game"] for answer in again} == {made["game"]}
    assert [answer["seats"] for answer in again] == [[3], [1], [2]]
    second = await people[1].at(made["game"])
    await second.play("gain O1")


async def test_everybody_at_the_table_hears_of_the_rematch(house: House) -> None:
    table, keys = await ended(house)
    bo = await house.visitor(keys[1]).at(table["game"])
    made = await house.visitor(keys[0]).post(f"/api/tables/{table['game']}/rematch")
    assert bo.table["rematch"] == made["game"]
    await house.restart()
    assert (await house.visitor().get(f"/api/tables/{table['game']}"))["rematch"] == made["game"]


async def test_two_who_ask_for_a_rematch_at_once_get_one_game(house: House) -> None:
    table, keys = await ended(house)
    people = [house.visitor(key) for key in keys]
    answers = await asyncio.gather(*(person.post(f"/api/tables/{table['game']}/rematch") for person in people))
    assert len({answer["game"] for answer in answers}) == 1
    assert len((await people[0].get("/api/mine"))["tables"]) == 2
    assert len(await house.games.store.all_games()) == 2


async def test_a_rematch_is_for_players_after_the_game(house: House) -> None:
    ana, bo = await house.pair()
    path = f"/api/tables/{ana.game}/rematch"
    assert await house.visitor(ana.key).refused(path) == (409, "not-over")
    await bo.ask("resign", version=0)
    assert await house.visitor().refused(path) == (403, "no-seat")
    assert await house.visitor("x" * 32).refused(path) == (403, "no-seat")


async def test_a_rematch_has_a_deck_that_nobody_chose(house: House) -> None:
    table, keys = await ended(house, seed="mine")
    assert table["open_deck"]
    made = await house.visitor(keys[0]).post(f"/api/tables/{table['game']}/rematch")
    assert not made["table"].get("open_deck")


async def test_a_rematch_begins_when_everybody_has_asked_for_it(house: House) -> None:
    table, keys = await ended(house, clock={"move": 60, "out": "resign"})
    path = f"/api/tables/{table['game']}/rematch"
    ana, bo, cy = [house.visitor(key) for key in keys]
    made = await ana.post(path)
    seats = made["table"]["seats"]
    assert made["table"]["status"] == "waiting"
    assert [seat["kind"] for seat in seats] == ["open", "open", "person"]
    assert [seat["name"] for seat in seats] == [table["seats"][n]["name"] for n in (1, 2, 0)]
    client = await ana.at(made["game"])
    house.clock.advance(3600)
    assert (await bo.post(path))["table"]["status"] == "waiting"
    assert (await bo.post(path))["seats"] == [1], "who asks twice sits once"
    house.clock.advance(3600)
    assert client.state["time"]["1"] == 60, "no clock runs yet"
    assert (await cy.post(path))["table"]["status"] == "playing"
    assert client.state["time"]["1"] == 60
    assert client.table["status"] == "playing"
    await house.restart()
    assert (await house.visitor().get(f"/api/tables/{made['game']}"))["status"] == "playing"


async def test_nobody_is_made_to_play_again(house: House) -> None:
    table, keys = await ended(house)
    made = await house.visitor(keys[0]).post(f"/api/tables/{table['game']}/rematch")
    assert [game["game"] for game in (await house.visitor(keys[1]).get("/api/mine"))["tables"]] == [table["game"]]
    invited = house.visitor()
    given = await house.visitor(keys[0]).post(f"/api/tables/{made['game']}/invite", {"seat": 1})
    await invited.join(made["game"], invite=given["invite"])
    assert (await house.visitor(keys[1]).post(f"/api/tables/{table['game']}/rematch"))["seats"] == []


async def test_every_device_comes_along_to_the_rematch(house: House) -> None:
    ana, bo = await house.pair()
    phone = house.visitor()
    given = await house.visitor(ana.key).post(f"/api/tables/{ana.game}/invite", {"seat": 1})
    await phone.join(ana.game, invite=given["invite"])
    await bo.ask("resign", version=ana.version)
    await house.visitor(bo.key).post(f"/api/tables/{ana.game}/rematch")
    made = await phone.post(f"/api/tables/{ana.game}/rematch")
    assert made["seats"] == [2]
    assert (await house.visitor(ana.key).post(f"/api/tables/{ana.game}/rematch"))["seats"] == [2]


async def test_alone_with_bots_a_rematch_begins_at_once(house: House) -> None:
    visitor = house.visitor()
    made = await visitor.make(players=2, seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    client = await visitor.at(made["game"])
    await client.ask("resign", version=0)
    again = await visitor.post(f"/api/tables/{made['game']}/rematch")
    assert again["table"]["status"] == "playing"


# --- resigning --------------------------------------------------------------------------------


async def test_the_last_one_left_has_won(house: House) -> None:
    ana, bo = await house.pair()
    assert (await ana.ask("resign", version=0))["type"] == "done"
    assert bo.table["status"] == "over"
    assert bo.table["winners"] == [2]
    assert (await bo.act("gain O1"))["code"] == "over"


async def test_among_three_a_bot_plays_on_for_who_resigned(house: House) -> None:
    ana, bo, cy = await house.people(3)
    await ana.ask("resign", version=0)
    assert bo.table["seats"][0] | {"online": True} == {
        "seat": 1, "kind": "bot", "name": "", "colour": "teal", "bot": "greedy", "online": True, "resigned": True
    }  # fmt: skip
    await bo.turn(2)
    assert (await ana.act("gain O1"))["code"] == "bot-seat"
    assert (await ana.ask("resign", version=0))["code"] == "resigned"
    await bo.play("gain O1")
    await cy.ask("resign", version=0)
    assert bo.table["winners"] == [2]


async def test_alone_the_mastermind_wins(house: House) -> None:
    ana = house.visitor()
    client = await ana.at((await ana.make(players=1, seats=[{"kind": "me"}]))["game"])
    await client.ask("resign", version=0)
    assert client.table["winners"] == [2]


# --- a record as a beginning ------------------------------------------------------------------


async def test_a_table_goes_on_where_a_record_ends(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(record="players: 2\nnames: Ana | Bo\nwhite: W09\n\n1 take W1\n1 gain O1\n")
    assert [seat["name"] for seat in made["table"]["seats"]] == ["Ana", "Bo"]
    assert made["table"]["open_deck"]
    client = await ana.at(made["game"])
    assert client.texts() == ["1 take W1", "1 gain O1"]
    assert client.state["view"]["players"][0]["puzzles"][0]["card"] == "W09"
    await client.play("gain O1")
    assert client.state["view"]["to_act"] == [2]


async def test_a_record_that_cannot_be_read(house: House) -> None:
    ana = house.visitor()
    assert await ana.refused("/api/import", {"record": "players: 9"}) == (422, "players")
    assert await ana.refused("/api/import", {"record": "players: 2\n2 gain O1"}) == (409, "seat")
    assert await ana.refused("/api/import", {"record": "x" * (MOST_RECORD + 1)}) == (400, "unreadable")


async def test_a_table_from_a_record_of_a_finished_game_is_over(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(record=f"players: 1\noptions: max_rounds=1\n\n{idle(1).replace('|', chr(10))}\n1 done\n")
    assert made["table"]["status"] == "over"
