"""Codes below answers, or behind dots, go in front of them."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.layouts.codes_beside import front_codes, write_codes
from surveys.imports.pasted_text import read_paste


def test_codes_below_the_answers_of_each_question_are_their_points() -> None:
    answers = "Never  Sometimes  Often\n0      1          2\n"
    survey = read_paste(f"Team\n1. Are you tired?\n{answers}2. Are you sad?\n{answers}Score: 2 or more")
    assert [[option.points for option in each.options] for each in survey.questions] == [[0, 1, 2]] * 2
    assert [score.levels for score in survey.scores] == [[(None, ""), (2, "")]]


@pytest.mark.parametrize("codes", ["0  2  9", "3  4  5", "0  1", "a  b  c"])
def test_other_lines_below_answers_are_not_codes(codes: str) -> None:
    lines = ["Never  Sometimes  Often", codes, "Next?"]
    assert write_codes(lines) == lines


def test_codes_after_dots_make_all_lines_answers() -> None:
    text = "T\n\nQ1 Safe?\n   Very safe .... 1\n   Refused ...... 9\n\nQ2 Far?\n   Far ... 1\n   N.C. .. 2"
    found = [[option.texts["en"] for option in each.options] for each in read_paste(text).questions]
    assert found == [["Very safe", "Refused"], ["Far", "N.C."]]


def test_the_code_of_an_answer_next_to_its_question_is_not_that_of_the_question() -> None:
    lines = ["101. Sex            M .... 1", "                    F .... 2"]
    assert front_codes(lines) == lines


@pytest.mark.parametrize("skip", ["(passar à P4)", "[END]", "→ Q3", "（跳到第3题）"])
def test_an_instruction_right_behind_a_code_is_kept(skip: str) -> None:
    """One blank in front of it used to leave the dots and the code in the answer."""
    assert front_codes([f"Sim ...... 1 {skip}", "Não ...... 2"]) == [f"[1] Sim   {skip}", "[2] Não"]


@pytest.mark.parametrize("sign", ["->", "→", "-->", "=>", ">>"])
@pytest.mark.parametrize("unit", ["points", "P.", "pts"])
def test_points_behind_an_arrow_lead_to_no_other_question(sign: str, unit: str) -> None:
    answers = f"a) never {sign} 0 {unit}\nb) often {sign} 1 {unit}\nc) always {sign} 3 {unit}\n"
    survey = read_paste(
        f"Ears\n\n1. How often?\n{answers}\n2. How badly?\n{answers}\nScore: 0-2 fine, 3-6 bad"
    )
    assert [points_of(each) for each in survey.questions] == [[0, 1, 3]] * 2
    assert not any(each.condition for each in survey.questions)


@pytest.mark.parametrize(
    ("header", "points", "items"),
    [
        (
            "| No. | Item | never | often | always |",
            "|  | *Points* | 0 | 1 | 2 |",
            "| 1 | I lie. |\n| 2 | I steal. |",
        ),
        ("| Aussage | nie | oft | immer |", "| **Punkte:** | 0 | 1 | 2 |", "| Ich lüge. |\n| Ich stehle. |"),
        ("| 题目 | 从不 | 偶尔 | 经常 |", "| 分值 | 0 | 1 | 2 |", "| 我很累 |\n| 我想走 |"),
    ],
)
def test_a_row_of_points_below_a_header_states_the_points_of_the_columns(
    header: str, points: str, items: str
) -> None:
    rows = "\n".join(f"{item} ○ | ○ | ○ |" for item in items.split("\n"))
    rule = "|---" * (header.count("|") - 1) + "|"
    survey = read_paste(f"# Scale\n\n{header}\n{rule}\n{points}\n{rows}\n\n0-1: fine\n2-4: not so good")
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2]] * 2


@pytest.mark.parametrize("codes", ["0 | 1 | 2", "0|1|2", "0 pt | 1 pt | 2 pts"])
def test_codes_below_answers_with_bars_are_theirs(codes: str) -> None:
    labels = "never | 1-2 times | often"
    assert write_codes([labels, codes, "", "1. I lie"])[0] == "(0) never   (1) 1-2 times   (2) often"
    assert write_codes([labels, codes, "I lie | 0 | 1 | 2"])[0] == labels


def test_points_with_a_unit_behind_wide_blanks_are_those_of_answers() -> None:
    assert front_codes(["in 5 minutes    3 points", "later           0 points"]) == [
        "in 5 minutes (3 points)",
        "later (0 points)",
    ]


def test_a_long_answer_may_have_a_single_dot() -> None:
    lines = ["Work ........... 1", "Shopping ....... 2", "Something else . 3"]
    assert front_codes(lines) == ["[1] Work", "[2] Shopping", "[3] Something else"]
    assert front_codes(["See page . 3"]) == ["See page . 3"]
