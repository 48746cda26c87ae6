from __future__ import annotations

from dataclasses import fields
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import count
from privacy.errors import PrivacyError
from privacy.estimation import Columns, SupportCounts, all_terms, asked, estimates
from privacy.estimation.bulk import BLANK, Bulk
from privacy.survey.design import Design
from tests.mining.cast import EVERYTHING, bodies, grouped, true_rows, undisguised

FIELDS = [field.name for field in fields(type(estimates(SupportCounts({(): (1, 0)}), [], grouped([1]))))]


def rows_of(design: Design, n: int, direct: float, seed: int) -> BitMatrix:
    rng = np.random.default_rng(seed)
    return BitMatrix.from_booleans(design, rng.random((n, len(design.items))) < 0.6, rng.random(n) < direct)


MATRICES = {
    "everything": BitMatrix.from_rows(
        EVERYTHING, bodies(EVERYTHING, true_rows(300, seed=1), np.arange(300) % 5 == 0, seed=1)
    ),
    "three blocks": rows_of(grouped([2, 3, 1], p=7000, theta=4000), 200, 0.3, seed=2),
    "no direct row": rows_of(grouped([3, 2], p=3000, theta=6000), 200, 0.0, seed=3),
    "direct rows only": rows_of(grouped([3, 2]), 200, 1.0, seed=4),
    "open": rows_of(undisguised(5), 200, 0.3, seed=5),
    "p = 1": rows_of(grouped([2, 2], p=10_000), 200, 0.3, seed=6),
    "direct rows of p = 0": rows_of(grouped([2, 2], p=0), 100, 1.0, seed=8),
    "three rows": rows_of(grouped([2, 2, 1], p=4000), 3, 0.3, seed=7),
}


def itemsets_of(matrix: BitMatrix, size: int) -> list[Columns]:
    """All itemsets of a size whose questions somebody was asked."""
    design = matrix.design
    found = []
    for items in combinations(range(len(design.items)), size):
        questions = [design.items[item].question for item in items]
        single = [number for number in questions if design.questions[number].kind == "single"]
        if len(set(single)) == len(single) and count(matrix, [asked(items, design)]).sum():
            found.append(items)
    return found


def counted(matrix: BitMatrix, requests: Any) -> Any:
    return count(
        matrix, [tuple(column for column in request if column != BLANK) for request in requests.tolist()]
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
@pytest.mark.parametrize("name", MATRICES)
def test_many_at_once_are_estimated_as_each_alone(name: str, estimator: Any, size: int) -> None:
    matrix = MATRICES[name]
    itemsets = itemsets_of(matrix, size)
    plan = Bulk(matrix.design).plan(np.array(itemsets))
    counts = counted(matrix, plan.requests)
    requests = all_terms(itemsets, matrix.design)
    expected = estimates(
        SupportCounts.from_array(requests, count(matrix, requests)),
        itemsets,
        matrix.design,
        estimator=estimator,
    )
    assert plan.values(counts, estimator) == pytest.approx(expected.value, rel=1e-9, abs=1e-12)
    some = np.arange(len(itemsets))[::-2]
    found = plan.estimates(counts, estimator, some)
    for field in FIELDS:
        if field == "estimator":
            assert found.estimator == estimator
        else:
            assert getattr(found, field) == pytest.approx(
                getattr(expected, field)[some], rel=1e-6, abs=1e-9, nan_ok=True
            )


def test_where_everybody_was_asked_each_sub_itemset_is_requested_once() -> None:
    plan = Bulk(grouped([2, 1])).plan(np.array([[0, 1], [0, 2]]))
    # All rows; {0, 1}; then {0}, {2} and {0, 2} of the itemset that touches both blocks.
    requests = {tuple(column for column in request if column != BLANK) for request in plan.requests.tolist()}
    assert requests == {(), (0, 1), (0,), (2,), (0, 2)}
    assert len(plan.requests) == 5


def test_an_itemset_that_nobody_was_asked_has_no_value() -> None:
    plan = Bulk(EVERYTHING).plan(np.array([[0], [EVERYTHING.item("married").index]]))
    counts = np.zeros((len(plan.requests), 2), dtype=np.int64)
    counts[1] = counts[3] = 0, 4
    assert np.isnan(plan.values(counts, "stratified")).tolist() == [True, False]


def test_p_of_0_needs_the_pooled_estimator_and_direct_rows() -> None:
    plan = Bulk(grouped([1], p=0)).plan(np.array([[0]]))
    assert plan.requests.tolist() == [[BLANK], [0]]
    # a = k = .4, and (20 + (30 - .5 * 60)) / (.4 * 100) = .5: protected rows cancel but for their noise.
    assert plan.values(np.array([[40, 60], [20, 30]]), "pooled") == pytest.approx([0.5])
    for counts, estimator in (([[40, 60], [20, 30]], "stratified"), ([[0, 60], [0, 30]], "pooled")):
        with pytest.raises(PrivacyError, match="p = 0") as refusal:
            plan.values(np.array(counts), estimator)  # type: ignore[arg-type]  # a plain text
        assert refusal.value.code == "truth_probability"


def test_it_refuses_an_unknown_estimator() -> None:
    plan = Bulk(grouped([1])).plan(np.array([[0]]))
    with pytest.raises(PrivacyError, match="estimator = 'best' is unknown"):
        plan.values(np.array([[0, 4], [0, 2]]), "best")  # type: ignore[arg-type]  # what is refused
