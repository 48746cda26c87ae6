from fractions import Fraction

import numpy as np
import pytest

from privacy.risk.operators import CyclicChannel, mixed, retention, window
from tests.cast.refusals import refused


@pytest.mark.parametrize(
    "channel",
    [
        retention(7, Fraction(1, 5)),
        window(7, 2),
        mixed(window(7, 2), Fraction(1, 2)),
        mixed(window(7, 0), Fraction(1, 3)),
    ],
)
def test_a_kernel_says_what_its_matrix_says(channel: CyclicChannel) -> None:
    matrix = channel.to_channel()
    assert [matrix.row(observed) for observed in range(7)] == [channel.row(observed) for observed in range(7)]
    assert matrix.amplification() == channel.amplification()


@pytest.mark.parametrize("channel", [retention(7, Fraction(1, 5)), mixed(window(7, 1), Fraction(1, 2))])
def test_the_variance_factor_is_the_mean_square_of_the_inverse(channel: CyclicChannel) -> None:
    inverse = np.linalg.inv(channel.to_channel().as_array())
    shares = np.array([0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05])
    shown = channel.to_channel().as_array() @ shares
    covariance = inverse @ (np.diag(shown) - np.outer(shown, shown)) @ inverse.T
    assert np.trace(covariance) == pytest.approx(channel.variance_factor - float((shares**2).sum()))


def test_a_window_that_divides_the_circle_cannot_be_inverted() -> None:
    assert window(9, 1).variance_factor == float("inf")
    assert window(7, 1).variance_factor < float("inf")


def test_kernels_and_parameters_that_are_none_are_refused() -> None:
    for kernel, code in (
        ((), "shape"),
        ((Fraction(3, 2), Fraction(-1, 2)), "out_of_range"),
        ((Fraction(1, 2),), "column_sum"),
    ):
        with refused(code):
            CyclicChannel(kernel=kernel)
    with refused("share", "chance to keep"):
        retention(5, Fraction(6, 5))
    with refused("values"):
        retention(1, Fraction(1, 2))
    with refused("radius"):
        window(5, 3)
    with refused("share"):
        mixed(window(5, 1), Fraction(-1, 2))
