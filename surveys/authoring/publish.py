"""Publish a draft as the next version of its survey, in one transaction with its audit event."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.drafts import check_revision
from surveys.authoring.published_state import same_version, schedule_of
from surveys.authoring.retention import check_retention
from surveys.errors.error import SurveyError
from surveys.errors.field_sentences import checked_text
from surveys.formats.joints import list_text
from surveys.models import PublishOverride, Survey, Version
from surveys.models.audit_event import audit_event_record
from surveys.models.survey import lock_survey
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.document import DefinitionError, Problem
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.findings import Finding
from surveys.questionnaire.local_time import local_text
from surveys.questionnaire.readable import unsuggested_questions
from surveys.questionnaire.schedule import Schedule
from surveys.questionnaire.series import promises_to_publish
from surveys.questionnaire.series_checks import check_series
from surveys.questionnaire.series_membership import survey_join_series
from surveys.runs.chapters import chapters_state

MOST_REASON: Final = 2_000
"""Largest number of characters in a reason to publish despite a failed check."""


@transaction.atomic
def survey_publish(
    survey: Survey,
    *,
    by: str,
    now: datetime,
    revision: int | None = None,
    reason: str = "",
    is_readable_seen: bool = False,
) -> Version:
    """Freeze the draft as a version and show it to respondents, now or at the scheduled time.

    Answers to older versions are accepted as long as the survey accepts any. If only the schedule differs
    from the newest version, the schedule changes and no version is made.

    Parameters
    ----------
    survey, by, now
        Survey, user and time.
    revision : int or None
        The draft's revision that the user reviewed and decided to publish.
    reason : str
        Why to publish although a check refuses the draft. It is kept with the version, logged, and printed
        in every report. Ignored if no check refuses it.
    is_readable_seen : bool
        Whether the user has seen the list of questions that are stored as answered. It is needed if no rule
        suggests to store one of them.

    Returns
    -------
    Version
        The newest version.

    Raises
    ------
    DefinitionError
        The draft cannot be published, or a check refuses it and there is no reason; or as for
        `surveys.questionnaire.series_checks.check_series`.
    SurveyError
        ``closed``; ``revision``; ``open_link`` (the design needs invitations); ``readable`` (a question is
        stored as answered although no rule suggests it, and no one has seen it); ``unchanged``; ``past`` (its
        closing time has passed); ``opened`` (the survey is open, and the draft would open it later); or as
        for `surveys.authoring.retention.check_retention` and `check_refusals`.
    """
    survey, slug = lock_survey(survey), survey.slug
    if survey.state == Survey.State.CLOSED:
        raise SurveyError("closed.draft", slug=slug)
    if revision is not None:
        check_revision(survey, revision)
    reading = draft_read(survey)
    definition = reading.definition
    if definition is None:
        raise DefinitionError(reading.problems)
    if definition.design.invited and not survey.by_invitation:
        raise SurveyError("open_link.arms")
    last = survey.versions.order_by("-number").first()
    if last is None or not same_version(last, definition):
        if (open_ones := unsuggested_questions(definition.document)) and not is_readable_seen:
            raise SurveyError("readable.unseen", questions=list_text(f"“{each.text}”" for each in open_ones))
        refusals = check_refusals(check_draft(survey, definition), reason)
        check_series(definition, survey, now=now)
        _apply_schedule(survey, definition.schedule, now=now)
        survey_join_series(survey, definition.series)
        version = _publish_version(
            survey, definition, number=1 if last is None else last.number + 1, by=by, now=now
        )
        if refusals:
            _keep_reason(version, refusals, reason.strip(), by=by, now=now)
        return version
    if definition.schedule == schedule_of(survey):
        raise SurveyError("unchanged", number=last.number, slug=slug)
    _apply_schedule(survey, definition.schedule, now=now)
    survey.save()
    audit_event_record(actor=by, action="survey_schedule", target=slug, detail=_schedule_detail(survey))
    return last


def check_refusals(findings: Iterable[Finding], reason: str) -> tuple[Finding, ...]:
    """Return the findings that refuse a survey, if there is a reason to use it anyway.

    Raises
    ------
    DefinitionError
        A finding refuses it, and there is no reason.
    SurveyError
        ``field``: the reason is longer than `MOST_REASON`, or contains a null character.
    """
    refusals = tuple(finding for finding in findings if finding.is_refusal)
    if not refusals:
        return ()
    # Blanks, dots and invisible characters do not count as a reason.
    if not any(map(str.isalnum, reason)):
        raise _refused_by_checks(refusals)
    checked_text(reason, most=MOST_REASON)
    return refusals


def _refused_by_checks(findings: Iterable[Finding]) -> DefinitionError:
    whole, remedy = _("the survey"), _("Fix it, or give a written reason for publishing it unchanged.")
    problems = [
        Problem(path=finding.path or whole, message=finding.message, remedy=finding.remedy)
        for finding in findings
    ]
    return DefinitionError(problems, remedy=remedy)


def _publish_version(
    survey: Survey, definition: Definition, *, number: int, by: str, now: datetime
) -> Version:
    version = Version(
        survey=survey,
        number=number,
        design=definition.design.to_json(),
        design_id=definition.design.design_id,
        wording=definition.wording,
        wording_id=definition.wording_id,
        definition=definition.document,
        aim=survey.aim,
        promises=promises_to_publish(definition, survey),
        published_at=now,
    )
    version.save()
    survey.title = definition.title
    survey.save()
    audit_event_record(
        actor=by,
        action="survey_publish",
        target=survey.slug,
        detail={
            "version": number,
            "design_id": version.design_id,
            "wording_id": version.wording_id,
            "schedule": _schedule_detail(survey),
        },
    )
    return version


def _keep_reason(
    version: Version, findings_refused: tuple[Finding, ...], reason: str, *, by: str, now: datetime
) -> None:
    findings = [finding.to_json() for finding in findings_refused]
    PublishOverride(version=version, reason=reason, by=by, at=now, findings=findings).save()
    audit_event_record(
        actor=by,
        action="survey_publish_override",
        target=version.survey.slug,
        detail={"version": version.number, "reason": reason, "findings": findings},
    )


def _apply_schedule(survey: Survey, schedule: Schedule, *, now: datetime) -> None:
    """Set the opening and closing times. The survey opens now unless the schedule says later."""
    if schedule.closes_at is not None and schedule.closes_at <= now:
        raise SurveyError("past", time=local_text(schedule.closes_at, schedule.time_zone))
    check_retention(survey, schedule, now=now)
    chapters_state(survey, schedule.chapters, zone=schedule.time_zone, now=now)
    later = schedule.opens_at is not None and schedule.opens_at > now
    if survey.state == Survey.State.OPEN and later:
        raise SurveyError("opened", slug=survey.slug)
    survey.time_zone = schedule.time_zone
    survey.opens_at, survey.closes_at = schedule.opens_at, schedule.closes_at
    survey.delete_at = schedule.delete_at
    if later:
        survey.state = Survey.State.PLANNED
    elif survey.state != Survey.State.OPEN:
        survey.state = Survey.State.OPEN
        survey.opened_at = now


def _schedule_detail(survey: Survey) -> dict[str, str | None]:
    return {
        "time_zone": survey.time_zone,
        "opens_at": survey.opens_at.isoformat() if survey.opens_at else None,
        "closes_at": survey.closes_at.isoformat() if survey.closes_at else None,
        "delete_at": survey.delete_at.isoformat() if survey.delete_at else None,
    }
