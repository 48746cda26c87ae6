import itertools
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.estimation.counts import Columns
from privacy.estimation.estimates import covariance, estimate
from privacy.estimation.estimating_equation import MEASURES, Equation, Measure
from privacy.estimation.moments import ContingencyTables, Estimator, Moments, Scores, check_rows
from privacy.estimation.required_counts import (
    ItemsetPair,
    contingency_tables,
    required_counts,
)
from privacy.estimation.shapes import FIRST, SECOND
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import (
    ROTATING,
    TWO_BLOCKS,
    TWO_OF_THREE,
)
from tests.privacy.estimation.drawn_rows import (
    SCALE,
    a_law,
    counted,
    covariance_of,
    influences,
    sent,
    share_of,
    units,
)
from tests.privacy.estimation.records import Row, columns, count, sample


@pytest.mark.parametrize("measure", MEASURES)
def test_a_group_with_one_row_still_counts(measure: Measure) -> None:
    """Leaving its cells out would change the mean over the rows."""
    rows = (*sample(TWO_BLOCKS, 199, seed=61, direct=0.0), *sample(TWO_BLOCKS, 1, seed=3, direct=1.0))
    assert [row.direct for row in rows].count(True) == 1
    counts = count(TWO_BLOCKS, rows, required_counts([((0, 2), (1,))], TWO_BLOCKS))
    (part,) = contingency_tables(counts, [((0, 2), (1,))], TWO_BLOCKS)
    made = Equation(measure=measure, scores=Scores.of(part))
    for by_cell, mean in zip(made.cells, made.means, strict=True):
        assert (made.scores.cells.rows * by_cell).sum(axis=1) / 200 == pytest.approx(mean, abs=1e-12)


# Scores of rows by group, before the division by p: (union, first, second), in tenths.
DIRECT_ROWS = [(7, 8, 9), (-1, 8, -1), (7, 8, 9), (-1, -2, 9)]
PROTECTED_ROWS = [(3, 6, 5), (-2, -4, 5), (3, 6, 5), (-2, 6, -5), (3, 6, 5), (-2, -4, -5)]
TRUTH = [
    (Fraction(63, 100), Fraction(7, 10), Fraction(9, 10)),
    (Fraction(1, 5), Fraction(1, 2), Fraction(2, 5)),
]
UNION = [[0, 0, 0], [0, 1, 0], [0, 0, 2]]


def moments_of(estimator: Any, events: tuple[int, ...], *groups: list[tuple[int, ...]]) -> Moments:
    """Sum the rows of both groups."""
    rows = [[[Fraction(row[event], 10) for event in events] for row in group] for group in groups]

    def total(values: Any) -> Any:
        return np.array(values, dtype=np.float64)

    return Moments(
        estimator=estimator,
        n_by_group=np.array([[len(group)] for group in groups]),
        truth=total([[[float(truth[event])] for event in events] for truth in TRUTH]),
        numerators=total(
            [[[float(sum(row[e] for row in group))] for e in range(len(events))] for group in rows]
        ),
        products=total(
            [
                [[[float(sum(row[e] * row[f] for row in group))] for f in range(len(events))]
                 for e in range(len(events))]
                for group in rows
            ]
        ),
    )  # fmt: skip


def test_stratified_moments_are_those_of_the_rows() -> None:
    made = moments_of("stratified", (0, 1, 2), DIRECT_ROWS, PROTECTED_ROWS)
    groups = (DIRECT_ROWS, PROTECTED_ROWS)
    z = [
        [Fraction(value, 10) / truth[event] for event, value in enumerate(row)]
        for group, truth in zip(groups, TRUTH, strict=True)
        for row in group
    ]
    n = len(z)
    assert (made.n.tolist(), made.shares[:, 0].tolist()) == ([10], [0.4, 0.6])
    means = [sum(row[event] for row in z) / n for event in range(3)]
    assert made.value[:, 0] == pytest.approx([float(mean) for mean in means])
    for group, part in enumerate((z[:4], z[4:])):
        of_group = [float(sum(row[event] for row in part) / len(part)) for event in range(3)]
        assert made.value_by_group[group, :, 0] == pytest.approx(of_group)
    for e, f in itertools.product(range(3), repeat=2):
        together = sum(row[e] * row[f] for row in z)
        assert made.population_covariance[e, f, 0] == pytest.approx(
            float((together - n * means[e] * means[f]) / n**2)
        )
        assert made.respondents_covariance[e, f, 0] == pytest.approx(
            float((together - sum(row[UNION[e][f]] for row in z)) / n**2)
        )
        if e == f:
            assert made.population_variance[e, 0] == made.population_covariance[e, e, 0]


