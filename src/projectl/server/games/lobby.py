"""A table before its game begins: seats change places, bots fill them, people change names, or it is cancelled."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from projectl.server.errors import Overtaken, Refusal
from projectl.server.games.events import Arranged, Begun, Cancelled, Event, Seated
from projectl.server.games.live import LiveGame
from projectl.server.games.memory import Games
from projectl.server.games.room import MOST_ARRANGED, WAITING, Room
from projectl.server.http.forms import ArrangeForm
from projectl.server.http.messages import Table
from projectl.server.store.store import Row, SeatRow
from projectl.server.thinkers import check_bot


class Arrangement(NamedTuple):
    """The seats as they are to be, and which of them went where."""

    seats: list[SeatRow]
    places: Mapping[int, int]


async def arrange(games: Games, game: str, form: ArrangeForm, key: str | None) -> Table:
    """Change one seat; the game begins when no seat is open any more."""
    live = await games.get(game)
    async with live.lock:
        while True:
            found = _arranged(live, form, key)
            try:
                await _happen(games, live, found)
            except Overtaken:  # somebody sat down meanwhile: asked again of the table as it is now
                continue
            return live.table()


async def cancel(games: Games, game: str, key: str | None) -> Table:
    """Nobody sits down any more. What was cancelled already stays so."""
    live = await games.get(game)
    async with live.lock:
        while not live.room.cancelled:
            _check_host(live, key)
            try:
                await games.happen(live, [Cancelled()])
            except Overtaken:
                continue
    return live.table()


async def _happen(games: Games, live: LiveGame, found: Arrangement) -> None:
    room = live.room
    seats = tuple(Seated(row.kind, row.name, row.colour, row.bot) for row in found.seats)
    full = all(row.kind != "open" for row in found.seats) and not room.unmixed()
    events: list[Event] = [Arranged(seats), *([Begun()] if full else [])]

    async def write(rows: Sequence[Row]) -> bool:
        done = await games.store.arrange(room.id, rows, found.seats, found.places)
        if done and found.places:
            live.held_by(live.holders.moved(found.places))
        return done

    await games.happen(live, events, write=write)


def _check_waiting(room: Room) -> None:
    if room.status != WAITING:
        raise Refusal("begun", "the game has begun, so its seats stay as they are")


def _check_host(live: LiveGame, key: str | None) -> None:
    _check_waiting(live.room)
    if key is None or live.room.maker != key:
        raise Refusal("not-host", "only whoever made the table arranges or cancels it", 403)


def _arranged(live: LiveGame, form: ArrangeForm, key: str | None) -> Arrangement:
    room = live.room
    _check_waiting(room)
    if room.arranged >= MOST_ARRANGED:
        sentence = f"the seats of a table are changed at most {MOST_ARRANGED} times"
        raise Refusal("arrange-often", sentence, 429, about=str(MOST_ARRANGED))
    if not 1 <= form.seat <= len(room.seats):
        raise Refusal("no-such-seat", f"this table has seats 1 to {len(room.seats)}", 422, field="seat")
    seats = list(room.seats)
    if form.name is not None or form.colour is not None:
        if form.seat not in live.holders.seats_of(key):
            raise Refusal("not-your-seat", f"seat {form.seat} is not yours", 403)
        seats = _dressed(seats, form)
    if form.bot is not None:
        _check_host(live, key)
        seats = _filled(seats, form.seat, form.bot)
    if form.to is None:
        return Arrangement(seats, {})
    _check_host(live, key)
    return _swapped(seats, form.seat, form.to)


def _dressed(seats: list[SeatRow], form: ArrangeForm) -> list[SeatRow]:
    """Another name or colour. A colour that an open seat or a bot has is exchanged with it."""
    mine = seats[form.seat - 1]
    name, colour = mine.name if form.name is None else form.name, form.colour or mine.colour
    other = next((row for row in seats if row.colour == colour and row.seat != form.seat), None)
    if other is not None and other.kind == "person":
        raise Refusal("colour-taken", "somebody else has this colour", about=colour)
    changed = {form.seat: mine._replace(name=name, colour=colour)}
    if other is not None:
        changed[other.seat] = other._replace(colour=mine.colour)
    return [changed.get(row.seat, row) for row in seats]


def _filled(seats: list[SeatRow], seat: int, bot: str) -> list[SeatRow]:
    """A bot on a seat that is open, another one instead of a bot, or with no name the seat open again."""
    before = seats[seat - 1]
    if before.kind == "person":
        raise Refusal("seat-taken", "somebody sits on this seat")
    if bot:
        check_bot(bot)
    after = SeatRow(seat, "bot", bot.split(":")[0].capitalize(), before.colour, bot) if bot else None
    return [*seats[: seat - 1], after or SeatRow(seat, "open", "", before.colour, ""), *seats[seat:]]


def _swapped(seats: list[SeatRow], seat: int, to: int) -> Arrangement:
    """Two seats change places, with whoever sits there."""
    if not 1 <= to <= len(seats):
        raise Refusal("no-such-seat", f"this table has seats 1 to {len(seats)}", 422, field="to")
    places = {seat: to, to: seat} if seat != to else {}
    moved = sorted((row._replace(seat=places.get(row.seat, row.seat)) for row in seats), key=lambda row: row.seat)
    return Arrangement(moved, places)
