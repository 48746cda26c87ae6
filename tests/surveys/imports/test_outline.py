"""The outline of a pasted survey: what asks, what answers, what begins a part, and what pairs with what."""

from __future__ import annotations

from surveys.imports.lines import shaped, streams_of
from surveys.imports.outline import joined, outline_of
from surveys.imports.questionnaire import Questionnaire


def outline(text: str, language: str = "en") -> Questionnaire:
    streams = streams_of(shaped(text), (language,))
    assert streams is not None
    return outline_of(streams[0], language)


def shape(survey: Questionnaire) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    return [
        (
            part.texts.get("en", ""),
            [
                (question.texts["en"], [option.texts["en"] for option in question.options])
                for question in part.questions
            ],
        )
        for part in survey.parts
    ]


def test_numbered_questions_take_the_lines_below_them() -> None:
    survey = outline("Sleep\n\n1. How often?\nNever\n\nOften\n\nDays\n\n2. And now?\n- No\n- Yes")
    assert survey.title == {"en": "Sleep"}
    assert shape(survey) == [
        ("", [("How often?", ["Never", "Often"])]),
        ("Days", [("And now?", ["No", "Yes"])]),
    ]
    assert survey.notes == []


def test_without_numbers_the_first_line_after_a_gap_asks() -> None:
    survey = outline("Sleep\n\nHow often\nNever\nOften\n\nAnd now?\n")
    assert shape(survey) == [("", [("How often", ["Never", "Often"]), ("And now?", [])])]


def test_a_line_that_belongs_nowhere_is_told_with_its_place() -> None:
    survey = outline("Sleep\n- Dear reader,\n1. Bad?")
    assert [(problem.line, problem.is_lost) for problem in survey.notes] == [(2, True)]


def test_two_outlines_pair_by_position_and_tell_what_has_no_counterpart() -> None:
    english = outline("Sleep\n1. How often?\n- Never\n- Often\n2. Bad?")
    chinese = outline("睡眠\n1. 多久？\n- 从不", "zh-hans")
    both = joined(english, chinese)
    assert both.title == {"en": "Sleep", "zh-hans": "睡眠"}
    assert both.questions[0].options[0].texts == {"en": "Never", "zh-hans": "从不"}
    assert sorted(problem.line for problem in both.notes) == [2, 5]
