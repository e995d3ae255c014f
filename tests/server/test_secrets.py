"""Hidden cards, the seed and other people's secrets never leave the server before they may."""

import json
import logging
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from projectl import Game, Header, Named, Rules, State
from projectl.core.cards import all_tiles
from projectl.core.rules import RULES_VERSION, SOLO
from projectl.core.setup import cards_in_play, solo_cards, tiles_in_play
from projectl.core.state import OVER
from projectl.facts import barrier
from projectl.server.games.settings import TableSettings, encode_settings
from projectl.server.logs import JsonLines
from projectl.server.secret import fair_hash, hashed
from projectl.server.store.store import GameRow, SeatRow
from tests.configurations import configurations, random_rules
from tests.players import choose
from tests.server.harness import START, Client, House, examples, run
from tests.server.test_tables import lines
from tests.table import idle

GAME, SALT = "thegame", "s" * 32
KEYS = [f"key-of-seat-{seat}".ljust(32, "x") for seat in range(1, 7)]


# --- two games that differ only in what nobody has seen ----------------------------------------


def ids(state: State, cards: Iterable[int]) -> list[str]:
    """Cards by their names."""
    return [state.cards.cards[int(card)].id for card in cards]


def names_of(state: State) -> Named:
    """All cards and tiles as they were dealt. Nothing may have been recycled or reshuffled since."""
    tiles = [all_tiles()[int(tile)].id for tile in state.tiles]
    if state.rules.kind == SOLO:
        return Named(deck=ids(state, state.white), finesse=tiles)
    return Named(ids(state, state.white), ids(state, state.black), finesse=tiles)


def dealt_otherwise(state: State, first: Named, dice: random.Random) -> Named:
    """Another deal in which everything that has come to light so far lies as it did."""
    rules = state.rules
    tops = int(state.white_top), int(state.black_top)
    tiles = _tiles_otherwise(state, list(first.finesse), dice)
    pools = [ids(state, cards_in_play(rules, white)) for white in (True, False)]
    if rules.kind == SOLO:
        whites, blacks = solo_cards(rules)
        seen = list(first.deck[: tops[0]])
        white = _filled(seen[:whites], pools[0], whites, dice)
        return Named(deck=white + _filled(seen[whites:], pools[1], blacks, dice), finesse=tiles)
    found = [
        _filled(list(cards[:top]), pool, len(cards), dice)
        for cards, top, pool in zip((first.white, first.black), tops, pools, strict=True)
    ]
    return Named(found[0], found[1], finesse=tiles)


def _filled(seen: list[str], pool: list[str], size: int, dice: random.Random) -> list[str]:
    rest = [card for card in pool if card not in seen]
    dice.shuffle(rest)
    return (seen + rest)[:size]


def _tiles_otherwise(state: State, tiles: list[str], dice: random.Random) -> list[str]:
    """The tiles that still lie face down are others of their sets."""
    sets = {tile.id: tile.set for tile in all_tiles()}
    for place in range(int(state.round) - 1, 2 if tiles else 0):
        same = [all_tiles()[number].id for number in tiles_in_play(state.rules, sets[tiles[place]])]
        tiles[place] = dice.choice([tile for tile in same if tile not in tiles] or [tiles[place]])
    return tiles


class Twin:
    """A game in a house of its own, with a client on every seat, one on all seats together and a spectator."""

    def __init__(self, folder: Path, template: Path, header: Header) -> None:
        self.house = House(folder, template)
        self.header = header
        self.clients: list[Client] = []

    async def sit_down(self) -> None:
        players = int(self.header.rules.players)
        plan = encode_settings(TableSettings(chat=True)).decode()
        row = GameRow(GAME, START, self.header.text(), SALT, plan, "", "playing", 0, None, RULES_VERSION)
        seats = [SeatRow(seat, "person", f"N{seat}", "teal", "") for seat in range(1, players + 1)]
        keys = [(hashed(KEYS[seat - 1]), seat) for seat in range(1, players + 1)]
        await self.house.games.store.create(
            row, seats, [*keys, *[(hashed(KEYS[5] + "all"), n) for _, n in keys]], [], []
        )
        for key in (*KEYS[:players], KEYS[5] + "all", None):
            client = self.house.client(key)
            await client.watch(GAME)
            self.clients.append(client)

    async def everything_over_http(self) -> list[str]:
        """What the HTTP part answers to every seat and a spectator."""
        found: list[str] = []
        for client in self.clients:
            visitor = self.house.visitor(client.key)
            for path in ("", "/state", "/state?since=1", "/record"):
                found.append((await visitor.http.get(f"/api/tables/{GAME}{path}")).text)
            found.append((await visitor.http.get("/api/mine")).text)
        return found

    def heard(self) -> list[list[bytes]]:
        """Every byte to everybody; the hash of the seed alone may differ."""
        fair = fair_hash(self.header.seed or "", SALT).encode()
        return [[data.replace(fair, b"FAIR") for data in client.heard] for client in self.clients]


