"""Effective numbers of rows in words."""

from privacy.effective_rows import few_effective_text
from privacy.policy import SURE_EFFECTIVE_ROWS


def test_a_hundred_effective_rows_are_not_few() -> None:
    assert few_effective_text(500, float(SURE_EFFECTIVE_ROWS)) == ""
    text = few_effective_text(500, SURE_EFFECTIVE_ROWS - 1.0)
    assert text == "few answers: as precise as 99 of equal weight; intervals may miss their level"
    assert few_effective_text(100, 100.0) == few_effective_text(500, 100.0) == ""
    assert few_effective_text(99, 99.0) == "few answers: 99; intervals may miss their level"
