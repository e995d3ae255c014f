"""Fair decks: a promise at the start, its proof at the end, and a command that checks it."""

import hashlib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from projectl import replay
from projectl.cli import app
from tests.server.harness import Client, House, refusal, until
from tests.server.test_protocol import turn


def verified(record: str, folder: Path) -> tuple[int, str]:
    """What `projectl verify` says of a record."""
    file = folder / "game.pln"
    file.write_text(record, encoding="utf-8")
    found = CliRunner().invoke(app, ["verify", str(file)])
    if found.exception and not isinstance(found.exception, SystemExit):
        return 2, str(found.exception)
    return found.exit_code, found.output


async def record_of(house: House, game: str) -> str:
    """The record of a game that is over."""
    response = await house.visitor().http.get(f"/api/tables/{game}/record")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    return response.text


async def finished(house: House, **form: object) -> Client:
    """A short game of two that was played to its end."""
    ana, bo = await house.pair(options={"max_rounds": "1"}, **form)
    await ana.play("take W1", "gain O1", "gain O1")
    await bo.play(*turn(2))
    await ana.play("done")
    await bo.play("done")
    return ana


async def test_the_promise_is_there_before_the_first_card_is_taken(house: House) -> None:
    ana, bo = await house.pair()
    eve = house.client()
    await eve.watch(ana.game)
    promise = ana.table["fair"]
    assert len(promise) == 64
    for client in (ana, bo, eve):
        assert client.table["fair"] == promise
        assert not {"seed", "salt"} & set(client.table)
    room = (await house.live(ana.game)).room
    assert len(room.header.seed or "") == 48  # 192 bits
    assert len(room.salt) == 32  # 192 bits
    assert promise == hashlib.sha256(f"projectl/1/fair/{room.salt}/{room.header.seed}".encode()).hexdigest()


async def test_seed_and_salt_are_shown_when_the_game_is_over(house: House) -> None:
    ana = await finished(house)
    table = ana.table
    found = hashlib.sha256(f"projectl/1/fair/{table['salt']}/{table['seed']}".encode()).hexdigest()
    assert found == table["fair"]
    promised = [state["table"]["fair"] for state in ana.messages("state") if "table" in state]
    assert set(promised) == {found}


async def test_no_record_before_the_end(house: House) -> None:
    ana, _ = await house.pair()
    await ana.play("gain O1")
    for visitor in (house.visitor(), house.visitor(ana.key)):
        assert refusal(await visitor.http.get(f"/api/tables/{ana.game}/record")) == (409, "record-later")


async def test_the_record_holds_the_promise_and_its_proof(house: House, tmp_path: Path) -> None:
    ana = await finished(house, seats=[{"kind": "me", "name": "Ana"}])
    record = await record_of(house, ana.game)
    rows = record.splitlines()
    assert f"# fair: {ana.table['fair']}" in rows
    assert f"# salt: {ana.table['salt']}" in rows
    assert f"seed: {ana.table['seed']}" in rows
    assert "names: Ana | Seat 2" in rows
    assert replay(record).moves[0].line() == "1 take W1"
    code, said = verified(record, tmp_path)
    assert (code, "promised" in said) == (0, True)


async def test_a_resigned_game_has_a_record_too(house: House, tmp_path: Path) -> None:
    ana, bo = await house.pair()
    await ana.play("take W1")
    assert ana.state["view"]["players"][1]["points"] is None
    await bo.ask("resign", version=1)
    record = await record_of(house, ana.game)
    assert "# seat 2 resigned" in record.splitlines()
    # Nothing is hidden any more: both see both piles.
    for player in (ana, bo):
        assert [seat["points"] for seat in player.state["view"]["players"]] == [0, 0]
    assert verified(record, tmp_path)[0] == 0


@pytest.mark.parametrize(
    "name", ["A|B", "#1", "Bo #2", "| # |", "seed: x", "\u00e4\u4e16\U0001f9e9", "a\u2028b", "1 take W1", ""]
)
async def test_any_name_leaves_the_record_readable(house: House, tmp_path: Path, name: str) -> None:
    ana = await finished(house, seats=[{"kind": "me", "name": name}, {"kind": "open", "name": name}])
    record = await record_of(house, ana.game)
    game = replay(record)
    assert len(game.header.names) == 2
    assert game.header.seed == ana.table["seed"]
    assert verified(record, tmp_path)[0] == 0


async def test_a_changed_record_is_found_out(house: House, tmp_path: Path) -> None:
    ana = await finished(house)
    record = await record_of(house, ana.game)
    seed, salt = ana.table["seed"], ana.table["salt"]
    for changed in (
        record.replace(seed, "0" * 48),
        record.replace(salt, "0" * 32),
        record.replace("1 take W1", "1 take W9"),
        record.replace("# salt", "# sugar"),
        record.replace(f"seed: {seed}\n", ""),
    ):
        assert changed != record
        assert verified(changed, tmp_path)[0] == 2


