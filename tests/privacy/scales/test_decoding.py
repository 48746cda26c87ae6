"""Reconstruction of numbers: exact where it can be, and honest about its errors where it is a sample."""

from __future__ import annotations

import numpy as np
import pytest

from privacy.channels.score import score
from privacy.scales.decoding import mean
from privacy.scales.em import explained, fit, smoothed
from privacy.scales.numeric_mechanisms import duchi, generalised_rr_below, shift, shift_or_any
from privacy.scales.region_share import bars, quantiles
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.scales.window import NumberRange, WindowChannel, backward, forward
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused
from tests.statistics import binomial_range
from tests.vectors.scale_designs import additive_uniform

TEN = NumberRange(low=0, high=9)
BANDS = {
    **{name: make(TEN, 2.0) for name, make in ALL_BY_EPSILON.items()},
    "R2": shift(TEN, 2),
    "R3": shift_or_any(TEN, 3),
    "R3, even": shift_or_any(NumberRange(low=0, high=12), 1),
}


@pytest.mark.parametrize("name", BANDS)
def test_running_sums_are_the_channel_and_its_transpose(name: str) -> None:
    band = BANDS[name]
    rng = np.random.default_rng(1)
    shares, ratios = rng.normal(size=(3, band.inputs)), rng.normal(size=(3, band.outputs))
    assert forward(band, shares) == pytest.approx(shares @ band.as_array().T)
    assert backward(band, ratios) == pytest.approx(ratios @ band.as_array())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["square_wave", "keep", "piecewise", "hybrid", "R3, even"])
def test_from_expected_counts_plain_steps_come_back_to_the_true_shares(name: str) -> None:
    band = BANDS[name]
    shares = np.arange(1.0, band.inputs + 1)
    shares /= shares.sum()
    found = mixed_fit(
        band, scale_groups(band, forward(band, shares) * 1e6), smooth=False, gain=1e-16, most_steps=200_000
    )
    assert found.shares == pytest.approx(shares, abs=2e-3)


def test_a_plain_step_never_lowers_the_likelihood() -> None:
    band = BANDS["square_wave"]
    counts = np.random.default_rng(2).multinomial(500, forward(band, np.full(10, 0.1)))
    before = -np.inf
    for steps in range(1, 40):
        shares = mixed_fit(band, scale_groups(band, counts), smooth=False, gain=0, most_steps=steps).shares
        now = float(counts @ np.log(forward(band, shares)))
        assert now >= before - 1e-9
        before = now


def test_steps_end_for_the_stated_reason() -> None:
    band = BANDS["square_wave"]
    counts = np.ones(band.outputs)
    found = mixed_fit(band, scale_groups(band, counts), gain=1e-3, smooth=True)
    assert (found.reason, found.gain < 1e-3) == ("gain", True)
    cut = mixed_fit(band, scale_groups(band, counts), gain=0, most_steps=7, smooth=True)
    assert (cut.reason, cut.steps) == ("steps", 7)


def _ages() -> tuple[WindowChannel, np.ndarray, np.ndarray]:
    """Two humps of ages in 20 bins, noise of up to 50 years added, ten thousand people."""
    band = additive_uniform(NumberRange(low=0, high=99, bin=5), 10)
    x = np.arange(20)
    shares = np.exp(-((x - 5) ** 2) / 8) + 0.7 * np.exp(-((x - 14) ** 2) / 5)
    shares /= shares.sum()
    counts = np.random.default_rng(3).multinomial(10_000, forward(band, shares))
    return band, shares, counts


def _off(shares: np.ndarray, truth: np.ndarray) -> float:
    return float(np.abs(shares - truth).sum() / 2)


def test_plain_steps_come_near_the_truth_and_then_fit_the_noise() -> None:
    band, truth, counts = _ages()
    off = {
        steps: _off(
            mixed_fit(band, scale_groups(band, counts), smooth=False, gain=0, most_steps=steps).shares, truth
        )
        for steps in (10, 100, 4_000)
    }
    assert off[100] < off[10]
    assert off[4_000] > 1.2 * off[100]


def test_smoothed_steps_do_not() -> None:
    band, truth, counts = _ages()
    off = [
        _off(mixed_fit(band, scale_groups(band, counts), gain=0, most_steps=steps, smooth=True).shares, truth)
        for steps in (300, 3_000)
    ]
    assert off[1] == pytest.approx(off[0], rel=0.02)


