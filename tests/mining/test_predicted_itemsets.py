"""Predicted itemsets: whom they count, which of them are listed, and what their ends and bases are."""

import functools
import itertools
import random

import numpy as np
import pytest

from mining import predicted_itemsets
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.itemsets import estimate_itemsets
from mining.predicted_itemsets import (
    LEVEL_OF_PREDICTIONS,
    BorrowedItemset,
    about_borrowed,
    borrowed_columns,
    borrowed_itemsets,
    count_asked,
    pair_figures,
    predicted_pairs,
)
from privacy.estimation.borrowed_pairs import borrow, publishable_pairs
from privacy.survey.layout import Layout, Record
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.rotating_exports import body_of, three_of_eight

DESIGN = definition_parse(three_of_eight()).design
ITEMS = [DESIGN.item(f"q{number}").index for number in range(8)]


@functools.cache
def rows(n: int) -> tuple[bytes, ...]:
    rng = random.Random(4)
    return tuple(row for row in (body_of(DESIGN, rng) for _ in range(n)) if row is not None)


def cache_of(n: int) -> CountCache:
    return CountCache(BitMatrix.from_rows(DESIGN, b"".join(rows(n))))


@functools.cache
def records(n: int) -> tuple[Record, ...]:
    return tuple(map(Layout(DESIGN).unpack, rows(n)))


def asked(n: int, *items: int) -> int:
    """Count the rows that drew these questions, whether or not they skipped them, from their records."""
    return sum({ITEMS.index(item) for item in items} <= {*record.drawn[1]} for record in records(n))


@pytest.mark.parametrize("as_planned", [True, False])
def test_errors_are_those_of_all_rows_if_devices_drew_as_planned(
    as_planned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CountCache, "all_rows", as_planned)
    figures = pair_figures(cache_of(1_500))
    assert figures is not None
    assert figures.all_rows is as_planned


def test_pairs_count_the_rows_that_drew_both() -> None:
    figures = pair_figures(cache_of(1_500))
    assert figures is not None
    assert figures.items.tolist() == ITEMS
    assert figures.pairs.tolist() == [*map(list, itertools.combinations(range(8), 2))]
    for (first, second), (direct, disguised) in zip(
        figures.pairs.tolist(), figures.asked_both.tolist(), strict=True
    ):
        assert (direct, disguised) == (0, asked(1_500, ITEMS[first], ITEMS[second]))
    assert figures.n_asked.tolist() == [[0, asked(1_500, item)] for item in ITEMS]
    assert figures.n == 1_500
    # A share is the mean score of those who drew the question: p = .75, 12% of decoys skip, others say
    # "yes" with .3 or .5.
    for at, share in enumerate(figures.shares.tolist()):
        said = [record.answers[1][at] == 1 for record in records(1_500) if at in record.drawn[1]]
        decoy = 0.88 * (0.5 if at else 0.3)
        assert share == pytest.approx((np.mean(said) - 0.25 * decoy) / 0.75)
    sets = np.array([ITEMS[:3], ITEMS[2:5]])
    assert count_asked(cache_of(1_500), sets).tolist() == [asked(1_500, *own) for own in sets.tolist()]


def test_fewer_than_three_items_that_100_people_drew_predict_nothing() -> None:
    # Three of eight questions each: about 100 of 270 people draw a question.
    for n in (100, 250, 270, 280, 600):
        enough = sum(asked(n, item) >= 100 for item in ITEMS)
        figures = pair_figures(cache_of(n))
        assert (figures is None) == (enough < 3)
        assert figures is None or len(figures.items) == enough
        if figures is None:
            assert predicted_pairs(cache_of(n)) is None
            assert borrowed_itemsets(cache_of(n), least=0.0, size=3) == []


