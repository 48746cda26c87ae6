"""The log of the database: whether a deletion in it is final, on this server and on its standbys."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import connection

# How long a checkpoint waits for readers. No one can write during that time, so retrying is better.
MILLISECONDS_TO_WAIT: Final = 200


# A standby whose position this database role cannot read counts as having replayed nothing.
_STANDBYS = """
    SELECT COUNT(*), COUNT(*) FILTER (WHERE replay_lsn >= %s::pg_lsn) FROM pg_stat_replication
    WHERE application_name <> 'pg_basebackup'
"""


_SLOTS = """
    SELECT COUNT(*) FROM pg_replication_slots
    WHERE slot_type = 'physical' AND NOT active AND (restart_lsn IS NULL OR restart_lsn < %s::pg_lsn)
"""


def truncate_log() -> bool:
    """Write SQLite's log into the database and empty it; return False if a reader prevents it.

    This is impossible inside a transaction. PostgreSQL has no such log.
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
    """Return the current position of PostgreSQL's log; with SQLite, a constant word."""
    if connection.vendor != "postgresql":
        return "log"
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()::text")
        return str(cursor.fetchone()[0])


def standbys_have_replayed(position: str) -> bool:
    """Return whether every configured standby has replayed the log up to a position.

    Standbys count if they are connected or have a physical replication slot. There must be at least
    SOTTOVOCE_STANDBYS of them.
    """
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(_STANDBYS, [position])
        n_standbys, n_replayed = cursor.fetchone()
        cursor.execute(_SLOTS, [position])
        (behind,) = cursor.fetchone()
    return bool(n_standbys == n_replayed and n_replayed >= settings.SOTTOVOCE_STANDBYS and not behind)
