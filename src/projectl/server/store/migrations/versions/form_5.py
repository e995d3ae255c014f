"""Invitations say what they are for and how long; a game's row has its table as others see it, for the lists."""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"


def upgrade() -> None:
    op.add_column("invites", sa.Column("purpose", sa.String(10), nullable=False, server_default="seat"))
    op.add_column("invites", sa.Column("made", sa.Float, nullable=False, server_default="0"))
    op.add_column("invites", sa.Column("expires", sa.Float))
    op.execute(
        "UPDATE invites SET made = (SELECT created FROM games WHERE games.game = invites.game), purpose ="
        " CASE WHEN EXISTS (SELECT 1 FROM keys WHERE keys.game = invites.game AND keys.seat = invites.seat)"
        " THEN 'device' ELSE 'seat' END"
    )
    op.add_column("games", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("games", sa.Column("summary", sa.Text, nullable=False, server_default=""))
    op.execute("UPDATE games SET due = 0 WHERE status = 'waiting'")  # they do not wait for ever any more
    op.create_index("invites_game", "invites", ["game"])
    with op.batch_alter_table("invites") as invites:
        invites.alter_column("purpose", server_default=None)
        invites.alter_column("made", server_default=None)
    with op.batch_alter_table("games") as games:
        games.alter_column("version", server_default=None)
        games.alter_column("summary", server_default=None)
