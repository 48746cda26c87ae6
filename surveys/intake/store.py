"""Store a receipt and a sealed row in one transaction, exactly once."""

from __future__ import annotations

import enum
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from surveys.intake.server_bound_cursor import server_bound_cursor
from surveys.intake.write_lock import sqlite_write_lock

# These conditions are the only texts inserted into the statements below, so ruff's S608 does not apply.
_LATE = "s.state = 'closed' AND (s.settled OR s.accepts_until IS NULL OR s.accepts_until <= %s)"

# The statements check that survey and version match the submission, since both may come from the cache.
_NAMED = """
    s.id = %s AND s.slug = %s AND s.by_invitation = %s AND s.state IN ('open', 'closed')
    AND v.id = %s AND v.survey_id = s.id AND v.design_id = %s
"""
_SQLITE_SURVEY = f"FROM surveys_survey s, surveys_version v WHERE {_NAMED}"
_SQLITE_RECEIPT = f"""
    INSERT INTO surveys_receipt (fresh, digest, "key", survey_id)
    SELECT true, %s, %s, s.id {_SQLITE_SURVEY} AND NOT ({_LATE}) ON CONFLICT DO NOTHING
"""
_SQLITE_INVITATION = f"""
    UPDATE surveys_receipt SET fresh = true, digest = %s WHERE digest IS NULL AND "key" = %s
    AND survey_id = (SELECT s.id {_SQLITE_SURVEY} AND NOT ({_LATE}))
"""  # noqa: S608
# A key is usable while it lives and its mixer, which holds the shared key, vouches. PostgreSQL compares by
# its own clock, because the machines' clocks differ.
_VOUCHED = """
    surveys_mixerkey AS offered WHERE name = %s AND current AND vouched_until > {now} AND EXISTS (
        SELECT 1 FROM surveys_mixerkey AS shared WHERE shared.current AND shared.version_id IS NULL
        AND shared.mixer = offered.mixer AND shared.vouched_until > {now}
    )
"""
_SQLITE_VOUCHED = _VOUCHED.format(now="%s")
_POSTGRESQL_VOUCHED = _VOUCHED.format(now="statement_timestamp()")
# Also query the vouch for used invitations. Otherwise they would get another answer than unused ones while
# there is no vouch.
_SQLITE_WHY = f"SELECT {_LATE}, EXISTS (SELECT 1 FROM {_SQLITE_VOUCHED}) {_SQLITE_SURVEY}"  # noqa: S608
_SQLITE_ROW = f"""
    INSERT INTO surveys_inbox ("key", version_id, box, sealed_under)
    SELECT %s, %s, %s, name FROM {_SQLITE_VOUCHED}
"""  # noqa: S608

# The lock keeps the survey unchanged until the row is stored; the mixer that settles the survey waits for it.
# Of two submissions with the same invitation, the second waits for the first and finds the receipt filled.
# The key is locked in its current state, not as the statement first saw it. So once a key is retired and the
# transactions that hold the lock are done, no row will ever name it.
_POSTGRESQL = f"""
    WITH survey AS (
        SELECT s.id, ({_LATE}) AS late FROM surveys_survey s, surveys_version v WHERE {_NAMED}
        FOR KEY SHARE OF s
    ), mixer AS (
        SELECT name FROM {_POSTGRESQL_VOUCHED} FOR KEY SHARE OF offered
    ), receipt AS ({{receipt}}), stored AS (
        INSERT INTO surveys_inbox ("key", version_id, box, sealed_under) SELECT %s, %s, %s, name
        FROM receipt, mixer
    )
    SELECT late, EXISTS (SELECT 1 FROM receipt), EXISTS (SELECT 1 FROM mixer) FROM survey
"""  # noqa: S608
_POSTGRESQL_BY_KEY = _POSTGRESQL.format(
    receipt="""
        INSERT INTO surveys_receipt (fresh, digest, survey_id, "key")
        SELECT true, %s, id, %s FROM survey, mixer WHERE NOT late
        ON CONFLICT DO NOTHING RETURNING survey_id
    """
)
_POSTGRESQL_INVITED = _POSTGRESQL.format(
    receipt="""
        UPDATE surveys_receipt AS kept SET fresh = true, digest = %s FROM survey, mixer
        WHERE NOT late AND kept.survey_id = survey.id AND kept."key" = %s AND kept.digest IS NULL
        RETURNING kept.survey_id
    """
)


