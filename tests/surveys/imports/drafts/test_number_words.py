"""Numbers used as answers get words in all rows at once, and keep their points."""

import pytest

from surveys.imports.drafts.number_words import ask_for_words, name_numbers, numbers_of
from surveys.imports.drafts.questionnaire import Questionnaire, points_of
from surveys.imports.pasted_text import read_paste

TABLE = "Strain\n\t0\t1\t2\nI ran\t0\t1\t2\nI rested (R)\t0\t1\t2\nI ate\t0\t1\t2\n"


def shown(survey: Questionnaire) -> list[list[str]]:
    return [[option.texts["en"] for option in question.options] for question in survey.questions]


def test_words_replace_the_numbers_of_all_rows() -> None:
    survey = read_paste(TABLE)
    assert name_numbers(survey, survey.questions[1], ["never", "at times", "often"])
    assert shown(survey) == [["never", "at times", "often"]] * 3
    assert [points_of(question) for question in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]
    assert numbers_of(survey.questions[0]) == ()


@pytest.mark.parametrize("words", [[], ["never", "often"], ["never", "often", "often"]])
def test_too_few_or_equal_words_change_nothing(words: list[str]) -> None:
    survey = read_paste(TABLE)
    assert not name_numbers(survey, survey.questions[0], words)
    assert shown(survey) == [["0", "1", "2"]] * 3


def test_one_row_and_words_are_not_asked_about() -> None:
    survey = read_paste(TABLE)
    for question in survey.questions[1:]:
        question.flags = frozenset()
    survey.notes = []
    ask_for_words(survey)
    assert survey.notes == []
