from fractions import Fraction
from math import comb

import pytest

from tests.statistics import (
    FALSE_ALARM,
    binomial_power,
    binomial_range,
    chi_square,
    chi_square_limit,
    chi_square_power,
)


def _chance(n: int, probability: Fraction, low: int, high: int) -> Fraction:
    return sum(
        (
            comb(n, count) * probability**count * (1 - probability) ** (n - count)
            for count in range(low, high + 1)
        ),
        Fraction(0),
    )


def test_the_binomial_range_uses_its_false_alarm_budget_closely() -> None:
    low, high = binomial_range(200, 0.3)
    fair = Fraction(3, 10)
    assert 1 - _chance(200, fair, low, high) <= Fraction(1, 1_000_000)
    assert 1 - _chance(200, fair, low + 1, high) > Fraction(1, 2_000_000)
    assert 1 - _chance(200, fair, low, high - 1) > Fraction(1, 2_000_000)


def test_binomial_power_is_the_exact_probability_outside_the_range() -> None:
    low, high = binomial_range(200, 0.3)
    exact = 1 - _chance(200, Fraction(1, 2), low, high)
    assert binomial_power(200, 0.3, 0.2) == pytest.approx(float(exact), rel=1e-9)


def test_chi_square_of_a_small_table_matches_a_manual_calculation() -> None:
    # Expected counts 10, 10 and 20 give 4/10 + 4/10 + 0.
    assert chi_square([12, 8, 20], [0.25, 0.25, 0.5]) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("counts", "probabilities"), [([4, 4], [0.5, 0.5]), ([40, 40], [0.5, 0.4])], ids=["thin", "not all cells"]
)
def test_chi_square_refuses_small_and_empty_cells(counts: list[int], probabilities: list[float]) -> None:
    with pytest.raises(ValueError, match="at least 5 expected"):
        chi_square(counts, probabilities)


def test_the_chi_square_limit_for_two_degrees_is_the_log_of_the_budget() -> None:
    # With two degrees of freedom the probability of exceeding c is exp(-c / 2).
    assert chi_square_limit(3) == pytest.approx(27.631021, abs=1e-6)


def test_chi_square_power_equals_the_alarm_rate_without_drift_and_grows_with_n() -> None:
    fair, off = [0.25] * 4, [0.26, 0.25, 0.25, 0.24]
    assert chi_square_power(1_000, fair, fair) == pytest.approx(FALSE_ALARM, rel=1e-6)
    assert chi_square_power(1_000, fair, off) < 0.01 < 0.999 < chi_square_power(100_000, fair, off)
