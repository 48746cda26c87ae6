"""Shares of events have errors that include all covariances of their patterns."""

import itertools
import math

import numpy as np
import pytest

from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.events import event_share, pattern_terms
from privacy.estimation.intervals import support_intervals
from privacy.estimation.required_counts import required_counts
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import (
    CHOICES,
    ENUMERATED,
    MIXED,
    ONE_BLOCK,
    SKIPPABLE,
    THREE_BLOCKS,
    TWO_BLOCKS,
    design,
    protected,
    yes_no,
)
from tests.privacy.estimation.pattern_table import event_of, one_pattern, patterns
from tests.privacy.estimation.records import count, itemsets, sample, score

CASES = [
    (ONE_BLOCK, "a and not b or c"),
    (TWO_BLOCKS, "a and not b or b and not a and c"),
    (SKIPPABLE, "a or not s=o1"),
    (THREE_BLOCKS, "not (a and s=o1) or d"),
    (MIXED, "oa and not a or m=o1"),
]


@pytest.mark.parametrize(("questionnaire", "text"), CASES)
@pytest.mark.parametrize("direct", [0.0, 0.3])
def test_event_shares_are_mean_scores_with_the_row_error(questionnaire, text, direct) -> None:
    rows = sample(questionnaire, 250, seed=8, direct=direct)
    event = event_of(text, questionnaire)
    counts = count(questionnaire, rows, pattern_terms(event.items, questionnaire))
    found = event_share(counts, event, questionnaire)
    true = [
        dict(zip(event.items, map(bool, bits), strict=True)) for bits in np.argwhere(event.holds).tolist()
    ]
    z = np.array([float(sum(score(questionnaire, row, wanted) for wanted in true)) for row in rows])
    n = len(rows)
    assert found.value == pytest.approx(z.mean(), abs=1e-12)
    assert found.standard_error == pytest.approx(math.sqrt(z.var() / n), abs=1e-12)


def test_an_itemset_as_an_event_has_the_same_interval() -> None:
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


def test_an_always_true_event_has_share_one() -> None:
    rows = sample(TWO_BLOCKS, 100, seed=6)
    event = event_of("a or not a", TWO_BLOCKS)
    counts = count(TWO_BLOCKS, rows, pattern_terms(event.items, TWO_BLOCKS))
    found = event_share(counts, event, TWO_BLOCKS)
    assert (found.value, found.standard_error) == pytest.approx((1, 0), abs=1e-9)


def all_patterns(items: Columns) -> list[dict[int, bool]]:
    return [
        dict(zip(items, bits, strict=True)) for bits in itertools.product((False, True), repeat=len(items))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ENUMERATED)
@pytest.mark.few(
    "a block that can be skipped",
    "two blocks",
    "two strengths",
    "one block",
    "single choices",
    "yes/no and multi-select",
    "two strengths of two blocks",
    "three blocks",
    why="the others execute nothing more",
)
def test_every_pattern_matches_its_mean_score_and_error(name: str) -> None:
    asked = ENUMERATED[name]
    rows = sample(asked, 40, seed=11, direct=0.3)
    for items in list(itemsets(asked, 4))[::2]:
        found = patterns(count(asked, rows, pattern_terms(items, asked)), items, asked)
        for pattern in all_patterns(items):
            at = tuple(int(yes) for yes in pattern.values())
            z = np.array([float(score(asked, row, pattern)) for row in rows])
            assert found.value[at] == pytest.approx(z.mean(), abs=1e-12)
            assert found.standard_error[at] == pytest.approx(z.std() / math.sqrt(40), abs=1e-9)


def test_options_of_one_choice_exclude_each_other() -> None:
    items = (0, 1, 2)  # the three options of s
    rows = sample(CHOICES, 60, seed=15)
    found = patterns(count(CHOICES, rows, pattern_terms(items, CHOICES)), items, CHOICES)
    for at in itertools.product((0, 1), repeat=3):
        if sum(at) != 1:
            assert (found.value[at], found.standard_error[at]) == (0, 0)
    assert found.value.sum() == pytest.approx(1, abs=1e-12)
    two = patterns(count(CHOICES, rows, pattern_terms((0, 1), CHOICES)), (0, 1), CHOICES)
    assert two.value[0, 0] == pytest.approx(found.value[0, 0, 1], abs=1e-12)


def test_twelve_items_have_4096_patterns() -> None:
    asked = design(
        protected("b", 6000, *(yes_no(f"b{number}", 5000) for number in range(6)), refusal=500),
        protected("c", 7000, *(yes_no(f"c{number}", 4000) for number in range(6))),
    )
    items = tuple(range(12))
    needed = pattern_terms(items, asked)
    # 65 sets in the first block ("any row", "answered", 63 itemsets), 64 in the second.
    assert len(needed) == 65 * 64
    everybody = SupportCounts.from_array(
        needed, [[0, 10] if not set(key) - {asked.answered_column(0)} else [0, 0] for key in needed]
    )
    nobody_has_any = event_share(everybody, one_pattern(items, (0,) * 12), asked)
    assert nobody_has_any.value == pytest.approx(
        (1 - 0.4 * 0.95 / 2**6) / 0.6 * (1 - 0.3 * 0.6**6) / 0.7, rel=1e-9
    )


@pytest.mark.parametrize("items", [(), tuple(range(13))])
def test_an_empty_or_too_large_itemset_is_refused(items: Columns) -> None:
    asked = design(protected("b", 6000, *(yes_no(f"b{number}", 5000) for number in range(13))))
    with refused("itemset", len(items)):
        pattern_terms(items, asked)
