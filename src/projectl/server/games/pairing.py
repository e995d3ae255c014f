"""Play anybody: a seat where somebody waits for the same kind of game, else a table at which the next one sits down."""

from typing import Final

from projectl.core.errors import ProjectLError
from projectl.core.rules import DEFAULT_EDITION
from projectl.server.errors import Refusal
from projectl.server.games import invitations, tables
from projectl.server.games.live import LiveGame
from projectl.server.games.memory import Games
from projectl.server.games.room import WAITING
from projectl.server.http.forms import ClockForm, JoinForm, PairForm, SeatForm, TableForm
from projectl.server.http.messages import Clock, Table, decode_table
from projectl.server.http.replies import Paired
from projectl.server.secret import hashed

# How long a game may take; who plays by the day need not be there when the other comes.
PACES: Final = {"quick": Clock(game=600.0), "calm": Clock(game=1800.0), "days": Clock(move=3 * 86_400.0)}
_LISTS: Final = 4  # pages of public tables that are looked through


async def pair(games: Games, form: PairForm, key: str) -> Paired:
    """A seat at a game of this kind. One after the other, so that two who come at once meet."""
    async with games.pairing:
        waiting = await _waiting(games, form)
        for live in waiting:
            mine = live.holders.seats_of(hashed(key))
            if mine:
                return Paired(live.room.id, mine[0], live.table())
        for live in waiting:
            if _somebody_is_there(live, form.clock):
                try:
                    joined = await invitations.join(games, live.room.id, _seat(live, form), key)
                except Refusal:  # it was taken a moment ago
                    continue
                return Paired(joined.game, joined.seat, live.table())
        return await _new(games, form, key)


async def _waiting(games: Games, form: PairForm) -> list[LiveGame]:
    """The tables where this kind of game waits for players, the oldest first."""
    found: list[LiveGame] = []
    after: str | None = None
    for _ in range(_LISTS):
        listing = await games.store.open_tables(after)
        for listed in listing.games:
            if listed.summary and not _fits(decode_table(listed.summary), form):
                continue
            try:
                live = await games.get(listed.game)
            except ProjectLError:  # it cannot be loaded, and the log says why
                continue
            if live.room.status == WAITING and _fits(live.table(), form):
                found.append(live)
        if not listing.more:
            break
        after = listing.games[-1].game
    return found[::-1]


def _fits(table: Table, form: PairForm) -> bool:
    """Nothing at the table is different from what was asked for."""
    setup = table.setup
    plain = setup.edition == DEFAULT_EDITION and not setup.modules and not setup.cards and not table.open_deck
    same = plain and setup.players == form.players and table.clock == PACES[form.clock]
    return same and table.undo and not table.hints and all(seat.kind != "bot" for seat in table.seats)


def _somebody_is_there(live: LiveGame, clock: str) -> bool:
    """Whether those who wait still do."""
    people = {row.seat for row in live.room.seats if row.kind == "person"}
    return bool(people) and (clock == "days" or people <= live.online())


def _seat(live: LiveGame, form: PairForm) -> JoinForm:
    taken = {row.colour for row in live.room.seats if row.kind == "person"}
    return JoinForm(name=form.name, colour="" if form.colour in taken else form.colour, luck=form.luck)


async def _new(games: Games, form: PairForm, key: str) -> Paired:
    clock = PACES[form.clock]
    made = await tables.make_table(
        games,
        TableForm(
            players=form.players,
            public=True,
            clock=ClockForm(move=clock.move, game=clock.game),
            seats=[SeatForm(kind="me", name=form.name, colour=form.colour)],
        ),
        key,
    )
    return Paired(made.game, made.seats[0], made.table)
