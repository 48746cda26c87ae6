from itertools import chain, combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.itemsets import (
    SearchResult,
    check_length,
    estimate_itemsets,
    examine,
    examine_undisguised,
    releasable_itemsets,
)
from mining.mlxtend_search import frequent_itemsets
from mining.open_floor import SHOW_ALL, OpenFloor
from mining.thresholds import Policy, Thresholds
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import asked_columns
from privacy.estimation.estimates import Estimate, estimate
from privacy.estimation.intervals import support_intervals
from privacy.estimation.required_counts import required_counts
from privacy.survey.design import Design
from sottovoce import example_data
from tests.fixtures.questionnaires import EVERYTHING, bodies, grouped, true_rows, undisguised
from tests.mining.columns.counted import count

POLICIES: tuple[Policy, Policy] = ("inclusive", "estimate")
EVERYTHING_MATRIX = BitMatrix.from_rows(
    EVERYTHING,
    bodies(EVERYTHING, true_rows(900, seed=1), np.random.default_rng(1).random(900) < 0.25, seed=1),
)


def disguised(design: Design, n: int, seed: int) -> BitMatrix:
    """Return rows as devices might send them; half of the items depend on each other."""
    rng = np.random.default_rng(seed)
    n_items = len(design.items)
    items = rng.random((n, n_items)) < np.linspace(0.2, 0.7, n_items)
    items |= (rng.random((n, 1)) < 0.2) & (np.arange(n_items) % 2 == 0)
    return BitMatrix.from_booleans(design, items, rng.random(n) < 0.3)


def every_estimate(matrix: BitMatrix, max_size: int) -> dict[Columns, Estimate]:
    """Estimate every possible itemset, one by one."""
    design = matrix.design
    found = {}
    for items in chain.from_iterable(
        combinations(range(len(design.items)), size) for size in range(1, max_size + 1)
    ):
        questions = [design.items[item].question for item in items]
        single = [number for number in questions if design.questions[number].kind == "single"]
        if len(set(single)) < len(single):
            continue
        requests = required_counts([items], design)
        counts = SupportCounts.from_array(requests, count(matrix, requests))
        if sum(counts[asked_columns(items, design)]):
            found[items] = estimate(counts, items, design)
    return found


def subsets(items: Columns) -> list[Columns]:
    return [part for size in range(1, len(items) + 1) for part in combinations(items, size)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("matrix", "support"),
    [
        pytest.param(EVERYTHING_MATRIX, 0.1, marks=pytest.mark.soak),
        (disguised(grouped([6], p=4000, theta=4000), 300, seed=2), 0.2),
        (disguised(grouped([2, 3, 1], p=7000), 500, seed=3), 0.25),
        (disguised(undisguised(6), 200, seed=4), 0.3),
    ],
    ids=["everything", "one block", "three blocks", "open"],
)
def test_the_search_matches_an_exhaustive_enumeration(matrix: BitMatrix, support: float) -> None:
    everything = every_estimate(matrix, 4)
    for policy, margin in (("inclusive", 1.959963984540054), ("estimate", 0.0)):
        thresholds = Thresholds(support=support, max_size=4, policy=policy)
        search_result = examine(CountCache(matrix), matrix.design, thresholds)
        reached = {
            items
            for items, found in everything.items()
            if found.value + margin * found.standard_error >= support - 1e-12
        }
        kept = {items for items in everything if reached.issuperset(subsets(items))}
        listed = {items for items in kept if everything[items].value >= support - 1e-12}
        assert list(search_result.frequent) == sorted(kept, key=lambda items: (len(items), items)), policy
        assert set(listed_of(search_result)) == listed, policy
        assert listed
        assert kept != set(everything)
        values = [everything[items].value for items in search_result.frequent]
        assert search_result.estimates.value == pytest.approx(values, abs=1e-12), policy


