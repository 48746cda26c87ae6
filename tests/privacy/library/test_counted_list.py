"""List experiments and item sums: published figures, power of the tests, and refusals."""

import numpy as np
import pytest
import scipy
import scipy.stats

from privacy.library import item_sum, list_experiment
from tests.fixtures.published_studies import published
from tests.fixtures.refusals import refused

CONTROL, TREATED = [8, 132, 222, 227], [19, 123, 229, 219, 34]


def test_the_race_and_politics_study_is_reproduced() -> None:
    found = list_experiment(CONTROL, TREATED)["share"]
    assert (round(found.value, 7), round(found.standard_error, 7)) == (0.0677974, 0.0495783)


def test_the_race_study_counts_match_its_rows() -> None:
    rows = published("list_race.csv")
    for group, counts in ((0, CONTROL), (1, TREATED)):
        assert np.bincount(rows.y[rows.treat == group].astype(int)).tolist() == counts


def test_each_inequality_is_a_corrected_fisher_exact_test() -> None:
    n0, n1 = sum(CONTROL), sum(TREATED)
    c0, c1 = np.cumsum(CONTROL)[:-1], np.cumsum(TREATED)[:-1]

    def fisher(first: int, n: int, second: int, m: int) -> float:
        table = [[first, n - first], [second, m - second]]
        return float(scipy.stats.fisher_exact(table, alternative="greater")[1])

    fewer = [fisher(c1[y], n1, c0[y], n0) for y in range(3)]
    more = [fisher(c0[y], n0, c1[y + 1], n1) for y in range(3)]
    found = [test.p_value for test in list_experiment(CONTROL, TREATED).tests]
    wanted = [3 * min(fewer), 3 * min(more), 6 * min(fewer + more)]
    assert found == pytest.approx([min(1.0, p) for p in wanted], rel=1e-9)


def test_an_extreme_violation_without_variance_is_detected() -> None:
    """If everyone in a group gives the same count, no cell varies, and a covariance test would fail."""
    fewer, _, both = list_experiment([0, 0, 100], [100, 0, 0, 0]).tests
    assert fewer.p_value < 1e-50
    assert both.p_value < 1e-50


def test_list_experiments_detect_hidden_harmless_items() -> None:
    # With the sensitive item, half of the people who would count 2 or more count 0.
    fewer, _, both = list_experiment([50, 300, 450, 200], [260, 260, 300, 140, 40]).tests
    assert fewer.p_value < 1e-6
    assert both.p_value < 1e-6
    _, more, _ = list_experiment([500, 300, 150, 50], [100, 100, 200, 300, 300]).tests
    assert more.p_value < 1e-6


def test_an_item_sum_is_the_difference_of_means() -> None:
    rng = np.random.default_rng(1)
    without, with_it = rng.poisson(20, size=60), rng.poisson(27, size=40)
    found = item_sum(without.tolist(), with_it.tolist())["mean"]
    assert found.value == pytest.approx(with_it.mean() - without.mean())
    by_scipy = scipy.stats.ttest_ind(with_it, without, equal_var=False)
    assert found.value / found.standard_error == pytest.approx(by_scipy.statistic)
    assert not item_sum([5, 6], [1, 2])["mean"].outside


def test_contradictory_counts_are_refused() -> None:
    with refused("paper", "6 counts"):
        list_experiment([8, 132, 222, 227], [19, 123, 229, 219, 34, 1])
    with refused("paper"):
        list_experiment([1, 2, 3], [1, 2])
    with refused("paper", "treated"):
        list_experiment([5, 5], [1, 0, 0])
    with refused("paper", "control"):
        list_experiment([5, -5], [1, 2, 3])
    for wrong in ([1.0], [1.0, float("nan")], [], ["a", "b"], [[1, 2], [3]]):
        with refused("paper", "the group with"):
            item_sum([1, 2], wrong)
