"""Earlier saves of a draft are kept, and going back to one loses nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.draft_history import draft_restore
from surveys.authoring.drafts import draft_create, draft_rename, draft_save
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from surveys.models.survey import MOST_REVISIONS
from tests.fixtures.checked_surveys import document_of, protected, yes_no

pytestmark = pytest.mark.django_db

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


def test_saves_within_a_minute_are_one_and_later_ones_another() -> None:
    survey = made("one")
    save(survey, "one", "two", seconds=20)
    save(survey, "one", "two", "three", seconds=40)
    save(survey, "one", "two", "three", "four", seconds=61)
    assert kept(survey) == [(4, ["one", "two", "three", "four"]), (3, ["one", "two", "three"])]


def test_what_is_taken_away_stays_however_fast() -> None:
    survey = made("one", "two")
    save(survey, "one", seconds=5)
    save(survey, "one", "three", seconds=6, by="ben")
    assert kept(survey) == [(3, ["one", "three"]), (2, ["one"]), (1, ["one", "two"])]


def test_going_back_is_a_save_of_its_own_and_can_be_undone() -> None:
    survey = made("one", "two")
    survey = save(survey, "three", seconds=90)
    survey = draft_restore(survey, 1, revision=2, by="ben", now=NOON + timedelta(hours=1))
    assert kept(survey) == [(3, ["one", "two"]), (2, ["three"]), (1, ["one", "two"])]
    assert AuditEvent.objects.latest("pk").action == "draft_save"
    survey = draft_restore(survey, 2, revision=3, by="ben", now=NOON + timedelta(hours=2))
    assert [question["key"] for question in survey.definition["blocks"][0]["questions"]] == ["three"]


def test_it_goes_back_to_what_is_kept_and_from_what_was_shown_alone() -> None:
    survey = save(made("one"), "two", seconds=90)
    for to, revision, code in ((7, 2, "gone"), (1, 1, "revision")):
        with pytest.raises(SurveyError) as refusal:
            draft_restore(survey, to, revision=revision, by="ana", now=NOON)
        assert refusal.value.code == code
    assert Survey.objects.get().revision == 2


def test_another_address_stays() -> None:
    survey = save(made("one"), "two", seconds=90)
    survey = draft_rename(survey, "other", revision=2, by="ana", now=NOON + timedelta(hours=1))
    survey = draft_restore(survey, 1, revision=3, by="ana", now=NOON + timedelta(hours=2))
    assert (survey.slug, survey.definition["slug"]) == ("other", "other")


def test_the_oldest_ones_go_but_never_the_text_it_was_made_from() -> None:
    survey = made("one", pasted="T\n1. One?")
    for number in range(1, MOST_REVISIONS + 2):
        save(survey, f"q{number}", seconds=90 * number)
    assert survey.draft_revisions.count() == MOST_REVISIONS + 1
    assert survey.draft_revisions.last().pasted == "T\n1. One?"


def test_a_draft_of_before_is_kept_with_its_first_change() -> None:
    survey = made("one")
    survey.draft_revisions.all().delete()
    save(survey, "two", seconds=5)
    assert kept(survey) == [(2, ["two"]), (1, ["one"])]


def test_the_page_lists_what_came_and_went_and_goes_back(admin_client: Client) -> None:
    survey = save(made("one", "two"), "one", "three", seconds=90)
    page = reverse("authoring:history", args=["kept"])
    text = admin_client.get(page).content.decode()
    assert "+ three" in text
    assert "− two" in text
    assert text.count("Go back to this") == 1
    answer = admin_client.post(page, {"to": 1, "revision": 2})
    assert answer.headers["Location"] == reverse("authoring:builder", args=["kept"])
    survey.refresh_from_db()
    assert kept(survey)[0] == (3, ["one", "two"])
    assert admin_client.post(page, {"to": 9, "revision": 3}).status_code == 409
    assert admin_client.post(page, {"to": "x"}).status_code == 422


def test_a_published_version_does_not_change_with_its_draft(admin_client: Client) -> None:
    survey = made("one")
    version = survey_publish(survey, by="ana", now=NOON)
    save(survey, "two", seconds=90)
    survey.refresh_from_db()
    first = survey.draft_revisions.last()
    draft_restore(survey, first.revision, revision=survey.revision, by="ana", now=NOON + timedelta(hours=1))
    version.refresh_from_db()
    assert version.design_id == survey.versions.get().design_id
