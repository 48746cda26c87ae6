"""Shares and means by another answer are exact on all possible rows, with correct intervals."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2, norm

from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.comparison import _effective_sides, compare, comparison_factors, weighted_factors
from privacy.estimation.composed_parts import Factor, Part, Side
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.estimation.intervals import measure_rules
from privacy.estimation.joined_rows import JoinedRows, joined_rows
from privacy.estimation.required_counts import required_counts
from privacy.scales.decoded_numbers import MEAN
from privacy.survey.design import Design
from tests.privacy.estimation.designs import ENUMERATED, OPEN, ROTATING, TWO_BLOCKS, yes_no
from tests.privacy.estimation.designs import design as design_of
from tests.privacy.estimation.drawn_rows import SCALE, a_law, counted, has, sent, share_of
from tests.privacy.estimation.records import Row
from tests.privacy.estimation.scale_rows import expected_rows, whole_rows
from tests.privacy.estimation.test_empirical_likelihood import CHI2
from tests.privacy.estimation.test_joined_rows import (
    APART,
    PEOPLE,
    RULES,
    SKIPPED,
    X,
    _code,
    _joined,
    joined_of,
)
from tests.vectors.designs import opened

AGE = Part(question=0, target=MEAN)
YOUNG = Part(question=0, target=(0, 1))
EAST = Part(question=1, target=((2, 0, 2, 1),))


def _complete(design: Design, rows: Mapping[Row, Fraction], factors: Sequence[Factor]) -> list[Row]:
    """Return the rows that were asked every question of these factors."""
    asked = [design.items[item].question for own in factors if own.draws is None for item in own.items]
    return [row for row in rows if set(asked) <= row.answered]


def _pairs(design: Design) -> list[tuple[int, int]]:
    items = design.items
    return [
        (items[0].index, other.index) for other in items if other.question != items[0].question
    ]  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("name", [*ENUMERATED, *ROTATING, "open"])
def test_shares_by_an_answer_match_the_population(name: str) -> None:
    design = {**ENUMERATED, **ROTATING, "open": OPEN}[name]
    direct = Fraction(1, 4) if design.has_two_strengths else Fraction(0)
    law = a_law(design, seed=11, direct=direct)
    rows = sent(design, law)
    found = 0
    for by, outcome in _pairs(design):
        if not design.drawn_together({design.items[by].question, design.items[outcome].question}):
            continue
        factors = comparison_factors(Side(items=(by,)), Side(items=(outcome,)), design)
        own = _complete(design, rows, factors)
        joined = joined_of(design, factors, own, np.array([round(rows[row] * SCALE) for row in own]))
        both, first, second = (
            float(share_of(design, law, items)) for items in ((by, outcome), (by,), (outcome,))
        )
        one = compare(joined)
        assert one.having.value == pytest.approx(both / first, abs=1e-8)
        assert one.others.value == pytest.approx((second - both) / (1 - first), abs=1e-8)
        assert one.difference.value == pytest.approx(one.having.value - one.others.value, abs=1e-8)
        assert one.lift.value == pytest.approx(both / first / second, abs=1e-8)
        assert one.difference.low < one.difference.value < one.difference.high
        # The same test on the same rows gives a rule's intervals of confidence and lift.
        sides = (by,), (outcome,)
        counts = counted(design, rows, required_counts([sides], design), all_rows=joined.all_rows)
        (rule,) = measure_rules(counts, [sides], design)
        assert (one.having.low, one.having.high) == pytest.approx((rule.confidence.low, rule.confidence.high))
        assert (one.lift.low, one.lift.high) == pytest.approx((rule.lift.low, rule.lift.high))
        assert (one.leverage.low, one.leverage.high) == pytest.approx((rule.leverage.low, rule.leverage.high))
        for mine, theirs in (
            (one.having, rule.confidence),
            (one.lift, rule.lift),
            (one.leverage, rule.leverage),
        ):
            assert mine.standard_error == pytest.approx(theirs.standard_error, rel=1e-9)
        assert (one.n, one.n_used, one.n_direct) == (rule.n, rule.n_used, rule.n_direct)
        found += 1
    assert found


def _of_people(design: Design, by: Side, outcome: Side, people: Mapping[tuple[int, ...], int]) -> JoinedRows:
    rows = whole_rows(expected_rows(design, people))
    factors = comparison_factors(by, outcome, design)
    codes = [np.array([_code(factor, row, design) for row in rows]) for factor in factors]
    return joined_rows(
        factors, codes, np.array(list(rows.values())), direct=np.zeros(len(rows), dtype=np.bool_)
    )


def _mean(people: Mapping[tuple[int, ...], int], value, base) -> float:
    inside = {who: n for who, n in people.items() if base(who)}
    return sum(value(who) * n for who, n in inside.items()) / sum(inside.values())


SCALES = {
    "a range by an answer": (
        APART, Side(items=(X,)), Side(parts=(YOUNG,)), lambda who: who[0] <= 1, lambda who: who[2] == 1),
    "an answer by a region": (
        APART, Side(parts=(EAST,)), Side(items=(X,)), lambda who: who[2] == 1, lambda who: who[1] in (2, 3)),
    "a mean by an answer": (
        APART, Side(items=(X,)), Side(parts=(AGE,)), lambda who: who[0] / 3, lambda who: who[2] == 1),
    "a mean by a region": (
        APART, Side(parts=(EAST,)), Side(parts=(AGE,)), lambda who: who[0] / 3, lambda who: who[1] in (2, 3)),
    "a mean among answers": (
        SKIPPED, Side(items=(X,)), Side(parts=(AGE,)), lambda who: who[0] / 3, lambda who: who[2] == 1),
}  # fmt: skip


@pytest.mark.parametrize("name", SCALES)
def test_ranges_regions_and_means_by_an_answer_match_the_population(name: str) -> None:
    design, by, outcome, value, has_answer = SCALES[name]
    people = dict(PEOPLE)
    if design is SKIPPED:
        people |= {(4, home, x, city): 2 + 3 * x for home in (1, 4) for x in (0, 1) for city in (0, 1)}
    joined = _of_people(design, by, outcome, people)
    found = compare(joined, mean="mean" in name)
    having = _mean(people, value, lambda who: has_answer(who) and who[0] < 4)
    others = _mean(people, value, lambda who: not has_answer(who) and who[0] < 4)
    assert found.having.value == pytest.approx(having, abs=1e-8)
    assert found.others.value == pytest.approx(others, abs=1e-8)
    assert found.difference.value == pytest.approx(having - others, abs=1e-8)
    assert found.difference.low < having - others < found.difference.high


def test_weights_reproduce_the_weighted_population() -> None:
    design = design_of(opened("o", yes_no("city")), *TWO_BLOCKS.blocks)
    law = a_law(design, seed=3, direct=Fraction(0))
    city = Fraction(share_of(design, law, (0,)))
    weights = np.array([Fraction(3, 10) / (1 - city), Fraction(7, 10) / city], dtype=np.float64)
    factors = weighted_factors(comparison_factors(Side(items=(1,)), Side(items=(3,)), design), (0,), weights)
    rows = sent(design, law)
    found = compare(
        joined_of(design, factors, list(rows), np.array([round(n * SCALE) for n in rows.values()]))
    )
    made = {
        row: chance * (Fraction(7, 10) / city if has(design, row, (0,)) else Fraction(3, 10) / (1 - city))
        for row, chance in law.items()
    }
    both, first, second = (float(share_of(design, made, items)) for items in ((1, 3), (1,), (3,)))
    assert found.having.value == pytest.approx(both / first, abs=1e-8)
    assert found.others.value == pytest.approx((second - both) / (1 - first), abs=1e-8)
    assert found.lift.value == pytest.approx(both / first / second, abs=1e-8)


def test_rows_that_weigh_nothing_do_not_make_cells_small() -> None:
    """Options of one question weigh 0 together, and no row has both."""
    design = design_of(opened("o", yes_no("city"), yes_no("town")), *TWO_BLOCKS.blocks)
    rows = sent(design, a_law(design, seed=3, direct=Fraction(0)))
    numbers = np.array([round(n * SCALE) for n in rows.values()])
    plain = comparison_factors(Side(items=(2,)), Side(items=(4,)), design)
    weighted = weighted_factors(plain, (0, 1), np.array([0.0, 1.4, 0.6, 0.0]))
    assert not compare(joined_of(design, plain, list(rows), numbers)).few_rows
    assert not compare(joined_of(design, weighted, list(rows), numbers)).few_rows


def test_the_difference_interval_matches_its_row_likelihood() -> None:
    """With B the share of the answer, Y that of the outcome, and t the difference, the mean of h is 0."""
    design = TWO_BLOCKS
    rows = sent(design, a_law(design, seed=11, direct=Fraction(0)))
    factors = comparison_factors(Side(items=(0,)), Side(items=(2,)), design)
    joined = joined_of(
        design, factors, list(rows), np.array([round(400 * chance) for chance in rows.values()])
    )
    (both, by, outcome), counts = joined.scores, joined.counts
    n = counts.sum()
    b, y = by @ counts / n, outcome @ counts / n

    def ratio(t: float) -> float:
        h = both - b * outcome - y * by + y * b - t * ((1 - 2 * b) * by + b**2)
        return float(likelihood_ratio(counts, h))

    found = compare(joined)
    assert ratio(found.difference.value) == pytest.approx(0, abs=1e-9)
    for end in (found.difference.low, found.difference.high):
        assert ratio(end) == pytest.approx(CHI2, rel=1e-7)
    assert found.p_value == pytest.approx(chi2.sf(ratio(0), 1), rel=1e-9)
    together = both - b * outcome - y * by + y * b
    error = math.sqrt(counts @ together**2) / n / (b * (1 - b))
    assert found.detectable == pytest.approx((norm.isf(0.025) + norm.isf(0.2)) * error)
    # Four times as many people can detect half the difference.
    more = compare(replace(joined, counts=4 * counts, n_protected=4 * joined.n_protected))
    assert more.detectable == pytest.approx(found.detectable / 2)


def test_a_group_of_few_people_has_no_figure_if_its_size_is_known() -> None:
    """The answer of 12 people was not disguised: a difference of .8 had an interval that excluded 0."""
    scores = np.array([[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 0.0]])
    few = JoinedRows(
        counts=np.array([11, 1, 50, 450]), scores=scores, n_direct=0, n_protected=512, smallest_cell=1
    )
    found = compare(few)
    assert (found.having.estimable, found.difference.estimable) == (False, False)
    assert (found.difference.low, found.difference.high) == (-1, 1)
    assert found.having.effective_n == 12
    # All others are enough.
    assert found.others.basis == "estimate"
    assert found.others.effective_n == 500
    enough = JoinedRows(
        counts=np.array([20, 15, 50, 450]), scores=scores, n_direct=0, n_protected=535, smallest_cell=15
    )
    assert compare(enough).difference.basis == "estimate"


@pytest.mark.parametrize(("both", "few"), [(27, True), (28, False)])
def test_rotating_rows_expecting_under_five_full_matches_are_few(both: int, few: bool) -> None:
    """With p = .5 for two even questions on one coin, 25 decoys in 200 rows show both."""
    rows = JoinedRows(
        counts=np.array([both, 50, 50, 100 - both]),
        scores=np.array([[1.75, -0.25, -0.25, -0.25], [1.5, 1.5, -0.5, -0.5], [1.5, -0.5, 1.5, -0.5]]),
        n_direct=0,
        n_protected=200,
        smallest_cell=both,
        is_drawn=True,
    )
    assert compare(rows).both * 200 == pytest.approx((both - 25) / 0.5)
    assert compare(rows).few_rows is few
    assert not compare(replace(rows, is_drawn=False)).few_rows


def test_moment_approximations_agree_with_exact_tests_for_many_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    joined = _joined(*RULES["number and item, place"][1:], APART, whole_rows(expected_rows(APART, PEOPLE)))
    tested = compare(joined)
    monkeypatch.setattr("privacy.estimation.comparison.MOST_SCORES", joined.scores.shape[1])
    assert compare(joined) == tested
    monkeypatch.setattr("privacy.estimation.comparison.MOST_SCORES", joined.scores.shape[1] - 1)
    found = compare(joined)
    assert found != tested
    # With this many rows, both tests give about 1.96 standard errors.
    assert found.having.low == pytest.approx(tested.having.low, abs=1e-4)
    assert found.having.high == pytest.approx(tested.having.high, abs=1e-4)


@pytest.mark.parametrize(("having", "share"), [(50, 0.05), (950, 0.95), (10, 0.05), (990, 0.95)])
def test_the_smaller_group_is_taken_for_at_least_a_twentieth(having: int, share: float) -> None:
    """Half of each group have the outcome, so each row is .5 b or .5 (1 - b) from the mean product."""
    b = having / 1000
    counts = np.array([having, having, 1000 - having, 1000 - having]) // 2
    by, outcome = np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 1, 0])
    rows = JoinedRows(
        counts=counts, scores=np.stack([by * outcome, by, outcome]), n_direct=0, n_protected=1000,
        smallest_cell=5,
    )  # fmt: skip
    error = math.sqrt(b * (1 - b) / 4 / 1000)
    wanted = (norm.isf(0.025) + norm.isf(0.2)) * error / (share * (1 - share))
    found = compare(rows)
    assert found.detectable == pytest.approx(wanted)
    sides = found.having, found.others, found.difference, found.lift, found.leverage
    own, rest = having, 1000 - having
    assert [figure.effective_n for figure in sides] == pytest.approx(
        [own, rest, min(own, rest), own, min(own, rest)]
    )


def test_sums_over_clusters_give_each_group_its_share_of_the_rows() -> None:
    base, base_by = np.array([10.0, 20, 30, 40]), np.array([10.0, 0, 30, 0])
    rows = JoinedRows(
        counts=np.ones(4, dtype=np.int64), scores=np.stack([base_by, base_by, base]), n_direct=0,
        n_protected=100, smallest_cell=5, clusters=ClusterCount.of(base), effective_n=80,
    )  # fmt: skip
    assert _effective_sides(rows, base_by, base) == pytest.approx((32, 48))
    # Below 30 effective rows, neither group has figures of its own.
    assert _effective_sides(replace(rows, effective_n=29.9), base_by, base) == (29.9, 29.9)
    assert _effective_sides(replace(rows, effective_n=30), base_by, base) == pytest.approx((12, 18))


@pytest.mark.parametrize("n", [29, 30])
def test_thirty_people_with_the_answer_are_enough(n: int) -> None:
    """Ten of them have the outcome, and 20 of 60 others; nothing is disguised."""
    counts = np.array([10, n - 10, 20, 40])
    rows = JoinedRows(
        counts=counts, n_direct=0, n_protected=int(counts.sum()), smallest_cell=10,
        scores=np.array([[1.0, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]),
    )  # fmt: skip
    found = compare(rows)
    assert (found.having.estimable, found.others.estimable) == (n >= 30, True)
    assert (found.having.low == 0) == (n < 30)
