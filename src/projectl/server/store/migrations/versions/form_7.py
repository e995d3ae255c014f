"""Daily solo games: whose is of which day, and how it ended."""

import sqlalchemy as sa
from alembic import op

revision = "7"
down_revision = "6"


def upgrade() -> None:
    op.add_column("games", sa.Column("day", sa.String(10)))
    op.add_column("games", sa.Column("score", sa.Integer))
    op.create_index("games_day", "games", ["day", "maker"], unique=True)
    op.create_index("games_best", "games", ["day", "score"])
