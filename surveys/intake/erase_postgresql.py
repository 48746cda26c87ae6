"""What PostgreSQL keeps of rows that were deleted, and how it is made to forget them.

The table. A deleted row stays in its page until VACUUM, and VACUUM does not overwrite it: its bytes lie in
the page's free room for as long as other rows keep the page in use. So the table is made anew, with the
rows that still wait, in the order of their random names and by one transaction: the old files are gone, and
neither place (ctid) nor transaction (xmin) of a waiting row is that of its receipt any more.

The log. Receipt and row of a submission are written by one transaction, and the write-ahead log says so
until its files are removed. A checkpoint removes them where the server does not keep them for other ends;
asking for one needs a right that docs/operators.md says how to give. Without it the log is the operator's
to look after, and ``manage.py doctor`` says so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from django.db import OperationalError, connection, transaction

SECONDS_BETWEEN_CHECKPOINTS: Final = 30.0
"""A checkpoint makes the whole server write; busy hours do not get one for each batch."""

_REWRITE = """
    INSERT INTO surveys_inbox ("key", version_id, packed)
    SELECT * FROM unnest(%s::bytea[], %s::bigint[], %s::bytea[])
"""
# pg_checkpoint exists from PostgreSQL 15 on; before, a checkpoint is a superuser's.
_MAY_ERASE_LOG = """
    SELECT has_function_privilege('pg_switch_wal()', 'EXECUTE') AND EXISTS (
        SELECT 1 FROM pg_roles
        WHERE (rolname = 'pg_checkpoint' AND pg_has_role(oid, 'USAGE'))
        OR (rolname = current_user AND rolsuper)
    )
"""


@dataclass
class _Checkpoints:
    """When this process last asked for a checkpoint, by a clock that only runs forward."""

    last: float | None = None


_checkpoints = _Checkpoints()


def erase_inbox(*, milliseconds: int) -> bool:
    """Make the inbox anew; return False when somebody held on to it for so long.

    Submissions wait meanwhile: for this long at most while it is tried, and then for as long as it takes to
    write the few rows that wait.
    """
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{milliseconds}ms"])
            cursor.execute("LOCK TABLE surveys_inbox IN ACCESS EXCLUSIVE MODE")
            cursor.execute('SELECT "key", version_id, packed FROM surveys_inbox ORDER BY "key"')
            rows = cursor.fetchall()
            # Unlike DELETE it leaves nothing for those who still see an older state: pg_dump holds a lock
            # that this one waits for.
            cursor.execute("TRUNCATE surveys_inbox")
            if rows:
                cursor.execute(_REWRITE, [list(column) for column in zip(*rows, strict=True)])
    except OperationalError:
        return False
    return True


def erase_log() -> bool:
    """Have the server remove the log of what was written so far; return False to be asked again later.

    Where this role may not ask for it the answer is True: asking again would not help.
    """
    if not may_erase_log():
        return True
    now = time.monotonic()
    if _checkpoints.last is not None and now - _checkpoints.last < SECONDS_BETWEEN_CHECKPOINTS:
        return False
    with connection.cursor() as cursor:
        # The file being written is closed first: a checkpoint removes whole files, and never the last.
        cursor.execute("SELECT pg_switch_wal()")
        cursor.execute("CHECKPOINT")
    _checkpoints.last = now
    return True


def may_erase_log() -> bool:
    """Return whether this role may have the log switched and a checkpoint made."""
    with connection.cursor() as cursor:
        cursor.execute(_MAY_ERASE_LOG)
        row = cursor.fetchone()
    return bool(row and row[0])
