import numpy as np
import pytest
from scipy.optimize import isotonic_regression
from scipy.stats import norm

from benchmarks.coverage.numbers import quantiles_of
from privacy.scales import score_moments as running_module
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import (
    as_answered,
    duchi,
    generalised_rr,
    generalised_rr_below,
    hybrid,
    shift,
    shift_or_any,
    square_wave,
)
from privacy.scales.quantities import (
    Quantile,
    _even_counts,
    _join_pieces,
    _running_without,
    bars,
    planned_step,
    quantiles,
)
from privacy.scales.running_scores import bin_scores, running_scores
from privacy.scales.scale_groups import scale_groups
from privacy.scales.scale_skips import answer_scores
from privacy.scales.skips import Skipping, least_refusal
from privacy.scales.window import WindowChannel, forward
from tests.fixtures.number_mechanisms import ALL_BY_EPSILON
from tests.fixtures.refusals import refused
from tests.vectors.scale_designs import additive_uniform

Z = float(norm.isf(0.025))
AT = (0.1, 0.25, 0.5, 0.75, 0.9)
THREE, TEN, THIRTEEN = (NumberRange(low=0, high=high) for high in (2, 9, 12))
TELLING = {
    **{
        f"{name} {epsilon:g}, {bins.bins} bins": make(bins, epsilon)
        for name, make in ALL_BY_EPSILON.items()
        if name != "duchi"
        for bins in (THREE, TEN, THIRTEEN)
        for epsilon in (1.0, 4.0)
    },
    "R1": generalised_rr(TEN, 3000),
    "R2": shift(TEN, 3),
    "R3": shift_or_any(TEN, 3),
    "additive": additive_uniform(TEN, 4),
}


@pytest.mark.parametrize(
    "band", [duchi(TEN, 2.0), hybrid(TEN, 0.5), shift(TEN, 2)], ids=lambda b: b.mechanism
)
def test_indistinguishable_bins_yield_no_shares_or_quantiles(band: WindowChannel) -> None:
    counts = np.full(band.outputs, 100)
    for ask in (
        lambda: bars(band, scale_groups(band, counts)),
        lambda: quantiles(band, scale_groups(band, counts)),
    ):
        with refused("no_score"):
            ask()


@pytest.mark.parametrize("name", TELLING)
def test_expected_counts_give_the_true_bars_and_quantiles(name: str) -> None:
    band = TELLING[name]
    shares = np.arange(1.0, band.inputs + 1)
    shares /= shares.sum()
    counts = forward(band, shares) * 1e5
    found = bars(band, scale_groups(band, counts))
    assert found.value == pytest.approx(shares, abs=1e-9)
    together = bars(band, scale_groups(band, counts), [0, 2, band.inputs])
    assert together.value == pytest.approx([shares[:2].sum(), shares[2:].sum()], abs=1e-9)
    truth = quantiles_of(band, shares, AT)
    assert [one.value for one in quantiles(band, scale_groups(band, counts), AT)] == pytest.approx(
        truth, abs=1e-6
    )


def test_bars_of_keep_are_wilson_intervals() -> None:
    band = generalised_rr_below(TEN, 2.0)
    counts = np.random.default_rng(1).multinomial(500, forward(band, np.append(np.full(5, 0.2), np.zeros(5))))
    found = bars(band, scale_groups(band, counts))
    floor, peak, n = band.floor / band.total, band.peak / band.total, 500
    seen = counts / n
    middle = (seen + Z**2 / (2 * n)) / (1 + Z**2 / n)
    reach = Z / (1 + Z**2 / n) * np.sqrt(seen * (1 - seen) / n + Z**2 / (4 * n**2))
    assert found.low == pytest.approx((middle - reach - floor) / peak)
    assert found.high == pytest.approx((middle + reach - floor) / peak)
    assert found.standard_error == pytest.approx(np.sqrt(seen * (1 - seen) / n) / peak)


