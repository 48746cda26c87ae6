"""Store the aim of a draft: the expected number of answers, and the results it needs."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any

from django.db import transaction

from surveys.authoring.drafts import check_open_to_changes, check_revision, draft_save
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.models.audit_event import audit_event_record
from surveys.models.survey import lock_survey
from surveys.questionnaire.aim import Aim


def aim_digest(survey: Survey) -> str:
    """Return the SHA-256 of a survey's stored aim, in hex digits."""
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
    """Save an aim, and optionally a draft that was laid out for it.

    Parameters
    ----------
    survey, by, now
        Survey, user and time.
    aim : Aim
    revision : int
        The survey's revision on which the document is based.
    digest : str
        `aim_digest` of the aim that this one replaces.
    document : dict, optional
        The draft laid out for the aim; without it the draft does not change.

    Raises
    ------
    SurveyError
        ``revision``: the draft has a newer revision; ``aim.meanwhile``: another aim was saved since;
        ``closed``; ``aim.expected``: the expectations were recorded when the survey was published.
    DefinitionError
        The document cannot be kept as a draft.
    """
    survey = lock_survey(survey)
    check_open_to_changes(survey)
    check_revision(survey, revision)
    if digest != aim_digest(survey):
        raise SurveyError("aim.meanwhile")
    first_version = survey.versions.order_by("number").first()
    if first_version is not None:
        old_aim = Aim.from_json(first_version.aim)
        if aim.expected != (old_aim.expected if old_aim else {}):
            raise SurveyError("aim.expected")
    survey.aim = aim.to_json()
    survey.save(update_fields=["aim"])
    audit_event_record(actor=by, action="draft_aim", target=survey.slug, detail=aim.to_json())
    if document is None:
        return survey
    return draft_save(survey, document, revision=revision, by=by, now=now)
