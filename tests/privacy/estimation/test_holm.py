"""Adjusted p-values."""

import numpy as np
import pytest

from privacy.estimation.holm import holm


def test_adjusted_p_values_equal_holms_steps_by_hand() -> None:
    # In order .01, .02, .04, .3: times 4, 3, 2 and 1, none below the one before.
    assert holm(np.array([0.04, 0.3, 0.01, 0.02])) == pytest.approx((0.08, 0.3, 0.04, 0.06))


def test_adjusted_p_values_never_fall_below_an_earlier_one_or_exceed_one() -> None:
    # Times 3, 2 and 1: .03, .024 and .013; the later two become .03.
    assert holm(np.array([0.010, 0.012, 0.013])) == pytest.approx((0.03, 0.03, 0.03))
    assert holm(np.array([0.4, 0.7])) == pytest.approx((0.8, 0.8))
    assert holm(np.array([0.7, 0.8])) == pytest.approx((1, 1))
