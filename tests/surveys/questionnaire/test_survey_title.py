from typing import Any

import pytest

from surveys.questionnaire.survey_title import survey_title

PART = {"title": {"en": "Habits", "de": ""}, "questions": [{"text": {"en": "Did you drink?"}}]}


@pytest.mark.parametrize(
    ("members", "title"),
    [
        ({"title": {"en": "Habits", "de": " "}}, {"en": "Habits"}),
        ({"title": {"en": ""}, "blocks": [PART]}, {"en": "Habits", "de": "Habits"}),
        (
            {"blocks": [{"questions": []}, {"questions": [{"text": {"de": "Na?"}}]}]},
            {"en": "Na?", "de": "Na?"},
        ),
        (
            {"blocks": [{"questions": [{"computed": {"components": [{"text": {"en": "Beer?"}}]}}]}]},
            {"en": "Beer?", "de": "Beer?"},
        ),
        (
            {
                "blocks": [{"questions": [{"stem": "a", "text": {"en": "Beer"}}]}],
                "stems": [{"key": "a", "text": {"en": "Which?"}}],
            },
            {"en": "Which?", "de": "Which?"},
        ),
        ({"blocks": 7}, {"en": "Untitled survey", "de": "Untitled survey"}),
    ],
)
def test_a_survey_is_called_by_its_title_else_by_its_first_words(members: dict[str, Any], title: Any) -> None:
    assert survey_title({"languages": ["en", "de"], **members}) == title


def test_long_texts_are_cut_after_a_word_and_chinese_ones_anywhere() -> None:
    question = {"text": {"en": "word " * 20, "zh-hans": "您睡得好吗" * 20}}
    found = survey_title({"languages": ["en", "zh-hans"], "blocks": [{"questions": [question]}]})
    assert found["en"] == "word " * 10 + "word…"
    assert len(found["zh-hans"]) == 60
