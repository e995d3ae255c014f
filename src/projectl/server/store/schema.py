"""The tables of the store. Events are only ever added; the rest of a game's row can be made from them."""

from typing import Final

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

METADATA: Final = MetaData()

GAMES: Final = Table(
    "games",
    METADATA,
    Column("game", String(40), primary_key=True),
    Column("created", Float, nullable=False),
    Column("header", Text, nullable=False),  # of the record, the seed included
    Column("salt", String(64), nullable=False),
    Column("plan", Text, nullable=False),  # how the table is run, as JSON: server/games/settings.py
    Column("maker", String(64), nullable=False),  # hash of the key that made the table
    Column("status", String(10), nullable=False),  # waiting, playing, over
    Column("public", Integer, nullable=False),
    Column("due", Float),  # when the server itself has to do something: a clock runs out, a bot is to act
    Column("rules", Integer, nullable=False),  # the engine's rules version when it was made
    Column("version", Integer, nullable=False),  # of the last event that status, due and summary know of
    Column("summary", Text, nullable=False),  # the table as others see it, as JSON, for the lists
    Column("day", String(10)),  # of a daily solo game, as 2026-11-18
    Column("score", Integer),  # how it ended: so many points ahead of the mastermind
    Index("games_day", "day", "maker", unique=True),  # one a day for each key
    Index("games_best", "day", "score"),
    Index("games_due", "due"),
    Index("games_public", "public", "status", "created"),
)

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("game", String(40), ForeignKey("games.game"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("event", Text, nullable=False),  # as JSON: server/games/events.py
    Column("at", Float, nullable=False),
    Column("message", String(64), nullable=False),  # the client's id, so that nothing is done twice
)

SEATS: Final = Table(  # as the table was made: who sat down since is told by its events
    "seats",
    METADATA,
    Column("game", String(40), ForeignKey("games.game"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),  # open, person, bot
    Column("name", String(40), nullable=False),
    Column("colour", String(20), nullable=False),
    Column("bot", String(60), nullable=False),
)

KEYS: Final = Table(
    "keys",
    METADATA,
    Column("key", String(64), primary_key=True),  # the hash; the key itself is with its owner alone
    Column("game", String(40), ForeignKey("games.game"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Index("keys_game", "game"),
)

INVITES: Final = Table(
    "invites",
    METADATA,
    Column("invite", String(64), primary_key=True),  # the hash
    Column("game", String(40), ForeignKey("games.game"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("used", Float),
    Column("purpose", String(10), nullable=False),  # seat, device
    Column("made", Float, nullable=False),
    Column("expires", Float),  # nothing: it was made when they did not
    Index("invites_game", "game"),
)

BANNED: Final = Table(
    "banned",
    METADATA,
    Column("key", String(64), primary_key=True),  # the hash
    Column("at", Float, nullable=False),
    Column("reason", String(200), nullable=False),
)

SECRETS: Final = Table(  # what all processes on this store have to know, and nobody else
    "secrets",
    METADATA,
    Column("name", String(20), primary_key=True),
    Column("value", String(64), nullable=False),
)
