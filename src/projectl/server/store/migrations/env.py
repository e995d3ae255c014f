"""Alembic's way in: run the migrations over one connection, in one transaction."""

from alembic import context
from sqlalchemy import create_engine

from projectl.server.store.schema import METADATA

engine = create_engine(context.config.get_main_option("sqlalchemy.url") or "", hide_parameters=True)
with engine.begin() as connection:
    # Of processes that start at once the first one migrates; the others wait, and find it done.
    alone = "BEGIN IMMEDIATE" if engine.dialect.name == "sqlite" else "SELECT pg_advisory_xact_lock(595)"
    connection.exec_driver_sql(alone)
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
engine.dispose()
