"""What every store does, whatever it is made of: each function gets the address of an empty one."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from alembic import command
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import IntegrityError

from projectl.core.rules import RULES_VERSION
from projectl.server.bus import Alone
from projectl.server.games.events import (
    Begun,
    Event,
    HandedOver,
    Played,
    Rematched,
    Resigned,
    Said,
    SeatTaken,
    Undone,
)
from projectl.server.games.memory import Games
from projectl.server.games.room import Room
from projectl.server.games.tables import make_table
from projectl.server.http.connection import Connection
from projectl.server.http.forms import SeatForm, TableForm
from projectl.server.http.messages import Act
from projectl.server.metrics import Metrics
from projectl.server.secret import hashed
from projectl.server.store import lists, migrate
from projectl.server.store.lists import Listed, Listing
from projectl.server.store.seating import FOR_DEVICE, FOR_SEAT, Invite, Outcome
from projectl.server.store.store import GameRow, GameStanding, Row, SeatRow, Store, address
from projectl.server.thinkers import Thinkers
from tests.server.client import prefer

HEADER: Final = "project-l: 1\nedition: 2023\nplayers: 2\nseed: store\n\n"
SEATS: Final = [SeatRow(1, "person", "Ana", "teal", ""), SeatRow(2, "open", "", "coral", "")]


def game_row(game: str, created: float = 1794833300.4063404, **other: Any) -> GameRow:
    """A game as it is made."""
    row = GameRow(game, created, HEADER, "salt", "{}", "maker", "waiting", 0, None, RULES_VERSION)
    return row._replace(**other)


def happened(version: int, words: str = "gain", message: str = "") -> Row:
    """An event of seat 1."""
    return Row(version, Played(1, words), 1794833300.25 + version, message or f"m{version}")


def sits_down(name: str, colour: str) -> list[Row]:
    """Somebody takes seat 2, the last one."""
    return [Row(1, SeatTaken(2, name, colour), 1.0, ""), Row(2, Begun(), 1.0, "")]


def invite_to(name: str, game: str, seat: int = 2, purpose: str = FOR_SEAT) -> Invite:
    """An invitation that does not grow old."""
    return Invite(name, game, seat, purpose, 0.0, None)


async def make(store: Store, game: str, **other: Any) -> None:
    """A table of Ana's with an open seat, and an invitation for it."""
    await store.create(game_row(game, **other), SEATS, [("ana", 1)], [invite_to(f"invite-{game}", game)], [])


@asynccontextmanager
async def opened(url: str, count: int = 1) -> AsyncIterator[list[Store]]:
    """The same store, opened by so many processes."""
    stores = [Store(url) for _ in range(count)]
    try:
        yield stores
    finally:
        for store in stores:
            store.close()


@asynccontextmanager
async def processes(url: str, count: int = 1) -> AsyncIterator[list[Games]]:
    """So many servers on one store that do not hear of each other."""
    async with opened(url, count) as stores:
        found = [Games(store, Alone(), Thinkers(1), Metrics()) for store in stores]
        for games in found:
            await games.start()
        try:
            yield found
        finally:
            for games in found:
                await games.close()


async def what_is_stored_is_loaded_again_to_the_last_bit(url: str) -> None:
    row = game_row("g", plan='{"chat":true}', public=1, due=0.1 + 0.2)
    events = [happened(1), Row(2, Said(2, "żółw 🐢 \\ % ' \" \t x"), 1e9 + 1 / 3, "ü" * 64)]
    async with opened(url) as [store]:
        await store.create(row, SEATS, [("ana", 1)], [], events)
    async with opened(url) as [store]:
        found = await store.load("g")
        assert found == (row, SEATS, [("ana", 1)], events)
        assert await store.load("h") is None


async def a_table_is_made_whole_or_not_at_all(url: str) -> None:
    async with opened(url) as [store]:
        with pytest.raises(IntegrityError):
            await store.create(game_row("g"), SEATS, [("ana", 1)], [], [happened(1), happened(1)])
        assert await store.load("g") is None
        assert await store.all_games() == []
        await make(store, "g")
        assert await store.all_games() == ["g"]


async def an_event_belongs_to_a_game(url: str) -> None:
    async with opened(url) as [store]:
        with pytest.raises(IntegrityError):
            await store.append("nowhere", [happened(1)])


