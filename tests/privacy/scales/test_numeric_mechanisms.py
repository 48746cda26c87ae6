"""Mechanisms for numbers agree with published figures and, on small ranges, with their definitions."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from privacy.channels import amplification_below
from privacy.errors import PrivacyError
from privacy.scales.decoded_numbers import output_values
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import (
    HYBRID_FROM,
    as_answered,
    best_half_width,
    best_shift,
    generalised_rr,
    generalised_rr_below,
    hybrid,
    r3_window_mixture,
    shift,
    shift_or_any,
    square_wave,
)
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused

SALARY = NumberRange(low=0, high=1000)
UNIT = NumberRange(low=-500, high=500)
"""1001 bins, where t = (x - 500) / 500 is in [-1, 1]."""


@pytest.mark.parametrize(
    ("epsilon", "half_width"),
    [(0.1, 0.467752), (0.5, 0.358155), (1, 0.256083), (2, 0.129337), (4, 0.030428), (6, 0.006309),
     (8, 0.001178), (10, 0.000204)],
)  # fmt: skip
def test_the_square_wave_half_width_maximises_information(epsilon: float, half_width: float) -> None:
    assert best_half_width(epsilon) == pytest.approx(half_width, abs=5e-7)
    growth = math.exp(epsilon)

    def information(b: float) -> float:
        spread = 2 * b * growth + 1
        return math.log((2 * b + 1) / spread) + 2 * b * epsilon * growth / spread

    found = minimize_scalar(lambda b: -information(b), bounds=(1e-6, 0.6), method="bounded",
                            options={"xatol": 1e-10})  # fmt: skip
    assert best_half_width(epsilon) == pytest.approx(found.x, abs=1e-5)


def test_the_half_width_approaches_one_half_without_a_jump() -> None:
    below, above = best_half_width(0.000999999), best_half_width(0.001000001)
    assert below > above > 0.4995
    assert below - above < 1e-8
    assert best_half_width(1e-12) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("name", ALL_BY_EPSILON)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_each_mechanism_attains_its_rounded_epsilon_exactly(name: str, epsilon: float) -> None:
    band = ALL_BY_EPSILON[name](NumberRange(low=0, high=11), epsilon)
    # Channel checks that columns sum to 1.
    gamma = band.channel.amplification()
    assert gamma == band.amplification == amplification_below(epsilon)


def test_the_hybrid_equals_duchi_below_its_switch() -> None:
    assert pytest.approx(0.609352, abs=1e-6) == HYBRID_FROM
    assert hybrid(SALARY, 0.6).window == 0
    assert hybrid(SALARY, 0.62).window > 0


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_the_chosen_cyclic_window_maximises_information(epsilon: float) -> None:
    growth, bins = math.exp(epsilon), 101

    def told(window: int) -> float:
        """Return the mutual information in nats of a uniform number and its uniform output."""
        near = growth / (window * growth + bins - window)
        far = near / growth
        return window * near * math.log(bins * near) + (bins - window) * far * math.log(bins * far)

    chosen = r3_window_mixture(NumberRange(low=0, high=bins - 1), epsilon).window
    assert told(chosen) == max(told(window) for window in range(1, bins + 1, 2))


@pytest.mark.parametrize("bins", [2, 3, 9, 12, 30, 105])
def test_the_chosen_window_allows_unbiased_means(bins: int) -> None:
    for epsilon in (0.01, 1.0, 3.0):
        band = r3_window_mixture(NumberRange(low=0, high=bins - 1), epsilon)
        assert math.gcd(band.window, bins) == 1
        assert output_values(band) @ band.as_array() == pytest.approx(np.arange(bins), abs=1e-6)


def test_best_shift_matches_its_series_near_zero() -> None:
    for epsilon in (0.999e-3, 1.001e-3):
        growth = math.expm1(epsilon)
        assert best_shift(epsilon) == pytest.approx((epsilon + epsilon / growth - 1) / growth, rel=1e-6)


@pytest.mark.parametrize("name", ALL_BY_EPSILON)
@pytest.mark.parametrize("epsilon", [0, 25, math.nan, math.inf, True, "2", None])
def test_every_mechanism_rejects_invalid_epsilons_with_the_same_range(name: str, epsilon: object) -> None:
    with pytest.raises(PrivacyError) as caught:
        ALL_BY_EPSILON[name](UNIT, epsilon)  # type: ignore[arg-type]  # that is the test
    assert (caught.value.code, caught.value.remedy) == ("epsilon", "use a number in [0.01, 20]")


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: square_wave(SALARY, 0), "epsilon"),
        (lambda: hybrid(SALARY, float("nan")), "epsilon"),
        (lambda: generalised_rr_below(SALARY, 21), "epsilon"),
        (lambda: generalised_rr(SALARY, 10), "chance"),
        (lambda: generalised_rr(SALARY, 10_000), "chance"),
        (lambda: shift(SALARY, 501), "reach"),
        (lambda: shift_or_any(SALARY, 10, 0), "chance"),
        (lambda: shift_or_any(SALARY, 10, 10_000), "chance"),
    ],
)
def test_parameters_out_of_range_are_refused(make, code: str) -> None:
    with refused(code):
        make()


def test_decoys_have_at_least_one_ten_thousandth_probability() -> None:
    assert generalised_rr(UNIT, 9_999).decoys > 0
    assert shift_or_any(UNIT, 1, 9_999).decoys > 0


def test_a_shift_moves_around_the_ends_and_never_further_than_its_reach() -> None:
    band = shift(NumberRange(low=0, high=6), 2)
    sent = band.as_array() > 0
    for true in range(7):
        assert set(np.flatnonzero(sent[:, true])) == {(true + step) % 7 for step in range(-2, 3)}
    assert band.as_array()[sent] == pytest.approx(1 / 5)
    assert (band.inputs, band.outputs, band.amplification) == (7, 7, None)


def test_only_open_numbers_are_as_answered_and_only_bins_of_one_are_the_answer() -> None:
    bands = [
        as_answered(NumberRange(low=0, high=9)),
        as_answered(NumberRange(low=0, high=9, bin=5)),
        as_answered(NumberRange(low=1, high=9)),
        shift(UNIT, 3),
        square_wave(UNIT, 1.0),
    ]
    assert [band.is_as_answered for band in bands] == [True, True, True, False, False]
    assert [band.sends_the_answer for band in bands] == [True, False, False, False, False]
    assert not any(band.exact_outside for band in bands)
