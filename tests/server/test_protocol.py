"""The protocol: versions, nothing twice, refusals with a fresh view, what may be tried."""

import asyncio
import json
from typing import Any

import msgspec
import pytest

from projectl import view
from projectl.server.http.connection import MOST_GAMES
from projectl.server.http.messages import MOST_BYTES, schema
from tests.server.harness import Client, House, Message, short
from tests.server.test_tables import lines
from tests.table import idle

SMALL = "card: Z01 W 1 O1 .#### ##### ##### ##### #####"


def turn(seat: int) -> list[str]:
    """A whole turn that turns no card up."""
    return lines(idle(seat))


# --- versions ---------------------------------------------------------------------------------


async def test_every_accepted_action_gets_the_next_version(house: House) -> None:
    ana, bo = await house.pair()
    start = ana.version
    answers = [await ana.act(action) for action in turn(1)]
    assert {answer["type"] for answer in answers} == {"done"}
    assert [answer["version"] for answer in answers] == [start + 1, start + 2, start + 3]
    assert (await bo.act("gain O1"))["version"] == start + 4
    heard = [event["version"] for state in bo.messages("state") for event in state["events"]]
    assert heard == list(range(1, start + 5))


async def test_a_state_follows_every_event_for_everybody(house: House) -> None:
    ana, bo = await house.pair(record="players: 2")
    eve = house.client()
    await eve.watch(ana.game)
    await ana.play("take W1")
    for client in (ana, bo, eve):
        assert client.version == ana.start + 1
        (happened,) = client.state["events"]
        assert happened == {
            "version": client.version,
            "at": house.clock.now(),
            "event": {"type": "played", "seat": 1, "action": "take W1"},
            "facts": {"card": "W01", "turned": ["W05"]},
        }
    assert ana.state["legal"]["1"]
    assert not {"legal"} & (set(bo.state) | set(eve.state))


async def test_a_refusal_takes_no_version(house: House) -> None:
    ana, _ = await house.pair()
    assert (await ana.act("take W9"))["type"] == "refused"
    assert (await ana.act("gain O1"))["version"] == ana.start + 1


async def test_what_was_missed_and_nothing_else(house: House) -> None:
    ana, bo = await house.pair()
    await ana.play(*turn(1))
    for since in range(6):
        back = house.client(bo.key)
        state = await back.watch(ana.game, since)
        assert [event["version"] for event in state["events"]] == list(range(since + 1, 6))
        assert state["version"] == ana.version == 5
        assert state["view"] == bo.state["view"]
        await bo.say("ping", id="p")
    assert (await house.client(bo.key).watch(ana.game, 99))["events"] == []


async def test_what_was_missed_while_the_server_was_down(house: House) -> None:
    ana, bo = await house.pair()
    await ana.play(*turn(1))
    game, key, before = ana.game, bo.key, bo.state
    await house.restart()
    back = house.client(key)
    state = await back.watch(game, before["version"] - 1)
    assert [short(happened["event"]) for happened in state["events"]] == [f"1 {turn(1)[2]}"]
    assert (state["view"], state["legal"]) == (before["view"], before["legal"])
    await back.play("gain O1")


async def test_coming_back_on_the_same_connection(house: House) -> None:
    ana, bo = await house.pair()
    await ana.play("gain O1")
    assert [e["version"] for e in (await bo.watch(ana.game, bo.start))["events"]] == [bo.start + 1]
    before = len(bo.heard)
    await ana.play("gain O1")
    assert len(bo.heard) == before + 1  # one follower, not two


async def test_after_leave_nothing_comes(house: House) -> None:
    ana, bo = await house.pair()
    await bo.say("leave", game=ana.game)
    before = len(bo.heard)
    await ana.play("gain O1")
    assert len(bo.heard) == before
    assert await bo.say("leave", game="no-such-game") == []