async def test_a_deck_arranged_beside_the_seed_is_found_out(house: House, tmp_path: Path) -> None:
    """A server that names the cards could promise any seed."""
    ana = await finished(house)
    record = await record_of(house, ana.game)
    taken = next(event for event in ana.messages("state")[1]["events"])["facts"]["card"]
    arranged = record.replace("seed: ", f"white: {taken}\nseed: ")
    code, said = verified(arranged, tmp_path)
    assert code == 2
    assert "names cards" in said


async def mixed_pair(house: House) -> tuple[Client, Client]:
    """Ana sees the promise and puts a word in; Bo sees it too and brings one along."""
    ana, bo = house.visitor(), house.visitor()
    made = await ana.make(players=2, options={"max_rounds": "1"}, seats=[{"kind": "me"}, {"kind": "open"}])
    watching = await ana.at(made["game"])
    assert (await watching.ask("mix", luck="  seven   dice | # "))["type"] == "done"
    await bo.join(made["game"], invite=made["invites"]["2"], luck="Bo's own")
    return watching, await bo.at(made["game"])


async def play_out(ana: Client, bo: Client) -> None:
    """One round."""
    await ana.play("take W1", "gain O1", "gain O1")
    await bo.play(*turn(3))
    await ana.play("done")
    await bo.play("done")


async def test_before_the_cards_are_dealt_nobody_sees_one(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, modules=["finesse"], seats=[{"kind": "me"}, {"kind": "open"}])
    client = await ana.at(made["game"])
    seen = client.state["view"]
    assert client.table["dealt"] is False
    assert {card for row in seen["rows"].values() for card in row} == {None}
    assert set(seen["finesse"]["tiles"]) == {None}
    room = (await house.live(made["game"])).room
    assert room.header.deal().row != room.state.row, "nor does the position hold them"
    for path in ("steps", "known"):
        assert refusal(await ana.http.get(f"/api/tables/{made['game']}/{path}")) == (409, "waiting")
    await house.visitor().join(made["game"], invite=made["invites"]["2"])
    seen = client.state["view"]
    assert "dealt" not in client.table
    assert all(None not in row for row in seen["rows"].values())


async def test_what_players_put_into_the_shuffle_decides_the_deck(house: House, tmp_path: Path) -> None:
    ana, bo = await mixed_pair(house)
    assert ana.table["luck"] == {"1": "seven dice / ♯", "2": "Bo's own"}
    promise = ana.messages("state")[0]["table"]["fair"]
    room = (await house.live(ana.game)).room
    lines = f"projectl/1/deal/{room.promised}\n1 seven dice / ♯\n2 Bo's own"
    assert room.header.seed == hashlib.sha256(lines.encode()).hexdigest()
    assert ana.table["fair"] == promise
    before = ana.state["view"]["rows"]
    await house.restart()
    ana, bo = await house.visitor(ana.key).at(ana.game), await house.visitor(bo.key).at(ana.game)
    assert ana.state["view"]["rows"] == before
    await play_out(ana, bo)
    table = ana.table
    assert hashlib.sha256(f"projectl/1/fair/{table['salt']}/{table['promised']}".encode()).hexdigest() == promise
    record = await record_of(house, ana.game)
    code, said = verified(record, tmp_path)
    assert code == 0, said
    assert "Seat 2 put into the shuffle: Bo's own" in said
    assert replay(record).header.seed == table["seed"] == room.header.seed


async def test_nobody_begins_a_game_without_a_word_in_the_shuffle_if_they_want_one(house: House) -> None:
    """Whoever sits down last begins the game, so they bring it along, also to anybody's game and to another one."""
    ana, bo = house.visitor(), house.visitor()
    found = await ana.post("/api/pair", {"luck": "before there was a promise"})
    waits = await ana.at(found["game"])
    assert not waits.table.get("luck")
    promise = waits.table["fair"]
    assert (await bo.post("/api/pair", {"luck": "Bo's own"}))["table"]["status"] == "playing"
    assert (waits.table["luck"], waits.table["fair"]) == ({"2": "Bo's own"}, promise)
    await waits.ask("resign", version=waits.version)
    path = f"/api/tables/{found['game']}/rematch"
    again = (await ana.post(path))["game"]
    await bo.post(path, {"luck": "and again"})
    assert (await ana.get(f"/api/tables/{again}"))["luck"] == {"1": "and again"}


async def test_a_word_left_out_or_changed_is_found_out(house: House, tmp_path: Path) -> None:
    ana, bo = await mixed_pair(house)
    await play_out(ana, bo)
    record = await record_of(house, ana.game)
    table = ana.table
    for changed in (
        record.replace("# luck 2: Bo's own\n", ""),
        record.replace("Bo's own", "Bo's"),
        record.replace(f"# promised: {table['promised']}\n", ""),
        record.replace(table["promised"], table["seed"]),
    ):
        assert changed != record
        assert verified(changed, tmp_path)[0] == 2


