"""Answers in a column at the right of their question."""

import pytest

from surveys.imports.answer_column import draw_circles, unfold_answers, write_codes
from tests.site.test_form_cases import read_paste


def unfolded(text: str) -> list[str]:
    return [line for _number, line in unfold_answers(list(enumerate(text.split("\n"), 1)))]


def test_further_answers_join_the_first_and_their_lines_become_empty() -> None:
    text = "1. How often?      Never\n                   Once or\n                    Often\n2. When?"
    assert unfolded(text) == ["1. How often?", "Never / Once or / Often", "", "2. When?"]


def test_codes_behind_all_answers_stand_in_front_of_them() -> None:
    assert unfolded("1. Hit you?     Yes   1\n                No    2")[1] == "1 Yes / 2 No"
    assert unfolded("1. Hit you?     Yes   1\n                No")[1] == "Yes   1 / No"


@pytest.mark.parametrize(
    "text",
    [
        "Form of donors           page 14\n                         Yes     No\n1. Do you feel well?",
        "1. Hit you?     Yes\n        2. When?",
        "1. Hit you?     Yes\n                        No",
        "1. Hit you?  Yes\n             No",
    ],
)
def test_headers_other_columns_and_narrow_gaps_stay(text: str) -> None:
    assert unfolded(text) == text.split("\n")


def test_two_questions_with_a_column_of_coded_answers_are_yes_or_no() -> None:
    text = (
        "Violence\n\nB1. Has a partner ever pushed you?       Yes  1\n"
        "                                         No   2\n"
        "B2. Has a partner ever kicked you?       Yes  1\n"
        "                                         No   2\n"
    )
    read = read_paste(text)
    assert [(each.kind, each.texts["en"]) for each in read.questions] == [
        ("yes_no", "Has a partner ever pushed you?"),
        ("yes_no", "Has a partner ever kicked you?"),
    ]
    assert [note.message for note in read.notes] == ["the codes of the answers are left out"] * 2


def test_the_letter_o_in_front_of_answers_is_a_round_box() -> None:
    survey = read_paste(
        "Team\n1. How old are you?\nO under 30\nO 30 to 44\nO older\n2. Which unit?\nO Ward\nO Lab\n"
    )
    assert [[option.texts["en"] for option in each.options] for each in survey.questions] == [
        ["under 30", "30 to 44", "older"],
        ["Ward", "Lab"],
    ]


def test_the_letter_o_is_a_box_in_all_questions_of_a_text() -> None:
    """If all answers began with a small letter, they were read as *O ja* and *O nein*."""
    survey = read_paste(
        "Team\n1. Welcher Bereich?\nO Lager\nO Büro\n2. Trinken Sie Alkohol?\nO ja\nO nein\n", ("de",)
    )
    assert [question.kind for question in survey.questions] == ["single", "yes_no"]


@pytest.mark.parametrize("text", ["O chefe grita\nO trabalho cansa", "O Brien called", "Oh\nOften"])
def test_the_letter_o_as_a_word_stays(text: str) -> None:
    pairs = [*enumerate(text.split("\n"), 1)]
    assert draw_circles(pairs) == pairs


def test_codes_below_the_answers_of_each_question_are_their_points() -> None:
    answers = "Never  Sometimes  Often\n0      1          2\n"
    survey = read_paste(f"Team\n1. Are you tired?\n{answers}2. Are you sad?\n{answers}Score: 2 or more")
    assert [[option.points for option in each.options] for each in survey.questions] == [[0, 1, 2]] * 2
    assert [score.levels for score in survey.scores] == [[(None, ""), (2, "")]]


@pytest.mark.parametrize("codes", ["0  2  9", "3  4  5", "0  1", "a  b  c"])
def test_other_lines_below_answers_are_not_codes(codes: str) -> None:
    pairs = [(1, "Never  Sometimes  Often"), (2, codes), (3, "Next?")]
    assert write_codes(pairs) == pairs


def test_codes_after_dots_make_all_lines_answers() -> None:
    text = "T\n\nQ1 Safe?\n   Very safe .... 1\n   Refused ...... 9\n\nQ2 Far?\n   Far ... 1\n   N.C. .. 2"
    found = [[option.texts["en"] for option in each.options] for each in read_paste(text).questions]
    assert found == [["Very safe", "Refused"], ["Far", "N.C."]]


def test_a_header_of_three_lines_is_joined() -> None:
    header = (
        "            very     rather   not      ",
        "            good     good     so      ",
        "                              good",
    )
    rows = "\n".join(f"{item:12}O        O        O" for item in ("1 Pay", "2 Food"))
    found = read_paste("T\n\n" + "\n".join(header) + "\n" + rows).questions
    labels = [option.texts["en"] for option in found[0].options]
    assert labels == ["very good", "rather good", "not so good"]


def test_capital_o_is_a_box_before_yes_and_no_and_where_other_lists_have_the_same() -> None:
    second, third = "2. Bedroht?\n   O ja (weiter mit 3)\n   O nein\n", "3. Wie?\n   O nie\n   O oft"
    text = f"T\n1. Wo?\n   O Lager\n   O Büro\n{second}{third}"
    labels = [[option.texts["de"] for option in each.options] for each in read_paste(text, ("de",)).questions]
    assert labels[0] == ["Lager", "Büro"]
    assert not any(label.startswith("O") for each in labels for label in each)
