"""Seats and secrets: who may sit where, what a key opens, what the store keeps of it."""

import re
import sqlite3
from contextlib import closing

import pytest

from projectl.server.http.cookies import COOKIE
from projectl.server.secret import KEY, hashed
from tests.server.harness import SITE, Client, House, Message

WRONG = "x" * 32


def everything_stored(house: House) -> str:
    """Every value of every row of the store, as text."""
    with closing(sqlite3.connect(house.path)) as store:
        tables = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return "\n".join(str(row) for name in tables for row in store.execute(f"SELECT * FROM {name}"))


# --- keys -------------------------------------------------------------------------------------


async def test_a_browser_gets_its_key_in_a_cookie_that_scripts_cannot_read(house: House) -> None:
    ana = house.visitor()
    response = await ana.http.post("/api/tables", json={"players": 2, "seats": [{"kind": "me"}]})
    found = response.headers["set-cookie"]
    name, _, flags = found.partition("; ")
    assert name.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(flags.split("; "))
    assert "Domain" not in found
    assert ana.key is not None
    assert ana.key not in response.text


async def test_over_https_the_cookie_stays_there(house: House) -> None:
    form = {"players": 2, "seats": [{"kind": "me"}]}
    response = await house.visitor().http.post(SITE.replace("http:", "https:") + "/api/tables", json=form)
    assert "; Secure" in response.headers["set-cookie"]


async def test_keys_have_at_least_128_random_bits(house: House) -> None:
    ana = house.visitor()
    keys = set[str]()
    for _ in range(20):
        made = await house.visitor().make(players=3, seats=[{"kind": "me"}])
        keys |= set(made["invites"].values())
        joined = await ana.join(made["game"], invite=made["invites"]["2"], token=True)
        keys.add(joined["token"])
    assert len(keys) == 60
    assert all(
        re.fullmatch(r"[A-Za-z0-9_-]{32}(?:[A-Za-z0-9_-]{16})?", key) for key in keys
    )  # 32 of 64 signs: 192 bits
    assert {sign for key in keys for sign in key} > set("AZaz09_-")


async def test_a_key_is_kept_from_one_table_to_the_next(house: House) -> None:
    ana = house.visitor()
    await ana.make(players=2, seats=[{"kind": "me"}])
    first = ana.key
    await ana.make(players=2, seats=[{"kind": "me"}])
    assert ana.key == first


async def test_the_store_keeps_hashes_alone(house: House) -> None:
    ana, bo, cy = house.visitor(), house.visitor(), house.visitor()
    made = await ana.make(players=4, seats=[{"kind": "me"}])
    await bo.join(made["game"], invite=made["invites"]["2"])
    token = (await cy.join(made["game"], invite=made["invites"]["3"], token=True))["token"]
    fresh = (await ana.post(f"/api/tables/{made['game']}/invite", {"seat": 4}))["invite"]
    stored = everything_stored(house)
    for secret in (ana.key, bo.key, token, fresh, *made["invites"].values()):
        assert secret is not None
        assert secret not in stored
        assert hashed(secret) in stored


@pytest.mark.parametrize("key", ["short", "x" * 65, "x" * 31 + "\u00e9", "x" * 31 + ";", ""])
async def test_what_is_no_key_opens_nothing(house: House, key: str) -> None:
    ana, _ = await house.pair()
    assert not KEY.fullmatch(key)
    stranger = house.visitor()
    stranger.http.headers["cookie"] = f"{COOKIE}={key}".encode("latin-1").decode("latin-1")
    state = await stranger.get(f"/api/tables/{ana.game}/state")
    assert (state["seats"], state["viewer"]) == ([], 0)


# --- invitations ------------------------------------------------------------------------------


async def test_an_invitation_works_once(house: House) -> None:
    ana, bo, eve = house.visitor(), house.visitor(), house.visitor()
    made = await ana.make(players=3, seats=[{"kind": "me"}])
    join = f"/api/tables/{made['game']}/join"
    assert (await bo.join(made["game"], invite=made["invites"]["2"]))["seat"] == 2
    assert await eve.refused(join, {"invite": made["invites"]["2"]}) == (403, "invite-used")
    assert await bo.refused(join, {"invite": made["invites"]["2"]}) == (403, "invite-used")