@pytest.mark.parametrize("name", ["square_wave", "keep", "piecewise", "hybrid", "shift_or_any"])
@pytest.mark.parametrize("skips", [False, True])
@pytest.mark.parametrize("direct", [False, True])
def test_quantile_intervals_contain_the_edges_the_test_accepts(name: str, skips: bool, direct: bool) -> None:
    """Compares with a separate implementation of the test, row by row from the channel."""
    band = ALL_BY_EPSILON[name](THIRTEEN, 2.0)
    skipping = Skipping(disguise=band, refusal=least_refusal(band)) if skips else None
    rng = np.random.default_rng(2)
    shares = rng.dirichlet(np.full(13, 0.7))
    channel = band.as_array() if skipping is None else skipping.channel.as_array()
    people = np.append(shares * 0.8, 0.2) if skips else shares
    counts = rng.multinomial(700, channel @ people)
    told = rng.multinomial(300, people) if direct else np.zeros(len(people), dtype=int)
    found = quantiles(
        band, scale_groups(band, counts, direct=told if direct else None, skipping=skipping), AT
    )
    n = counts.sum() + told.sum()
    for one in found:
        accepted = []
        for edge in range(1, 13):
            wanted = np.append(np.arange(13) < edge, [0.0] * skips) - one.share * np.append(
                np.ones(13), [0.0] * skips
            )
            below, answered = running_scores(band, np.array([edge, 13]))
            values = below - one.share * answered
            if skipping is not None:
                values = answer_scores(skipping, values)
            assert values @ channel == pytest.approx(wanted, abs=1e-9)
            rows = np.append(np.repeat(values, counts), np.repeat(wanted, told))
            second = (values**2) @ channel[:, :13] * counts.sum() + wanted[:13] ** 2 * told.sum()
            slope = (second[:edge].mean() - second[edge:].mean()) / n
            variance = (rows**2).mean() - rows.mean() * slope
            accepted.append(n * rows.mean() ** 2 <= Z**2 * variance)
        held = [edge - 0.5 for edge, is_held in zip(range(1, 13), accepted, strict=True) if is_held]
        assert one.low <= one.value <= one.high
        edges = [edge - 0.5 for edge in range(1, 13)]
        assert [edge for edge in edges if any(low <= edge <= high for low, high in one.parts)] == held


def test_quantile_intervals_have_gaps_if_running_sums_decrease() -> None:
    band = generalised_rr_below(NumberRange(low=0, high=3), 1.0)
    # Impossible shares of .7, -.5, .5, .3 have running sums of .7, .2, .7, 1.
    counts = np.round(forward(band, np.array([0.7, -0.5, 0.5, 0.3])) * 4_000_000)
    (half,) = quantiles(band, scale_groups(band, counts), [0.5])
    assert len(half.parts) == 3
    assert half.estimable
    # The monotone sums are .45, .45, .7, 1, so one half is in the third bin, .3 / .5 into it.
    assert half.value == pytest.approx(2 + 0.3 / 0.5 - 0.5, abs=0.001)
    (lower,) = quantiles(band, scale_groups(band, counts), [0.1])
    assert len(lower.parts) == 1


def test_uninformative_answers_give_a_full_range_interval() -> None:
    band = generalised_rr_below(TEN, 0.05)
    (half,) = quantiles(band, scale_groups(band, np.full(10, 3)), [0.5])
    assert not half.estimable
    assert (half.low, half.high) == pytest.approx((-0.5, 9.5), abs=0.2)


def test_bars_are_unbounded_when_everyone_may_have_skipped() -> None:
    band = square_wave(TEN, 1.0)
    skipping = Skipping(disguise=band, refusal=least_refusal(band))
    counts = skipping.channel.as_array() @ np.append(np.full(10, 0.001), 0.99) * 200
    found = bars(band, scale_groups(band, counts, skipping=skipping))
    assert np.isinf(found.low).all()
    assert np.isinf(found.high).all()


