"""Where submissions belong: survey and version, remembered so that most of them take one statement.

What is remembered is a hint and no more. The statement that stores a row names everything it rests on, slug,
design and way of answering, and finds no survey where any of it is not so: then it is looked up again.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from surveys.errors.error import SurveyError
from surveys.intake.payload import DisguisedSubmission
from surveys.intake.writing import server_bound_cursor

MOST_REMEMBERED: Final = 1_000

_FIND: Final = """
    SELECT s.id, v.id, s.by_invitation
    FROM surveys_survey s LEFT JOIN surveys_version v ON v.survey_id = s.id AND v.design_id = %s
    WHERE s.slug = %s AND s.state IN ('open', 'closed') ORDER BY v.number LIMIT 1
"""


class SubmissionTarget(NamedTuple):
    """The survey of a submission, and the first of its versions that has the design."""

    survey_id: int
    version_id: int
    by_invitation: bool


_known: dict[tuple[str, str], SubmissionTarget] = {}


def target_of(submission: DisguisedSubmission) -> tuple[SubmissionTarget, bool]:
    """Return where a submission belongs, and whether that is only remembered.

    Raises
    ------
    SurveyError
        422: unknown survey or design, an invitation where none is known, or none where one is needed.
    """
    known = _known.get((submission.survey, submission.design_id))
    # Nobody is refused on the word of what is only remembered.
    if known is not None and known.by_invitation == submission.invited:
        return known, True
    return target_fetched(submission), False


def target_fetched(submission: DisguisedSubmission) -> SubmissionTarget:
    """Look up where a submission belongs, whatever is remembered; refuse as `target_of`."""
    name = (submission.survey, submission.design_id)
    _known.pop(name, None)
    fetched = _fetch(submission.design_id, submission.survey)
    if fetched is None:
        raise SurveyError("unknown_survey", survey=submission.survey)
    survey_id, version_id, by_invitation = fetched
    _check_way(submission, by_invitation=bool(by_invitation))
    if version_id is None:
        raise SurveyError("unknown_design", survey=submission.survey)
    target = SubmissionTarget(survey_id, version_id, bool(by_invitation))
    if len(_known) >= MOST_REMEMBERED:
        _known.clear()
    _known[name] = target
    return target


def _check_way(submission: DisguisedSubmission, *, by_invitation: bool) -> None:
    if submission.invited and not by_invitation:
        raise SurveyError("open_link.submission", survey=submission.survey)
    if by_invitation and not submission.invited:
        raise SurveyError("invitation_needed", survey=submission.survey)


def _fetch(*parameters: Any) -> tuple[Any, ...] | None:
    with server_bound_cursor() as cursor:
        cursor.execute(_FIND, parameters)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row
