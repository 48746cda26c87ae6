"""Visible lines of a pasted survey."""

import pytest

from surveys.imports.lines.text_lines import seen_lines
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("line", ["a/ never", "<a> never", "{a} never", "«a» never"])
def test_unusual_signs_around_a_letter_become_a_bracket(line: str) -> None:
    assert seen_lines(f"  {line}") == ["  a) never"]


@pytest.mark.parametrize(
    ("line", "seen"), [("<b>Never</b>", "Never"), ("<never> <often>", "<never> <often>")]
)
def test_only_tags_of_pages_are_removed(line: str, seen: str) -> None:
    assert seen_lines(line) == [seen]


@pytest.mark.parametrize(
    ("line", "seen"),
    [("*Q1.* Why?", "Q1. Why?"), ("_2)_ Pourquoi ?", "2) Pourquoi ?"), ("*Note* x", "*Note* x")],
)
def test_emphasised_marks_are_marks(line: str, seen: str) -> None:
    assert seen_lines(line) == [seen]


@pytest.mark.parametrize("blanks", ["    ", "\t", "\u3000"])
def test_blanks_at_the_beginning_of_all_lines_are_left_out(blanks: str) -> None:
    assert seen_lines(f"{blanks}1. Why?\n{blanks}  a) fun\u00a0\u00a0b) work") == [
        "1. Why?",
        "  a) fun  b) work",
    ]


@pytest.mark.parametrize("pair", ["●○", "■□", "▪▫", "⚫⚪", "⬛⬜"])
def test_filled_boxes_before_questions_are_not_those_of_answers(pair: str) -> None:
    filled, empty = pair
    lines = [f"{filled} Do you lie?", f"{empty} Yes", f"{empty} No", f"{filled} When?", f"{empty} Now"]
    seen = seen_lines("\n".join(lines))
    assert [line[0] for line in seen] == ["•", seen[1][0], seen[1][0], "•", seen[1][0]]
    assert seen[1][0] in "○☐"


def test_a_filled_box_is_an_answer_that_someone_chose() -> None:
    assert seen_lines("Lie?\n● Yes\n○ No\nWhen?\n○ Now") == ["Lie?", "○ Yes", "○ No", "When?", "○ Now"]


def test_a_box_before_an_arrow_moves_in_front_of_its_answer() -> None:
    assert seen_lines("No   ○   → go to 21") == ["○ No   → go to 21"]


@pytest.mark.parametrize(("sign", "seen"), [("§", "•"), ("Ø", "•"), ("·", "•"), ("q", "☐"), ("¨", "☐")])
def test_letters_in_place_of_bullets_are_bullets(sign: str, seen: str) -> None:
    assert seen_lines(f"Why?\n{sign}\tfun\n {sign}\twork")[1:] == [f"{seen}\tfun", f" {seen}\twork"]
    assert seen_lines(f"{sign}\tfun\nWhy?")[0] == f"{sign}\tfun"


def test_ranges_between_slashes_are_no_run_of_numbers() -> None:
    """Before, they were the steps of a scale from 1 to 5."""
    assert seen_lines("How many? 1-2 / 3-4 / 5 or more") == ["How many? 1-2 / 3-4 / 5 or more"]
    assert seen_lines("How sad? 1 / 2 / 3 / 4") == ["How sad? 1  2  3  4"]


@pytest.mark.parametrize("space", ["[            ]", "  [__________]", "[..........]  "])
def test_an_empty_space_between_brackets_is_a_space_to_write(space: str) -> None:
    assert seen_lines(f"Why?\n{space}")[1].strip() == "__________"


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("1. ¿Cuántas veces? 1 / 2 / 3 / 4 o más", "4 o más"),
        ("1. How often? 0 | 1 | 2 | 3 or more", "3 or more"),
        ("1. 几次？ 1 / 2 / 3 / 4次以上", "4次以上"),
        ("1. How many? none / 1 / 2 / 3 or more", "3 or more"),
        ("1. How strong? weak 1 / 2 / 3 / 4 strong", "4 – strong"),
    ],
)
def test_the_last_of_a_list_of_numbers_may_go_on(line: str, last: str) -> None:
    (question,) = read_paste(f"Club\n{line}").questions
    assert [*question.options[-1].texts.values()] == [last]


def test_wide_bars_and_the_first_box_of_columns_are_usual_ones() -> None:
    assert seen_lines("1｜I lie｜0｜1") == ["1|I lie|0|1"]
    assert seen_lines("2. I rest □3     □2     □1")[0].split("   ")[0] == "2. I rest"


def test_signs_around_a_numbered_line_are_no_brackets() -> None:
    assert seen_lines("** 1. Do you pray? **\na. daily") == ["1. Do you pray?", "a. daily"]


def test_a_wide_bracket_in_front_of_a_unit_is_a_space_to_write() -> None:
    """Before, the line was an answer of the question above."""
    survey = read_paste("T\n1. Do you live alone?\n\nAge: [    ] years\nSex: ☐ woman  ☐ man")
    assert [question.kind for question in survey.questions] == ["yes_no", "number", "single"]
    boxes = read_paste("T\n1. Sex: [   ] woman [   ] man\n2. Do you lie?\n[   ] yes\n[   ] no")
    assert [question.kind for question in boxes.questions] == ["single", "yes_no"]


def test_many_boxes_are_no_places_of_a_number() -> None:
    asked = "|__|__|\nName at birth: |__|__|__|__|__|__|__|__|__|__|__|__|"
    assert [question.kind for question in read_paste(f"T\nChildren: {asked}").questions][1:] != ["number"]
