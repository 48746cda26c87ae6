"""Check whether respondents need an invitation to a survey."""

from __future__ import annotations

from django.db import transaction

from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.models.audit_event import audit_event_record
from surveys.models.survey import lock_survey


@transaction.atomic
def survey_access(survey: Survey, *, by_invitation: bool, by: str) -> Survey:
    """Set whether answers to the survey of a draft will need an invitation.

    Parameters
    ----------
    survey : Survey
    by_invitation : bool
    by : str
        The person who decides, for the audit log.

    Raises
    ------
    SurveyError
        ``published``: answers by open link and by invitation would be mixed without a way to tell them apart.
    """
    survey, slug = lock_survey(survey), survey.slug
    if survey.state != Survey.State.DRAFT:
        raise SurveyError("published", slug=slug)
    if survey.by_invitation != by_invitation:
        survey.by_invitation = by_invitation
        survey.save(update_fields=["by_invitation"])
        audit_event_record(
            actor=by, action="survey_access", target=slug, detail={"by_invitation": by_invitation}
        )
    return survey
