"""Requests and responses between the builder's page and the server."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.authoring.api import draft_restore
from surveys.authoring.drafts import draft_create, draft_rename, draft_save
from surveys.authoring.lifecycle import survey_close
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Survey
from surveys.models.survey import MOST_REVISIONS
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.rotating_drafts import rotating_document

pytestmark = pytest.mark.django_db

BUILD = "/en/staff/surveys/work/build/"


@pytest.fixture
def survey() -> Survey:
    return draft_create(shipped_definition(), slug="work", source="scratch", by="ana", now=timezone.now())


def post(client: Client, address: str, asked: Any, **options: Any) -> Any:
    body = asked if isinstance(asked, str) else json.dumps(asked)
    return client.post(BUILD + address, body, **{"content_type": "application/json", **options})


def test_a_draft_is_given_with_its_problems_and_its_bounds(staff: Client, survey: Survey) -> None:
    draft = staff.get(BUILD + "draft").json()
    assert (draft["survey"], draft["state"], draft["revision"], draft["published"]) == ("work", "draft", 1, 0)
    assert (draft["saved_by"], draft["can_save"], draft["problems"]) == ("ana", True, [])
    assert draft["document"] == survey.definition
    # By hand: p = .5, four yes/no, a drawn skip with probability .0589.
    silence, pressure = draft["budget"]["blocks"]
    assert (silence["path"], silence["key"]) == ("blocks[1]", "silence")
    assert silence["amplification"] == pytest.approx(1 + 0.5 / (0.5 * (1 - 0.0589) / 16))
    assert pressure["amplification"] == pytest.approx(1 + 0.5 / (0.5 * 0.75 * 0.33))
    assert draft["budget"]["epsilon"] == pytest.approx(silence["epsilon"] + pressure["epsilon"])
    assert draft["budget"]["open_questions"] == 3


def test_a_part_that_rotates_is_given_the_balanced_lists_that_there_are(
    staff: Client, survey: Survey
) -> None:
    budget = post(staff, "check", {"document": rotating_document()}).json()["budget"]
    ten, *others = budget["blocks"]
    sets = ten["sets"]
    assert (sets["questions"], sets["per_person"], sets["all"]) == (10, 4, 210)
    assert [(one["together"], len(one["booklets"])) for one in sets["lists"]] == [(2, 15), (3, 30)]
    assert sets["lists"][1]["booklets"] == rotating_document()["blocks"][0]["booklets"]
    assert not any("sets" in block for block in others)


def test_saving_gives_the_new_revision_and_the_problems_by_path(staff: Client, survey: Survey) -> None:
    document = {**survey.definition, "blocks": [*survey.definition["blocks"]]}
    document["title"] = {"en": "New", "zh-hans": ""}
    answer = post(staff, "save", {"revision": 1, "document": document})
    assert answer.status_code == 200
    saved = answer.json()
    assert (saved["revision"], saved["title"]) == (2, "New")
    assert "document" not in saved
    assert [problem["path"] for problem in saved["problems"]] == ["title.zh-hans"]
    assert all(problem["message"] and problem["remedy"] for problem in saved["problems"])
    # The texts have a problem; the response still reports the privacy cost of each block.
    assert len(saved["budget"]["blocks"]) == 2
    survey.refresh_from_db()
    assert survey.definition == document
    assert AuditEvent.objects.latest("pk").actor == "ana"


def test_the_second_of_two_tabs_is_given_what_the_first_one_saved(staff: Client, survey: Survey) -> None:
    first = {**survey.definition, "practice": True}
    assert post(staff, "save", {"revision": 1, "document": first}).status_code == 200
    answer = post(staff, "save", {"revision": 1, "document": {"mine": True}})
    assert answer.status_code == 409
    refusal = answer.json()
    assert (refusal["error"], refusal["revision"], refusal["saved_by"]) == ("revision", 2, "ana")
    assert refusal["document"] == first
    assert refusal["message"]
    assert refusal["remedy"]
    assert post(staff, "save", {"revision": 2, "document": {"mine": True}}).json()["revision"] == 3


def test_checking_tells_the_same_and_saves_nothing(staff: Client, survey: Survey) -> None:
    answer = post(staff, "check", {"document": {**survey.definition, "blocks": []}}).json()
    assert [problem["path"] for problem in answer["problems"]] == ["blocks"]
    assert answer["budget"]["blocks"] == []
    survey.refresh_from_db()
    assert survey.revision == 1


def test_a_probability_that_protects_nothing_has_no_finite_bound(staff: Client, survey: Survey) -> None:
    document = survey.definition
    document["blocks"][1]["truth_probability"] = 10_000
    answer = post(staff, "check", {"document": document}).json()
    assert answer["problems"][0]["path"] == "blocks[1].truth_probability"
    assert answer["budget"]["epsilon"] is None
    assert answer["budget"]["blocks"][0]["epsilon"] is None


@pytest.mark.parametrize("address", ["save", "check", "rename"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, "json"),
        ("\x00", 400, "json"),
        ('{"revision": 1, "revision": 1}', 400, "json"),
        ('{"revision": NaN}', 400, "json"),
        ("[" * 5000, 400, "json"),
        ("[]", 400, "shape"),
        ("{}", 400, "shape"),
        ('{"revision": 1, "document": {}, "slug": "a", "more": 1}', 400, "shape"),
        (" " * 2_000_001, 413, "too_large"),
    ],
)
def test_a_request_that_cannot_be_read_is_refused(
    staff: Client, survey: Survey, address: str, body: str, status: int, code: str
) -> None:
    answer = post(staff, address, body)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert answer.json()["message"]
    assert answer.json()["remedy"]
    survey.refresh_from_db()
    assert survey.revision == 1


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"revision": "1", "document": {}}, "shape"),
        ({"revision": True, "document": {}}, "shape"),
        ({"revision": 1, "document": []}, "shape"),
        ({"revision": 1, "document": {"text": "\x00"}}, "json"),
        ({"revision": 1, "document": {"text": "\ud800"}}, "json"),
    ],
)
def test_members_of_another_type_are_refused(staff: Client, survey: Survey, asked: Any, code: str) -> None:
    answer = post(staff, "save", asked)
    assert (answer.status_code, answer.json()["error"]) == (400, code)


def test_another_content_type_is_refused(staff: Client, survey: Survey) -> None:
    answer = post(staff, "save", "revision=1", content_type="application/x-www-form-urlencoded")
    assert (answer.status_code, answer.json()["error"]) == (415, "content_type")


def test_a_closed_survey_takes_no_draft(staff: Client, survey: Survey) -> None:
    survey_publish(survey, by="ana", now=timezone.now())
    survey_close(survey, by="ana", now=timezone.now())
    answer = post(staff, "save", {"revision": 1, "document": {}})
    assert (answer.status_code, answer.json()["error"]) == (409, "closed")
    draft = staff.get(BUILD + "draft").json()
    assert (draft["can_save"], draft["state"], draft["published"]) == (False, "closed", 1)


def test_renaming_leads_to_the_builder_under_the_new_address(staff: Client, survey: Survey) -> None:
    answer = post(staff, "rename", {"revision": 1, "slug": "play"}).json()
    assert answer == {"survey": "play", "revision": 2, "builder": "/en/staff/surveys/play/build/"}
    assert staff.get(BUILD + "draft").status_code == 404


def test_messages_are_in_the_language_of_the_address(staff: Client, survey: Survey) -> None:
    answer = staff.post(BUILD.replace("/en/", "/zh-hans/") + "save", "{}", content_type="application/json")
    assert answer.headers["Content-Language"] == "zh-hans"


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
    assert text.count("Restore this draft") == 1
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
