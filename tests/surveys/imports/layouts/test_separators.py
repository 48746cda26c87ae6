"""Answers with unusual signs between them."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("sign", ["~", "<>", "///", "◇", "^", "+", ">>", "¦", "\\", "§"])
def test_any_sign_that_recurs_separates_answers(sign: str) -> None:
    texts = [f"1. How often? daily {sign} weekly {sign} never", f"2. Tired? yes {sign} no", "3. When? ____"]
    survey = read_paste("\n".join(texts))
    assert [*labels_of(survey.questions[0])] == ["daily", "weekly", "never"]
    assert survey.questions[1].kind == "yes_no"


def test_an_instruction_before_the_answers_belongs_to_none() -> None:
    survey = read_paste("1. Where? (tick all that apply) home ~ work ~ street\n2. Tired? yes ~ no")
    assert [*labels_of(survey.questions[0])] == ["home", "work", "street"]
    assert survey.questions[0].kind == "several"


def test_signs_in_questions_separate_nothing() -> None:
    survey = read_paste(
        "1. Do you like rock & roll?\n2. Are you 18 + years old?\n3. Do you like fish & chips?"
    )
    assert [question.kind for question in survey.questions] == ["yes_no"] * 3
