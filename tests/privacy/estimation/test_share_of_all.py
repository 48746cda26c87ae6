"""The share of an event among everyone is the mean of its scores, with the interval of its own test."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from privacy.errors import PrivacyError
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.share_of_all import measured_mean, share_of_all


def rows_of(yes: int, n: int, *, p: float = 0.5, q: float = 0.5) -> JoinedRows:
    """Return rows of one yes/no question, sent truthfully with probability p and else yes with q."""
    score = (np.array([0.0, 1.0]) - (1 - p) * q) / p
    return JoinedRows(
        counts=np.array([n - yes, yes]), scores=np.stack([score, score, np.ones(2)]), n_direct=0,
        n_protected=n, smallest_cell=min(yes, n - yes),
    )  # fmt: skip


@pytest.mark.parametrize(("yes", "n"), [(40, 100), (150, 400), (1, 60)])
def test_the_interval_contains_the_shares_whose_likelihood_ratio_is_not_rejected(yes: int, n: int) -> None:
    found = share_of_all(rows_of(yes, n)).share
    for end in (found.low, found.high):
        expected = 0.5 * end + 0.25
        ratio = 2 * (yes * np.log(yes / n / expected) + (n - yes) * np.log((1 - yes / n) / (1 - expected)))
        assert ratio == pytest.approx(chi2.ppf(0.95, 1), rel=1e-4)
    assert found.value == pytest.approx((yes / n - 0.25) / 0.5)


def test_rows_of_both_groups_count_also_those_that_are_not_used() -> None:
    """Of 30 + 90 rows, 100 have all answers."""
    found = share_of_all(replace(rows_of(40, 100), n_direct=30, n_protected=90))
    assert (found.n, found.n_used, found.n_direct, found.n_protected) == (120, 100, 30, 90)
    assert found.share.n == 120
    assert found.share.value == pytest.approx((0.4 - 0.25) / 0.5)


def test_a_mean_of_another_score_keeps_its_own_range() -> None:
    rows = rows_of(40, 100)
    turned = measured_mean(rows, -rows.scores[0], possible=(-1.0, 1.0))
    found = share_of_all(rows).share
    assert (turned.value, turned.low, turned.high) == pytest.approx((-found.value, -found.high, -found.low))
    few = rows_of(5, 20)
    assert measured_mean(few, few.scores[0], possible=(-1.0, 1.0)).low == -1.0
    assert (share_of_all(few).share.low, share_of_all(few).share.high) == (0.0, 1.0)


def test_no_rows_are_refused() -> None:
    with pytest.raises(PrivacyError) as caught:
        share_of_all(rows_of(0, 0))
    assert caught.value.case == "no_rows.asked"


def test_fewer_than_five_rows_of_a_kind_are_few() -> None:
    assert [share_of_all(rows_of(yes, 100)).few_rows for yes in (4, 5, 95, 96)] == [True, False, False, True]


@pytest.mark.parametrize("n", [29, 30])
def test_thirty_rows_are_enough_for_an_interval(n: int) -> None:
    found = measured_mean(rows := rows_of(14, n), rows.scores[0], possible=(-9.0, 9.0))
    assert found.estimable == (n >= 30)
    assert ((found.low, found.high) == (-9, 9)) == (n < 30)
