from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlxtend.frequent_patterns import apriori, association_rules
from numpy.typing import NDArray

from mining import rules as module
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.itemsets import SearchResult, examine
from mining.progress import Progress
from mining.rules import closed_table, find_rules, measured_rules
from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from privacy.estimation import Columns, estimates
from privacy.estimation.intervals import measure_rules
from tests.fixtures.questionnaires import grouped, undisguised

Pair = tuple[Columns, Columns]


def splits(itemsets: set[Columns]) -> set[Pair]:
    return {
        (antecedent, tuple(sorted(set(items) - set(antecedent))))
        for items in itemsets
        for size in range(1, len(items))
        for antecedent in combinations(items, size)
    }


@cache
def searched(seed: int, n: int = 200, support: float = 0.15) -> tuple[CountCache, SearchResult]:
    """Rows of a block of three and a block of two under a strong disguise: estimates far from supports."""
    rng = np.random.default_rng(seed)
    rows = rng.random((n, 5)) < 0.5
    rows[:, 1] |= rows[:, 0] & (rng.random(n) < 0.7)
    design = grouped([3, 2], p=4000, theta=4000)
    count_cache = CountCache(BitMatrix.from_booleans(design, rows, rng.random(n) < 0.2))
    return count_cache, examine(count_cache, design, Thresholds(support=support, max_size=4))


def listed_of(search_result: SearchResult) -> set[Columns]:
    return {items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on}


@pytest.mark.parametrize("most_for_mlxtend", [0, 100_000])
@pytest.mark.parametrize("seed", range(10))
def test_every_listed_itemset_is_split_in_every_way(
    seed: int, most_for_mlxtend: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_FOR_MLXTEND", most_for_mlxtend)
    _, search_result = searched(seed)
    found = find_rules(search_result, Sides())
    assert set(found) == splits(listed_of(search_result))
    assert len(found) == len(set(found)) > 0


def test_rules_come_by_itemset_then_by_antecedent_whatever_the_hashing() -> None:
    _, search_result = searched(3)
    found = find_rules(search_result, Sides())
    assert list(found) == sorted(
        found, key=lambda r: (len(r[0] + r[1]), sorted(r[0] + r[1]), len(r[0]), r[0])
    )


@pytest.mark.parametrize("seed", range(10))
def test_the_table_for_mlxtend_is_closed_and_never_grows_with_the_itemset(seed: int) -> None:
    _, search_result = searched(seed)
    table = closed_table(search_result)
    values = dict(zip(search_result.frequent, search_result.estimates.value.tolist(), strict=True))
    listed = listed_of(search_result)
    expected = {part for items in listed for size in range(1, 5) for part in combinations(items, size)}
    assert set(table) == expected
    for items, support in table.items():
        assert 0 < support <= 1
        assert support == max(min(1.0, values[other]) for other in table if set(items) <= set(other))


def test_estimates_that_break_the_order_of_supports_make_no_trouble() -> None:
    # Estimates of .35 for both items and .14 for one of them, as in the tests of itemsets.
    design = grouped([2], p=5000, theta=5000)
    rows = np.zeros((100, 2), dtype=bool)
    rows[:32, 0] = True
    rows[:30, 1] = rows[32:80, 1] = True
    count_cache = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(100, dtype=bool)))
    thresholds = Thresholds(support=0.2)
    search_result = examine(count_cache, design, thresholds)
    assert closed_table(search_result) == {(1,): 1.0, (0, 1): pytest.approx(0.35), (0,): pytest.approx(0.35)}
    table = measured_rules(count_cache, design, find_rules(search_result, Sides()), thresholds)
    assert table.sides == (((0,), (1,)), ((1,), (0,)))
    assert table.measures[0].confidence.value == pytest.approx(0.35 / 0.14)


@pytest.mark.soak
@pytest.mark.slow
def test_every_measure_comes_from_the_raw_estimates() -> None:
    count_cache, search_result = searched(5)
    design = count_cache.matrix.design
    pairs = find_rules(search_result, Sides())
    table = measured_rules(count_cache, design, pairs, Thresholds(support=0.15, target="respondents"))
    assert table.sides == pairs
    for sides, measures in zip(table.sides, table.measures, strict=True):
        alone = measure_rules(count_cache.counts, [sides], design, target="respondents")[0]
        assert measures.confidence.value == pytest.approx(alone.confidence.value, rel=1e-12)
        assert measures.lift.low == pytest.approx(alone.lift.low, rel=1e-9)
        both = tuple(sorted(sides[0] + sides[1]))
        supports = estimates(count_cache.counts, [both, sides[0]], design).value
        assert measures.confidence.value == pytest.approx(supports[0] / supports[1], rel=1e-12)


