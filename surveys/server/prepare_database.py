"""Prepare the database for a start: copy it, migrate it, and say if an earlier one is not used."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from privacy.counted_nouns import counted
from surveys.server.launch import Say
from surveys.server.state import StateKind, database_name, database_state, earlier_files, refuse_database


def prepare_database(*, say: Say) -> None:
    """Apply pending migrations, after copying an SQLite database.

    Raises
    ------
    RefusedDatabaseError
        The database is not this program's, so nothing was changed.
    """
    refuse_database(prepared=False)
    _say_what_is_old(say=say)
    executor = MigrationExecutor(connection)
    # Count a squashed migration as applied if all migrations that it replaces are.
    executor.check_replacements()
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not pending and database_state().kind is StateKind.OK:
        say(f"database: {connection.vendor}, up to date")
        return
    if connection.vendor == "sqlite" and pending and executor.loader.applied_migrations:
        copy = copy_sqlite(Path(connection.settings_dict["NAME"]))
        say(f"database: copied to {copy}, because it is about to change")
    say(f"database: {connection.vendor}, applying {counted(len(pending), 'migration')}")
    call_command("migrate", interactive=False, verbosity=0)


def _say_what_is_old(*, say: Say) -> None:
    """Say what shows that another database was used here before, whose surveys would seem lost."""
    home = Path(settings.SOTTOVOCE_HOME)
    for path in earlier_files(home):
        say(f"database: {path} has the program's earlier name and is not used; see doctor")
    if database_state().kind is StateKind.EMPTY:
        old = [
            str(place)
            for place in (home / "columns", Path(settings.SOTTOVOCE_MIXER_KEYS))
            if place.is_dir() and any(place.iterdir())
        ]
        if old:
            say(
                f"database: {database_name()} is empty, but {' and '.join(old)} belong to one that was used "
                "here before. If you miss its surveys, stop and restore a backup (docs/operators.md)"
            )


def copy_sqlite(database: Path) -> Path:
    """Copy a live SQLite database to the same directory and return the copy's path.

    Only the newest copy is kept, because a copy also contains the answers that waited to be mixed.
    """
    copy = database.with_name(f"{database.name}.before-migration")
    draft = copy.with_name(f"{copy.name}.part")
    draft.unlink(missing_ok=True)
    with (
        contextlib.closing(sqlite3.connect(database)) as source,
        contextlib.closing(sqlite3.connect(draft)) as target,
    ):
        source.backup(target)
    draft.replace(copy)
    return copy