async def a_version_is_given_once(url: str) -> None:
    async with opened(url) as [store]:
        await make(store, "g")
        assert await store.append("g", [happened(1, "first")])
        assert not await store.append("g", [happened(1, "second"), happened(2, "third")])
        assert await store.events("g", 0) == [happened(1, "first")]


async def whoever_comes_back_gets_what_they_missed_in_order(url: str) -> None:
    async with opened(url) as [store]:
        await make(store, "g")
        await make(store, "h")
        for version in (1, 2, 3):
            assert await store.append("g", [happened(version)])
        assert await store.append("h", [happened(1)])
        assert [row.version for row in await store.events("g", 0)] == [1, 2, 3]
        assert await store.events("g", 2) == [happened(3)]
        assert await store.events("g", 3) == []


async def of_two_processes_one_wins_each_version(url: str) -> None:
    async with opened(url, 2) as [one, two]:
        await make(one, "g")
        for version in range(1, 31):
            won = await asyncio.gather(
                one.append("g", [happened(version, "one")]), two.append("g", [happened(version, "two")])
            )
            assert sorted(won) == [False, True]
            seen = await two.events("g", version - 1)
            assert seen == [happened(version, "one" if won[0] else "two")]


async def what_one_process_acknowledged_the_other_reads(url: str) -> None:
    async with opened(url, 2) as [one, two]:
        await make(one, "g")
        for version in range(1, 21):
            await one.append("g", [happened(version)])
            assert await two.events("g", version - 1) == [happened(version)]


async def those_who_wait_share_a_commit(url: str) -> None:
    async with opened(url) as [store]:
        await make(store, "g")
        before = store.writer.commits
        assert all(await asyncio.gather(*(store.append("g", [happened(version)]) for version in range(1, 101))))
        assert store.writer.commits - before < 50
        assert len(await store.events("g", 0)) == 100


async def a_write_that_fails_harms_no_other(url: str) -> None:
    async with opened(url) as [store]:
        await make(store, "g")
        wanted = [store.append("g", [happened(version)]) for version in range(1, 21)]
        answers = await asyncio.gather(
            *wanted, make(store, "g"), store.append("no", [happened(1)]), return_exceptions=True
        )
        assert answers[:20] == [True] * 20
        assert all(isinstance(answer, IntegrityError) for answer in answers[20:])
        assert await store.append("g", [happened(21)])


async def an_invitation_works_once_even_for_two_at_once(url: str) -> None:
    async with opened(url, 2) as [one, two]:
        for n in range(15):
            game = f"g{n}"
            await make(one, game)
            assert await two.invited(f"invite-{game}") == invite_to(f"invite-{game}", game)
            won = await asyncio.gather(
                one.take_seat(game, sits_down("Bo", "lime"), ["bo"], f"invite-{game}"),
                two.take_seat(game, sits_down("Cy", "sky"), ["cy"], f"invite-{game}"),
            )
            await _belongs_to_one(one, game, won)
            assert await two.invited(f"invite-{game}") == invite_to(f"invite-{game}", game)._replace(used=1.0)


async def an_open_seat_is_taken_once_even_by_two_at_once(url: str) -> None:
    async with opened(url, 2) as [one, two]:
        for n in range(15):
            game = f"g{n}"
            await make(one, game, public=1)
            won = await asyncio.gather(
                one.take_seat(game, sits_down("Bo", "lime"), ["bo"], None),
                two.take_seat(game, sits_down("Cy", "sky"), ["cy"], None),
            )
            await _belongs_to_one(one, game, won)


async def _belongs_to_one(store: Store, game: str, won: tuple[Outcome, Outcome]) -> None:
    found = await store.load(game)
    assert found is not None
    assert sorted(one is Outcome.DONE for one in won) == [False, True]
    name, key = ("Bo", "bo") if won[0] is Outcome.DONE else ("Cy", "cy")
    assert [row.event.name for row in found.events if isinstance(row.event, SeatTaken)] == [name]
    assert found.row.status == "playing"
    assert [owner for owner, seat in found.keys if seat == 2] == [key]


