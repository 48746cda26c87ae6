"""Who can answer a survey: whoever has its address, or who was invited. Publishing settles it."""

from __future__ import annotations

from django.db import transaction

from surveys.authoring.state import survey_locked
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.models.audit_event import audit_event_record


@transaction.atomic
def survey_access(survey: Survey, *, by_invitation: bool, by: str) -> Survey:
    """Settle whether answers to a draft will take an invitation.

    Parameters
    ----------
    survey : Survey
    by_invitation : bool
    by : str
        Who decides, for the audit log.

    Raises
    ------
    SurveyError
        ``published``: answers that came by the open link and answers by invitation would be one heap.
    """
    survey, slug = survey_locked(survey), survey.slug
    if survey.state != Survey.State.DRAFT:
        raise SurveyError("published", slug=slug)
    if survey.by_invitation != by_invitation:
        survey.by_invitation = by_invitation
        survey.save(update_fields=["by_invitation"])
        audit_event_record(
            actor=by, action="survey_access", target=slug, detail={"by_invitation": by_invitation}
        )
    return survey
