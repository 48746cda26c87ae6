"""Rewrite receipts in another order, so that their places do not show when they were written; delete them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Coalesce

from surveys.models import Survey

ROWS_AT_ONCE: Final = 5_000
"""Most receipts of one transaction, consecutive by key, so that other writers do not wait long."""

RECENTLY: Final = timedelta(days=9)
"""Longer than the rows of a survey may wait for an absent mixer, plus one night."""

# Only conditions from this module are inserted.
_TAKE: Final = 'DELETE FROM surveys_receipt WHERE survey_id = %s AND {0} RETURNING survey_id, "key", digest'
_PUT: Final = 'INSERT INTO surveys_receipt (survey_id, "key", digest, fresh) VALUES (%s, %s, %s, false)'
_POSTGRESQL: Final = (
    f"WITH taken AS ({_TAKE}) INSERT INTO surveys_receipt (survey_id, key, digest, fresh) "  # noqa: S608
    "SELECT survey_id, key, digest, false FROM taken ORDER BY key"
)
_LAST: Final = (
    'SELECT "key" FROM surveys_receipt WHERE survey_id = %s AND {0} AND "key" > %s '
    'ORDER BY "key" LIMIT 1 OFFSET %s'
)
_DELETE: Final = "DELETE FROM surveys_receipt WHERE survey_id = %s AND {0}"
_COUNT_USED: Final = "SELECT COUNT(digest) FROM surveys_receipt WHERE survey_id = %s AND {0}"
_USED: Final = "digest IS NOT NULL"


def fresh_receipts_rewrite(survey_id: int) -> None:
    """Rewrite the receipts that arrived since the last mix, in the order of their keys, in a transaction."""
    _rewrite("fresh", survey_id)


def receipts_rewrite(survey_id: int) -> None:
    """Rewrite all receipts of a survey in the order of their keys, some thousands at a time.

    Unused invitations stay in place, because they were written together with the list of codes.
    """
    for condition, bounds in _ranges(survey_id, _USED):
        _rewrite(condition, survey_id, *bounds)


def receipts_delete(survey_id: int) -> None:
    """Delete all receipts of a survey, some thousands at a time, so that others can write in between.

    The survey counts the answers whose receipts are deleted, so `received_counts` does not change. Receipts
    are deleted in the order of their keys, which is random, so an interrupted deletion shows nothing about
    times.
    """
    for condition, bounds in _ranges(survey_id, "true"):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_COUNT_USED.format(condition), [survey_id, *bounds])
            (used,) = cursor.fetchone()
            cursor.execute(_DELETE.format(condition), [survey_id, *bounds])
            if used:
                counted = Coalesce("receipts_deleted", 0) + used
                Survey.objects.filter(pk=survey_id).update(receipts_deleted=counted)


def open_receipts_rewrite(*, at: datetime) -> None:
    """Rewrite in the order of their keys all receipts of every survey that accepted answers recently.

    This includes recently settled surveys, because a mixer may have died before it rewrote their receipts.
    """
    is_recent = Q(settled=False) | Q(accepts_until__gt=at - RECENTLY)
    for survey_id in Survey.objects.filter(is_recent).values_list("pk", flat=True):
        receipts_rewrite(survey_id)


def _ranges(survey_id: int, condition: str) -> Iterator[tuple[str, list[bytes]]]:
    """Yield conditions with parameters that split a survey's receipts into consecutive ranges of keys."""
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
            # One statement moves the receipts, so their values never leave the server.
            cursor.execute(_POSTGRESQL.format(condition), [survey_id, *bounds])
            return
        cursor.execute(_TAKE.format(condition), [survey_id, *bounds])
        receipts = [(survey, bytes(key), bytes(digest)) for survey, key, digest in cursor.fetchall()]
        cursor.executemany(_PUT, sorted(receipts))