def listed_of(search_result: SearchResult) -> list[Columns]:
    return [items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_undisguised_searches_match_mlxtend_apriori(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 400))
    rows = rng.random((n, 6)) < rng.uniform(0.2, 0.9, size=6)
    some, everyone = rng.random(n) < 0.4, np.ones(n, dtype=bool)
    expected = frequent_itemsets(rows, support=0.25, max_size=4)
    for design, direct in (
        (undisguised(6), some), (grouped([2, 4], p=10_000), some), (grouped([2, 4]), everyone)
    ):  # fmt: skip
        count_cache = CountCache(BitMatrix.from_booleans(design, rows, direct))
        search_result = examine(count_cache, design, Thresholds(support=0.25, max_size=4))
        assert listed_of(search_result) == list(expected)
        values = search_result.estimates.value[search_result.listed]
        assert values == pytest.approx(list(expected.values()), abs=1e-12)


def test_a_support_exactly_at_the_threshold_is_listed() -> None:
    rows = np.zeros((20, 2), dtype=bool)
    rows[0] = True
    count_cache = CountCache(BitMatrix.from_booleans(undisguised(2), rows, np.arange(20) < 7))
    assert listed_of(examine(count_cache, undisguised(2), Thresholds(support=0.05))) == [(0,), (1,), (0, 1)]


def test_the_search_stops_at_the_maximum_itemset_size() -> None:
    matrix = disguised(grouped([6]), 300, seed=5)
    search_result = examine(CountCache(matrix), matrix.design, Thresholds(support=0.01, max_size=2))
    assert max(map(len, search_result.frequent)) == 2
    assert search_result.n_candidates == 6 + 15


def test_the_inclusive_policy_finds_sets_with_an_infrequent_subset() -> None:
    # With p = theta = 1/2, a share of .32 for item 0 gives an estimate of (.32 - .25)/.5 = .14, below .2, and
    # .30 for both items gives (.30 - .125)/.5 = .35. This is impossible for true supports, but not for
    # estimates.
    design = grouped([2], p=5000, theta=5000)
    rows = np.zeros((100, 2), dtype=bool)
    rows[:32, 0] = True
    rows[:30, 1] = rows[32:80, 1] = True
    count_cache = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(100, dtype=bool)))
    inclusive, strict = (
        listed_of(examine(count_cache, design, Thresholds(support=0.2, policy=policy))) for policy in POLICIES
    )
    assert (inclusive, strict) == ([(1,), (0, 1)], [(1,)])


def test_unasked_items_are_omitted_and_the_rest_is_mined() -> None:
    design = EVERYTHING
    is_asked = np.ones((50, len(design.questions)), dtype=bool)
    is_asked[:, design.question_number("age")] = False
    items = np.random.default_rng(6).random((50, len(design.items))) < 0.5
    items[:, [design.item(f"age={age}").index for age in (22, 27, 32)]] = False
    matrix = BitMatrix.from_booleans(design, items, np.zeros(50, dtype=bool), is_asked=is_asked)
    count_cache = CountCache(matrix)
    found = examine(count_cache, design, Thresholds(support=0.1, max_size=2))
    ages = {design.item(f"age={age}").index for age in (22, 27, 32)}
    assert not ages & set(chain.from_iterable(found.frequent))
    assert design.item("married").index in set(chain.from_iterable(found.frequent))
    assert len(estimate_itemsets(count_cache, design, [(0,), (design.item("married").index,)])) == 1


def test_designs_whose_block_carries_no_information_are_rejected() -> None:
    matrix = disguised(grouped([2], p=0), 100, seed=8)
    with pytest.raises(PrivacyError, match="p = 0 carries no information"):
        examine(CountCache(matrix), matrix.design, Thresholds(support=0.1))


def test_named_itemsets_are_estimated_regardless_of_support() -> None:
    matrix = disguised(grouped([3]), 400, seed=9)
    table = estimate_itemsets(CountCache(matrix), matrix.design, [(0, 1), (2,), (0, 1)])
    assert table.itemsets == ((2,), (0, 1))
    counts = SupportCounts.from_array([(), (0, 1)], count(matrix, [(), (0, 1)]))
    assert table[1].estimate == estimate(counts, (0, 1), matrix.design)
    assert table[1].interval == support_intervals(counts, [(0, 1)], matrix.design)[0]


