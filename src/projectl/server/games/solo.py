"""The daily solo game: for everybody on this server the same deck, once for each key, and the best of the day."""

import hmac
from datetime import UTC, date, datetime
from typing import Final

from sqlalchemy.exc import IntegrityError

from projectl.server.errors import Refusal
from projectl.server.games.daily import later, today
from projectl.server.games.memory import Games
from projectl.server.games.room import FINISHED
from projectl.server.games.tables import make_daily
from projectl.server.http.forms import SoloForm
from projectl.server.http.messages import decode_table
from projectl.server.http.replies import BestSolo, Paired, SoloDay
from projectl.server.secret import hashed, new_key
from projectl.server.store.lists import Scored

_FORM: Final = "%Y-%m-%d"


async def begin(games: Games, form: SoloForm, key: str) -> Paired:
    """Today's game; whoever has begun it already goes on with it."""
    day = today(games.now())
    game = await games.store.daily_game(day, hashed(key))
    if game is None:
        try:
            made = await make_daily(games, day, await _seed(games, day), form.name, form.colour, key)
            return Paired(made.game, 1, made.table)
        except IntegrityError:  # the same key asked twice at once
            game = await games.store.daily_game(day, hashed(key))
            if game is None:
                raise
    return Paired(game, 1, (await games.get(game)).table())


async def _seed(games: Games, day: str) -> str:
    """The same for everybody on this store, and known to nobody before they play."""
    secret = await games.store.secret("solo", new_key())
    return hmac.digest(secret.encode(), day.encode(), "sha256").hex()[:48]


async def best(games: Games, day: str | None, key: str | None) -> SoloDay:
    """The best of a day. Games are only named to those who cannot learn the deck from them any more."""
    now = today(games.now())
    day = _read(day, now) if day else now
    found = await games.store.best_of_day(day)
    mine = await games.store.daily_game(day, key) if key else None
    over = mine is not None and (await games.get(mine)).room.status == FINISHED
    rows = [_row(one, key, shown=over or day < now) for one in found.games]
    return SoloDay(day, rows, found.finished, mine or "", over)


def _row(one: Scored, key: str | None, *, shown: bool) -> BestSolo:
    table = decode_table(one.summary)
    seat = table.seats[0]
    return BestSolo(seat.name, seat.colour, one.score, one.maker == key, one.game if shown else "")


def _read(text: str, now: str) -> str:
    try:
        day: date = datetime.strptime(text, _FORM).replace(tzinfo=UTC).date()
    except ValueError:
        sentence = f"expected a date as 2026-11-18, found {text[:20]!r}"
        raise Refusal("daily-date", sentence, 422, field="day", about=text[:20]) from None
    if day.isoformat() > now:
        raise later(now)
    return day.isoformat()
