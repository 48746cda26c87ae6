from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mining.columns import count_cache
from mining.columns import precomputed_counts as module
from mining.columns.bitmatrix import BitMatrix
from mining.columns.precomputed_counts import added, precomputed_counts, precomputed_requests
from mining.columns.remembered import key_of
from mining.pipeline import mine
from mining.thresholds import Thresholds
from privacy.estimation.draw_tests import draw_terms
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from tests.fixtures.questionnaires import EVERYTHING, bodies, grouped, true_rows
from tests.mining.columns.counted import count
from tests.privacy.estimation.designs import design, protected, yes_no

SIZE = Layout(EVERYTHING).n_bytes


def requests_of(design: Design) -> Any:
    requests = precomputed_requests(design)
    assert requests is not None
    return requests


def test_where_all_are_asked_everything_they_are_the_itemsets_of_up_to_three() -> None:
    requests = requests_of(grouped([13, 13]))
    assert len(requests) == 1 + 26 + 325 + 2600
    assert len(np.unique(requests, axis=0)) == len(requests)


def test_counts_of_batches_as_they_arrive_are_those_of_a_full_count() -> None:
    packed = bodies(EVERYTHING, true_rows(300, seed=5), np.random.default_rng(5).random(300) < 0.3, seed=5)
    requests = requests_of(EVERYTHING)
    arrived = [
        precomputed_counts(BitMatrix.from_rows(EVERYTHING, packed[start * SIZE : end * SIZE]), requests)
        for start, end in ((0, 50), (50, 111), (111, 300))
    ]
    total = added(arrived)
    assert np.array_equal(total.counts, count(BitMatrix.from_rows(EVERYTHING, packed), requests))


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize("policy", ["inclusive", "estimate"])
@pytest.mark.parametrize("support", [0.02, 0.1, 0.3])
def test_a_new_threshold_is_answered_without_a_look_at_any_row(
    policy: Any, support: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = bodies(EVERYTHING, true_rows(900, seed=6), np.random.default_rng(6).random(900) < 0.3, seed=6)
    matrix = BitMatrix.from_rows(EVERYTHING, packed)
    known = precomputed_counts(matrix, requests_of(EVERYTHING))
    thresholds = Thresholds(support=support, policy=policy, max_size=3)
    expected = mine(matrix, EVERYTHING, thresholds)

    def look(*arguments: object, **options: object) -> None:
        pytest.fail("a row was looked at")

    monkeypatch.setattr(count_cache, "count_places", look)
    found = mine(matrix, EVERYTHING, thresholds, precomputed=known)
    assert len(found.itemsets) > 3
    assert repr(list(found.itemsets)) == repr(list(expected.itemsets))
    assert found.rules.sides == expected.rules.sides
    assert repr(list(found.rules.measures)) == repr(list(expected.rules.measures))


def test_a_design_with_too_many_itemsets_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PRECOMPUTED", 41)
    precomputed_requests.cache_clear()
    assert precomputed_requests(grouped([6])) is None  # 42 sets
    assert len(requests_of(grouped([5]))) == 26
    assert precomputed_requests(grouped([20])) is None
    precomputed_requests.cache_clear()


def drawn(asks: int, total: int) -> Design:
    questions = (yes_no(f"q{number}", 5000) for number in range(total))
    return design(protected("b", 6000, *questions, asks=asks))


def test_what_the_tests_of_draws_count_is_kept_with_the_itemsets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = drawn(4, 6)
    rng = np.random.default_rng(4)
    order = rng.random((4000, 6)).argsort(axis=1)
    given = order < 4
    rows = given & (rng.random((4000, 6)) < 0.5)
    matrix = BitMatrix.from_booleans(asked, rows, np.zeros(4000, dtype=bool), is_asked=given)
    requests = requests_of(asked)
    kept_sets = {tuple(column for column in row if column >= 0) for row in requests.tolist()}
    assert kept_sets >= set(draw_terms(asked))
    assert len(kept_sets) == len(requests)
    known = precomputed_counts(matrix, requests)
    assert np.array_equal(known.counts, count(matrix, requests))
    thresholds = Thresholds(support=0.05, max_size=3)
    expected = mine(matrix, asked, thresholds)

    def look(*arguments: object, **options: object) -> None:
        pytest.fail("a row was looked at")

    monkeypatch.setattr(count_cache, "count_places", look)
    found = mine(matrix, asked, thresholds, precomputed=known)
    assert found.draw_tests.all_rows == expected.draw_tests.all_rows
    assert repr(list(found.itemsets)) == repr(list(expected.itemsets))


def test_booklets_too_long_for_a_machine_word_are_counted_from_the_rows() -> None:
    asked = drawn(14, 16)
    requests = requests_of(asked)
    assert requests.shape[1] == 3
    assert max(map(len, draw_terms(asked))) == 14
    assert key_of(np.sort(requests, axis=1), asked.n_columns).dtype == np.int64


def test_sixty_questions_of_which_devices_draw_four_of_each_ten_are_kept() -> None:
    parts = [
        protected(f"b{part}", 6000, *(yes_no(f"q{part}x{place}", 5000) for place in range(10)), asks=4)
        for part in range(6)
    ]
    assert len(requests_of(design(*parts))) == 282_221
