"""Candidates that complete rows rule out: exact where every row counts as often as it is likely."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.simulation import study_design
from mining import itemsets
from mining.columns import count_cache
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.counting import count_places
from mining.columns.precomputed_counts import PrecomputedCounts
from mining.itemsets import SearchResult, examine
from mining.screening import promising
from mining.thresholds import Policy, Thresholds
from privacy.estimation import Columns, estimates, required_counts
from privacy.estimation.design_index import BLANK, index_of
from privacy.estimation.draw_tests import draw_terms
from privacy.estimation.moments import Estimator
from privacy.survey.booklets import Rotation
from privacy.survey.design import Design
from tests.privacy.estimation.designs import ROTATING, design, opened, protected, yes_no
from tests.privacy.estimation.drawn_rows import a_law, counted, sent, share_of
from tests.privacy.estimation.records import columns

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
@pytest.mark.parametrize(
    ("direct", "estimator"),
    [(Fraction(0), "stratified"), (Fraction(1, 4), "stratified"), (Fraction(1, 4), "pooled")],
)
@pytest.mark.parametrize("name", DESIGNS)
def test_a_support_is_reached_where_the_truth_reaches_it_and_not_a_thousandth_above(
    name: str, direct: Fraction, estimator: Estimator
) -> None:
    asked = DESIGNS[name]
    cache, truth = whole_survey(asked, direct)
    counts = cache.need(required_counts(truth, asked))
    levels = [np.array([items for items in truth if len(items) == size]) for size in (1, 2)]
    known = [
        estimates(counts, list(map(tuple, level.tolist())), asked, estimator=estimator) for level in levels
    ]
    index, looked_at = index_of(asked), 0
    for items in (items for items in truth if len(items) > 1):
        candidate = np.array([items])
        # The pooled estimate is of another share where the groups differ: of what it says itself.
        share = estimates(counts, [items], asked, estimator=estimator).value[0]
        if estimator == "stratified":
            assert share == pytest.approx(float(truth[items]), abs=1e-9)
        left = [
            len(
                promising(
                    cache,
                    candidate,
                    levels,
                    known,
                    Thresholds(support=share + more, policy="estimate", estimator=estimator),
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
    monkeypatch.setattr("mining.screening.SCREENING_ERRORS", -8.0)
    assert len(search().frequent) < len(expected.frequent)


def test_a_level_without_candidates_ends_the_search() -> None:
    rng = np.random.default_rng(1)
    # Nobody has two of them.
    matrix = drawn(1, 4, 8000, np.eye(4, dtype=bool)[rng.integers(0, 4, 50_000)], rng)
    found = examine(
        CountCache(matrix, engine="numpy"), matrix.design, Thresholds(support=0.2, policy="estimate")
    )
    assert [len(level) for level in found.levels] == [4, 0]
    assert found.n_candidates == 4 + 6