class StoreResult(enum.Enum):
    """Outcome of storing a submission."""

    NEW = "receipt and row are stored"
    KNOWN_KEY = "the receipt under this key is filled, or the invitation does not exist"
    TOO_LATE = "the survey no longer accepts answers"
    CHANGED = "no survey matches this slug, version and kind of access"
    NOT_OPENED = "no mixer vouches any longer that it can open boxes sealed under this key"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Receipt and row of a submission, as stored.

    Parameters
    ----------
    survey_id, version_id : int
        Survey and version of the row; the version is the first one of the survey with the row's design.
    slug, design_id : str
        As named in the submission; survey and version must match them.
    key, digest : bytes
        Key and digest of the receipt.
    invited : bool
        Whether the receipt must already exist, as an unused invitation.
    box : bytes
        The disguised row, sealed.
    sealed_under : bytes
        Name of the key that seals the box.
    """

    survey_id: int
    version_id: int
    slug: str
    design_id: str
    key: bytes
    digest: bytes
    invited: bool
    box: bytes
    sealed_under: bytes


class _NotOpened(Exception):
    """The key of the box is not current, so the transaction is rolled back."""


def store_once(entry: Entry, *, now: datetime) -> StoreResult:
    """Write receipt and row, or neither if it is too late, the key is used or the box's key is not current.

    Parameters
    ----------
    entry : Entry
    now : datetime
        When the submission arrived. The mixer's vouch is compared with the current clock instead.
    """
    until = connection.ops.adapt_datetimefield_value(now)
    # The row has a random key, unrelated to the receipt's.
    row = secrets.token_bytes(16), entry.version_id, entry.box
    try:
        if connection.vendor == "postgresql":
            return _store_in_postgresql(entry, row, (entry.sealed_under,), until)
        now_here = connection.ops.adapt_datetimefield_value(timezone.now())
        return _store_in_sqlite(entry, row, (entry.sealed_under, now_here, now_here), until)
    except _NotOpened:
        return StoreResult.NOT_OPENED


def _store_in_sqlite(entry: Entry, row: tuple[Any, ...], voucher: tuple[Any, ...], until: Any) -> StoreResult:
    with sqlite_write_lock(), transaction.atomic(), connection.cursor() as cursor:
        receipt = _SQLITE_INVITATION if entry.invited else _SQLITE_RECEIPT
        cursor.execute(receipt, [entry.digest, entry.key, *_target_params(entry), until])
        if cursor.rowcount == 1:
            cursor.execute(_SQLITE_ROW, [*row, *voucher])
            if cursor.rowcount == 1:
                return StoreResult.NEW
            raise _NotOpened
        cursor.execute(_SQLITE_WHY, [until, *voucher, *_target_params(entry)])
        survey = cursor.fetchone()
    return _failure_reason(*survey) if survey else StoreResult.CHANGED


def _store_in_postgresql(
    entry: Entry, row: tuple[Any, ...], voucher: tuple[Any, ...], until: Any
) -> StoreResult:
    statement = _POSTGRESQL_INVITED if entry.invited else _POSTGRESQL_BY_KEY
    receipt = (until, *_target_params(entry), *voucher, entry.digest, entry.key)
    with server_bound_cursor() as cursor:
        cursor.execute(statement, (*receipt, *row))
        survey = cursor.fetchone()
    if survey is None:
        return StoreResult.CHANGED
    late, is_new, is_vouched = survey
    return StoreResult.NEW if is_new else _failure_reason(late, is_vouched)


def _failure_reason(late: object, is_vouched: object) -> StoreResult:
    if late:
        return StoreResult.TOO_LATE
    return StoreResult.KNOWN_KEY if is_vouched else StoreResult.NOT_OPENED


def _target_params(entry: Entry) -> tuple[Any, ...]:
    return entry.survey_id, entry.slug, entry.invited, entry.version_id, entry.design_id