def test_quantiles_in_portions_match_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    band = hybrid(NumberRange(low=0, high=59), 2.0)
    counts = np.random.default_rng(3).multinomial(3000, forward(band, np.full(60, 1 / 60)))
    at_once = quantiles(band, scale_groups(band, counts), AT)
    monkeypatch.setattr(running_module, "_AT_ONCE", 7 * band.outputs)
    for one, other in zip(quantiles(band, scale_groups(band, counts), AT), at_once, strict=True):
        assert (one.low, one.value, one.high) == pytest.approx((other.low, other.value, other.high))
        assert np.ravel(one.parts) == pytest.approx(np.ravel(other.parts))


@pytest.mark.parametrize("seed", range(20))
def test_estimated_quantiles_lie_where_the_isotonic_sum_crosses(seed: int) -> None:
    rng = np.random.default_rng(seed)
    band = ALL_BY_EPSILON["hybrid"](NumberRange(low=0, high=19), 1.0)
    counts = rng.multinomial(300, forward(band, np.full(20, 0.05)))
    scores = running_scores(band, np.arange(21))
    sums = counts @ scores.T / 300
    monotone = isotonic_regression(sums[1:-1]).x
    for quantile in quantiles(band, scale_groups(band, counts), (0.1, 0.25, 0.5, 0.75, 0.9)):
        first = int((monotone < quantile.share).sum())
        assert first - 0.5 <= quantile.value <= first + 0.5
        assert any(low <= quantile.value <= high for low, high in quantile.parts)


def test_bars_need_at_least_one_answer() -> None:
    four = as_answered(NumberRange(low=0, high=3))
    assert bars(four, scale_groups(four, [0, 1, 0, 0])).value.tolist() == [0, 1, 0, 0]
    with refused("no_rows"):
        bars(four, scale_groups(four, [0, 0, 0, 0]))


def test_planned_bars_are_the_finest_whose_intervals_stay_below_half_a_bar() -> None:
    """Undisguised, the share 1/B of n people has the standard error sqrt((1 - 1/B) / (B n))."""
    keep = generalised_rr(TEN, 9999)
    for n in (20, 40, 100, 200, 400):
        groups = scale_groups(keep, [n / 10] * 10)
        fits = {step: 1.96 * np.sqrt((step / 10) * (1 - step / 10) / n) <= step / 20 for step in (1, 2, 5)}
        # Bars of 3 and 4 bins leave a narrower last one; the widest bar has the largest error.
        found = planned_step(keep, groups)
        assert found is not None
        assert fits.get(found, True)
        assert not any(on for step, on in fits.items() if step < found)
    assert planned_step(keep, scale_groups(keep, [1.0] * 10)) is None
    assert planned_step(keep, scale_groups(keep, [100.0] * 10), smallest=2) == 2


def test_forged_rows_move_a_quantile_by_what_leaving_them_out_moves_it() -> None:
    """Of 100 answers, 25 are in each of four bins; without 5 of the last, the median is at 47.5 of 95."""
    four = as_answered(NumberRange(low=0, high=3))
    (median,) = quantiles(four, scale_groups(four, np.full(4, 25), direct=None), [0.5], forged=5)
    moved = (47.5 - 25) / 25 + 1
    assert median.value == pytest.approx(1.5)
    assert median.shift == pytest.approx(2 - moved)
    (median,) = quantiles(four, scale_groups(four, np.full(4, 25), direct=None), [0.5], forged=100)
    assert median.shift == np.inf


def test_forged_rows_move_a_bar_by_the_most_that_leaving_out_equal_rows_does() -> None:
    band = square_wave(NumberRange(low=0, high=39, bin=10), 2.0)
    counts = np.array([40, 60, 90, 50, 30, 20][: band.outputs] + [25] * max(0, band.outputs - 6))
    found = bars(band, scale_groups(band, counts), forged=3)
    moved = [
        np.abs(bars(band, scale_groups(band, counts - 3 * one)).value - found.value)
        for one in np.eye(band.outputs, dtype=np.int64)
    ]
    assert found.shift == pytest.approx(np.max(moved, axis=0))
    assert bars(band, scale_groups(band, counts)).shift.tolist() == [0.0] * len(found.value)


