"""Pages of a draft: for a closed survey, all of them say that nothing can change, and what to do instead."""

import html
from typing import Any, Final

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring import api
from surveys.authoring.drafts import draft_create
from surveys.authoring.import_notes import ImportNote
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.models import Survey
from tests.fixtures.devices import shipped_definition
from tests.fixtures.drafts import NOW, published_survey
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db

WORK: Final = "/en/staff/surveys/work/"
PAGES: Final = ("build/", "build/delete", "build/readable", "build/saves", "build/text", "plan", "publish")


@pytest.fixture
def closed(staff: Client) -> Client:
    survey_close(published_survey(), by="ben", now=timezone.now())
    return staff


@pytest.mark.parametrize("page", PAGES)
def test_a_closed_survey_has_one_page_instead_of_those_of_its_draft(closed: Client, page: str) -> None:
    answer = closed.get(WORK + page)
    said = answer.content.decode()
    assert answer.status_code == 200
    assert "This survey is closed" in said
    assert "/en/staff/surveys/new" in said
    assert f'href="{WORK}build/export/"' in said
    assert f'href="{WORK}build/"' not in said


@pytest.mark.parametrize(
    ("page", "sent"),
    [
        ("publish", {"reason": "The board <asked> for it.", "revision": 0}),
        ("build/text", {"pasted": "1. Do you smoke?", "make": ""}),
        ("plan", {"save": ""}),
    ],
)
def test_a_form_that_comes_too_late_changes_nothing_and_shows_what_was_written(
    closed: Client, page: str, sent: dict[str, Any]
) -> None:
    before = Survey.objects.values().get()
    answer = closed.post(WORK + page, sent)
    assert answer.status_code == 409
    assert Survey.objects.values().get() == before
    texts = [sent[name] for name in ("reason", "pasted") if name in sent]
    assert answer.context["texts"] == texts
    assert all(html.escape(text) in answer.content.decode() for text in texts)


def test_a_survey_of_someone_else_is_not_found(closed: Client) -> None:
    assert browser_of("rita", Role.RESEARCHER).get(WORK + "publish").status_code == 404


def test_a_published_draft_offers_no_deletion(staff: Client) -> None:
    published_survey()
    answer = staff.get(WORK + "build/delete")
    assert answer.status_code == 409
    assert "<form" not in answer.content.decode().partition("<main")[2]


def test_the_builder_offers_to_delete_a_converted_survey_only_before_it_is_published(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notes on a conversion stay after publishing, and once offered to delete the draft."""
    monkeypatch.setattr(api, "conversion_notes", lambda survey: ("a list became yes/no questions",))
    kept = [ImportNote(text="one line was left out")]
    survey = draft_create(shipped_definition(), slug="work", source="text", not_kept=kept, by="ana", now=NOW)
    draft = staff.get(f"{WORK}build/").content.decode()
    survey_publish(survey, by="ana", now=NOW, is_readable_seen=True)
    published = staff.get(f"{WORK}build/").content.decode()
    assert "a list became yes/no questions" in published
    assert [f'href="{WORK}build/delete"' in page for page in (draft, published)] == [True, False]
