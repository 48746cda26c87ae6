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
from typing import Any, Final, TypeAlias

from django.db import InterfaceError, InternalError, OperationalError

from privacy.survey.layout import Layout
from surveys.errors.error import SurveyError
from surveys.intake import payload
from surveys.intake.keys import current_key
from surveys.intake.limits import Limiter
from surveys.intake.networks import Network
from surveys.intake.payload import DisguisedSubmission
from surveys.intake.sealed_boxes import seal
from surveys.intake.server_bound_cursor import server_bound_cursor
from surveys.intake.store import Entry, StoreResult, store_once
from surveys.intake.target import SubmissionTarget, fetch_target, target_of
from surveys.models import Version

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