def test_forged_rows_move_a_median_among_answers_by_the_most_that_leaving_them_out_does() -> None:
    band = square_wave(TEN, 2.0)
    skipping = Skipping(disguise=band, refusal=least_refusal(band))
    counts = np.rint(skipping.channel.as_array() @ np.append(np.linspace(8, 80, 10), 60)).astype(int)

    def median(sent: np.ndarray, forged: int = 0) -> Quantile:
        (found,) = quantiles(band, scale_groups(band, sent, skipping=skipping), [0.5], forged=forged)
        return found

    found = median(counts, forged=4)
    without = [median(counts - 4 * one).value for one in np.eye(len(counts), dtype=np.int64)]
    assert found.shift == pytest.approx(np.abs(np.array(without) - found.value).max(), rel=1e-6)
    assert median(counts).shift == 0


def test_errors_of_bars_among_answers_are_those_of_small_changes() -> None:
    """A share is a ratio of sums: its variance sums its squared changes with one more of each row."""
    band = square_wave(TEN, 2.0)
    skipping = Skipping(disguise=band, refusal=least_refusal(band))
    counts = skipping.channel.as_array() @ np.append(np.linspace(8, 80, 10), 60)

    def shares(sent: np.ndarray) -> np.ndarray:
        return bars(band, scale_groups(band, sent, skipping=skipping)).value

    steps = 1e-3 * np.eye(len(counts))
    changes = np.array([(shares(counts + step) - shares(counts - step)) / 2e-3 for step in steps])
    found = bars(band, scale_groups(band, counts, skipping=skipping))
    assert found.standard_error == pytest.approx(np.sqrt(counts @ changes**2), rel=1e-4)


def test_running_sums_without_forged_rows_need_one_other_answer() -> None:
    band = generalised_rr(NumberRange(low=0, high=3), 7500)
    groups = scale_groups(band, [2, 1, 1, 1])
    edges = np.array([1, 2])
    whole = _running_without(groups, edges, 0)
    assert np.isfinite(_running_without(groups, edges, 4)).all()
    assert np.isnan(_running_without(groups, edges, 5)).all()
    # Without four rows of the first kind, the sums of five are divided among one.
    scores = 5 * whole[0] - 4 * bin_scores(groups, edges)[:, 0]
    assert _running_without(groups, edges, 4)[0] == pytest.approx(scores)


@pytest.mark.parametrize(
    "channel", [generalised_rr(TEN, 7000), square_wave(TEN, 2.0)], ids=lambda each: each.mechanism
)
@pytest.mark.parametrize("skips", [False, True])
def test_planned_counts_are_those_of_as_many_people(channel: WindowChannel, skips: bool) -> None:
    skipping = Skipping(disguise=channel, refusal=least_refusal(channel)) if skips else None
    (group,) = scale_groups(channel, [30] * (channel.outputs + skips), skipping=skipping)
    by_answer = channel.as_array() if skipping is None else skipping.channel.as_array()[:, :-1]
    assert _even_counts(group) == pytest.approx(by_answer.mean(axis=1) * group.counts.sum())
    (_, direct) = scale_groups(channel, [30] * channel.outputs, direct=[7, *[1] * 9])
    assert _even_counts(direct) == pytest.approx(np.full(10, 1.6))


def test_planned_skips_are_those_of_people_who_answer() -> None:
    """Three bins are kept with weight 4 plus 1 for each, so one of eight answers is sent as a skip."""
    keep = WindowChannel(mechanism="keep", range=THREE, window=1, floor=1, peak=4)
    skipping = Skipping(disguise=keep, refusal=2500)
    (group,) = scale_groups(keep, [20, 20, 20, 20], skipping=skipping)
    # 70 of 80 answers remain, for three bins.
    assert _even_counts(group) == pytest.approx([70 / 3, 70 / 3, 70 / 3, 10])


def test_pieces_that_touch_are_one_part() -> None:
    assert _join_pieces(np.array([[0.0, 1.0], [1.0, 2.0], [2.5, 3.0]]), 1.5, 0.0) == [(0, 2), (2.5, 3)]
