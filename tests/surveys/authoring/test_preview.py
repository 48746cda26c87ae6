"""Preview and trial: incomplete drafts can be shown, and nothing can leave the page."""

import hashlib
import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from surveys.accounts.page_sharing import page_share
from surveys.authoring.drafts import draft_create, survey_import
from surveys.authoring.preview import preview_of, preview_reading
from surveys.models import SharedPage, Survey
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.templates import TEMPLATES, template_document
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


def test_previews_contain_no_api_address_and_cannot_connect(staff: Client) -> None:
    draft(shipped_definition())
    response = staff.get(ADDRESS)
    assert response.status_code == 200
    assert {"connect-src 'none'", "form-action 'none'", "default-src 'none'"} <= policy(response)
    assert b'<link rel="icon" href="data:' in response.content
    assert "img-src 'self' data:" in policy(response)
    state = state_of(response)
    assert state["preview"] is True
    assert b"/api/" not in response.content
    # No survey can have this name, so the device stores previews apart from real visits.
    assert state["survey"] == json.loads(state["definition"])["key"]["survey"] == "preview:work"
    assert state["root"] == hashlib.sha256(state["definition"].encode()).hexdigest()


@pytest.mark.parametrize("document", [shipped_definition(), {}])
def test_previews_can_be_framed_only_by_this_server(staff: Client, document: dict[str, Any]) -> None:
    draft(document)
    response = staff.get(ADDRESS)
    assert "frame-ancestors 'self'" in policy(response)
    assert "connect-src 'none'" in policy(response)
    assert response["X-Frame-Options"] == "SAMEORIGIN"
    assert response.status_code == (200 if document else 422)
    assert (b'id="documents"' in response.content) == bool(document)


def test_published_pages_cannot_be_framed_but_the_builder_can_frame(staff: Client) -> None:
    from surveys.authoring.publish import survey_publish

    survey_publish(draft(shipped_definition()), by="ana", now=timezone.now(), is_readable_seen=True)
    assert "frame-ancestors 'none'" in policy(staff.get("/en/s/work/"))
    builder = staff.get("/en/staff/surveys/work/build/")
    assert "frame-src 'self'" in policy(builder)
    assert "frame-ancestors 'none'" in policy(builder)


@pytest.mark.soak
def test_previews_use_the_requested_language(staff: Client) -> None:
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
    return preview_of(reading.definition, survey=Survey(slug="work"), language="zh-hans")


def test_missing_texts_fall_back_to_another_language_or_a_number() -> None:
    document = shipped_definition(about={}, title={"en": "Work", "zh-hans": " "})
    question = document["blocks"][1]["questions"][0]
    question["text"] = {"en": "", "zh-hans": ""}
    del document["blocks"][0]["title"]
    document["blocks"][1]["title"] = {"en": "Unsaid", "zh-hans": ""}
    document["blocks"][2]["title"] = None
    words = words_of(read(document))
    assert words["title"] == "Work"
    assert words["about"]["ethics"] == "…"
    # A part needs no title.
    assert [block["title"] for block in words["blocks"]] == ["", "Unsaid", ""]
    assert words["blocks"][1]["questions"][0]["text"] == "第 1 题"
    assert words["blocks"][1]["questions"][1]["text"] == "有人受到欺凌"
    assert words["blocks"][1]["stems"][0]["text"] == "过去一年里，你是否看到过以下事情？"


def test_invalid_address_time_or_format_still_allow_a_preview() -> None:
    document = shipped_definition(slug="No address", sottovoce=9, opens_at="never")
    assert json.loads(read(document)["definition"])["design"]["blocks"]


@pytest.mark.soak
@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_has_a_preview(name: str) -> None:
    design = json.loads(read(template_document(name))["definition"])["design"]
    assert any(block["protected"] for block in design["blocks"])


def test_previews_rotate_the_same_questions_as_the_draft() -> None:
    definition = preview_reading(rotating_document()).definition
    assert definition is not None
    assert definition.design == definition_parse(rotating_document()).design


def test_previews_reject_invalid_disguise_parameters() -> None:
    document = shipped_definition()
    document["blocks"][1]["truth_probability"] = 0
    reading = preview_reading(document)
    assert [problem.path for problem in reading.problems] == ["blocks[1].truth_probability"]


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"blocks": [3, None, {}]},
        {"title": 3, "about": [], "blocks": {}, "languages": [3]},
        {"languages": "en"},
    ],
)
def test_unusable_documents_list_their_problems(document: dict[str, Any]) -> None:
    assert preview_reading(document).problems


def test_unfinished_experiments_can_be_previewed() -> None:
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in ("a", "b")]}
    texts = {"question": "told", "texts": {"a": {"en": "A coin. {odds}"}, "b": {}}}
    document = document_of(
        unprotected("told", arm), protected("b", yes_no("copied", wordings=texts)), explanations=texts
    )
    assert words_of(read(document))["explanations"] == {"arm": 0, "texts": ["A coin. {odds}", "… {odds}"]}


@pytest.mark.soak
def test_a_board_sees_a_draft_as_it_was_saved_on_a_page_that_can_send_nothing() -> None:
    survey = survey_import(definition(), by="alice")
    _shared, token = page_share(survey, SharedPage.Kind.RISK, days=1, by="alice", now=timezone.now())
    address = reverse("shared:preview", args=[token])
    answer = Client().get(address)
    assert answer.status_code == 200
    assert "Have you cheated?" in answer.content.decode()
    assert answer.headers["Cache-Control"] == "no-store"
    assert {"connect-src 'none'", "img-src 'self' data:"} <= policy(answer)
    assert "Set-Cookie" not in answer.headers
    changed = survey.definition
    changed["blocks"][1]["questions"][1]["text"]["en"] = "Have you lied?"
    Survey.objects.filter(pk=survey.pk).update(definition=changed)
    assert "Have you lied?" in Client().get(address).content.decode()
    Survey.objects.filter(pk=survey.pk).update(definition=survey.definition | {"blocks": []})
    answer = Client().get(address)
    assert answer.status_code == 422
    assert "There is nothing to show yet" in answer.content.decode()
