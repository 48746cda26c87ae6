"""Numbers as people write them: one way for a whole column, and no text is taken for a number by halves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.tables.numbers import numbers_read


@pytest.mark.parametrize(
    ("texts", "plain"),
    [
        (["1,234,567", "12"], ["1234567", "12"]),
        (["1.234.567", "12"], ["1234567", "12"]),
        (["1.234,50", "7"], ["1234.5", "7"]),
        (["1 234", "12,5"], ["1234", "12.5"]),
        (["1’234.5", "1"], ["1234.5", "1"]),
        (["0,125", "1,5"], ["0.125", "1.5"]),
        (["-1,5", "+2"], ["-1.5", "2"]),
        (["30.0", "34.00"], ["30", "34"]),
        (["１２", "7"], ["12", "7"]),
    ],
)
def test_the_whole_column_tells_thousands_from_decimals(texts: list[str], plain: list[str]) -> None:
    assert numbers_read(texts) == dict(zip(texts, plain, strict=True))


@pytest.mark.parametrize(
    "texts", [["1,23,4"], ["1,234.5", "1.234,5"], ["12", ""], ["1.2.3"], ["inf"], ["1,,2"], ["01,234", "x"]]
)
def test_what_is_no_number_makes_no_column_of_numbers(texts: list[str]) -> None:
    assert numbers_read(texts) is None


SIGNS = ((",", "."), (".", ","), (" ", ","))


@given(st.lists(st.integers(0, 10**9), min_size=1), st.sampled_from(SIGNS))
def test_what_was_written_with_signs_is_read_back(amounts: list[int], signs: tuple[str, str]) -> None:
    thousands, decimals = signs
    texts = [f"-{amount:,}".replace(",", thousands) + f"{decimals}5" for amount in amounts]
    read = numbers_read(texts)
    assert read is not None
    assert [float(read[text]) for text in texts] == [-amount - 0.5 for amount in amounts]
