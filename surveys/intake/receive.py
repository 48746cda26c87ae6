"""From a request's bytes to one stored row, once.

One transaction writes a receipt, which knows no answer, and an inbox row, which knows no receipt and is
sealed under the mixer's key: anyone who stores it cannot read it. Nothing else is written: no log line, no
audit event, no task, no time. Bytes come in, a `SubmissionResult` goes out; no address or agent is known
here.
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
from surveys.intake.boxes import seal
from surveys.intake.keys import current_key
from surveys.intake.limits import Limiter
from surveys.intake.networks import Network
from surveys.intake.payload import DisguisedSubmission
from surveys.intake.routing import SubmissionTarget, target_fetched, target_of
from surveys.intake.store import Entry, Stored, store_once
from surveys.intake.writing import server_bound_cursor
from surveys.models import Version

SECONDS_WHEN_BUSY = 5

# The path of every submission is in plain SQL, here and in `store`: each statement of it can be counted.
# One row comes back whether or not there is a receipt: how long it takes must not say which.
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
        The body of the answer.
    retry_after : int or None, seconds
        When to send the same bytes again.
    """

    status: int
    answer: dict[str, str]
    retry_after: int | None = None

    @classmethod
    def of(cls, refused: SurveyError) -> SubmissionResult:
        """Return the response of a refusal."""
        answer = {"error": refused.code, "message": refused.message, "remedy": refused.remedy}
        return cls(status=refused.status, answer=answer, retry_after=refused.retry_after)


RECEIVED = SubmissionResult(status=200, answer={"status": "received"})


class _Receipt(enum.Enum):
    """What the receipt under a key says of a submission."""

    MISSING = "there is none"
    EMPTY = "an invitation that nobody has used"
    SAME = "these very bytes were stored"
    OTHER = "others were"


TakeToken: TypeAlias = Callable[[int], None]
"""Takes a token of a survey, or refuses."""


def submission_receive(
    raw: bytes, *, now: datetime, limiter: Limiter | None = None, network: Network = b""
) -> SubmissionResult:
    """Store a submission, or refuse it.

    Parameters
    ----------
    raw : bytes
        The exact body of the request.
    now : datetime
        When it came; compared with the end of acceptance and stored nowhere.
    limiter : Limiter or None
        Limits of rate and number; None where the rows come from a program of the operator's own.
    network : Network
        Where it comes from, to share the rate; stored nowhere.

    Returns
    -------
    SubmissionResult
        200 received (also for identical bytes sent again), 400 malformed, 409 another body under the same
        key, 410 too late, 413 too large, 422 unknown survey or design, an invitation that was used, taken
        back or is unknown, none where one is needed, or a body that the design cannot produce, 429 too many,
        503 the database is busy, or no mixer vouches for a key to seal under.

    Notes
    -----
    Asking uses an invitation up: an unused one is known by the row that it stores. All others get one answer,
    by the same statements. So anyone who has the list of codes, but not the database, cannot watch it being
    used, nor take codes back and see which of them were.
    """
    take_token = None
    if limiter is not None:
        take_token = partial(limiter.admit, at=now.timestamp(), network=network)
    try:
        submission = payload.parse(raw)
        target, remembered = target_of(submission)
        payload.check_body(submission, _layout(submission.design_id))
        if not _received(submission, target, now, take_token, last=not remembered):
            # The survey went or changed since it was remembered.
            _received(submission, target_fetched(submission), now, take_token, last=True)
    except SurveyError as refused:
        return SubmissionResult.of(refused)
    except (OperationalError, InterfaceError, InternalError):
        return SubmissionResult.of(SurveyError("busy", retry_after=SECONDS_WHEN_BUSY))
    return RECEIVED


def receipts_count(survey_id: int, at_most: int) -> int:
    """Return how many submissions a survey has, or `at_most` if there are more."""
    return int(_fetch(_COUNT, survey_id, at_most)[0])


@lru_cache(maxsize=256)
def _layout(design_id: str) -> Layout:
    # Kept by the digest of the design: what it names cannot change, in whichever database it was found.
    return Layout(Version.objects.filter(design_id=design_id)[0].to_design())


def _admit(take_token: TakeToken, submission: DisguisedSubmission, target: SubmissionTarget) -> None:
    try:
        take_token(target.survey_id)
    except SurveyError:
        # What is stored already is not refused: the device would wait, or give up, for nothing.
        receipt = _receipt_of(submission, target)
        _check_key(receipt, submission)
        if receipt is not _Receipt.SAME:
            raise


def _received(
    submission: DisguisedSubmission,
    target: SubmissionTarget,
    now: datetime,
    take_token: TakeToken | None,
    *,
    last: bool,
) -> bool:
    """Store a submission or refuse it; return False, but not the last time, where its survey has changed."""
    if take_token is not None:
        _admit(take_token, submission, target)
    stored = _stored(submission, target, now)
    if stored is Stored.CHANGED and not last:
        return False
    if stored is Stored.NEW:
        return True
    receipt = _receipt_of(submission, target)
    # An answer that was lost on the way must not turn a stored body into one that came too late.
    if receipt is _Receipt.SAME:
        return True
    _check_key(receipt, submission)
    if stored is Stored.NOT_OPENED:
        raise SurveyError("no_key", retry_after=SECONDS_WHEN_BUSY)
    if stored in (Stored.TOO_LATE, Stored.CHANGED):
        raise SurveyError("closed.submission", survey=submission.survey)
    if not submission.invited or receipt is _Receipt.EMPTY:
        raise OperationalError("the receipt changed meanwhile")
    # Of a code that was used, taken back or never made: which of the three, a reader of the list would learn.
    raise SurveyError("invitation_refused")


def _stored(submission: DisguisedSubmission, target: SubmissionTarget, now: datetime) -> Stored:
    """Seal the row and store it; where its key was retired meanwhile, once more under the next one."""
    for anew in (False, True):
        public = current_key(target.version_id, anew=anew)
        if public is None:
            break
        stored = store_once(
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
        if stored is not Stored.NOT_OPENED:
            return stored
    return Stored.NOT_OPENED


def _check_key(receipt: _Receipt, submission: DisguisedSubmission) -> None:
    """Refuse with 409 what comes under a random key that holds another body; of an invitation say nothing."""
    if receipt is _Receipt.OTHER and not submission.invited:
        raise SurveyError("other_body")


def _receipt_of(submission: DisguisedSubmission, target: SubmissionTarget) -> _Receipt:
    is_there, digest = _fetch(_DIGEST, target.survey_id, submission.key)
    # Compared in every case, as long as it takes: of a used code no more is done than of one never made.
    is_same = secrets.compare_digest(_NO_DIGEST if digest is None else bytes(digest), submission.digest)
    if not is_there:
        return _Receipt.MISSING
    if digest is None:
        return _Receipt.EMPTY
    return _Receipt.SAME if is_same else _Receipt.OTHER


def _fetch(query: str, *parameters: Any) -> tuple[Any, ...]:
    """Return the one row of a query that has one."""
    with server_bound_cursor() as cursor:
        cursor.execute(query, parameters)
        row: tuple[Any, ...] = cursor.fetchone()
    return row