async def another_device_joins_by_invitation_only(url: str) -> None:
    async with opened(url) as [store]:
        await make(store, "g")
        own = invite_to("own", "g", 1, FOR_DEVICE)
        assert await store.add_device("g", 1, "phone", "own", 1.0) is Outcome.UNKNOWN
        assert await store.invite(own, "bo") is Outcome.TAKEN
        assert await store.invite(own, "ana") is Outcome.DONE
        assert await store.add_device("g", 1, "phone", "own", 1.0) is Outcome.DONE
        assert await store.add_device("g", 1, "tablet", "own", 1.0) is Outcome.USED
        assert sorted(await store.keys("g")) == [("ana", 1), ("phone", 1)]
        assert await store.events("g", 0) == []


async def older_invitations_end_when_a_seat_is_taken(url: str) -> None:
    async with opened(url) as [store]:
        await make(store, "g")
        assert await store.invite(invite_to("fresh", "g"), "ana") is Outcome.DONE
        assert await store.take_seat("g", sits_down("Bo", "lime"), ["bo"], "fresh") is Outcome.DONE
        late = [Row(3, SeatTaken(2, "Cy", "sky"), 2.0, "")]
        assert await store.take_seat("g", late, ["cy"], "invite-g") is Outcome.USED
        found = await store.load("g")
        assert found is not None
        assert sorted(found.keys) == [("ana", 1), ("bo", 2)]


async def a_taken_seat_is_taken_whatever_a_process_believes(url: str) -> None:
    """An invitation that is made while its seat is being taken opens nothing, wherever it is made."""
    async with opened(url, 2) as [one, two]:
        for n in range(25):
            game = f"g{n}"
            await make(one, game)
            late = invite_to(f"late-{game}", game)
            taken, made = await asyncio.gather(
                one.take_seat(game, sits_down("Bo", "lime"), ["bo"], f"invite-{game}"), two.invite(late, "ana")
            )
            assert taken is Outcome.DONE
            assert made in (Outcome.DONE, Outcome.TAKEN)
            again = [Row(3, SeatTaken(2, "Eve", "sky"), 2.0, "")]
            assert await two.take_seat(game, again, ["eve"], f"late-{game}") in (Outcome.USED, Outcome.UNKNOWN)
            assert await two.take_seat(game, again, ["eve"], None) is Outcome.TAKEN
            assert await two.add_device(game, 2, "eve", f"late-{game}", 2.0) is Outcome.UNKNOWN
            assert await two.invite(invite_to(f"later-{game}", game), "ana") is Outcome.TAKEN
            assert sorted(await one.keys(game)) == [("ana", 1), ("bo", 2)]


async def an_old_invitation_opens_nothing(url: str) -> None:
    async with opened(url) as [store]:
        await make(store, "g")
        old = invite_to("old", "g")._replace(expires=1.0)
        assert await store.invite(old, "ana") is Outcome.DONE
        assert await store.take_seat("g", sits_down("Bo", "lime"), ["bo"], "old") is Outcome.EXPIRED
        assert [one.invite for one in await store.invites("g", 2.0)] == ["invite-g"]
        assert await store.revoke("invite-g")
        assert not await store.revoke("invite-g")
        assert await store.take_seat("g", sits_down("Bo", "lime"), ["bo"], "invite-g") is Outcome.UNKNOWN


async def the_first_to_ask_decides_the_rematch(url: str) -> None:
    async with opened(url, 2) as [one, two]:
        await make(one, "g")
        won = await asyncio.gather(
            *(
                store.rematch("g", Row(1, Rematched(1, other), 1.0, ""), game_row(other), SEATS, [("ana", 2)])
                for store, other in ((one, "h"), (two, "i"))
            )
        )
        first = "h" if won[0] else "i"
        assert sorted(won) == [False, True]
        assert [row.event for row in await one.events("g", 0)] == [Rematched(1, first)]
        assert sorted(await one.all_games()) == ["g", first]


