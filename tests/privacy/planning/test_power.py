"""What a plan promises, held against simulated surveys."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from privacy.errors import PrivacyError
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.planning.power import (
    POWER,
    Plan,
    detectable_lift,
    detectable_support,
    itemset_error,
    power_of_rule,
    standard_error,
)

ONE = Plan(p=0.5, theta_a=0.5, theta_b=0.4)
TWO = Plan(p=0.6, theta_a=0.5, theta_b=0.5, one_block=False, k=0.2)
REPETITIONS = 20_000


def drawn(plan: Plan, n: int, a: float, b: float, both: float, seed: int) -> tuple[np.ndarray, ...]:
    chance, z_a, z_b, z_both = plan.distribution(a, b, both)
    rows = np.random.default_rng(seed).multinomial(n, chance, size=REPETITIONS)
    return rows, z_a, z_b, z_both


@pytest.mark.parametrize("plan", [ONE, TWO, replace(ONE, p=1.0)])
def test_scores_have_the_true_shares_as_means_and_the_error_that_is_promised(plan: Plan) -> None:
    chance, z_a, z_b, z_both = plan.distribution(0.3, 0.4, 0.15)
    assert chance.sum() == pytest.approx(1)
    assert (chance @ z_a, chance @ z_b, chance @ z_both) == pytest.approx((0.3, 0.4, 0.15))
    rows, z_a, _, _ = drawn(plan, 1000, 0.3, 0.4, 0.15, seed=1)
    # The spread of 20,000 estimates has a relative error of .5 %.
    assert (rows @ z_a / 1000).std() == pytest.approx(standard_error(plan, 0.3, 1000), rel=0.03)


def found(rows: np.ndarray, h: np.ndarray, tests: int) -> float:
    """Share of the surveys in which the one-sided test of "mean h = 0" is passed."""
    root = np.sign(rows @ h) * np.sqrt(likelihood_ratio(rows, h[None, :]))
    return float((norm.sf(root) <= 0.05 / tests).mean())


@pytest.mark.slow
@pytest.mark.parametrize("plan", [ONE, TWO])
@pytest.mark.parametrize("tests", [1, 312])
def test_what_is_called_detectable_is_found_four_times_in_five(plan: Plan, tests: int) -> None:
    n = 4000
    support = detectable_support(plan, n)
    assert support is not None
    rows, z_a, _, _ = drawn(plan, n, support, 0.0, 0.0, seed=2)
    assert found(rows, z_a, 1) == pytest.approx(POWER, abs=0.03)

    lift = detectable_lift(plan, n, first=0.3, second=0.4, tests=tests)
    assert lift is not None
    rows, z_a, z_b, z_both = drawn(plan, n, 0.3, 0.4, 0.12 * lift, seed=4)
    n_rows = rows.sum(axis=1)
    hits = []
    for part in np.array_split(np.arange(REPETITIONS), 20):
        some = rows[part]
        a, b = some @ z_a / n, some @ z_b / n
        h = z_both - a[:, None] * z_b - b[:, None] * z_a + (a * b)[:, None]
        root = np.sign((some * h).sum(axis=1)) * np.sqrt(likelihood_ratio(some, h))
        hits.append((norm.sf(root) <= 0.05 / tests).mean())
    assert n_rows.min() == n
    assert np.mean(hits) == pytest.approx(POWER, abs=0.03)


def test_more_tests_need_more_and_more_disguise_needs_more() -> None:
    for plan in (ONE, TWO):
        one, many = (detectable_lift(plan, 4000, first=0.3, second=0.4, tests=tests) for tests in (1, 312))
        weaker = detectable_lift(replace(plan, p=0.3), 4000, first=0.3, second=0.4)
        assert one is not None
        assert many is not None
        assert weaker is not None
        assert 1 < one < min(many, weaker)
    assert power_of_rule(ONE, 4000, first=0.3, second=0.4, lift=1.0) == pytest.approx(0.05, abs=1e-9)
    assert detectable_support(replace(ONE, p=1.0), 4000) == pytest.approx(0.0, abs=2e-3)


def test_with_few_people_no_effect_is_large_enough() -> None:
    assert detectable_lift(ONE, 20, first=0.3, second=0.4) is None
    assert detectable_support(replace(ONE, p=0.1), 20) is None


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Plan(p=0, theta_a=0.5), "p = 0 carries no information"),
        (lambda: Plan(p=0.5, theta_a=1.5), "theta_a = 1.5 is outside"),
        (lambda: standard_error(ONE, 1.2, 100), "support = 1.2 is outside"),
        (lambda: standard_error(ONE, 0.2, 0), "n = 0 is outside"),
        (lambda: detectable_lift(ONE, 2000, first=0.3, second=0.4, tests=0), "number of tests = 0"),
    ],
)
def test_what_cannot_be_planned_is_refused_with_its_value(make, said) -> None:
    with pytest.raises(PrivacyError, match=said):
        make()


@pytest.mark.parametrize("sizes", [(1,), (2,), (1, 1), (2, 1)])
@pytest.mark.parametrize("k", [0.0, 0.3])
def test_the_error_of_an_itemset_is_that_of_all_rows_written_out(sizes: tuple[int, ...], k: float) -> None:
    p, theta, share = 0.4, 0.3, 0.2

    def scores(size: int) -> tuple[list[float], list[float]]:
        """Chances and values of a block's score, for independent items."""
        decoy = (1 - p) * theta**size
        shown = p * share**size + decoy
        return [1 - shown, shown], [-decoy / p, (1 - decoy) / p]

    chance, value = np.ones(1), np.ones(1)
    for size in sizes:
        one, two = scores(size)
        chance, value = np.kron(chance, one), np.kron(value, two)
    support = share ** sum(sizes)
    chance = np.concatenate([[k * (1 - support), k * support], (1 - k) * chance])
    value = np.concatenate([[0, 1], value])
    assert chance @ value == pytest.approx(support)
    expected = math.sqrt(float(chance @ value**2) - support**2)
    assert itemset_error(p, theta, k, [(size, share) for size in sizes], 1) == pytest.approx(expected)