async def test_the_shuffle_takes_one_word_a_seat_and_none_once_the_cards_lie(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    client, eve = await ana.at(made["game"]), await house.visitor().at(made["game"])
    assert (await eve.ask("mix", luck="mine"))["code"] == "no-seat"
    assert (await client.ask("mix", luck="\u0080"))["code"] == "luck"
    assert (await client.ask("mix", luck="mine"))["type"] == "done"
    assert (await client.ask("mix", luck="more"))["code"] == "mixed"
    await house.visitor().join(made["game"], invite=made["invites"]["2"], luck=" \u0085 ")
    assert client.table["luck"] == {"1": "mine"}
    assert (await client.ask("mix", luck="late"))["code"] == "dealt"


async def test_who_knows_the_deck_shuffles_nothing(house: House) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, seed="known", seats=[{"kind": "me"}, {"kind": "open"}])
    client = await ana.at(made["game"])
    assert (await client.ask("mix", luck="mine"))["code"] == "dealt"
    await house.visitor().join(made["game"], invite=made["invites"]["2"], luck="mine")
    assert not client.table.get("luck")
    assert (await house.live(made["game"])).room.header.seed == "known"


async def test_a_table_that_nobody_came_to_keeps_its_promise_too(house: House, tmp_path: Path) -> None:
    ana = house.visitor()
    made = await ana.make(players=2, seats=[{"kind": "me"}, {"kind": "open"}])
    client = await ana.at(made["game"])
    await client.ask("mix", luck="alone")
    house.clock.advance(31 * 86400)
    await until(lambda: client.table["status"] == "over")
    assert verified(await record_of(house, made["game"]), tmp_path)[0] == 0


async def test_every_deck_is_another(house: House) -> None:
    visitor = house.visitor()
    made = [await visitor.make(players=2, seats=[{"kind": "me"}] * 2) for _ in range(12)]
    assert len({table["table"]["fair"] for table in made}) == 12
    rows = {str((await visitor.get(f"/api/tables/{table['game']}/state"))["view"]["rows"]) for table in made}
    assert len(rows) == 12


async def test_the_game_is_the_one_that_the_seed_deals(house: House) -> None:
    """Anybody can deal it again from the record alone."""
    ana = await finished(house)
    record = await record_of(house, ana.game)
    first = replay(record.split("\n\n")[0] + "\n")
    start = ana.messages("state")[0]["view"]
    assert start["rows"]["W"] == [first.state.cards.cards[int(card)].id for card in first.state.row[:4]]


async def test_somebody_alone_with_bots_has_a_word_in_the_shuffle_after_the_promise(
    house: House, tmp_path: Path
) -> None:
    """The cards are dealt when they have, also after a restart and in the next game."""
    ana = house.visitor()
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    made = await ana.make(players=2, seats=seats, mix=True, options={"max_rounds": "1"})
    game = made["game"]
    assert (made["table"]["status"], made["table"]["dealt"]) == ("waiting", False)
    promise = made["table"]["fair"]
    await house.restart()
    client = await house.visitor(ana.key).at(game)
    refused = await client.ask("act", version=0, action="gain O1", seat=1)
    assert (refused["code"], "shuffle" in refused["sentence"]) == ("waiting", True)
    assert (await client.ask("mix", luck="mine", seat=1))["type"] == "done"
    await until(lambda: client.table["status"] == "playing")
    room = (await house.live(game)).room
    assert room.header.seed == hashlib.sha256(f"projectl/1/deal/{room.promised}\n1 mine".encode()).hexdigest()
    await client.ask("resign", version=client.version, seat=1)
    await until(lambda: client.table["status"] == "over")
    assert client.table["fair"] == promise
    assert verified(await record_of(house, game), tmp_path)[0] == 0
    again = await house.visitor(ana.key).post(f"/api/tables/{game}/rematch", {})
    assert (again["table"]["status"], again["table"]["dealt"]) == ("waiting", False)


async def test_who_sits_nowhere_and_a_deck_that_is_known_are_not_waited_for(house: House) -> None:
    visitor = house.visitor()
    bots = [{"kind": "bot", "bot": "random"}] * 2
    assert await visitor.refused("/api/tables", {"players": 2, "seats": bots, "mix": True}) == (422, "no-seat")
    known = await visitor.make(players=1, seats=[{"kind": "me"}], mix=True, seed="known")
    assert known["table"]["status"] == "playing"


async def test_with_open_seats_the_last_to_come_begins_the_game_unless_the_shuffle_waits(house: House) -> None:
    ana, bo = house.visitor(), house.visitor()
    for mixed, begun in ((False, "waiting"), (True, "playing")):
        made = await ana.make(players=2, seats=[{"kind": "me"}], mix=True, public=True)
        if mixed:
            client = await ana.at(made["game"])
            await client.ask("mix", luck="early", seat=1)
        await bo.join(made["game"], seat=2)
        assert (await bo.get(f"/api/tables/{made['game']}"))["status"] == begun
