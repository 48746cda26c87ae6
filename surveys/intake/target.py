"""What a submission needs to know about its survey, kept in memory for a moment."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from surveys.errors.error import SurveyError
from surveys.intake.payload import DisguisedSubmission
from surveys.intake.server_bound_cursor import server_bound_cursor

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
