"""A statement about a score that is not used is quoted in the report."""

import pytest

from surveys.imports.pasted_text import read_paste

TEXT = "Home\n1. Cook?\n(0) no\n(1) often\n2. Sing?\n(0) no\n(1) often\n\nScore: 0 low, 1-2 high.\n"


def quoted(rule: str) -> list[str]:
    return [note.message for note in read_paste(TEXT + rule).notes if "are not used" in note.message]


@pytest.mark.parametrize(
    "rule", ["Question 2 counts double, add 5 points.", "If 1 is answered with often, add 4 points."]
)
def test_numbers_without_a_meaning_are_quoted(rule: str) -> None:
    assert quoted(rule)


@pytest.mark.parametrize(
    "rule", ["Scores range from 0 to 2 (n = 212).", "Add up both questions.", "no = 0, often = 1 points"]
)
def test_sums_points_and_samples_are_understood(rule: str) -> None:
    assert not quoted(rule)
