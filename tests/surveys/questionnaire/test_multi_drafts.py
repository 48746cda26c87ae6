"""Drafts with tick-all questions are recognised, malformed ones too, and converted when they are read."""

from typing import Any

import pytest

from surveys.models import AuditEvent, Survey
from surveys.questionnaire.multi_drafts import CONVERTED, blocks_of, conversion_notes, has_multi
from tests.fixtures.checked_surveys import document_of, protected, several, yes_no
from tests.fixtures.drafts import new_draft

OPTIONS = [{"key": "a"}]


@pytest.mark.parametrize(
    ("question", "is_found"),
    [
        ({"kind": "multi", "key": "q", "options": OPTIONS}, True),
        ({"kind": "multi", "key": "q", "options": []}, False),
        ({"kind": "multi", "key": "q", "options": "a"}, False),
        ({"kind": "multi", "key": "q", "options": ["a"]}, False),
        ({"kind": "multi", "key": 3, "options": OPTIONS}, False),
        ({"kind": "single", "key": "q", "options": OPTIONS}, False),
        (None, False),
    ],
)
def test_only_questions_that_can_be_converted_are_recognised(question: Any, is_found: bool) -> None:
    assert has_multi({"blocks": [{"questions": [None, question]}]}) is is_found


@pytest.mark.parametrize("document", [None, 3, {}, {"blocks": 3}, {"blocks": [3, {"questions": 3}]}])
def test_malformed_documents_have_no_parts(document: Any) -> None:
    assert blocks_of(document) == []
    assert not has_multi(document)


@pytest.mark.django_db
def test_a_draft_is_converted_when_it_is_read_and_the_log_says_so_when_it_is_stored() -> None:
    survey = new_draft()
    old = document_of(protected("b", yes_no("q"), several("drugs", "Cannabis", "Heroin")))
    Survey.objects.filter(pk=survey.pk).update(definition=old)
    read = Survey.objects.get(pk=survey.pk)
    questions = [each["key"] for block in read.definition["blocks"] for each in block["questions"]]
    assert questions == ["q", "drugs_o0", "drugs_o1"]
    assert conversion_notes(read)
    assert not AuditEvent.objects.filter(action=CONVERTED).exists()
    read.save()
    assert AuditEvent.objects.get(action=CONVERTED).detail["survey"] == survey.pk
    again = Survey.objects.get(pk=survey.pk)
    assert conversion_notes(again) == []
    assert again.definition == read.definition
