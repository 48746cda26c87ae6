"""Relations between composite questions in words."""

import pytest
from django.utils.translation import override

from surveys.questionnaire.related_words import relation_sentences
from tests.vectors.composite_designs import TOGETHER


def said(name: str) -> dict[str, tuple[str, ...]]:
    return relation_sentences(TOGETHER[name], lambda key: f"<{key}>")


def test_a_shared_filter_names_all_questions_that_it_decides_about() -> None:
    found = said("two filters, one after the other")
    assert found["first"] == (
        "The question “<ever>” is asked once, but also affects “<second>”, “<third>”. "
        "So this rule causes part of any link between these answers.",
    )
    assert [sentence[:24] for sentence in found["third"]] == [
        "The question “<ever>” is",
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
