"""Points next to answers are read in any notation, if two questions have it."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of
from surveys.imports.layouts.coded_answers import write_coded_answers
from surveys.imports.pasted_text import read_paste

QUESTIONS = ("Do you sleep badly?", "Do you wake up tired?", "Do you go to bed late?")
ANSWERS = ("never", "sometimes", "often")
NOTATIONS = (
    *("{label} = {points}", "{label}: {points}", "{label} – {points}", "{label} ..... {points}"),
    *("{label}\t{points}", "{label}     {points}", "{label} [{points}]", "{label} {points}"),
    *("({points}) {label}", "[{points}] {label}", "{points} = {label}", "{label} = {points} points"),
    *("{label} ({points} points)", "{label} – {points} pts"),
)
BELOW = [("\n- ", "\n- "), ("\n☐ ", "\n☐ "), ("\n", "\n"), ("  ☐ ", "   ☐ ")]
ON_LINE = [("  ", " / "), (" ", ", "), ("\n", " / "), ("\n", ", ")]


def _text(notation: str, first: str, others: str) -> str:
    answers = [notation.format(label=label, points=2 * place) for place, label in enumerate(ANSWERS)]
    items = [
        f"{number}. {question}{first}{others.join(answers)}\n"
        for number, question in enumerate(QUESTIONS, start=1)
    ]
    return "\n".join(
        ["Sleep check", "", *items, "Total score:", "0-5 points: fine", "6-12 points: see a doctor"]
    )


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize(("first", "others"), [*BELOW, *ON_LINE])
def test_points_in_any_notation(notation: str, first: str, others: str) -> None:
    """Of these layouts 60% were read; three silently had a slash in their answers."""
    if "\t" in notation and others == ", ":
        notation = notation.replace("\t", "    ")
    survey = read_paste(_text(notation, first, others))
    assert [question.texts["en"] for question in survey.questions] == [*QUESTIONS]
    assert {labels_of(question) for question in survey.questions} == {ANSWERS}
    assert [points_of(question) for question in survey.questions] == [[0, 2, 4]] * 3
    assert [start for start, _name in survey.scores[0].levels] == [None, 6]


@pytest.mark.parametrize(
    "lines",
    [
        ["never = 0, often = 1", "1. Do you eat?", "2. Do you run?"],
        ["Tired?", "(1) yes", "(2) no", "Ill?", "(1) yes", "(2) no"],
        ["How old?", "under 20", "over 60", "How many?", "under 3", "over 9"],
        ["Which?", "Class 1", "Class 2", "Why?", "Class 1", "Class 2"],
        ["Item 1: yes = 1", "", "Item 2: no = 1"],
        [],
    ],
    ids=["legend", "counted", "limits", "names", "key", "empty"],
)
def test_other_numbers_stay(lines: list[str]) -> None:
    assert write_coded_answers(lines) == lines
