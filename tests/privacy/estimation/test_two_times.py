"""The net change of the same people has the error of the pair's cells, and holds a planted change."""

import math

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.two_times import two_times

KNOWN = np.array([[1.0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]])
"""Scores of both, then and now over (both, then, now, neither), if nothing is disguised."""


def rows_of(counts: np.ndarray, scores: np.ndarray) -> JoinedRows:
    n = int(counts.sum())
    return JoinedRows(
        counts=counts, scores=scores, n_direct=0, n_protected=n, smallest_cell=int(counts.min())
    )


def under_one_coin(p: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the channel of four truths, sent as they are or evenly at random, and the scores of its rows."""
    channel = p * np.eye(4) + (1 - p) / 4
    inverse = np.linalg.inv(channel)
    return channel, KNOWN @ inverse


def test_without_a_disguise_the_error_is_that_of_mcnemar() -> None:
    found = two_times(rows_of(np.array([300, 100, 200, 400]), KNOWN))
    assert (found.earlier.value, found.later.value) == (0.4, 0.5)
    assert (found.started.value, found.stopped.value, found.net.value) == pytest.approx((0.2, 0.1, 0.1))
    assert found.net.standard_error == pytest.approx(math.sqrt((0.3 - 0.1**2) / 1000))
    assert found.net.low == pytest.approx(0.1 - 1.96 * found.net.standard_error, abs=2e-4)
    assert found.started.possible == (0.0, 1.0)
    assert found.net.possible == (-1.0, 1.0)
    assert not found.few_rows


@pytest.mark.parametrize("p", [0.3, 0.6, 0.95])
def test_scores_of_one_coin_are_unbiased_and_worth_more_than_two_shares(p: float) -> None:
    """By exact expectation over the law of rows, for people who started, stopped or stayed."""
    channel, scores = under_one_coin(p)
    law = np.array([0.05, 0.04, 0.12, 0.79])
    sent = channel @ law
    found = two_times(rows_of(sent * 1_000_000, scores))
    assert (found.started.value, found.stopped.value, found.net.value) == pytest.approx((0.12, 0.04, 0.08))
    h = scores[2] - scores[1]
    assert sent @ h == pytest.approx(0.08)
    # Reports that agree have h = 0, others 1/p: E[h^2] = (p changed + (1 - p)/2) / p^2.
    squares = (p * 0.16 + (1 - p) / 2) / p**2
    assert sent @ h**2 == pytest.approx(squares)
    assert found.net.standard_error == pytest.approx(math.sqrt((squares - 0.08**2) / 1_000_000))
    then, now = (figure.standard_error for figure in (found.earlier, found.later))
    assert then is not None
    assert now is not None
    assert found.net.standard_error < math.hypot(then, now)


def test_the_width_of_the_docs_is_that_of_a_thousand_people() -> None:
    """80% sure from one answer, 88% from both: p = .6. Two waves share the odds 4 of one answer: p = 1/3."""
    p, changed, net = 0.6, 0.16, 0.08
    assert (1 + 2 * p / (1 - p), 1 + 4 * p / (1 - p)) == pytest.approx((4, 7))
    half = 1.96 * math.sqrt(((p * changed + (1 - p) / 2) / p**2 - net**2) / 1000)
    assert half == pytest.approx(0.056, abs=5e-4)
    root = 1 / 3
    assert 1 + 2 * root / (1 - root) == pytest.approx(2)
    yes = [root * share + (1 - root) / 2 for share in (0.04, 0.12)]
    apart = 1.96 * math.sqrt(sum(each * (1 - each) for each in yes) / root**2 / 1000)
    assert apart == pytest.approx(0.126, abs=1e-3)


@pytest.mark.soak
def test_a_planted_change_is_contained() -> None:
    """With 400 surveys, 89% is 5.5 standard errors below 95%; intervals of half the width hold in 67%."""
    channel, scores = under_one_coin(0.6)
    law = np.array([0.02, 0.01, 0.09, 0.88])
    rng = np.random.default_rng(5)
    found = [two_times(rows_of(counts, scores)).net for counts in rng.multinomial(300, channel @ law, 400)]
    assert np.mean([net.low <= 0.08 <= net.high for net in found]) > 0.89


def test_too_few_people_leave_the_whole_range_and_none_are_refused() -> None:
    found = two_times(rows_of(np.array([5, 5, 5, 5]), KNOWN))
    assert (found.net.low, found.net.high, found.net.estimable) == (-1.0, 1.0, False)
    assert (found.started.low, found.started.high) == (0.0, 1.0)
    with pytest.raises(PrivacyError) as caught:
        two_times(rows_of(np.array([0, 0, 0, 0]), KNOWN))
    assert caught.value.case == "no_rows.asked"


def test_few_rows_and_forged_rows_are_said() -> None:
    rows = rows_of(np.array([60, 3, 40, 100]), KNOWN)
    assert two_times(rows).few_rows
    assert two_times(rows, forged=4).net.shift == pytest.approx(
        two_times(rows, forged=8).net.shift / 2, rel=0.1
    )  # type: ignore[operator]


def test_five_rows_of_each_kind_are_not_few() -> None:
    assert [two_times(rows_of(np.array([5, 9, smallest, 9]), KNOWN)).few_rows for smallest in (4, 5)] == [
        True, False
    ]  # fmt: skip
