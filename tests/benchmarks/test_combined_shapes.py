"""Generated questionnaires, whose marks and places are combined at random, are read or asked about."""

import itertools

import pytest

from benchmarks.combined_shapes import (
    CONDITIONS,
    GRIDS,
    MARKS,
    ORDINARY,
    PLACES,
    choices_of,
    combined,
    is_readable,
    results,
)
from benchmarks.combined_words import WORDS
from benchmarks.shapes import result_of
from surveys.imports.pasted_text import read_paste

PLAIN = ("{}. ", "{}) ", "Q{}. ", "W {}: ")
FORMS = {
    "below": ("( ) ", "• ", "{a}) ", "({n}) "),
    "line": (" / ", " ( ) ", " {a}) "),
    "line below": ("   ", " ○ ", " ({n}) "),
    "brackets": (" / ", " | "),
}
RARE = ("opening", "sentence", "furniture", "condition", "grid", "facts", "range", "second language")
PLAIN_CHOICES = choices_of(0, 0) | dict.fromkeys(RARE, ORDINARY)
CELLS = [
    (language, mark, place, form)
    for (language, mark), (place, form) in zip(
        itertools.cycle(itertools.product(WORDS, PLAIN)),
        [(place, form) for place, forms in FORMS.items() for form in forms] * 4,
        strict=False,
    )
]


@pytest.mark.parametrize(("language", "mark", "place", "form"), CELLS)
def test_usual_marks_are_read_in_each_language(language: str, mark: str, place: str, form: str) -> None:
    choices = PLAIN_CHOICES | {
        "language": language,
        "mark": mark,
        "place": place,
        "form": form,
        "is spaced": True,
        "instruction": "in brackets",
        "yes or no": "like others",
        "space": "____",
        "has title": True,
    }
    shape = combined(choices)
    assert [each.what for each in result_of(shape, read_paste(shape.text)).deviations] == []


def test_texts_without_a_difference_between_questions_and_answers_are_not_drawn() -> None:
    alike = PLAIN_CHOICES | {"mark": "- ", "place": "below", "form": "- "}
    assert not is_readable(alike)
    assert is_readable(alike | {"form": "• "})
    assert not is_readable(alike | {"mark": "", "is spaced": False})


def test_each_choice_is_drawn() -> None:
    drawn = [choices_of(3, number) for number in range(400)]
    assert {each["mark"] for each in drawn} >= {*MARKS}
    assert {each["place"] for each in drawn} == {*PLACES}
    assert {each["language"] for each in drawn} == {*WORDS}
    assert {each["condition"] for each in drawn} == {*CONDITIONS, ORDINARY}
    assert {each["grid"] for each in drawn} == {*GRIDS, ORDINARY}


@pytest.mark.parametrize("place", CONDITIONS)
@pytest.mark.parametrize("language", WORDS)
def test_usual_conditions_are_read_in_each_language(language: str, place: str) -> None:
    choices = PLAIN_CHOICES | {
        "language": language,
        "mark": "{}. ",
        "place": "below",
        "form": "( ) ",
        "is spaced": True,
        "yes or no": "like others",
        "condition": place,
    }
    shape = combined(choices)
    assert sum(each.is_conditional for each in shape.questions) == 1
    result = result_of(shape, read_paste(shape.text))
    assert [each.what for each in result.deviations if not each.is_flagged] == []


@pytest.mark.soak
def test_few_generated_texts_are_misread_in_silence() -> None:
    verdicts = [result.verdict for _number, _choices, result in results(400, seed=5)]
    assert verdicts.count("silent") <= len(verdicts) // 100
