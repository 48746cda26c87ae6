"""The interval of a change holds whoever repeated, unless answers are negatively related."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.change import change_between, opposed_change
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.share_of_all import share_of_all
from privacy.printed import CHECKED, UNCHECKED, Measured
from tests.privacy.estimation.test_denial import disguised_rows


def figure(value: float, low: float, high: float, *, n: int = 200, error: float | None = 0.05) -> Measured:
    return Measured(
        value=value,
        low=low,
        high=high,
        standard_error=error,
        estimable=True,
        n=n,
        effective_n=float(n),
        level=0.95,
        possible=(0.0, 1.0),
        method="scores",
        shift=0.01,
        origin=UNCHECKED,
    )


def test_each_end_takes_the_arms_that_could_move_it() -> None:
    """Low: -.1 - sqrt(.03^2 + .11^2); high: -.1 + sqrt(.12^2 + .08^2); errors .03 and .04 give .05."""
    before, after = figure(0.5, 0.42, 0.61, error=0.03), figure(0.4, 0.37, 0.52, error=0.04)
    found = change_between(before, after)
    assert (found.value, found.low, found.high) == pytest.approx((-0.1, -0.214018, 0.044222), abs=1e-6)
    assert found.standard_error == pytest.approx(0.05)
    # The same number of forged rows may be in both.
    assert change_between(before, replace(after, shift=0.02)).shift == pytest.approx(0.03)
    assert change_between(before, replace(after, shift=None)).shift is None
    # Low: -.1 - .03 - .11; high: -.1 + .12 + .08.
    opposed = opposed_change(before, after)
    assert (opposed.low, opposed.high) == pytest.approx((-0.24, 0.1))
    assert opposed.standard_error == pytest.approx(0.07)


def test_both_orders_are_mirror_images() -> None:
    before, after = figure(0.1, 0.02, 0.25), figure(0.3, 0.2, 0.34, n=120)
    for change in (change_between, opposed_change):
        one, other = change(before, after), change(after, before)
        assert (one.value, one.low, one.high) == pytest.approx((-other.value, -other.high, -other.low))
        assert one.n == other.n == 120


def test_a_figure_outside_its_own_interval_never_shortens_the_change() -> None:
    found = change_between(figure(-0.02, 0.0, 0.03), figure(0.1, 0.05, 0.2))
    assert found.low <= found.value <= found.high
    assert found.high == pytest.approx(0.12 + 0.1)


def test_a_figure_with_too_few_answers_leaves_the_whole_range() -> None:
    few = replace(figure(0.4, 0.0, 1.0, error=None), estimable=False)
    for change in (change_between, opposed_change):
        found = change(few, figure(0.1, 0.05, 0.2))
        assert (found.low, found.high, found.estimable, found.standard_error) == (-1.0, 1.0, False, None)


@pytest.mark.parametrize(
    ("low", "high", "estimable"), [(-0.6, 1.6, False), (-0.4, 1.6, True), (-0.6, 1.4, True)]
)
def test_a_change_that_can_be_any_is_not_estimable(low: float, high: float, estimable: bool) -> None:
    """A share of exactly one half before, and one within these ends: ends beyond 1 are cut."""
    found = opposed_change(figure(0.5, 0.5, 0.5), figure(0.5, low, high))
    assert (found.low, found.high) == pytest.approx((max(low - 0.5, -1), min(high - 0.5, 1)))
    assert found.estimable == estimable


def test_unlike_figures_are_refused() -> None:
    one = figure(0.4, 0.3, 0.5)
    unlike = {"change.level": replace(one, level=0.9), "change.range": replace(one, possible=(0.0, 40.0))}
    for case, other in unlike.items():
        for change in (change_between, opposed_change):
            with pytest.raises(PrivacyError) as caught:
                change(one, other)
            assert caught.value.case == case


@pytest.mark.parametrize("overlap", [0.0, 0.5, 1.0])
@pytest.mark.soak
def test_the_interval_contains_a_planted_change_with_and_without_the_same_people(overlap: float) -> None:
    """A change of 8 points from a rare answer; false alarms below 1e-6 (.95 - 5.1 errors of 400 surveys).

    Power: intervals of half the width hold in .67 of surveys.
    """
    rng = np.random.default_rng(29)
    n, first, second = 300, 0.04, 0.12
    inside = []
    for _ in range(400):
        before = rng.random(n) < first
        # People who answer twice keep a yes.
        kept = before | (rng.random(n) < (second - first) / (1 - first))
        after = np.where(rng.random(n) < overlap, kept, rng.random(n) < second)
        ends = []
        for answers in (before, after):
            sent = np.where(rng.random(n) < 0.6, answers, rng.random(n) < 0.5)
            beside = rng.random(n) < 0.5
            counts = np.bincount(2 * sent + beside, minlength=4)
            rows = disguised_rows(counts, 0.6)
            scores = np.stack([rows.scores[1], rows.scores[1], np.ones(4)])
            ends.append(share_of_all(replace(rows, scores=scores)).share)
        found = change_between(*ends)
        inside.append(found.low <= second - first <= found.high)
    assert np.mean(inside) > 0.895


@pytest.mark.parametrize("overlap", [0.0, 0.5, 1.0])
def test_a_planted_change_of_eight_points_is_inside_as_often_as_stated(overlap: float) -> None:
    """Enumerates all pairs of counts of 300 people, 5% before and 13% after, p = .6: .9496 without overlap.

    People in both keep a yes. Then both counts have the covariance n * overlap * .6^2 * .05 * .87,
    which only narrows the law of the difference, so the same intervals hold at least as often.
    """
    n, first, second = 300, 0.05, 0.13
    sent = np.array([0.6 * share + 0.2 for share in (first, second)])
    figures = {}
    for yes in range(n + 1):
        if scipy.stats.binom.pmf(yes, n, sent).max() > 1e-7:
            counts, score = np.array([n - yes, yes]), (np.array([0.0, 1.0]) - 0.2) / 0.6
            rows = JoinedRows(
                counts=counts,
                scores=np.stack([score, score, np.ones(2)]),
                n_direct=0,
                n_protected=n,
                smallest_cell=int(counts.min()),
            )
            figures[yes] = share_of_all(rows).share
    covers = {
        (before, after): found.low <= second - first <= found.high
        for before in figures
        for after in figures
        if (found := change_between(figures[before], figures[after]))
    }
    law = _joint_counts(n, sent, overlap * 0.36 * first * (1 - second))
    held = sum(law[pair] for pair, is_inside in covers.items() if is_inside)
    assert sum(law[pair] for pair in covers) > 0.9999
    assert held >= (0.949 if overlap == 0 else 0.95)


def _joint_counts(n: int, sent: Array, covariance: float) -> Array:
    """Return the law of both counts of "yes" of n people whose two reports have a covariance."""
    both = sent[0] * sent[1] + covariance
    one = np.array([[1 - sent.sum() + both, sent[1] - both], [sent[0] - both, both]])
    frequencies = np.fft.rfft2(one, s=(n + 1, n + 1)) ** n
    return np.fft.irfft2(frequencies, s=(n + 1, n + 1))


def test_a_change_of_equal_origins_keeps_their_origin() -> None:
    before, after = figure(0.1, 0.0, 0.2), figure(0.3, 0.2, 0.4)
    checked = replace(before, origin=CHECKED), replace(after, origin=CHECKED)
    assert change_between(*checked).origin == CHECKED
    assert change_between(before, after).origin == UNCHECKED
    assert change_between(checked[0], after).origin == change_between(before, checked[1]).origin == UNCHECKED