async def test_legal_actions_only_for_those_who_want_them(house: House) -> None:
    ana, _ = await house.pair()
    quiet = house.client(ana.key)
    assert "legal" not in await quiet.watch(ana.game, legal=False)
    await quiet.play("gain O1")
    assert "legal" not in quiet.state
    assert ana.state["legal"]["1"]


async def test_what_is_legal_is_accepted_in_any_spelling(house: House) -> None:
    ana, bo = await house.pair(record=f"players: 2\n{SMALL}\nwhite: W09\n\n1 take W1\n")
    await ana.play("  gain   O1 ")
    assert bo.texts()[-1] == "1 gain O1"  # canonical
    recess = ana.state["view"]["players"][0]["puzzles"][0]["empty"]
    await ana.play(f"place 1:{recess[0]}")


# --- nothing twice ----------------------------------------------------------------------------


async def test_a_repeated_message_is_answered_again_not_done_again(house: House) -> None:
    ana, bo = await house.pair()
    message: Message = {"game": ana.game, "id": "x", "version": 0, "action": "gain O1"}
    first = await ana.say("act", **message)
    second = await ana.say("act", **message)
    assert first[-1] == second[-1] == {"type": "done", "game": ana.game, "id": "x", "version": ana.start + 1}
    assert [m["type"] for m in second] == ["done"]
    elsewhere = house.client(ana.key)
    assert (await elsewhere.say("act", **message))[-1] == first[-1]
    assert bo.texts() == ["1 gain O1"]


async def test_a_repeated_message_is_known_after_a_restart(house: House) -> None:
    ana, _ = await house.pair(chat=True)
    message: Message = {"game": ana.game, "id": "x", "version": 0, "action": "gain O1"}
    await ana.say("act", **message)
    undo: Message = {"game": ana.game, "id": "y", "version": ana.version}
    await ana.say("undo", **undo)
    key, start = ana.key, ana.start
    await house.restart()
    again = house.client(key)
    assert (await again.say("act", **message))[-1]["version"] == start + 1
    assert (await again.say("undo", **undo))[-1]["version"] == start + 2
    assert (await house.live(message["game"])).room.version == start + 2


async def test_a_refused_message_may_be_sent_again(house: House) -> None:
    ana, bo = await house.pair()
    message: Message = {"game": bo.game, "id": "x", "version": 0, "action": "gain O1"}
    assert (await bo.say("act", **message))[0]["code"] == "seat"
    await ana.play(*turn(1))
    assert (await bo.say("act", **{**message, "version": bo.version}))[-1]["type"] == "done"


async def test_two_seats_may_use_the_same_id(house: House) -> None:
    ana, bo = await house.pair()
    for number, action in enumerate(turn(1)):
        await ana.act(action, id=f"x{number}")
    assert (await bo.act("gain O1", id="x0"))["version"] == bo.start + 4


async def test_the_same_message_many_times_at_once(house: House) -> None:
    ana, bo = await house.pair()
    devices = [house.client(ana.key) for _ in range(8)]
    message: Message = {"game": ana.game, "id": "x", "version": 0, "action": "gain O1"}
    answers = await asyncio.gather(*(device.say("act", **message) for device in devices))
    assert {answer[-1]["version"] for answer in answers} == {ana.start + 1}
    assert bo.texts() == ["1 gain O1"]


# --- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("take W9", "slot"),
        ("fly", "verb"),
        ("place 1:a1", "no-puzzle"),
        ("master", "form"),
        ("recycle W 1 1 2 3", "order"),
        ("pass", "must-act"),
        ("done", "phase"),
        ("undo 0", "verb"),
        ("resign", "verb"),
        ("handover greedy", "verb"),
        ("say hello", "verb"),
    ],
)
async def test_a_refused_action_gets_a_code_and_a_fresh_view(house: House, action: str, code: str) -> None:
    ana, bo = await house.pair(record="players: 2")
    heard = len(bo.heard)
    message: Message = {"game": ana.game, "id": "x", "version": 0, "action": action}
    refused, state = await ana.say("act", **message)
    assert (refused["type"], refused["game"], refused["id"]) == ("refused", ana.game, "x")
    assert refused["code"] == code
    assert refused["sentence"]
    assert (state["type"], state["version"], state["events"]) == ("state", ana.start, [])
    assert state["legal"] == ana.state["legal"]
    assert len(bo.heard) == heard  # to the sender alone


