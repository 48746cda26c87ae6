"""None"""

from __future__ import annotations

import itertools
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.datasets import fair

from benchmarks.simulation import study_design
from mining import itemsets
from mining.candidates import frequent_itemsets
from mining.columns import count_cache
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache, PrecomputedCounts
from mining.columns.counting import count_places
from mining.itemsets import SearchResult, estimate_itemsets, examine, promising
from mining.thresholds import Policy, Thresholds
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import BLANK, index_of
from privacy.estimation.draw_tests import draw_terms
from privacy.estimation.estimates import Estimate, asked_columns, estimate, estimates
from privacy.estimation.intervals import support_intervals
from privacy.estimation.required_counts import required_counts
from privacy.survey.booklets import Rotation
from privacy.survey.design import Design
from tests.fixtures.questionnaires import EVERYTHING, bodies, grouped, true_rows, undisguised
from tests.mining.columns.counted import count
from tests.privacy.estimation.designs import ROTATING, design, opened, protected, yes_no
from tests.privacy.estimation.drawn_rows import a_law, counted, sent, share_of
from tests.privacy.estimation.records import columns

POLICIES: tuple[Policy, Policy] = ("inclusive", "estimate")
EVERYTHING_MATRIX = BitMatrix.from_rows(
    EVERYTHING,
    bodies(EVERYTHING, true_rows(900, seed=1), np.random.default_rng(1).random(900) < 0.25, seed=1),
)


def disguised(design: Design, n: int, seed: int) -> BitMatrix:
    """Rows as devices might send them; half of the items hang together."""
    rng = np.random.default_rng(seed)
    n_items = len(design.items)
    items = rng.random((n, n_items)) < np.linspace(0.2, 0.7, n_items)
    items |= (rng.random((n, 1)) < 0.2) & (np.arange(n_items) % 2 == 0)
    return BitMatrix.from_booleans(design, items, rng.random(n) < 0.3)


def every_estimate(matrix: BitMatrix, max_size: int) -> dict[Columns, Estimate]:
    """Estimate every itemset there is, one by one."""
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


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    ("matrix", "support"),
    [
        (EVERYTHING_MATRIX, 0.1),
        (disguised(grouped([6], p=4000, theta=4000), 300, seed=2), 0.2),
        (disguised(grouped([2, 3, 1], p=7000), 500, seed=3), 0.25),
        (disguised(undisguised(6), 200, seed=4), 0.3),
    ],
    ids=["everything", "one block", "three blocks", "open"],
)
def test_the_search_lists_what_an_exhaustive_enumeration_lists(
    matrix: BitMatrix, support: float, policy: Any
) -> None:
    thresholds = Thresholds(support=support, max_size=4, policy=policy)
    search_result = examine(CountCache(matrix), matrix.design, thresholds)
    everything = every_estimate(matrix, 4)
    margin = 1.959963984540054 if policy == "inclusive" else 0.0

    def is_kept(items: Columns) -> bool:
        found = everything.get(items)
        return found is not None and found.value + margin * found.standard_error >= support - 1e-12

    kept = {items for items in everything if all(map(is_kept, subsets(items)))}
    listed = {items for items in kept if everything[items].value >= support - 1e-12}
    assert list(search_result.frequent) == sorted(kept, key=lambda items: (len(items), items))
    assert {
        items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on
    } == listed
    assert listed
    assert kept != set(everything)
    for position, items in enumerate(search_result.frequent):
        assert search_result.estimates[position].value == pytest.approx(everything[items].value, abs=1e-12)


def listed_of(search_result: SearchResult) -> list[Columns]:
    return [items for items, on in zip(search_result.frequent, search_result.listed, strict=True) if on]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("groups", ["open", "p = 1", "all direct"])
def test_where_nothing_is_disguised_the_search_finds_what_mlxtends_apriori_finds(
    groups: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 400))
    rows = rng.random((n, 6)) < rng.uniform(0.2, 0.9, size=6)
    direct = np.ones(n, dtype=bool) if groups == "all direct" else rng.random(n) < 0.4
    design = {"open": undisguised(6), "p = 1": grouped([2, 4], p=10_000), "all direct": grouped([2, 4])}[
        groups
    ]
    expected = frequent_itemsets(rows, support=0.25, max_size=4)
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


def test_nothing_is_searched_beyond_the_longest_itemset() -> None:
    matrix = disguised(grouped([6]), 300, seed=5)
    search_result = examine(CountCache(matrix), matrix.design, Thresholds(support=0.01, max_size=2))
    assert max(map(len, search_result.frequent)) == 2
    assert search_result.n_candidates == 6 + 15


