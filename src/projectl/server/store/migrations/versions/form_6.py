"""Keys that whoever runs the server has banned."""

import sqlalchemy as sa
from alembic import op

revision = "6"
down_revision = "5"


def upgrade() -> None:
    op.create_table(
        "banned",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
    )
