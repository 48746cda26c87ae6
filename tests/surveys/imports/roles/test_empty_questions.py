"""Numbered lines that ask nothing are headings of the questions below them."""

import pytest

from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("text", "language", "asked"),
    [
        (
            "Minutes\n\n1. Matters arising\nThe rota was agreed.\n\n2. Survey\nWe ask:\n"
            "   a) How many hours did you work?\n   b) Did you lie? (yes/no)\n\n3. Any other business",
            "en",
            [8, 9],
        ),
        (
            "Ata da reunião\n\nPonto 1. Contas aprovadas\n\nPonto 2. Questionário\n"
            "Q1. Quantas horas trabalhou?\nQ2. Já mentiu?\nPonto 3. Diversos",
            "pt",
            [6, 7],
        ),
        (
            "学生调查\n\n一、基本信息\n1. 您的性别：A.男  B.女\n2. 您多大年龄？\n\n"
            "二、生活情况\n3. 您说过谎吗？\nA.有  B.没有",
            "zh-hans",
            [4, 5, 8],
        ),
        (
            "Protocollo\n1) Apertura\n2) Sondaggio\n  - Quante ore lavora?\n  - Ha mai mentito? (sì / no)\n"
            "3) Varie",
            "it",
            [4, 5],
        ),
    ],
)
def test_lines_of_an_outer_list_are_headings(text: str, language: str, asked: list[int]) -> None:
    assert [question.line for question in read_paste(text, (language,)).questions] == asked


@pytest.mark.parametrize(
    "text",
    [
        # Items of a question above them.
        "Drinks\n1. Do you drink?\n1a. What\n1b. Where\n2. Do you smoke?",
        # All questions are of this shape.
        "You\n1. Occupation\n2. Notes\n3. Hobbies",
        # One of them asks.
        "You\n1. Occupation\na) Do you drive?\nb) Do you walk?\n2. What do you like?",
    ],
)
def test_other_lines_without_answers_stay_questions(text: str) -> None:
    survey = read_paste(text, ("en",))
    assert not [line for line in survey.lines if line.role == "heading"]


def test_a_chosen_question_stays_a_question() -> None:
    text = "Minutes\n1. Agenda\n2. Survey\n  a) How many hours?\n  b) Did you lie? (yes/no)"
    lines = {line.line: line.role for line in read_paste(text, ("en",), {3: "question"}).lines}
    assert lines[3] == "question"
