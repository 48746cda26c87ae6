"""Messages of the errors that services raise."""

import inspect
import re
from typing import Any

import pytest
from django.utils.translation import gettext, override

from privacy.catalogue import PARTS, WORDS
from privacy.catalogue.survey import NAME
from privacy.errors import PrivacyError
from surveys.errors.error import UNFORESEEN, SurveyError, in_sentences, in_words, sentences
from surveys.errors.stored_refusals import refusal_json, refusal_text
from surveys.questionnaire.definition import definition_read
from tests.fixtures.devices import shipped_definition
from tests.site.test_translations import texts_of, warn_or_refuse


def test_survey_errors_have_a_code_and_two_sentences() -> None:
    refusal = SurveyError("closed.draft", slug="work")
    assert refusal.code == "closed"
    assert str(refusal) == "survey work is closed; duplicate it on the page “New survey”: it stays closed"
    assert (
        sentences(refusal) == "Survey work is closed. Duplicate it on the page “New survey”: it stays closed."
    )


def test_survey_errors_appear_in_the_language_of_the_reader() -> None:
    refusal = SurveyError("closed.draft", slug="work")
    with override("zh-hans"):
        said = sentences(refusal)
        assert "work" in said
        assert said.endswith("。")
        assert "closed" not in said
    assert refusal.message == "survey work is closed"


def test_each_error_case_has_its_http_status() -> None:
    statuses = [SurveyError(case).status for case in ("closed.submission", "closed.draft", "too_few")]
    assert statuses == [410, 409, 422]


def test_unknown_error_cases_raise_key_error() -> None:
    with pytest.raises(KeyError):
        assert SurveyError("no such case").message


def test_sentences_end_with_the_languages_punctuation() -> None:
    with override("zh-hans"):
        assert in_sentences("问卷已结束", "请复制。") == "问卷已结束。请复制。"


def test_english_pages_show_core_error_messages() -> None:
    error = PrivacyError("one_of", "free", code="kind", name="kind of q", names="'single'")
    with override("en"):
        assert in_words(error) == ("kind of q = 'free' is unknown", "choose one of 'single'")


def test_other_languages_show_the_value_but_no_core_message() -> None:
    error = PrivacyError("one_of", "the value", code="no such code", name="a sentence of the core", names="x")
    with override("zh-hans"):
        message, remedy = in_words(error)
    assert "the value" in message
    assert "of the core" not in message + remedy


MARKED = {text for part in PARTS for _context, text in texts_of(inspect.getsource(part).encode())}
"""Messages of the core that are marked for translation because pages show them."""


def texts_of_case(case: str) -> list[str]:
    return [text.removeprefix(NAME) for text in WORDS[case] if text not in ("", NAME)]


def is_marked(case: str) -> bool:
    return MARKED.issuperset(texts_of_case(case))


def has_chinese(case: str) -> bool:
    return all(gettext(text) != text for text in texts_of_case(case))


@pytest.mark.soak
@pytest.mark.parametrize("case", [case for case in WORDS if is_marked(case)])
def test_chinese_messages_contain_the_same_fields_as_english(case: str) -> None:
    fields = {name: f"<{name}>" for text in WORDS[case] for name in re.findall(r"%\((\w+)\)", text)}
    error = PrivacyError(case, fields.pop("value", None), **fields)
    with override("zh-hans"):
        if not has_chinese(case):
            return warn_or_refuse(case, "an error of the core without Chinese")
        said, beside = sentences(error), in_words(error)
    assert all(f"<{name}>" in said for name in fields)
    assert re.search("[\u4e00-\u9fff]", beside[0])
    assert not beside[1] or re.search("[\u4e00-\u9fff]", beside[1])


def test_core_errors_have_chinese_exactly_where_they_are_marked() -> None:
    """A Chinese page shows a general message if any text of an error is not translated."""
    marked = {case for case in WORDS if is_marked(case)}
    with override("zh-hans"):
        translated = {case for case in WORDS if has_chinese(case)}
    assert len(marked) > 150
    assert translated - marked == set()
    warn_or_refuse("\n".join(sorted(marked - translated)), "errors of the core without Chinese")


def test_field_errors_omit_the_internal_value_name() -> None:
    error = PrivacyError("whole.range", 21, code="max_size", name="longest itemset", low=1, high=20)
    with override("zh-hans"):
        assert in_words(error)[0] == "21 超出 1..20"
        assert sentences(error).startswith("Longest itemset = 21 超出 1..20。")


def test_untranslated_errors_fall_back_to_general_words_or_english() -> None:
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
def test_every_builder_error_has_its_own_translated_message(path: str, value: Any) -> None:
    document = broken(path, value)
    with override("en"):
        (english,) = definition_read(document).problems
    with override("zh-hans"):
        (chinese,) = definition_read(document).problems
        unforeseen = gettext(UNFORESEEN[1])
    assert chinese.path == english.path
    assert chinese.message != english.message
    assert chinese.remedy != unforeseen


def test_core_errors_appear_in_the_page_language() -> None:
    refusal = PrivacyError("unknown_item.design", "affairs", items_by_key="affair")
    assert sentences(refusal) == "Unknown item: 'affairs'. Use one of affair."
    with override("zh-hans"):
        said = sentences(refusal)
    assert "affairs" in said
    assert "item" not in said.replace("affairs", "")
    assert said.endswith("。")


def test_stored_service_errors_keep_values_in_any_language() -> None:
    refusal = SurveyError("too_few", 7, least=100)
    stored = refusal_json(refusal)
    assert refusal_text(stored) == (
        "There are too few protected answers for a result. Results appear once there are 100 "
        "protected answers."
    )
    with override("zh-hans"):
        said = refusal_text(stored)
        assert said == sentences(refusal)
    assert "100" in said
    assert "answers" not in said


def test_stored_core_errors_are_worded_by_case_and_fields() -> None:
    refusal = PrivacyError("max_candidates", 80_123, shape="2")
    stored = refusal_json(refusal)
    assert refusal_text(stored) == sentences(refusal)
    with override("zh-hans"):
        said = refusal_text(stored)
        assert said == sentences(refusal)
    assert "80,123" in said
    assert "itemsets" not in said


def test_stored_errors_keep_their_specific_advice() -> None:
    refusal = PrivacyError("whole.range", 0, code="refusal", advice="skip", name="refusal", low=1, high=9)
    stored = refusal_json(refusal)
    for language in ("en", "zh-hans"):
        with override(language):
            assert refusal_text(stored) == sentences(refusal)
