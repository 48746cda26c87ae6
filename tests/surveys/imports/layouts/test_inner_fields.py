"""A question has one space to write. What is cut from its line is said there."""

import pytest

from surveys.imports.drafts.questionnaire import LOST
from surveys.imports.layouts.inner_fields import split_fields
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("line", "asked", "cut"),
    [
        ("Name der Person: ____ (Geburtsjahr: ____)", "Name der Person:", "(Geburtsjahr: ____)"),
        ("Number of employees: ____ (of whom women: ____)", "Number of employees:", "(of whom women: ____)"),
        ("Nombre: ______ (Fecha de nacimiento: __/__/____)", "Nombre:", "(Fecha de nacimiento: __/__/____)"),
        ("Nom : ....................... (âge : .....)", "Nom :", "(âge : .....)"),
        ("Cognome: ____ (nome: ____)", "Cognome:", "(nome: ____)"),
        ("Medication ______ [dose ____]", "Medication", "[dose ____]"),
        ("Hospital ______, ward ____", "Hospital", "ward ____"),
        ("Beruf: ______ / Arbeitgeber: ______", "Beruf:", "Arbeitgeber: ______"),
        ("姓名：________（出生年份：________）", "姓名：", "（出生年份：________）"),
        ("身高（cm）：________      体重（kg）：________", "身高（cm）：", "体重（kg）：________"),
        ("Avez-vous un chien ? oui / non (race : ........)", "Avez-vous un chien ?", "(race : ........)"),
    ],
)
def test_only_the_first_space_is_asked_about_and_the_rest_is_said(line: str, asked: str, cut: str) -> None:
    """All words used to become the text of one question, or the unit of its number."""
    survey = read_paste(f"Sheet\n1. {line}\n2. Do you smoke? yes / no")
    first = survey.questions[0]
    assert ([*first.texts.values()], first.unit) == ([asked], {})
    assert [note.line for note in survey.notes if note.effect == LOST and cut in note.message] == [2]


@pytest.mark.parametrize(
    "text",
    [
        "Since when? ____ year ____ month",
        "I have ____ sons and ____ daughters",
        "Born: __/__/____",
        "Age: ____",
    ],
)
def test_dates_and_gaps_in_a_sentence_are_not_cut(text: str) -> None:
    assert split_fields(text) is None


@pytest.mark.parametrize(
    "line",
    [
        "Address: ______ (street)",
        "Last period: ____ (month/year)",
        "Wann waren Sie zuletzt beim Arzt? ____ (Monat/Jahr)",
        "Beruf: ____ (genaue Bezeichnung)",
        "¿Cuándo llegó al país? ____ (mes y año)",
        "Quand êtes-vous arrivé ? ____ (mois / année)",
        "您什么时候开始工作？____（年月）",
        "Rue : ____ (n°)",
    ],
)
def test_words_in_brackets_behind_a_space_are_no_unit(line: str) -> None:
    """Such a question used to ask for a number from 0 to 99."""
    (question, _other) = read_paste(f"Sheet\n1. {line}\n2. Do you smoke? yes / no").questions
    assert question.kind == ""
    assert line.split("(")[-1].split("（")[-1].strip("）) ") in next(iter(question.texts.values()))


@pytest.mark.parametrize(
    "line", ["Weight: ____ (kg)", "Gewicht: ____ kg", "体重：____公斤", "Age: ____ (years)"]
)
def test_known_units_remain_units(line: str) -> None:
    assert read_paste(f"Sheet\n1. {line}\n2. Do you smoke? yes / no").questions[0].kind == "number"


@pytest.mark.parametrize("line", ["Arrival: ____ o'clock", "Employer: ____ Ltd", "Aufstehen: ____ Uhr früh"])
def test_an_unknown_unit_is_asked_about(line: str) -> None:
    survey = read_paste(f"Sheet\n1. {line}\n2. Do you smoke? yes / no")
    assert any("not be a unit" in note.message for note in survey.notes if note.line == 2)
