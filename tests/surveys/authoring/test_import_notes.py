"""The builder's list of differences describes the last import, and only what is still true."""

from typing import Any

import pytest
from django.test import Client

from surveys.authoring.import_notes import ImportNote, draft_notes
from surveys.models import Survey
from surveys.questionnaire.readable import protected_document
from tests.surveys.authoring.test_import_report import answered

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("read_here")]

BULLIED = (
    "Work\n1. Have you been bullied?\n( ) Yes\n( ) No\nIf yes, by whom?\n( ) A supervisor\n( ) Somebody else"
)


def drafted(staff: Client, way: str) -> Survey:
    """Make the draft of the text, or make it again, with one way to settle its filter."""
    survey = Survey.objects.first()
    page = "/en/staff/surveys/new" if survey is None else f"/en/staff/surveys/{survey.slug}/build/text"
    revision = {} if survey is None else {"revision": survey.revision}
    report: Any = staff.post(page, {"pasted": BULLIED, "make": ""} | revision)
    (number,) = [item["number"] for item in report.context["unclear"] if item["note"].asks == "skip"]
    answer = answered(staff, report, **{f"how_{number}": way})
    if answer.status_code == 200:
        answered(staff, answer)
    return Survey.objects.get()


def test_notes_are_those_of_the_last_import(staff: Client) -> None:
    assert any("is no longer asked only after" in note for note in draft_notes(drafted(staff, "protect")))
    kept = draft_notes(drafted(staff, "keep"))
    assert any("because you kept the skip" in note for note in kept)
    assert not any("is no longer asked only after" in note for note in kept)
    assert any("is no longer asked only after" in note for note in draft_notes(drafted(staff, "protect")))


def test_a_note_goes_when_its_question_is_protected(staff: Client) -> None:
    survey = drafted(staff, "keep")
    (key,) = [
        question["key"]
        for block in survey.definition["blocks"]
        if block["protected"] is False
        for question in block["questions"]
    ]
    survey.definition = protected_document(survey.definition, key)
    assert not any("stored as answered" in note for note in draft_notes(survey))


@pytest.mark.parametrize(
    ("assumed", "part", "is_true"),
    [
        ("stored", {"protected": False}, True),
        ("stored", {"protected": True}, False),
        ("everyone", {}, True),
        ("everyone", {"asked_if": {"question": "b", "options": ["yes"]}}, False),
        ("asked", {"protected": True}, True),
    ],
)
def test_notes_are_compared_with_the_part_of_their_question(
    assumed: Any, part: dict[str, Any], is_true: bool
) -> None:
    note = ImportNote(text="x", key="a", assumed=assumed)
    assert note.is_true({"blocks": [part | {"questions": [{"key": "a"}]}]}) is is_true
    assert not note.is_true({"blocks": [part | {"questions": [{"key": "b"}, "c"]}]})
    assert not note.is_true("no draft")
