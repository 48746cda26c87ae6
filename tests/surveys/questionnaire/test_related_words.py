"""Relations between composite questions in words."""

import pytest
from django.utils.translation import override

from surveys.authoring.api import use_state
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.related_words import filter_choice_sentences, relation_sentences
from tests.fixtures.composite_drafts import composite_document
from tests.vectors.composite_designs import TOGETHER


def said(name: str) -> dict[str, tuple[str, ...]]:
    return relation_sentences(TOGETHER[name], lambda key: f"<{key}>")


def test_a_shared_filter_names_all_questions_that_it_decides_about() -> None:
    found = said("two filters, one after the other")
    assert found["first"] == (
        "The question “<ever>” was asked once and also decides about “<second>”, “<third>”. "
        "So this rule causes part of any link between these answers.",
    )
    assert [sentence[:24] for sentence in found["third"]] == [
        "The question “<ever>” wa",
        "The question “<lately>” ",
    ]


def test_placebo_and_halves_are_named_from_both_sides() -> None:
    assert said("index and placebo") == {
        "placebo": (
            "It is the placebo index of “<index>”: it counts harmless acts that hardly anyone has done, and "
            "so careless answers.",
        ),
        "index": ("“<placebo>” is its placebo index.",),
    }
    assert said("two halves") == {
        "odd": ("It is one half of an instrument, and “<even>” is the other half.",),
        "even": ("It is one half of an instrument, and “<odd>” is the other half.",),
    }


@pytest.mark.parametrize("name", TOGETHER)
def test_relations_are_said_in_chinese_too(name: str) -> None:
    with override("zh-hans"):
        for sentences in said(name).values():
            assert not any("is " in sentence or "The" in sentence for sentence in sentences)


def test_questions_without_relations_have_no_sentence() -> None:
    assert said("three forms") == {}


def test_the_plan_says_which_way_to_send_follow_ups_is_more_precise() -> None:
    definition = definition_parse(composite_document("two follow-ups of one filter"))
    (found,) = filter_choice_sentences(definition.design, Aim(people=300), definition.wording)
    assert found == (
        "“hit?”, “kicked?” depend on the same question. As 2 answers, their shares have margins of up to "
        "±10.7 points; as one answer of all 5 combinations up to ±14.6. So several answers are more precise."
    )
    assert filter_choice_sentences(definition.design, Aim(people=0), definition.wording) == []
    survey = Survey(aim=Aim(people=300).to_json())
    assert use_state(survey, definition)[-1] == found