async def play_twins(twins: list[Twin], played: list[tuple[int, str]], dice: random.Random) -> None:
    """The same messages to both; every answer must be the same."""
    players = int(twins[0].header.rules.players)
    await twins[0].sit_down()
    await twins[1].sit_down()

    async def both(kind: str, seat: int, **message: object) -> None:
        answers = [await twin.clients[seat].ask(kind, **message) for twin in twins]
        assert answers[0] == answers[1]

    assert twins[0].heard() == twins[1].heard()
    for seat, action in played:
        version = twins[0].clients[seat].version
        wrong = dice.choice(("take W1", "take B", "gain O1", "place 1:a1", "recycle W", "done", "pass", "take G1"))
        await both("try", dice.randrange(players), action=wrong)
        await both("try", seat, action=action)
        if dice.random() < 0.3:
            await both("act", dice.randrange(players), version=version + 1, action=wrong)  # refused
        await both("act", seat, version=version, action=action)
        if dice.random() < 0.1:
            await both("undo", dice.randrange(players), version=twins[0].clients[0].version + 1)  # refused
        assert twins[0].heard() == twins[1].heard()
    texts = [[text.replace(fair_hash(twin.header.seed or "", SALT), "") for text in await twin.everything_over_http()]
             for twin in twins]  # fmt: skip
    assert texts[0] == texts[1]
    assert all(client.version >= len(played) for twin in twins for client in twin.clients)


def random_start(rules: Rules, dice: random.Random, most: int) -> Game:
    """Some actions of a game; nothing is recycled or reshuffled, so that the deal can still be told."""
    game = Game(Header(rules, f"seed {dice.random()}"))
    for _ in range(most):
        before = game.state.clone()
        seat, text, _ = choose(game.state, dice)
        if "recycle" in text:
            continue
        game.play(game.check(seat, text))
        if game.state.phase == OVER or game.state.reshuffles:
            game.undo(len(game.moves) - 1)
            break
        assert before.key() != game.state.key()
    return game


@pytest.mark.parametrize("number", range(examples(9, 300)))
def test_what_nobody_has_seen_changes_no_byte(number: int, tmp_path: Path, template: Path) -> None:
    """Two games, two seeds, the same cards in sight: the same bytes to every seat and spectator, up to now."""
    dice = random.Random(number)
    game = random_start(random_rules(dice), dice, dice.choice((0, 5, 20, 40)))
    first = names_of(game.state)
    other = dealt_otherwise(game.state, first, dice)
    headers = [Header(game.header.rules, "one", (), first), Header(game.header.rules, "two", (), other)]
    again = [Game(header) for header in headers]
    for move in game.moves:
        for copy in again:
            copy.play(copy.check(move.seat, move.text))
    twins = [Twin(tmp_path / f"{n}.db", template, header) for n, header in enumerate(headers)]

    async def work() -> None:
        async with twins[0].house, twins[1].house:
            await play_twins(twins, [(move.seat, move.text) for move in game.moves], dice)

    run(work())
    assert first != other or not game.state.white_left() + game.state.black_left()


@pytest.mark.parametrize(("players", "edition", "modules"), configurations()[:: examples(40, 5)])
def test_before_anything_is_revealed_every_kind_of_game_looks_the_same(
    players: int, edition: str, modules: tuple[str, ...], tmp_path: Path, template: Path
) -> None:
    """Actions that reveal nothing, until none is left."""
    dice = random.Random(f"{players} {edition} {modules}")
    game = Game(Header(Rules(players, edition, modules), "one"))
    first = names_of(game.state)
    headers = [
        Header(game.header.rules, "one", (), first),
        Header(game.header.rules, "two", (), dealt_otherwise(game.state, first, dice)),
    ]
    for _ in range(12):
        before = game.state.clone()
        seat, text, _ = choose(game.state, dice)
        game.play(game.check(seat, text))
        if barrier(before, game.state):
            game.undo(len(game.moves) - 1)
    twins = [Twin(tmp_path / f"{n}.db", template, header) for n, header in enumerate(headers)]

    async def work() -> None:
        async with twins[0].house, twins[1].house:
            await play_twins(twins, [(move.seat, move.text) for move in game.moves], dice)

    run(work())


