"""Turn a request's bytes into one stored row, exactly once.

One transaction writes a receipt and an inbox row, which are not linked to each other. The row is sealed under
the mixer's key, so the process that stores it cannot read it. Nothing else is written: no log line, no audit
event, no task, no time. The input is bytes, the output a `SubmissionResult`; this module sees no address or
user agent.
"""

from __future__ import annotations

import enum
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction
from django.utils import timezone

from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.intake import payload
from surveys.intake.keys import current_key, seal
from surveys.intake.limits import Limiter, Network
from surveys.intake.payload import DisguisedSubmission
from surveys.intake.transactions import server_bound_cursor, sqlite_write_lock
from surveys.models import Version

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
_VOUCHED = "surveys_mixerkey WHERE name = %s AND current AND vouched_until > %s"
# Also query the vouch for used invitations. Otherwise they would get another answer than unused ones while
# there is no vouch.
_SQLITE_WHY = f"SELECT {_LATE}, EXISTS (SELECT 1 FROM {_VOUCHED}) {_SQLITE_SURVEY}"  # noqa: S608
_SQLITE_ROW = f"""
    INSERT INTO surveys_inbox ("key", version_id, box, sealed_under) SELECT %s, %s, %s, name FROM {_VOUCHED}
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
        SELECT name FROM {_VOUCHED} FOR KEY SHARE
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
    key_vouch = entry.sealed_under, connection.ops.adapt_datetimefield_value(timezone.now())
    # The row has a random key, unrelated to the receipt's.
    row = secrets.token_bytes(16), entry.version_id, entry.box
    try:
        if connection.vendor == "postgresql":
            return _store_in_postgresql(entry, row, key_vouch, until)
        return _store_in_sqlite(entry, row, key_vouch, until)
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


MOST_REMEMBERED: Final = 1_000

_FIND: Final = """
    SELECT s.id, v.id, s.by_invitation
    FROM surveys_survey s LEFT JOIN surveys_version v ON v.survey_id = s.id AND v.design_id = %s
    WHERE s.slug = %s AND s.state IN ('open', 'closed') ORDER BY v.number LIMIT 1
"""


class SubmissionTarget(NamedTuple):
    """The survey of a submission, and its first version with the submission's design."""

    survey_id: int
    version_id: int
    by_invitation: bool


_known: dict[tuple[str, str], SubmissionTarget] = {}


def target_of(submission: DisguisedSubmission) -> tuple[SubmissionTarget, bool]:
    """Return the target of a submission, and whether it comes from the cache.

    Raises
    ------
    SurveyError
        422: unknown survey or design, a missing invitation, or an invitation that the survey does not need.
    """
    target = _known.get((submission.survey, submission.design_id))
    # Never refuse a submission because of cached data alone.
    if target is not None and target.by_invitation == submission.invited:
        return target, True
    return fetch_target(submission), False


def fetch_target(submission: DisguisedSubmission) -> SubmissionTarget:
    """Look up the target of a submission without the cache; refuse as `target_of` does."""
    name = (submission.survey, submission.design_id)
    _known.pop(name, None)
    row = _fetch_route(submission.design_id, submission.survey)
    if row is None:
        raise SurveyError("unknown_survey", survey=submission.survey)
    survey_id, version_id, by_invitation = row
    _check_invited(submission, by_invitation=bool(by_invitation))
    if version_id is None:
        raise SurveyError("unknown_design", survey=submission.survey)
    target = SubmissionTarget(survey_id, version_id, bool(by_invitation))
    if len(_known) >= MOST_REMEMBERED:
        _known.clear()
    _known[name] = target
    return target


def _check_invited(submission: DisguisedSubmission, *, by_invitation: bool) -> None:
    if submission.invited and not by_invitation:
        raise SurveyError("open_link.submission", survey=submission.survey)
    if by_invitation and not submission.invited:
        raise SurveyError("invitation_needed", survey=submission.survey)