def test_the_inclusive_policy_finds_a_set_whose_subset_came_out_too_small() -> None:
    # Under p = theta = 1/2 a share of .32 for item 0 is an estimate of (.32 - .25)/.5 = .14, too small for
    # .2; .30 for both items is (.30 - .125)/.5 = .35. No true answers look so, estimates may.
    design = grouped([2], p=5000, theta=5000)
    rows = np.zeros((100, 2), dtype=bool)
    rows[:32, 0] = True
    rows[:30, 1] = rows[32:80, 1] = True
    count_cache = CountCache(BitMatrix.from_booleans(design, rows, np.zeros(100, dtype=bool)))
    inclusive, strict = (
        listed_of(examine(count_cache, design, Thresholds(support=0.2, policy=policy))) for policy in POLICIES
    )
    assert (inclusive, strict) == ([(1,), (0, 1)], [(1,)])


def test_an_item_that_nobody_was_asked_is_left_out_and_the_rest_is_mined() -> None:
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


def test_it_refuses_a_design_whose_block_tells_nothing() -> None:
    matrix = disguised(grouped([2], p=0), 100, seed=8)
    with pytest.raises(PrivacyError, match="p = 0 carries no information"):
        examine(CountCache(matrix), matrix.design, Thresholds(support=0.1))


def test_named_itemsets_are_estimated_whatever_their_support() -> None:
    matrix = disguised(grouped([3]), 400, seed=9)
    table = estimate_itemsets(CountCache(matrix), matrix.design, [(0, 1), (2,), (0, 1)])
    assert table.itemsets == ((2,), (0, 1))
    counts = SupportCounts.from_array([(), (0, 1)], count(matrix, [(), (0, 1)]))
    assert table[1].estimate == estimate(counts, (0, 1), matrix.design)
    assert table[1].interval == support_intervals(counts, [(0, 1)], matrix.design)[0]


def test_the_supports_of_fairs_survey_are_those_that_were_published_with_the_design() -> None:
    women = fair.load_pandas().data
    rows = np.column_stack([women["affairs"] > 0, women["rate_marriage"] <= 3, women["religious"] <= 2])
    supports = frequent_itemsets(rows, support=0.1, max_size=2)
    assert [round(supports[items], 3) for items in ((0,), (1,), (2,), (0, 1))] == [0.322, 0.226, 0.516, 0.132]


@pytest.mark.parametrize("policy", POLICIES)
def test_nothing_is_kept_of_which_too_few_protected_rows_were_asked_everything(policy: Policy) -> None:
    thresholds = Thresholds(support=0.05, max_size=4, policy=policy)
    count_cache = CountCache(EVERYTHING_MATRIX)
    everything = examine(count_cache, EVERYTHING, thresholds)
    sizes = dict(zip(everything.frequent, everything.estimates.n_protected.tolist(), strict=True))
    least = int(np.median(list(sizes.values())))
    some = examine(count_cache, EVERYTHING, thresholds, least_protected=least)
    assert set(some.frequent) == {items for items, n in sizes.items() if n >= least} != set(sizes)
    assert len(some.listed) == len(some.estimates) == len(some.frequent)


ACROSS = design(
    protected("b", 6000, yes_no("a", 5000), yes_no("b", 2500), yes_no("c", 5000), asks=2),
    protected("c", 5000, yes_no("d", 4000)),
    protected("d", 7000, yes_no("e", 5000), yes_no("f", 5000), asks=1),
)
SENT_AS_THEY_ARE = design(
    opened("o", yes_no("oa")),
    protected("b", 5000, yes_no("a", 5000)),
    protected("c", 6000, yes_no("c", 5000)),
    protected("d", 10_000, yes_no("d", 5000)),
    rotations=(Rotation(blocks=("b", "c", "d"), parts_per_person=2),),
)
DESIGNS = {**ROTATING, "across": ACROSS, "sent as they are": SENT_AS_THEY_ARE}


def whole_survey(asked: Design, direct: Fraction) -> tuple[CountCache, dict[Columns, Fraction]]:
    """The counts of a survey whose rows are as frequent as they are likely, and the true shares."""
    law = a_law(asked, seed=5, direct=direct)
    index = index_of(asked)
    every = [
        items
        for size in (1, 2, 3)
        for items in itertools.combinations(range(len(asked.items)), size)
        if index.excluded(items) is None and index.reachable(np.array([items]))[0]
    ]
    needed = list(dict.fromkeys((*required_counts(every, asked), *draw_terms(asked))))
    rows = sent(asked, law)
    counts = counted(asked, rows, needed, all_rows=True)
    requests = np.full((len(needed), max(map(len, needed))), BLANK, dtype=np.int64)
    for request, wanted in zip(requests, needed, strict=True):
        request[len(request) - len(wanted) :] = wanted
    kept = PrecomputedCounts(requests=requests, counts=np.array([counts[wanted] for wanted in needed]))
    # One row of each kind, so that the columns are as different as those of the survey.
    shown = np.zeros((len(rows), len(asked.items) + len(asked.questions) + len(asked.blocks)), dtype=bool)
    for table_row, row in zip(shown, rows, strict=True):
        table_row[list(columns(asked, row))] = True
    ends = np.cumsum([len(asked.items), len(asked.questions)])
    items, given, answered = np.split(shown, ends, axis=1)
    directly = np.array([row.direct for row in rows])
    matrix = BitMatrix.from_booleans(asked, items, directly, is_asked=given, answered=answered)
    return CountCache(matrix, precomputed=kept), {items: share_of(asked, law, items) for items in every}


