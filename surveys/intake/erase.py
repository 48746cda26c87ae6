"""Erasing what the database keeps of rows after they were deleted.

SQLite overwrites deleted rows (secure_delete) but its write-ahead log holds whole pages of the inbox until it
is truncated. What PostgreSQL keeps, and where, is told in `erase_postgresql`.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from surveys.intake.erase_postgresql import erase_inbox, erase_log

# The checkpoint waits this long for readers; while it waits nobody can write, so it rather comes again.
MILLISECONDS_TO_WAIT = 200


@dataclass
class _Due:
    """Whether traces may be left in the table and in the log; both at the start, since an earlier process
    may have died before erasing."""

    table: bool = True
    log: bool = True


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
    if after_mixing:
        _traces.table = _traces.log = True
    # Inside somebody's transaction neither is possible, nor would it help: the rows are not deleted yet.
    if not connection.in_atomic_block:
        if connection.vendor == "sqlite":
            _traces.table = False
            _traces.log = _traces.log and not _truncate_log()
        else:
            _traces.table = _traces.table and not erase_inbox(milliseconds=MILLISECONDS_TO_WAIT)
            # In this order: what makes the table anew is in the log too.
            _traces.log = _traces.log and (_traces.table or not erase_log())
    return not (_traces.table or _traces.log)


def _truncate_log() -> bool:
    with connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")
        try:
            busy = cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
    return busy == 0
