"""Numbers of questions and marks of answers are recognised by recurring, not by words of a language."""

import pytest

from surveys.imports.numbering import with_known_numbers


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Вопрос 1. Да?\nВопрос 2. Нет?", "1. Да?\n2. Нет?"),
        ("Pregunta nº 1: ¿Sí?\nPregunta nº 2: ¿No?", "1. ¿Sí?\n2. ¿No?"),
        ("[q1] A?\nx\n[q2] B?", "1. A?\nx\n2. B?"),
        ("Question One: A?\nx\nQuestion Two: B?", "1. A?\nx\n2. B?"),
        ("A1. A?\nx\nA2. B?", "1. A?\nx\n2. B?"),
        ("а) да\nб) нет", "- да\n- нет"),
        ("<a> yes\n<b> no", "- yes\n- no"),
        ("[1] once\n[2] often", "(1) once\n(2) often"),
        ("D01\nA?\nD02\nB?", "\n1. A?\n\n2. B?"),
        ("Item 1\nA?\nItem 2\nB?", "\n1. A?\n\n2. B?"),
        ("1.) A?\n2.) B?", "1. A?\n2. B?"),
        ("a - yes\nb - no", "- yes\n- no"),
        ("A. Work\nA1. A?\nx\nA2. B?\nB. Home\nB1. C?", "# Work\n1. A?\nx\n2. B?\n# Home\n1. C?"),
        ("Página 1 de 2\nA?\nPágina 2 de 2\nB?", "\nA?\n\nB?"),
        ("Q1a How?\nx\nQ1b Who?", "1. How?\nx\n2. Who?"),
        ("问题一：您呢？\n有\n问题二：他呢？", "1. 您呢？\n有\n2. 他呢？"),
    ],
)
def test_numbers_and_marks_that_recur_get_the_known_form(before: str, after: str) -> None:
    assert "\n".join(with_known_numbers(before.split("\n"))) == after


@pytest.mark.parametrize(
    "text",
    [
        "1. A?\n2. B?",
        "(a) yes\n(b) no",
        "Option 1: tea\nOption 2: coffee",
        "Grade 4 pupils\nGrade 5 pupils",
        "2024: a year\n2025: a year",
        "Frage 1: allein",
        "第 1 页，共 2 页\n第 2 页，共 2 页",
        "A 1\nB 2",
        "D01\nA?",
        "Part 1\nWork\nPart 2\nHome",
        "1 of 3\n2 of 3",
        "A. yes\nB. no",
        "",
    ],
)
def test_other_lines_stay_as_they_are(text: str) -> None:
    assert "\n".join(with_known_numbers(text.split("\n"))) == text