@pytest.mark.slow
@given(
    antecedent=st.none() | st.sets(st.integers(0, 4), min_size=1),
    consequent=st.none() | st.sets(st.integers(0, 4), min_size=1),
    longest=st.none() | st.integers(1, 3),
)
def test_only_the_allowed_sides_are_listed(
    antecedent: set[int] | None, consequent: set[int] | None, longest: int | None
) -> None:
    _, search_result = searched(6)
    sides = Sides(
        antecedent=None if antecedent is None else tuple(antecedent),
        consequent=None if consequent is None else tuple(consequent),
        longest_consequent=longest,
    )
    found = find_rules(search_result, sides)
    assert set(found) == {
        (left, right)
        for left, right in splits(listed_of(search_result))
        if (antecedent is None or set(left) <= antecedent)
        and (consequent is None or set(right) <= consequent)
        and (longest is None or len(right) <= longest)
    }


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize(("confidence", "lift"), [(0.0, None), (0.6, None), (0.0, 1.2), (0.5, 1.1)])
def test_rules_below_a_threshold_of_confidence_or_lift_are_left_out(
    confidence: float, lift: float | None
) -> None:
    count_cache, search_result = searched(7)
    design, pairs = count_cache.matrix.design, find_rules(search_result, Sides())
    everything = measured_rules(count_cache, design, pairs, Thresholds(support=0.15))
    kept = measured_rules(
        count_cache, design, pairs, Thresholds(support=0.15, confidence=confidence, lift=lift)
    )
    expected = [
        sides
        for sides, measures in zip(everything.sides, everything.measures, strict=True)
        if measures.confidence.value >= confidence and (lift is None or measures.lift.value >= lift)
    ]
    assert list(kept.sides) == expected
    assert len(kept.measures) == len(expected)


def random_rows(seed: int) -> NDArray[np.bool_]:
    rng = np.random.default_rng(seed)
    rows: NDArray[np.bool_] = rng.random((int(rng.integers(30, 300)), 6)) < rng.uniform(0.2, 0.9, size=6)
    return rows


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("disguise", ["open", "p = 1", "all direct"])
def test_where_nothing_is_disguised_every_measure_is_that_of_mlxtend(disguise: str, seed: int) -> None:
    rows = random_rows(seed)
    design = {"open": undisguised(6), "p = 1": grouped([4, 2], p=10_000), "all direct": grouped([4, 2])}[
        disguise
    ]
    direct = np.ones(len(rows), dtype=bool) if disguise == "all direct" else np.arange(len(rows)) % 3 == 0
    count_cache = CountCache(BitMatrix.from_booleans(design, rows, direct))
    thresholds = Thresholds(support=0.2, max_size=4)
    pairs = find_rules(examine(count_cache, design, thresholds), Sides())
    table = measured_rules(count_cache, design, pairs, thresholds)
    theirs = association_rules(
        apriori(pd.DataFrame(rows), min_support=0.2, max_len=4), metric="support", min_threshold=0.0
    )
    expected = {
        (tuple(sorted(row.antecedents)), tuple(sorted(row.consequents))): row for row in theirs.itertuples()
    }
    assert set(table.sides) == set(expected)
    for sides, measures in zip(table.sides, table.measures, strict=True):
        row = expected[sides]
        for measure in ("support", "confidence", "lift", "leverage", "conviction"):
            found, theirs_is = getattr(measures, measure).value, getattr(row, measure)
            if measure == "conviction" and row.confidence == 1 and row.antecedents and np.isnan(found):
                # mlxtend calls conviction infinite wherever nothing speaks against the rule; where every
                # row has the consequent it is 0/0.
                assert count_cache.counts[sides[1]] == (
                    count_cache.matrix.n_direct,
                    count_cache.matrix.n_protected,
                )
            else:
                assert found == pytest.approx(theirs_is, rel=1e-12, abs=1e-12)


def test_it_gives_up_when_rules_explode() -> None:
    _, search_result = searched(8)
    many = len(splits(listed_of(search_result)))
    assert len(find_rules(search_result, Sides(), max_rules=many)) == many
    with pytest.raises(PrivacyError, match=f"yield {many} rules, more than {many - 1}; raise") as refusal:
        find_rules(search_result, Sides(), max_rules=many - 1)
    assert (refusal.value.code, refusal.value.value) == ("max_rules", many)


def test_without_a_rule_the_table_is_empty() -> None:
    count_cache, search_result = searched(9, support=0.99)
    assert find_rules(search_result, Sides()) == ()
    table = measured_rules(count_cache, count_cache.matrix.design, (), Thresholds(support=0.99))
    assert (len(table), table.sides) == (0, ())


def test_the_watch_sees_the_rules_being_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mining.progress.AT_A_TIME", 3)
    count_cache, search_result = searched(10)
    pairs = find_rules(search_result, Sides())[:7]
    seen: list[Progress] = []
    table = measured_rules(
        count_cache, count_cache.matrix.design, pairs, Thresholds(support=0.15), progress=seen.append
    )
    assert [(progress.stage, progress.done) for progress in seen] == [
        ("rules", 3),
        ("rules", 6),
        ("rules", 7),
    ]
    assert {progress.total for progress in seen} == {7}
    assert table.sides == pairs
