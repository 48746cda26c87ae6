"""Intervals of shares against Wilson's, as closed form."""

import math

import numpy as np
import pytest

from privacy.levels import chi_square_quantile
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.scales.scale_groups import scale_groups
from privacy.scales.score_moments import Moments
from privacy.scales.share_intervals import Quadratics, set_moments, share_ends, share_quadratics

KEEP = generalised_rr(NumberRange(low=0, high=1), 7500)
FIRST = np.array([True, False])


@pytest.mark.parametrize("shown", [0, 25, 40, 100])
def test_the_interval_of_a_kept_bit_is_wilsons_divided_by_its_slope(shown: int) -> None:
    groups = scale_groups(KEEP, [shown, 100 - shown])
    limit = chi_square_quantile(0.95)
    low, high = share_ends(set_moments(groups, np.array([1.5, -0.5]), FIRST), limit)
    middle = (shown + limit / 2) / (100 + limit)
    half = math.sqrt(limit) / (100 + limit) * math.sqrt(shown * (100 - shown) / 100 + limit / 4)
    assert low[0] == pytest.approx(2 * (middle - half) - 0.5)
    assert high[0] == pytest.approx(2 * (middle + half) - 0.5)


def test_roots_of_quadratics_are_ordered() -> None:
    two, none = Quadratics(c0=np.array(6.0), c1=np.array(-5.0), c2=np.array(1.0)), np.array(1.0)
    assert [float(root) for root in two.roots()] == [2, 3]
    assert two.at(4.0) == 2
    assert np.isnan(Quadratics(c0=none, c1=np.array(0.0), c2=none).roots()).all()


def moments(**changes: float) -> Moments:
    """Ten rows: z means .3 and a means .5, so the share is .6."""
    found = {
        "mean": 0.3,
        "answer": 0.5,
        "square": 0.4,
        "with_answer": 0.2,
        "answer_square": 0.6,
        "slope": 0.1,
    }
    found |= {"slope_with": 0.05, **changes}
    return Moments(n=10, **{name: np.array([value]) for name, value in found.items()})


def test_the_quadratic_is_the_squared_mean_less_the_allowed_variance() -> None:
    """At the share .6 the mean of z - t a is 0, and that of its square .4 - 2 (.6) .2 + .36 (.6) = .376.

    At 0, the variance falls by the slope .1 times the mean .3: 10 (.09) - 4 (.4 - .03) = -.58.
    At 1, 10 (.2)^2 = .4, and the mean of squares .4 - .4 + .6 changes by (1 - .6) (.1 - 2 (.05)) / 2 = 0.
    """
    test = share_quadratics(moments(), 4.0)
    assert test.at(0.6)[0] == pytest.approx(-4 * 0.376)
    assert test.at(0.0)[0] == pytest.approx(-0.58)
    assert test.at(1.0)[0] == pytest.approx(0.4 - 4 * 0.6)


def test_a_value_of_a_quadratic_is_a_polynomial() -> None:
    assert Quadratics(c0=np.array(6.0), c1=np.array(-5.0), c2=np.array(2.0)).at(4.0) == 18


def test_an_interval_without_allowance_is_the_share_itself() -> None:
    low, high = share_ends(moments(), 0.0)
    assert (low[0], high[0]) == (pytest.approx(0.6), pytest.approx(0.6))


def test_an_interval_is_unbounded_if_perhaps_no_row_is_an_answer() -> None:
    """10 (.25) is below 5 (.55), and .3 above 4 (.55): with the limit 4, both ends are roots."""
    low, high = share_ends(moments(), 5.0)
    assert (low[0], high[0]) == (-math.inf, math.inf)
    low, high = share_ends(moments(), 4.0)
    ends = [(1.72 - sign * math.sqrt(1.72**2 + 4 * 0.58 * 0.3)) / 0.6 for sign in (1, -1)]
    assert (low[0], high[0]) == (pytest.approx(ends[0]), pytest.approx(ends[1]))