@pytest.mark.slow
@pytest.mark.parametrize("direct", [Fraction(0), Fraction(1, 4)])
@pytest.mark.parametrize("name", DESIGNS)
def test_a_support_is_reached_where_the_truth_reaches_it_and_not_a_thousandth_above(
    name: str, direct: Fraction
) -> None:
    asked = DESIGNS[name]
    cache, truth = whole_survey(asked, direct)
    counts = cache.need(required_counts(truth, asked))
    levels = [np.array([items for items in truth if len(items) == size]) for size in (1, 2)]
    known = [estimates(counts, list(map(tuple, level.tolist())), asked) for level in levels]
    index, looked_at = index_of(asked), 0
    for items in (items for items in truth if len(items) > 1):
        candidate = np.array([items])
        share = estimates(counts, [items], asked).value[0]
        assert share == pytest.approx(float(truth[items]), abs=1e-9)
        left = [
            len(
                promising(
                    cache,
                    candidate,
                    levels,
                    known,
                    Thresholds(support=share + more, policy="estimate"),
                )
            )
            for more in (0.0, 0.001)
        ]
        plain = index.is_drawn[list(items)].any() and (index.base[list(items)] == BLANK).all()
        assert left == [1, 0 if plain else 1], items
        looked_at += bool(plain)
    assert looked_at or name == "beside others"


def drawn(
    parts: int, questions: int, p: int, truth: NDArray[np.bool_], rng: np.random.Generator
) -> BitMatrix:
    """Rows of parts that ask each person two questions fewer than they have, a fifth of them undisguised."""
    n, asks = len(truth), questions - 2
    direct = rng.random(n) < 0.2
    asked = rng.permuted(np.tile(np.arange(questions) < asks, (n, parts, 1)), axis=2)
    decoy = ~direct[:, None] & (rng.random((n, parts)) >= p / 10_000)
    unrelated = rng.random(asked.shape) < 0.3
    shown = np.where(decoy[:, :, None], unrelated, truth.reshape(asked.shape)) & asked
    asking = study_design([questions] * parts, truth_probability=p, unrelated=3000, questions_per_person=asks)
    return BitMatrix.from_booleans(asking, shown.reshape(n, -1), direct, is_asked=asked.reshape(n, -1))


@pytest.mark.parametrize("policy", ["estimate", "inclusive"])
@pytest.mark.parametrize("p", [3000, 8000])
def test_a_search_finds_what_it_finds_without_and_counts_less(
    p: int, policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(p)
    # One wish that all answers share makes them depend on each other.
    truth = rng.random((200_000, 10)) + 0.3 * rng.random((200_000, 1)) < (0.1, 0.3, 0.4, 0.6, 0.8) * 2
    matrix = drawn(2, 5, p, truth, rng)
    thresholds = Thresholds(support=0.1, policy=policy)
    sets: list[int] = []

    def search() -> SearchResult:
        sets.append(0)
        return examine(CountCache(matrix, engine="numpy"), matrix.design, thresholds)

    def counting(matrix: BitMatrix, places: NDArray[np.int64], **how: Any) -> NDArray[np.int64]:
        sets[-1] += len(places)
        return count_places(matrix, places, **how)

    monkeypatch.setattr(count_cache, "count_places", counting)
    sets.append(0)
    assert CountCache(matrix, engine="numpy").all_rows
    found = search()
    with monkeypatch.context() as patch:
        patch.setattr(itemsets, "promising", lambda _cache, candidates, *_rest: candidates)
        expected = search()
    assert found.frequent == expected.frequent
    assert found.estimates.value.tolist() == expected.estimates.value.tolist()
    assert found.n_candidates == expected.n_candidates
    assert sets[1] < sets[2]
    # Where errors of this size were wanted, true ones would be missed: the comparison would see it.
    monkeypatch.setattr("mining.itemsets.SCREENING_ERRORS", -8.0)
    assert len(search().frequent) < len(expected.frequent)


def test_a_level_without_candidates_ends_the_search() -> None:
    rng = np.random.default_rng(1)
    # No respondent has two of them.
    matrix = drawn(1, 4, 8000, np.eye(4, dtype=bool)[rng.integers(0, 4, 50_000)], rng)
    found = examine(
        CountCache(matrix, engine="numpy"), matrix.design, Thresholds(support=0.2, policy="estimate")
    )
    assert [len(level) for level in found.levels] == [4, 0]
    assert found.n_candidates == 4 + 6