async def test_out_of_turn(house: House) -> None:
    _, bo = await house.pair()
    refused, state = await bo.say("act", game=bo.game, id="x", version=0, action="gain O1")
    assert refused["code"] == "seat"
    assert state["view"]["to_act"] == [1]


async def test_stale(house: House) -> None:
    ana, _ = await house.pair()
    await ana.play("gain O1")
    refused, state = await ana.say("act", game=ana.game, id="x", version=0, action="gain O1")
    assert refused["code"] == "stale"
    assert state["version"] == ana.start + 1


async def test_a_version_that_is_not_there_yet(house: House) -> None:
    ana, _ = await house.pair()
    assert (await ana.act("gain O1", version=ana.version + 1))["code"] == "version"


async def test_a_game_that_is_not_there(house: House) -> None:
    eve = house.client()
    rest = {"id": "x", "version": 0}
    (watched,) = await eve.say("watch", game="nothing")
    (acted,) = await eve.say("act", game="nothing", action="gain O1", **rest)
    assert (watched["code"], acted["code"]) == ("no-game", "no-game")
    assert acted["id"] == "x"
    assert await eve.say("ping", id="p") == [{"type": "pong", "id": "p"}]


async def test_acting_without_following(house: House) -> None:
    ana, bo = await house.pair()
    other = house.client(ana.key)
    (refused,) = await other.say("act", game=ana.game, id="x", version=0, action="fly")
    assert refused["code"] == "verb"
    (done,) = await other.say("act", game=ana.game, id="x", version=0, action="gain O1")
    assert done["type"] == "done"
    assert bo.version == bo.start + 1


async def test_one_connection_follows_many_games_but_not_any_number(house: House) -> None:
    visitor = house.visitor()
    games = [(await visitor.make(players=1, seats=[{"kind": "me"}]))["game"] for _ in range(MOST_GAMES + 1)]
    client = visitor.client()
    for game in games[:-1]:
        await client.watch(game)
    (refused,) = await client.say("watch", game=games[-1])
    assert refused["code"] == "too-many-games"
    await client.say("leave", game=games[0])
    await client.watch(games[-1])
    await client.play("gain O1")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"hello",
        b"null",
        b"[]",
        b"{}",
        b'{"type": "sing"}',
        b'{"type": "ping"}',
        b'{"type": "ping", "id": ""}',
        b'{"type": "ping", "id": 7}',
        b'{"type": "ping", "id": "x", "more": 1}',
        b'{"type": "ping", "id": "' + b"x" * 65 + b'"}',
        b'{"type": "ping", "id": "\xff"}',
        b'{"type": "watch", "game": "../etc"}',
        b'{"type": "watch", "game": "a", "since": -1}',
        b'{"type": "watch", "game": "a", "since": 1e400}',
        b'{"type": "act", "game": "a", "id": "x", "version": 0, "action": ""}',
        b'{"type": "act", "game": "a", "id": "x", "version": 0, "action": "gain O1", "seat": 7}',
        b'{"type": "act", "game": "a", "id": "x", "version": true, "action": "gain O1"}',
        b'{"a": ' + b"[" * 4000,
        b"[" * 4000,
        b'{"a": ' * 600,
    ],
)
async def test_what_cannot_be_read_is_refused(house: House, data: bytes) -> None:
    client = house.client()
    (refused,) = await client.send(data)
    assert (refused["type"], refused["code"]) == ("refused", "unreadable")
    assert len(refused["sentence"]) < 300
    assert client.closed is None
    assert (await client.say("ping", id="p"))[0]["type"] == "pong"


