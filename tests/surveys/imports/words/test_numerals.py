"""Number words of scoring rules become digits only where they are limits of a sum."""

import pytest

from surveys.imports.words.numerals import in_digits


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Score of ten or more: at risk", "Score of 10 or more: at risk"),
        ("Fewer than four points: low", "Fewer than 4 points: low"),
        ("I have two dogs.", "I have two dogs."),
    ],
)
def test_limits_are_written_in_digits(text: str, read: str) -> None:
    assert in_digits(text) == read