def test_pairs_that_cannot_be_borrowed_are_not_predicted(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = cache_of(1_500)
    found = predicted_pairs(cache)
    assert found is not None
    assert (found[1].value == borrow(found[0]).value).all()  # type: ignore[union-attr]
    monkeypatch.setattr(predicted_itemsets, "borrow", lambda _kept: None)
    assert predicted_pairs(cache) is None
    assert borrowed_itemsets(cache, least=0.0, size=3) == []


def test_listed_pairs_reach_the_support_or_are_asked_for() -> None:
    cache = cache_of(1_500)
    figures = publishable_pairs(pair_figures(cache))  # type: ignore[arg-type]
    pairs = borrow(figures)
    assert pairs is not None
    least = float(np.sort(pairs.value)[10])
    keys = [tuple(ITEMS[place] for place in pair) for pair in figures.pairs.tolist()]
    rare = keys[int(pairs.value.argmin())]
    listed = {own.items: own for own in borrowed_itemsets(cache, least=least, size=2)}
    # The support itself counts as reached.
    reached = {key for key, value in zip(keys, pairs.value, strict=True) if value >= least - 1e-9}
    assert len(reached) == len(keys) - 10
    assert {*listed} == {
        key
        for key, shrunk in zip(keys, pairs.is_shrunk.tolist(), strict=True)
        if key in reached and (shrunk or asked(1_500, *key) < 100)
    }
    also = {own.items for own in borrowed_itemsets(cache, least=least, size=2, also=[rare, (0, rare[0])])}
    assert also - {*listed} <= {rare}
    for key, own in listed.items():
        place = keys.index(key)
        assert (own.value, own.low, own.high) == (
            pairs.value[place], pairs.low[place], pairs.high[place],
        )  # fmt: skip
        # A prediction rests on shares, so its effective n is that of the share with the fewest rows.
        assert (own.n, own.effective_n) == (asked(1_500, *key), min(asked(1_500, item) for item in key))
        expected = "shrunk" if pairs.is_shrunk[place] else "pooled"
        assert own.method == (expected if pairs.is_determined else "not determined")
    assert borrowed_itemsets(cache, least=0.0, size=1) == []


def test_larger_sets_are_no_more_frequent_than_their_subsets() -> None:
    cache = cache_of(1_500)
    found = {own.items: own for own in borrowed_itemsets(cache, least=0.0, size=4)}
    assert {len(items) for items in found} == {2, 3, 4}
    assert [*map(len, found)] == sorted(map(len, found))
    for items, own in found.items():
        if len(items) == 2:
            continue
        subsets = [found.get(tuple(sub)) for sub in itertools.combinations(items, len(items) - 1)]
        known = [sub for sub in subsets if sub is not None]
        assert own.low == 0
        assert own.estimable
        assert own.value <= min(sub.value for sub in known) + 1e-12
        if len(known) == len(items):
            assert own.high == min(sub.high for sub in known)
        assert (own.n, own.effective_n) == (
            asked(1_500, *items), min(asked(1_500, item) for item in items),
        )  # fmt: skip
    longest = {own.items for own in borrowed_itemsets(cache, least=0.0, size=9)}
    assert longest == {*found}
    limited = {own.items for own in borrowed_itemsets(cache, least=0.0, size=3)}
    assert limited == {items for items in found if len(items) < 4}
    some = sorted(items for items in found if len(items) == 3)[0]
    high = max(own.value for own in found.values()) + 0.1
    assert [own.items for own in borrowed_itemsets(cache, least=high, size=3, also=[some])] == [some]


def test_only_the_interval_of_an_undetermined_prediction_is_printed() -> None:
    def basis(method: str, *, estimable: bool = True) -> str:
        return BorrowedItemset(
            items=(1, 2), value=0.2, low=0.1, high=0.3, standard_error=None, estimable=estimable, n=50,
            effective_n=500.0, level=0.95, possible=(0.0, 1.0), method=method, shift=None,
            origin=predicted_itemsets.UNCHECKED,
        ).basis  # type: ignore[arg-type]  # fmt: skip

    assert [basis(method) for method in ("shrunk", "pooled", "not determined")] == [
        "estimate", "estimate", "between",
    ]  # fmt: skip
    assert basis("not determined", estimable=False) == basis("shrunk", estimable=False) == "too few"


def test_tables_of_predictions_state_their_level_and_methods() -> None:
    about = about_borrowed(["direct", "shrunk", "direct"])
    assert about["level"] == LEVEL_OF_PREDICTIONS
    assert about["method"] == [
        predicted_itemsets.about_estimates([method], shift=0.0, origin=predicted_itemsets.CHECKED)["method"][
            0
        ]
        for method in ("scores", "shrunk")
    ]


def test_tables_join_predictions_with_direct_estimates() -> None:
    """Single items are direct; pairs are predicted, and have a direct estimate if 100 people drew both."""
    cache = cache_of(1_500)
    direct = estimate_itemsets(cache, DESIGN, [(ITEMS[0],), (ITEMS[0], ITEMS[1])])
    columns, itemsets = borrowed_columns(cache, direct, least=0.1, size=2)
    found = {own.items: own for own in borrowed_itemsets(cache, least=0.1, size=2, also=direct.itemsets)}
    assert itemsets == sorted(itemsets, key=lambda items: (len(items), items))
    assert set(itemsets) == {(ITEMS[0],), *found}
    assert columns["level"] == [0.95] * len(itemsets)
    for place, items in enumerate(itemsets):
        alone, predicted, low, high, n, basis = (
            columns[name][place] for name in ("direct", "borrowed", "low", "high", "asked", "basis")
        )
        if len(items) == 1:
            assert (alone, n, basis) == (direct.estimates.value[0], asked(1_500, *items), "direct")
            assert (low, high) == (direct.interval.low[0], direct.interval.high[0])
            assert predicted == alone
            continue
        own = found[items]
        assert (predicted, low, high, n, basis) == (own.value, own.low, own.high, own.n, own.method)
        assert n == asked(1_500, *items)
        assert np.isnan(alone) == (n < 100)
    pair = itemsets.index((ITEMS[0], ITEMS[1]))
    assert columns["direct"][pair] == direct.estimates.value[1]


def test_pairs_that_fewer_than_100_were_asked_have_no_direct_estimate() -> None:
    """Each of 1,000 people draws three of eight questions, so a pair is asked of about 107."""
    cache = cache_of(1_000)
    columns, itemsets = borrowed_columns(cache, estimate_itemsets(cache, DESIGN, []), least=0.0, size=2)
    pairs = [place for place, items in enumerate(itemsets) if len(items) == 2]
    few = [asked(1_000, *itemsets[place]) < 100 for place in pairs]
    assert [bool(np.isnan(columns["direct"][place])) for place in pairs] == few
    assert 0 < sum(few) < len(few)
