import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.library.probabilities import exact, probability, ten_thousandths, two_probabilities
from tests.fixtures.refusals import refused


@given(st.integers(1, 10_000), st.data())
def test_a_float_is_read_as_the_intended_fraction(denominator: int, data: st.DataObject) -> None:
    meant = Fraction(data.draw(st.integers(0, denominator)), denominator)
    assert exact(float(meant), "p") == meant
    # A rounding error of one unit in the last place, as in 1 - 2/3, gives the same fraction.
    assert exact(min(math.nextafter(float(meant), 2), 1.0), "p") == meant


def test_floats_are_read_by_their_decimal_text() -> None:
    assert exact(0.1234567, "p") == Fraction(1234567, 10**7)
    assert exact(Fraction(1, 12345), "p") == Fraction(1, 12345)


def test_probabilities_lie_between_0_and_1() -> None:
    assert probability("1/3", "p") == 1 / 3
    for certain in (0, 1, 1.0):
        with refused("paper", "p is"):
            probability(certain, "p")
    assert two_probabilities(0.3, 0.7, ("p1", "p2")) == (0.3, 0.7)
    with refused("paper", "0.3"):
        two_probabilities(0.3, "3/10", ("p1", "p2"))


def test_probabilities_are_whole_ten_thousandths_or_the_two_nearest_are_named() -> None:
    assert [ten_thousandths(value, "p") for value in (0.35, "1/4", 1, 0, 0.0001)] == [
        3500,
        2500,
        10_000,
        0,
        1,
    ]
    with refused("ten_thousandths", "1/3"):
        ten_thousandths("1/3", "p")


def test_a_finer_probability_is_refused_with_both_neighbours() -> None:
    with pytest.raises(PrivacyError, match=r"0\.3333.* 0\.3334") as caught:
        ten_thousandths("1/3", "p")
    assert caught.value.code == "ten_thousandths"
