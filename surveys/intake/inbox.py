"""Waiting rows: opened, deleted by name, and sealed again under other names.

Rows are read and opened before the turn to write begins. They are then deleted by name; if a name no longer
exists, another mixer was faster, and the whole transaction is rolled back.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from cryptography.exceptions import InvalidTag
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet

from surveys.intake.boxes import PublicKey, open_box, seal
from surveys.intake.keys import Keyring
from surveys.models import Inbox, MixerKey, Survey, Version

MOST_ROWS: Final = 20_000
"""Most rows of a batch, so that other writers wait only for short transactions."""

_NAMES_AT_ONCE: Final = 500
_INSERT: Final = 'INSERT INTO surveys_inbox ("key", version_id, sealed_under, box) VALUES (%s, %s, %s, %s)'


@dataclass(frozen=True, kw_only=True)
class Opened:
    """Waiting rows of one design that a mixer has opened.

    Attributes
    ----------
    names : list of bytes
        Names of the waiting rows.
    rows : list of bytes
        Contents of their boxes.
    spoilt : list of bytes
        Names of waiting rows whose box does not open under the key that it names, or holds no row.
    """

    names: list[bytes]
    rows: list[bytes]
    spoilt: list[bytes]


def rows_opened(version: Version, keyring: Keyring, *, most: int = MOST_ROWS) -> Opened:
    """Open the waiting rows of a version's design, ordered by their random names.

    A box that does not open, or does not hold a row of the design, is left out; it stays until the survey
    settles.
    """
    size = version.row_bytes
    opened = Opened(names=[], rows=[], spoilt=[])
    own = Inbox.objects.filter(version=version, sealed_under__in=keyring.listed().values("name"))
    for name, under, box in own.order_by("key").values_list("key", "sealed_under", "box")[:most]:
        key = keyring.private(bytes(under))
        if key is None:
            continue
        try:
            row = open_box(bytes(box), key=key, design_id=version.design_id)
        except InvalidTag:
            row = b""
        if len(row) == size:
            opened.names.append(bytes(name))
            opened.rows.append(row)
        else:
            opened.spoilt.append(bytes(name))
    return opened


def rows_give_up(names: Sequence[bytes]) -> None:
    """Clear the key name of rows that do not open, so that they keep no key alive; they count as lost."""
    Inbox.objects.filter(pk__in=names).update(sealed_under=b"")


def rows_take(names: Iterable[bytes]) -> None:
    """Delete waiting rows, inside the caller's transaction.

    Raises
    ------
    Inbox.DoesNotExist
        One of them no longer exists: another mixer deleted it first.
    """
    rest = iter(names)
    with connection.cursor() as cursor:
        while some := list(islice(rest, _NAMES_AT_ONCE)):
            places = ", ".join(["%s"] * len(some))
            cursor.execute(f'DELETE FROM surveys_inbox WHERE "key" IN ({places})', some)  # nosec B608
            if cursor.rowcount != len(some):
                raise Inbox.DoesNotExist


def rows_put(version: Version, rows: Sequence[bytes], *, under: PublicKey) -> None:
    """Store waiting rows in fresh boxes, under new names, in this order."""
    design = version.design_id
    with connection.cursor() as cursor:
        cursor.executemany(
            _INSERT,
            [
                (secrets.token_bytes(16), version.pk, under.name, seal(row, under=under, design_id=design))
                for row in rows
            ],
        )


def rows_without_key() -> QuerySet[Inbox]:
    """Return the waiting rows whose key is lost, which cannot be opened."""
    return Inbox.objects.exclude(sealed_under__in=MixerKey.objects.values("name"))


def rows_of_other_mixers(mixer: str) -> QuerySet[Inbox]:
    """Return the waiting rows that only another mixer can open."""
    return Inbox.objects.filter(sealed_under__in=MixerKey.objects.exclude(mixer=mixer).values("name"))


def rows_of_lease() -> QuerySet[Inbox]:
    """Return the waiting rows that the mixer holding the lease can open."""
    holder = MixerKey.objects.filter(current=True, version_id=None).values("mixer")
    names = MixerKey.objects.filter(mixer__in=holder).values(found=F("name"))
    return Inbox.objects.filter(sealed_under__in=names)


ROWS_AT_ONCE: Final = 5_000
"""Most receipts of one transaction, consecutive by key, so that other writers do not wait long."""

OF_LATE: Final = timedelta(days=9)
"""Longer than a survey's rows may wait for an absent mixer, plus a night."""

# Only filled with conditions from this module.
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
    """Rewrite the receipts since the last mix in the order of their keys, inside a transaction."""
    _rewrite("fresh", survey_id)


def receipts_rewrite(survey_id: int) -> None:
    """Rewrite all receipts of a survey in the order of their keys, some thousands at a time.

    Unused invitations stay where they are: they were written with the list of codes.
    """
    for condition, bounds in _ranges(survey_id, _USED):
        _rewrite(condition, survey_id, *bounds)


def receipts_delete(survey_id: int) -> None:
    """Delete all receipts of a survey, some thousands at a time, so that others can be stored in between."""
    for condition, bounds in _ranges(survey_id, "true"):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_DELETE.format(condition), [survey_id, *bounds])


def open_receipts_rewrite(*, at: datetime) -> None:
    """Rewrite in the order of their keys all receipts of every survey that accepted answers recently.

    This includes surveys settled within the last days, since a mixer may have died before it rewrote theirs.
    """
    open_of_late = Q(settled=False) | Q(accepts_until__gt=at - OF_LATE)
    for survey_id in Survey.objects.filter(open_of_late).values_list("pk", flat=True):
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
            # The values never leave the server.
            cursor.execute(_POSTGRESQL.format(condition), [survey_id, *bounds])
            return
        cursor.execute(_TAKE.format(condition), [survey_id, *bounds])
        taken = [(survey, bytes(key), bytes(digest)) for survey, key, digest in cursor.fetchall()]
        cursor.executemany(_PUT, sorted(taken))
