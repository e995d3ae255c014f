"""Making tables and sitting down at them."""

import time
from typing import Final, NamedTuple

import msgspec

from projectl.core.cards import parse_card
from projectl.core.errors import ProjectLError, Unreadable
from projectl.core.rules import Rules
from projectl.record import Game, Header, read_rules, replay
from projectl.server.errors import Refusal
from projectl.server.forms import HouseForm, ImportForm, JoinForm, RulesForm, SeatForm, TableForm
from projectl.server.hall import Hall
from projectl.server.messages import Clock, Table
from projectl.server.plan import Plan, encode_plan
from projectl.server.room import FINISHED, PLAYING, WAITING
from projectl.server.secret import hashed, new_game_id, new_key, new_seed
from projectl.server.store import GameRow, Row, SeatRow, Store
from projectl.server.thinkers import check_bot

COLOURS: Final = ("teal", "coral", "violet", "gold", "rose", "sky")  # that the page can draw
DEFAULT_BOT: Final = "planner"
MOST_ACTIONS: Final = 3000
MOST_CARDS: Final = 200


class Made(NamedTuple):
    """A table that was just made."""

    game: str
    seats: list[int]  # those of whoever made it
    invites: dict[str, str]  # by seat: an invitation for each open one
    table: Table


class Joined(NamedTuple):
    """A seat that was just taken."""

    game: str
    seat: int
    key: str


def rules_of(form: RulesForm) -> Rules:
    """The rules that a form asks for, or why there is no such game."""
    options = tuple(f"{key}={value}" for key, value in form.options.items())
    cards = tuple(parse_card(card) for card in form.cards)
    rules = read_rules(form.players, form.edition, tuple(form.modules), options, cards)
    replay(Header(rules).text())  # as it will be read from the store: two own cards with one id, say
    return rules


async def make_table(hall: Hall, form: TableForm, key: str) -> Made:
    """A new game."""
    header = Header(rules_of(form), new_seed() if form.seed is None else form.seed)
    if replay(header.text()).header.seed != header.seed:
        raise Refusal("seed", "a seed has no word that begins with `#`", 422, field="seed")
    return await _make(hall, header, (), form, key, open_deck=form.seed is not None or bool(form.cards))


async def make_from_record(hall: Hall, form: ImportForm, key: str) -> Made:
    """A game that goes on where a record ends."""
    game = await hall.thinkers.run(_read, form.record)
    names = game.header.names or ("",) * len(game.state.players)
    seats = form.seats or [SeatForm(kind="me", name=name[:30]) for name in names]
    form = form.model_copy(update={"seats": seats})
    return await _make(hall, game.header, _rows(game), form, key, open_deck=True)


def _read(record: str) -> Game:
    """A record that is not unreasonably long. Runs in a worker process: a server replays it in one go later."""
    game = replay(record)
    if len(game.moves) > MOST_ACTIONS or len(game.header.rules.own) > MOST_CARDS:
        sentence = f"a table begins with at most {MOST_ACTIONS} actions and {MOST_CARDS} own cards"
        raise Refusal("record-too-long", sentence, 422, field="record")
    return game


def _rows(game: Game) -> tuple[Row, ...]:
    now = time.time()
    return tuple(Row(n, move.seat + 1, move.text, now, "") for n, move in enumerate(game.moves, 1))


class Prepared(NamedTuple):
    """A table that is about to be stored."""

    row: GameRow
    seats: list[SeatRow]
    keys: list[tuple[str, int]]
    invites: dict[str, str]  # by seat, in clear
    events: tuple[Row, ...]

    async def store(self, store: Store) -> None:
        """Durable when this returns."""
        invites = [(hashed(token), int(seat)) for seat, token in self.invites.items()]
        await store.create(self.row, self.seats, self.keys, invites, self.events)


def prepare(
    header: Header, events: tuple[Row, ...], form: HouseForm, key: str, now: float, *, open_deck: bool
) -> Prepared:
    """Check all that a table needs."""
    players = int(header.rules.players)
    seats = _seats(form, players)
    clock = Clock(form.clock.move, form.clock.game, form.clock.out) if form.clock else None
    if clock and clock.out != "resign":
        check_bot(clock.out)
    header = header._replace(names=())
    if replay(header.text()).header != header:
        raise Refusal("text", "this seed cannot be written down in a record", 422, field="seed")
    plan = Plan(form.public, form.chat, form.undo, clock, open_deck)
    mine = [n for n, seat in enumerate(form.seats, 1) if seat.kind == "me"]
    invites = {str(seat.seat): new_key() for seat in seats if seat.kind == "open"}
    status = WAITING if invites else PLAYING
    row = _row(header, plan, key, now, status)
    return Prepared(row, seats, [(hashed(key), seat) for seat in mine], invites, events)


