"""Redundant rules, maximal and closed itemsets, against their definitions on rows nobody disguised."""

from itertools import combinations

import numpy as np
import pandas as pd
from mlxtend.frequent_patterns import fpmax

from benchmarks.simulation import study_design
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.pipeline import mine
from mining.redundancy import NONE, closed_itemsets, closed_terms, explained_by, maximal_itemsets
from mining.thresholds import Thresholds
from tests.fixtures.questionnaires import undisguised
from tests.fixtures.vectorised import disguise_rows, draw_coins

RNG = np.random.default_rng(8)
ROWS = RNG.random((500, 5)) < [0.5, 0.5, 0.6, 0.4, 0.3]
ROWS[:, 3] = ROWS[:, 0] & ROWS[:, 1]  # whoever has 3 has 0 and 1: {3} is not closed
ROWS[:, 4] &= ROWS[:, 2]


def mined(rows: np.ndarray, design, direct: np.ndarray, **thresholds):
    matrix = BitMatrix.from_booleans(design, rows, direct)
    return mine(matrix, design, Thresholds(support=0.05, max_size=5, **thresholds)), CountCache(matrix)


def test_maximal_itemsets_are_those_of_fpmax() -> None:
    result, _ = mined(ROWS, undisguised(5), np.zeros(500, dtype=bool))
    found = maximal_itemsets(result.itemsets.itemsets)
    ours = {items for items, on in zip(result.itemsets.itemsets, found, strict=True) if on}
    theirs = fpmax(pd.DataFrame(ROWS), min_support=0.05, use_colnames=False)["itemsets"]
    assert ours == {tuple(sorted(items)) for items in theirs}


def test_on_open_rows_a_closed_itemset_loses_rows_with_every_item_added() -> None:
    design = undisguised(5)
    result, count_cache = mined(ROWS, design, np.zeros(500, dtype=bool))
    counts = result.counts.merge(count_cache.need(closed_terms(result.itemsets, design)))
    found = closed_itemsets(result.itemsets, counts, design, "stratified")
    listed = result.itemsets.itemsets
    for items, closed in zip(listed, found.tolist(), strict=True):
        having = ROWS[:, items].all(axis=1).sum()
        larger = [(*items, item) for item in range(5) if item not in items]
        same = [one for one in larger if ROWS[:, one].all(axis=1).sum() == having]
        same = [one for one in same if tuple(sorted(one)) in listed]
        assert closed == (not same), items
    assert not found[listed.index((3,))]


def test_under_disguise_what_cannot_be_told_from_a_larger_set_is_not_closed() -> None:
    design = study_design([3], truth_probability=6000, unrelated=5000)
    rng = np.random.default_rng(5)
    a = rng.random(8000) < 0.4
    truth = np.stack([a, a, rng.random(8000) < 0.5], axis=1)
    direct = np.zeros(8000, dtype=bool)
    sent = disguise_rows(design, truth, direct, draw_coins(design, 8000, rng))
    result, count_cache = mined(sent, design, direct)
    counts = result.counts.merge(count_cache.need(closed_terms(result.itemsets, design)))
    closed = dict(
        zip(
            result.itemsets.itemsets,
            closed_itemsets(result.itemsets, counts, design, "stratified"),
            strict=True,
        )
    )
    # {0} and {1} are {0, 1}; {0, 2} and {1, 2} are all three; the rest loses half.
    assert [items for items, on in closed.items() if on] == [(2,), (0, 1), (0, 1, 2)]


def test_a_longer_rule_is_redundant_where_a_shorter_one_reaches_its_lower_limit() -> None:
    rng = np.random.default_rng(3)
    rows = rng.random((3000, 4)) < [0.4, 0.5, 0.5, 0.5]
    # 3 depends on 0 alone; 2 on 0 and 1 together.
    rows[:, 3] = rng.random(3000) < np.where(rows[:, 0], 0.7, 0.3)
    rows[:, 2] = rng.random(3000) < np.where(rows[:, 0] & rows[:, 1], 0.9, 0.3)
    result, _ = mined(rows, undisguised(4), np.zeros(3000, dtype=bool), lift=1.0)
    by = dict(zip(result.rules.sides, explained_by(result.rules).tolist(), strict=True))
    assert result.rules.sides[by[(0, 1), (3,)]] == ((0,), (3,))
    assert by[(0, 1), (2,)] == NONE
    for (antecedent, consequent), shorter in by.items():
        table = result.rules.measures.confidence
        place = result.rules.sides.index((antecedent, consequent))
        enough = [
            other
            for size in range(1, len(antecedent))
            for part in combinations(antecedent, size)
            if (part, consequent) in by
            for other in [result.rules.sides.index((part, consequent))]
            if table.value[other] >= table.low[place]
        ]
        assert (shorter != NONE) == bool(enough)
        assert shorter == NONE or shorter in enough
