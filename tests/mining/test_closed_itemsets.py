from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from mlxtend.frequent_patterns import fpmax

from benchmarks.simulation import study_design
from mining import closed_itemsets as module
from mining.closed_itemsets import closed_itemsets, maximal_itemsets
from mining.itemsets import listed_itemsets
from tests.fixtures.disguised_searches import mined, searched
from tests.fixtures.questionnaires import protected, questionnaire, undisguised, yes_no
from tests.fixtures.vectorised import disguise_rows, draw_coins

RNG = np.random.default_rng(8)
ROWS = RNG.random((500, 5)) < [0.5, 0.5, 0.6, 0.4, 0.3]
ROWS[:, 3] = ROWS[:, 0] & ROWS[:, 1]  # every row with 3 has 0 and 1, so {3} is not closed
ROWS[:, 4] &= ROWS[:, 2]


def test_maximal_itemsets_match_fpmax() -> None:
    result, _ = mined(ROWS, undisguised(5), np.zeros(500, dtype=bool))
    found = maximal_itemsets(result.itemsets.itemsets)
    ours = {items for items, on in zip(result.itemsets.itemsets, found, strict=True) if on}
    theirs = fpmax(pd.DataFrame(ROWS), min_support=0.05, use_colnames=False)["itemsets"]
    assert ours == {tuple(sorted(items)) for items in theirs}


def test_adding_an_item_to_a_closed_itemset_loses_rows() -> None:
    design = undisguised(5)
    result, count_cache = mined(ROWS, design, np.zeros(500, dtype=bool))
    found = closed_itemsets(result.itemsets, count_cache, design)
    listed = result.itemsets.itemsets
    for items, closed in zip(listed, found.tolist(), strict=True):
        having = ROWS[:, items].all(axis=1).sum()
        larger = [(*items, item) for item in range(5) if item not in items]
        same = [one for one in larger if ROWS[:, one].all(axis=1).sum() == having]
        same = [one for one in same if tuple(sorted(one)) in listed]
        assert closed == (not same), items
    assert not found[listed.index((3,))]


def test_itemsets_indistinguishable_from_a_superset_are_not_closed() -> None:
    design = study_design([3], truth_probability=6000, unrelated=5000)
    rng = np.random.default_rng(5)
    a = rng.random(8000) < 0.4
    truth = np.stack([a, a, rng.random(8000) < 0.5], axis=1)
    direct = np.zeros(8000, dtype=bool)
    sent = disguise_rows(design, truth, direct, draw_coins(design, 8000, rng))
    result, count_cache = mined(sent, design, direct)
    closed = dict(
        zip(result.itemsets.itemsets, closed_itemsets(result.itemsets, count_cache, design), strict=True)
    )
    # {0} and {1} equal {0, 1}, and {0, 2} and {1, 2} equal all three; other supersets lose half of the rows.
    assert [items for items, on in closed.items() if on] == [(2,), (0, 1), (0, 1, 2)]


def test_two_points_are_a_clear_difference_between_supports_of_the_same_rows() -> None:
    """Of the people with 0, 95% have 1, so {0, 1} is 2 points rarer; independent errors would be larger."""
    design = study_design([3], truth_probability=6000, unrelated=5000)
    rng = np.random.default_rng(2)
    a = rng.random(8000) < 0.4
    truth = np.stack([a, a & (rng.random(8000) < 0.95), rng.random(8000) < 0.5], axis=1)
    direct = np.zeros(8000, dtype=bool)
    sent = disguise_rows(design, truth, direct, draw_coins(design, 8000, rng))
    result, count_cache = mined(sent, design, direct)
    table = result.itemsets
    closed = dict(zip(table.itemsets, closed_itemsets(table, count_cache, design), strict=True))
    part, larger = (table.itemsets.index(items) for items in ((0,), (0, 1)))
    difference = table.estimates.value[part] - table.estimates.value[larger]
    assert difference < 1.96 * np.hypot(*table.estimates.standard_error[[part, larger]])
    assert closed[0,]


@pytest.mark.parametrize("n", [20, 200, 2_000])
@pytest.mark.soak
def test_no_pair_that_the_bound_decides_is_within_its_error(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With both groups, two blocks, and from few rows estimates below 0 and above 1."""
    by_bound = module._differ_clearly
    decided = 0

    def counted(*arguments: Any) -> Any:
        nonlocal decided
        found = by_bound(*arguments)
        decided += found.sum()
        return found

    for seed in range(40):
        count_cache, search_result = searched(seed, n, 0.001)
        table = listed_itemsets(count_cache, count_cache.matrix.design, search_result)
        monkeypatch.setattr(module, "_differ_clearly", counted)
        found = closed_itemsets(table, count_cache, count_cache.matrix.design)
        monkeypatch.setattr(module, "_differ_clearly", lambda _, covers, __: np.zeros(len(covers), bool))
        assert found.tolist() == closed_itemsets(table, count_cache, count_cache.matrix.design).tolist()
    assert decided > 0


def test_the_bound_decides_nothing_about_supports_of_different_rows() -> None:
    design = undisguised(2)
    result, _ = mined(ROWS[:, :2], design, np.zeros(500, dtype=bool))
    supports, covers = result.itemsets.estimates, np.array([[0, 2], [1, 2]])
    assert module._differ_clearly(supports, covers, design).tolist() == [True, True]
    fewer = replace(supports, n=np.array([500, 400, 400]))
    assert module._differ_clearly(fewer, covers, design).tolist() == [False, True]
    rotating = questionnaire(protected("b", *map(yes_no, "abc"), questions_per_person=2))
    assert not module._differ_clearly(supports, covers, rotating).any()


def test_the_bound_of_a_difference_adds_the_errors_of_both_supports() -> None:
    """Without a disguise the roots are .5 / 10 = .05 and .03 or .035; the errors .157 and .167."""
    result, _ = mined(ROWS[:, :2], undisguised(2), np.zeros(500, dtype=bool))
    supports = replace(
        result.itemsets.estimates,
        value=np.array([0.5, 0.3, 0.35]),
        standard_error=np.zeros(3),
        n=np.array([100, 100, 100]),
    )
    covers = np.array([[0, 1], [0, 2]])
    assert module._differ_clearly(supports, covers, undisguised(2)).tolist() == [True, False]
