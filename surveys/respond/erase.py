"""Erasing what the database keeps of rows after they were deleted.

SQLite overwrites deleted rows (secure_delete) but its write-ahead log holds whole pages of the inbox until it
is truncated. PostgreSQL keeps dead rows until VACUUM.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

# The checkpoint waits this long for readers; while it waits nobody can write, so it rather comes again.
MILLISECONDS_TO_WAIT = 200


@dataclass
class _Due:
    """Whether traces may be left; true at the start, since an earlier process may have died before
    erasing."""

    due: bool = True


_traces = _Due()


def erase_traces(*, after_mixing: bool) -> bool:
    """Remove what is left of mixed rows outside their batches.

    A reader may hold on to the old pages; the traces then stay due, and the next call tries again.

    Parameters
    ----------
    after_mixing : bool
        Whether rows were deleted since the last call.

    Returns
    -------
    bool
        Whether nothing is left, as far as the database can tell.
    """
    _traces.due = _traces.due or after_mixing
    # Inside somebody's transaction neither is possible, nor would it help: the rows are not deleted yet.
    if _traces.due and not connection.in_atomic_block:
        _traces.due = not (_truncate_log() if connection.vendor == "sqlite" else _vacuum())
    return not _traces.due


def _truncate_log() -> bool:
    with connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")
        try:
            busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
    return busy == 0


def _vacuum() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM surveys_inbox")
    return True
