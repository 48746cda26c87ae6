"""The one transaction of a submission: its receipt and, if the receipt is new, its row.

The receipt of an invitation is there from the day the code was made, with nothing in it; the submission fills
it, if nobody has before. There is no second place where a used code would be noted.

The row comes in a box, and goes in only while the key of the box is the current one and its mixer vouches for
it: else nothing is written, and the caller seals the row again.

SQLite takes two statements, in the process's turn to write, and a third only to say why nothing was written.
PostgreSQL takes one, since there each statement is a journey to the server and back; a single statement is a
transaction of its own.
"""

from __future__ import annotations

import enum
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from surveys.intake.writing import server_bound_cursor, writing_turn

# Part of both statements below, and the only thing put into them as text: bandit's B608 is about values.
_LATE = "s.state = 'closed' AND (s.settled OR s.accepts_until IS NULL OR s.accepts_until <= %s)"

# The survey and the version are those that the submission names: they may only have been remembered.
_NAMED = """
    s.id = %s AND s.slug = %s AND s.by_invitation = %s AND s.state IN ('open', 'closed')
    AND v.id = %s AND v.survey_id = s.id AND v.design_id = %s
"""
_SQLITE_SURVEY = f"FROM surveys_survey s, surveys_version v WHERE {_NAMED}"  # nosec B608
_SQLITE_RECEIPT = f"""
    INSERT INTO surveys_receipt (fresh, digest, "key", survey_id)
    SELECT true, %s, %s, s.id {_SQLITE_SURVEY} AND NOT ({_LATE}) ON CONFLICT DO NOTHING
"""  # nosec B608
_SQLITE_INVITATION = f"""
    UPDATE surveys_receipt SET fresh = true, digest = %s WHERE digest IS NULL AND "key" = %s
    AND survey_id = (SELECT s.id {_SQLITE_SURVEY} AND NOT ({_LATE}))
"""  # nosec B608
_VOUCHED = "surveys_mixerkey WHERE name = %s AND current AND vouched_until > %s"
# Whether a mixer vouches is asked of used invitations too: without one, used and unused get the same answer.
_SQLITE_WHY = f"SELECT {_LATE}, EXISTS (SELECT 1 FROM {_VOUCHED}) {_SQLITE_SURVEY}"  # nosec B608
_SQLITE_ROW = f"""
    INSERT INTO surveys_inbox ("key", version_id, box, sealed_under) SELECT %s, %s, %s, name FROM {_VOUCHED}
"""  # nosec B608

# The survey stays as it was read until the row is in: the maker of the last batch locks it against this.
# Of two submissions with one invitation the second waits for the first, and finds the receipt filled.
# The key is locked as it is now, and not as the statement first saw it: once a key is retired, and those that
# hold the lock are through, no row will ever name it.
_POSTGRESQL = f"""
    WITH survey AS (
        SELECT s.id, ({_LATE}) AS late FROM surveys_survey s, surveys_version v WHERE {_NAMED}
        FOR KEY SHARE OF s
    ), mixer AS (
        SELECT name FROM {_VOUCHED} FOR KEY SHARE
    ), receipt AS ({{receipt}}), stored AS (
        INSERT INTO surveys_inbox ("key", version_id, box, sealed_under) SELECT %s, %s, %s, name
        FROM receipt, mixer
    )
    SELECT late, EXISTS (SELECT 1 FROM receipt), EXISTS (SELECT 1 FROM mixer) FROM survey
"""  # nosec B608
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


class Stored(enum.Enum):
    """Outcome of storing a submission."""

    NEW = "receipt and row are in"
    KNOWN_KEY = "the receipt under this key is filled, or there is no such invitation"
    TOO_LATE = "the survey takes no more"
    CHANGED = "there is no such survey, version and way of answering"
    NOT_OPENED = "no mixer vouches any more that it can open what is sealed under this key"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Receipt and row of a submission, as stored.

    Parameters
    ----------
    survey_id, version_id : int
        Where it belongs; the version is the first one of the survey with the row's design.
    slug, design_id : str
        What the submission names; survey and version have to be these.
    key, digest : bytes
        Of the receipt.
    invited : bool
        Whether the receipt has to be there, empty.
    box : bytes
        The disguised row, sealed.
    sealed_under : bytes
        The name of the key of the box.
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
    """The key of the box is not the current one: what the transaction wrote goes."""


def store_once(entry: Entry, *, now: datetime) -> Stored:
    """Write receipt and row, both or neither, unless it is too late, the key is taken or the box not opened.

    Parameters
    ----------
    entry : Entry
    now : datetime
        When the submission came. For how long a mixer vouches is looked up on the clock of this moment.
    """
    until = connection.ops.adapt_datetimefield_value(now)
    vouched = entry.sealed_under, connection.ops.adapt_datetimefield_value(timezone.now())
    # The row's name has nothing in common with the receipt's.
    row = secrets.token_bytes(16), entry.version_id, entry.box
    try:
        if connection.vendor == "postgresql":
            return _in_one_statement(entry, row, vouched, until)
        return _in_one_turn(entry, row, vouched, until)
    except _NotOpened:
        return Stored.NOT_OPENED


def _in_one_turn(entry: Entry, row: tuple[Any, ...], vouched: tuple[Any, ...], until: Any) -> Stored:
    with writing_turn(), transaction.atomic(), connection.cursor() as cursor:
        receipt = _SQLITE_INVITATION if entry.invited else _SQLITE_RECEIPT
        cursor.execute(receipt, [entry.digest, entry.key, *_named(entry), until])
        if cursor.rowcount == 1:
            cursor.execute(_SQLITE_ROW, [*row, *vouched])
            if cursor.rowcount == 1:
                return Stored.NEW
            raise _NotOpened
        cursor.execute(_SQLITE_WHY, [until, *vouched, *_named(entry)])
        survey = cursor.fetchone()
    return _why(*survey) if survey else Stored.CHANGED


def _in_one_statement(entry: Entry, row: tuple[Any, ...], vouched: tuple[Any, ...], until: Any) -> Stored:
    statement = _POSTGRESQL_INVITED if entry.invited else _POSTGRESQL_BY_KEY
    receipt = (until, *_named(entry), *vouched, entry.digest, entry.key)
    with server_bound_cursor() as cursor:
        cursor.execute(statement, (*receipt, *row))
        survey = cursor.fetchone()
    if survey is None:
        return Stored.CHANGED
    late, is_new, is_vouched = survey
    return Stored.NEW if is_new else _why(late, is_vouched)


def _why(late: object, is_vouched: object) -> Stored:
    if late:
        return Stored.TOO_LATE
    return Stored.KNOWN_KEY if is_vouched else Stored.NOT_OPENED


def _named(entry: Entry) -> tuple[Any, ...]:
    return entry.survey_id, entry.slug, entry.invited, entry.version_id, entry.design_id
