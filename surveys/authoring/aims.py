"""Save what a survey is for beside its draft, and lay the draft out for it."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any

from django.db import transaction

from surveys.authoring.drafts import check_open_to_changes, check_revision, draft_save
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.models.staff import audit_event_record
from surveys.models.survey import survey_locked
from surveys.questionnaire.aim import Aim

__all__ = ["aim_digest", "aim_save"]


def aim_digest(survey: Survey) -> str:
    """Return SHA-256 of a survey's aim as it is stored, in hex digits."""
    return hashlib.sha256(json.dumps(survey.aim, sort_keys=True).encode()).hexdigest()


@transaction.atomic
def aim_save(
    survey: Survey,
    aim: Aim,
    *,
    revision: int,
    digest: str,
    by: str,
    now: datetime,
    document: dict[str, Any] | None = None,
) -> Survey:
    """Save an aim, with a draft that is laid out for it or beside the draft as it is.

    Parameters
    ----------
    survey, by, now
        Which, who, when.
    aim : Aim
    revision : int
        The survey's revision that the document was made from.
    digest : str
        `aim_digest` of the aim that this one takes the place of.
    document : dict, optional
        The draft laid out; it stays as it is where this is left out.

    Raises
    ------
    SurveyError
        ``revision``: the draft has another revision by now; ``aim.meanwhile``: the survey has another
        aim by now; ``closed``; ``aim.expected``: what is
        expected was written down when the survey was published.
    DefinitionError
        The document cannot be kept as a draft.
    """
    survey = survey_locked(survey)
    check_open_to_changes(survey)
    check_revision(survey, revision)
    if digest != aim_digest(survey):
        raise SurveyError("aim.meanwhile")
    published = survey.versions.order_by("number").first()
    if published is not None:
        stated = Aim.from_json(published.aim)
        if aim.expected != (stated.expected if stated else {}):
            raise SurveyError("aim.expected")
    survey.aim = aim.to_json()
    survey.save(update_fields=["aim"])
    audit_event_record(actor=by, action="draft_aim", target=survey.slug, detail=aim.to_json())
    if document is None:
        return survey
    return draft_save(survey, document, revision=revision, by=by, now=now)
