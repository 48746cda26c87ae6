"""Receipts in the order of their random keys, so that neither place nor transaction says which came first.

Receipts are inserted as answers arrive, and a database shows in which order: by a row's place in its page, or
by the number of the transaction that wrote it. Those that came since the last mix are fresh: a mix deletes
them and inserts them again in the order of their keys, all in one transaction. Then they still say between
which mixes they came; so once a day, and when a survey is settled, all of a survey are written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Q

from surveys.models import Survey

ROWS_AT_ONCE: Final = 5_000
"""Most receipts of one transaction, consecutive by their keys: writers wait for no longer one."""

OF_LATE: Final = timedelta(days=9)
"""Longer than a survey's rows may wait for a mixer that is away, and a night."""

# Filled with conditions of this module only.
_TAKE: Final = 'DELETE FROM surveys_receipt WHERE survey_id = %s AND {0} RETURNING survey_id, "key", digest'
_PUT: Final = 'INSERT INTO surveys_receipt (survey_id, "key", digest, fresh) VALUES (%s, %s, %s, false)'
_POSTGRESQL: Final = (
    f"WITH taken AS ({_TAKE}) INSERT INTO surveys_receipt (survey_id, key, digest, fresh) "  # nosec B608
    "SELECT survey_id, key, digest, false FROM taken ORDER BY key"
)
_LAST: Final = (
    'SELECT "key" FROM surveys_receipt WHERE survey_id = %s AND {0} AND "key" > %s '
    'ORDER BY "key" LIMIT 1 OFFSET %s'
)
_DELETE: Final = "DELETE FROM surveys_receipt WHERE survey_id = %s AND {0}"
_USED: Final = "digest IS NOT NULL"


def fresh_receipts_rewrite(survey_id: int) -> None:
    """Write the receipts that came since the last mix in the order of their keys, inside a transaction."""
    _rewrite("fresh", survey_id)


def receipts_rewrite(survey_id: int) -> None:
    """Write all receipts of a survey in the order of their keys, some thousands at a time.

    Invitations that nobody has used stay where they are: they came with the list of codes.
    """
    for condition, bounds in _ranges(survey_id, _USED):
        _rewrite(condition, survey_id, *bounds)


def receipts_delete(survey_id: int) -> None:
    """Delete all receipts of a survey, some thousands at a time: others store theirs in between."""
    for condition, bounds in _ranges(survey_id, "true"):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_DELETE.format(condition), [survey_id, *bounds])


def open_receipts_rewrite(*, at: datetime) -> None:
    """Write all receipts of every survey in the order of their keys that took answers of late.

    Those that were settled within some days are among them: a mixer may have died before it came to theirs.
    """
    open_of_late = Q(settled=False) | Q(accepts_until__gt=at - OF_LATE)
    for survey_id in Survey.objects.filter(open_of_late).values_list("pk", flat=True):
        receipts_rewrite(survey_id)


def _ranges(survey_id: int, condition: str) -> Iterator[tuple[str, list[bytes]]]:
    """Yield conditions, with their parameters, that take a survey's receipts apart in the order of keys."""
    start = b""
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_LAST.format(condition), [survey_id, start, ROWS_AT_ONCE - 1])
            last = cursor.fetchone()
        if last is None:
            yield f'{condition} AND "key" > %s', [start]
            return
        end = bytes(last[0])
        yield f'{condition} AND "key" > %s AND "key" <= %s', [start, end]
        start = end


def _rewrite(condition: str, survey_id: int, *bounds: bytes) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # The values never leave the server.
            cursor.execute(_POSTGRESQL.format(condition), [survey_id, *bounds])
            return
        cursor.execute(_TAKE.format(condition), [survey_id, *bounds])
        taken = [(survey, bytes(key), bytes(digest)) for survey, key, digest in cursor.fetchall()]
        cursor.executemany(_PUT, sorted(taken))
