"""Counts by score agree with counts row by row, including direct, skipped and unasked rows."""

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from mining.columns import counted_rows as counted_rows_module
from mining.columns.bitmatrix import BitMatrix
from mining.columns.counted_rows import counted_rows, row_scores
from privacy.errors import PrivacyError
from privacy.estimation.comparison import compare, joined_rows
from privacy.estimation.composed_parts import Part, Side, factors_of
from privacy.estimation.counts import SupportCounts
from privacy.estimation.intervals import measure_rules
from privacy.estimation.required_counts import required_counts
from privacy.survey.booklets import Rotation
from privacy.survey.design import Condition, Design
from privacy.survey.layout import Layout, Record
from tests.mining.columns.counted import count
from tests.mining.columns.test_row_patterns import DESIGN, KEEP, ROWS, STRENGTHS, records_of
from tests.vectors.designs import live, opened, shielded, yes_no
from tests.vectors.scale_designs import scale_block

CITY, AFFAIR = DESIGN.item("city").index, DESIGN.item("affair").index
AGE, HOME, LATE = 1, 2, 3
BLOCK_OF_AFFAIR = 4


@pytest.mark.parametrize(
    ("antecedent", "consequent"),
    [
        (Side(parts=(Part(question=AGE, target=(4, 11)),)), Side(items=(AFFAIR,))),
        (Side(items=(CITY,), parts=(Part(question=LATE, target=(0, 5)),)), Side(items=(AFFAIR,))),
        (
            Side(parts=(Part(question=AGE, target=(0, 3)),)),
            Side(parts=(Part(question=LATE, target=(6, 11)),)),
        ),
    ],
)
@pytest.mark.parametrize("design", [DESIGN, STRENGTHS], ids=["one strength", "two strengths"])
def test_score_counts_match_row_by_row_counts(design: Design, antecedent: Side, consequent: Side) -> None:
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
    assert compare(found).n == sum(scores.values())


def test_more_distinct_rows_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_rows_module, "MOST_DIFFERENT", 3)
    factors = factors_of(
        Side(parts=(Part(question=AGE, target=(0, 3)),)),
        Side(parts=(Part(question=LATE, target=(6, 11)),)),
        DESIGN,
    )
    with pytest.raises(PrivacyError, match="more than 3 different scores") as caught:
        counted_rows(DESIGN, factors, ROWS)
    assert caught.value.code == "too_large"
    assert "wider bins" in caught.value.remedy


IN_TURN = replace(
    live(
        opened("you", yes_no("city")),
        replace(shielded("a", 6000, *(yes_no(key, 5000) for key in "xyz")), questions_per_person=2),
        replace(
            scale_block("age", KEEP, "young", "middle"),
            key="b",
            asked_if=Condition(question="city", options=("yes",)),
        ),
        shielded("c", 5000, yes_no("t", 5000)),
    ),
    rotations=(Rotation(blocks=("b", "c"), parts_per_person=1),),
)
"""Half of the respondents in cities are asked their age, in addition to two of three questions."""


def test_rotating_rows_match_row_by_row_counts() -> None:
    first = IN_TURN.item("x").index
    rule = Side(items=(first,), parts=(Part(question=4, target=KEEP.spans[0]),)), Side(items=(first + 1,))
    factors = factors_of(*rule, IN_TURN)
    age, items = factors
    assert (age.question, items.items) == (4, (first, first + 1))
    records, codes, asked = [], [], []
    shown = itertools.product((0, 1), ((0, 1), (0, 2), (1, 2)), range(4), (None, 0, 1, 5))
    for number, (city, booklet, bits, value) in enumerate(shown):
        answers = [bits & 1, bits >> 1]
        own = [answers[booklet.index(place)] if place in booklet else None for place in range(3)]
        turn = () if value is None else (0,)
        # Respondents outside cities are not asked, whichever block was drawn.
        sent = value if city else None
        record = Record(
            direct=False,
            answers=((city,), tuple(own), (sent,), (1 if value is None else None,)),
            refused=(False,) * 4,
            drawn=((0,), booklet, turn if city else (), (0,) if value is None else ()),
        )
        times = 1 + number % 4
        records += [record] * times
        if city:
            codes += [(value or 0, (own[0] or 0) | (own[1] or 0) << 1)] * times
            asked += [(value is not None, 0 in booklet, 1 in booklet)] * times
    rows = b"".join(Layout(IN_TURN).pack(record) for record in records)
    n = len(codes)
    wanted = joined_rows(
        factors,
        list(np.array(codes).T),
        np.ones(n, dtype=np.int64),
        direct=np.zeros(n, dtype=np.bool_),
        is_asked=np.array(asked).T,
    )
    half = len(records) // 2 * Layout(IN_TURN).n_bytes
    found = counted_rows(IN_TURN, factors, [rows[:half], rows[half:]], all_rows=True)
    assert found.all_rows
    assert (found.counts.sum(), found.n_protected) == (n, sum(map(all, asked)))
    np.testing.assert_allclose(found.scores, wanted.scores, rtol=1e-11, atol=1e-11)
    np.testing.assert_array_equal(found.counts, wanted.counts)
    complete = counted_rows(IN_TURN, factors, rows)
    assert not complete.all_rows
    assert complete.counts.sum() == complete.n_protected == found.n_protected
    measured = compare(found)
    assert measured.n_used == n
    same = (first, IN_TURN.item("age=young").index), (first + 1,)
    requests = required_counts([same], IN_TURN)
    table = count(BitMatrix.from_rows(IN_TURN, rows), requests)
    counts = SupportCounts.from_array(requests, table, all_rows=True)
    (of_items,) = measure_rules(counts, [same], IN_TURN)
    assert (of_items.all_rows, of_items.n, of_items.n_used) == (True, measured.n, n)
    for one, other in (
        (measured.having, of_items.confidence),
        (measured.lift, of_items.lift),
        (measured.leverage, of_items.leverage),
    ):
        assert one.value == pytest.approx(other.value, rel=1e-12, abs=1e-12)
        assert one.estimable == other.estimable
        if other.standard_error is None:
            assert one.standard_error is None
        else:
            assert one.standard_error == pytest.approx(other.standard_error, rel=1e-9)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-6, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("design", [DESIGN, STRENGTHS], ids=["one strength", "two strengths"])
def test_single_row_scores_match_the_counted_scores(design: Design) -> None:
    factors = factors_of(
        Side(parts=(Part(question=LATE, target=(0, 5)),)), Side(items=(CITY, AFFAIR)), design
    )
    rows = b"".join(Layout(design).pack(record) for record in records_of(design, 300))
    scores, is_complete = row_scores(design, factors, rows)
    counted = counted_rows(design, factors, rows)
    assert int(is_complete.sum()) == counted.counts.sum() < 300
    assert scores.sum(axis=1) == pytest.approx(counted.scores @ counted.counts, abs=1e-9)
    assert (scores**2).sum(axis=1) == pytest.approx(counted.scores**2 @ counted.counts, abs=1e-9)
    assert (scores[:, ~is_complete] == 0).all()
