"""Making tables and sitting down at them."""

import contextlib
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from projectl.core.cards import parse_card
from projectl.core.errors import ProjectLError, Unreadable
from projectl.core.rules import RULES_VERSION, Rules
from projectl.game import Game
from projectl.header import Header
from projectl.record import read_rules, replay
from projectl.server.errors import Overtaken, Refusal
from projectl.server.games.events import Played
from projectl.server.games.invitations import invitation, take_seat
from projectl.server.games.live import LiveGame
from projectl.server.games.memory import Games
from projectl.server.games.room import PLAYING, WAITING, Room
from projectl.server.games.settings import TableSettings, encode_settings
from projectl.server.http.forms import HouseForm, ImportForm, RulesForm, SeatForm, TableForm
from projectl.server.http.messages import Clock
from projectl.server.http.replies import Made
from projectl.server.secret import hashed, new_game_id, new_key, new_seed
from projectl.server.store.seating import FOR_SEAT
from projectl.server.store.store import GameRow, Row, SeatRow, Store
from projectl.server.thinkers import check_bot
from projectl.server.workers import Asker

COLOURS: Final = ("teal", "coral", "violet", "gold", "rose", "sky")  # that the page can draw
DEFAULT_BOT: Final = "planner"
MOST_ACTIONS: Final = 3000
MOST_CARDS: Final = 200


def rules_of(form: RulesForm) -> Rules:
    """The rules that a form asks for, or why there is no such game."""
    options = tuple(f"{key}={value}" for key, value in form.options.items())
    cards = tuple(parse_card(card) for card in form.cards)
    return read_rules(form.players, form.edition, tuple(form.modules), options, cards)


async def make_table(games: Games, form: TableForm, key: str) -> Made:
    """A new game."""
    header = Header(rules_of(form), new_seed() if form.seed is None else form.seed)
    if form.mix and not any(seat.kind == "me" for seat in form.seats):
        raise Refusal("no-seat", "only who sits at a table puts something into its shuffle", 422, field="mix")
    known = form.seed is not None or bool(form.cards)
    return await _make(games, header, (), form, key, open_deck=known, mix=form.mix and not known)


async def make_from_record(games: Games, form: ImportForm, key: str, asker: Asker) -> Made:
    """A game that goes on where a record ends."""
    game = await games.thinkers.read(asker, _read, form.record)
    names = game.header.names or ("",) * len(game.state.players)
    seats = form.seats or [SeatForm(kind="me", name=name[:30]) for name in names]
    form = form.model_copy(update={"seats": seats})
    return await _make(games, game.header, _rows(game), form, key, open_deck=True)


def _read(record: str) -> Game:
    """A record that is not unreasonably long. Runs in a worker process: a server replays it in one go later."""
    game = replay(record)
    if len(game.moves) > MOST_ACTIONS or len(game.header.rules.own) > MOST_CARDS:
        sentence = f"a table begins with at most {MOST_ACTIONS} actions and {MOST_CARDS} own cards"
        raise Refusal("record-too-long", sentence, 422, field="record", about=str(MOST_ACTIONS))
    return game


def _rows(game: Game) -> tuple[Row, ...]:
    now = time.time()
    return tuple(Row(n, Played.checked(move), now, "") for n, move in enumerate(game.moves, 1))


class Prepared(NamedTuple):
    """A table that is about to be stored."""

    row: GameRow
    seats: list[SeatRow]
    keys: list[tuple[str, int]]
    invites: dict[str, str]  # by seat, in clear
    events: tuple[Row, ...]

    async def store(self, store: Store) -> None:
        """Durable when this returns."""
        game, now = self.row.game, self.row.created
        invites = [invitation(game, int(seat), token, FOR_SEAT, now) for seat, token in self.invites.items()]
        await store.create(self.row, self.seats, self.keys, invites, self.events)


def prepare(
    header: Header,
    events: tuple[Row, ...],
    form: HouseForm,
    key: str,
    now: float,
    *,
    open_deck: bool,
    mix: bool = False,
) -> Prepared:
    """Check all that a table needs."""
    players = int(header.rules.players)
    seats = _seats(form, players)
    clock = Clock(form.clock.move, form.clock.game, form.clock.out) if form.clock else None
    if clock and clock.out != "resign":
        check_bot(clock.out)
    header = header._replace(names=()).checked()
    mine = [n for n, seat in enumerate(form.seats, 1) if seat.kind == "me"]
    invites = {str(seat.seat): new_key() for seat in seats if seat.kind == "open"}
    status = WAITING if invites or mix else PLAYING
    dealt = open_deck or not (invites or mix)  # a deck that somebody knows is not shuffled again
    plan = TableSettings(form.public, form.chat, form.undo, clock, open_deck, dealt, mix, form.hints)
    row = _row(header, plan, key, now, status)
    return Prepared(row, seats, [(hashed(key), seat) for seat in mine], invites, events)


def _row(header: Header, plan: TableSettings, key: str, now: float, status: str) -> GameRow:
    return GameRow(
        game=new_game_id(),
        created=now,
        header=header.text(),
        salt=new_key(),
        plan=encode_settings(plan).decode(),
        maker=hashed(key),
        status=status,
        public=int(plan.public),
        due=0.0,
        rules=RULES_VERSION,
    )


