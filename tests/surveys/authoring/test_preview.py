"""The preview: whatever is half done can be looked at, and nothing can leave the page."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import draft_create
from surveys.authoring.preview import preview_of, preview_reading
from surveys.models import Survey
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.draft_reading import TEMPLATES, template_document
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import shipped_definition
from tests.fixtures.rotating_drafts import rotating_document
from tests.fixtures.staff import seen_by

ADDRESS = "/en/staff/surveys/work/build/preview/"


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(seen_by(User.objects.create_superuser("ana", password="a long password")))
    return client


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


@pytest.mark.django_db
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


@pytest.mark.django_db
@pytest.mark.parametrize("document", [shipped_definition(), {}])
def test_a_preview_may_be_framed_by_this_server_only(staff: Client, document: dict[str, Any]) -> None:
    draft(document)
    response = staff.get(ADDRESS)
    assert "frame-ancestors 'self'" in policy(response)
    assert "connect-src 'none'" in policy(response)
    assert response["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.django_db
def test_a_published_page_may_not_be_framed_and_the_builder_may_frame(staff: Client) -> None:
    from surveys.authoring.publish import survey_publish

    survey_publish(draft(shipped_definition()), by="ana", now=timezone.now())
    assert "frame-ancestors 'none'" in policy(staff.get("/en/s/work/"))
    builder = staff.get("/en/staff/surveys/work/build/")
    assert "frame-src 'self'" in policy(builder)
    assert "frame-ancestors 'none'" in policy(builder)


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_a_draft_that_cannot_be_shown_says_why(staff: Client) -> None:
    draft({})
    response = staff.get(ADDRESS)
    assert response.status_code == 422
    assert b'id="documents"' not in response.content


def test_an_experiment_is_looked_at_before_all_of_its_texts_are_written() -> None:
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in ("a", "b")]}
    texts = {"question": "told", "texts": {"a": {"en": "A coin. {odds}"}, "b": {}}}
    document = document_of(
        unprotected("told", arm), protected("b", yes_no("copied", wordings=texts)), explanations=texts
    )
    assert words_of(read(document))["explanations"] == {"arm": 0, "texts": ["A coin. {odds}", "… {odds}"]}
