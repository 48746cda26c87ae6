from fractions import Fraction

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
