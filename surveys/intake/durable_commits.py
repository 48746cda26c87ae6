"""Durable commits of the intake.

A device forgets its answer after a 200, so a commit is reported only when it is on disk. A key is destroyed
only when the deletion of its last row cannot be undone: neither by a replayed log (SQLite) nor by a standby
that takes over before it has received the deletion (PostgreSQL).
"""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

# Keep remote_apply, which is stronger: it waits until standbys have applied a commit.
_COMMIT_DURABLY = """
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') <> 'remote_apply'
"""


def commit_durably(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Make PostgreSQL confirm a new connection's commits only once they are on disk.

    For SQLite, `surveys.environment` configures the same when a connection is opened.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(_COMMIT_DURABLY)
