"""Rows of devices sorted by what they score: the same as row by row, direct, skipped and unasked ones too."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from mining.columns import joined_counts
from mining.columns.joined_counts import counted_rows
from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Part, Side, factors_of
from privacy.estimation.composed_rules import measure_joined
from privacy.survey import Design
from privacy.survey.layout import Layout
from tests.mining.columns.test_scale_counts import DESIGN, ROWS, STRENGTHS, records_of

CITY, AFFAIR = DESIGN.item("city").index, DESIGN.item("affair").index
AGE, HOME, LATE = 1, 2, 3
BLOCK_OF_AFFAIR = 4


@pytest.mark.parametrize(
    ("antecedent", "consequent"),
    [
        (Side(parts=(Part(question=AGE, wanted=(4, 11)),)), Side(items=(AFFAIR,))),
        (Side(items=(CITY,), parts=(Part(question=LATE, wanted=(0, 5)),)), Side(items=(AFFAIR,))),
        (
            Side(parts=(Part(question=AGE, wanted=(0, 3)),)),
            Side(parts=(Part(question=LATE, wanted=(6, 11)),)),
        ),
    ],
)
@pytest.mark.parametrize("design", [DESIGN, STRENGTHS], ids=["one strength", "two strengths"])
def test_scores_are_counted_as_row_by_row(design: Design, antecedent: Side, consequent: Side) -> None:
    factors = factors_of(antecedent, consequent, design)
    records = records_of(design, 300)
    rows = b"".join(Layout(design).pack(record) for record in records)
    found = counted_rows(design, factors, [rows[: len(rows) // 2], rows[len(rows) // 2 :]])
    scores: Counter[tuple[float, ...]] = Counter()
    direct = 0
    for record in records:
        codes = []
        for factor in factors:
            if factor.question is None:
                shows = [
                    record.answers[0][0] if item == CITY else record.answers[BLOCK_OF_AFFAIR][0]
                    for item in factor.items
                ]
                codes.append(
                    sum(int(bit) << place for place, bit in enumerate(shows)) | record.direct << len(shows)
                )
                continue
            value = record.answers[factor.question][0]
            outputs = design.questions[factor.question].disguise.outputs
            codes.append(None if value is None else value + (outputs + 1) * record.direct)
        if None in codes:
            continue
        direct += record.direct
        product = np.prod(
            [factor.scores[:, code] for factor, code in zip(factors, codes, strict=True)], axis=0
        )
        scores[tuple(product.round(9).tolist())] += 1
    kept = {
        tuple(own.round(9).tolist()): int(count)
        for own, count in zip(found.scores.T, found.counts, strict=True)
        if count
    }
    assert kept == scores
    assert (found.n_direct, found.n_protected) == (direct, sum(scores.values()) - direct)
    assert measure_joined(found).n == sum(scores.values())


def test_more_different_rows_than_the_memory_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_counts, "MOST_DIFFERENT", 3)
    factors = factors_of(
        Side(parts=(Part(question=AGE, wanted=(0, 3)),)),
        Side(parts=(Part(question=LATE, wanted=(6, 11)),)),
        DESIGN,
    )
    with pytest.raises(PrivacyError, match="more than 3 different things") as caught:
        counted_rows(DESIGN, factors, ROWS)
    assert caught.value.code == "too_large"
    assert "wider bins" in caught.value.remedy
