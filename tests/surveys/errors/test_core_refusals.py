"""Refusals of the core, on pages that do not speak English."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils.translation import gettext, override

from privacy.catalogue import WORDS
from privacy.catalogue.marker import NAME
from privacy.errors import PrivacyError
from surveys.errors.core_refusals import UNFORESEEN, in_words, sentences
from surveys.questionnaire.definition import definition_read
from tests.fixtures.devices import shipped_definition


def test_a_page_in_english_shows_the_sentence_of_the_core() -> None:
    error = PrivacyError("one_of", "free", code="kind", name="kind of q", names="'single'")
    with override("en"):
        assert in_words(error) == ("kind of q = 'free' is unknown", "choose one of 'single'")


def test_a_page_in_another_language_shows_the_value_and_never_the_sentence_of_the_core() -> None:
    error = PrivacyError("one_of", "the value", code="no such code", name="a sentence of the core", names="x")
    with override("zh-hans"):
        message, remedy = in_words(error)
    assert "the value" in message
    assert "of the core" not in message + remedy


def marked_cases() -> list[str]:
    """The cases that have Chinese."""
    with override("zh-hans"):
        return [case for case, texts in WORDS.items() if all(map(has_chinese, texts))]


def has_chinese(text: str) -> bool:
    bare = text.removeprefix(NAME)
    return not bare or gettext(bare) != bare


@pytest.mark.parametrize("case", marked_cases())
def test_a_marked_case_names_in_chinese_what_it_names_in_english(case: str) -> None:
    fields = {name: f"<{name}>" for text in WORDS[case] for name in re.findall(r"%\((\w+)\)", text)}
    error = PrivacyError(case, fields.pop("value", None), **fields)
    with override("zh-hans"):
        said, beside = sentences(error), in_words(error)
    assert all(f"<{name}>" in said for name in fields)
    assert re.search("[\u4e00-\u9fff]", beside[0])
    assert not beside[1] or re.search("[\u4e00-\u9fff]", beside[1])


def test_most_refusals_of_surveys_are_marked() -> None:
    assert len(marked_cases()) > 170


def test_beside_its_place_a_check_of_any_value_leaves_out_what_the_core_calls_it() -> None:
    error = PrivacyError("whole.range", 21, code="max_size", name="longest itemset", low=1, high=20)
    with override("zh-hans"):
        assert in_words(error)[0] == "21 超出 1..20"
        assert sentences(error).startswith("Longest itemset = 21 超出 1..20。")


def test_a_case_without_chinese_is_general_beside_its_place_and_english_as_a_sentence() -> None:
    error = PrivacyError("paper.strata", 3)
    with override("zh-hans"):
        assert in_words(error) == (gettext(UNFORESEEN[0]) % {"value": "3"}, gettext(UNFORESEEN[1]))
        assert sentences(error) == "There are no strata。Pass a study for each stratum。"


def broken(path: str, value: Any) -> dict[str, Any]:
    document = shipped_definition()
    *way, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    place: Any = document
    for step in way:
        place = place[step]
    place[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("blocks/1/questions/0/key", "a b"),
        ("blocks/1/questions/0/kind", "free"),
        ("blocks/0/questions/0/options", []),
        ("blocks/1/questions/0/unrelated", [0]),
        ("blocks/2/questions/0/unrelated", [1, 2, 3]),
        ("blocks/1/questions/0/prevalence", [-1]),
        ("blocks/1/truth_probability", 0),
        ("blocks/1/refusal", 10_000),
        ("blocks/1/questions", []),
        ("blocks/2/asked_if/options", ["maybe"]),
        ("blocks/2/key", "work"),
        ("group", {"policy": "all"}),
        ("group", {"policy": "assigned"}),
    ],
)
def test_every_refusal_that_a_builder_can_meet_has_a_sentence_of_its_own(path: str, value: Any) -> None:
    document = broken(path, value)
    with override("en"):
        (english,) = definition_read(document).problems
    with override("zh-hans"):
        (chinese,) = definition_read(document).problems
        unforeseen = gettext(UNFORESEEN[1])
    assert chinese.path == english.path
    assert chinese.message != english.message
    assert chinese.remedy != unforeseen


def test_a_refusal_of_the_core_is_said_in_the_language_of_the_page() -> None:
    refusal = PrivacyError("unknown_item.design", "affairs", items_by_key="affair")
    assert sentences(refusal) == "Unknown item: 'affairs'. Use one of affair."
    with override("zh-hans"):
        said = sentences(refusal)
    assert "affairs" in said
    assert "item" not in said.replace("affairs", "")
    assert said.endswith("。")
