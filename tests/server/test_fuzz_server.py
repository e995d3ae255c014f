"""Bad input: any bytes, any JSON, any messages in any order get coded refusals, and the game goes on."""

import json
import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from projectl.server.games.events import Undone
from projectl.server.games.history import taken_back
from projectl.server.games.room import Room
from tests.server.harness import Client, House, Message, Stage, examples
from tests.test_fuzz import LINES

ANSWERS = {"state", "table", "done", "refused", "tried", "pong"}
KINDS = ("watch", "leave", "act", "undo", "resign", "chat", "try", "hint", "ping")
FIELDS = ("type", "game", "id", "version", "action", "seat", "since", "legal", "all", "text")

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=True),
    st.text(max_size=20),
    st.sampled_from(KINDS),
    st.sampled_from(["gain O1", "take W1", "g", "x"]),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.one_of(st.sampled_from(FIELDS), st.text(max_size=5)), inner)
    ),
    max_leaves=12,
)


def check(said: list[Message]) -> None:
    """Nothing but what a client expects: above all, nothing went wrong inside."""
    for message in said:
        assert message["type"] in ANSWERS
        if message["type"] == "refused":
            assert message["sentence"]
            assert message["code"] not in ("", "server")


@settings(max_examples=examples(200, 20_000), deadline=None)
@given(data=st.binary(max_size=300))
@example(data=b"\x00")
@example(data=b'{"type":"ping","id":"\xed\xa0\x80"}')
def test_any_bytes(data: bytes, stage: Stage) -> None:
    client = stage.house.client()
    said = stage.run(client.send(data))
    check(said)
    assert [message.get("code") for message in said] == ["unreadable"]


@settings(max_examples=examples(200, 20_000), deadline=None)
@given(found=JSON)
def test_any_json(found: object, stage: Stage) -> None:
    client = stage.house.client()
    check(stage.run(client.send(json.dumps(found))))
    assert stage.run(client.say("ping", id="p"))[-1] == {"type": "pong", "id": "p"}


@settings(max_examples=examples(200, 20_000), deadline=None)
@given(kind=st.sampled_from(KINDS), rest=st.dictionaries(st.sampled_from(FIELDS[1:]), LEAVES))
def test_messages_with_any_content(kind: str, rest: Message, stage: Stage) -> None:
    client = stage.house.client()
    check(stage.run(client.say(kind, **rest)))


# --- a game in the middle of it ---------------------------------------------------------------


class Crowd:
    """Two people with several devices and a spectator, who say anything at any time."""

    def __init__(self, house: House, dice: random.Random) -> None:
        self.house = house
        self.dice = dice
        self.sent: list[Message] = []

    async def sit_down(self) -> None:
        modules = self.dice.choice(([], ["ghost"], ["finesse"], ["endless_white", "ambassador"]))
        options = {"max_rounds": str(self.dice.choice((2, 20)))}
        edition = {} if modules else {"edition": self.dice.choice(("2019", "2020", "2023"))}
        ana, bo = await self.house.pair(modules=modules, chat=True, options=options, **edition)
        self.game = ana.game
        self.people = [ana, bo]
        self.clients = [ana, bo, self.house.client(ana.key), self.house.client(bo.key), self.house.client()]

    def message(self, client: Client, words: str) -> Message:
        """A message that can be read; it need not make sense."""
        dice = self.dice
        if self.sent and dice.random() < 0.15:
            return dice.choice(self.sent)  # the same again
        kind = dice.choices(KINDS, (2, 1, 12, 4, 0.1, 1, 4, 0, 1))[0]
        game = self.game if dice.random() < 0.95 else "another"
        version = max(0, self.people[0].version + dice.choice((0, 0, 0, 0, -1, -3, 1, 1000)))
        listed: list[str] = next(iter(self.people[dice.randrange(2)].state.get("legal", {"": []}).values()), [])
        action = dice.choice(listed) if listed and dice.random() < 0.7 else words[:200] or "pass"
        whole: Message = {
            "game": game,
            "id": str(dice.randrange(1000)),
            "version": version,
            "action": action,
            "seat": dice.choice((None, None, 1, 2, 3)),
            "since": dice.choice((None, 0, version)),
            "legal": dice.random() < 0.9,
            "all": dice.random() < 0.3,
            "text": words[:500] or "hm",
        }
        wanted = {
            "watch": ("game", "since", "legal"),
            "leave": ("game",),
            "act": ("game", "id", "version", "action", "seat"),
            "undo": ("game", "id", "version", "seat", "all"),
            "resign": ("game", "id", "version", "seat"),
            "chat": ("game", "id", "text", "seat"),
            "try": ("game", "id", "action", "seat"),
            "ping": ("id",),
        }[kind]
        found = {"type": kind} | {key: whole[key] for key in wanted}
        self.sent.append(found)
        return found

    async def speak(self, texts: list[str]) -> None:
        for words in texts:
            client = self.dice.choice(self.clients)
            check(await client.send(json.dumps(self.message(client, words))))

    async def go_on(self) -> None:
        """Whatever was said, whoever is to act can act, and the store tells the same story."""
        live = await self.house.live(self.game)
        room = live.room
        fresh = [self.house.client(client.key) for client in self.people]
        for client in fresh:
            await client.watch(self.game)
        if room.status == "playing":
            actor = next(client for client in fresh if client.state.get("legal"))
            (seat, listed) = next(iter(actor.state["legal"].items()))
            await actor.play(listed[0], seat=int(seat))
        stored = await self.house.games.store.load(self.game)
        assert stored is not None
        again = Room(stored)
        assert (again.version, again.state.key()) == (room.version, room.state.key())
        assert [row.version for row in stored.events] == list(range(1, room.version + 1))
        versions = [event["version"] for state in fresh[0].messages("state") for event in state["events"]]
        undone = taken_back((row.version, row.event) for row in stored.events)
        undone |= {row.version for row in stored.events if isinstance(row.event, Undone)}
        assert versions == sorted(set(versions))
        assert set(range(1, room.version + 1)) - set(versions) <= undone
        for client in (*self.clients, *fresh):
            client.connection.gone()


@settings(max_examples=examples(25, 2000), deadline=None)
@given(number=st.integers(0, 2**32), texts=st.lists(st.one_of(LINES, st.text(min_size=1, max_size=30)), max_size=60))
def test_any_messages_in_any_order(number: int, texts: list[str], stage: Stage) -> None:
    crowd = Crowd(stage.house, random.Random(number))

    async def work() -> None:
        await crowd.sit_down()
        await crowd.speak(texts)
        await crowd.go_on()

    stage.run(work())


@settings(max_examples=examples(50, 10_000), deadline=None)
@given(words=st.one_of(LINES, st.text(min_size=1, max_size=200)))
@example(words="take W\uff11")
@example(words="place 1:a1 \x00")
@example(words="upgrade O1 " + "I2" * 90)
def test_any_action_text(words: str, stage: Stage) -> None:
    """Over the socket and over HTTP: one coded answer, the same."""

    async def work() -> None:
        visitor = stage.house.visitor()
        made = await visitor.make(players=1, seats=[{"kind": "me"}])
        client = await visitor.at(made["game"])
        text = words[:200] or "x"
        tried = await client.say("try", game=made["game"], id="t", action=text)
        check(tried)
        check(await client.say("act", game=made["game"], id="a", version=0, action=text))
        response = await visitor.http.post(f"/api/tables/{made['game']}/try", json={"action": text})
        assert response.status_code in (200, 400)
        await client.play(client.state["legal"]["1"][0])
        client.connection.gone()
        await visitor.http.aclose()

    stage.run(work())
