"""Rules found by one half of the rows and tested by the other."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.random import default_rng

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.inference import infer
from mining.pipeline import MiningResult, mine
from mining.significance import decisions
from mining.split_sample import families_listed, measured_again, random_split
from mining.thresholds import Thresholds
from privacy.errors import PrivacyError
from privacy.estimation import required_counts
from privacy.estimation.one_sided_tests import p_values
from privacy.policy import SIGNIFICANCE_LEVEL
from tests.cast.planted_rules import DESIGN, is_true, sent
from tests.mining.columns.counted import count
from tests.statistics import FALSE_ALARM, binomial_range

ASKED = Thresholds(support=0.05, lift=1.0, max_size=3, halves=True)
PAIRS = replace(ASKED, max_size=2)
SIMULATIONS = 200


def listed(seed: int, asked: Thresholds = ASKED) -> tuple[MiningResult, BitMatrix]:
    first, second = random_split(sent(seed), default_rng(seed))
    return mine(first, DESIGN, asked), second


def test_every_row_is_in_one_half_whatever_is_counted() -> None:
    matrix = sent(1)
    first, second = random_split(matrix, default_rng(5))
    requests = [items for size in range(4) for items in combinations(range(6), size)]
    counts = [count(part, requests) for part in (matrix, first, second)]
    assert (counts[1] + counts[2] == counts[0]).all()
    assert first.n_direct == matrix.n_direct // 2
    assert first.n_protected == matrix.n_protected // 2


def test_a_seed_names_the_halves() -> None:
    matrix = sent(1)
    words = [random_split(matrix, default_rng(seed))[0].protected.words for seed in (5, 5, 6)]
    assert (words[0] == words[1]).all()
    assert (words[0] != words[2]).any()


@pytest.mark.soak
@pytest.mark.slow
def test_every_row_has_an_even_chance_of_either_half() -> None:
    one_each = np.eye(6, dtype=bool)
    matrix = BitMatrix.from_booleans(DESIGN, one_each, np.zeros(6, dtype=bool))
    seeds = 2000
    first = sum(
        count(random_split(matrix, default_rng(seed))[0], [(item,) for item in range(6)])[:, 1]
        for seed in range(seeds)
    )
    low, high = binomial_range(seeds, 0.5, FALSE_ALARM / 6)
    assert ((first >= low) & (first <= high)).all(), first


def test_one_row_has_no_halves() -> None:
    matrix = BitMatrix.from_booleans(DESIGN, np.ones((1, 6), dtype=bool), np.zeros(1, dtype=bool))
    with pytest.raises(PrivacyError, match="1 rows have no two halves") as refusal:
        random_split(matrix, default_rng(1))
    assert refusal.value.code == "halves"


@pytest.mark.slow
def test_what_one_half_lists_is_measured_by_the_other_alone() -> None:
    listing, second = listed(0)
    tested = measured_again(listing, CountCache(second))
    assert tested.rules.sides == listing.rules.sides
    assert tested.itemsets.itemsets == listing.itemsets.itemsets
    assert (tested.n, tested.n_direct) == (second.n, second.n_direct)
    # The same list, measured on the second half by a run that was never asked about halves.
    whole = mine(second, DESIGN, Thresholds(support=0.0001, max_size=3))
    for place, pair in enumerate(tested.rules.sides):
        other = whole.rules.sides.index(pair)
        assert tested.rules.measures[place] == whole.rules.measures[other]
    family = families_listed(listing)
    assert family.lift.total == len({frozenset(pair) for pair in listing.rules.sides})
    assert family.confidence.total == len(listing.rules.sides)
    found = infer(tested, CountCache(second), within=family)
    assert found.families.lift.total < 75
    assert found.rule_level == pytest.approx(0.95)


def test_what_too_few_of_the_other_half_were_asked_counts_as_failed() -> None:
    listing, second = listed(0)
    nothing = measured_again(listing, CountCache(second), least_protected=second.n_protected + 1)
    assert len(nothing.rules) == len(nothing.itemsets) == 0
    assert families_listed(listing).lift.total > 0


@pytest.mark.soak
@pytest.mark.slow
def test_of_the_rules_that_the_second_half_accepts_no_more_are_false_than_the_level_says() -> None:
    false, power, ever = [], [], 0
    for seed in range(SIMULATIONS):
        listing, second = listed(seed, PAIRS)
        sides = listing.rules.sides
        # The tests that `infer` makes, without what it searches beside them.
        raw = p_values(CountCache(second).need(required_counts(sides, DESIGN)), sides, DESIGN)
        sizes = [len(before) + len(after) for before, after in sides]
        unordered = [frozenset(pair) for pair in sides]
        found = decisions(raw, unordered, sizes, families_listed(listing).lift, "bh")
        passed = {
            frozenset(pair): is_true(*pair)
            for pair, passes in zip(sides, found.passes, strict=True)
            if passes
        }
        wrong = sum(not true for true in passed.values())
        ever += wrong
        false.append(wrong / max(1, len(passed)))
        power.append(sum(len(pair) == 2 and true for pair, true in passed.items()))
    error = np.std(false) / np.sqrt(SIMULATIONS)
    assert np.mean(false) <= SIGNIFICANCE_LEVEL + 2 * error, np.mean(false)
    assert ever > 0, "no false rule was ever accepted: the test could not fail"
    assert np.mean(power) > 1