def test_supports_of_fairs_survey_match_the_published_values() -> None:
    women = example_data()
    rows = np.column_stack([women["affairs"] > 0, women["rate_marriage"] <= 3, women["religious"] <= 2])
    supports = frequent_itemsets(rows, support=0.1, max_size=2)
    assert [round(supports[items], 3) for items in ((0,), (1,), (2,), (0, 1))] == [0.322, 0.226, 0.516, 0.132]


@pytest.mark.parametrize("policy", POLICIES)
def test_itemsets_with_too_few_fully_asked_protected_rows_are_dropped(policy: Policy) -> None:
    thresholds = Thresholds(support=0.05, max_size=4, policy=policy)
    count_cache = CountCache(EVERYTHING_MATRIX)
    everything = examine(count_cache, EVERYTHING, thresholds)
    sizes = dict(zip(everything.frequent, everything.estimates.n_protected.tolist(), strict=True))
    least = int(np.median(list(sizes.values())))
    some = examine(count_cache, EVERYTHING, thresholds, least_protected=least)
    assert set(some.frequent) == {items for items, n in sizes.items() if n >= least} != set(sizes)
    assert len(some.listed) == len(some.estimates) == len(some.frequent)


def test_a_list_that_is_too_long_is_refused_with_the_support_that_shortens_it() -> None:
    """Without the smallest two of four, the least support above .2004 of three decimals is .201."""
    result: Any = SimpleNamespace(
        listed=np.array([True, True, False, True, True]),
        levels=(np.array([[0], [1], [2]]), np.array([[0, 1], [0, 2]])),
        estimates=SimpleNamespace(value=np.array([0.5, 0.2004, 0.9, 0.1, 0.3])),
    )
    check_length(result, 4)
    with pytest.raises(PrivacyError) as caught:
        check_length(result, 2)
    assert (caught.value.code, caught.value.value) == ("max_itemsets", 4)
    # Each pair can be a rule in two ways.
    assert "4 rules" in caught.value.message
    assert "0.201" in caught.value.remedy


def test_undisguised_sets_are_not_listed_if_their_open_answers_may_not_be_shown() -> None:
    """80 people: a and c cross evenly, 20 in each cell, but only 5 of those with a have b."""
    a, b, c = np.arange(80) % 2 == 1, np.arange(80) < 10, np.arange(80) // 2 % 2 == 1
    design = undisguised(3)
    cache = CountCache(BitMatrix.from_booleans(design, np.column_stack([a, b, c]), np.zeros(80, dtype=bool)))
    every = examine_undisguised(cache, Thresholds(support=0.05, max_size=2))
    assert [level.tolist() for level in every.levels] == [[[0], [1], [2]], [[0, 1], [0, 2], [1, 2]]]
    assert every.estimates.value.tolist() == pytest.approx([0.5, 0.125, 0.5, 0.0625, 0.25, 0.05])
    few = examine_undisguised(cache, Thresholds(support=0.05, max_size=2), floor=OpenFloor(least=10))
    assert [level.tolist() for level in few.levels] == [[[0], [1], [2]], [[0, 2]]]
    none = examine_undisguised(cache, Thresholds(support=0.6, max_size=2), floor=OpenFloor(least=10))
    assert (none.levels, len(none.estimates.value)) == ((), 0)


def test_itemsets_are_published_if_enough_disguised_rows_were_asked_everything() -> None:
    """Of 12 rows, 5 are direct; the disguised 7 suffice for a limit of 7, not of 8."""
    design = grouped([2])
    rows = np.ones((12, 2), dtype=bool)
    cache = CountCache(BitMatrix.from_booleans(design, rows, np.arange(12) < 5))
    wanted = [(0,), (0, 1), (0,)]

    def kept(least: int, floor: OpenFloor = SHOW_ALL) -> list[Columns]:
        return releasable_itemsets(cache, wanted, least_protected=least, floor=floor)

    assert kept(7) == [(0,), (0, 1)]
    assert kept(7, OpenFloor(least=10)) == [(0,), (0, 1)]
    limits = [least for least in range(14) if kept(least)]
    assert limits == list(range(8))
    empty = CountCache(BitMatrix.from_booleans(design, rows[:0], np.zeros(0, dtype=bool)))
    assert releasable_itemsets(empty, wanted, least_protected=0, floor=SHOW_ALL) == []
