"""Weighted supports and their errors agree with their definition row by row."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import Estimate, estimate
from privacy.estimation.intervals import support_intervals
from privacy.estimation.margin_cells import Weighted, raked_shares, reweight, weighting_terms
from privacy.estimation.margins import Margin, margin_of
from privacy.estimation.required_counts import required_counts
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import MIXED, design, opened, protected, single, yes_no
from tests.privacy.estimation.records import (
    Row,
    columns,
    count,
    disguises,
    drawings,
    sample,
    scores,
    true_rows,
)

ITEM = (3,)
"""The protected yes/no item of `MIXED`, whose open items are oa (0), os=o0 (1) and os=o1 (2)."""

OS = margin_of("os", {"o0": 0.7, "o1": 0.3}, MIXED)
OA = margin_of("oa", {"yes": 0.2, "no": 0.8}, MIXED)


def found(rows: list[Row], *margins: Margin, itemset: tuple[int, ...] = ITEM) -> Weighted:
    counts = count(MIXED, rows, weighting_terms(itemset, margins, MIXED))
    return reweight(counts, itemset, margins, MIXED)


def cells(rows: list[Row], *items: int) -> np.ndarray:
    return np.array([[item in columns(MIXED, row) for item in items] for row in rows], dtype=int)


def test_weighted_means_and_linearised_errors_match_the_rows() -> None:
    rows = sample(MIXED, 500, seed=3, direct=0.3)
    got = found(rows, OS)
    z = scores(MIXED, rows, ITEM)
    stratum = 1 - cells(rows, 1)[:, 0]
    sizes, n = np.bincount(stratum), len(rows)
    w = np.array([0.7, 0.3])[stratum] * n / sizes[stratum]
    assert got.value == pytest.approx((w * z).sum() / w.sum(), abs=1e-12)
    means = np.array([z[stratum == one].mean() for one in (0, 1)])
    error = math.sqrt((w**2 * (z - means[stratum]) ** 2).sum()) / w.sum()
    assert got.standard_error == pytest.approx(error, rel=1e-9)
    assert got.effective_n == pytest.approx(w.sum() ** 2 / (w**2).sum())
    assert got.unweighted.value == pytest.approx(z.mean())
    assert got.design_effect == pytest.approx(error**2 / (z.var() / n))
    (plain,) = support_intervals(count(MIXED, rows, required_counts([ITEM], MIXED)), [ITEM], MIXED)
    stretch = error / (z.std() / math.sqrt(n))
    assert got.value - got.low == pytest.approx(stretch * (plain.value - plain.low))
    assert got.high - got.value == pytest.approx(stretch * (plain.high - plain.value))
    direct = np.array([row.direct for row in rows])
    assert got.least_protected == np.bincount(stratum[~direct]).min()


def test_raking_two_margins_matches_raking_row_by_row() -> None:
    rows = sample(MIXED, 700, seed=5, direct=0.2)
    got = found(rows, OS, OA)
    z = scores(MIXED, rows, ITEM)
    place = cells(rows, 2, 0)
    targets = (np.array([0.7, 0.3]), np.array([0.8, 0.2]))
    w = np.ones(len(rows))
    for _round in range(200):
        for axis, target in enumerate(targets):
            w *= (target * len(rows) / np.bincount(place[:, axis], weights=w))[place[:, axis]]
    assert got.value == pytest.approx((w * z).sum() / w.sum(), abs=1e-9)
    x = np.column_stack([np.ones(len(rows)), place])
    root = np.sqrt(w)
    slopes = np.linalg.lstsq(root[:, None] * x, root * z, rcond=None)[0]
    error = math.sqrt((w**2 * (z - x @ slopes) ** 2).sum()) / w.sum()
    assert got.standard_error == pytest.approx(error, rel=1e-7)


def test_a_margin_share_of_zero_excludes_respondents() -> None:
    rows = sample(MIXED, 400, seed=9)
    got = found(rows, margin_of("os", {"o0": 1, "o1": 0}, MIXED))
    inside = [row for row in rows if 1 in columns(MIXED, row)]
    assert got.value == pytest.approx(scores(MIXED, inside, ITEM).mean())
    assert got.effective_n == pytest.approx(len(inside))


def test_an_answer_that_no_one_gave_may_have_a_share_of_zero() -> None:
    assert raked_shares(np.array([3, 0]), [margin_of("os", {"o0": 1, "o1": 0}, MIXED)]).tolist() == [1, 0]


@pytest.mark.parametrize(("answers", "is_enough"), [(29, False), (30, True)])
def test_fewer_than_30_effective_answers_have_no_interval(answers: int, is_enough: bool) -> None:
    rows = [row for row in sample(MIXED, 200, seed=3, direct=1) if 1 in columns(MIXED, row)][:answers]
    got = found(rows, margin_of("os", {"o0": 1, "o1": 0}, MIXED))
    assert got.effective_n == answers
    assert 0 < got.low < got.high < 1
    assert got.estimable == is_enough


@pytest.mark.parametrize("says_yes", [False, True])
def test_an_interval_that_excludes_some_share_at_one_end_is_shown(says_yes: bool) -> None:
    rows = [row for row in sample(MIXED, 300, seed=3, direct=0) if 1 in columns(MIXED, row)]
    some, others = (
        [row for row in rows if (3 in columns(MIXED, row)) == answer] for answer in (says_yes, not says_yes)
    )
    # Most give one answer, so the other end of the interval is a possible share.
    got = found([*some[:40], *others[:10]], margin_of("os", {"o0": 1, "o1": 0}, MIXED))
    assert (0 < got.low < 1, 0 < got.high < 1) == (says_yes, not says_yes)
    assert got.estimable


def test_the_difference_is_that_of_the_weights() -> None:
    got = found(sample(MIXED, 500, seed=3, direct=0.3), OS)
    assert got.difference == got.value - got.unweighted.value != 0


def test_fewer_than_100_effective_answers_are_few() -> None:
    got = found(sample(MIXED, 500, seed=3, direct=0.3), OS)
    assert [replace(got, effective_n=n).few_effective for n in (99.9, 100.0)] == [True, False]


TURNS = design(
    opened("o", single("age", options=2)),
    protected("b", 5000, yes_no("a", 5000), yes_no("b", 5000), yes_no("c", 5000), asks=2),
)
"""Two of three questions each; the items are those of age (0, 1), a (2), b (3) and c (4)."""


def counts_of(rows: list[Row], keys: tuple[Columns, ...], *, all_rows: bool) -> SupportCounts:
    counts = count(TURNS, rows, keys)
    return SupportCounts({key: counts[key] for key in keys}, all_rows=all_rows)


def rows_of_turns(people: int) -> list[Row]:
    source, rows = random.Random(8), list[Row]()
    for _person in range(people):
        truth = source.choice(true_rows(TURNS, direct=False))
        (asked,) = source.choices(*zip(*drawings(TURNS, truth), strict=True))
        rows += source.choices(*zip(*disguises(TURNS, asked), strict=True))
    return rows


def estimated(rows: list[Row]) -> Estimate:
    return estimate(counts_of(rows, required_counts([(2, 3)], TURNS), all_rows=True), (2, 3), TURNS)


def test_rows_that_were_asked_a_part_count_next_to_an_empty_cell() -> None:
    rows = [row for row in rows_of_turns(100) if 1 in columns(TURNS, row)]
    margin = margin_of("age", {"o0": 0, "o1": 1}, TURNS)
    terms = weighting_terms((2, 3), [margin], TURNS)
    got = reweight(counts_of(rows, terms, all_rows=True), (2, 3), [margin], TURNS)
    assert got.value == pytest.approx(estimated(rows).value)
    assert got.n < got.n_used == estimated(rows).n_used


def test_rows_that_were_asked_a_part_count_in_their_own_cell() -> None:
    """Each cell is estimated like a survey of its own rows, from all of them."""
    rows = rows_of_turns(600)
    margin, both = margin_of("age", {"o0": 0.8, "o1": 0.2}, TURNS), (2, 3)
    parts = [estimated([row for row in rows if item in columns(TURNS, row)]) for item in (0, 1)]
    terms = weighting_terms(both, [margin], TURNS)
    got = reweight(counts_of(rows, terms, all_rows=True), both, [margin], TURNS)
    assert got.value == pytest.approx(0.8 * parts[0].value + 0.2 * parts[1].value)
    assert got.unweighted.value == pytest.approx(estimated(rows).value)
    counts = counts_of(rows, required_counts([both], TURNS), all_rows=True)
    (interval,) = support_intervals(counts, [both], TURNS)
    assert (got.interval.low, got.interval.high) == pytest.approx((interval.low, interval.high))
    assert (got.n_used, got.n) == (sum(part.n_used for part in parts), sum(part.n for part in parts))
    assert 1.2 * got.n < got.n_used <= 600
    variance = sum(share**2 * part.standard_error**2 for share, part in zip((0.8, 0.2), parts, strict=True))
    assert got.standard_error == pytest.approx(math.sqrt(variance))
    # Rows of one part only say less.
    complete = reweight(counts_of(rows, terms, all_rows=False), both, [margin], TURNS)
    assert complete.n_used == complete.n == got.n
    assert complete.standard_error > got.standard_error


THREE = design(opened("o", single("age", options=3)), protected("b", 5000, yes_no("a", 5000)))


def test_combined_options_form_one_cell() -> None:
    rows = sample(THREE, 600, seed=4)
    margin = margin_of("age", {"o1|o0": 0.9, "o2": 0.1}, THREE)
    got = reweight(count(THREE, rows, weighting_terms((3,), [margin], THREE)), (3,), [margin], THREE)
    z = scores(THREE, rows, (3,))
    old = np.array([2 in columns(THREE, row) for row in rows])
    assert got.value == pytest.approx(0.9 * z[~old].mean() + 0.1 * z[old].mean())


def test_rows_without_the_weighting_answer_are_left_out() -> None:
    rows = sample(MIXED, 300, seed=3)
    silent = [
        replace(row, blocks=((0, frozenset()), *row.blocks[1:]), answered=row.answered - {0, 1})
        for row in rows[:100]
    ]
    assert found([*rows[100:], *silent], OS) == found(rows[100:], OS)


def test_an_unobserved_answer_cannot_be_weighted_up() -> None:
    rows = [row for row in sample(MIXED, 200, seed=1) if 1 in columns(MIXED, row)]
    with pytest.raises(
        PrivacyError, match=r"no respondent in these rows answered 'o1'.*o1\|other"
    ) as refusal:
        found(rows, OS)
    assert refusal.value.code == "empty_cell"


def test_margins_that_no_weights_can_match_are_refused() -> None:
    # Only the rows with o0 say yes, so both questions must have equal shares.
    rows = [
        row for row in sample(MIXED, 400, seed=1) if (0 in columns(MIXED, row)) == (1 in columns(MIXED, row))
    ]
    with pytest.raises(PrivacyError, match="no weights of these rows reach all margins") as refusal:
        found(rows, OS, OA)
    assert refusal.value.code == "margins"
    with pytest.raises(PrivacyError, match="each question once"):
        found(rows, OS, OS)
    with pytest.raises(PrivacyError, match="give at least one"):
        found(rows)


@pytest.mark.parametrize(("most", "is_refused"), [(4, False), (3, True)])
def test_margins_with_too_many_cells_are_refused(
    monkeypatch: pytest.MonkeyPatch, most: int, is_refused: bool
) -> None:
    monkeypatch.setattr("privacy.estimation.margin_cells.MOST_MARGIN_CELLS", most)
    if is_refused:
        with refused("too_many_cells", 4):
            weighting_terms(ITEM, (OS, OA), MIXED)
    else:
        assert weighting_terms(ITEM, (OS, OA), MIXED)


@pytest.mark.parametrize("margins", [(OS,), (OS, OA)])
def test_the_shift_by_forged_rows_is_the_largest_that_leaving_them_out_makes(
    margins: tuple[Margin, ...],
) -> None:
    """Leaves out 5 rows of one cell with one score, for each cell and the two extreme scores."""
    rows = sample(MIXED, 700, seed=3, direct=0.0)
    counts = count(MIXED, rows, weighting_terms(ITEM, margins, MIXED))
    got = reweight(counts, ITEM, margins, MIXED, forged=5)
    z = scores(MIXED, rows, ITEM)
    marks = list(map(tuple, cells(rows, *((1,) if len(margins) == 1 else (0, 1))).tolist()))
    distances = []
    for mark in set(marks):
        for score in (z.min(), z.max()):
            fitting = [place for place, own in enumerate(marks) if own == mark and z[place] == score]
            left = [row for place, row in enumerate(rows) if place not in fitting[:5]]
            distances.append(abs(found(left, *margins).value - got.value))
    assert len(distances) == 2 * 2 ** len(margins)
    assert got.shift == pytest.approx(max(distances), rel=1e-6)
    everyone = min(marks.count(mark) for mark in marks)
    assert reweight(counts, ITEM, margins, MIXED, forged=everyone).shift == math.inf
    assert reweight(counts, ITEM, margins, MIXED, forged=everyone - 1).shift < math.inf
