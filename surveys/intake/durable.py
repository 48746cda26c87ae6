"""Durable writes and deletions: what a crash can neither take back nor restore.

A device forgets its answer once it was told 200, so no commit may be told of before it is on the disk. A key
may be destroyed only after the deletion of its last row cannot be undone: not by a log that is played again
(SQLite), and not by a standby that takes over before it has heard of it (PostgreSQL).
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

# The checkpoint waits this long for readers; while it waits nobody can write, so it rather comes again.
MILLISECONDS_TO_WAIT: Final = 200

# A standby that this role may not look at has no position here, and counts as one that has replayed nothing.
_STANDBYS = """
    SELECT COUNT(*), COUNT(*) FILTER (WHERE replay_lsn >= %s::pg_lsn) FROM pg_stat_replication
    WHERE application_name <> 'pg_basebackup'
"""
_SLOTS = """
    SELECT COUNT(*) FROM pg_replication_slots
    WHERE slot_type = 'physical' AND NOT active AND (restart_lsn IS NULL OR restart_lsn < %s::pg_lsn)
"""

# What waits for standbys to have applied a commit is stronger, and stays.
_COMMIT_DURABLY = """
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') <> 'remote_apply'
"""


def commit_durably(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Have PostgreSQL answer a new connection's commits when they are on its disk, whatever it is set to.

    SQLite is told so as each connection is opened, by `surveys.server.environment`.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(_COMMIT_DURABLY)


def truncate_log() -> bool:
    """Have SQLite fold its log into the database and empty it; return False where a reader holds on to it.

    Inside somebody's transaction that is not possible, nor would it help. PostgreSQL has no such log.
    """
    if connection.vendor != "sqlite":
        return True
    if connection.in_atomic_block:
        return False
    with connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")
        try:
            busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
    return bool(busy == 0)


def log_position() -> str:
    """Return where PostgreSQL's log stands now; with SQLite a word that says only that there is one."""
    if connection.vendor != "postgresql":
        return "log"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()::text")
        return str(cursor.fetchone()[0])


def standbys_have_replayed(position: str) -> bool:
    """Return whether every configured standby has replayed the log up to there.

    Configured are those that are connected, those that hold a physical replication slot, and so many in all
    as SOTTO_STANDBYS says.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(_STANDBYS, [position])
        connected, replayed = cursor.fetchone()
        cursor.execute(_SLOTS, [position])
        (behind,) = cursor.fetchone()
    return bool(connected == replayed and replayed >= settings.SOTTO_STANDBYS and not behind)