def _row(header: Header, plan: Plan, key: str, now: float, status: str) -> GameRow:
    return GameRow(
        game=new_game_id(),
        created=now,
        header=header.text(),
        salt=new_key(),
        plan=encode_plan(plan).decode(),
        maker=hashed(key),
        status=status,
        public=int(plan.public),
        rematch=None,
        due=0.0,
    )


async def _make(
    hall: Hall, header: Header, events: tuple[Row, ...], form: HouseForm, key: str, *, open_deck: bool
) -> Made:
    prepared = prepare(header, events, form, key, hall.now(), open_deck=open_deck)
    await prepared.store(hall.store)
    live = await hall.get(prepared.row.game)
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


async def join(hall: Hall, game: str, form: JoinForm, key: str) -> Joined:
    """Take a seat, by invitation or at a public table."""
    live = await hall.get(game)
    room = live.room
    if form.invite is not None:
        seat = await _invited(hall, game, form.invite)
    else:
        seat = _free_seat(live.room.plan.public, room.seats, form.seat)
    known = next(row for row in room.seats if row.seat == seat)
    row = SeatRow(seat, "person", form.name or known.name, form.colour or known.colour, "")
    invite = None if form.invite is None else hashed(form.invite)
    if not await hall.store.take_seat(game, row, hashed(key), invite, hall.now()):
        raise Refusal("seat-taken", "somebody else took this seat a moment ago")
    await hall.seat_taken(game, row, hashed(key))
    return Joined(game, seat, key)


async def _invited(hall: Hall, game: str, invite: str) -> int:
    found = await hall.store.invited(hashed(invite))
    if found is None or found[0] != game:
        raise Refusal("invite", "this invitation is not for this table", 403)
    if found[2]:
        raise Refusal("invite-used", "this invitation has been used; ask for a new one", 403)
    return found[1]


def _free_seat(public: bool, seats: list[SeatRow], wanted: int | None) -> int:
    if not public:
        raise Refusal("invite-needed", "this table is joined by invitation", 403)
    free = [row.seat for row in seats if row.kind == "open" and wanted in (None, row.seat)]
    if not free:
        raise Refusal("seat-taken", "no such seat is free" if wanted else "no seat is free any more")
    return free[0]


async def invite(hall: Hall, game: str, seat: int, key: str | None) -> str:
    """A fresh invitation: for an open seat if one made the table, for one's own seat always."""
    room = (await hall.get(game)).room
    if seat not in room.seats_of(key):
        row = next((row for row in room.seats if row.seat == seat), None)
        if row is None or room.maker != key or row.kind != "open":
            raise Refusal("not-your-seat", "only whoever made the table invites, and only to open seats", 403)
    token = new_key()
    await hall.store.invite(hashed(token), game, seat)
    return token


async def rematch(hall: Hall, game: str, key: str) -> Made:
    """The same table again, everybody one seat further on; a second asker gets the same one."""
    live = await hall.get(game)
    room = live.room
    mine = room.seats_of(hashed(key))
    if not mine:
        raise Refusal("no-seat", "only players ask for a rematch", 403)
    if room.status != FINISHED:
        raise Refusal("not-over", "the game is not over yet")
    async with live.lock:
        if room.rematch is None:
            made = await _play_again(hall, game, key)
            first = await hall.store.set_rematch(game, made.game)
            await hall.rematch_made(game, first)
    return await _at_rematch(hall, game, key)


async def _play_again(hall: Hall, game: str, key: str) -> Made:
    """People come back to seats that are theirs already: the keys move along with the seats."""
    room = (await hall.get(game)).room
    players = len(room.seats)
    seats = room.seats
    moved = [seats[(n + 1) % players]._replace(seat=n + 1) for n in range(players)]
    where = {seats[(n + 1) % players].seat: n + 1 for n in range(players)}
    keys = [(owner, where[seat]) for owner, held in room.keys.items() for seat in held]
    row = _row(
        Header(room.header.rules, new_seed()),
        msgspec.structs.replace(room.plan, public=False, open_deck=False),
        key,
        hall.now(),
        PLAYING,
    )
    await hall.store.create(row, moved, keys, [], [])
    live = await hall.get(row.game)
    return Made(row.game, list(live.room.seats_of(hashed(key))), {}, live.table())


async def _at_rematch(hall: Hall, game: str, key: str) -> Made:
    rematch_id = (await hall.get(game)).room.rematch
    assert rematch_id is not None
    live = await hall.get(rematch_id)
    return Made(rematch_id, list(live.room.seats_of(hashed(key))), {}, live.table())


def check_rules(form: RulesForm) -> ProjectLError | None:
    """Why there is no such game, if there is none."""
    try:
        rules_of(form)
    except Unreadable as error:
        return error
    return None
