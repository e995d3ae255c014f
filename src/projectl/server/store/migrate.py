"""Bring a store to the present form when it is opened; an older one is copied first."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.engine import URL

from projectl.server.errors import StoreError
from projectl.server.store.files import file_of, for_its_owner

_FOLDER: Final = Path(__file__).parent / "migrations"


def _config(url: URL) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.set_main_option("sqlalchemy.url", url.render_as_string(hide_password=False).replace("%", "%%"))
    return config


def forms(url: URL) -> tuple[str | None, str]:
    """The form that a store has, None if it is empty, and the one it should have."""
    script = ScriptDirectory.from_config(_config(url))
    newest = script.get_current_head()
    assert newest is not None
    engine = create_engine(url, hide_parameters=True)
    try:
        with engine.connect() as connection:
            present = MigrationContext.configure(connection).get_current_revision()
    finally:
        engine.dispose()
    known = {revision.revision for revision in script.walk_revisions()}
    if present is not None and present not in known:
        raise StoreError("store-newer", f"the store was made by a newer version of this program (form {present})")
    return present, newest


def migrate(url: URL) -> Path | None:
    """Upgrade the store; the path of the copy that was made before, if there was something to copy."""
    file = file_of(url)
    if file is not None:
        for_its_owner(file)
    present, newest = forms(url)
    if present == newest:
        return None
    copy = _copy(url, present) if present is not None else None
    command.upgrade(_config(url), "head")
    return copy


def _copy(url: URL, present: str) -> Path | None:
    """A copy of an SQLite store beside it. PostgreSQL has its own backups, and migrates in one transaction."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    path = Path(f"{url.database}.before-{present}")
    number = 1
    while path.exists():
        number += 1
        path = Path(f"{url.database}.before-{present}-{number}")
    with closing(sqlite3.connect(url.database)) as source, closing(sqlite3.connect(path)) as target:
        for_its_owner(path)
        source.backup(target)
    return path
