"""Which games are shown in lists, a page at a time."""

from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from projectl.server.store.schema import GAMES, KEYS

PAGE: Final = 50


class Listed(NamedTuple):
    """A game in a list."""

    game: str
    summary: str  # its table as JSON; empty in a store that an older version wrote, until the game is loaded


class Listing(NamedTuple):
    """A page of a list."""

    games: list[Listed]
    more: bool  # whether another page follows


class Scored(NamedTuple):
    """A daily solo game that is over."""

    game: str
    maker: str
    score: int
    summary: str


class Best(NamedTuple):
    """The best solo games of a day."""

    games: list[Scored]
    finished: int  # so many are over


def best(connection: Connection, day: str) -> Best:
    """The best solo games of a day, the earlier first of two that are equal."""
    over = and_(GAMES.c.day == day, GAMES.c.score.is_not(None))
    wanted = select(GAMES.c.game, GAMES.c.maker, GAMES.c.score, GAMES.c.summary).where(over)
    wanted = wanted.order_by(GAMES.c.score.desc(), GAMES.c.created, GAMES.c.game).limit(PAGE)
    count = select(func.count()).select_from(GAMES).where(over)
    return Best([Scored(*row) for row in connection.execute(wanted)], connection.execute(count).scalar_one())


def public(connection: Connection, after: str | None) -> Listing:
    """Public games that wait for players, the newest first, after one of them."""
    return _page(connection, and_(GAMES.c.public == 1, GAMES.c.status == "waiting"), after)


def of_key(connection: Connection, key: str, after: str | None) -> Listing:
    """The games in which a key has a seat, the newest first, after one of them."""
    return _page(connection, GAMES.c.game.in_(select(KEYS.c.game).where(KEYS.c.key == key)), after)


def _page(connection: Connection, which: ColumnElement[bool], after: str | None) -> Listing:
    wanted = select(GAMES.c.game, GAMES.c.summary).where(which)
    if after is not None:
        at = select(GAMES.c.created).where(GAMES.c.game == after).scalar_subquery()
        wanted = wanted.where(or_(GAMES.c.created < at, and_(GAMES.c.created == at, GAMES.c.game < after)))
    wanted = wanted.order_by(GAMES.c.created.desc(), GAMES.c.game.desc()).limit(PAGE + 1)
    found = [Listed(*row) for row in connection.execute(wanted)]
    return Listing(found[:PAGE], len(found) > PAGE)