async def test_an_invitation_is_for_its_table(house: House) -> None:
    ana, eve = house.visitor(), house.visitor()
    one = await ana.make(players=2, seats=[{"kind": "me"}])
    other = await ana.make(players=2, seats=[{"kind": "me"}])
    join = f"/api/tables/{one['game']}/join"
    assert await eve.refused(join, {"invite": other["invites"]["2"]}) == (403, "invite")
    assert await eve.refused(join, {"invite": WRONG}) == (403, "invite")
    assert await eve.refused(join, {"invite": ""}) == (403, "invite")
    assert await eve.refused(join, {}) == (403, "invite-needed")
    assert await eve.refused(join, {"seat": 2}) == (403, "invite-needed")
    assert eve.key is None


async def test_a_seat_that_is_taken_cannot_be_taken_by_an_older_invitation(house: House) -> None:
    """Whoever made the table may have several invitations to a seat, or none was needed: one person sits down."""
    ana, bo, eve = house.visitor(), house.visitor(), house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}], public=True)
    join = f"/api/tables/{made['game']}/join"
    second = (await ana.post(f"/api/tables/{made['game']}/invite", {"seat": 2}))["invite"]
    await bo.join(made["game"], seat=2)
    assert await ana.refused(join, {"invite": made["invites"]["2"]}) == (403, "invite-used")
    assert await eve.refused(join, {"invite": second}) == (403, "invite-used")
    assert (await ana.at(made["game"])).state["seats"] == [1]


async def test_who_invites(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    made = await ana.make(players=3, seats=[{"kind": "me"}])
    path = f"/api/tables/{made['game']}/invite"
    await bo.join(made["game"], invite=made["invites"]["2"])
    fresh = (await ana.post(path, {"seat": 3}))["invite"]
    assert await bo.refused(path, {"seat": 3}) == (403, "not-maker")  # did not make the table
    assert await ana.refused(path, {"seat": 2}) == (403, "not-maker")  # taken by another
    assert await ana.refused(path, {"seat": 4}) == (403, "not-maker")  # not there
    assert await house.visitor().refused(path, {"seat": 3}) == (403, "not-maker")
    assert (await house.visitor().join(made["game"], invite=fresh))["seat"] == 3


async def test_another_device_of_ones_own(house: House) -> None:
    ana, _ = await house.pair(seats=[{"kind": "me", "name": "Ana"}])
    laptop, phone = house.visitor(ana.key), house.visitor()
    link = (await laptop.post(f"/api/tables/{ana.game}/invite", {"seat": 1}))["invite"]
    await phone.join(ana.game, invite=link, name="Mallory")
    there = await phone.at(ana.game)
    assert there.state["seats"] == [1]
    assert there.key != ana.key
    assert there.table["seats"][0]["name"] == "Ana"
    await there.play("gain O1")
    await ana.play("gain O1")
    assert ana.version == there.version == ana.start + 2


async def test_a_browser_with_a_seat_may_take_another(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}])
    await ana.join(made["game"], invite=made["invites"]["2"])
    assert (await ana.at(made["game"])).state["seats"] == [1, 2]


# --- tokens -----------------------------------------------------------------------------------


async def test_a_program_gets_a_token_instead_of_a_cookie(house: House) -> None:
    made = await house.visitor().make(players=2, seats=[{"kind": "me"}])
    program = house.visitor()
    joined = await program.join(made["game"], invite=made["invites"]["2"], token=True)
    assert joined["seat"] == 2
    assert program.key is None
    bearer = {"Authorization": f"Bearer {joined['token']}"}
    assert (await program.get(f"/api/tables/{made['game']}/state", headers=bearer))["seats"] == [2]
    assert (await program.get(f"/api/tables/{made['game']}/state"))["seats"] == []
    assert (await program.get("/api/mine", headers=bearer))["tables"][0]["game"] == made["game"]


