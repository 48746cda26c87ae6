"""Each question gets the points of its letters from a list, or from a table in any direction."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.layouts.letter_lists import write_letter_lists
from surveys.imports.pasted_text import read_paste

QUIZ = """Money and me

1) Payday is tomorrow. You
   a) wait
   b) buy
   c) sleep

2) The sale has started. You
   a) make a list
   b) set the alarm
   c) look in

3) You find a coin. You
   a) keep it
   b) give it away
   c) look on

{key}

Up to 4 points: saver. 5 to 7 points: juggler. 8 points or more: spender."""


@pytest.mark.parametrize(
    "key",
    [
        "YOUR POINTS\n\tA\tB\tC\nQuestion 1\t1\t2\t4\nQuestion 2\t2\t4\t1\nQuestion 3\t0\t3\t1",
        "| No. | a | b | c |\n|---|---|---|---|\n| 1 | 1 | 2 | 4 |\n| 2 | 2 | 4 | 1 |\n| 3 | 0 | 3 | 1 |",
        "Scoring:\nNo.    A    B    C\n1      1    2    4\n2      2    4    1\n3      0    3    1",
        "question;a);b);c)\n1;1;2;4\n2;2;4;1\n3;0;3;1",
        "Key\n\t1\t2\t3\na\t1\t2\t0\nb\t2\t4\t3\nc\t4\t1\t1",
        "Answer | Q1 | Q2 | Q3\nA | 1 | 2 | 0\nB | 2 | 4 | 3\nC | 4 | 1 | 1",
        "Points: 1a 1, 1b 2, 1c 4; 2a 2, 2b 4, 2c 1; 3a 0, 3b 3, 3c 1.",
        "1a = 1, 1b = 2, 1c = 4\n2a = 2, 2b = 4, 2c = 1\n3a = 0, 3b = 3, 3c = 1",
        "Question 1: a 1, b 2, c 4\nQuestion 2: a 2, b 4, c 1\nQuestion 3: a 0, b 3, c 1",
        "1) A 1 point, B 2 points, C 4 points\n2) A 2 points, B 4 points, C 1 point\n3) A 0, B 3, C 1",
    ],
)
def test_a_key_of_letters_scores_a_quiz(key: str) -> None:
    survey = read_paste(QUIZ.format(key=key))
    assert [points_of(each) for each in survey.questions] == [[1, 2, 4], [2, 4, 1], [0, 3, 1]]
    assert [score.levels for score in survey.scores] == [[(None, "saver"), (5, "juggler"), (8, "spender")]]


@pytest.mark.parametrize(
    "lines",
    [
        ["Item\tA\tB", "1. I cook\t1\t2", "2. I sing\t2\t1"],
        ["A B", "1 2"],
        ["Rooms 1a 2, 1b 3"],
        ["\t1\t2", "1\t0\t3", "2\t1\t4"],
        ["1. a) 2 b) 3"],
    ],
)
def test_other_tables_and_codes_stay_as_they_are(lines: list[str]) -> None:
    assert write_letter_lists(lines) == lines
