"""Numbers are written briefly and read back unchanged; other texts are no numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.numeric_text import finite_number, number_text, rounds_integer


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_written_number_is_read_back_unchanged(number: float) -> None:
    assert finite_number(number_text(number)) == number


@given(st.integers(-(10**15) + 1, 10**15 - 1))
def test_whole_numbers_are_written_without_a_point(number: int) -> None:
    assert number_text(float(number)) == str(number)


@pytest.mark.parametrize("text", ["", "half", "1,5", "nan", "inf", "-Infinity"])
def test_other_texts_are_no_finite_numbers(text: str) -> None:
    assert finite_number(text) is None


@pytest.mark.parametrize(
    ("text", "is_rounded"),
    [("9007199254740993", True), ("-9007199254740993", True), ("+9007199254740992", False), ("12.5", False)],
)
def test_only_integers_that_a_float_cannot_hold_are_rounded(text: str, is_rounded: bool) -> None:
    assert rounds_integer(text) is is_rounded


def test_whole_numbers_below_a_quadrillion_have_no_decimal_point() -> None:
    assert [number_text(number) for number in (-3.0, 999_999_999_999_999.0, 1e15)] == [
        "-3", "999999999999999", "1000000000000000.0"
    ]  # fmt: skip
