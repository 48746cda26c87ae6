"""Answers in columns, each behind its letter or number."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of, points_of
from surveys.imports.layouts.lettered_columns import list_columns
from surveys.imports.pasted_text import read_paste

FOOT = "\n2. Do you walk?\n( ) yes\n( ) no"


@pytest.mark.parametrize("gap", ["\t", "          "])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("a) daily", "b) weekly"), ("c) once", "d) never")),
        (("a) daily", "c) once"), ("b) weekly", "d) never")),
        (("A. daily", "B. weekly"), ("C. once", "D. never")),
    ],
)
def test_answers_in_columns_are_listed_by_their_letters(
    gap: str, first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    """The second row was part of the answer above it."""
    text = f"Parish\n\n1. How often?\n   {gap.join(first)}\n   {gap.join(second)}\n{FOOT}"
    assert labels_of(read_paste(text).questions[0]) == ("daily", "weekly", "once", "never")


def test_times_in_columns_are_no_ranges() -> None:
    text = "Pfarrei\n\n1. Wann?\n a) 8:30 Uhr     b) 10:00 Uhr\n c) 11:15 Uhr    d) 18:00 Uhr\n2. Wo?"
    question = read_paste(text).questions[0]
    assert labels_of(question) == ("8:30 Uhr", "10:00 Uhr", "11:15 Uhr", "18:00 Uhr")


def test_numbers_in_columns_stay_points() -> None:
    text = f"Test\n\n1. How often?\n(0) never     (1) once\n(2) often     (3) always\n{FOOT}"
    assert points_of(read_paste(text).questions[0]) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "rows",
    [
        ["1. Do you smoke?     2. Do you drink?", "3. Do you walk?      4. Do you swim?"],
        ["Who?", "b) she     c) he", "d) they    e) no one"],
        ["Who?", "a) she     b) he"],
    ],
)
def test_other_columns_stay(rows: list[str]) -> None:
    assert list_columns(rows) == rows
