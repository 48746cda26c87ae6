"""Errors of a density agree with exact errors by enumeration, and with repeated surveys."""

import numpy as np
import pytest

from privacy.channel_scores import score
from privacy.scales.decoded_numbers import mean
from privacy.scales.em import expected_values, fit, smooth_shares
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import duchi, generalised_rr_below, shift, shift_or_any
from privacy.scales.quantities import bars, quantiles
from privacy.scales.scale_groups import scale_groups
from privacy.scales.window import backward, forward
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused

TEN = NumberRange(low=0, high=9)
BANDS = {
    **{name: make(TEN, 2.0) for name, make in ALL_BY_EPSILON.items()},
    "R2": shift(TEN, 2),
    "R3": shift_or_any(TEN, 3),
    "R3, even": shift_or_any(NumberRange(low=0, high=12), 1),
}


@pytest.mark.parametrize("name", BANDS)
def test_running_sums_match_the_channel_and_its_transpose(name: str) -> None:
    band = BANDS[name]
    rng = np.random.default_rng(1)
    shares, ratios = rng.normal(size=(3, band.inputs)), rng.normal(size=(3, band.outputs))
    assert forward(band, shares) == pytest.approx(shares @ band.as_array().T)
    assert backward(band, ratios) == pytest.approx(ratios @ band.as_array())


def test_a_plain_step_never_lowers_the_likelihood() -> None:
    band = BANDS["square_wave"]
    counts = np.random.default_rng(2).multinomial(500, forward(band, np.full(10, 0.1)))
    before = -np.inf
    for steps in range(1, 40):
        shares = mixed_fit(band, scale_groups(band, counts), smooth=False, gain=0, most_steps=steps).shares
        now = float(counts @ np.log(forward(band, shares)))
        assert now >= before - 1e-9
        before = now


def test_fits_report_why_they_stopped() -> None:
    band = BANDS["square_wave"]
    counts = np.ones(band.outputs)
    found = mixed_fit(band, scale_groups(band, counts), gain=1e-3, smooth=True)
    assert (found.reason, found.gain < 1e-3) == ("gain", True)
    cut = mixed_fit(band, scale_groups(band, counts), gain=0, most_steps=7, smooth=True)
    assert (cut.reason, cut.steps) == ("steps", 7)


def test_rows_impossible_under_the_shares_add_nothing() -> None:
    counts, shares = np.array([30.0, 10.0]), np.array([1.0, 0.0])
    identity = np.eye(2)
    found = expected_values(counts, shares, identity @ shares, lambda ratio: identity.T @ ratio)
    assert found.tolist() == [30, 0]


def test_smoothing_keeps_the_sum_and_blurs_each_axis() -> None:
    table = np.random.default_rng(4).random((5, 6))
    both = smooth_shares(table, (-2, -1))
    assert both.sum() == pytest.approx(table.sum())
    assert both == pytest.approx(smooth_shares(smooth_shares(table, (1,)), (0,)))
    assert smooth_shares(np.ones((1, 3)), (0, 1)).tolist() == [[1, 1, 1]]
    assert smooth_shares(np.array([1.0, 0.0]), (0,)).tolist() == [0.75, 0.25]


def test_direct_rows_enter_the_mean_unchanged() -> None:
    band = duchi(TEN, 1.0)
    direct = np.zeros(10)
    direct[9] = 50
    alone = mean(band, scale_groups(band, [0, 50]))
    both = mean(band, scale_groups(band, [0, 50], direct=direct))
    assert both.value == pytest.approx((alone.value + 9) / 2)
    assert both.n == 100
    reach = 1.959964 * both.standard_error
    assert (both.low, both.high) == pytest.approx((both.value - reach, both.value + reach), rel=1e-6)


def test_scores_have_the_wanted_mean_and_minimum_variance() -> None:
    channel = BANDS["square_wave"].as_array()
    wanted = (np.arange(10) >= 6).astype(float)
    found = score(channel, wanted)
    assert found @ channel == pytest.approx(wanted, abs=1e-9)
    chances = channel.mean(axis=1)
    rng = np.random.default_rng(10)
    for _ in range(20):
        other = rng.normal(size=len(found))
        # Any other score with the same mean differs by something invisible to the channel.
        other -= channel @ np.linalg.lstsq(channel, other, rcond=None)[0]
        assert chances @ (found + 0.1 * other) ** 2 >= chances @ found**2 - 1e-9


def test_scores_need_an_informative_channel_of_moderate_size() -> None:
    with refused("no_score"):
        score(duchi(TEN, 1.0).as_array(), np.eye(10)[3])
    with refused("too_large"):
        score(np.full((2001, 2000), 1 / 2001), np.zeros(2000))


@pytest.mark.parametrize("wrong", [[1, 2], [-1] * 10, [float("nan")] * 10, 5])
def test_invalid_counts_are_rejected(wrong: object) -> None:
    with refused("counts"):
        mixed_fit(
            generalised_rr_below(TEN, 1.0), scale_groups(generalised_rr_below(TEN, 1.0), wrong), smooth=True
        )  # type: ignore[arg-type]  # that is the point


def test_zero_counts_are_rejected() -> None:
    band = generalised_rr_below(TEN, 1.0)
    for ask in (
        lambda: mixed_fit(band, scale_groups(band, [0] * 10), smooth=True),
        lambda: mean(band, scale_groups(band, [0] * 10)),
    ):
        with refused("no_rows"):
            ask()
    with refused("no_rows"):
        bars(band, scale_groups(band, [0] * 10))
    with refused("share"):
        quantiles(band, scale_groups(band, [1] * 10), [1.0])
    with refused("level"):
        mean(band, scale_groups(band, [1] * 10), level=1.0)


def test_unsent_outputs_do_not_disturb_the_fit() -> None:
    found = fit(
        np.array([[3.0, 0.0]]),
        np.array([[1.0, 1.0]]),
        lambda shares, _sets: shares,
        lambda ratios, _sets: ratios,
        smooth=False,
    )
    assert found.shares.tolist() == [[1, 0]]
