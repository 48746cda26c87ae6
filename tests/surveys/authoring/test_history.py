import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.drafts import draft_rename, draft_save
from surveys.authoring.history import draft_restore
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from tests.fixtures.saved_drafts import NOON, draft_made, draft_resaved, revisions_kept, with_questions

pytestmark = pytest.mark.django_db


def test_restoring_a_revision_is_a_new_save_and_can_be_undone() -> None:
    survey = draft_made("one", "two")
    survey = draft_resaved(survey, "three", seconds=90)
    survey = draft_restore(survey, 1, revision=2, by="ben", now=NOON + timedelta(hours=1))
    assert revisions_kept(survey) == [(3, ["one", "two"]), (2, ["three"]), (1, ["one", "two"])]
    assert AuditEvent.objects.latest("pk").action == "draft_save"
    survey = draft_restore(survey, 2, revision=3, by="ben", now=NOON + timedelta(hours=2))
    assert [question["key"] for question in survey.definition["blocks"][0]["questions"]] == ["three"]


def test_only_kept_drafts_can_be_restored_from_the_current_revision() -> None:
    survey = draft_resaved(draft_made("one"), "two", seconds=90)
    for to, revision, code in ((7, 2, "gone"), (1, 1, "revision")):
        with pytest.raises(SurveyError) as refusal:
            draft_restore(survey, to, revision=revision, by="ana", now=NOON)
        assert refusal.value.code == code
    assert Survey.objects.get().revision == 2


def test_a_draft_that_was_just_saved_can_be_restored_after_another_was(admin_client: Client) -> None:
    """A save within a minute of the last one used to replace it, although the page promises to keep it."""
    survey = draft_resaved(draft_made("one"), "one", "two", seconds=90)
    draft_restore(survey, 1, revision=2, by="ana", now=NOON + timedelta(seconds=91))
    draft_restore(survey, 2, revision=3, by="ana", now=NOON + timedelta(seconds=92))
    both = ["one", "two"]
    assert revisions_kept(survey) == [(4, both), (3, ["one"]), (2, both), (1, ["one"])]
    page = admin_client.get(reverse("authoring:history", args=["kept"])).content.decode()
    assert page.count("Restore this draft") == 3
    assert "12:01:32" in page


def test_the_history_page_names_changed_questions(admin_client: Client) -> None:
    survey = draft_made("one", "two")
    document = with_questions("one", "two")
    document["blocks"][0]["questions"][1]["text"] = {"en": "Changed?"}
    draft_save(survey, document, revision=1, by="ana", now=NOON)
    text = admin_client.get(reverse("authoring:history", args=["kept"])).content.decode()
    assert re.findall(r'Changed questions: <span class="mono">(.*?)</p>', text) == ["two</span>"]


def test_restoring_a_revision_keeps_the_current_address() -> None:
    survey = draft_resaved(draft_made("one"), "two", seconds=90)
    survey = draft_rename(survey, "other", revision=2, by="ana", now=NOON + timedelta(hours=1))
    survey = draft_restore(survey, 1, revision=3, by="ana", now=NOON + timedelta(hours=2))
    assert (survey.slug, survey.definition["slug"]) == ("other", "other")


@pytest.mark.soak
def test_a_published_version_does_not_change_with_its_draft(admin_client: Client) -> None:
    survey = draft_made("one")
    version = survey_publish(survey, by="ana", now=NOON, is_readable_seen=True)
    draft_resaved(survey, "two", seconds=90)
    survey.refresh_from_db()
    first = survey.draft_revisions.last()
    draft_restore(survey, first.revision, revision=survey.revision, by="ana", now=NOON + timedelta(hours=1))
    version.refresh_from_db()
    assert version.design_id == survey.versions.get().design_id


def test_the_history_page_lists_changes_and_restores_drafts(admin_client: Client) -> None:
    survey = draft_resaved(draft_made("one", "two"), "one", "three", seconds=90)
    page = reverse("authoring:history", args=["kept"])
    text = admin_client.get(page).content.decode()
    assert "+ three" in text
    assert "− two" in text
    assert text.count("Restore this draft") == 1
    answer = admin_client.post(page, {"to": 1, "revision": 2})
    assert answer.headers["Location"] == reverse("authoring:builder", args=["kept"])
    survey.refresh_from_db()
    assert revisions_kept(survey)[0] == (3, ["one", "two"])
    assert admin_client.post(page, {"to": 9, "revision": 3}).status_code == 409
    assert admin_client.post(page, {"to": "x"}).status_code == 422
