"""Remedies are rounded down, so that they pass."""

import pytest

from surveys.questionnaire.checks.remedies import floor_text, join_remedies, ten_thousandths_text


@pytest.mark.parametrize(("share", "text"), [(5000, "50"), (2450, "24.5"), (2821, "28.21"), (5, "0.05")])
def test_ten_thousandths_are_percentages_without_needless_digits(share: int, text: str) -> None:
    assert ten_thousandths_text(share) == text


@pytest.mark.parametrize(("epsilon", "text"), [(4.599, "4.59"), (0.29, "0.29"), (3.0, "3.00")])
def test_epsilon_is_rounded_down(epsilon: float, text: str) -> None:
    assert floor_text(epsilon) == text


def test_without_a_remedy_fewer_questions_are_advised() -> None:
    assert join_remedies(["a", "b"]) == "a, or b"
    assert join_remedies([]) == "ask fewer questions in protected parts"
