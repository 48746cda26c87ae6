from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlxtend.frequent_patterns import apriori, association_rules
from numpy.typing import NDArray

from mining import rules as rules_module
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.itemsets import SearchResult, examine
from mining.rules import NO_RULE, _meets_thresholds, closed_table, explained_by, find_rules, measured_rules
from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from tests.fixtures.disguised_searches import mined, searched
from tests.fixtures.questionnaires import grouped, undisguised

Pair = tuple[Columns, Columns]


def splits(itemsets: set[Columns]) -> set[Pair]:
    return {
        (antecedent, tuple(sorted(set(items) - set(antecedent))))
        for items in itemsets
        for size in range(1, len(items))
        for antecedent in combinations(items, size)
    }


def listed_of(search_result: SearchResult) -> set[Columns]:
    return {items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on}


@pytest.mark.parametrize("most_for_mlxtend", [0, 100_000])
@pytest.mark.parametrize("seed", range(10))
def test_every_listed_itemset_is_split_in_all_ways(
    seed: int, most_for_mlxtend: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules_module, "_MOST_FOR_MLXTEND", most_for_mlxtend)
    _, search_result = searched(seed)
    found = find_rules(search_result, Sides())
    assert set(found) == splits(listed_of(search_result))
    assert len(found) == len(set(found)) > 0


def test_rules_are_ordered_by_itemset_and_antecedent() -> None:
    _, search_result = searched(3)
    found = find_rules(search_result, Sides())
    assert list(found) == sorted(
        found, key=lambda r: (len(r[0] + r[1]), sorted(r[0] + r[1]), len(r[0]), r[0])
    )


@pytest.mark.parametrize("seed", range(10))
def test_the_table_for_mlxtend_is_closed_and_monotone(seed: int) -> None:
    _, search_result = searched(seed)
    table = closed_table(search_result)
    values = dict(zip(search_result.frequent, search_result.estimates.value.tolist(), strict=True))
    listed = listed_of(search_result)
    expected = {part for items in listed for size in range(1, 5) for part in combinations(items, size)}
    assert set(table) == expected
    for items, support in table.items():
        assert 0 < support <= 1
        assert support == max(min(1.0, values[other]) for other in table if set(items) <= set(other))


def test_supports_that_violate_monotonicity_are_handled() -> None:
    # Estimates are .35 for both items and .14 for one of them, as in the tests of itemsets.
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


@pytest.mark.slow
@pytest.mark.soak
def test_rules_below_a_confidence_or_lift_threshold_are_omitted() -> None:
    count_cache, search_result = searched(7)
    design, pairs = count_cache.matrix.design, find_rules(search_result, Sides())
    everything = measured_rules(count_cache, design, pairs, Thresholds(support=0.15))
    for confidence, lift in ((0.6, None), (0.0, 1.2), (0.5, 1.1)):
        kept = measured_rules(
            count_cache, design, pairs, Thresholds(support=0.15, confidence=confidence, lift=lift)
        )
        expected = [
            sides
            for sides, measures in zip(everything.sides, everything.measures, strict=True)
            if measures.confidence.value >= confidence and (lift is None or measures.lift.value >= lift)
        ]
        assert list(kept.sides) == expected
        assert 0 < len(kept.measures) == len(expected) < len(pairs)


def random_rows(seed: int) -> NDArray[np.bool_]:
    rng = np.random.default_rng(seed)
    rows: NDArray[np.bool_] = rng.random((int(rng.integers(30, 300)), 6)) < rng.uniform(0.2, 0.9, size=6)
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("disguise", ["open", "p = 1", "all direct"])
def test_undisguised_rule_measures_match_mlxtend(disguise: str, seed: int) -> None:
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
                # mlxtend gives infinite conviction if there are no counterexamples. If every row has the
                # consequent, it is 0/0.
                assert count_cache.counts[sides[1]] == (
                    count_cache.matrix.n_direct,
                    count_cache.matrix.n_protected,
                )
            else:
                assert found == pytest.approx(theirs_is, rel=1e-12, abs=1e-12)


def test_too_many_rules_are_refused() -> None:
    _, search_result = searched(8)
    many = len(splits(listed_of(search_result)))
    assert len(find_rules(search_result, Sides(), max_rules=many)) == many
    with pytest.raises(PrivacyError, match=f"yield {many} rules, more than {many - 1}; raise") as refusal:
        find_rules(search_result, Sides(), max_rules=many - 1)
    assert (refusal.value.code, refusal.value.value) == ("max_rules", many)


RNG = np.random.default_rng(8)
ROWS = RNG.random((500, 5)) < [0.5, 0.5, 0.6, 0.4, 0.3]
ROWS[:, 3] = ROWS[:, 0] & ROWS[:, 1]  # every row with 3 has 0 and 1, so {3} is not closed
ROWS[:, 4] &= ROWS[:, 2]


def test_a_rule_is_redundant_if_a_shorter_one_reaches_its_limit() -> None:
    rng = np.random.default_rng(3)
    rows = rng.random((3000, 4)) < [0.4, 0.5, 0.5, 0.5]
    # Item 3 depends only on 0, and item 2 on 0 and 1 together.
    rows[:, 3] = rng.random(3000) < np.where(rows[:, 0], 0.7, 0.3)
    rows[:, 2] = rng.random(3000) < np.where(rows[:, 0] & rows[:, 1], 0.9, 0.3)
    result, _ = mined(rows, undisguised(4), np.zeros(3000, dtype=bool), lift=1.0)
    by = dict(zip(result.rules.sides, explained_by(result.rules).tolist(), strict=True))
    assert result.rules.sides[by[(0, 1), (3,)]] == ((0,), (3,))
    assert by[(0, 1), (2,)] == NO_RULE
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
        assert (shorter != NO_RULE) == bool(enough)
        # The shortest, and of these the one with the largest confidence.
        order = {other: (len(result.rules.sides[other][0]), -table.value[other]) for other in enough}
        assert shorter == min(enough, key=order.__getitem__, default=NO_RULE)


DESIGN = grouped([3], p=5000, theta=5000)


class _Values:
    def __init__(self, confidence: list[float], lift: list[float]) -> None:
        self.confidence, self.lift = np.array(confidence), np.array(lift)

    def __len__(self) -> int:
        return len(self.confidence)


def test_measures_at_a_threshold_pass_despite_rounding() -> None:
    values = _Values([0.5, 0.5 - 1e-14, 0.49, np.nan], [1.2, 1.0, 1.2 - 1e-14, np.nan])

    def passing(**asked: float) -> list[bool]:
        return _meets_thresholds(values, Thresholds(support=0.1, **asked)).tolist()  # type: ignore[arg-type]

    assert passing(confidence=0.5) == [True, True, False, False]
    assert passing(lift=1.2) == [True, False, True, False]
    assert passing(confidence=0.5, lift=1.2) == [True, False, False, False]
    assert passing(confidence=0.0) == [True] * 4
