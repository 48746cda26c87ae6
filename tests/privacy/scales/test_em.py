"""Errors of a density agree with exact errors by enumeration, and with repeated surveys."""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest

from privacy.channels import score
from privacy.scales.area import Area
from privacy.scales.decoding import mean
from privacy.scales.em import (
    REACH,
    Pieces,
    Spread,
    blocks_of,
    density_errors,
    expected_values,
    fit,
    pieces_of,
    smooth_shares,
)
from privacy.scales.numeric_mechanisms import duchi, generalised_rr_below, shift, shift_or_any
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.quantities import bars, quantiles
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.scales.window import NumberRange, backward, forward
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused

TWO = PlanarWindowChannel(
    mechanism="grid",
    area=Area(west=0, south=0, east=2000, north=1000, columns=2, rows=1),
    levels=(
        PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),)),
    ),
)
"""A cell is sent truthfully with probability 3/4; the likeliest first share is 2 (k/n - 1/4) or an end."""


def test_the_error_matches_the_spread_over_all_possible_samples() -> None:
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
    # Five standard deviations of the square of such an error.
    off = 5 * float(fourth - variance**2) ** 0.5 / repeats**0.5
    assert found.by_side[0] ** 2 == pytest.approx(np.full((1, 2), float(variance)), abs=off)
    assert found.by_side[1].item() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "replicates", "code"), [((0, 0), 10, "no_rows"), ((3, 4), 3, "replicates")]
)
def test_bootstrapping_from_too_few_rows_is_rejected(
    counts: tuple[int, int], replicates: int, code: str
) -> None:
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
    """Return errors as for independent cells with equal errors."""
    ones = blocks_of(np.full(shares.shape, cell**2))
    return Spread(by_side=tuple(np.sqrt(table) for table in ones), replicates=50)


def _painted(found: Pieces, shape: tuple[int, int]) -> np.ndarray:
    times = np.zeros(shape, dtype=int)
    for column, row, side in zip(found.column, found.row, found.side, strict=True):
        times[row : row + side, column : column + side] += 1
    return times


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (16, 16), (9, 33)])
@pytest.mark.parametrize("smallest", [1, 4])
def test_pieces_cover_each_cell_once_and_shares_sum_to_one(shape: tuple[int, int], smallest: int) -> None:
    shares = np.random.default_rng(3).random(shape) ** 4
    shares /= shares.sum()
    found = pieces_of(shares, _spread(shares, 0.3 / shares.size), 100_000, least=10, smallest=smallest)
    assert (_painted(found, shape) == 1).all()
    assert found.share.sum() == pytest.approx(1)
    assert found.cells(shape).sum() == shares.size
    assert len(found) == 1 or found.side.min() >= min(smallest, max(shape))
    for column, row, side, share in zip(found.column, found.row, found.side, found.share, strict=True):
        assert share == pytest.approx(shares[row : row + side, column : column + side].sum())


def test_map_pieces_are_significant_or_hidden_or_the_whole_map() -> None:
    shares = np.random.default_rng(4).random((32, 32)) ** 3
    shares /= shares.sum()
    found = pieces_of(shares, _spread(shares, 0.8 / shares.size), 20_000, least=10)
    assert ((found.share > REACH * found.standard_error) | found.hidden).all()
    assert len(set(found.side)) > 2
    # Two by two cells are merged only if one of them can be neither distinguished nor hidden.
    told = (shares > REACH * 0.8 / shares.size) | (shares * 20_000 < 10)
    pairs = [
        told[row : row + 2, column : column + 2].all()
        for column, row, side in zip(found.column, found.row, found.side, strict=True)
        if side == 2
    ]
    assert pairs
    assert not any(pairs)


def test_pieces_grow_from_cells_to_the_map_with_the_error() -> None:
    shares = np.full((4, 4), 1 / 16)
    assert set(pieces_of(shares, _spread(shares, 0.0), 1_000, least=10).side) == {1}
    found = pieces_of(shares, _spread(shares, 1.0), 1_000, least=10)
    assert (found.side.tolist(), found.share.tolist()) == ([4], [1.0])


def test_small_cells_are_hidden_without_merging_others() -> None:
    shares = np.array([[0.5, 0.004], [0.48, 0.016]])
    found = pieces_of(shares, _spread(shares, 0.005), 1_000, least=10)
    assert found.hidden.tolist() == [False, True, False, False]
    assert found.side.tolist() == [1, 1, 1, 1]


def test_the_error_is_the_standard_deviation_of_the_replicates() -> None:
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
