"""Shipped templates are complete, in two languages, and within recommended limits."""

import itertools
import json
import re
from typing import Any

import pytest

from privacy.planning.protection import PROTECTIONS
from privacy.risk.amplification import promise
from privacy.risk.budget import budget
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.composites import check_composites
from surveys.questionnaire.checks.rotation import check_rotating
from surveys.questionnaire.definition import (
    Definition,
    definition_parse,
    definition_read,
    definition_without_texts,
)
from surveys.questionnaire.draft_plan import plan, planned_document
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive
from surveys.questionnaire.templates import COMPOSITE, LAID_OUT, TEMPLATES, template_document, template_lines


def definition_of(name: str) -> Definition:
    return definition_parse(template_document(name))


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_have_no_problems_and_stay_within_epsilon_3_and_a_half(name: str) -> None:
    document = template_document(name)
    assert definition_read(document).problems == ()
    definition = definition_parse(document)
    assert definition.languages == ("en", "zh-hans")
    assert budget(definition.design).epsilon <= 3.5
    # Only the experiment on protection has two strengths.
    assert (definition.design.group.policy == "protected") is (name != "experiment")
    assert not definition.practice


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_state_that_their_prevalences_are_assumed(name: str) -> None:
    purpose = template_document(name)["about"]["purpose"]
    assert "the researcher assumes. They have not been measured" in purpose["en"]
    assert "假定" in purpose["zh-hans"]


@pytest.mark.parametrize("name", LAID_OUT)
def test_every_disguised_block_of_a_template_can_be_skipped(name: str) -> None:
    blocks = definition_parse(template_document(name)).design.blocks
    assert not blocks[0].protected
    assert all(block.refusal for block in blocks if block.protected)


def texts_of(part: Any) -> list[dict[str, str]]:
    if isinstance(part, dict):
        if set(part) == {"en", "zh-hans"}:
            return [part]
        return [text for value in part.values() for text in texts_of(value)]
    return [text for entry in part for text in texts_of(entry)] if isinstance(part, list) else []


@pytest.mark.parametrize("name", TEMPLATES)
def test_template_texts_use_the_script_of_their_language(name: str) -> None:
    texts = texts_of(template_document(name))
    assert len(texts) > 15
    for text in texts:
        assert not any("\u4e00" <= sign <= "\u9fff" for sign in text["en"]), text
        # An explanation may consist of names of what the page shows.
        is_named = re.fullmatch(r"(\{\w+\}\s*)+", text["zh-hans"])
        assert is_named or any("\u4e00" <= sign <= "\u9fff" for sign in text["zh-hans"]), text


def test_the_template_list_describes_every_template() -> None:
    lines = template_lines()
    assert [line.name for line in lines] == list(TEMPLATES)
    assert all(line.title and line.about and line.questions > 2 for line in lines)
    assert all([language.tag for language in line.languages] == ["en", "zh-hans"] for line in lines)


def test_the_template_list_counts_the_questions_that_respondents_see() -> None:
    counts = {line.name: line.questions for line in template_lines()}
    # Three or two open questions, and the components.
    assert {name: counts[name] for name in COMPOSITE} == {
        "drinking": 3 + 8 + 5,
        "violence": 3 + 3 * 5,
        "doping-any": 2 + 8 + 5,
        "mood": 3 + 8 + 4,
    }


@pytest.mark.parametrize("name", COMPOSITE)
def test_composite_templates_ask_at_least_and_how_many_and_name_a_help_line(name: str) -> None:
    document = template_document(name)
    definition = definition_parse(document)
    rules = [question.computed for question in definition.design.questions if question.computed]
    assert len(rules) == (3 if name == "violence" else 2)
    assert any(len(rule.levels) == (2 if name == "violence" else 3) for rule in rules)
    for rule in rules:
        # A fifth of the components may be left empty; everyone is asked all of them.
        assert rule.missing.at_most == len(rule.components) // 5
        assert not any(component.asked_if for component in rule.components)
    for texts in (document["about"]["help"], document["about"]["researcher"]):
        assert all(text.startswith("[") and text.endswith("]") for text in texts.values())
    for block in definition.design.blocks:
        assert block.protected == any(question.computed for question in block.questions)
    codes = {each.code for each in check_composites(definition, Aim(people=400))}
    assert codes <= {"slips"}


def test_the_three_forms_of_violence_are_one_part() -> None:
    (*_, part) = definition_of("violence").design.blocks
    assert tuple(question.key for question in part.questions) == ("psychological", "physical", "sexual")


def test_each_survey_gets_a_fresh_copy_of_the_template() -> None:
    first = template_document("health")
    first["title"]["en"] = "Changed"
    assert json.dumps(template_document("health")) != json.dumps(first)


def test_unknown_template_names_are_rejected() -> None:
    with pytest.raises(KeyError):
        template_document("../workplace")


@pytest.mark.parametrize("name", LAID_OUT)
def test_templates_match_the_layout_of_the_planner(name: str) -> None:
    definition = definition_of(name)
    assert planned_document(definition, Aim(people=400)) == definition.document


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_promise_at_most_95_overall_and_80_per_answer(name: str) -> None:
    made = promise(definition_of(name).design)
    assert made is not None
    assert made.of_100 is not None
    assert made.one_of_100 is not None
    assert (made.of_100, made.one_of_100) <= (95, 80)
    assert made.one_of_100 <= 80


@pytest.mark.parametrize("name", [name for name in LAID_OUT if definition_of(name).design.rotates])
def test_template_booklets_ask_every_pair_of_questions_equally_often(name: str) -> None:
    design = definition_of(name).design
    *_, part = design.blocks
    assert part.booklets is not None
    assert (
        len({part.share_asked(pair) for pair in itertools.combinations(range(len(part.questions)), 2)}) == 1
    )
    # Some triples of the seven questions are never asked together, which only causes a warning.
    assert {finding.code for finding in check_rotating(design, {}, people=1000)} <= {"never_together"}


@pytest.mark.soak
@pytest.mark.parametrize("name", TEMPLATES)
def test_any_template_question_can_be_stored_as_answered(name: str) -> None:
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
