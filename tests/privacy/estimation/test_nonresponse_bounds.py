"""Bounds for those who stay away."""

import pytest

from privacy.errors import PrivacyError
from privacy.estimation.nonresponse_bounds import non_response_bounds


def test_bounds_of_non_response_hold_whatever_the_missing_are_like() -> None:
    for missing in (0.0, 0.4, 1.0):
        low, high = non_response_bounds(0.3, 0.6)
        assert low - 1e-12 <= 0.6 * 0.3 + 0.4 * missing <= high + 1e-12
    assert non_response_bounds(1.4, 1.0) == (1.0, 1.0)
    with pytest.raises(PrivacyError, match=r"response rate = 1\.5"):
        non_response_bounds(0.3, 1.5)