# --- trying -----------------------------------------------------------------------------------


BOARD = f"players: 2\n{SMALL}\nwhite: W09 W10 W11\n\n1 take W1\n1 take W1\n1 take W1\n" + idle(2).replace("|", "\n")


async def test_trying_changes_nothing(house: House) -> None:
    ana, bo = await house.pair(record="players: 2")
    tried = await ana.ask("try", action="gain O1")
    assert tried == {"type": "tried", "game": ana.game, "id": tried["id"], "legal": True}
    assert (ana.version, bo.version) == (ana.start, ana.start)
    tried = await ana.ask("try", action="take W9")
    assert (tried["legal"], tried["code"]) == (False, "slot")
    assert tried["sentence"]
    assert (await bo.ask("try", action="gain O1"))["code"] == "seat"


async def test_what_may_be_added_to_a_master_action(house: House) -> None:
    """Every placement offered can be played with the rest, and what is not offered cannot."""
    ana, _ = await house.pair(record=BOARD)
    first = next(action for action in ana.state["legal"]["1"] if action.startswith("master 2:"))
    tried = await ana.ask("try", action=first)
    assert tried["legal"]
    assert {more[0] for more in tried["more"]} == {"1", "3"}
    for more in tried["more"]:
        both = " ".join(["master", *sorted([first.split()[1], more])])
        assert (await ana.ask("try", action=both))["legal"], both
    singles = {action.split()[1] for action in ana.state["legal"]["1"] if action.startswith("master ")}
    for other in singles - set(tried["more"]):
        both = " ".join(["master", *sorted([first.split()[1], other])])
        assert not (await ana.ask("try", action=both))["legal"], both
    assert (await ana.ask("try", action="gain O1")).get("more", []) == []


async def test_trying_needs_a_running_game(house: House) -> None:
    ana, bo = await house.pair()
    await bo.ask("resign", version=0)
    assert (await ana.ask("try", action="gain O1"))["code"] == "over"


async def test_a_hint_is_a_rest_of_the_turn_that_can_be_played(house: House) -> None:
    ana, bo = await house.pair(hints=True)
    await ana.say("hint", game=ana.game, id="h")
    hinted = await ana.until(lambda message: message.get("id") == "h")
    assert hinted["why"]
    await ana.play(*hinted["actions"][:1])
    await bo.say("hint", game=bo.game, id="h")
    refused = await bo.until(lambda message: message.get("id") == "h")
    assert refused["code"] == "not-your-turn"


# --- two at once ------------------------------------------------------------------------------


LINE_CLEAR = "edition: 2019\nplayers: 4\nmodules: line_clear\n"


async def test_line_clear_both_holders_act_at_once(house: House) -> None:
    """R16: either holder's actions in any order; what one saw may be older than the other's last action."""
    people = await house.people(4, record=LINE_CLEAR)
    white, black = people[0], people[2]
    assert white.state["view"]["to_act"] == [1, 3]
    assert set(white.state["legal"]) == {"1"}
    assert set(black.state["legal"]) == {"3"}
    assert (await people[1].act("gain O1"))["code"] == "seat"
    start = white.version
    await white.play("gain O1")
    assert (await black.act("gain O1", version=start))["type"] == "done"
    assert (await white.act("gain O1", version=start + 1))["type"] == "done"
    assert (await black.act("pass", version=start + 2))["type"] == "done"
    assert (await white.act("pass", version=start + 2))["code"] == "stale"  # white acted itself since
    assert (await white.act("pass", version=start + 3))["type"] == "done"
    assert white.state["view"]["to_act"] == [2, 4]


async def test_line_clear_what_is_taken_must_lie_where_it_lay(house: House) -> None:
    people = await house.people(4, record=LINE_CLEAR)
    white, black = people[0], people[2]
    start = white.version
    await white.play("take WL1")
    assert (await black.act("take WR1", version=start))["type"] == "done"
    assert (await white.act("take BL1", version=start + 1))["type"] == "done"


