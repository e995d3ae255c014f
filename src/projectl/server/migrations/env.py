"""Alembic's way in: run the migrations over one connection, in one transaction."""

from alembic import context
from sqlalchemy import create_engine

from projectl.server.schema import METADATA

engine = create_engine(context.config.get_main_option("sqlalchemy.url") or "")
with engine.begin() as connection:
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
engine.dispose()
