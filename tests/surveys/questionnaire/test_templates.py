"""The templates: laid out like every draft, and proud of what they promise."""

from __future__ import annotations

import itertools

import pytest

from privacy.planning.layouts import PROTECTIONS
from privacy.risk.promise import promise
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.catalogue import LAID_OUT, TEMPLATES, template_document
from surveys.questionnaire.checks.rotating import check_rotating
from surveys.questionnaire.definition import Definition, definition_parse, definition_without_texts
from surveys.questionnaire.plan import plan, planned_document
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive


def definition_of(name: str) -> Definition:
    return definition_parse(template_document(name))


@pytest.mark.parametrize("name", LAID_OUT)
def test_a_template_is_laid_out_as_every_draft_is(name: str) -> None:
    definition = definition_of(name)
    assert planned_document(definition, Aim(people=400)) == definition.document


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_promises_95_by_everything_and_80_by_one_answer_at_most(name: str) -> None:
    made = promise(definition_of(name).design)
    assert made is not None
    assert made.of_100 is not None
    assert made.one_of_100 is not None
    assert (made.of_100, made.one_of_100) <= (95, 80)
    assert made.one_of_100 <= 80


@pytest.mark.parametrize("name", LAID_OUT)
def test_any_two_of_its_questions_are_asked_equally_often(name: str) -> None:
    design = definition_of(name).design
    *_, part = design.blocks
    assert part.booklets is not None
    assert (
        len({part.share_asked(pair) for pair in itertools.combinations(range(len(part.questions)), 2)}) == 1
    )
    # Some three of seven are asked of nobody: a warning, and nothing else.
    assert {finding.code for finding in check_rotating(design, {})} <= {"never_together"}


@pytest.mark.parametrize("name", TEMPLATES)
def test_any_question_of_a_template_can_be_stored_as_answered(name: str) -> None:
    document = definition_of(name).document
    disguised = {
        question["key"]
        for block in document["blocks"]
        if block["protected"]
        for question in block["questions"]
    }
    skips = any(block.get("refusal") for block in document["blocks"] if block["protected"])
    for key in {question["key"] for question in choosable_questions(document)} & disguised:
        draft = definition_without_texts(with_sensitive(document, disguised - {key}))
        assert draft is not None
        for strength in PROTECTIONS:
            found = plan(draft, Aim(people=400, strength=strength))
            assert found is not None, (key, strength)
            parts = found.definition.document["blocks"]
            assert any(block.get("refusal") for block in parts if block["protected"]) == skips
