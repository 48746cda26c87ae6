"""The preview: whatever is half done can be looked at, and nothing can leave the page."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.authoring.drafts import draft_create
from surveys.authoring.preview import preview_of, preview_reading
from surveys.authoring.publish import survey_import
from surveys.models import AuditEvent, SharedPage, Survey
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.draft_reading import TEMPLATES, template_document
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.rotating_drafts import rotating_document
from tests.fixtures.runs import definition

pytestmark = pytest.mark.django_db

ADDRESS = "/en/staff/surveys/work/build/preview/"


def draft(document: dict[str, Any]) -> Survey:
    return draft_create(document, slug="work", source="scratch", by="ana", now=timezone.now())


def state_of(response: Any) -> dict[str, Any]:
    found = re.search(
        r'<script id="documents" type="application/json">(.*?)</script>', response.content.decode()
    )
    assert found
    state: dict[str, Any] = json.loads(found[1])
    return state


def words_of(state: dict[str, Any]) -> dict[str, Any]:
    words: dict[str, Any] = json.loads(state["words"])
    return words


def policy(response: Any) -> set[str]:
    return {part.strip() for part in response["Content-Security-Policy"].split(";")}


def test_a_preview_knows_no_address_and_may_connect_to_nothing(staff: Client) -> None:
    draft(shipped_definition())
    response = staff.get(ADDRESS)
    assert response.status_code == 200
    assert {"connect-src 'none'", "form-action 'none'", "default-src 'none'"} <= policy(response)
    state = state_of(response)
    assert state["preview"] is True
    assert b"/api/" not in response.content
    # No survey can have this name, so the device stores a preview apart from a real visit.
    assert state["survey"] == json.loads(state["definition"])["key"]["survey"] == "preview:work"
    assert state["root"] == hashlib.sha256(state["definition"].encode()).hexdigest()


@pytest.mark.parametrize("document", [shipped_definition(), {}])
def test_a_preview_may_be_framed_by_this_server_only(staff: Client, document: dict[str, Any]) -> None:
    draft(document)
    response = staff.get(ADDRESS)
    assert "frame-ancestors 'self'" in policy(response)
    assert "connect-src 'none'" in policy(response)
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert response.status_code == (200 if document else 422)
    assert (b'id="documents"' in response.content) == bool(document)


def test_a_published_page_may_not_be_framed_and_the_builder_may_frame(staff: Client) -> None:
    from surveys.authoring.publish import survey_publish

    survey_publish(draft(shipped_definition()), by="ana", now=timezone.now())
    assert "frame-ancestors 'none'" in policy(staff.get("/en/s/work/"))
    builder = staff.get("/en/staff/surveys/work/build/")
    assert "frame-src 'self'" in policy(builder)
    assert "frame-ancestors 'none'" in policy(builder)


def test_a_preview_is_shown_in_the_language_asked_for(staff: Client) -> None:
    draft(shipped_definition())
    for asked, shown, title in (
        ("zh-hans", "zh-hans", "你的工作"),
        ("", "en", "Your work"),
        ("tlh", "en", "Your work"),
    ):
        state = state_of(staff.get(f"{ADDRESS}?language={asked}"))
        assert state["language"] == shown
        assert words_of(state)["blocks"][0]["title"] == title


def read(document: dict[str, Any]) -> Any:
    reading = preview_reading(document)
    assert reading.definition is not None, reading.problems
    return preview_of(reading, survey="work", language="zh-hans")


def test_texts_that_are_missing_are_shown_in_another_language_or_as_an_ellipsis() -> None:
    document = shipped_definition(about={}, title={"en": "Work", "zh-hans": " "})
    question = document["blocks"][1]["questions"][0]
    question["text"] = {"en": "", "zh-hans": ""}
    del document["blocks"][0]["title"]
    document["blocks"][1]["title"] = None
    words = words_of(read(document))
    assert words["title"] == "Work"
    assert words["about"]["ethics"] == "…"
    assert words["blocks"][0]["title"] == "…"
    assert words["blocks"][1]["questions"][0]["text"] == "…"
    assert words["blocks"][1]["questions"][1]["text"] == "过去一年里你看到过什么？"


def test_an_address_a_time_or_a_format_in_disorder_keeps_nobody_from_looking() -> None:
    document = shipped_definition(slug="No address", sottovoce=9, opens_at="never")
    assert json.loads(read(document)["definition"])["design"]["blocks"]


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_can_be_looked_at(name: str) -> None:
    design = json.loads(read(template_document(name))["definition"])["design"]
    assert any(block["protected"] for block in design["blocks"])


def test_a_preview_rotates_what_the_draft_rotates() -> None:
    definition = preview_reading(rotating_document()).definition
    assert definition is not None
    assert definition.design == definition_parse(rotating_document()).design


def test_what_decides_the_disguise_has_to_be_right() -> None:
    document = shipped_definition()
    document["blocks"][1]["truth_probability"] = 0
    reading = preview_reading(document)
    assert [problem.path for problem in reading.problems] == ["blocks[1].truth_probability"]
    with pytest.raises(ValueError, match="no page"):
        preview_of(reading, survey="work", language="en")


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"blocks": [3, None, {}]},
        {"title": 3, "about": [], "blocks": {}, "languages": [3]},
        {"languages": "en"},
    ],
)
def test_any_object_is_shown_or_has_its_problems_told(document: dict[str, Any]) -> None:
    assert preview_reading(document).problems


def test_an_experiment_is_looked_at_before_all_of_its_texts_are_written() -> None:
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in ("a", "b")]}
    texts = {"question": "told", "texts": {"a": {"en": "A coin. {odds}"}, "b": {}}}
    document = document_of(
        unprotected("told", arm), protected("b", yes_no("copied", wordings=texts)), explanations=texts
    )
    assert words_of(read(document))["explanations"] == {"arm": 0, "texts": ["A coin. {odds}", "… {odds}"]}


PAGE = "/en/staff/surveys/habits/build/phone/"


@pytest.fixture
def survey() -> Survey:
    return survey_import(definition(), by="alice")


def made(client: Client) -> str:
    found = re.search(r'value="http://testserver([^"]+)"', client.post(PAGE).content.decode())
    assert found
    return found[1]


def test_an_address_is_made_for_a_day_shown_once_and_ended(admin_client: Client, survey: Survey) -> None:
    text = admin_client.post(PAGE).content.decode()
    assert text.count('class="qr"') == 1
    (kept,) = SharedPage.objects.all()
    assert (kept.kind, kept.survey_id, kept.run_id) == ("preview", survey.pk, None)
    assert kept.until - kept.made_at == timedelta(days=1)
    found = re.search(r"/shared/([^/]+)/preview/", text)
    assert found
    later = admin_client.get(PAGE).content.decode()
    assert found[1] not in later
    end = reverse("report:share_end", args=["habits", kept.pk])
    assert end in later
    assert admin_client.post(end).headers["Location"] == PAGE
    assert Client().get(f"/en{found[0]}").status_code == 404
    assert end not in admin_client.get(PAGE).content.decode()
    events = AuditEvent.objects.filter(action__startswith="preview_").order_by("pk")
    assert [event.action for event in events] == ["preview_share", "preview_unshare"]


def test_the_page_is_the_draft_as_it_was_saved_and_can_send_nothing(
    admin_client: Client, survey: Survey
) -> None:
    address = made(admin_client)
    answer = Client().get(address)
    assert answer.status_code == 200
    assert "Have you cheated?" in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"
    assert "connect-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "Set-Cookie" not in answer.headers
    changed = survey.definition
    changed["blocks"][1]["questions"][1]["text"]["en"] = "Have you lied?"
    Survey.objects.filter(pk=survey.pk).update(definition=changed)
    assert "Have you lied?" in Client().get(address).content.decode()
    assert SharedPage.objects.count() == 1
    results = address.replace("preview/", "")
    assert [Client().get(path).status_code for path in (results, f"{results}risk/")] == [404, 404]


def test_a_draft_that_cannot_be_shown_says_why(admin_client: Client, survey: Survey) -> None:
    address = made(admin_client)
    Survey.objects.filter(pk=survey.pk).update(definition={**survey.definition, "blocks": []})
    answer = Client().get(address)
    assert answer.status_code == 422
    assert "There is nothing to show yet" in answer.content.decode()
