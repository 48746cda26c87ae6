"""Intervals of shares against Wilson's, as closed form."""

import math

import numpy as np
import pytest

from privacy.levels import chi_square_quantile
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr
from privacy.scales.scale_groups import scale_groups
from privacy.scales.share_intervals import Quadratics, set_moments, share_ends

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