async def test_the_first_reveal_is_where_they_differ(tmp_path: Path, template: Path) -> None:
    """So the tests above would notice."""
    deals = [Named(white=["W01", "W02", "W03", "W04", card]) for card in ("W05", "W06")]
    twins = [Twin(tmp_path / f"{n}.db", template, Header(Rules(2), "", (), deal)) for n, deal in enumerate(deals)]
    async with twins[0].house, twins[1].house:
        await play_twins(twins, [(0, "gain O1")], random.Random(0))
        for twin in twins:
            await twin.clients[0].play("take W1")
        for one, other in zip(*(twin.heard() for twin in twins), strict=True):
            assert one[:-1] == other[:-1] or one[-1].startswith(b'{"type":"done"')
            assert one != other


# --- what is said while a game runs -----------------------------------------------------------


def leaves(found: object) -> Iterable[str]:
    """Every text in a message."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield key
            yield from leaves(value)
    elif isinstance(found, list):
        for value in found:
            yield from leaves(value)
    elif isinstance(found, str):
        yield found


async def test_no_secret_in_any_message_log_line_or_error(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "greedy"}]
    form = {"options": {"max_rounds": "2"}, "seats": seats, "chat": True}
    ana, bo = house.visitor(), house.visitor()
    made = await ana.make(players=3, **form)
    game = made["game"]
    await bo.join(game, invite=made["invites"]["2"])
    clients = [await ana.at(game), await bo.at(game), house.client()]
    await clients[2].watch(game)
    said: list[str] = []
    room = (await house.live(game)).room
    secrets = [room.header.seed or "", room.salt, ana.key or "", bo.key or "", *made["invites"].values()]
    secrets += [hashed(secret) for secret in secrets[2:]]
    assert all(len(secret) >= 30 for secret in secrets)
    for _ in range(2):
        for number, client in enumerate(clients[:2], 1):
            await client.turn(number)
            await client.play(*lines(idle(number)))
            await client.act("take W9")
            await client.ask("chat", text="hello")
            await client.send(b"junk")
            await client.ask("try", action="fly")
            for path in ("", "/state", "/record"):
                said.append((await house.visitor().http.get(f"/api/tables/{game}{path}")).text)
    for path in ("/health", "/metrics", "/api/tables", "/api/about", "/openapi.json"):
        said.append((await house.visitor().http.get(path)).text)
    await clients[0].until(lambda message: message.get("view", {}).get("phase") == "touches")
    said += [data.decode() for client in clients for data in client.heard]
    said += [JsonLines().format(record) for record in caplog.records]
    for secret in secrets:
        assert [text for text in said if secret in text] == []
    for client in clients:
        texts = {text for message in client.messages() for text in leaves(message)}
        assert {"seed", "salt", "keys", "maker", "invite", "deck_order"} & texts == set()


async def test_the_seed_comes_out_at_the_end_and_keys_never(house: House) -> None:
    ana, bo = await house.pair()
    eve = house.client()
    await eve.watch(ana.game)
    room = (await house.live(ana.game)).room
    assert not any((room.header.seed or "").encode() in data for client in (ana, bo, eve) for data in client.heard)
    await ana.ask("resign", version=0)
    for client in (ana, bo, eve):
        assert (client.table["seed"], client.table["salt"]) == (room.header.seed, room.salt)
        assert not any((key or "").encode() in data for key in (ana.key, bo.key) for data in client.heard)


async def test_a_fault_shows_no_trace(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, bo = await house.pair()

    async def broken(*_: object) -> bool:
        raise RuntimeError("secret inside")

    monkeypatch.setattr(house.games.store, "append", broken)
    refused, state = await ana.say("act", game=ana.game, id="x", version=0, action="gain O1")
    assert (refused["code"], state["version"]) == ("server", ana.start)
    assert "secret inside" not in json.dumps(refused)
    monkeypatch.undo()
    assert (await ana.act("gain O1", version=0))["type"] == "done"
    assert bo.version == bo.start + 1
