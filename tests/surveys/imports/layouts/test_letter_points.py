"""A table below a quiz gives points to its answers."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.layouts.letter_points import write_letter_points
from surveys.imports.pasted_text import read_paste

_QUIZ = (
    "1. Do you lie?\na) never\nb) now and then\nc) often\n2. Do you cheat?\na) often\nb) sometimes\nc) never"
)


@pytest.mark.parametrize(
    "table",
    [
        "Question | a | b | c\n1 | 0 | 1 | 2\n2 | 3 | 1 | 0",
        "| | A | B | C |\n|---|---|---|---|\n| Q1 | 0 | 1 | 2 |\n| Q2 | 3 | 1 | 0 |",
        "\ta\tb\tc\nQuestion 1\t0\t1\t2\nQuestion 2\t3\t1\t0",
        "No.   a)   b)   c)\n1.    0    1    2\n2.    3    1    0",
        "题号;A;B;C\n1;0;1;2\n2;3;1;0",
        "\t1\t2\na\t0\t3\nb\t1\t1\nc\t2\t0",
    ],
)
@pytest.mark.parametrize("quiz", [_QUIZ, _QUIZ.replace("\nb)", "  b)").replace("\nc)", "  c)")])
def test_points_are_put_behind_the_answers(quiz: str, table: str) -> None:
    survey = read_paste(f"Quiz\n\n{quiz}\n\nPoints\n{table}\n\n0-2: fine, 3-5: not so fine", ("en",))
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [3, 1, 0]]
    assert [score.levels for score in survey.scores] == [[(None, "fine"), (3, "not so fine")]]


def test_questions_without_points_may_precede() -> None:
    table = "Question | a | b | c\n1 | 0 | 1 | 2\n2 | 3 | 1 | 0"
    survey = read_paste(f"Quiz\n\nYou are\na) a woman\nb) a man\n\n{_QUIZ}\n\n{table}", ("en",))
    assert [points_of(each) for each in survey.questions] == [[0, 0], [0, 1, 2], [3, 1, 0]]


@pytest.mark.parametrize(
    "table",
    [
        "Question | a | b | c\n1 | 0 | 1 | 2\n2 | 3 | 1 | 0\n3 | 1 | 1 | 0",
        "Question | a | b\n1 | 0 | 1\n2 | 3 | 1",
        "Week\tx\ty\tz\n1\t0\t1\t2\n2\t3\t1\t0",
    ],
)
def test_other_tables_stay(table: str) -> None:
    lines = [*_QUIZ.splitlines(), "", *table.splitlines()]
    assert write_letter_points(lines) == lines
