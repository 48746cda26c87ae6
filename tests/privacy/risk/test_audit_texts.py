"""Figures of an audit as texts."""

import pytest

from privacy.risk.audit_texts import bounds_text, number, percent


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0%"), (0.0009, "<0.1%"), (0.001, "0.1%"), (0.999, "99.9%"), (0.9991, ">99.9%"), (1, "100%")],
)
def test_only_exact_shares_are_0_or_100_percent(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (99.94, "99.9"),
        (123.4, "123"),
        (12345, "12,345"),
        (999_999, "999,999"),
        (1e6, "1e+06"),
        (2.5e7, "2.5e+07"),
    ],
)
def test_large_numbers_have_thousands_and_then_powers(value: float, text: str) -> None:
    assert number(value) == text


def test_without_pairs_only_epsilon_is_stated() -> None:
    assert bounds_text(1.5, []) == ["All disguised answers of one person together: epsilon at most 1.5."]
