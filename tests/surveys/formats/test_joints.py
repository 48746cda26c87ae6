"""Joints of sentences, lists and labels in English and in Chinese."""

import pytest
from django.utils.translation import override

from surveys.formats.joints import answer_text, filled, join_sentences, labelled, list_text, series_text
from surveys.templatetags.components import joint


@pytest.mark.parametrize(
    ("language", "joined"),
    [
        ("en", ["a, b", "a; b", "a: b", "a – b", ", ", "; ", ": ", ". "]),
        ("zh-hans", ["a、b", "a；b", "a：b", "a：b", "、", "；", "：", "。"]),
    ],
)
def test_each_joint_has_the_signs_of_the_language(language: str, joined: list[str]) -> None:
    with override(language):
        made = [list_text("ab"), series_text("ab"), labelled("a", "b"), answer_text("a", "b")]
        assert made + [joint(sign) for sign in (", ", "; ", ": ", ". ")] == joined


def test_sentences_have_no_blank_after_a_full_width_sign_and_none_for_an_empty_one() -> None:
    assert join_sentences(["It is so.", "", "It stays so."]) == "It is so. It stays so."
    assert join_sentences(["就是这样。", "“不会变。”", "对"]) == "就是这样。“不会变。”对"
    assert join_sentences(["「甲」", "「乙」"]) == "「甲」「乙」"
    assert join_sentences(["It says “yes”", "It stays so."]) == "It says “yes” It stays so."


def test_a_word_in_place_of_a_number_has_no_blank_before_it_in_chinese() -> None:
    assert filled("有 %(n)s 人", {"n": "不到 1"}) == "有不到 1 人"
    assert filled("有 %(n)s 人", {"n": 3}) == "有 3 人"
    assert filled("%(n)s people", {"n": "fewer than 1"}) == "fewer than 1 people"