def test_pooled_moments_are_those_of_the_rows() -> None:
    """a = .4 * .7 + .6 * .5 = .58, and P = sum of N / (10 a)."""
    made = moments_of("pooled", (1,), DIRECT_ROWS, PROTECTED_ROWS)
    a, n = Fraction(58, 100), 10
    groups = [[Fraction(row[1], 10) for row in group] for group in (DIRECT_ROWS, PROTECTED_ROWS)]
    share = sum(map(sum, groups)) / (n * a)
    assert made.mean_truth[0, 0] == pytest.approx(float(a))
    assert made.value[0, 0] == pytest.approx(float(share))
    squares = [sum(value**2 for value in group) - sum(group) ** 2 / len(group) for group in groups]
    assert made.population_variance[0, 0] == pytest.approx(float(sum(squares) / (n * a) ** 2))
    noise = sum(
        value**2 - value * truth[1] for group, truth in zip(groups, TRUTH, strict=True) for value in group
    )
    tilt = Fraction(24, 100) * (TRUTH[0][1] - TRUTH[1][1]) ** 2 / a**2
    expected = noise / (n * a) ** 2 + tilt * share * (1 - share) / n
    assert made.respondents_covariance[0, 0, 0] == pytest.approx(float(expected))


def test_a_negative_variance_is_replaced_by_the_squares_of_disguised_rows() -> None:
    """Two rows of .2 and p = .5: z = .4, and (.16 - .4) * 2/4 < 0, so 2 * .16/4."""
    rows = [(0, 2, 0)] * 2
    made = moments_of("stratified", (1,), [], rows)
    assert made.respondents_covariance[0, 0, 0] == pytest.approx(-0.12)
    assert made.respondents_variance[0, 0] == pytest.approx(0.08)
    positive = moments_of("stratified", (1,), [], [(0, 6, 0)] * 2)
    assert positive.respondents_variance[0, 0] == pytest.approx(2 * (1.44 - 1.2) / 4)
    # Two open rows of 1 add no noise: (2 * (.16 - .4) + 2 * (1 - 1)) / 16 < 0, so 2 * .16/16.
    half_open = replace(
        moments_of("stratified", (1,), [(0, 10, 0)] * 2, rows), truth=np.array([[[1.0]], [[0.5]]])
    )
    assert half_open.respondents_covariance[0, 0, 0] == pytest.approx(-0.03)
    assert half_open.respondents_variance[0, 0] == pytest.approx(0.02)


def test_groups_without_rows_have_no_value_and_do_not_count() -> None:
    made = moments_of("stratified", (1,), [], PROTECTED_ROWS)
    assert np.isnan(made.value_by_group[0, 0, 0])
    assert made.value_by_group[1, 0, 0] == pytest.approx(made.value[0, 0]) == pytest.approx(1.6 / 6 / 0.5)
    empty = moments_of("stratified", (1,), [(0, 0, 0)], [])
    assert empty.value.tolist() == [[0]]


def test_unknown_estimators_and_rows_that_were_never_asked_are_refused() -> None:
    with refused("estimator", "shrunk"):
        moments_of("shrunk", (1,), DIRECT_ROWS, PROTECTED_ROWS)
    with refused("no_rows"):
        check_rows(np.array([1, 0]))
    check_rows(np.array([1, 2]))


PAIRS: dict[str, list[tuple[Columns, Columns]]] = {
    "two of three": [((0,), (1,)), ((0,), (0, 1)), ((0, 1), (0, 1)), ((1,), (0, 2))],
    "with a skip": [((0,), (1,)), ((0, 2), (0,))],
    "choices": [((0,), (3, 4)), ((1,), (3,)), ((1,), (2,)), ((3,), (0, 3)), ((3, 4), (4,))],
    "two strengths": [((0,), (1,)), ((0, 1), (1,))],
    "beside others": [((0, 1), (3,)), ((0,), (1, 4)), ((1, 3), (3, 4)), ((0, 3), (0, 1))],
    "two parts": [((0, 1), (3,)), ((0, 3), (1,)), ((0, 1), (1, 4))],
    "parts": [((0,), (1,)), ((0, 1), (2,)), ((1, 2), (0, 2))],
}


