"""Errors of a density: the exact ones of everything that could be drawn, and those of repeated surveys."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from scipy import stats

from privacy.channels.score import score
from privacy.scales.area import Area
from privacy.scales.decoding import mean
from privacy.scales.em import (
    REACH,
    Pieces,
    Spread,
    blocks_of,
    density_errors,
    explained,
    fit,
    pieces_of,
    smoothed,
)
from privacy.scales.numeric_mechanisms import duchi, generalised_rr_below, shift, shift_or_any
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_mechanisms import grid_response
from privacy.scales.planar_window import Operator, PlanarWindowChannel
from privacy.scales.region_share import bars, quantiles
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.scales.window import NumberRange, WindowChannel, backward, forward
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused
from tests.privacy.scales.test_planar_mechanisms import square_map
from tests.statistics import FALSE_ALARM, binomial_range
from tests.vectors.scale_designs import additive_uniform

TWO = PlanarWindowChannel(
    mechanism="grid",
    area=Area(west=0, south=0, east=2000, north=1000, columns=2, rows=1),
    levels=(
        PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),)),
    ),
)
"""A cell is sent as it is with chance 3/4: the likeliest share of the first is 2 (k/n - 1/4) or an end."""


def test_the_error_is_the_spread_over_everything_that_could_be_drawn() -> None:
    n, seen, repeats = 8, 5, 4_000
    chance = Fraction(seen, n)
    moments = [Fraction(0)] * 5
    for k in range(n + 1):
        share = min(max(2 * (Fraction(k, n) - Fraction(1, 4)), Fraction(0)), Fraction(1))
        weight = comb(n, k) * chance**k * (1 - chance) ** (n - k)
        moments = [moment + weight * share**power for power, moment in enumerate(moments)]
    mean = moments[1]
    variance = moments[2] - mean**2
    fourth = moments[4] - 4 * mean * moments[3] + 6 * mean**2 * moments[2] - 3 * mean**4

    @cache
    def fitted(k: int) -> tuple[float, float]:
        return tuple(mixed_fit(TWO, scale_groups(TWO, [k, n - k]), gain=1e-9, smooth=False).shares.ravel())

    found = density_errors(
        lambda counts, direct: np.array([[fitted(int(k))] for k in counts[:, 0]]),
        [seen, n - seen],
        [0, 0],
        about=np.array([fitted(seen)]),
        rng=np.random.default_rng(11),
        replicates=repeats,
    )
    # Five of the standard deviations that the square of such an error has.
    off = 5 * float(fourth - variance**2) ** 0.5 / repeats**0.5
    assert found.by_side[0] ** 2 == pytest.approx(np.full((1, 2), float(variance)), abs=off)
    assert found.by_side[1].item() == pytest.approx(0, abs=1e-9)


def test_where_each_cell_is_kept_or_any_drawn_the_errors_are_those_of_its_unbiased_share() -> None:
    windows = grid_response(square_map(3), 4.0, tile=(1, 1))
    beta = float(windows.levels[0].truth)
    shares = np.arange(4, 13).reshape(3, 3) / np.arange(4, 13).sum()
    counts = np.random.default_rng(12).multinomial(50_000, Operator(windows).forward(shares).ravel())
    found = density_errors(
        lambda drawn, direct: (
            mixed_fit(windows, scale_groups(windows, drawn), gain=1e-10, smooth=False).shares
        ),
        counts,
        np.zeros(9),
        about=mixed_fit(windows, scale_groups(windows, counts), smooth=False).shares,
        rng=np.random.default_rng(13),
        replicates=150,
    )
    observed = counts / 50_000
    exact = observed * (1 - observed) / 50_000 / beta**2
    low, high = stats.chi2.interval(1 - FALSE_ALARM / 9, 149)
    ratios = 149 * found.by_side[0].ravel() ** 2 / exact
    assert (low < ratios.min()) & (ratios.max() < high)


@pytest.mark.parametrize(
    ("counts", "replicates", "code"), [((0, 0), 10, "no_rows"), ((3, 4), 3, "replicates")]
)
def test_too_little_to_draw_again_is_refused(counts: tuple[int, int], replicates: int, code: str) -> None:
    with refused(code):
        density_errors(
            lambda drawn, direct: mixed_fit(TWO, scale_groups(TWO, drawn), smooth=False).shares,
            counts,
            [0, 0],
            about=np.array([[0.5, 0.5]]),
            rng=np.random.default_rng(1),
            replicates=replicates,
        )


def _spread(shares: np.ndarray, cell: float) -> Spread:
    """Errors as if cells erred by themselves, each by as much."""
    ones = blocks_of(np.full(shares.shape, cell**2))
    return Spread(by_side=tuple(np.sqrt(table) for table in ones), replicates=50)


def _painted(found: Pieces, shape: tuple[int, int]) -> np.ndarray:
    times = np.zeros(shape, dtype=int)
    for column, row, side in zip(found.column, found.row, found.side, strict=True):
        times[row : row + side, column : column + side] += 1
    return times


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (16, 16), (9, 33)])
@pytest.mark.parametrize("smallest", [1, 4])
def test_every_cell_lies_in_one_piece_and_the_shares_add_up(shape: tuple[int, int], smallest: int) -> None:
    shares = np.random.default_rng(3).random(shape) ** 4
    shares /= shares.sum()
    found = pieces_of(shares, _spread(shares, 0.3 / shares.size), 100_000, least=10, smallest=smallest)
    assert (_painted(found, shape) == 1).all()
    assert found.share.sum() == pytest.approx(1)
    assert found.cells(shape).sum() == shares.size
    assert len(found) == 1 or found.side.min() >= min(smallest, max(shape))
    for column, row, side, share in zip(found.column, found.row, found.side, found.share, strict=True):
        assert share == pytest.approx(shares[row : row + side, column : column + side].sum())


def test_a_piece_is_told_from_nothing_or_it_is_hidden_or_the_whole_map() -> None:
    shares = np.random.default_rng(4).random((32, 32)) ** 3
    shares /= shares.sum()
    found = pieces_of(shares, _spread(shares, 0.8 / shares.size), 20_000, least=10)
    assert ((found.share > REACH * found.standard_error) | found.hidden).all()
    assert len(set(found.side)) > 2
    # Two by two cells are one piece only where a cell of theirs could be neither distinguished nor hidden.
    told = (shares > REACH * 0.8 / shares.size) | (shares * 20_000 < 10)
    pairs = [
        told[row : row + 2, column : column + 2].all()
        for column, row, side in zip(found.column, found.row, found.side, strict=True)
        if side == 2
    ]
    assert pairs
    assert not any(pairs)


def test_without_errors_every_cell_stands_by_itself_and_with_hopeless_ones_only_the_map() -> None:
    shares = np.full((4, 4), 1 / 16)
    assert set(pieces_of(shares, _spread(shares, 0.0), 1_000, least=10).side) == {1}
    found = pieces_of(shares, _spread(shares, 1.0), 1_000, least=10)
    assert (found.side.tolist(), found.share.tolist()) == ([4], [1.0])


def test_few_people_are_hidden_by_themselves_and_wait_for_no_company() -> None:
    shares = np.array([[0.5, 0.004], [0.48, 0.016]])
    found = pieces_of(shares, _spread(shares, 0.005), 1_000, least=10)
    assert found.hidden.tolist() == [False, True, False, False]
    assert found.side.tolist() == [1, 1, 1, 1]


def test_of_four_repetitions_the_error_is_their_standard_deviation_with_three_degrees_of_freedom() -> None:
    drawn: list[np.ndarray] = []

    def shares(counts: np.ndarray, _direct: np.ndarray) -> np.ndarray:
        drawn.append(counts / counts.sum(axis=1, keepdims=True))
        return drawn[-1].reshape(-1, 1, 2)

    found = density_errors(
        shares, [30, 70], [0, 0], about=np.array([[0.3, 0.7]]), rng=np.random.default_rng(3), replicates=4
    )
    wanted = np.concatenate(drawn).std(axis=0, ddof=1)
    assert wanted.min() > 0
    assert found.by_side[0].ravel() == pytest.approx(wanted)


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