async def test_a_token_plays_over_plain_http(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, hints=True, seats=[{"kind": "open"}, {"kind": "me"}])
    program = house.visitor()
    token = (await program.join(made["game"], invite=made["invites"]["1"], token=True))["token"]
    program.http.headers["authorization"] = f"Bearer {token}"
    at = f"/api/tables/{made['game']}"
    start = (await program.get(f"{at}/state"))["version"]
    gain = {"id": "a", "version": start, "action": "gain O1"}
    done = {"type": "done", "game": made["game"], "id": "a", "version": start + 1}
    assert await program.post(f"{at}/actions", gain) == done
    assert await program.post(f"{at}/actions", gain) == done  # asked again
    assert await program.refused(f"{at}/actions", {**gain, "id": "b", "seat": 2}) == (403, "not-your-seat")
    tried = await program.post(f"{at}/try", {"action": "take W5"})
    assert (tried["legal"], tried["code"]) == (False, "slot")
    assert (await program.post(f"{at}/undo", {"id": "c", "version": start + 1}))["version"] == start + 2
    assert (await program.post(f"{at}/hint", {}))["actions"]
    undone, advised = (await program.get(f"{at}/state", params={"since": start + 1}))["events"]
    assert undone["event"] == {"type": "undone", "seat": 1, "to": 0}
    assert advised["event"] == {"type": "advised", "seat": 1}
    assert (await program.post(f"{at}/resign", {"id": "d"}))["version"] == start + 4
    assert (await ana.get(at))["winners"] == [2]


async def test_a_wrong_token_is_a_spectators(house: House) -> None:
    ana, _ = await house.pair()
    stranger = house.visitor(ana.key)
    stranger.http.headers["authorization"] = f"Bearer {WRONG}"  # goes before the cookie
    at = f"/api/tables/{ana.game}"
    assert (await stranger.get(f"{at}/state"))["seats"] == []
    assert await stranger.refused(f"{at}/actions", {"id": "a", "version": 0, "action": "gain O1"}) == (403, "no-seat")


# --- what a seat may do -----------------------------------------------------------------------


REQUESTS: list[tuple[str, Message]] = [
    ("act", {"version": 0, "action": "gain O1"}),
    ("undo", {"version": 0}),
    ("resign", {"version": 0}),
    ("try", {"action": "gain O1"}),
    ("hint", {}),
]


async def answer(client: Client, kind: str, message: Message) -> Message:
    """The answer to a message; a hint's comes when it has been thought about."""
    await client.say(kind, game=client.game, id="once", **message)
    return await client.until(lambda said: said.get("id") == "once")


@pytest.mark.parametrize(("kind", "message"), REQUESTS)
async def test_a_spectator_only_watches(house: House, kind: str, message: Message) -> None:
    ana, _ = await house.pair()
    for key in (None, WRONG):
        eve = house.client(key)
        state = await eve.watch(ana.game)
        assert (state["seats"], state["viewer"]) == ([], 0)
        assert not {"legal", "undo"} & set(state)
        assert (await answer(eve, kind, message))["code"] == "no-seat"
    assert ana.version == ana.start


@pytest.mark.parametrize(("kind", "message"), REQUESTS)
async def test_nobody_acts_for_another_seat(house: House, kind: str, message: Message) -> None:
    _, bo = await house.pair()
    assert (await answer(bo, kind, {**message, "seat": 1}))["code"] == "not-your-seat"


async def test_a_spectator_sees_what_a_spectator_at_the_table_sees(house: House) -> None:
    """The piles of 2023 are face down: only their owner sees into them."""
    card = "card: Z01 W 1 O1 .#### ##### ##### ##### #####"
    ana, bo = await house.pair(record=f"players: 2\n{card}\nwhite: Z01\n\n1 take W1\n1 place 1:a1\n")
    eve = house.client()
    await eve.watch(ana.game)
    piles = [client.state["view"]["players"][0]["completed"] for client in (ana, bo, eve)]
    assert piles == [["Z01"], None, None]
    assert eve.state["view"]["players"][0]["points"] is None
    assert eve.state["view"]["players"][0]["completed_count"] == 1
    assert ana.state["view"]["players"][0]["points"] == 1


async def test_who_is_there(house: House) -> None:
    ana, bo = await house.pair()
    assert [seat.get("online", False) for seat in ana.table["seats"]] == [True, True]
    again = house.client(bo.key)
    await again.watch(ana.game)
    bo.connection.gone()
    assert [seat.get("online", False) for seat in ana.table["seats"]] == [True, True]
    await again.say("leave", game=ana.game)
    assert [seat.get("online", False) for seat in ana.table["seats"]] == [True, False]
    before = len(ana.heard)
    await house.client().watch(ana.game)  # nobody hears of spectators
    assert len(ana.heard) == before
