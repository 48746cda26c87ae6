"""The templates that ship: complete, in two languages, and within the bounds that they should teach."""

from __future__ import annotations

import json
from typing import Any

import pytest

from privacy.risk.budget import budget
from surveys.questionnaire.catalogue import LAID_OUT, TEMPLATES, template_document, template_lines
from surveys.questionnaire.definition import definition_parse, definition_read


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_has_no_problem_and_costs_no_more_than_epsilon_3_and_a_half(name: str) -> None:
    document = template_document(name)
    assert definition_read(document).problems == ()
    definition = definition_parse(document)
    assert definition.languages == ("en", "zh-hans")
    assert budget(definition.design).epsilon <= 3.5
    assert (definition.design.group.policy == "protected") is (name in LAID_OUT)
    assert not definition.practice


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_says_that_its_prevalences_are_assumed(name: str) -> None:
    purpose = template_document(name)["about"]["purpose"]
    assert "the researcher assumes; they have not been measured" in purpose["en"]
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
def test_both_languages_of_a_template_are_written_in_their_script(name: str) -> None:
    texts = texts_of(template_document(name))
    assert len(texts) > 15
    for text in texts:
        assert not any("\u4e00" <= sign <= "\u9fff" for sign in text["en"]), text
        assert any("\u4e00" <= sign <= "\u9fff" for sign in text["zh-hans"]), text


def test_the_list_describes_every_template() -> None:
    lines = template_lines()
    assert [line.name for line in lines] == list(TEMPLATES)
    assert all(line.title and line.about and line.questions > 2 for line in lines)
    assert all([language.tag for language in line.languages] == ["en", "zh-hans"] for line in lines)


def test_a_template_is_made_anew_for_each_survey() -> None:
    first = template_document("health")
    first["title"]["en"] = "Changed"
    assert json.dumps(template_document("health")) != json.dumps(first)


def test_there_is_no_template_of_another_name() -> None:
    with pytest.raises(KeyError):
        template_document("../workplace")
