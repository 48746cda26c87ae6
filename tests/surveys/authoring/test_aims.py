"""An aim and its draft are saved in one transaction, or not at all."""

from typing import Any

import pytest
from django.utils import timezone

from surveys.authoring.aims import aim_digest, aim_save
from surveys.authoring.drafts import draft_create
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.aim import Aim
from tests.fixtures.checked_surveys import document_of, protected, yes_no

pytestmark = pytest.mark.django_db
ANA: dict[str, Any] = {"by": "ana", "now": timezone.now()}
AIM = Aim(people=400)


def made() -> Survey:
    return draft_create(document_of(protected("b", yes_no("a"))), slug="play", source="scratch", **ANA)


def saved(survey: Survey, aim: Aim, **options: Any) -> Survey:
    """Save an aim to the survey's current revision, unless options say otherwise."""
    given = {"revision": survey.revision, "digest": aim_digest(survey), **options}
    return aim_save(survey, aim, **given, **ANA)


def test_the_aim_and_the_draft_are_saved_together() -> None:
    survey = made()
    kept = saved(survey, AIM, document=survey.definition | {"series": "years"})
    assert (kept.aim, kept.definition["series"], kept.revision) == (AIM.to_json(), "years", 2)


def test_no_aim_is_saved_when_the_draft_is_rejected() -> None:
    survey = made()
    with pytest.raises(SurveyError, match="bytes"):
        saved(survey, AIM, document={"too": "l" * 2_000_001})
    survey.refresh_from_db()
    assert survey.aim is None
    assert not AuditEvent.objects.filter(action="draft_aim").exists()


def test_aims_of_stale_revisions_and_closed_surveys_are_rejected() -> None:
    survey = made()
    with pytest.raises(SurveyError, match="revision"):
        saved(survey, AIM, revision=0)
    survey_publish(survey, **ANA, is_readable_seen=True)
    survey.refresh_from_db()
    survey_close(survey, at_once=True, **ANA)
    survey.refresh_from_db()
    with pytest.raises(SurveyError, match="closed"):
        saved(survey, AIM)


@pytest.mark.parametrize(
    ("stated", "later"), [({"a": "deny"}, {"a": "claim"}), ({"a": "deny"}, {}), ({}, {"a": "deny"})]
)
def test_expectations_are_optional_but_fixed_at_publication(
    stated: dict[str, str], later: dict[str, str]
) -> None:
    survey = saved(made(), Aim(people=400, expected=stated))
    survey_publish(survey, **ANA, is_readable_seen=True)
    survey.refresh_from_db()
    with pytest.raises(SurveyError, match="recorded when the survey was published"):
        saved(survey, Aim(people=400, expected=later))
    again = saved(survey, Aim(people=900, expected=stated)).aim or {}
    assert (again["people"], again.get("expected", {})) == (900, stated)


def test_concurrently_saved_aims_are_not_overwritten() -> None:
    survey = made()
    earlier = aim_digest(survey)
    later = aim_save(survey, Aim(people=900), revision=1, digest=earlier, **ANA)
    with pytest.raises(SurveyError, match="changed in another tab"):
        aim_save(survey, AIM, revision=1, digest=earlier, **ANA)
    survey.refresh_from_db()
    assert (survey.aim or {})["people"] == 900
    assert aim_save(survey, AIM, revision=1, digest=aim_digest(later), **ANA).aim == AIM.to_json()
