"""Numbers decoded from disguised ones: unbiased values, exact variances, means and scores of spans."""

import math
from contextlib import nullcontext

import numpy as np
import pytest

from privacy.channel_scores import score
from privacy.scales import decoded_numbers
from privacy.scales.decoded_numbers import (
    MEAN,
    expected_variance,
    mean,
    output_values,
    part_scores,
    variance_of_mean,
    variances,
)
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import (
    HYBRID_FROM,
    duchi,
    generalised_rr,
    hybrid,
    piecewise,
    shift_or_any,
    square_wave,
)
from privacy.scales.scale_groups import scale_groups
from privacy.scales.skips import Skipping
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused
from tests.privacy.scales.test_numeric_mechanisms import UNIT
from tests.privacy.scales.test_scale_skips import SKIPPING, channel


@pytest.mark.parametrize("name", ALL_BY_EPSILON)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_output_values_are_unbiased_with_exact_variances(name: str, epsilon: float) -> None:
    band = ALL_BY_EPSILON[name](NumberRange(low=-7, high=52, decimals=1, bin=5), epsilon)
    values, channel = output_values(band), band.as_array()
    middles = np.array([float(band.range.middle(x)) for x in range(12)])
    assert values @ channel == pytest.approx(middles, abs=1e-9)
    assert variances(band) == pytest.approx(values**2 @ channel - middles**2, rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_fine_bins_approach_the_continuous_variances(epsilon: float) -> None:
    t = np.arange(-500, 501) / 500
    s, growth = math.exp(epsilon / 2), math.exp(epsilon)
    far = (growth + 1) / (growth - 1)
    of_piecewise = t**2 / (s - 1) + (s + 3) / (3 * (s - 1) ** 2)
    of_duchi = far**2 - t**2
    assert variances(piecewise(UNIT, epsilon)) / 500**2 == pytest.approx(of_piecewise, rel=0.01)
    assert variances(duchi(UNIT, epsilon)) / 500**2 == pytest.approx(of_duchi, rel=1e-4)
    share = 1 - math.exp(-epsilon / 2) if epsilon > HYBRID_FROM else 0
    of_hybrid = share * of_piecewise + (1 - share) * of_duchi
    assert variances(hybrid(UNIT, epsilon)) / 500**2 == pytest.approx(of_hybrid, rel=0.01)


@pytest.mark.parametrize(("bins", "reach"), [(7, 1), (10, 3), (13, 0), (1001, 100)])
def test_cyclic_windows_use_the_unique_unbiased_values(bins: int, reach: int) -> None:
    band = shift_or_any(NumberRange(low=0, high=bins - 1), reach)
    values = output_values(band)
    assert values @ band.as_array() == pytest.approx(np.arange(bins), abs=1e-8 * bins)
    if bins < 100:
        assert values == pytest.approx(score(band.as_array(), np.arange(float(bins))), abs=1e-9)


def test_ambiguous_cyclic_windows_refuse_to_estimate_means() -> None:
    # For nine bins and windows of three, a shift by three does not change any sum.
    band = shift_or_any(NumberRange(low=0, high=8), 1)
    alike = np.array([1.0, -1, 0] * 3) @ band.as_array().T
    assert alike == pytest.approx(np.zeros(9), abs=1e-15)
    for value in (output_values, variances):
        with refused("cyclic", "3 bins", "9"):
            value(band)


@pytest.mark.parametrize("name", ALL_BY_EPSILON)
def test_the_variances_are_those_of_every_answer_and_output(name: str) -> None:
    band = ALL_BY_EPSILON[name](NumberRange(low=0, high=2), 4.0)
    off = output_values(band)[:, None] - np.arange(3)
    found = (off**2 * band.as_array()).sum(axis=0)
    assert variances(band) == pytest.approx(found)
    assert expected_variance(band) == pytest.approx(found.mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bins", "best", "ratio"), [(3, "keep", 1.59), (30, "piecewise", 1.57), (100, "piecewise", 1.57)]
)
def test_the_hybrid_needs_the_stated_multiple_of_respondents(bins: int, best: str, ratio: float) -> None:
    channels = {name: make(NumberRange(low=0, high=bins - 1), 4.0) for name, make in ALL_BY_EPSILON.items()}
    errors = {name: expected_variance(channel) for name, channel in channels.items()}
    worst = {name: variances(channel).max() for name, channel in channels.items()}
    assert errors[best] == pytest.approx(min(errors.values()))
    assert errors["hybrid"] / errors[best] == pytest.approx(ratio, abs=0.01)
    # In the worst case, the hybrid is best from 30 bins on.
    assert (min(worst, key=worst.__getitem__) == "hybrid") is (bins > 3)


@pytest.mark.parametrize("name", SKIPPING)
@pytest.mark.parametrize("more", [0, 700])
def test_the_predicted_error_is_that_of_the_mean_of_evenly_spread_people(name: str, more: int) -> None:
    band = SKIPPING[name].disguise
    skipping = Skipping(disguise=band, refusal=SKIPPING[name].refusal + more)
    sent = channel(skipping)[:, : band.inputs].mean(axis=1)
    told = mean(band, scale_groups(band, sent * 1e12, skipping=skipping))
    predicted = variance_of_mean(band, skipping=skipping)
    assert told.standard_error**2 * told.n == pytest.approx(predicted, rel=1e-6)
    assert predicted > variance_of_mean(band)
    # Without skips, the answers that are sent alone.
    alone = mean(band, scale_groups(band, sent[:-1] * 1e12))
    assert alone.standard_error**2 * alone.n == pytest.approx(variance_of_mean(band), rel=1e-6)


def test_the_interval_of_a_mean_is_the_normal_one_around_it() -> None:
    """Half of 100 people send each of two bins, kept with p = 1/2: .5, and its error is .1."""
    coin = generalised_rr(NumberRange(low=0, high=1), 7500)
    found = mean(coin, scale_groups(coin, [50, 50]))
    assert (found.value, found.n, found.possible) == (0.5, 100, (0.0, 1.0))
    assert found.estimable
    assert (found.low, found.high) == pytest.approx((0.5 - 1.959964 * 0.1, 0.5 + 1.959964 * 0.1), rel=1e-6)


def test_scores_for_the_mean_average_to_the_place_in_the_range() -> None:
    band = hybrid(NumberRange(low=-7, high=52, decimals=1, bin=5), 1.0)
    middles, scores = part_scores(band, MEAN)
    assert middles.tolist() == pytest.approx([number / 11 for number in range(12)])
    assert scores @ band.as_array() == pytest.approx(middles, abs=1e-9)


@pytest.mark.parametrize(("fewer", "is_refused"), [(0, False), (1, True)])
def test_scores_of_bands_are_computed_for_channels_up_to_a_size(
    fewer: int, is_refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    wave = square_wave(NumberRange(low=0, high=5), 1.0)
    monkeypatch.setattr(decoded_numbers, "MOST_ENTRIES", wave.outputs * wave.inputs - fewer)
    with refused("too_large", 6) if is_refused else nullcontext():
        part_scores(wave, (0, 2))