def test_rows_that_the_shares_rule_out_are_explained_by_nobody() -> None:
    counts, shares = np.array([30.0, 10.0]), np.array([1.0, 0.0])
    identity = np.eye(2)
    found = explained(counts, shares, identity @ shares, lambda ratio: identity.T @ ratio)
    assert found.tolist() == [30, 0]


def test_smoothing_keeps_the_sum_and_blurs_each_axis() -> None:
    table = np.random.default_rng(4).random((5, 6))
    both = smoothed(table, (-2, -1))
    assert both.sum() == pytest.approx(table.sum())
    assert both == pytest.approx(smoothed(smoothed(table, (1,)), (0,)))
    assert smoothed(np.ones((1, 3)), (0, 1)).tolist() == [[1, 1, 1]]


def test_many_sets_of_counts_at_once_are_fitted_one_by_one() -> None:
    band = BANDS["square_wave"]
    counts = np.random.default_rng(5).multinomial(1000, np.full(band.outputs, 1 / band.outputs), size=3)
    together = mixed_fit(band, scale_groups(band, counts), gain=0, most_steps=50, smooth=True).shares
    alone = [
        mixed_fit(band, scale_groups(band, row), gain=0, most_steps=50, smooth=True).shares for row in counts
    ]
    assert together == pytest.approx(np.array(alone))


def test_means_are_unbiased_and_their_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(8)
    shares = rng.dirichlet(np.ones(10))
    truth = float(shares @ np.arange(10.0))
    for name in ("hybrid", "square_wave", "R3, even"):
        band = BANDS[name]
        own = np.append(shares, np.zeros(band.inputs - 10))
        held = 0
        for counts in rng.multinomial(3000, forward(band, own), size=1000):
            found = mean(band, scale_groups(band, counts))
            held += found.low <= truth <= found.high
        # A thousand fair intervals of 95%, checked with a false alarm of one in a million.
        low, high = binomial_range(1000, 0.95)
        assert low <= held <= high, name


def test_direct_rows_count_as_they_are_in_a_mean() -> None:
    band = duchi(TEN, 1.0)
    direct = np.zeros(10)
    direct[9] = 50
    alone = mean(band, scale_groups(band, [0, 50]))
    both = mean(band, scale_groups(band, [0, 50], direct=direct))
    assert both.value == pytest.approx((alone.value + 9) / 2)
    assert both.n == 100


def test_a_score_has_the_wanted_mean_and_the_least_variance() -> None:
    channel = BANDS["square_wave"].as_array()
    wanted = (np.arange(10) >= 6).astype(float)
    found = score(channel, wanted)
    assert found @ channel == pytest.approx(wanted, abs=1e-9)
    chances = channel.mean(axis=1)
    rng = np.random.default_rng(10)
    for _ in range(20):
        other = rng.normal(size=len(found))
        # Any other score of the same mean: add what the channel cannot see.
        other -= channel @ np.linalg.lstsq(channel, other, rcond=None)[0]
        assert chances @ (found + 0.1 * other) ** 2 >= chances @ found**2 - 1e-9


def test_no_score_is_made_up_where_the_channel_does_not_tell() -> None:
    with refused("no_score"):
        score(duchi(TEN, 1.0).as_array(), np.eye(10)[3])
    with refused("too_large"):
        score(np.full((2001, 2000), 1 / 2001), np.zeros(2000))


@pytest.mark.parametrize("wrong", [[1, 2], [-1] * 10, [float("nan")] * 10, 5])
def test_counts_that_are_none_are_refused(wrong: object) -> None:
    with refused("counts"):
        mixed_fit(
            generalised_rr_below(TEN, 1.0), scale_groups(generalised_rr_below(TEN, 1.0), wrong), smooth=True
        )  # type: ignore[arg-type]  # that is the point


def test_nobodys_answers_are_refused() -> None:
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


def test_an_output_that_nobody_sent_does_no_harm() -> None:
    found = fit(
        np.array([[3.0, 0.0]]),
        np.array([[1.0, 1.0]]),
        lambda shares, _sets: shares,
        lambda ratios, _sets: ratios,
        smooth=False,
    )
    assert found.shares.tolist() == [[1, 0]]