def _fetch_route(*parameters: Any) -> tuple[Any, ...] | None:
    with server_bound_cursor() as cursor:
        cursor.execute(_FIND, parameters)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row


SECONDS_WHEN_BUSY = 5

# Submissions run plain SQL, here and in `store_once`, so that each statement can be counted. The query
# returns one row whether or not a receipt exists, so that its duration does not reveal which.
_DIGEST = """
    SELECT kept.survey_id IS NOT NULL, kept.digest FROM (SELECT 1) AS one
    LEFT JOIN surveys_receipt AS kept ON kept.survey_id = %s AND kept."key" = %s
"""
_NO_DIGEST: Final = bytes(32)
_COUNT = """
    SELECT COUNT(*) FROM (
        SELECT 1 FROM surveys_receipt WHERE survey_id = %s AND digest IS NOT NULL LIMIT %s
    ) AS counted
"""


@dataclass(frozen=True, kw_only=True)
class SubmissionResult:
    """Response to a submission.

    Parameters
    ----------
    status : int
        HTTP status; 200 means that the row is stored, by this request or by an identical one before.
    answer : dict of str to str
        The body of the response.
    retry_after : int or None, seconds
        After how long to send the same bytes again.
    """

    status: int
    answer: dict[str, str]
    retry_after: int | None = None

    @classmethod
    def of(cls, error: SurveyError) -> SubmissionResult:
        """Return the response of a refusal."""
        answer = {"error": error.code, "message": error.message, "remedy": error.remedy}
        return cls(status=error.status, answer=answer, retry_after=error.retry_after)


RECEIVED = SubmissionResult(status=200, answer={"status": "received"})


class _Receipt(enum.Enum):
    """State of the receipt under a submission's key."""

    MISSING = "there is no receipt"
    EMPTY = "an unused invitation"
    SAME = "the same bytes were stored"
    OTHER = "other bytes were stored"


TakeToken: TypeAlias = Callable[[int], None]
"""Uses a token of a survey's rate limit, or raises a refusal."""


def submission_receive(
    raw: bytes, *, now: datetime, limiter: Limiter | None = None, network: Network = b""
) -> SubmissionResult:
    """Store a submission, or refuse it.

    Parameters
    ----------
    raw : bytes
        The exact body of the request.
    now : datetime
        When it arrived; compared with the end of acceptance, but not stored.
    limiter : Limiter or None
        Limits on rate and number; None if the rows come from the operator's own program.
    network : Network
        The sender's network, for its share of the rate; not stored.

    Returns
    -------
    SubmissionResult
        200 received (also for identical bytes sent again), 400 malformed, 409 another body under the same
        key, 410 too late, 413 too large, 422 unknown survey or design, an invitation that is used, revoked or
        unknown, a missing invitation, or a body that the design cannot produce, 429 too many, 503 the
        database is busy, or no mixer vouches for a key to seal under.

    Notes
    -----
    The only way to test an invitation is to use it: only storing a row shows that it was unused. Used,
    revoked and unknown codes get the same response from the same statements. So someone who has the list of
    codes but not the database cannot watch codes being used, or revoke some to find out which were used.
    """
    take_token = None
    if limiter is not None:
        take_token = partial(limiter.admit, at=now.timestamp(), network=network)
    try:
        submission = payload.parse(raw)
        target, is_cached = target_of(submission)
        payload.check_body(submission, _layout(submission.survey, submission.design_id))
        if not _store_or_refuse(submission, target, now, take_token, last=not is_cached):
            # The survey was deleted or changed after it was cached.
            _store_or_refuse(submission, fetch_target(submission), now, take_token, last=True)
    except SurveyError as error:
        return SubmissionResult.of(error)
    except (OperationalError, InterfaceError, InternalError):
        return SubmissionResult.of(SurveyError("busy", retry_after=SECONDS_WHEN_BUSY))
    return RECEIVED


