import numpy as np
import pytest

from privacy.estimation.equations import MEASURES, Equation, Measure
from privacy.estimation.moments import Scores
from privacy.estimation.required_counts import Pair, contingency_tables, required_counts
from tests.privacy.estimation.designs import TWO_BLOCKS
from tests.privacy.estimation.records import count, sample

PAIR: Pair = ((0, 2), (1,))


def equation(measure: Measure) -> Equation:
    rows = sample(TWO_BLOCKS, 200, seed=61)
    counts = count(TWO_BLOCKS, rows, required_counts([PAIR], TWO_BLOCKS))
    (part,) = contingency_tables(counts, [PAIR], TWO_BLOCKS)
    return Equation(measure=measure, scores=Scores.of(part))


@pytest.mark.parametrize("measure", MEASURES)
def test_the_mean_of_h_is_0_at_the_estimate(measure: Measure) -> None:
    made = equation(measure)
    constant, slope = made.means
    assert constant + made.value * slope == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_means_are_those_of_the_cells(measure: Measure) -> None:
    made = equation(measure)
    rows = made.scores.cells.rows
    for by_cell, mean in zip(made.cells, made.means, strict=True):
        assert (rows * by_cell).sum(axis=1) / 200 == pytest.approx(mean, abs=1e-12)


def test_values_are_the_measures_of_the_field() -> None:
    made = {measure: equation(measure) for measure in MEASURES}
    both, a, b = made["support"].scores.value[:, 0]
    expected = {
        "support": both,
        "confidence": both / a,
        "lift": both / (a * b),
        "leverage": both - a * b,
        "conviction": a * (1 - b) / (a - both),
    }
    assert {measure: one.value[0] for measure, one in made.items()} == pytest.approx(expected)


@pytest.mark.parametrize("measure", MEASURES)
def test_variances_are_those_of_the_mean_of_h(measure: Measure) -> None:
    made = equation(measure)
    rows = made.scores.cells.rows[0]
    constant, slope = (np.repeat(by_cell[0], rows) for by_cell in made.cells)
    expected = np.cov(constant, slope, bias=True) / 200
    found = made.variances(made.scores.population_covariance)
    assert [part[0] for part in found] == pytest.approx([expected[0, 0], expected[0, 1], expected[1, 1]])


@pytest.mark.parametrize("measure", MEASURES)
def test_one_row_of_a_group_is_a_row_of_that_group(measure: Measure) -> None:
    """Its cells count: else the mean over the rows were another one."""
    rows = (*sample(TWO_BLOCKS, 199, seed=61, direct=0.0), *sample(TWO_BLOCKS, 1, seed=3, direct=1.0))
    assert [row.direct for row in rows].count(True) == 1
    counts = count(TWO_BLOCKS, rows, required_counts([PAIR], TWO_BLOCKS))
    (part,) = contingency_tables(counts, [PAIR], TWO_BLOCKS)
    made = Equation(measure=measure, scores=Scores.of(part))
    for by_cell, mean in zip(made.cells, made.means, strict=True):
        assert (made.scores.cells.rows * by_cell).sum(axis=1) / 200 == pytest.approx(mean, abs=1e-12)
