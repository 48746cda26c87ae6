import itertools
import math

import numpy as np
import pytest

from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import estimate
from privacy.estimation.events import event_share
from privacy.estimation.patterns import pattern_terms
from privacy.estimation.required_counts import required_counts
from privacy.survey.design import Design
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import (
    CHOICES,
    ENUMERATED,
    MIXED,
    ONE_BLOCK,
    SKIPPABLE,
    TWO_BLOCKS,
    design,
    protected,
    yes_no,
)
from tests.privacy.estimation.pattern_table import one_pattern, patterns
from tests.privacy.estimation.records import (
    count,
    itemsets,
    matches,
    sample,
    score,
)


def all_patterns(items: Columns) -> list[dict[int, bool]]:
    return [
        dict(zip(items, bits, strict=True)) for bits in itertools.product((False, True), repeat=len(items))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("direct", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("name", ENUMERATED)
def test_every_pattern_has_the_mean_score_and_its_error(name: str, direct: float) -> None:
    asked = ENUMERATED[name]
    rows = sample(asked, 40, seed=11, direct=direct)
    for items in list(itemsets(asked, 4))[::2]:
        found = patterns(count(asked, rows, pattern_terms(items, asked)), items, asked)
        for pattern in all_patterns(items):
            at = tuple(int(yes) for yes in pattern.values())
            z = np.array([float(score(asked, row, pattern)) for row in rows])
            assert found.value[at] == pytest.approx(z.mean(), abs=1e-12)
            assert found.standard_error[at] == pytest.approx(z.std() / math.sqrt(40), abs=1e-9)


@pytest.mark.parametrize("items", [(0,), (0, 1), (0, 1, 2)])
def test_pooled_supports_make_equations_11_to_16_of_the_source(items: Columns) -> None:
    rows = sample(ONE_BLOCK, 500, seed=13, direct=0.2)
    k, p, theta = sum(row.direct for row in rows) / 500, 0.3, 0.6
    subsets = [*itertools.chain(*(itertools.combinations(items, size) for size in range(1, len(items) + 1)))]
    counts = count(ONE_BLOCK, rows, required_counts(subsets, ONE_BLOCK))
    supports = {(): 1.0}
    for subset in subsets:
        supports[subset] = estimate(counts, subset, ONE_BLOCK, estimator="pooled").value
    for pattern in all_patterns(items):
        observed = np.mean([matches(ONE_BLOCK, row, pattern) for row in rows])
        having = {item for item, yes in pattern.items() if yes}
        n1, n2 = len(having), len(items) - len(having)
        expected = (observed - (1 - k) * (1 - p) * theta**n1 * (1 - theta) ** n2) / (k + p * (1 - k))
        found = sum(
            (-1) ** (len(own) - n1) * support for own, support in supports.items() if having <= {*own}
        )
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("asked", "items"),
    [(ONE_BLOCK, (0, 1, 2)), (TWO_BLOCKS, (0, 1, 2)), (CHOICES, (0, 3)), (MIXED, (0, 4, 5))],
)
def test_patterns_add_up_to_1_where_nobody_can_skip(asked: Design, items: Columns) -> None:
    rows = sample(asked, 80, seed=14)
    found = patterns(count(asked, rows, pattern_terms(items, asked)), items, asked)
    assert found.value.sum() == pytest.approx(1, abs=1e-12)


def test_a_skip_matches_no_pattern() -> None:
    # p = .55, r = .15. All rows are skips: no pattern gains but by what decoys answered would have been.
    counts = SupportCounts({(): (0, 100), (SKIPPABLE.answered_column(0),): (0, 0), (0,): (0, 0)})
    found = patterns(counts, (0,), SKIPPABLE)
    assert found.value.sum() == pytest.approx(-0.45 * 0.85 / 0.55)
    assert found.value[1] == pytest.approx(-0.45 * 0.85 * 0.4 / 0.55)


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
    # Of 65 sets in the first block ("any row", "answered", 63 itemsets) and 64 in the second.
    assert len(needed) == 65 * 64
    everybody = SupportCounts.from_array(
        needed, [[0, 10] if not set(key) - {asked.answered_column(0)} else [0, 0] for key in needed]
    )
    nobody_has_any = event_share(everybody, one_pattern(items, (0,) * 12), asked)
    assert nobody_has_any.value == pytest.approx(
        (1 - 0.4 * 0.95 / 2**6) / 0.6 * (1 - 0.3 * 0.6**6) / 0.7, rel=1e-9
    )


@pytest.mark.parametrize("items", [(), tuple(range(13))])
def test_too_many_or_no_items_are_refused(items: Columns) -> None:
    asked = design(protected("b", 6000, *(yes_no(f"b{number}", 5000) for number in range(13))))
    with refused("itemset", len(items)):
        pattern_terms(items, asked)


def test_refusals_are_those_of_the_estimate() -> None:
    blind = design(protected("b", 0, yes_no("a", 5000)))
    counts = SupportCounts({(): (2, 8), (0,): (1, 4)})
    with refused("truth_probability", "p = 0"):
        patterns(counts, (0,), blind)
    with refused("no_rows", 0):
        patterns(SupportCounts({(): (0, 0), (0,): (0, 0)}), (0,), ONE_BLOCK)
