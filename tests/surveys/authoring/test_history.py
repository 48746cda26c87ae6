from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import draft_create, draft_rename, draft_save
from surveys.authoring.history import draft_restore
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.devices import shipped_definition

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey() -> Survey:
    return draft_create(shipped_definition(), slug="work", source="scratch", by="ana", now=timezone.now())


NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def with_questions(*keys: str) -> dict[str, Any]:
    return document_of(protected("a", *(yes_no(key) for key in keys)), slug="kept")


def made(*keys: str, pasted: str = "") -> Survey:
    return draft_create(
        with_questions(*keys), slug="kept", by="ana", now=NOON, source="scratch", pasted=pasted
    )


def save(survey: Survey, *keys: str, seconds: int, by: str = "ana") -> Survey:
    survey.refresh_from_db()
    later = NOON + timedelta(seconds=seconds)
    return draft_save(survey, with_questions(*keys), revision=survey.revision, by=by, now=later)


def kept(survey: Survey) -> list[tuple[int, list[str]]]:
    return [
        (one.revision, [question["key"] for question in one.definition["blocks"][0]["questions"]])
        for one in survey.draft_revisions.all()
    ]


def test_restoring_a_revision_is_a_new_save_and_can_be_undone() -> None:
    survey = made("one", "two")
    survey = save(survey, "three", seconds=90)
    survey = draft_restore(survey, 1, revision=2, by="ben", now=NOON + timedelta(hours=1))
    assert kept(survey) == [(3, ["one", "two"]), (2, ["three"]), (1, ["one", "two"])]
    assert AuditEvent.objects.latest("pk").action == "draft_save"
    survey = draft_restore(survey, 2, revision=3, by="ben", now=NOON + timedelta(hours=2))
    assert [question["key"] for question in survey.definition["blocks"][0]["questions"]] == ["three"]


def test_only_kept_drafts_can_be_restored_from_the_current_revision() -> None:
    survey = save(made("one"), "two", seconds=90)
    for to, revision, code in ((7, 2, "gone"), (1, 1, "revision")):
        with pytest.raises(SurveyError) as refusal:
            draft_restore(survey, to, revision=revision, by="ana", now=NOON)
        assert refusal.value.code == code
    assert Survey.objects.get().revision == 2


def test_restoring_a_revision_keeps_the_current_address() -> None:
    survey = save(made("one"), "two", seconds=90)
    survey = draft_rename(survey, "other", revision=2, by="ana", now=NOON + timedelta(hours=1))
    survey = draft_restore(survey, 1, revision=3, by="ana", now=NOON + timedelta(hours=2))
    assert (survey.slug, survey.definition["slug"]) == ("other", "other")


def test_a_published_version_does_not_change_with_its_draft(admin_client: Client) -> None:
    survey = made("one")
    version = survey_publish(survey, by="ana", now=NOON, is_readable_seen=True)
    save(survey, "two", seconds=90)
    survey.refresh_from_db()
    first = survey.draft_revisions.last()
    draft_restore(survey, first.revision, revision=survey.revision, by="ana", now=NOON + timedelta(hours=1))
    version.refresh_from_db()
    assert version.design_id == survey.versions.get().design_id