@pytest.mark.parametrize("name", PAIRS)
def test_covariances_from_all_rows_are_exact(name: str) -> None:
    rotating = ROTATING[name]
    law = a_law(rotating, seed=13, direct=Fraction(0 if name == "with a skip" else 1, 4))
    rows = sent(rotating, law)
    for first, second in PAIRS[name]:
        union = tuple(sorted({*first, *second}))
        if not rotating.drawn_together(rotating.items[item].question for item in union):
            continue
        # The parts of a pair are those of its union, split by side, with the sides' product as their share.
        counts = counted(rotating, rows, required_counts([(first, second)], rotating), all_rows=True)
        h = {}
        for items in (first, second):
            _, parts = units(rotating, items)
            h[items] = influences(
                rotating, rows, items, {part: share_of(rotating, law, part) for part in parts}
            )
        expected = covariance_of(rows, h[first], h[second])
        found = covariance(counts, first, second, rotating)
        assert found * SCALE == pytest.approx(float(expected), rel=1e-6, abs=1e-9)
        excluded = any(
            rotating.questions[one.question].kind == "single" and one.question == other.question and a != b
            for a, b in itertools.product(first, second)
            for one, other in [(rotating.items[a], rotating.items[b])]
        )
        both = Fraction(0) if excluded else share_of(rotating, law, union)
        about_these = expected - (both - share_of(rotating, law, first) * share_of(rotating, law, second))
        (part,) = contingency_tables(counts, [(first, second)], rotating)
        found = Scores.of(part).respondents_covariance[FIRST, SECOND, 0]
        assert found * SCALE == pytest.approx(float(about_these), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_pooling_weights_the_groups_by_their_disguise(estimator: Estimator) -> None:
    rotating = ROTATING["two strengths"]
    law = a_law(rotating, seed=17, direct=Fraction(1, 4))
    rows = sent(rotating, law)
    found = estimate(
        counted(rotating, rows, required_counts([(0, 1)], rotating), all_rows=True),
        (0, 1),
        rotating,
        estimator=estimator,
    )
    shares = [
        share_of(rotating, {row: chance for row, chance in law.items() if row.direct == group}, (0, 1))
        / weight
        for group, weight in ((True, Fraction(1, 4)), (False, Fraction(3, 4)))
    ]
    weight = Fraction(1, 4) if estimator == "stratified" else Fraction(1, 4) * 8 / (Fraction(1, 4) * 8 + 3)
    assert (found.direct, found.protected) == pytest.approx([float(share) for share in shares], abs=1e-9)
    assert found.value == pytest.approx(float(weight * shares[0] + (1 - weight) * shares[1]), abs=1e-9)


def drawn_tables(rows: Mapping[Row, Fraction], pair: ItemsetPair) -> ContingencyTables:
    """Return the cells of a survey that consists of these shares of rows."""
    counts = counted(TWO_OF_THREE, rows, required_counts([pair], TWO_OF_THREE), all_rows=True)
    (part,) = contingency_tables(counts, [pair], TWO_OF_THREE)
    return part


def test_cells_of_drawn_questions_count_rows_by_what_they_were_asked() -> None:
    """Each device asks two of a, b and c. Rows that were asked only a or only b count for the pair, too."""
    rows = sent(TWO_OF_THREE, a_law(TWO_OF_THREE, seed=13, direct=Fraction(1, 4)))
    part = drawn_tables(rows, ((0,), (1,)))
    assert part.all_rows.tolist() == [True]
    asked = [TWO_OF_THREE.asked_column(number) for number in (0, 1)]
    matching = Fraction(0)
    kinds = {
        group: dict.fromkeys(itertools.product((False, True), repeat=2), Fraction(0)) for group in (0, 1)
    }
    for row, chance in rows.items():
        own = columns(TWO_OF_THREE, row)
        if {*asked} <= own:
            kinds[0 if row.direct else 1][0 in own, 1 in own] += chance
        if not row.direct and all(item in own for item in (0, 1) if asked[item] in own):
            matching += chance
    for group, found in enumerate(part.row_counts):
        expected = [float(chance * SCALE) for chance in kinds[group].values()]
        assert found[0].tolist() == pytest.approx(expected, rel=1e-9)
    assert part.groups[1].rows[part.matching_cells].sum() == pytest.approx(float(matching * SCALE), rel=1e-9)


def test_without_a_complete_row_in_a_group_only_complete_rows_of_the_other_count() -> None:
    """The direct group has rows, but none that was asked both a and b."""
    asked = {TWO_OF_THREE.asked_column(0), TWO_OF_THREE.asked_column(1)}
    every = sent(TWO_OF_THREE, a_law(TWO_OF_THREE, seed=13, direct=Fraction(1, 4)))
    rows = {
        row: chance
        for row, chance in every.items()
        if not (row.direct and asked <= columns(TWO_OF_THREE, row))
    }
    part = drawn_tables(rows, ((0, 1), ()))
    assert part.all_rows.tolist() == [False]
    complete = sum(chance for row, chance in rows.items() if asked <= columns(TWO_OF_THREE, row))
    assert part.n.tolist() == pytest.approx([float(complete * SCALE)], rel=1e-9)
    assert part.complete[0].tolist() == [0]
    # A single complete row is enough to use all.
    lone = next(row for row in every if row.direct and asked <= columns(TWO_OF_THREE, row))
    part = drawn_tables(rows | {lone: Fraction(1, SCALE)}, ((0, 1), ()))
    assert (part.all_rows.tolist(), part.complete[0].tolist()) == ([True], [1])


def test_a_group_without_rows_may_have_no_information() -> None:
    """Its p of 0 divides nothing: 2 of 10 rows are counted with p = .5, and 2 / .5 / 10 = .4."""
    found = Moments(
        estimator="stratified",
        n_by_group=np.array([[10], [0]]),
        truth=np.array([[[0.5]], [[0.0]]]),
        numerators=np.array([[[2.0]], [[0.0]]]),
        products=np.zeros((2, 1, 1, 1)),
    )
    assert found.value.tolist() == [[0.4]]
    assert found.value_by_group.tolist()[0] == [[0.4]]
