"""Questions that change when their text is read again are found."""

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import Questionnaire
from surveys.imports.rereadings import LONGEST, differing_lines


def read(text: str) -> Questionnaire:
    return read_paste(text, is_checked=False)


def test_a_regular_text_is_read_alike() -> None:
    text = "T\n\n" + "\n\n".join(f"{n}. Do you lie {n}?\n   a) Yes\n   b) No" for n in range(1, 5))
    assert differing_lines(text, read(text), read) == (set(), set())


def test_a_question_that_changes_is_named_by_its_line() -> None:
    text = "1. Who?\n2. Why?"
    readings = [read("1. Who?\n2. How?"), read(text)]
    assert differing_lines(text, read(text), lambda _text: readings.pop(0)) == ({2}, set())


def test_long_texts_are_read_once() -> None:
    assert differing_lines("x" * (LONGEST + 1), Questionnaire(), lambda text: pytest.fail(text)) == (
        set(),
        set(),
    )