async def make_daily(games: Games, day: str, seed: str, name: str, colour: str, key: str) -> Made:
    """The solo game of a day for one key; there cannot be a second one."""
    form = TableForm(players=1, seats=[SeatForm(kind="me", name=name, colour=colour)])
    prepared = prepare(Header(rules_of(form), seed), (), form, key, games.now(), open_deck=False)
    plan = TableSettings(day=day)
    row = prepared.row._replace(plan=encode_settings(plan).decode(), day=day)
    await prepared._replace(row=row).store(games.store)
    live = await games.get(row.game)
    return Made(row.game, [1], {}, live.table())


async def _make(
    games: Games,
    header: Header,
    events: tuple[Row, ...],
    form: HouseForm,
    key: str,
    *,
    open_deck: bool,
    mix: bool = False,
) -> Made:
    prepared = prepare(header, events, form, key, games.now(), open_deck=open_deck, mix=mix)
    await prepared.store(games.store)
    live = await games.get(prepared.row.game)
    return Made(prepared.row.game, [seat for _, seat in prepared.keys], prepared.invites, live.table())


async def import_record(store: Store, game: Game) -> tuple[str, dict[str, str]]:
    """Put a record into a store: its id, and an invitation for each seat."""
    names = game.header.names or ("",) * len(game.state.players)
    form = HouseForm(seats=[SeatForm(kind="open", name=name[:30]) for name in names])
    prepared = prepare(game.header, _rows(game), form, new_key(), time.time(), open_deck=True)
    await prepared.store(store)
    return prepared.row.game, prepared.invites


def _seats(form: HouseForm, players: int) -> list[SeatRow]:
    if len(form.seats) > players:
        raise Refusal("seats", f"{players} seats are there, {len(form.seats)} were described", 422, field="seats")
    found: list[SeatRow] = []
    used = {seat.colour for seat in form.seats if seat.colour}
    free = [colour for colour in COLOURS if colour not in used]
    for n in range(1, players + 1):
        seat = form.seats[n - 1] if n <= len(form.seats) else SeatForm()
        bot = (seat.bot or DEFAULT_BOT) if seat.kind == "bot" else ""
        if bot:
            check_bot(bot)
        kind = {"me": "person", "open": "open", "bot": "bot"}[seat.kind]
        name = seat.name or (bot.split(":")[0].capitalize() if bot else "")
        found.append(SeatRow(n, kind, name, seat.colour or free.pop(0), bot))
    return found


async def rematch(games: Games, game: str, key: str, luck: str) -> Made:
    """The same table again, everybody one seat further on: each sits down by asking, and it begins with the last."""
    live = await games.get(game)
    mine = live.holders.seats_of(hashed(key))
    if not mine:
        raise Refusal("no-seat", "only players ask for a rematch", 403)
    async with live.lock:
        while live.room.rematch is None:
            with contextlib.suppress(Overtaken):
                await _play_again(games, live, mine, key)
    other = await games.get(live.room.rematch)
    async with other.lock:
        for seat in mine:
            if len(other.holders.seats_of(hashed(key))) < len(mine):
                await _come_along(games, other, live.room, seat, live.holders.keys_of(seat), luck)
    return Made(other.room.id, list(other.holders.seats_of(hashed(key))), {}, other.table())


async def _play_again(games: Games, live: LiveGame, mine: tuple[int, ...], key: str) -> None:
    """Nobody is made to play: the seats of other people are kept for them, and open until they ask too."""
    room = live.room
    moved = sorted(
        seat._replace(
            seat=_next_seat(room, seat.seat),
            kind="open" if seat.kind == "person" and seat.seat not in mine else seat.kind,
        )
        for seat in room.seats
    )
    keys = [(owner, _next_seat(room, seat)) for seat in mine for owner in live.holders.keys_of(seat)]
    waits = room.settings.mix or any(seat.kind == "open" for seat in moved)
    plan = msgspec.structs.replace(room.settings, public=False, open_deck=False, day="", dealt=not waits)
    row = _row(Header(room.header.rules, new_seed()), plan, key, games.now(), WAITING if waits else PLAYING)

    async def write(rows: Sequence[Row]) -> bool:
        return await games.store.rematch(room.id, rows[0], row, moved, keys)

    await games.happen(live, [room.check_rematch(mine[0], row.game)], write=write)


def _next_seat(room: Room, seat: int) -> int:
    """Where somebody sits at the next table."""
    return (seat - 2) % len(room.seats) + 1


async def _come_along(games: Games, live: LiveGame, before: Room, seat: int, keys: Sequence[str], luck: str) -> None:
    """Sit down on the seat that was kept, wherever it was moved meanwhile, with all devices."""
    name, usual = before.seats[seat - 1].name, _next_seat(before, seat)
    while True:
        kept = {row.seat for row in live.room.seats if row.kind == "open" and row.name == name}
        where = usual if usual in kept else min(kept) if name and kept else 0
        if not where:
            return
        with contextlib.suppress(Overtaken):
            await take_seat(games, live, live.room.check_seat(where, "", "", luck), keys)
            return


def check_rules(form: RulesForm) -> ProjectLError | None:
    """Why there is no such game, if there is none."""
    try:
        rules_of(form)
    except Unreadable as error:
        return error
    return None
