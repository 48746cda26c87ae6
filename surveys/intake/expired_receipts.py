"""Delete the receipts of surveys that closed a week ago; a sweeper's step.

A receipt lets a device send the same answer again without storing it twice, and a code be used only once. A
closed survey accepts no answer, and devices give up after seven days. From then on receipts serve no one, and
with the list of codes they show who answered. They are also most of the bytes of a survey.
"""

from __future__ import annotations

import math
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from django.db import OperationalError, connection
from django.db.models import Exists, OuterRef
from django.utils import timezone

from surveys.intake.database_log import truncate_log
from surveys.intake.receipts import receipts_delete
from surveys.models import Receipt, Survey

SERVES_FOR: Final = timedelta(days=7)
"""How long after the end of acceptance devices send again: ``KEEP_MILLISECONDS`` in ``seal.js``."""

LEAST_UNUSED_BYTES: Final = 64 * 1024**2
"""Unused bytes that are worth rewriting a file, if they are also a quarter of it."""

MOST_ROWS_MEANWHILE: Final = 100_000
"""Most receipts for which PostgreSQL rewrites their table while surveys accept answers: about 0.2 s."""

_RECEIPT_BYTES: Final = 150
"""Size of a receipt with its indexes in PostgreSQL (`python -m benchmarks.scale expired`)."""

# Its size, and the number of its rows when it was last vacuumed or analysed; -1 if it never was.
_TABLE: Final = """
    SELECT pg_total_relation_size(oid), reltuples::bigint FROM pg_class
    WHERE oid = 'surveys_receipt'::regclass
"""


def expired_receipts_delete(*, now: datetime) -> list[str]:
    """Delete the receipts of all settled surveys that stopped accepting answers seven days before `now`.

    Returns
    -------
    list of str
        Slugs of these surveys.
    """
    surveys = Survey.objects.filter(
        Exists(Receipt.objects.filter(survey=OuterRef("pk"))),
        state=Survey.State.CLOSED,
        settled=True,
        accepts_until__lte=now - SERVES_FOR,
    )
    expired = list(surveys.order_by("pk").values_list("pk", "slug"))
    for pk, _slug in expired:
        receipts_delete(pk)
    if expired and connection.vendor == "postgresql" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            # It also counts the rows that remain, for `space_give_back`.
            cursor.execute("VACUUM surveys_receipt")
    return [slug for _pk, slug in expired]


def space_give_back(*, now: datetime) -> bool:
    """Rewrite SQLite's file, or PostgreSQL's table of receipts, without unused space, if that is worth it.

    Writers wait meanwhile, about one second per 100 MB that remain. So SQLite's file is rewritten only while
    no survey accepts answers, and PostgreSQL's table also if few receipts remain.

    Returns
    -------
    bool
        Whether it was rewritten.
    """
    if connection.in_atomic_block:
        return False
    is_busy = any(not survey.closed_to_bodies(now) for survey in _unsettled())
    if connection.vendor == "sqlite":
        return not is_busy and _sqlite_rewrite()
    return _postgresql_rewrite(math.inf if not is_busy else MOST_ROWS_MEANWHILE)


def _sqlite_rewrite() -> bool:
    with connection.cursor() as cursor:
        unused, pages, page_bytes = (
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("freelist_count", "page_count", "page_size")
        )
        if unused * page_bytes < LEAST_UNUSED_BYTES or unused * 4 < pages:
            return False
        # The rewritten file and its log exist next to the old file for a moment.
        folder = Path(connection.settings_dict["NAME"]).parent
        if shutil.disk_usage(folder).free < 3 * (pages - unused) * page_bytes:
            return False
        cursor.execute("VACUUM")
    truncate_log()
    return True


def _postgresql_rewrite(most_rows: float) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_TABLE)
        size, rows = cursor.fetchone()
        unused = size - rows * _RECEIPT_BYTES
        if not 0 <= rows <= most_rows or unused < LEAST_UNUSED_BYTES or unused * 4 < size:
            return False
        # Answers wait for this lock too, so give up soon and try again in a later round.
        cursor.execute("SET lock_timeout = '1s'")
        try:
            cursor.execute("VACUUM FULL surveys_receipt")
        except OperationalError:
            return False
        finally:
            cursor.execute("RESET lock_timeout")
    return True


def receipts_step() -> None:
    """Delete expired receipts now, and give back their space."""
    now = timezone.now()
    expired_receipts_delete(now=now)
    space_give_back(now=now)


def _unsettled() -> list[Survey]:
    return list(Survey.objects.exclude(state=Survey.State.DRAFT).exclude(settled=True))
