import itertools
import math

import numpy as np
import pytest

from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.events import event_share, pattern_terms
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import (
    CHOICES,
    ENUMERATED,
    design,
    protected,
    yes_no,
)
from tests.privacy.estimation.pattern_table import one_pattern, patterns
from tests.privacy.estimation.records import (
    count,
    itemsets,
    sample,
    score,
)


def all_patterns(items: Columns) -> list[dict[int, bool]]:
    return [
        dict(zip(items, bits, strict=True)) for bits in itertools.product((False, True), repeat=len(items))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ENUMERATED)
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
def test_an_empty_or_too_large_itemset_is_refused(items: Columns) -> None:
    asked = design(protected("b", 6000, *(yes_no(f"b{number}", 5000) for number in range(13))))
    with refused("itemset", len(items)):
        pattern_terms(items, asked)
