"""List experiments and item sums: published figures, what the tests must notice, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from privacy.library import item_sum, list_experiment
from privacy.library.counted_list import _covariance, _weights
from tests.cast.published_studies import published
from tests.cast.refusals import refused

CONTROL, TREATED = [8, 132, 222, 227], [19, 123, 229, 219, 34]


def test_the_survey_on_race_and_politics() -> None:
    found = list_experiment(CONTROL, TREATED)["share"]
    assert (round(found.value, 7), round(found.standard_error, 7)) == (0.0677974, 0.0495783)


def test_its_counts_are_those_of_its_rows() -> None:
    rows = published("list_race.csv")
    for group, counts in ((0, CONTROL), (1, TREATED)):
        assert np.bincount(rows.y[rows.treat == group].astype(int)).tolist() == counts


def test_the_shares_of_kinds_of_people_and_their_errors_are_those_that_the_package_list_prints() -> None:
    n0, n1 = sum(CONTROL), sum(TREATED)
    f0, f1 = np.cumsum(CONTROL)[:-1] / n0, np.cumsum(TREATED)[:-2] / n1
    assert (f0 - f1).round(4).tolist() == [-0.0169, 0.0101, 0.02]
    assert np.sqrt(np.diag(_covariance(f0) / n0 + _covariance(f1) / n1)).round(4).tolist() == [
        0.0084,
        0.0243,
        0.0281,
    ]


def test_the_two_tests_keep_what_might_fail_and_so_are_milder_than_that_package() -> None:
    fewer, more, both = list_experiment(CONTROL, TREATED).tests
    assert more.p_value == 1.0
    # It drops the two positive shares, tests one that it chose for being negative, and prints .0443.
    assert both.p_value == pytest.approx(2 * fewer.p_value)
    assert 0.0443 < both.p_value < 0.3


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_test_at_the_border_rejects_as_often_as_it_says(size: int) -> None:
    rng = np.random.default_rng(5)
    root = rng.normal(size=(size, size))
    covariance = root @ root.T + 0.3 * np.eye(size)
    weights = _weights(covariance)
    half = np.linalg.cholesky(np.linalg.inv(covariance)).T
    draws = rng.multivariate_normal(np.zeros(size), covariance, size=20_000)
    distances = np.array([scipy.optimize.nnls(half, half @ draw)[1] ** 2 for draw in draws])
    for limit in (0.5, 2.0, 4.0):
        expected = float(weights @ scipy.special.chdtrc(np.arange(1, size + 1), limit))
        # Five standard errors: one false alarm in two million.
        assert (distances > limit).mean() == pytest.approx(
            expected, abs=5 * np.sqrt(expected * (1 - expected) / 20_000)
        )


def test_beyond_three_the_law_is_bounded_from_above() -> None:
    rng = np.random.default_rng(6)
    root = rng.normal(size=(4, 4))
    covariance = root @ root.T + 0.3 * np.eye(4)
    half = np.linalg.cholesky(np.linalg.inv(covariance)).T
    draws = rng.multivariate_normal(np.zeros(4), covariance, size=4_000)
    distances = np.array([scipy.optimize.nnls(half, half @ draw)[1] ** 2 for draw in draws])
    for limit in (1.0, 4.0):
        bound = float(_weights(covariance) @ scipy.special.chdtrc(np.arange(1, 5), limit))
        assert (distances > limit).mean() < bound


def test_people_who_hide_harmless_items_beside_a_sensitive_one_are_noticed() -> None:
    # Of those who would count 2 or more, half count 0 where the sensitive item stands there.
    fewer, _, both = list_experiment([50, 300, 450, 200], [260, 260, 300, 140, 40]).tests
    assert fewer.p_value < 1e-6
    assert both.p_value < 1e-6
    _, more, _ = list_experiment([500, 300, 150, 50], [100, 100, 200, 300, 300]).tests
    assert more.p_value < 1e-6


def test_an_exact_list_is_not_accused() -> None:
    assert [one.p_value for one in list_experiment([100, 300, 400, 200], [80, 260, 380, 240, 40]).tests] == [
        1,
        1,
        1,
    ]


def test_a_sum_is_the_difference_of_means() -> None:
    rng = np.random.default_rng(1)
    without, with_it = rng.poisson(20, size=60), rng.poisson(27, size=40)
    found = item_sum(without.tolist(), with_it.tolist())["mean"]
    assert found.value == pytest.approx(with_it.mean() - without.mean())
    by_scipy = scipy.stats.ttest_ind(with_it, without, equal_var=False)
    assert found.value / found.standard_error == pytest.approx(by_scipy.statistic)
    assert not item_sum([5, 6], [1, 2])["mean"].outside


def test_counts_that_contradict_are_refused() -> None:
    with refused("paper", "6 counts"):
        list_experiment([8, 132, 222, 227], [19, 123, 229, 219, 34, 1])
    with refused("paper"):
        list_experiment([1, 2, 3], [1, 2])
    with refused("paper", "treated"):
        list_experiment([5, 5], [1, 0, 0])
    with refused("paper", "control"):
        list_experiment([5, -5], [1, 2, 3])
    for wrong in ([1.0], [1.0, float("nan")], []):
        with refused("paper", "the group with"):
            item_sum([1, 2], wrong)
