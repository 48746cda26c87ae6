"""Shares of events: the error holds every covariance of their patterns."""

import math

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation import pattern_terms, required_counts, support_intervals
from privacy.estimation.events import estimate_event, event_share
from tests.privacy.estimation.designs import (
    MIXED,
    ONE_BLOCK,
    SKIPPABLE,
    THREE_BLOCKS,
    TWO_BLOCKS,
)
from tests.privacy.estimation.pattern_table import event_of, patterns
from tests.privacy.estimation.records import count, sample, score

CASES = [
    (ONE_BLOCK, "a and not b or c"),
    (TWO_BLOCKS, "a and not b or b and not a and c"),
    (SKIPPABLE, "a or not s=o1"),
    (THREE_BLOCKS, "not (a and s=o1) or d"),
    (MIXED, "oa and not a or m=o1"),
]


@pytest.mark.parametrize(("questionnaire", "text"), CASES)
@pytest.mark.parametrize("direct", [0.0, 0.3])
def test_the_estimate_is_the_mean_score_and_its_error_that_of_the_rows(questionnaire, text, direct) -> None:
    rows = sample(questionnaire, 250, seed=8, direct=direct)
    event = event_of(text, questionnaire)
    counts = count(questionnaire, rows, pattern_terms(event.items, questionnaire))
    found = estimate_event(counts, event, questionnaire)
    true = [
        dict(zip(event.items, map(bool, bits), strict=True)) for bits in np.argwhere(event.holds).tolist()
    ]
    z = np.array([float(sum(score(questionnaire, row, wanted) for wanted in true)) for row in rows])
    n = len(rows)
    assert found.value == pytest.approx(z.mean(), abs=1e-12)
    assert found.standard_error == pytest.approx(math.sqrt(z.var() / n), abs=1e-12)
    about_these = (z**2 - z).sum() / n**2
    if about_these >= 0:
        assert found.standard_error_respondents == pytest.approx(math.sqrt(about_these), abs=1e-12)


@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_it_is_the_sum_of_its_patterns_by_either_estimator(estimator) -> None:
    rows = sample(TWO_BLOCKS, 300, seed=4)
    event = event_of("a and not c or b", TWO_BLOCKS)
    counts = count(TWO_BLOCKS, rows, pattern_terms(event.items, TWO_BLOCKS))
    parts = patterns(counts, event.items, TWO_BLOCKS, estimator=estimator)
    found = estimate_event(counts, event, TWO_BLOCKS, estimator=estimator)
    assert found.value == pytest.approx(parts.value[event.holds].sum(), abs=1e-12)


def test_an_itemset_as_an_event_has_the_itemsets_interval() -> None:
    rows = sample(TWO_BLOCKS, 400, seed=6)
    event = event_of("a and c", TWO_BLOCKS)
    counts = count(
        TWO_BLOCKS, rows, (*pattern_terms(event.items, TWO_BLOCKS), *required_counts([(0, 2)], TWO_BLOCKS))
    )
    ours, theirs = (
        event_share(counts, event, TWO_BLOCKS),
        support_intervals(counts, [(0, 2)], TWO_BLOCKS)[0],
    )
    assert (ours.value, ours.low, ours.high) == pytest.approx(
        (theirs.value, theirs.low, theirs.high), abs=1e-9
    )


def test_what_is_always_true_is_true_of_all() -> None:
    rows = sample(TWO_BLOCKS, 100, seed=6)
    event = event_of("a or not a", TWO_BLOCKS)
    counts = count(TWO_BLOCKS, rows, pattern_terms(event.items, TWO_BLOCKS))
    found = estimate_event(counts, event, TWO_BLOCKS)
    assert (found.value, found.standard_error) == pytest.approx((1, 0), abs=1e-9)


def test_counts_that_nobody_took_are_named() -> None:
    event = event_of("a and c", TWO_BLOCKS)
    with pytest.raises(PrivacyError, match="count of columns"):
        estimate_event(count(TWO_BLOCKS, [], [()]), event, TWO_BLOCKS)
