import numpy as np
import pytest
import scipy

from privacy.estimation.response_rates import rate_difference, response_test


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        # Newcombe 1998, table II, method 10.
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((2, 7), (6, 7), 0.0582, 0.8062),
        ((0, 29), (5, 56), -0.0381, 0.1926),
        ((0, 20), (0, 10), -0.1611, 0.2775),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((0, 20), (10, 10), 0.6791, 1.0),
        ((0, 10), (10, 10), 0.6075, 1.0),
    ],
)
def test_the_interval_matches_newcombe(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    found = rate_difference((first[0], second[0]), (first[1], second[1]))
    assert found.estimable
    assert found.value == pytest.approx(second[0] / second[1] - first[0] / first[1])
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert (found.n, found.effective_n) == (second[1], min(first[1], second[1]))


def test_the_response_test_equals_pearsons_on_the_whole_table() -> None:
    answered, invited = [40, 55, 71], [100, 120, 130]
    table = np.array([answered, np.subtract(invited, answered)])
    assert response_test(answered, invited) == pytest.approx(
        scipy.stats.chi2_contingency(table, correction=False).pvalue
    )
    assert response_test([0, 1], [10, 10]) < 1 == response_test([10, 10], [10, 10])
