"""Events as JSON; a rematch is an event of the game before it; games carry the rules version they were made under.

Seats stay as they stand: who took one before this form is not in the events.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"
_AT_ONCE = 1000


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column("games", sa.Column("rules", sa.Integer, nullable=False, server_default="1"))
    events = op.create_table(
        "events_as_json",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.game"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("message", sa.String(64), nullable=False),
    )
    for rows in _batches(_happened(connection)):
        connection.execute(sa.insert(events), rows)
    for rows in _batches(_rematches(connection)):
        connection.execute(sa.insert(events), rows)
    op.drop_table("events")
    op.rename_table("events_as_json", "events")
    with op.batch_alter_table("games") as games:
        games.drop_column("rematch")
        games.alter_column("rules", server_default=None)


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == _AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _happened(connection: sa.Connection) -> Iterator[dict[str, Any]]:
    for game, version, seat, text, at, message in connection.execute(
        sa.text("SELECT game, version, seat, text, at, message FROM events")
    ).fetchall():
        yield _row(game, version, _event(seat, text), at, message)


def _event(seat: int, text: str) -> dict[str, Any]:
    """What the first words of a text meant."""
    verb, _, rest = text.partition(" ")
    match verb:
        case "undo":
            return {"type": "undone", "seat": seat, "to": int(rest)}
        case "resign":
            return {"type": "resigned", "seat": seat}
        case "handover":
            return {"type": "handed_over", "seat": seat, "bot": rest}
        case "say":
            return {"type": "said", "seat": seat, "text": rest}
        case "begin":
            return {"type": "begun"}
    return {"type": "played", "seat": seat, "action": text}


def _rematches(connection: sa.Connection) -> Iterator[dict[str, Any]]:
    """After everything else in the game; of the seat whose key made the other table."""
    for game, rematch, version, at, seat in connection.execute(
        sa.text(
            "SELECT games.game, games.rematch,"
            " (SELECT coalesce(max(version), 0) FROM events WHERE events.game = games.game),"
            " coalesce(other.created, games.created),"
            " (SELECT min(seat) FROM keys WHERE keys.game = games.game AND keys.key = other.maker)"
            " FROM games LEFT JOIN games AS other ON other.game = games.rematch"
            " WHERE games.rematch IS NOT NULL"
        )
    ).fetchall():
        yield _row(game, version + 1, {"type": "rematched", "seat": seat or 1, "game": rematch}, at, "")


def _row(game: str, version: int, event: dict[str, Any], at: float, message: str) -> dict[str, Any]:
    encoded = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return {"game": game, "version": version, "event": encoded, "at": at, "message": message}
