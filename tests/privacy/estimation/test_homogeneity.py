import math

import pytest
from scipy.optimize import minimize_scalar
from scipy.special import xlogy
from scipy.stats import chi2, norm

from privacy.errors import PrivacyError
from privacy.estimation.counts import SupportCounts
from privacy.estimation.homogeneity import stratum_homogeneity_test
from tests.privacy.estimation.designs import design, protected, yes_no

SOURCE = design(protected("b", 3000, yes_no("a", 6000)))
"""The source's example: p = .3, theta = .6."""


def test_the_homogeneity_test_measures_how_groups_differ() -> None:
    found = stratum_homogeneity_test(SupportCounts({(): (1000, 4000), (0,): (100, 2160)}), [(0,)], SOURCE)[0]
    assert found.difference == pytest.approx(0.1 - 0.4)
    assert found.p_value < 1e-6


LIGHTLY = design(protected("b", 3000, yes_no("a", 6000), light=8000))
"""The same with p0 = .8: if a tenth has the item, .08 + .12 and .03 + .42 say yes."""


def test_groups_of_two_strengths_are_compared_with_both_variances() -> None:
    found = stratum_homogeneity_test(SupportCounts({(): (2000, 8000), (0,): (480, 3600)}), [(0,)], LIGHTLY)[0]
    assert (found.direct, found.protected) == (pytest.approx(0.15), pytest.approx(0.1))
    spread = 0.24 * 0.76 / 2000 / 0.8**2 + 0.45 * 0.55 / 8000 / 0.3**2
    assert found.p_value == pytest.approx(2 * norm.sf(0.05 / math.sqrt(spread)), rel=1e-9)
    small = stratum_homogeneity_test(SupportCounts({(): (40, 8000), (0,): (12, 3600)}), [(0,)], LIGHTLY)[0]
    assert small.method == "empirical likelihood"


@pytest.mark.parametrize(
    ("direct", "protected"), [((30, 12), (600, 260)), ((20, 3), (900, 500)), ((25, 24), (40, 30))]
)
def test_small_groups_are_compared_by_binomial_likelihood(
    direct: tuple[int, int], protected: tuple[int, int]
) -> None:
    """For one yes/no question, a group's "yes" is binomial with p P + (1-p) q."""

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


@pytest.mark.parametrize(
    ("direct", "protected", "is_normal"),
    [
        ((50, 10), (100, 50), True),
        ((49, 20), (100, 50), False),
        ((50, 9), (100, 50), False),
        ((50, 40), (100, 50), True),
        ((50, 41), (100, 50), False),
        ((60, 30), (100, 10), True),
        ((60, 30), (100, 91), False),
    ],
)
def test_the_normal_test_needs_50_direct_rows_and_ten_of_each_answer_in_a_group(
    direct: tuple[int, int], protected: tuple[int, int], is_normal: bool
) -> None:
    counts = SupportCounts({(): (direct[0], protected[0]), (0,): (direct[1], protected[1])})
    (found,) = stratum_homogeneity_test(counts, [(0,)], SOURCE)
    assert found.method == ("normal" if is_normal else "empirical likelihood")


def test_the_homogeneity_test_needs_both_groups() -> None:
    with pytest.raises(PrivacyError, match="0 direct and 100 protected rows") as refusal:
        stratum_homogeneity_test(SupportCounts({(): (0, 100), (0,): (0, 50)}), [(0,)], SOURCE)[0]
    assert refusal.value.code == "one_group"
