"""Questions that change when their text is read again are found."""

import pytest

from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.drafts.rereadings import (
    ANSWERS,
    CONDITION,
    KIND,
    LONGEST,
    QUESTION,
    TEXT,
    differing_lines,
)
from surveys.imports.pasted_text import read_paste


def read(text: str) -> Questionnaire:
    return read_paste(text, is_checked=False)


def test_a_regular_text_is_read_alike() -> None:
    text = "T\n\n" + "\n\n".join(f"{n}. Do you lie {n}?\n   a) Yes\n   b) No" for n in range(1, 5))
    assert differing_lines(text, read(text), read) == ({}, {})


def test_a_question_that_changes_is_named_by_its_line() -> None:
    text = "1. Who lies?\n 2. Who steals?"
    readings = [read("1. Who lies?\n2. Who runs?"), read(text)]
    assert differing_lines(text, read(text), lambda _text: readings.pop(0)) == ({2: TEXT}, {})


def test_a_text_without_indents_is_read_again_only_written_twice() -> None:
    text, texts = "1. Who?\n- I\n- you", []
    differing_lines(text, read(text), lambda other: texts.append(other) or read(text))
    assert texts == [f"{text}\n\n{text}"]


def test_long_texts_are_read_once() -> None:
    assert differing_lines("x" * (LONGEST + 1), Questionnaire(), lambda text: pytest.fail(text)) == ({}, {})


@pytest.mark.parametrize(
    ("text", "again", "what"),
    [
        (" 1. Who?\n- I\n- you", "1. Who?\n- I\n- he", ANSWERS),
        (" 1. Who?\n2. Do you lie?", "1. Who?\n2. If you lie, why?", CONDITION),
        (" 1. Do you lie?", "1. Do you lie?\n- I\n- you", KIND),
        (" 1. Who?\n- I\n- you", "1. Who?\n2. How?", QUESTION),
    ],
)
def test_what_differs_is_named(text: str, again: str, what: str) -> None:
    readings = [read(again), read(text)]
    first, second = differing_lines(text, read(text), lambda _text: readings.pop(0))
    assert (what in first.values(), second) == (True, {})


def test_lines_above_the_first_question_have_another_place_below_a_copy() -> None:
    text = "Title of the form\n1. Who?\n- I\n- you"
    assert read(text).questions[0].line == 2
    twice = read("Who?\n1. Who?\n- I\n- you")
    assert [each.line for each in twice.questions][:1] == [1]
    assert differing_lines(text, read(text), lambda _text: twice) == ({}, {})
