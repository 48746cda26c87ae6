"""Ranges of numbers that a line, a bracket or a remark states."""

from __future__ import annotations

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.words.number_ranges import is_space_for_number, range_in, unit_before_range


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("whole hours, 0-16", [0, 16]),
        ("jahre, 0–90", [0, 90]),
        ("de 300 à 700 euros", [300, 700]),
        ("от 1 до 12", [1, 12]),
        ("填数字，0到20", [0, 20]),
        ("mín. 2, máx. 20", [2, 20]),
        ("不满一年填 0，最多填 60", [0, 60]),
        ("a week has 168 hours; enter 1 to 168", [1, 168]),
        ("0 to 50,000", [0, 50_000]),
        ("integer 5..80", [5, 80]),
        ("1...98", [1, 98]),
        ("0 a 50.000", [0, 50_000]),
        ("0.5 to 2.5", []),
        ("12:30 to 14:00", []),
        ("1, 2 or 3", []),
        ("20 to 10", []),
        ("第2题选否者跳至第4题", []),
    ],
)
def test_a_range_is_read_whatever_words_are_around_it(text: str, ends: list[int]) -> None:
    assert range_in(text) == ends


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("ans (11 à 18)", "ans"),
        ("minutos, de 0 a 90", "minutos"),
        ("R$ (0 a 50.000", "R$"),
        ("zulässig: 0 bis 31", ""),
        ("de 1 a 14", ""),
    ],
)
def test_words_that_begin_a_range_are_no_unit(text: str, unit: str) -> None:
    assert unit_before_range(text) == unit


@pytest.mark.parametrize(
    ("asked", "low", "high"),
    [
        ("Hours of sleep on an ordinary night? [whole hours, 0-16]", 0, 16),
        ("wie lange wohnst du schon im haus? (jahre, 0-90)", 0, 90),
        ("Ton budget par mois ? (de 300 à 700 euros)", 300, 700),
        ("您上个月加班多少小时？〔0～120〕：", 0, 120),
        ("Quantas pessoas moram no seu apartamento? {de 1 a 12}", 1, 12),
        ("Сколько у вас детей? (от 1 до 12)", 1, 12),
        ("你谈过几次恋爱？ 填数字，0到20", 0, 20),
        ("Wie viele Bücher? Zahl eintragen, 0 bis 300", 0, 300),
        ("Pulso en reposo: __________ latidos/min (30-120)", 30, 120),
        ("cuanto espero hoy el bus? ____ minutos, de 0 a 90", 0, 90),
        ("Quantos dias ficou de baixa ?    ____ dias  [1 a 365]", 1, 365),
        ("renda da casa .................. R$ (0 a 50.000)", 0, 50_000),
        ("Wie schwer sind Sie? --> ______ kg (30–250)", 30, 250),
        ("há quantos anos são casados?  → ____ (0-70)", 0, 70),
        ("À quel âge ?\n      |_|_| ans   (8 à 60)", 8, 60),
        ("Wie viele Einheiten besuchen Sie?\n    |___|___|  (zulässig: 0 bis 31)", 0, 31),
        ("¿Cuántos familiares viven allá?\n     ______ personas\n     (anote de 0 a 40)", 0, 40),
    ],
)
def test_a_stated_range_becomes_the_range_of_its_question(asked: str, low: int, high: int) -> None:
    survey = read_paste(f"1. {asked}")
    number = survey.questions[0]

    assert number.kind == "number"
    assert (number.own["number"]["low"], number.own["number"]["high"]) == (low, high)


def test_a_range_that_ends_with_the_number_of_a_question_is_no_instruction_to_skip() -> None:
    asked = "".join(f"{number}. How many apples, in week {number}?\n" for number in range(2, 8))
    survey = read_paste(f"1. How many nights did you wake up? [0 to 7]\n{asked}")

    assert survey.questions[0].own["number"]["high"] == 7
    assert not any(note.cause == "skip" or note.asks == "keep" for note in survey.notes)


def test_years_and_questions_for_yes_or_no_ask_for_no_number() -> None:
    survey = read_paste("1. Who served then? (1939-1945)\n2. Did you serve in the army? (1939-1945)")

    assert [question.kind for question in survey.questions] == ["", "yes_no"]


def test_answers_behind_dots_are_no_space_for_a_number() -> None:
    assert not is_space_for_number("Never ........ 0 1 2 3")
    assert is_space_for_number("Lesiones: __________ (0-10)")


@pytest.mark.parametrize(
    "remark",
    [
        "in caso di no alla 2, saltare alla 4",
        "if no at 2, go to 4",
        "bei Nein in 2 weiter mit 4",
        "si non à la 2, passer à la 4",
        "si contestó no en la 2, pase a la 4",
        "si oui à la 2 ou 4",
        "voir questions 2 à 4",
    ],
)
def test_numbers_of_questions_are_no_range(remark: str) -> None:
    """Before, *(if no at 2, skip to 4)* allowed only the numbers from 2 to 4, without a note."""
    assert range_in(remark) == []
    asked = read_paste(f"T\n2. Fuma?\n- Sì\n- No\n3. ({remark}) How many cigarettes a day? ____").questions[1]
    assert (asked.kind, asked.own["number"]["low"], asked.own["number"].get("unit")) == ("number", 0, None)
