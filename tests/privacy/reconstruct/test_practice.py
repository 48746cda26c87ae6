"""Weights, non-response and attention, each against its definition row by row."""

import math

import numpy as np
import pytest

from privacy.errors import ParameterError
from privacy.reconstruct import SupportCounts
from privacy.reconstruct.attention import attention, attention_terms
from privacy.reconstruct.practice import (
    Weighted,
    non_response_bounds,
    post_stratification_terms,
    post_stratified,
)
from tests.privacy.reconstruct.designs import MIXED, TWO_BLOCKS, design, protected, yes_no
from tests.privacy.reconstruct.records import Row, columns, count, sample, scores
from tests.statistics import POWER, binomial_power, binomial_range

OS = (1, 2)
"""Items of the open single choice of `MIXED`: os=o0 and os=o1."""


def test_the_weighted_mean_and_its_linearised_error_are_those_of_the_rows() -> None:
    rows = sample(MIXED, 500, seed=3, direct=0.3)
    strata = {(1,): 0.7, (2,): 0.3}
    counts = count(MIXED, rows, post_stratification_terms((3,), strata, MIXED))
    found = post_stratified(counts, (3,), strata, MIXED)
    z = scores(MIXED, rows, (3,))
    stratum = np.array([0 if 1 in columns(MIXED, row) else 1 for row in rows])
    sizes, n = np.bincount(stratum), len(rows)
    w = np.array([0.7, 0.3])[stratum] * n / sizes[stratum]
    assert found.value == pytest.approx((w * z).sum() / w.sum(), abs=1e-12)
    means = np.array([z[stratum == one].mean() for one in (0, 1)])
    error = math.sqrt((w**2 * (z - means[stratum]) ** 2).sum()) / w.sum()
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert found.effective_n == pytest.approx(w.sum() ** 2 / (w**2).sum())
    assert found.unweighted == pytest.approx(z.mean())
    assert found.design_effect == pytest.approx(error**2 / (z.var() / n))


def test_weights_as_in_the_sample_change_the_estimate_by_nothing() -> None:
    rows = sample(MIXED, 300, seed=3)
    with_o0 = sum(1 in columns(MIXED, row) for row in rows) / len(rows)
    strata = {(1,): with_o0, (2,): 1 - with_o0}
    counts = count(MIXED, rows, post_stratification_terms((3,), strata, MIXED))
    found = post_stratified(counts, (3,), strata, MIXED)
    assert found.value == pytest.approx(found.unweighted)
    assert found.effective_n == pytest.approx(300)


def weighted(rows: list[Row], strata: dict[tuple[int, ...], float]) -> Weighted:
    counts = count(MIXED, rows, post_stratification_terms((3,), strata, MIXED))
    return post_stratified(counts, (3,), strata, MIXED)


@pytest.mark.parametrize(
    ("strata", "code", "said"),
    [
        ({(1,): 0.7, (2,): 0.2}, "shares", "add up to 0.9"),
        ({(1,): 1.2, (2,): -0.2}, "shares", "population share = 1.2"),
        ({(1,): 1.0}, "strata", "the strata hold [0-9]+ of 200 rows"),
        ({(1,): 0.5, (0,): 0.5}, "strata", "rows lie in the strata of items"),
        ({(0, 1): 0.5, (0, 2): 0.5, (4,): 0.0}, "within", "column 4 is disguised"),
    ],
)
def test_strata_that_do_not_part_the_rows_are_refused(strata, code, said) -> None:
    rows = sample(MIXED, 200, seed=1)
    with pytest.raises(ParameterError, match=said) as refusal:
        weighted(rows, strata)
    assert refusal.value.code == code


def test_a_stratum_without_rows_cannot_be_weighted_up() -> None:
    rows = [row for row in sample(MIXED, 200, seed=1) if 1 in columns(MIXED, row)]
    strata = {(1,): 0.6, (2,): 0.4}
    counts = count(MIXED, rows, post_stratification_terms((3,), strata, MIXED))
    with pytest.raises(ParameterError, match=r"stratum \('os=o1',\) has no row") as refusal:
        post_stratified(counts, (3,), strata, MIXED)
    assert refusal.value.code == "empty_stratum"


def test_bounds_of_non_response_hold_whatever_the_missing_are_like() -> None:
    for missing in (0.0, 0.4, 1.0):
        low, high = non_response_bounds(0.3, 0.6)
        assert low - 1e-12 <= 0.6 * 0.3 + 0.4 * missing <= high + 1e-12
    assert non_response_bounds(1.4, 1.0) == (1.0, 1.0)
    with pytest.raises(ParameterError, match=r"response rate = 1\.5"):
        non_response_bounds(0.3, 1.5)


ANCHORED = design(*(protected(key, 5000, yes_no(key, 5000)) for key in ("item", "never", "always")))


def attentive(n: int, share: float, attends: float, guess: float, rng: np.random.Generator) -> SupportCounts:
    """Rows of respondents of whom some answer yes by chance, whatever they are asked."""
    attending = rng.random(n) < attends
    true = np.stack([rng.random(n) < share, np.zeros(n, bool), np.ones(n, bool)], axis=1)
    said = np.where(rng.random((n, 3)) < 0.5, true, rng.random((n, 3)) < 0.5)
    said = np.where(attending[:, None], said, rng.random((n, 3)) < guess)
    keys = attention_terms(0, 1, 2, ANCHORED)
    return SupportCounts({key: (0, int(said[:, list(key)].all(axis=1).sum())) for key in keys})


def test_what_is_left_after_correction_is_the_share_of_those_who_attend_whatever_the_others_say() -> None:
    rng = np.random.default_rng(2)
    for guess in (0.1, 0.5, 0.9):
        found = attention(attentive(400_000, 0.3, 0.8, guess, rng), 0, 1, 2, ANCHORED)
        # Standard errors are about .002.
        assert found.attention == pytest.approx(0.8, abs=0.012)
        assert found.value == pytest.approx(0.3, abs=0.012)
        assert found.low < found.value < found.high
        assert abs(found.uncorrected - 0.3) > 0.02


def test_its_interval_holds_the_share_as_often_as_it_says() -> None:
    repetitions = 600
    low, high = binomial_range(repetitions, 0.95)
    assert binomial_power(repetitions, 0.95, -0.1) > POWER
    rng = np.random.default_rng(4)
    held = 0
    for _ in range(repetitions):
        found = attention(attentive(2000, 0.3, 0.8, 0.7, rng), 0, 1, 2, ANCHORED)
        held += found.low <= 0.3 <= found.high
    assert low <= held <= high, held


def test_anchors_of_another_disguise_are_refused_by_name() -> None:
    with pytest.raises(ParameterError, match="item a is not alone") as refusal:
        attention(SupportCounts({}), 0, 2, 2, TWO_BLOCKS)
    assert refusal.value.code == "anchors"
    other = design(
        protected("x", 5000, yes_no("x", 5000)), protected("n", 5000, yes_no("n", 5000)),
        protected("y", 6000, yes_no("y", 5000)),
    )  # fmt: skip
    with pytest.raises(ParameterError, match="item y is not alone"):
        attention(SupportCounts({}), 0, 1, 2, other)
