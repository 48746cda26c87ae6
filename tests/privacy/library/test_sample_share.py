"""Shares of samples have the variance of the textbook, and errors add as squares."""

import pytest

from privacy.library.sample_share import error, sample_share
from tests.fixtures.refusals import refused


def test_the_variance_of_a_share_divides_by_n_minus_one() -> None:
    assert sample_share(30, 120, "sample 1") == (0.25, pytest.approx(0.25 * 0.75 / 119))
    assert sample_share(0, 2, "sample 1") == (0, 0)
    assert sample_share(2, 2, "sample 1") == (1, 0)
    for yes, n in ((3, 2), (-1, 2), (1, 1)):
        with refused("paper", "sample 1"):
            sample_share(yes, n, "sample 1")


def test_errors_of_independent_quantities_add_as_squares() -> None:
    """2^2 * .09 + (-1)^2 * .13 = .49."""
    assert error([2, -1], [0.09, 0.13]) == pytest.approx(0.7)
