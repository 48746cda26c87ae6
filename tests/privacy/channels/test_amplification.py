from __future__ import annotations

import math
from decimal import Decimal, getcontext

import pytest

from privacy.channels.amplification import amplification_below, effective_epsilon
from tests.cast.refusals import refused


@pytest.mark.parametrize(
    "epsilon", [0.01, 0.1, 0.5, 0.69, 1.0, 1.788, 2.0, 3.5, 5.0, 10.0, 15.0, 19.99, 20.0]
)
def test_the_fraction_never_exceeds_the_power_and_misses_it_by_less_than_a_part_in_a_million(
    epsilon: float,
) -> None:
    getcontext().prec = 60
    power = Decimal(epsilon).exp()
    found = amplification_below(epsilon)
    exact = Decimal(found.numerator) / Decimal(found.denominator)
    assert exact < power
    assert (power - exact) / power < Decimal("1.1e-6")
    assert found.denominator <= 1 << 20
    assert epsilon - 2e-6 < effective_epsilon(found) <= epsilon


@pytest.mark.parametrize("wrong", [0.0, 0.009, 20.1, -1.0, float("nan"), float("inf"), "2", True])
def test_an_epsilon_out_of_range_is_refused(wrong: float) -> None:
    with refused("epsilon", repr(wrong)):
        amplification_below(wrong)


def test_no_bound_is_an_infinite_epsilon() -> None:
    assert effective_epsilon(None) == math.inf
