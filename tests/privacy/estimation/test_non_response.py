"""Bounds for non-response."""

import pytest

from privacy.errors import PrivacyError
from privacy.estimation.non_response import non_response_bounds


def test_non_response_bounds_hold_for_any_missing_answers() -> None:
    for missing in (0.0, 0.4, 1.0):
        for share in (0.25, 0.3, 0.35):
            low, high = non_response_bounds((0.25, 0.35), 0.6)
            assert low - 1e-12 <= 0.6 * share + 0.4 * missing <= high + 1e-12
    assert non_response_bounds((-0.2, 1.4), 1.0) == (0.0, 1.0)
    with pytest.raises(PrivacyError, match=r"response rate = 1\.5"):
        non_response_bounds((0.2, 0.3), 1.5)