async def test_finishing_touches_of_all_at_once(house: House) -> None:
    """R40: open to all players, in any order."""
    ana, bo = await house.pair(options={"max_rounds": "1"})
    await ana.play(*turn(1))
    await bo.play(*turn(2))
    assert ana.state["view"]["phase"] == "touches"
    assert ana.state["view"]["to_act"] == [1, 2]
    version = ana.version
    assert (await bo.act("done", version=version))["type"] == "done"
    assert (await ana.act("done", version=version))["type"] == "done"
    assert bo.table["status"] == "over"
    assert bo.state["view"]["result"]["reason"]


# --- hot seat ---------------------------------------------------------------------------------


async def hot_seat(house: House, record: str) -> Client:
    """Everybody around one screen."""
    visitor = house.visitor()
    made = await visitor.make(record=record)
    return await visitor.at(made["game"])


async def test_one_screen_shows_the_view_of_whoever_acts(house: House) -> None:
    screen = await hot_seat(house, f"players: 2\n{SMALL}\nwhite: Z01\n")
    assert (screen.state["seats"], screen.state["viewer"]) == ([1, 2], 1)
    await screen.play("take W1", "place 1:a1")
    piles = [player["completed"] for player in screen.state["view"]["players"]]
    assert piles == [["Z01"], None]
    await screen.play("gain O1")
    assert screen.state["viewer"] == 2
    assert set(screen.state["legal"]) == {"2"}
    piles = [player["completed"] for player in screen.state["view"]["players"]]
    assert piles == [None, []]  # not the pile of the one who looks away now


async def test_one_screen_names_the_seat_where_several_may_act(house: House) -> None:
    screen = await hot_seat(house, LINE_CLEAR)
    assert set(screen.state["legal"]) == {"1", "3"}
    await screen.play("gain O1")  # the first that may act
    await screen.play("gain O1", seat=3)
    assert screen.texts() == ["1 gain O1", "3 gain O1"]


async def test_a_mixed_table_shows_the_view_of_the_seat_that_acted_last(house: House) -> None:
    visitor, guest = house.visitor(), house.visitor()
    made = await visitor.make(players=3, seats=[{"kind": "me"}, {"kind": "me"}, {"kind": "open"}])
    await guest.join(made["game"], invite=made["invites"]["3"])
    screen = await visitor.at(made["game"])
    await screen.play(*turn(1), *turn(2))
    assert screen.state["view"]["to_act"] == [3]
    assert screen.state["viewer"] == 2


# --- the types --------------------------------------------------------------------------------


async def test_the_schema_names_every_message(house: House) -> None:
    found: dict[str, Any] = await house.visitor().get("/api/messages.json")
    assert found == json.loads(json.dumps(schema()))
    tags = set(found["$defs"]["FromClient"]["discriminator"]["mapping"])
    assert tags == {"watch", "leave", "act", "undo", "resign", "chat", "mix", "try", "hint", "ping"}
    assert set(found["$defs"]["FromServer"]["discriminator"]["mapping"]) == {
        "hello", "state", "table", "done", "refused", "tried", "hinted", "pong",
    }  # fmt: skip


async def test_the_view_sent_is_the_view_of_the_rules(house: House) -> None:
    ana, bo = await house.pair()
    await ana.play(*turn(1))
    room = (await house.live(ana.game)).room
    assert ana.state["view"] == json.loads(msgspec.json.encode(view(room.state, 0)))
    assert bo.state["view"] == json.loads(msgspec.json.encode(view(room.state, 1)))


async def test_a_message_at_the_limit_is_read(house: House) -> None:
    client = house.client()
    data = json.dumps({"type": "ping", "id": "p"}).ljust(MOST_BYTES).encode()
    assert (await client.send(data))[0]["type"] == "pong"