async def games_are_found_by_what_is_asked_for(url: str) -> None:
    async with opened(url) as [store]:
        await make(store, "old", created=1.0, public=1)
        await make(store, "new", created=3.0, public=1)
        await make(store, "secret", created=2.0)
        await store.create(game_row("other", 4.0, public=1), SEATS, [("bo", 1)], [], [])
        assert ids(await store.open_tables()) == ["other", "new", "old"]
        assert ids(await store.games_of("ana")) == ["new", "secret", "old"]
        assert await store.all_games() == ["old", "secret", "new", "other"]
        await store.set_standing("new", 3, GameStanding("playing", 10.0, "a table"))
        await store.set_standing(
            "new", 2, GameStanding("waiting", 0.0, "what was before")
        )  # by a process that is behind
        await store.set_standing("old", 1, GameStanding("over", None, ""))
        assert ids(await store.open_tables()) == ["other"]
        assert (await store.games_of("ana")).games[0] == Listed("new", "a table")
        assert await store.games_due(9.9) == []
        assert await store.games_due(10.0) == ["new"]
        await store.postpone("new", 20.0)
        assert await store.games_due(10.0) == []
        assert await store.counts() == {"over": 1, "playing": 1, "waiting": 2}


def ids(listing: Listing) -> list[str]:
    """The games of a page."""
    return [listed.game for listed in listing.games]