def receipts_count(survey_id: int, at_most: int) -> int:
    """Return how many submissions a survey has, or `at_most` if there are more."""
    return int(_fetch(_COUNT, survey_id, at_most)[0])


@lru_cache(maxsize=256)
def _layout(survey: str, design_id: str) -> Layout:
    # The digest of a design identifies it, so any version with it will do.
    version = Version.objects.filter(design_id=design_id).first()
    if version is None:
        raise SurveyError("unknown_design", survey=survey)
    return Layout(version.to_design())


def _admit(take_token: TakeToken, submission: DisguisedSubmission, target: SubmissionTarget) -> None:
    try:
        take_token(target.survey_id)
    except SurveyError:
        # Do not refuse a submission that is already stored: the device would wait or give up for nothing.
        receipt = _receipt_of(submission, target)
        _check_key(receipt, submission)
        if receipt is not _Receipt.SAME:
            raise


def _store_or_refuse(
    submission: DisguisedSubmission,
    target: SubmissionTarget,
    now: datetime,
    take_token: TakeToken | None,
    *,
    last: bool,
) -> bool:
    """Store a submission or refuse it; return False, except on the last try, if its survey has changed."""
    if take_token is not None:
        _admit(take_token, submission, target)
    outcome = _seal_and_store(submission, target, now)
    if outcome is StoreResult.CHANGED and not last:
        return False
    if outcome is StoreResult.NEW:
        return True
    receipt = _receipt_of(submission, target)
    # The body may be stored although our response was lost. Then it must not be reported as too late.
    if receipt is _Receipt.SAME:
        return True
    _check_key(receipt, submission)
    if outcome is StoreResult.NOT_OPENED:
        raise SurveyError("no_key", retry_after=SECONDS_WHEN_BUSY)
    if outcome in (StoreResult.TOO_LATE, StoreResult.CHANGED):
        raise SurveyError("closed.submission", survey=submission.survey)
    if not submission.invited or receipt is _Receipt.EMPTY:
        raise OperationalError("the receipt changed meanwhile")
    # The code was used, revoked or unknown. Someone with the list of codes must not learn which.
    raise SurveyError("invitation_refused")


def _seal_and_store(submission: DisguisedSubmission, target: SubmissionTarget, now: datetime) -> StoreResult:
    """Seal the row and store it; if the key was retired in the meantime, retry once under the next one."""
    for anew in (False, True):
        public = current_key(target.version_id, anew=anew)
        if public is None:
            break
        outcome = store_once(
            Entry(
                survey_id=target.survey_id,
                version_id=target.version_id,
                slug=submission.survey,
                design_id=submission.design_id,
                key=submission.key,
                digest=submission.digest,
                invited=submission.invited,
                box=seal(submission.body, under=public, design_id=submission.design_id),
                sealed_under=public.name,
            ),
            now=now,
        )
        if outcome is not StoreResult.NOT_OPENED:
            return outcome
    return StoreResult.NOT_OPENED


def _check_key(receipt: _Receipt, submission: DisguisedSubmission) -> None:
    """Refuse with 409 a random key that already has another body; do not reveal this for invitations."""
    if receipt is _Receipt.OTHER and not submission.invited:
        raise SurveyError("other_body")


def _receipt_of(submission: DisguisedSubmission, target: SubmissionTarget) -> _Receipt:
    is_there, digest = _fetch(_DIGEST, target.survey_id, submission.key)
    # Always compare, in constant time, so that a used code takes as long as an unknown one.
    is_same = secrets.compare_digest(_NO_DIGEST if digest is None else bytes(digest), submission.digest)
    if not is_there:
        return _Receipt.MISSING
    if digest is None:
        return _Receipt.EMPTY
    return _Receipt.SAME if is_same else _Receipt.OTHER


def _fetch(query: str, *parameters: Any) -> tuple[Any, ...]:
    """Return the single row of a query."""
    with server_bound_cursor() as cursor:
        cursor.execute(query, parameters)
        row: tuple[Any, ...] = cursor.fetchone()
    return row
