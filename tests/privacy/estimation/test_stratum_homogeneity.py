"""The test that the groups agree: exact cases, and as often wrong as its level says."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import xlogy
from scipy.stats import chi2, norm

from privacy.errors import PrivacyError
from privacy.estimation import SupportCounts
from privacy.estimation.stratum_homogeneity import stratum_homogeneity_test
from tests.privacy.estimation.designs import (
    design,
    protected,
    yes_no,
)
from tests.statistics import POWER, binomial_power, binomial_range

SOURCE = design(protected("b", 3000, yes_no("a", 6000)))
"""The source's example: p = .3, theta = .6."""


def drawn(n: int, share: float, k: float, rng: np.random.Generator) -> SupportCounts:
    direct = int(rng.binomial(n, k))
    p, theta = 0.3, 0.6
    yes = int(rng.binomial(direct, share)), int(rng.binomial(n - direct, p * share + (1 - p) * theta))
    return SupportCounts({(): (direct, n - direct), (0,): yes})


@pytest.mark.soak
@pytest.mark.slow
def test_groups_that_agree_are_told_apart_as_often_as_the_level_says_also_when_small() -> None:
    for n, method, repetitions in ((3000, "normal", 1200), (220, "empirical likelihood", 1200)):
        low, high = binomial_range(repetitions, 0.05)
        assert binomial_power(repetitions, 0.05, 0.065) > POWER
        rng = np.random.default_rng(n)
        hits, methods = 0, set()
        for _ in range(repetitions):
            found = stratum_homogeneity_test(drawn(n, 0.3, 0.2, rng), [(0,)], SOURCE)[0]
            hits += found.p_value <= 0.05
            methods.add(found.method)
        assert method in methods
        assert low <= hits <= high, (n, hits)


def test_groups_that_differ_are_told_apart_and_by_how_much() -> None:
    found = stratum_homogeneity_test(SupportCounts({(): (1000, 4000), (0,): (100, 2160)}), [(0,)], SOURCE)[0]
    assert found.difference == pytest.approx(0.1 - 0.4)
    assert found.p_value < 1e-6


LIGHTLY = design(protected("b", 3000, yes_no("a", 6000), light=8000))
"""The same with p0 = .8: of people of whom a tenth has it .08 + .12 and .03 + .42 say yes."""


def test_two_strengths_are_compared_by_the_variances_of_both_disguises() -> None:
    found = stratum_homogeneity_test(SupportCounts({(): (2000, 8000), (0,): (480, 3600)}), [(0,)], LIGHTLY)[0]
    assert (found.direct, found.protected) == (pytest.approx(0.15), pytest.approx(0.1))
    spread = 0.24 * 0.76 / 2000 / 0.8**2 + 0.45 * 0.55 / 8000 / 0.3**2
    assert found.p_value == pytest.approx(2 * norm.sf(0.05 / math.sqrt(spread)), rel=1e-9)
    small = stratum_homogeneity_test(SupportCounts({(): (40, 8000), (0,): (12, 3600)}), [(0,)], LIGHTLY)[0]
    assert small.method == "empirical likelihood"


@pytest.mark.parametrize(
    ("direct", "protected"), [((30, 12), (600, 260)), ((20, 3), (900, 500)), ((25, 24), (40, 30))]
)
def test_few_rows_are_compared_by_the_likelihood_of_both_binomials(
    direct: tuple[int, int], protected: tuple[int, int]
) -> None:
    """Of one yes/no question a group shows yes with p P + (1-p) q: no more than a binomial says anything."""

    def loss(share: float) -> float:
        found = 0.0
        for (n, yes), p in ((direct, 1.0), (protected, 0.3)):
            shown = p * share + (1 - p) * 0.6
            found += 2 * (xlogy(yes, yes / n / shown) + xlogy(n - yes, (n - yes) / n / (1 - shown)))
        return found

    least = minimize_scalar(loss, bounds=(1e-9, 1 - 1e-9), method="bounded", options={"xatol": 1e-12})
    counts = SupportCounts({(): (direct[0], protected[0]), (0,): (direct[1], protected[1])})
    (found,) = stratum_homogeneity_test(counts, [(0,)], SOURCE)
    assert found.method == "empirical likelihood"
    assert 1e-6 < found.p_value < 1
    assert found.p_value == pytest.approx(chi2.sf(least.fun, 1), rel=1e-6)


def test_one_group_alone_agrees_with_nobody() -> None:
    with pytest.raises(PrivacyError, match="0 direct and 100 protected rows") as refusal:
        stratum_homogeneity_test(SupportCounts({(): (0, 100), (0,): (0, 50)}), [(0,)], SOURCE)[0]
    assert refusal.value.code == "one_group"
