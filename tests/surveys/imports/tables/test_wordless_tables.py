"""Tables of numbers get the words for them wherever the text has these; without any, the report asks."""

import pytest

from surveys.imports.doubts.misreadings import LESS_CERTAIN, MISREAD
from surveys.imports.drafts.questionnaire import Questionnaire, points_of
from surveys.imports.pasted_text import read_paste

ROWS = "I was rushed\t0\t1\t2\t3\nI worked at night\t0\t1\t2\t3\nI rested (R)\t0\t1\t2\t3\n"
BOXES = "I was rushed\t☐\t☐\t☐\t☐\nI worked at night\t☐\t☐\t☐\t☐\nI rested (R)\t☐\t☐\t☐\t☐\n"
RULE = "Score of 5 or more: strained\n"


def read(table: str) -> Questionnaire:
    return read_paste(f"Strain\nHow often in the last month?\n{table}{RULE}")


def words(survey: Questionnaire) -> list[list[str]]:
    return [
        [next(iter(option.texts.values())).lower() for option in each.options] for each in survey.questions
    ]


def asked_about(survey: Questionnaire) -> list[str]:
    """Return what the notes ask for; weighed doubts are left out, because they differ with the weights."""
    return [note.asks for note in survey.notes if note.cause not in (MISREAD, LESS_CERTAIN)]


@pytest.mark.parametrize(
    "table",
    [
        f"\tNever\tRarely\tOften\tAlways\n\t0\t1\t2\t3\n{ROWS}",
        f"\tNever\tRarely\tOften\tAlways\n\t0\t1\t2\t3\n{BOXES}",
        f"\t0\t1\t2\t3\n\tNever\tRarely\tOften\tAlways\n{ROWS}",
        f"{ROWS}0 = never, 1 = rarely, 2 = often, 3 = always\n",
        f"(0 = never, 1 = rarely, 2 = often, 3 = always)\n\t0\t1\t2\t3\n{ROWS}",
        f"0 = never, 1 = rarely, 2 = often, 3 = always\n\t0\t1\t2\t3\n{BOXES}",
        f"Item\tNever\tRarely\tOften\tAlways\n{ROWS}",
    ],
)
def test_the_words_for_the_numbers_of_a_table_are_its_answers(table: str) -> None:
    survey = read(table)
    assert [text for question in survey.questions for text in question.texts.values()] == [
        "I was rushed",
        "I worked at night",
        "I rested",
    ]
    assert words(survey) == [["never", "rarely", "often", "always"]] * 3
    assert [points_of(question) for question in survey.questions] == [[0, 1, 2, 3]] * 2 + [[3, 2, 1, 0]]
    assert [score.questions for score in survey.scores] == [[each.line for each in survey.questions]]
    # The report does not note lines of numbers as left out, because it keeps them as points.
    assert asked_about(survey) == ["score"]


@pytest.mark.parametrize("table", [f"\t0\t1\t2\t3\n{ROWS}", f"\t0\t1\t2\t3\n{BOXES}", ROWS])
def test_a_table_without_words_keeps_its_points_and_is_asked_about(table: str) -> None:
    survey = read(table)
    assert words(survey) == [["0", "1", "2", "3"]] * 3
    assert [points_of(question) for question in survey.questions] == [[0, 1, 2, 3]] * 2 + [[3, 2, 1, 0]]
    assert asked_about(survey) == ["words", "score"]


@pytest.mark.parametrize(
    "table",
    [
        "1. I slept 6 7 8\n2. I worked 6 7 8\n",
        "1. Room 1 2\n2. Room 1 2\n",
        "I ate\t0\t5\t9\nI ran\t0\t5\t9\n",
    ],
)
def test_numbers_that_do_not_count_up_are_not_a_table(table: str) -> None:
    assert not any("words" in note.asks for note in read_paste(f"Week\n{table}").notes)


def test_words_in_a_heading_that_only_names_the_items_head_no_part() -> None:
    survey = read_paste("压力\n题目\t从不\t总是\n1\t我很匆忙\t0\t1\n2\t我在夜里工作\t0\t1\n")
    assert [part.texts for part in survey.parts] == [{}]
