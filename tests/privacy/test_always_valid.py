import math

import numpy as np
import pytest
from scipy.stats import binom

from privacy.always_valid import always_valid_half_width, always_valid_interval
from tests.fixtures.refusals import refused

LOOKS = range(250, 10_001, 250)


def missed_at_some_look(half_widths: list[float]) -> float:
    """Return the probability that the running mean of fair coins (+1, -1) ever leaves its interval."""
    missed, law, step = 0.0, np.ones(1), binom.pmf(np.arange(251), 250, 0.5)
    for n, half in zip(LOOKS, half_widths, strict=False):
        law = np.convolve(law, step)
        left = np.abs(2 * np.arange(n + 1) - n) > n * half
        missed += float(law[left].sum())
        law[left] = 0
    return missed


def test_always_valid_intervals_keep_coverage_over_forty_looks() -> None:
    one_look = [1.959964 / math.sqrt(n) for n in LOOKS]
    every_look = [always_valid_half_width(1 / math.sqrt(n), n) for n in LOOKS]
    assert missed_at_some_look(one_look[:1]) == pytest.approx(2 * binom.cdf(109, 250, 0.5))
    assert round(missed_at_some_look(one_look), 3) == 0.308
    assert round(missed_at_some_look(every_look), 3) == 0.018
    wider = [mine / theirs for mine, theirs in zip(every_look, one_look, strict=True)]
    assert (round(min(wider), 2), round(max(wider), 2)) == (1.55, 1.66)


def test_always_valid_intervals_end_at_the_root_of_the_mixture() -> None:
    """At the end of the interval, the likelihood ratio mixed over N(0, 1/r) is 1/a.

    It is exp(S^2 / (2 (n + r))) sqrt(r / (n + r)) for sums S of rows with variance 1.
    """
    reach = -2 * math.log(0.05)
    r = 1_000 / (reach + math.log(reach) + 1)
    for n in (10, 1_000, 50_000):
        end = always_valid_half_width(1 / math.sqrt(n), n) * n
        assert math.exp(end**2 / (2 * (n + r))) * math.sqrt(r / (n + r)) == pytest.approx(20)


@pytest.mark.parametrize("share", [0.01, 0.02, 0.3])
def test_rare_undisguised_shares_are_covered_at_the_nominal_level(share: float) -> None:
    """Exact over 40 looks; intervals from estimated errors are [0, 0] until the first such answer."""
    missed, law, step = 0.0, np.ones(1), binom.pmf(np.arange(51), 50, share)
    for n in range(50, 2_001, 50):
        law = np.convolve(law, step)
        for count in np.flatnonzero(law > 0):
            value = count / n
            low, high = always_valid_interval(value, math.sqrt(value * (1 - value) / n), n)
            if not low <= share <= high:
                missed += float(law[count])
                law[count] = 0
    assert 0.01 < missed < 0.04


def test_always_valid_intervals_are_not_cut_at_0() -> None:
    assert always_valid_interval(-0.1, 0.03, 1_000) == pytest.approx((-0.191, -0.009), abs=0.001)


def test_zero_rows_and_impossible_levels_are_rejected() -> None:
    with refused("out_of_range", "rows = 0"):
        always_valid_half_width(0.1, 0)
    with refused("level", 0.05):
        always_valid_half_width(0.1, 1_000, level=0.05)


@pytest.mark.parametrize("value", [0.2, 0.5])
def test_an_error_above_that_of_undisguised_answers_is_used_as_it_is(value: float) -> None:
    error = math.sqrt(1.1 * value * (1 - value) / 1_000)
    reach = always_valid_half_width(error, 1_000)
    assert always_valid_interval(value, error, 1_000) == pytest.approx((value - reach, value + reach))


@pytest.mark.parametrize("value", [-0.3, 1.3])
def test_a_disguised_share_has_no_ends_if_all_devices_sent_the_same(value: float) -> None:
    """Its error is estimated as 0, so an interval around it would be certain after two answers."""
    assert always_valid_interval(value, 0.0, 2) == (-math.inf, math.inf)
    low, high = always_valid_interval(value, 0.1, 1_000)
    assert math.isfinite(low)
    assert math.isfinite(high)
