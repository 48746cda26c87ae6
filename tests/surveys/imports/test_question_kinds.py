"""Kinds that surveys cannot ask are noted: dates, and answers to put in order."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import WRONG, Question


def first(text: str) -> tuple[Question, set[str]]:
    survey = read_paste(f"T\n{text}\n2. Is it good?\n- yes\n- no")
    return survey.questions[0], {note.effect for note in survey.notes if note.line == 2}


@pytest.mark.parametrize(
    "stem",
    [
        "Rank the following fears from 1 to 3",
        "Bringen Sie diese Sorgen in eine Reihenfolge",
        "Classez ces problèmes par ordre d'importance",
        "请按重要性排序",
        "大切な順番に番号をつけてください",
    ],
)
def test_answers_to_put_in_order_are_noted(stem: str) -> None:
    """Before, it was a choice of one of them, without a note."""
    assert first(f"1. {stem}:\n__ Work\n__ Debt\n__ Health")[1] == {WRONG}


def test_a_rank_is_no_order() -> None:
    assert first("1. What is your rank in the army?\n- private\n- sergeant\n- officer")[1] == set()


@pytest.mark.parametrize("parts", ["dd/mm/yyyy", "TT.MM.JJJJ", "mm-yyyy", "дд.мм.гггг"])
def test_a_date_is_no_number(parts: str) -> None:
    """Before, a number from 1900 to 2100 was asked."""
    assert first(f"1. When did you last drink? ___ / ___ / ____ ({parts})")[0].kind == ""


def test_three_dots_behind_a_question_are_a_space() -> None:
    question = first("1. Hoeveel uur per week? ... uur")[0]
    assert (question.kind, list(question.unit.values())) == ("number", ["uur"])


@pytest.mark.parametrize(
    "text",
    [
        "Years of service: ____",
        "Años de servicio: ______",
        "Années d'ancienneté : ____",
        "Anni di servizio",
        "Jahre im Betrieb: ____",
        "Anos de serviço: ____",
        "Quel age avez vous ?",
    ],
)
def test_a_label_of_years_asks_for_a_number(text: str) -> None:
    assert first(f"1. {text}")[0].kind == "number"