async def a_list_is_read_a_page_at_a_time(url: str) -> None:
    async with opened(url) as [store]:
        names = [f"g{n:03}" for n in range(lists.PAGE + 3)]
        await asyncio.gather(*(make(store, name, created=float(int(name[1:]) // 2)) for name in names))
        first = await store.games_of("ana")
        assert first.more
        second = await store.games_of("ana", first.games[-1].game)
        assert not second.more
        assert ids(first) + ids(second) == names[::-1]
        assert await store.games_of("ana", "nowhere") == Listing([], False)


async def a_store_of_the_first_form_is_brought_up_to_date(url: str) -> None:
    command.upgrade(migrate._config(address(url)), "1")
    engine = create_engine(address(url))
    texts = ["gain O1", "undo 0", "resign", "handover search:2s", 'say undo 3 " \\ 🐢', "begin"]
    with engine.begin() as connection:
        insert = "INSERT INTO games VALUES (:game, :created, :header, 'salt', '{}', :maker, 'playing', 0, :rematch)"
        rows = [("h", 7.5, "ana", None), ("g", 1.5, "maker", "h")]
        for game, created, maker, rematch in rows:
            row = {"game": game, "created": created, "header": HEADER, "maker": maker, "rematch": rematch}
            connection.execute(text(insert), row)
        connection.execute(text("INSERT INTO keys VALUES ('ana', 'g', 2)"))
        for version, words in enumerate(texts, 1):
            event = {"version": version, "seat": 0 if words == "begin" else 2, "text": words, "message": f"m{version}"}
            connection.execute(text("INSERT INTO events VALUES ('g', :version, :seat, :text, 2.25, :message)"), event)
    engine.dispose()
    events: list[Event] = [
        Played(2, "gain O1"), Undone(2, 0), Resigned(2), HandedOver(2, "search:2s"), Said(2, 'undo 3 " \\ 🐢'), Begun(),
    ]  # fmt: skip
    async with opened(url) as [store]:
        found = await store.load("g")
        assert found is not None
        assert found.row == game_row("g", 1.5, status="playing", due=0.0)
        assert found.events == [
            *(Row(version, event, 2.25, f"m{version}") for version, event in enumerate(events, 1)),
            Row(7, Rematched(2, "h"), 7.5, ""),
        ]
        assert await store.append("g", [happened(8)])
    async with opened(url) as [store]:
        assert store.backup is None, "the second time there is nothing to do"
    engine = create_engine(address(url))
    names = set(inspect(engine).get_table_names())
    engine.dispose()
    assert names == {"games", "events", "seats", "keys", "invites", "secrets", "banned", "alembic_version"}


async def a_game_comes_back_as_it_was(url: str) -> None:
    async with processes(url) as [games]:
        game = await a_table(games, "ana")
        for n in range(12):
            await act(games, game, "ana", f"m{n}")
        live = await games.get(game)
        stored = await games.store.load(game)
        assert stored is not None
        again = Room(stored)
        assert again.version == live.room.version == 12
        assert again.state.key() == live.room.state.key()


async def a_message_repeated_elsewhere_is_answered_and_not_done_again(url: str) -> None:
    async with processes(url, 2) as [one, two]:
        game = await a_table(one, "ana")
        await two.get(game)
        live = await one.get(game)
        message = Act(game, "same", 0, live.room.legal_of(1)[0])
        assert (await one.act(message, hashed("ana"))).version == 1
        assert (await two.act(message, hashed("ana"))).version == 1
        assert len(await one.store.events(game, 0)) == 1


async def a_process_that_is_behind_reads_on_before_it_refuses(url: str) -> None:
    async with processes(url, 2) as [one, two]:
        game = await a_table(one, "ana")
        await two.get(game)
        await act(one, game, "ana", "m1")
        live = await one.get(game)
        message = Act(game, "m2", 1, live.room.legal_of(live.room.acting()[0])[0])
        assert (await two.act(message, hashed("ana"))).version == 2


async def whoever_comes_back_to_a_process_that_is_behind_is_not_sent_back(url: str) -> None:
    async with processes(url, 2) as [one, two]:
        game = await a_table(one, "ana")
        await two.get(game)
        await act(one, game, "ana", "m1")
        said: list[bytes] = []
        connection = Connection(two, hashed("ana"), said.append, lambda code, reason: None)
        await connection.receive(json.dumps({"type": "watch", "game": game, "since": 1}))
        state = json.loads(said[-1])
        assert (state["type"], state["version"], state["events"]) == ("state", 1, [])
        connection.gone()


async def words_that_a_store_cannot_hold_are_refused_with_a_code(url: str) -> None:
    async with processes(url) as [games]:
        game = await a_table(games, "ana", chat=True)
        said: list[bytes] = []
        connection = Connection(games, hashed("ana"), said.append, lambda code, reason: None)
        for message in (
            {"type": "chat", "game": game, "id": "c1", "text": "a\0b"},
            {"type": "chat", "game": game, "id": "c\0", "text": "ab"},
            {"type": "chat", "game": game, "id": "c2", "text": "half a sign: \ud83d"},
            {"type": "chat", "game": game, "id": "c\ud83d", "text": "ab"},
            {"type": "act", "game": game, "id": "a1", "version": 0, "action": "gain\0"},
            {"type": "resign", "game": game, "id": "r\0", "version": 0},
        ):
            await connection.receive(json.dumps(message))
            answer = json.loads(said[-1])
            assert answer["type"] == "done" or answer["code"] != "server", answer


async def a_table(games: Games, key: str, **how: Any) -> str:
    """Two seats around one screen."""
    me = SeatForm(kind="me")
    return (await make_table(games, TableForm(players=2, seats=[me, me], **how), key)).game


async def act(games: Games, game: str, key: str, message: str) -> None:
    """Play some action."""
    room = (await games.get(game)).room
    seat = room.acting()[0]
    action = prefer(room.legal_of(seat), random.Random(room.version))
    await games.act(Act(game, message, room.version, action, seat), hashed(key))


Behaviour = Callable[[str], Awaitable[None]]
BEHAVIOURS: Final[list[Behaviour]] = [
    what_is_stored_is_loaded_again_to_the_last_bit,
    a_table_is_made_whole_or_not_at_all,
    an_event_belongs_to_a_game,
    a_version_is_given_once,
    whoever_comes_back_gets_what_they_missed_in_order,
    of_two_processes_one_wins_each_version,
    what_one_process_acknowledged_the_other_reads,
    those_who_wait_share_a_commit,
    a_write_that_fails_harms_no_other,
    an_invitation_works_once_even_for_two_at_once,
    an_open_seat_is_taken_once_even_by_two_at_once,
    another_device_joins_by_invitation_only,
    older_invitations_end_when_a_seat_is_taken,
    a_taken_seat_is_taken_whatever_a_process_believes,
    an_old_invitation_opens_nothing,
    a_list_is_read_a_page_at_a_time,
    the_first_to_ask_decides_the_rematch,
    games_are_found_by_what_is_asked_for,
    a_store_of_the_first_form_is_brought_up_to_date,
    a_game_comes_back_as_it_was,
    a_message_repeated_elsewhere_is_answered_and_not_done_again,
    a_process_that_is_behind_reads_on_before_it_refuses,
    whoever_comes_back_to_a_process_that_is_behind_is_not_sent_back,
    words_that_a_store_cannot_hold_are_refused_with_a_code,
]
