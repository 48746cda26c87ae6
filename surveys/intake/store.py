"""The one transaction of a submission: its receipt and, if the receipt is new, its row.

The receipt of an invitation is there from the day the code was made, with nothing in it; the submission fills
it, if nobody has before. There is no second place where a used code would be noted.

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

from surveys.intake.turns import server_bound_cursor, writing_turn

# Part of both statements below, and the only thing put into them as text: bandit's B608 is about values.
_LATE = "s.state = 'closed' AND (s.settled OR s.accepts_until IS NULL OR s.accepts_until <= %s)"

# The survey and the version are those that the submission names: they may only have been remembered.
_NAMED = """
    s.id = %s AND s.slug = %s AND s.by_invitation = %s AND s.state IN ('open', 'closed')
    AND v.id = %s AND v.survey_id = s.id AND v.design_id = %s
"""
_SQLITE_SURVEY = f"FROM surveys_survey s, surveys_version v WHERE {_NAMED}"  # nosec B608
_SQLITE_RECEIPT = f"""
    INSERT INTO surveys_receipt (digest, "key", survey_id)
    SELECT %s, %s, s.id {_SQLITE_SURVEY} AND NOT ({_LATE}) ON CONFLICT DO NOTHING
"""  # nosec B608
_SQLITE_INVITATION = f"""
    UPDATE surveys_receipt SET digest = %s WHERE digest IS NULL AND "key" = %s
    AND survey_id = (SELECT s.id {_SQLITE_SURVEY} AND NOT ({_LATE}))
"""  # nosec B608
_SQLITE_IS_LATE = f"SELECT {_LATE} {_SQLITE_SURVEY}"  # nosec B608
_SQLITE_ROW = 'INSERT INTO surveys_inbox ("key", version_id, packed) VALUES (%s, %s, %s)'

# The survey stays as it was read until the row is in: whoever makes the last batch locks it against this.
# Of two submissions with one invitation the second waits for the first, and finds the receipt filled.
_POSTGRESQL = f"""
    WITH survey AS (
        SELECT s.id, ({_LATE}) AS late FROM surveys_survey s, surveys_version v WHERE {_NAMED}
        FOR KEY SHARE OF s
    ), receipt AS ({{receipt}}), stored AS (
        INSERT INTO surveys_inbox ("key", version_id, packed) SELECT %s, %s, %s FROM receipt
    )
    SELECT late, EXISTS (SELECT 1 FROM receipt) FROM survey
"""  # nosec B608
_POSTGRESQL_BY_KEY = _POSTGRESQL.format(
    receipt="""
        INSERT INTO surveys_receipt (digest, survey_id, "key") SELECT %s, id, %s FROM survey WHERE NOT late
        ON CONFLICT DO NOTHING RETURNING survey_id
    """
)
_POSTGRESQL_INVITED = _POSTGRESQL.format(
    receipt="""
        UPDATE surveys_receipt AS kept SET digest = %s FROM survey
        WHERE NOT late AND kept.survey_id = survey.id AND kept."key" = %s AND kept.digest IS NULL
        RETURNING kept.survey_id
    """
)


class Stored(enum.Enum):
    """What became of a submission."""

    NEW = "receipt and row are in"
    KNOWN_KEY = "the receipt under this key is filled, or there is no such invitation"
    TOO_LATE = "the survey takes no more"
    CHANGED = "there is no such survey, version and way of answering"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What is written of a submission.

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
    packed : bytes
        The disguised row.
    """

    survey_id: int
    version_id: int
    slug: str
    design_id: str
    key: bytes
    digest: bytes
    invited: bool
    packed: bytes


def store_once(entry: Entry, *, now: datetime) -> Stored:
    """Write receipt and row, both or neither, unless it is too late or the key is taken."""
    until = connection.ops.adapt_datetimefield_value(now)
    # The row's name has nothing in common with the receipt's.
    name = secrets.token_bytes(16)
    if connection.vendor == "postgresql":
        return _in_one_statement(entry, name, until)
    with writing_turn(), transaction.atomic(), connection.cursor() as cursor:
        receipt = _SQLITE_INVITATION if entry.invited else _SQLITE_RECEIPT
        cursor.execute(receipt, [entry.digest, entry.key, *_named(entry), until])
        if cursor.rowcount == 1:
            cursor.execute(_SQLITE_ROW, [name, entry.version_id, entry.packed])
            return Stored.NEW
        cursor.execute(_SQLITE_IS_LATE, [until, *_named(entry)])
        survey = cursor.fetchone()
    if survey is None:
        return Stored.CHANGED
    return Stored.TOO_LATE if survey[0] else Stored.KNOWN_KEY


def _in_one_statement(entry: Entry, name: bytes, until: Any) -> Stored:
    statement = _POSTGRESQL_INVITED if entry.invited else _POSTGRESQL_BY_KEY
    receipt = (until, *_named(entry), entry.digest, entry.key)
    with server_bound_cursor() as cursor:
        cursor.execute(statement, (*receipt, name, entry.version_id, entry.packed))
        survey = cursor.fetchone()
    if survey is None:
        return Stored.CHANGED
    if survey[0]:
        return Stored.TOO_LATE
    return Stored.NEW if survey[1] else Stored.KNOWN_KEY


def _named(entry: Entry) -> tuple[Any, ...]:
    return entry.survey_id, entry.slug, entry.invited, entry.version_id, entry.design_id
