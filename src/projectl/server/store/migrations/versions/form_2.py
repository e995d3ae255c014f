"""`due`: clocks and bots go on after a restart, whether or not somebody looks at the table."""

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    op.add_column("games", sa.Column("due", sa.Float))
    op.create_index("games_due", "games", ["due"])
    op.execute("UPDATE games SET due = 0 WHERE status = 'playing'")
